import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `merge` command: merges another archive's entries into this one.
struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge another archive into this one, as one change that arkived undo reverts.",
    discussion: """
      arkived merge --dry-run OTHER        compares the two archives without changing anything
      arkived merge /media/disk/arkived    an archive’s folder, which isn’t changed
      arkived merge laptop.zip.age         a backup, or a file from arkived move pack
      arkived merge life.jsonl             an export in JSON Lines, or its folder

      Entries are matched by ID, by origin, or by day, address, event or number. If one was \
      changed in
      both archives, the later version is kept and the other goes to its history. Day notes, and the
      names and addresses of a person, are combined. Items deleted here stay deleted, and nothing \
      here
      is deleted. Entries that are only likely the same stay separate: arkived import duplicates. \
      The
      settings here don’t change.
      """)

  @Argument(help: "An archive’s folder, a backup or an export in JSON Lines.") var other: String

  @Flag(name: .customLong("dry-run"), help: "Show what would happen without changing anything.")
  var dryRun = false

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let url = try CommandPath.url(other)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw CommandFailure(.noInput, said("File or folder not found: \(url.path)."))
    }
    let unlocks = try isFolder.boolValue ? [] : unlock.unlocks(for: url)
    let archive = try context.open()
    let work = LongWork(context)
    Interrupt.watch()
    let prepared = try MergeJob(archive: archive, homeZone: context.zone, watch: work.watch)
      .prepare(url, unlocks: unlocks)
    let text = MergeText(report: prepared.report, output: context.output)
    guard !dryRun else {
      let forecast = try prepared.forecast()
      let likely = try prepared.likelySame()
      work.clear()
      return context.output.result(
        [
          "dryRun": true, "merge": prepared.report.json,
          "runs": .array(forecast.map { [$0.json] } ?? []),
          "likely": .array(likely.map(\.json)),
        ],
        lines: text.lines + MergeText.lines(of: likely)
          + (forecast.map { ForecastText($0, context.output).lines(of: prepared.name) } ?? [])
          + [said("Nothing was changed. To import, run this again without --dry-run.")])
    }
    let outcome = try prepared.apply()
    work.clear()
    try report(outcome, text, prepared, archive, context)
  }

  private func report(
    _ outcome: PreparedMerge.Outcome, _ text: MergeText, _ prepared: PreparedMerge,
    _ archive: Archive, _ context: Context
  ) throws {
    guard let run = outcome.run else {
      return context.output.result(
        ["merge": prepared.report.json, "runs": .array([]), "proposals": 0],
        lines: [said("\(prepared.name) is empty.")])
    }
    let short = try archive.shortIDs([run.id], of: .importRuns)[run.id] ?? ""
    var lines = text.lines
    lines.append(
      said(
        """
        \(ItemCount.text(run.created)) new, \(run.updated) changed, \(run.unchanged) already \
        known, \(run.skipped) skipped
        """))
    lines += ForecastText.lines(of: run.warnings)
    if outcome.proposals > 0 {
      lines.append(
        said(
          outcome.proposals,
          one:
            "\(outcome.proposals) pair of entries may be duplicates. To review: `arkived import duplicates`",
          other:
            "\(outcome.proposals) pairs of entries may be duplicates. To review: `arkived import duplicates`"
        )
      )
    }
    lines.append(said("To undo: `arkived import undo \(short)`"))
    context.output.result(
      [
        "merge": prepared.report.json, "runs": [run.json], "proposals": JSON(outcome.proposals),
      ], lines: lines)
  }
}

/// A comparison of two archives, for a person to read.
struct MergeText {
  let report: MergeReport
  let output: Output

  private static let limit = 20

  var lines: [String] {
    var lines = [said("In the other archive: \(ItemCount.text(report.counts))")]
    if report.linked > 0 {
      lines.append(
        said(
          report.linked, one: "\(report.linked) of them has a different ID here",
          other: "\(report.linked) of them have a different ID here"))
    }
    if report.isSame > 0 {
      lines.append(
        said(
          report.isSame, one: "\(report.isSame) is the same here, or newer",
          other: "\(report.isSame) are the same here, or newer"))
    }
    if report.conflictCount > 0 {
      lines.append(said("Changed in both archives: \(report.conflictCount)"))
      lines += report.conflicts.prefix(Self.limit).map(line)
      if report.conflictCount > Self.limit {
        lines.append(said("  … and \(report.conflictCount - Self.limit) more (--json lists all)"))
      }
    }
    if !report.namesakes.isEmpty {
      lines.append(
        said(
          """
          People with the same name as someone here, kept separate: \
          \(report.namesakes.prefix(Self.limit).joined(separator: ", ")). To merge two of them: \
          `arkived person merge`.
          """))
    }
    if !report.renumberedTerms.isEmpty {
      lines.append(
        said(
          """
          Terms that get a new number because theirs is taken here: \
          \(report.renumberedTerms.map(String.init).joined(separator: ", "))
          """))
    }
    return lines
  }

  /// Formats the entries that probably exist here already.
  static func lines(of likely: [MergeLikeness]) -> [String] {
    guard !likely.isEmpty else { return [] }
    let shown = likely.prefix(limit).map { pair in
      let (here, there) = (EntryText.oneLine(pair.text), EntryText.oneLine(pair.textThere))
      return "  \(pair.dayKey)  " + said("“\(here)” and “\(there)”")
    }
    let more = likely.count - shown.count
    return [
      said("Possible duplicates that stay separate (`arkived import duplicates`): \(likely.count)")
    ] + shown + (more > 0 ? [said("  … and \(more) more (--json lists all)")] : [])
  }

  private func line(_ conflict: MergeConflict) -> String {
    let day = conflict.dayKey.map { "\($0)  " } ?? ""
    let title = Language.current.quoted(EntryText.oneLine(conflict.title))
    let what = "\(saidWhole(conflict.type)) \(title)"
    let outcome =
      switch conflict.outcome {
      case .here: said("\(what): this archive’s version is kept")
      case .there: said("\(what): the version from the other archive is used")
      case .joined: said("\(what): both versions are combined")
      }
    return "  \(day)\(outcome)"
  }
}
