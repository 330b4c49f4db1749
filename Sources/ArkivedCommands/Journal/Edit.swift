import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `edit` command: changes an activity.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an entry. The earlier version stays in the history.",
    discussion: """
      arkived edit 3F2A91B0 --text "ran 6 km" --measure "6 km" --start 07:00 --end 07:40

      An empty value clears an optional field: --end "". With --edit, or in a terminal without any change, your editor opens. That works for a day note too.

      Change a note, goal, value, term or person by ID in the same way. --text is the name (or the \
      content of a note), and the options of arkived notes edit, goal edit and so on apply.
      """)

  @Argument(help: "The entry: its ID or the first digits of it.", completion: .identities)
  var id: String

  @Option(help: "What you did.") var text: String?
  @Option(help: "The day it belongs to.") var day: String?
  @Option(help: "HH:MM on that day, or a full date and time.") var start: String?
  @Option(help: "HH:MM, or a full date and time.") var end: String?
  @Option(help: "work, personal, health, admin, learning, social, travel, other.")
  var kind: String?
  @Option(help: "The place.") var place: String?
  @Option(
    parsing: .unconditional,
    help:
      "The coordinates in degrees north and east, such as 50.0875,14.4213. Empty to remove them."
  )
  var coordinates: String?
  @Option(
    parsing: .unconditional,
    help: "The weather, such as “light rain, 12 °C, 80 %, 20 km/h”. Empty to remove it.")
  var weather: String?
  @Option(help: "A longer description.") var description: String?
  @Option(help: "Additional notes.") var notes: String?
  @Option(help: "All measurements: “5 km, 300 kcal”.") var measure: String?
  @Option(help: "The duration in minutes.") var minutes: String?
  @Option(help: "Everyone involved, separated by commas.", completion: .people) var people: String?
  @Flag(help: "Edit it in your editor.") var edit = false
  @Flag(help: "Don’t ask before deleting.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let changes = [
      text, day, start, end, kind, place, coordinates, weather, description, notes, measure,
      minutes, people,
    ].compactMap { $0 }
    guard !edit || changes.isEmpty else {
      throw CommandFailure(
        .usage, said("--edit opens the whole entry. Remove the other options."))
    }
    if edit || changes.isEmpty && !context.output.isJSON && StandardInput.isInteractive {
      let entry = try archive.entries([try entryID(archive)])
      return try EditingSession(context: context, archive: archive, isConfirmed: yes).edit(entry)
    }
    let id = try activityID(archive)
    let newPlace = try coordinates.map { text in
      text.isEmpty ? nil : try PlaceCoordinates.read(text, field: "coordinates")
    }
    let newWeather = try weather.map { try Weather.typed($0) }
    let newDay = try day.map { try context.day([$0]) }
    let units = try archive.units(in: TerminalLanguage.typed)
    let saved = try archive.updateActivity(id) { activity in
      if let text { activity.text = text }
      if let kind { activity.kind = ActivityKind(rawValue: kind) }
      if let place { activity.locationLabel = place.isEmpty ? nil : place }
      if let newPlace { activity.coordinates = newPlace }
      if let newWeather { activity.weather = newWeather }
      if let description { activity.description = description.isEmpty ? nil : description }
      if let notes { activity.notes = notes.isEmpty ? nil : notes }
      if let measure {
        activity.measurements = try MeasureText.read(
          measure, in: TerminalLanguage.typed, units: units)
      }
      if let people {
        let known = activity.people
        activity.people = NameList.names(in: people, known: known.map(\.name)).map { name in
          known.first { $0.name == name } ?? Mention(name: name)
        }
      }
      try ActivityTimes.change(&activity, day: newDay, start: start, end: end)
      if let minutes {
        activity.durationMinutes = minutes.isEmpty ? nil : try Self.number(minutes, "--minutes")
      }
    }
    try context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context, archive).line(saved.value)])
    context.output.say(saved.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  private func activityID(_ archive: Archive) throws -> UUID {
    let key = try entryID(archive)
    return try archive.activityID(matching: key.uuidString)
  }

  /// Returns the ID of the entry.
  ///
  /// - Throws: `CommandFailure` if it isn't an entry and wasn't forwarded by `EditRouting`.
  private func entryID(_ archive: Archive) throws -> UUID {
    let thing = try Identified(archive: archive).find(id)
    guard let id = thing.entryID else {
      let command = (thing.kind.editing ?? ["attach"]).joined(separator: " ")
      throw CommandFailure(
        .usage,
        said(
          """
          “\(EntryText.oneLine(thing.label))” isn’t an entry (\(thing.kind.word)). To change it: \
          `arkived \(command) \(thing.id.uuidString)`
          """
        ))
    }
    return id
  }

  private static func number(_ text: String, _ field: String) throws -> Double {
    guard let value = TypedNumber.read(text, in: TerminalLanguage.typed), value >= 0 else {
      throw FieldError(field, said("is “\(text)”, but must be a number of 0 or more"))
    }
    return value
  }
}
