import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `add` command: creates an activity from one line.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Write down what you did. Plain words without a command do the same.",
    discussion: """
      arkived add "lunch with Sam at Joe's 12:30-13:15 #friends @Sam"
      arkived add "yesterday at 7am: ran 5 km"
      echo "on 3 march: dentist" | arkived add -
      arkived add --edit

      Times, days, (kind) and #tags are removed from the text; people, places and measurements \
      stay in it. Put -- before words that start with a dash.

      Your shell may keep what you type in its history. To keep a line out, start it with a space \
      (bash: HISTCONTROL=ignorespace; zsh: setopt HIST_IGNORE_SPACE; fish: always). Or type it \
      after “arkived add -” and end with Ctrl-D, or write it in your editor with --edit.
      """)

  @Argument(help: "The line, as one or several arguments. Use - to read it from standard input.")
  var words: [String] = []

  @Option(name: .long, help: "Attach a file. Can be repeated.", completion: .file())
  var attach: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Your location in degrees north and east, such as 50.0875,14.4213.",
      discussion: "Only if you have switched this on: arkived settings recordsPlace on",
      valueName: "lat,lon"))
  var here: String?

  @Option(
    parsing: .unconditional,
    help: "The weather, such as “light rain, 12 °C, 80 %, 20 km/h”.")
  var weather: String?

  @Flag(help: "Write it in your editor, with notes below the line.") var edit = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    if edit {
      guard attach.isEmpty, here == nil, weather == nil, words != ["-"] else {
        throw CommandFailure(
          .usage,
          said("--edit can’t be combined with --attach, --here, --weather or standard input."))
      }
      let session = EditingSession(context: context, archive: try context.open())
      return try session.addActivity(words.joined(separator: " "))
    }
    let piped = words == ["-"] ? try StandardInput.text() : nil
    let files = try attach.map(AttachableFile.init(path:))
    let place = try here.map { try PlaceCoordinates.read($0, field: "here") }
    let weather = try weather.flatMap { try Weather.typed($0) }
    let archive = try context.open(toWrite: true)
    if place != nil, try !archive.preferences().recordsPlace {
      throw CommandFailure(
        .refused,
        said(
          """
          Recording coordinates is switched off, so nothing was saved. To switch it on: `arkived \
          settings recordsPlace on`
          """))
    }
    let entry = EntryLine(
      archive: archive, zone: context.zone, language: TerminalLanguage.typed)
    var (line, notes): (String, String?) = (piped ?? words.joined(separator: " "), nil)
    if let piped, piped.utf8.contains(0x0A) {
      // Several lines are read as by `capture`.
      let pieces = try Capture.pieces(of: piped, context, archive)
      guard pieces.count <= 1 else {
        guard files.isEmpty, place == nil, weather == nil else {
          throw CommandFailure(
            .usage,
            said(
              """
              These lines are \(pieces.count) entries. --attach, --here and --weather work with \
              one at a time.
              """))
        }
        try Capture.save(piped, context, archive, source: .manual)
        return
      }
      if let only = pieces.first { (line, notes) = (only.line, only.notes) }
    }
    let reading = try entry.understand(line)
    var activity = entry.activity(from: reading)
    activity.notes = notes
    activity.coordinates = place
    activity.weather = weather
    let kept = try files.isEmpty ? nil : archive.keepFiles()
    defer { kept?.release() }
    activity.attachments = try files.map { try $0.store(in: archive) }
    try EntryReport(context, archive).add(activity, reading)
  }
}

/// Saves a new activity, and reports how it was interpreted.
struct EntryReport {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  /// Adds an activity.
  ///
  /// - Parameters:
  ///   - activity: the entry.
  ///   - reading: how the line was interpreted.
  ///   - linked: the goals to link it with in the same change.
  ///   - amount: the amount of each link; nil uses the one that the activity measures.
  /// - Throws: an error if it can't be saved.
  func add(
    _ activity: Activity, _ reading: QuickAddReading, goals linked: [UUID] = [],
    amount: Double? = nil
  ) throws {
    let advice = try TagAdvice(adding: activity.tags, to: archive)
    let saved = try archive.add(activity, linkedWith: linked, amount: amount).value
    let output = context.output
    let goals = try CountsToward(saved.id, archive, today: context.today)
    try output.result(
      [
        "created": saved.json, "countsToward": goals.json,
        "suggestedPeople": .array(reading.suggestedPeople.map { .string($0) }),
      ],
      lines: [EntryText(context, archive).line(saved)])
    advice.say(output)
    guard !output.isJSON else { return }
    let understood = reading.understood.map { "\(Self.word($0.role)) \($0.label)" }
    if !understood.isEmpty {
      output.say(said("understood: \(understood.joined(separator: " · "))"))
    }
    for name in reading.suggestedPeople {
      output.say(
        said(
          """
          \(name) isn’t among your people yet. To add them: `arkived person create "\(name)"`
          """))
    }
    goals.say(output)
    for mention in saved.people where mention.personID == nil {
      output.say(
        said("Several people are called \(mention.name). Use the full name, such as @First.Last."))
    }
  }

  private static func word(_ role: QuickAddReading.Role) -> String {
    switch role {
    case .day: said("day")
    case .time: said("time")
    case .duration: said("duration")
    case .kind: said("kind")
    case .tag: said("tag")
    case .person: said("person")
    case .measure: said("measurement")
    case .place: said("place")
    }
  }
}
