import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `doctor` command: checks the archive for the owner.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the archive: file, links, search index, attachments, access and backups.",
    discussion: """
      A full check for the owner. It reads the whole database and every attached file, and \
      compares files with their checksums. It checks who can read the files, and finds any that \
      don’t belong to an entry or were left unfinished. It also checks the goal totals, the last \
      backup, free disk space and the clock, and that every entry can be found by its words. \
      Changes nothing without --mend. Exits with 1 if something is broken.
      """)

  @Flag(
    help: """
      Copy the database to snapshots/, then rebuild the search index and the goal totals where \
      they’re wrong. Remove attached files not used for a week, and unfinished files older than a \
      day. Make any files private if other users could read them.
      """)
  var mend = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive: Archive
    let removed: Int
    var findings: [Archive.Finding]
    do {
      archive = try context.open()
      try PurgeJob(archive: archive).finish()
      removed = try archive.applyRetention()
      findings = try DoctorJob(archive: archive).examine()
    } catch {
      if let damaged = DamagedArchive(error, at: context.location) { throw damaged.failure }
      throw error
    }
    let repairs = DoctorJob.repairs(for: findings)
    if mend, let outcome = try DoctorJob(archive: archive).mend(repairs) {
      findings = outcome.findings
      if let copy = outcome.safetyCopy {
        context.output.say(said("The previous database is in \(copy.path)."))
      }
    }
    // The web app shows the time of the last check; failing to store it doesn't invalidate the
    // check.
    try? archive.keepCheck(findings)
    findings.insert(zone(context), at: 0)
    findings += try history(archive, removed: removed)
    findings += drafts(context)
    if archive.databaseFile != nil {
      findings.append(BackupBook(of: archive).finding(now: context.clock.now, zone: context.zone))
    }
    let isWell = !findings.contains { $0.verdict == .problem }
    context.output.result(
      ["isWell": .bool(isWell), "findings": .array(findings.map(\.json))],
      lines: findings.flatMap { finding -> [String] in
        let mark =
          switch finding.verdict {
          case .good: "✓"
          case .advice: "!"
          case .problem: "✗"
          }
        let line = "\(mark) \(saidAgain(finding.check)): \(saidAgain(finding.detail))"
        return finding.remedy.isEmpty ? [line] : [line, "  → \(saidAgain(finding.remedy))"]
      })
    if !isWell {
      throw CommandFailure(
        .failed,
        said(
          """
          The archive needs to be repaired. See above.
          """), isInDocument: true)
    }
  }

  private func zone(_ context: Context) -> Archive.Finding {
    let now = context.zone.wallTime(at: context.clock.now)
    return Archive.Finding(
      "home time zone", .good,  // words: home time zone | history | drafts
      said("\(context.zone.identifier) (now \(now.day) \(now.clockText))"))
  }

  /// Reports the history's retention if it is limited.
  private func history(_ archive: Archive, removed: Int) throws -> [Archive.Finding] {
    let retention = try archive.retention()
    guard !retention.isForEver else { return [] }
    let sentence = HistoryKeep.sentence(retention)
    return [
      Archive.Finding(
        "history", .good,
        removed == 0
          ? sentence
          : sentence + " "
            + said(
              removed, one: "\(removed) earlier version was removed.",
              other: "\(removed) earlier versions were removed."))
    ]
  }

  private func drafts(_ context: Context) -> [Archive.Finding] {
    let drafts = DraftFolder(context.location).unfinished()
    guard !drafts.isEmpty else { return [] }
    return [
      Archive.Finding(
        "drafts", .advice,
        said("not saved yet: \(drafts.prefix(5).map(\.title).joined(separator: "; "))"),
        remedy: said(
          "`arkived drafts recover` reopens a draft, `arkived drafts discard` discards it."))
    ]
  }
}
