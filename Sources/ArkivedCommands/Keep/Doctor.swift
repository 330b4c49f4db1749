import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// `doctor`: the owner's check.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the archive: its file, links, search index, attachments, zones, access.")

  @Flag(help: "Make the search index anew where it is wrong.") var mend = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var findings = try archive.examine()
    let pictures = try Thumbnails(archive, reader: ImageReader()).findings()
    if mend, findings.contains(where: { $0.check == "search index" && $0.verdict != .good }) {
      try archive.rebuildSearchWords()
      findings = try archive.examine()
    }
    findings += pictures
    // The web app tells when it was checked last; where that cannot be kept, the check counts all
    // the same.
    try? archive.keepCheck(findings)
    findings.insert(zone(context), at: 0)
    findings += drafts(context)
    if archive.databaseFile != nil {
      findings.append(BackupBook(of: archive).finding(now: context.clock.now))
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
        let line = "\(mark) \(finding.check): \(finding.detail)"
        return finding.remedy.isEmpty ? [line] : [line, "  → \(finding.remedy)"]
      })
    if !isWell { throw CommandFailure(.failed, "The archive needs mending, see above.") }
  }

  private func zone(_ context: Context) -> Archive.Finding {
    let now = context.zone.wallTime(at: context.clock.now)
    return Archive.Finding(
      "home zone", .good,
      "\(context.zone.identifier), where it is \(now.day) \(now.clockText) now")
  }
  private func drafts(_ context: Context) -> [Archive.Finding] {
    let drafts = DraftFolder(context.location).unfinished()
    guard !drafts.isEmpty else { return [] }
    return [
      Archive.Finding(
        "drafts", .advice,
        "not saved yet: " + drafts.prefix(5).map(\.title).joined(separator: "; "),
        remedy: "arkived drafts recover opens one again, arkived drafts discard throws it away.")
    ]
  }
}
