import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `delete`: removes activities or a whole day.
struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete activities, or a whole day; arkived undo brings them back.")

  @Argument(
    help: "The activities (or days' notes): identities or the first digits of them.",
    completion: .identities)
  var ids: [String] = []

  @Option(help: "Delete everything of this day.", completion: .days) var day: String?

  @Flag(help: "Don't ask.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard ids.isEmpty != (day == nil) else {
      throw CommandFailure(.usage, said("Name activities to delete, or a day with --day."))
    }
    let archive = try context.open()
    if let day {
      let key = try context.day([day])
      let content = try archive.day(key)
      try Confirmation.ask(
        said(
          "Delete all of \(QuickAddReader.label(day: key)), \(content.activities.count) activities?"
        ),
        isGiven: yes,
        refusal: said("Nothing was deleted."))
      let deleted = try archive.deleteDay(key).value
      context.output.result(["deleted": deleted.json], lines: [said("Deleted \(key).")])
    } else {
      let keys = try ids.map { try archive.entryReference(matching: $0).id }
      if !context.output.isJSON, !yes {
        for line in try EntryText(context, archive).shortLines(archive.entries(keys)) {
          context.output.say(line)
        }
      }
      let count = Set(keys).count
      try Confirmation.ask(
        said(count, one: "Delete this?", other: "Delete these \(count)?"), isGiven: yes,
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
    context.output.say(said("arkived undo brings it back."))
  }
}
