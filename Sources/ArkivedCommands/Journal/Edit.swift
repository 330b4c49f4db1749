import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `edit`: changes one activity.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Change an activity; the version before stays in the history.",
    discussion: """
      arkived edit 3F2A91B0 --text "ran 6 km" --measure "6 km" --start 07:00 --end 07:40

      An empty value removes what can be absent: --end "".
      """)

  @Argument(help: "The activity: its identity or the first digits of it.")
  var id: String

  @Option(help: "What was done.") var text: String?
  @Option(help: "The day it belongs to.") var day: String?
  @Option(help: "HH:MM on its day, or an instant.") var start: String?
  @Option(help: "HH:MM, or an instant.") var end: String?
  @Option(help: "work, personal, health, admin, learning, social, travel, other.")
  var kind: String?
  @Option(help: "Where it was.") var place: String?
  @Option(help: "Longer words about it.") var description: String?
  @Option(help: "Notes beside it.") var notes: String?
  @Option(help: "All its measurements: “5 km, 300 kcal”.") var measure: String?
  @Option(help: "How many minutes it took.") var minutes: String?
  @Option(help: "All its people, separated by commas.") var people: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let id = try archive.activityID(matching: id)
    let newDay = try day.map { try context.day([$0]) }
    let saved = try archive.updateActivity(id) { activity in
      if let text { activity.text = text }
      if let kind { activity.kind = ActivityKind(rawValue: kind) }
      if let place { activity.locationLabel = place.isEmpty ? nil : place }
      if let description { activity.description = description.isEmpty ? nil : description }
      if let notes { activity.notes = notes.isEmpty ? nil : notes }
      if let measure { activity.measurements = try MeasureText.read(measure) }
      if let minutes {
        activity.durationMinutes = minutes.isEmpty ? nil : try Self.number(minutes, "minutes")
      }
      if let people {
        activity.people = people.split(separator: ",").map { part in
          let name = part.trimmingCharacters(in: .whitespaces)
          return activity.people.first { $0.name == name } ?? Mention(name: name)
        }
      }
      try ActivityTimes.change(&activity, day: newDay, start: start, end: end)
    }
    context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context).line(saved.value)])
    context.output.say(saved.change == nil ? "Nothing changed." : "Saved.")
  }

  private static func number(_ text: String, _ field: String) throws -> Double {
    guard let value = Double(text), value.isFinite, value >= 0 else {
      throw FieldError(field, "is “\(text)”; it must be a number that is not negative")
    }
    return value
  }
}

/// `pin`: marks what should stay in sight.
struct Pin: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Pin an activity, or unpin it.")

  @Argument(help: "The activity: its identity or the first digits of it.")
  var id: String

  @Flag(help: "Take the pin away.") var off = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let id = try archive.activityID(matching: id)
    let saved = try archive.updateActivity(id) { $0.isPinned = !off }
    context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context).line(saved.value)])
  }
}

/// `tag`: lists tags, or changes those of an activity.
struct TagActivities: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "List all tags, or add and remove tags of an activity.",
    discussion: "arkived tag 3F2A91B0 --add food --remove lunch")

  @Argument(help: "The activity; without one, all tags are listed with their counts.")
  var id: String?

  @Option(help: "A tag to add; may be repeated.") var add: [String] = []
  @Option(help: "A tag to remove; may be repeated.") var remove: [String] = []
  @Option(help: "List only tags that begin so.") var prefix = ""

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let id else {
      guard add.isEmpty, remove.isEmpty else {
        throw CommandFailure(.usage, "Say which activity the tags are for: arkived tag ID --add …")
      }
      let tags = try archive.tags(prefix: prefix)
      context.output.result(
        [
          "tags": .array(
            tags.map { ["name": .string($0.tag.name), "count": JSON($0.count)] })
        ], lines: tags.map { "\($0.count)\t#\($0.tag.name)" })
      return
    }
    let key = try archive.activityID(matching: id)
    let gone = Set(remove.map { NameFolding.key(Self.bare($0)) })
    let saved = try archive.updateActivity(key) { activity in
      activity.tags.removeAll { gone.contains(NameFolding.key($0)) }
      for name in add.map(Self.bare)
      where !activity.tags.contains(where: { NameFolding.key($0) == NameFolding.key(name) }) {
        activity.tags.append(name)
      }
    }
    context.output.result(
      ["updated": saved.value.json], lines: [EntryText(context).line(saved.value)])
  }

  private static func bare(_ name: String) -> String {
    name.hasPrefix("#") ? String(name.dropFirst()) : name
  }
}

/// `delete`: removes activities or a whole day.
struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete activities, or a whole day; arkived undo brings them back.")

  @Argument(help: "The activities: identities or the first digits of them.")
  var ids: [String] = []

  @Option(help: "Delete everything of this day.") var day: String?

  @Flag(help: "Don't ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard ids.isEmpty != (day == nil) else {
      throw CommandFailure(.usage, "Name activities to delete, or a day with --day.")
    }
    let archive = try context.open()
    if let day {
      let key = try context.day([day])
      let content = try archive.day(key)
      try confirm("Delete all of \(key.longName), \(content.activities.count) activities?", context)
      let deleted = try archive.deleteDay(key).value
      context.output.result(["deleted": deleted.json], lines: ["Deleted \(key)."])
    } else {
      let keys = try ids.map { try archive.activityID(matching: $0) }
      let activities = try archive.activities(keys)
      if !context.output.isJSON, !yes {
        for activity in activities { context.output.say(EntryText(context).line(activity)) }
      }
      try confirm(
        "Delete \(activities.count == 1 ? "this" : "these \(activities.count)")?", context)
      let deleted = try archive.deleteActivities(keys).value
      context.output.result(
        ["deleted": .array(deleted.map(\.json))],
        lines: ["Deleted \(deleted.count == 1 ? "1 activity" : "\(deleted.count) activities")."])
    }
    context.output.say("arkived undo brings it back.")
  }

  private func confirm(_ question: String, _ context: Context) throws {
    guard !yes else { return }
    guard isatty(0) == 1 else {
      throw CommandFailure(.refused, "\(question) Nobody can answer here; give --yes to delete.")
    }
    Output.write("\(question) [y/N] ", to: 2)
    guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
      throw CommandFailure(.refused, "Nothing was deleted.")
    }
  }
}
