import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `history diff` command: two versions, compared field by field.
struct HistoryDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two versions field by field, before → after.",
    discussion: """
      arkived history diff run                 a goal’s previous version and the current one
      arkived history diff 77C01E42            an earlier version and the next one
      arkived history diff 77C01E42 91D02B31   two earlier versions
      arkived history diff 77C01E42 now        an earlier version and the current one
      """)

  @Argument(
    help: "An earlier version as listed by arkived history, or anything arkived history accepts.")
  var version: String
  @Argument(help: "Another earlier version, or now. Default: the next one.")
  var other: String?

  @OptionGroup var options: GlobalOptions

  /// One of the two versions.
  private struct Side {
    var record: JSON
    /// The version; nil for the current one.
    var version: HistoryRecord?

    var json: JSON {
      [
        "id": version.map { .string($0.id.uuidString) } ?? .null,
        "archivedAt": JSON(version?.archivedAt), "present": .bool(version == nil),
      ]
    }
  }

  /// Two versions of a row, with their differences.
  private struct Pair {
    var first: Side
    var second: Side
    var changes: [RecordDifference.Change]

    init(_ first: Side, _ second: Side) {
      (self.first, self.second) = (first, second)
      changes = RecordDifference.changes(from: first.record, to: second.record)
    }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let old = try oldVersion(version, context, archive)
    let (first, second) = try sides(old, archive)
    let pair = Pair(first, second)
    // A meeting's entry on its day changed as well, or the other way round.
    let beside = try besides(old, context, archive)
    let changes = pair.changes + (beside?.changes ?? [])
    var told: JSONObject = [
      "from": pair.first.json, "to": pair.second.json,
      "changes": .array(
        changes.map {
          ["field": .string($0.field), "before": $0.before, "after": $0.after]
        }),
    ]
    if let beside {
      told["beside"] = ["from": beside.first.json, "to": beside.second.json]
    }
    context.output.result(.object(told), lines: changes.map(\.line))
    if changes.isEmpty, !context.output.isJSON { context.output.say(said("No differences.")) }
  }

  /// Returns the other row of a meeting, with this version and afterwards; nil if it did not
  /// change, or if two versions were specified.
  private func besides(
    _ old: HistoryRecord, _ context: Context, _ archive: Archive
  ) throws -> Pair? {
    guard other == nil || other?.lowercased() == "now",
      let id = try HistoryEntity(archive: archive, today: context.today).otherRow(old)
    else { return nil }
    guard let beside = try archive.version(of: id, keptWith: old.id, orLater: other != nil) else {
      return nil
    }
    let versions = try archive.history(of: id)
    let first = Side(record: beside.record, version: beside)
    // Newest first, so the later version is the one before it.
    if other == nil, let index = versions.firstIndex(where: { $0.id == beside.id }), index > 0 {
      let next = versions[index - 1]
      return Pair(first, Side(record: next.record, version: next))
    }
    return try HistoryDiff.present(beside, archive).map {
      Pair(first, Side(record: $0, version: nil))
    }
  }

  private func sides(_ old: HistoryRecord, _ archive: Archive) throws -> (Side, Side) {
    let versions = try archive.history(of: old.sourceID)
    let first = Side(record: old.record, version: old)
    if let other, other.lowercased() != "now" {
      let second = try archive.historyRecord(matching: other)
      guard second.sourceID == old.sourceID else {
        throw CommandFailure(.usage, said("These versions belong to two different items."))
      }
      return (first, Side(record: second.record, version: second))
    }
    // Newest first, so the later version is the one before it.
    if other == nil, let index = versions.firstIndex(where: { $0.id == old.id }), index > 0 {
      return (first, Side(record: versions[index - 1].record, version: versions[index - 1]))
    }
    guard let present = try HistoryDiff.present(old, archive) else {
      throw ArchiveError.notFound(
        "No current version: it was deleted. To bring it back, run arkived history restore.")
    }
    return (first, Side(record: present, version: nil))
  }

  private func oldVersion(
    _ text: String, _ context: Context, _ archive: Archive
  ) throws -> HistoryRecord {
    do {
      return try archive.historyRecord(matching: text)
    } catch ArchiveError.notFound {
      let entity = HistoryEntity(archive: archive, today: context.today)
      guard let latest = try entity.versions(of: text).first else {
        throw ArchiveError.notFound(
          "No earlier version of “\(text.prefix(60))”; it was never changed.")
      }
      return latest
    }
  }

  private static func present(_ version: HistoryRecord, _ archive: Archive) throws -> JSON? {
    try archive.comparison(since: version, limit: .max).after
  }
}

extension RecordDifference.Change {
  /// The difference as a line: `measurementTarget: 120 → 150`.
  var line: String { "\(field): \(Self.shown(before)) → \(Self.shown(after))" }

  private static func shown(_ value: JSON) -> String {
    switch value {
    case .null: said("(nothing)")
    case .string(let text): EntryText.oneLine(text)
    default: value.text()
    }
  }
}
