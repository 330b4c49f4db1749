import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `value` command: values and life areas.
struct ValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "value", abstract: "Record your values and which goals serve them.",
    discussion: """
      arkived value                                           all values and life areas
      arkived value create Health --type major --priority 5
      arkived value create "Work" --type life_area
      arkived value goals Health                              the goals that serve it
      arkived value goals Health --add run --strength 8

      A value says why you pursue a goal. A life area says where it belongs. Goals serve values.
      """,
    subcommands: [
      ValueList.self, ValueCreate.self, ValueShow.self, ValueEdit.self, ValueDelete.self,
      ValueGoals.self,
    ], defaultSubcommand: ValueList.self)
}

/// The attributes of a value.
struct ValueFields: ParsableArguments {
  @Option(
    help: "general, major, highest_order, life_area or incentive.",
    completion: .list(IncentiveType.known.map(\.rawValue)))
  var type: String?
  @Option(
    parsing: .unconditional, help: "1 (highest) to 100. The default depends on the type.")
  var priority: String?
  @Option(help: "The life area it belongs to, such as Health.") var domain: String?
  @Option(help: "What a day that fits this value looks like.") var guidance: String?
  @Option(help: "A longer description.") var description: String?
  @Option(help: "Additional notes.") var notes: String?

  var isEmpty: Bool {
    [type, priority, domain, guidance, description, notes].allSatisfy { $0 == nil }
  }

  func fields(_ output: Output) throws -> JSONObject {
    var fields = JSONObject()
    func set(_ field: String, _ text: String?) {
      if let text { fields[field] = text.isEmpty ? .null : .string(text) }
    }
    if let type {
      let name = NameFolding.loose(type).replacing(" ", with: "_").replacing("-", with: "_")
      let isKnown = IncentiveType.known.contains { $0.rawValue == name }
      fields["incentiveType"] = .string(isKnown ? name : type)
      if !isKnown, !type.isEmpty {
        let known = IncentiveType.known.map(\.rawValue).joined(separator: ", ")
        output.say(
          said(
            "\(FieldError.shown(type)) isn’t a known type (\(known)). It is saved unchanged."
          ))
      }
    }
    if let priority {
      guard let number = priority.isEmpty ? 0 : Int(priority) else {
        throw FieldError(
          "priority",
          said("is \(FieldError.shown(priority)), but must be between 1 (highest) and 100"))
      }
      fields["priority"] = priority.isEmpty ? .null : JSON(number)
    }
    set("lifeDomain", domain)
    set("alignmentGuidance", guidance)
    set("description", description)
    set("notes", notes)
    return fields
  }
}

struct ValueList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List values, highest priority first.")

  @Option(
    help: "Only values of this type.", completion: .list(IncentiveType.known.map(\.rawValue)))
  var type: String?
  @Option(help: "Only values from this life area.") var domain: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let wantedType = type.map {
      NameFolding.loose($0).replacing(" ", with: "_").replacing("-", with: "_")
    }
    let all = try archive.values().filter { value in
      wantedType.map { $0 == NameFolding.loose(value.incentiveType.rawValue) } ?? true
        && domain.map { NameFolding.loose($0) == NameFolding.loose(value.lifeDomain) } ?? true
    }
    let counts = Dictionary(grouping: try archive.alignments(), by: \.valueID)
      .mapValues(\.count)
    let values = all.filter(\.incentiveType.isValue)
    let areas = all.filter { !$0.incentiveType.isValue }
    let text = GoalText(context)
    let output = context.output
    output.result(
      ["values": .array(values.map(\.json)), "lifeAreas": .array(areas.map(\.json))],
      lines: values.map { value in
        let count = counts[value.id] ?? 0
        let goals =
          count == 0 ? said("no goal") : said(count, one: "\(count) goal", other: "\(count) goals")
        return text.line(value) + output.faint("  \(goals)")
      } + (areas.isEmpty ? [] : (values.isEmpty ? [] : [""]) + [output.bold(said("Life areas"))])
        + areas.map(text.line))
    if all.isEmpty, !output.isJSON {
      output.say(said("No values found. To add one: `arkived value create Health --type major`"))
    }
  }
}

struct ValueCreate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Add a value or a life area.")

  @Argument(help: "The title.") var title: [String]
  @OptionGroup var value: ValueFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var fields = try value.fields(context.output)
    fields["title"] = .string(title.joined(separator: " "))
    let archive = try context.open()
    var reader = FieldReader(fields)
    let defaults = EntryDefaults(
      now: archive.clock.now, homeZone: context.zone, identities: archive.identities)
    let saved = try GoalFieldNames.naming {
      try archive.create(try PersonalValue(&reader, defaults: defaults)).value
    }
    context.output.result(["created": saved.json], lines: [GoalText(context).line(saved)])
  }
}

struct ValueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a value with the goals that serve it.")

  @Argument(help: "The value: its name, a part of it, or its ID.", completion: .values)
  var value: [String]
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let value = try archive.value(named: value.joined(separator: " "))
    try ValueReport(context, archive).tell(value, as: "value")
  }
}

