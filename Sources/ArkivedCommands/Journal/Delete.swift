import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `delete` command: deletes activities, a whole day, or anything else with an ID.
struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete entries or a whole day. arkived undo brings them back.",
    discussion: """
      arkived delete 3F2A91B0 77C1D2E3
      arkived delete 9C41D0E2        a meeting, note, goal, value, term or person, one at a time
      arkived delete --day yesterday
      """)

  @Argument(
    help: """
      Entries or day notes, or a single item of another type: IDs or their first digits.
      """,
    completion: .identities)
  var ids: [String] = []

  @Option(help: "Delete everything on this day.", completion: .days) var day: String?

  @Flag(help: "Don’t ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard ids.isEmpty != (day == nil) else {
      throw CommandFailure(.usage, said("Specify entries to delete, or a day with --day."))
    }
    let archive = try context.open()
    if let day {
      let key = try context.day([day])
      let (count, day) = (
        try archive.day(key).activities.count, QuickAddReader.label(day: key)
      )
      try Confirmation.ask(
        count == 0
          ? said("Delete everything on \(day)?")
          : said(
            count, one: "Delete everything on \(day), with \(count) entry?",
            other: "Delete everything on \(day), with \(count) entries?"),
        isGiven: yes,
        refusal: said("Nothing was deleted."))
      let deleted = try archive.deleteDay(key).value
      context.output.result(["deleted": deleted.json], lines: [said("Deleted \(key).")])
    } else {
      let things = try ids.map { try Identified(archive: archive).find($0) }
      if let other = things.first(where: { ![.activity, .day].contains($0.kind) }) {
        guard Set(things).count == 1 else {
          throw CommandFailure(
            .usage,
            said(
              """
              “\(EntryText.oneLine(other.label))” isn’t an entry (\(other.kind.word)). Delete it \
              separately: `arkived delete \(other.id.uuidString)`
              """))
        }
        return try delete(other, archive)
      }
      let keys = things.map(\.id)
      if !context.output.isJSON, !yes {
        for line in try EntryText(context, archive).shortLines(archive.entries(keys)) {
          context.output.say(line)
        }
      }
      let count = Set(keys).count
      try Confirmation.ask(
        said(count, one: "Delete this entry?", other: "Delete these \(count) entries?"),
        isGiven: yes,
        refusal: said("Nothing was deleted."))
      let deleted = try archive.deleteEntries(keys).value
      context.output.result(
        ["deleted": .array(deleted.map(\.json))],
        lines: [
          said(
            deleted.count, one: "Deleted \(deleted.count) entry.",
            other: "Deleted \(deleted.count) entries.")
        ])
    }
    context.output.say(said("`arkived undo` reverts this."))
  }

  /// Deletes an item that has its own command by using that command.
  private func delete(_ thing: NamedThing, _ archive: Archive) throws {
    let arguments = [thing.id.uuidString] + (yes ? ["--yes"] : [])
    switch thing.kind {
    case .activity, .day: return
    case .meeting: try run(MeetingDelete.parse(arguments)) { $0.options = options }
    case .note: try run(NotesDelete.parse(arguments)) { $0.options = options }
    case .goal: try run(GoalDelete.parse(arguments)) { $0.options = options }
    case .value: try run(ValueDelete.parse(arguments)) { $0.options = options }
    case .term: try run(TermDelete.parse(arguments)) { $0.options = options }
    case .person: try run(PersonDelete.parse(arguments)) { $0.options = options }
    case .attachment:
      try run(Attach.parse([thing.id.uuidString, "--remove"])) { $0.options = options }
    }
  }

  private func run<Command: ParsableCommand>(
    _ command: Command, _ prepare: (inout Command) -> Void
  ) throws {
    var command = command
    prepare(&command)
    try command.run()
  }
}
