import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `import duplicates` command: entries that two sources probably share, and how to resolve
/// them.
struct ImportDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "List possible duplicates from two sources, and merge or keep them.",
    discussion: """
      arkived import duplicates
      arkived import duplicates --merge KEPT OTHER   the first keeps the details of both
      arkived import duplicates --keep ONE OTHER     both stay and are no longer listed
      Nothing is merged automatically. arkived undo separates merged entries again.
      """)

  @Argument(
    help: "With --merge or --keep: the IDs of two entries, or their first digits.",
    completion: .identities)
  var ids: [String] = []

  @Flag(help: "Merge two entries. The first one is kept.") var merge = false
  @Flag(help: "Keep both and stop listing them.") var keep = false
  @Option(help: "Only from this day on.") var from: String?
  @Option(help: "Only up to this day.") var to: String?
  @Option(help: "The maximum number of pairs to list.") var limit = 50

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard !(merge && keep) else { throw ValidationError(said("Use either --merge or --keep.")) }
    guard merge || keep ? ids.count == 2 : ids.isEmpty else {
      throw ValidationError(said("Specify two entries with --merge or --keep, and none otherwise."))
    }
    guard limit > 0 else { throw ValidationError(said("--limit must be at least 1.")) }
  }

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard merge || keep else { return try list(archive, context) }
    let (one, other) = (
      try archive.activityID(matching: ids[0]), try archive.activityID(matching: ids[1])
    )
    if merge {
      let merged = try archive.mergeActivity(other, into: one)
      context.output.result(
        [
          "merged": merged.value.json, "changeId": JSON(merged.change?.id.uuidString),
        ],
        lines: [
          said(
            "Merged into “\(EntryText.oneLine(merged.value.text))”. `arkived undo` separates them again."
          )
        ])
    } else {
      try archive.keepApart(one, other)
      context.output.result(["kept": true], lines: [said("Both are kept and no longer listed.")])
    }
  }

  private func list(_ archive: Archive, _ context: Context) throws {
    var days: ClosedRange<DayKey>?
    if from != nil || to != nil {
      let first = try from.map { try context.day([$0]) } ?? .earliest
      let last = try to.map { try context.day([$0]) } ?? .latest
      guard first <= last else { throw CommandFailure(.usage, said("--from is after --to.")) }
      days = first...last
    }
    let pairs = try archive.nearDuplicates(on: days, limit: limit)
    let short = try archive.shortIDs(pairs.flatMap { [$0.first.id, $0.second.id] })
    context.output.result(
      ["duplicates": .array(pairs.map(\.json))],
      lines: pairs.isEmpty
        ? [said("No possible duplicates found.")]
        : pairs.flatMap { pair in
          [pair.first, pair.second].map { line($0, short, context) } + [""]
        } + [said("Merge them with --merge KEPT OTHER, or keep both with --keep.")])
  }

  private func line(_ activity: Activity, _ short: [UUID: String], _ context: Context) -> String {
    let time = activity.shownTimeText.map { " \($0)" } ?? ""
    return "\(context.output.bold(activity.dayKey.description))\(time)  "
      + "\(EntryText.oneLine(String(activity.text.prefix(80)))) (\(activity.source))  "
      + context.output.faint(short[activity.id] ?? "")
  }
}