/// A value with its goals.
struct ValueReport {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  func tell(_ value: PersonalValue, as key: String) throws {
    let goals = try archive.goals()
    let links = try archive.alignments().filter { $0.valueID == value.id }
      .compactMap { link in goals.first { $0.id == link.goalID }.map { (link, $0) } }
      .sorted { ($0.0.strength ?? 0, $1.1.title) > ($1.0.strength ?? 0, $0.1.title) }
    let progress = try archive.progress(of: links.map(\.1), today: context.today)
    let text = GoalText(context)
    let guidance = value.alignmentGuidance.map {
      said("A day that fits this value: \($0)")
    }
    context.output.result(
      [
        key: value.json,
        "goals": .array(
          links.map { link, goal in
            ["goal": goal.json(with: progress[goal.id]), "alignment": link.json]
          }),
      ],
      lines: [text.line(value)]
        + [guidance, value.description, value.notes].compactMap { $0 }
        + links.compactMap { link, goal in
          progress[goal.id].map {
            "  " + text.line(goal, $0) + (link.strength.map { said("  strength \($0)") } ?? "")
              + (link.notes.map { "  \(EntryText.oneLine($0))" } ?? "")
          }
        })
    guard links.isEmpty, value.incentiveType.isValue, !context.output.isJSON else { return }
    context.output.say(
      said("No goals serve it yet. To add one: `arkived value goals NAME --add GOAL`"))
  }
}

struct ValueEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a value. The earlier version stays in the history.",
    discussion: "An empty text clears a field: --guidance \"\".")

  @Argument(help: "The value: its name, a part of it, or its ID.", completion: .values)
  var value: [String]
  @Option(help: "The title.") var title: String?
  @OptionGroup var fields: ValueFields
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard title != nil || !fields.isEmpty else {
      throw CommandFailure(
        .usage,
        said(
          "Specify what to change: --title, --type, --priority, --domain, --guidance, --description, --notes."
        ))
    }
    var object = try fields.fields(context.output)
    if let title { object["title"] = .string(title) }
    let archive = try context.open()
    let old = try archive.value(named: value.joined(separator: " "))
    if object["incentiveType"] == .string(IncentiveType.lifeArea.rawValue),
      old.incentiveType.isValue
    {
      let goals = try archive.alignments().count { $0.valueID == old.id }
      guard goals == 0 else {
        throw FieldError(
          "incentiveType",
          said(
            goals,
            one: """
              can’t become life_area, because \(goals) goal serves it. Goals serve \
              values, not life areas. Remove it first with `arkived value goals --remove`
              """,
            other: """
              can’t become life_area, because \(goals) goals serve it. Goals serve \
              values, not life areas. Remove them first with `arkived value goals --remove`
              """))
      }
    }
    let saved = try GoalFieldNames.naming {
      try archive.update(PersonalValue.self, old.id) {
        try $0.change(object, homeZone: context.zone)
      }
    }
    try ValueReport(context, archive).tell(saved.value, as: "updated")
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }
}

struct ValueDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a value. arkived undo brings it back.")

  @Argument(help: "The value: its name, a part of it, or its ID.", completion: .values)
  var value: [String]
  @Flag(help: "Don’t ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let value = try archive.value(named: value.joined(separator: " "))
    let goals = try archive.alignments().count { $0.valueID == value.id }
    let title = EntryText.oneLine(value.title)
    let company = GoalRelations.company([
      (
        goals,
        said(goals, one: "\(goals) link to a goal", other: "\(goals) links to goals")
      )
    ])
    try Confirmation.ask(
      value.incentiveType.isValue
        ? said("Delete the value “\(title)”\(company)?")
        : said("Delete the life area “\(title)”\(company)?"),
      isGiven: yes, refusal: said("Nothing was deleted."))
    let deleted = try archive.delete(PersonalValue.self, value.id).value
    context.output.result(
      ["deleted": deleted.json, "alignments": JSON(goals)],
      lines: [said("Deleted “\(EntryText.oneLine(deleted.title))”\(company).")])
    context.output.say(said("`arkived undo` reverts this."))
  }
}

struct ValueGoals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals", abstract: "Show the goals that serve a value, or change them.")

  @Argument(help: "The value: its name, a part of it, or its ID.", completion: .values)
  var value: [String]
  @Option(help: "A goal that serves it. Can be repeated.", completion: .goals)
  var add: [String] = []
  @Option(parsing: .unconditional, help: "How strongly, from 1 (a little) to 10 (fully).")
  var strength: Int?
  @Option(help: "How the goal serves the value.") var notes: String?
  @Option(help: "A goal to remove. Can be repeated.", completion: .goals)
  var remove: [String] = []
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard !add.isEmpty || strength == nil && notes == nil else {
      throw CommandFailure(.usage, said("--strength and --notes need --add."))
    }
    let archive = try context.open()
    let value = try archive.value(named: value.joined(separator: " "))
    if !add.isEmpty { try value.checkIsValue() }
    let present = try archive.alignments().filter { $0.valueID == value.id }
    let relations = GoalRelations(archive: archive)
    var edits = GoalSideEdits()
    for goal in try add.map({ try archive.goal(named: $0) }).uniqued() {
      guard var link = present.first(where: { $0.goalID == goal.id }) else {
        edits.added.append(
          relations.alignment(goal.id, value.id, strength: strength, notes: notes))
        continue
      }
      let old = link
      if let strength { link.strength = strength }
      if let notes { link.notes = notes.isEmpty ? nil : notes }
      if link != old { edits.changed.append(link) }
    }
    for goal in try remove.map({ try archive.goal(named: $0) }).uniqued() {
      guard let link = present.first(where: { $0.goalID == goal.id }) else {
        throw ArchiveError.notFound(
          "No link from “\(goal.title.prefix(60))” to “\(value.title.prefix(60))”.")
      }
      edits.removed.append(link)
    }
    let change = try archive.apply(
      edits, action: "align", "Changed the goals of the value “\(value.title.prefix(120))”")
    try ValueReport(context, archive).tell(value, as: "value")
    if !add.isEmpty || !remove.isEmpty {
      context.output.say(change == nil ? said("Nothing changed.") : said("Saved."))
    }
  }
}
