import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// `import duplicates`: entries that two sources likely tell of, and what becomes of them.
struct ImportDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "List entries that two sources likely tell of; merge or keep them.",
    discussion: """
      arkived import duplicates
      arkived import duplicates --merge KEPT OTHER   the first takes over what the second says
      arkived import duplicates --keep ONE OTHER     both stay, and are listed no more
      Nothing is merged by itself; arkived undo parts again what was merged.
      """)

  @Argument(
    help: "With --merge or --keep: two entries, by their identities or the first digits of them.",
    completion: .identities)
  var ids: [String] = []

  @Flag(help: "Make one entry of two; the first stays.") var merge = false
  @Flag(help: "Keep both, and list them no more.") var keep = false
  @Option(help: "Only from this day on.") var from: String?
  @Option(help: "Only up to this day.") var to: String?
  @Option(help: "So many pairs at most.") var limit = 50

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard !(merge && keep) else { throw ValidationError(said("Either --merge or --keep.")) }
    guard merge || keep ? ids.count == 2 : ids.isEmpty else {
      throw ValidationError(said("Name two entries with --merge or --keep, and none without."))
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
          said("Merged into “\(EntryText.oneLine(merged.value.text))”; arkived undo parts them.")
        ])
    } else {
      try archive.keepApart(one, other)
      context.output.result(["kept": true], lines: [said("Both stay, and are listed no more.")])
    }
  }

  private func list(_ archive: Archive, _ context: Context) throws {
    var days: ClosedRange<DayKey>?
    if from != nil || to != nil {
      let first = try from.map { try context.day([$0]) } ?? .earliest
      let last = try to.map { try context.day([$0]) } ?? .latest
      guard first <= last else { throw CommandFailure(.usage, said("--from lies behind --to.")) }
      days = first...last
    }
    let pairs = try archive.nearDuplicates(on: days, limit: limit)
    let short = try archive.shortIDs(pairs.flatMap { [$0.first.id, $0.second.id] })
    context.output.result(
      ["duplicates": .array(pairs.map(\.json))],
      lines: pairs.isEmpty
        ? [said("No two sources tell of the same.")]
        : pairs.flatMap { pair in
          [pair.first, pair.second].map { line($0, short, context) } + [""]
        } + [said("Merge with --merge KEPT OTHER, or keep both with --keep.")])
  }

  private func line(_ activity: Activity, _ short: [UUID: String], _ context: Context) -> String {
    let time = activity.timeText.map { " \($0)" } ?? ""
    return "\(context.output.bold(activity.dayKey.description))\(time)  "
      + "\(EntryText.oneLine(String(activity.text.prefix(80)))) (\(activity.source))  "
      + context.output.faint(short[activity.id] ?? "")
  }
}
