import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `note` command: the day's own note.
struct Note: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: "Read or write a day’s note, title, mood, energy and weather.",
    discussion: """
      arkived note                              in a terminal: opens today’s note in your editor
      arkived note yesterday                    another day’s note
      arkived note --show --day yesterday       shows it
      arkived note A quiet day after all.       adds a paragraph
      arkived note --mood 4 --energy 3
      arkived note --day yesterday --weather "light rain, 12 °C"
      arkived note --day yesterday --replace "Better this way."
      arkived note --template Evening           begins an empty note with a template
      arkived note - < letter.md                adds text from standard input
      arkived note yesterday - < letter.md      adds it to another day
      """)

  @Argument(
    help:
      "A paragraph to add, in Markdown. Use - to read it from standard input. With --edit: the day."
  )
  var words: [String] = []

  @Option(help: "The day. Default: today.", completion: .days)
  var day: String?

  @Flag(help: "Open the note in your editor.") var edit = false

  @Flag(help: "Show the note.") var show = false

  @Option(help: "The day’s title. An empty one removes it.")
  var title: String?

  @Option(help: "1 (low) to 5 (high), or none.")
  var mood: String?

  @Option(help: "1 (low) to 5 (high), or none.")
  var energy: String?

  @Option(
    parsing: .unconditional,
    help: "The weather, such as “light rain, 12 °C, 80 %, 20 km/h”. Empty to remove it.")
  var weather: String?

  @Flag(help: "Replace the note instead of adding to it.")
  var replace = false

  @Flag(help: "Empty the note.")
  var clear = false

  @Option(help: "Begin the note with a template (arkived templates), or add it to the note.")
  var template: String?

  @Option(name: .long, help: "Attach a file to the day. Can be repeated.", completion: .file())
  var attach: [String] = []

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    if edit { return try openInEditor(context) }
    // Words that name a day and nothing else select the day. Before a -, they can't be the text.
    let isPiped = words.last == "-"
    let naming = isPiped ? Array(words.dropLast()) : words
    let named = day == nil && (isPiped || !replace && !clear) ? Note.day(naming, context) : nil
    guard !isPiped || naming.isEmpty || named != nil else {
      throw CommandFailure(
        .usage,
        said("With - for standard input, give at most a day: `arkived note yesterday -`"))
    }
    let key = try named ?? context.day(day.map { [$0] } ?? [])
    let words = isPiped ? ["-"] : named == nil ? self.words : []
    let mood = try Note.level("mood", mood)
    let energy = try Note.level("energy", energy)
    let newWeather = try weather.map { try Weather.typed($0) }
    let text = words == ["-"] ? try StandardInput.text() : words.joined(separator: " ")
    let files = try attach.map(AttachableFile.init(path:))
    guard !replace || !text.isEmpty else {
      throw CommandFailure(
        .badInput, said("No text to replace the note with. To empty it, use --clear."))
    }
    let archive = try context.open()
    let begin = try template.map { name in
      let template = try archive.writingSettings().template(named: name)
      return try archive.templateValues(of: key, in: context.zone).filled(template.text)
    }
    let changes =
      begin != nil || clear || title != nil || mood != nil || energy != nil || weather != nil
      || !files.isEmpty
    guard !text.isEmpty || changes else {
      // Without further arguments, the note is edited at a terminal, and printed in a script.
      if !show, words.isEmpty, !context.output.isJSON, StandardInput.isInteractive {
        return try EditingSession(context: context, archive: archive).editNote(key)
      }
      let entry = try archive.day(key)
      context.output.result(
        entry.json, lines: entry.entry.map { [$0.note] } ?? [said("No note for \(key) yet.")])
      return
    }
    let kept = try files.isEmpty ? nil : archive.keepFiles()
    defer { kept?.release() }
    let attachments = try files.map { try $0.store(in: archive) }
    let saved = try archive.updateDay(key) { entry in
      entry.attachments += attachments
      if let title { entry.title = title.isEmpty ? nil : title }
      if let mood { entry.mood = mood }
      if let energy { entry.energy = energy }
      if let newWeather { entry.weather = newWeather }
      if replace || clear { entry.note = "" }
      if let begin { entry.note += entry.note.isEmpty ? begin : "\n\n\(begin)" }
      if replace || clear, begin == nil {
        entry.note = text
      } else if !text.isEmpty {
        entry.note += entry.note.isEmpty ? text : "\n\n\(text)"
      }
    }
    let written = try archive.day(key)
    try context.output.result(written.json, lines: EntryText(context, archive).lines(written))
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  /// Returns the day if the words name one and nothing else: yesterday, last monday, 2026-03-14.
  private static func day(_ words: [String], _ context: Context) -> DayKey? {
    let text = words.joined(separator: " ")
    guard text.contains(where: { $0.isLetter || $0 == "-" }) else { return nil }
    return try? context.day(words)
  }

  private func openInEditor(_ context: Context) throws {
    guard title == nil, mood == nil, energy == nil, weather == nil, attach.isEmpty, !replace,
      !clear, !show, template == nil
    else {
      throw CommandFailure(
        .usage, said("--edit opens only the note. Set the other options in a separate command."))
    }
    guard day == nil || words.isEmpty else {
      throw CommandFailure(
        .usage, said("With --edit, give the day only once: `arkived note yesterday --edit`"))
    }
    let key = try context.day(day.map { [$0] } ?? words)
    try EditingSession(context: context, archive: try context.open()).editNote(key)
  }

  /// Parses a level; nil if it wasn't given; an inner nil removes the value.
  private static func level(_ name: String, _ text: String?) throws -> Int?? {
    guard let text else { return .none }
    if text == "none" { return .some(nil) }
    guard let value = Int(text), (1...5).contains(value) else {
      throw CommandFailure(.badInput, said("\(name) is “\(text)”, but must be 1 to 5, or none."))
    }
    return .some(value)
  }
}
