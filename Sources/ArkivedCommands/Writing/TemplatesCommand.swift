import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `templates` command: texts with which notes and entries begin.
struct TemplatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates",
    abstract: "Manage prompts, and templates for notes and entries.",
    discussion: """
      arkived templates                                    lists them
      arkived templates show Evening --day yesterday       filled in for a day
      arkived templates keep Evening --text - --on sunday  from standard input, offered first on \
      Sundays
      arkived note --template Evening

      Placeholders: {{date}}, {{day}}, {{weekday}}, {{yesterday}}, {{tomorrow}}, {{time}}, \
      {{weather}}, {{open}} for what is still open from the day before, and {{prompt}}.
      """,
    subcommands: [
      TemplatesList.self, TemplatesShow.self, TemplatesKeep.self, TemplatesDelete.self,
      TemplatesPrompts.self,
    ], defaultSubcommand: TemplatesList.self)
}

struct TemplatesList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the templates.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let writing = try context.open().writingSettings()
    context.output.result(
      ["templates": .array(writing.templates.map(\.json))],
      lines: writing.templates.isEmpty
        ? [said("No templates yet.")]
        : writing.templates.map { "\(context.output.bold($0.name))  \(Self.words($0))" })
  }

  static func words(_ template: WritingTemplate) -> String {
    let use =
      switch template.use {
      case .day: said("Day note")
      case .note: said("Note")
      case .entry: said("Entry")
      }
    let days = Weekday.allCases.filter(template.weekdays.contains).map(\.shownName)
    let kind = template.kind.map { [saidWhole($0.rawValue)] } ?? []
    return ([use] + (days.count == 7 ? [said("every day")] : days) + kind).joined(
      separator: ", ")
  }
}

struct TemplatesShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a template’s text, filled in for a day if one is given.")

  @Argument(help: "The template’s name.") var name: [String]
  @Option(help: "Fill in the placeholders for this day.", completion: .days) var day: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let key = try day.map { try context.day([$0]) }
    let archive = try context.open()
    let template = try archive.writingSettings().template(named: name.joined(separator: " "))
    let text = try key.map {
      try archive.templateValues(of: $0, in: context.zone).filled(template.text)
    }
    var object = template.json.object ?? JSONObject()
    if let text { object["filled"] = .string(text) }
    context.output.result(["template": .object(object)], lines: [text ?? template.text])
  }
}

struct TemplatesKeep: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep", abstract: "Add a template, or change the one with that name.")

  @Argument(help: "The template’s name.") var name: [String]
  @Option(help: "The text, in Markdown. Use - to read it from standard input.") var text: String?
  @Option(help: "What it’s for: day, note or entry. Default: day.") var use: String?
  @Option(
    name: .customLong("on"),
    help: "A weekday on which it is offered first, daily, or none. Can be repeated.")
  var weekdays: [String] = []
  @Option(help: "The kind of entry for which it is offered first, or none.") var kind: String?
  @Option(help: "A new name.") var rename: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let whole = text == "-" ? try StandardInput.text() : text
    let name = name.joined(separator: " ")
    let archive = try context.open()
    var kept: WritingTemplate?
    try archive.updateWritingSettings { settings in
      let old = settings.templates.first { NameFolding.key($0.name) == NameFolding.key(name) }
      var object =
        old?.json.object ?? ["name": .string(name), "use": "day", "text": .string(whole ?? "")]
      if let rename { object["name"] = .string(rename) }
      if let whole { object["text"] = .string(whole) }
      if let use { object["use"] = .string(use) }
      if !weekdays.isEmpty { object["weekdays"] = JSON(Self.names(weekdays)) }
      if let kind { object["kind"] = kind == "none" ? .null : .string(kind) }
      var fields = FieldReader(object)
      let template = try WritingTemplate(&fields, id: archive.identities.next())
      try settings.keep(template)
      kept = template
    }
    guard let kept else { return }
    context.output.result(
      ["template": kept.json], lines: ["\(kept.name)  \(TemplatesList.words(kept))"])
  }

  private static func names(_ words: [String]) -> [String] {
    if words == ["none"] { return [] }
    return words == ["daily"] ? Weekday.allCases.map { $0.name.lowercased() } : words
  }
}

struct TemplatesDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a template. Its text is printed.")

  @Argument(help: "The template’s name.") var name: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let template = try archive.writingSettings().template(named: name.joined(separator: " "))
    try archive.updateWritingSettings { $0.templates.removeAll { $0.id == template.id } }
    context.output.result(["deleted": template.json], lines: [template.text])
    context.output.say(said("Deleted “\(template.name)”."))
    context.output.say(said("`arkived undo` reverts this."))
  }
}

struct TemplatesPrompts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompts", abstract: "Show the prompt for a day, or change the prompts.")

  @Argument(help: "The day. Default: today.", completion: .days) var date: [String] = []
  @Option(help: "Show a prompt on a day without a note: on or off.") var show: String?
  @Option(help: "Ask about the same day in earlier years, too: on or off.") var past: String?
  @Option(help: "Replace the list with these lines. Use - to read them from standard input.")
  var list: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let shows = try Self.flag("--show", show)
    let usesPast = try Self.flag("--past", past)
    let lines = list == "-" ? try StandardInput.text() : list
    let day = try context.day(date)
    let archive = try context.open()
    if shows != nil || usesPast != nil || lines != nil {
      try archive.updateWritingSettings { settings in
        if let lines {
          try settings.setPrompts(lines.split(whereSeparator: \.isNewline).map(String.init))
        }
        settings.showsPrompts = shows ?? settings.showsPrompts
        settings.usesPast = usesPast ?? settings.usesPast
      }
    }
    let writing = try archive.writingSettings()
    let prompt = try archive.prompt(of: day, isAsked: true)
    context.output.result(
      [
        "dayKey": JSON(day), "prompt": JSON(prompt), "showsPrompts": .bool(writing.showsPrompts),
        "usesPast": .bool(writing.usesPast), "prompts": JSON(writing.shownPrompts),
      ], lines: [prompt].compactMap(\.self))
  }

  private static func flag(_ name: String, _ text: String?) throws -> Bool? {
    switch text {
    case nil: nil
    case "on": true
    case "off": false
    case .some(let other):
      throw CommandFailure(.usage, said("\(name) is “\(other)”, but must be on or off."))
    }
  }
}
