import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// `merge`: another archive's entries come into this one.
struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Bring the entries of another archive in; one change, which undo takes back.",
    discussion: """
      arkived merge --dry-run OTHER        how the two stand to each other, before anything happens
      arkived merge /media/disk/arkived    an archive's folder, which stays as it is
      arkived merge laptop.zip.age         a backup, or a file of arkived move pack
      arkived merge life.jsonl             an export in JSON Lines, or its folder

      Entries are the same by their identity, by what they came from, by day, address, event or
      number. Of one that was changed in both archives the version that was changed later stays, and
      the other goes to its history; the notes of a day, and the names and addresses of a person, are
      joined. What is deleted here stays deleted, and nothing here is deleted. Entries that are only
      likely the same stay apart: arkived import duplicates. Settings stay as they are here.
      """)

  @Argument(help: "An archive’s folder, a backup, or an export in JSON Lines.") var other: String

  @Flag(name: .customLong("dry-run"), help: "Tell what would happen, and change nothing.")
  var dryRun = false

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(other))
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw CommandFailure(.noInput, said("There is no file or folder \(url.path)."))
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
          + [said("Nothing was changed. Without --dry-run it comes in.")])
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
        lines: [said("There is nothing in \(prepared.name).")])
    }
    let short = try archive.shortIDs([run.id], of: .importRuns)[run.id] ?? ""
    var lines = text.lines
    lines.append(
      said(
        """
        \(TypeCounts.text(run.created)) new, \(run.updated) changed, \(run.unchanged) known, \
        \(run.skipped) left out
        """))
    lines += ForecastText.lines(of: run.warnings)
    if outcome.proposals > 0 {
      lines.append(
        said("\(outcome.proposals) pairs of entries are likely the same: arkived import duplicates")
      )
    }
    lines.append(said("To take it back: arkived import undo \(short)"))
    context.output.result(
      [
        "merge": prepared.report.json, "runs": [run.json], "proposals": JSON(outcome.proposals),
      ], lines: lines)
  }
}

/// How two archives stand to each other, for a person to read.
struct MergeText {
  let report: MergeReport
  let output: Output

  private static let limit = 20

  var lines: [String] {
    var lines = [said("There: \(TypeCounts.text(report.counts))")]
    if report.linked > 0 {
      lines.append(said("\(report.linked) of them are here under another identity"))
    }
    if report.isSame > 0 {
      lines.append(said("\(report.isSame) are here as they are there, or newer"))
    }
    if report.conflictCount > 0 {
      lines.append(said("Changed in both: \(report.conflictCount)"))
      lines += report.conflicts.prefix(Self.limit).map(line)
      if report.conflictCount > Self.limit {
        lines.append(said("  … and \(report.conflictCount - Self.limit) more (--json)"))
      }
    }
    if !report.namesakes.isEmpty {
      lines.append(
        said(
          """
          People who share no more than a name with somebody here, and stay apart: \
          \(report.namesakes.prefix(Self.limit).joined(separator: ", ")). arkived person merge makes \
          one of two.
          """))
    }
    if !report.renumberedTerms.isEmpty {
      lines.append(
        said(
          """
          Terms whose number is taken here get another: \
          \(report.renumberedTerms.map(String.init).joined(separator: ", "))
          """))
    }
    return lines
  }

  /// What is likely the same here.
  static func lines(of likely: [MergeLikeness]) -> [String] {
    guard !likely.isEmpty else { return [] }
    let shown = likely.prefix(limit).map { pair in
      let (here, there) = (EntryText.oneLine(pair.text), EntryText.oneLine(pair.textThere))
      return "  \(pair.dayKey)  " + said("“\(here)” and “\(there)”")
    }
    let more = likely.count - shown.count
    return [
      said("Likely the same, and staying apart (arkived import duplicates): \(likely.count)")
    ] + shown + (more > 0 ? [said("  … and \(more) more (--json)")] : [])
  }

  private func line(_ conflict: MergeConflict) -> String {
    let day = conflict.dayKey.map { "\($0)  " } ?? ""
    let title = Language.current.quoted(EntryText.oneLine(conflict.title))
    let what = "\(saidWhole(conflict.type)) \(title)"
    let outcome =
      switch conflict.outcome {
      case .here: said("\(what) stays as here")
      case .there: said("\(what) comes from there")
      case .joined: said("\(what) is joined")
      }
    return "  \(day)\(outcome)"
  }
}
