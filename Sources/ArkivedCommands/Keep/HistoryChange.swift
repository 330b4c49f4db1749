import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `history change` command: the effects of one change.
struct HistoryChange: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change", abstract: "Show what one change did, field by field, before → after.")

  @Argument(help: "The change, as listed by arkived history.") var change: String

  @Option(help: "The maximum number of items to show.") var limit = 50

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let id = try archive.changeID(matching: self.change)
    guard let change = try archive.change(id),
      let entities = try archive.entities(ofChange: id, limit: ListLimit.checked(limit))
    else { throw ArchiveError.notFound("No change with the ID \(id.uuidString).") }
    let author = HistoryWords.author(change.author)
    let head =
      "\(context.timeText(change.at))  \(author)  \(saidAgain(change.summary))"
      + (change.isUndone ? "  " + said("(undone)") : "")
    context.output.result(
      ["change": change.json, "entities": .array(entities.map(\.json))],
      lines: [head] + entities.flatMap(Self.lines))
  }

  // words: added | changed | removed | restored
  private static func lines(_ entity: EntityChange) -> [String] {
    let (verb, type) = (saidWhole(entity.verb.rawValue), saidAgain(entity.type.singular))
    let head = "\(verb) \(type) \(entity.id.uuidString.prefix(8))"
    guard !entity.isLong else { return [head, said("  (too long to compare here)")] }
    let changes = RecordDifference.changes(
      from: entity.before ?? .object(JSONObject()), to: entity.after ?? .object(JSONObject()))
    return [head] + changes.map { "  \($0.line)" }
  }
}

extension ChangeFilter.Maker: ExpressibleByArgument {}
