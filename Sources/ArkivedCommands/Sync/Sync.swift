import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// `sync`: keeps the archive in line with places its owner linked.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keep the archive and a linked Ten Week database the same, both ways.",
    discussion: """
      arkived sync link goals.db     link a database; nothing is changed yet
      arkived sync                   carry changes and deletions both ways
      arkived sync status
      arkived sync unlink            what came in stays

      Where both sides changed something, the newer is kept and the older goes to the history.
      A sync that would delete more than half of the goals, actions or other rows of a side is
      refused, unless you say: arkived sync --allow-deletions
      """,
    subcommands: [SyncNow.self, SyncLinkFile.self, SyncStatus.self, SyncUnlink.self],
    defaultSubcommand: SyncNow.self)
}

struct SyncNow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Bring every linked place in line (the default).")

  @Flag(help: "Go on where most rows of a kind would be deleted on a side.")
  var allowDeletions = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    guard !links.isEmpty else {
      throw CommandFailure(.noInput, "Nothing is linked. Link a file: arkived sync link FILE")
    }
    let job = SyncJob(archive: archive, homeZone: context.zone)
    var reports: [SyncReport] = []
    var failure: CommandFailure?
    for link in links {
      do {
        reports.append(try job.run(link, allowsDeletions: allowDeletions))
      } catch {
        // One place that cannot be reached keeps no other out.
        let problem = CommandFailure(error)
        failure = failure ?? problem
        if links.count > 1 { context.output.say("\(link.address): \(problem.message)") }
      }
    }
    if failure == nil || !reports.isEmpty {
      let json: JSON = .array(reports.map(\.json))
      context.output.result(
        failure.map { ["syncs": json, "error": $0.json] } ?? ["syncs": json],
        lines: reports.flatMap { lines($0, context) })
    }
    if let failure {
      throw CommandFailure(failure.status, failure.message, isInDocument: !reports.isEmpty)
    }
  }

  private func lines(_ report: SyncReport, _ context: Context) -> [String] {
    func counts(_ counts: [String: Int]) -> String {
      counts.isEmpty
        ? "nothing"
        : counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
          .joined(separator: ", ")
    }
    var lines = [
      "\(context.output.bold(report.link.address)): in \(counts(report.pulled)); "
        + "out \(counts(report.pushed))"
    ]
    lines += report.conflicts.prefix(20).map { "  \($0.place): \($0.message)" }
    if report.conflicts.count > 20 {
      lines.append("  … and \(report.conflicts.count - 20) more conflicts (--json)")
    }
    lines += report.warnings.prefix(20).map { "  \($0.place): \($0.message)" }
    if report.warnings.count > 20 {
      lines.append("  … and \(report.warnings.count - 20) more (--json)")
    }
    return lines
  }
}

struct SyncLinkFile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a Ten Week database; the next sync carries changes.")

  @Argument(help: "The database.", completion: .file()) var file: String

  @Option(help: "Names of columns in tables that it lacks: plain or uuid; its own when left out.")
  var variant: TenWeekVariant?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let url = URL(fileURLWithPath: (file as NSString).expandingTildeInPath)
    let link = try SyncJob(archive: try context.open(), homeZone: context.zone)
      .link(url, variant: variant)
    context.output.result(
      ["linked": link.json],
      lines: ["Linked \(link.address). Carry changes both ways with: arkived sync"])
  }
}

struct SyncStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "What is linked, and what the last sync did.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let links = try context.open().syncLinks()
    context.output.result(
      ["links": .array(links.map(\.json))],
      lines: links.isEmpty
        ? ["Nothing is linked. Link a file: arkived sync link FILE"]
        : links.flatMap { lines($0, context) })
  }

  private func lines(_ link: SyncLink, _ context: Context) -> [String] {
    var lines = [
      "\(context.output.bold(link.address)) (\(link.kind.rawValue)), "
        + (link.syncedAt.map { "synced \(context.timeText($0))" }
          ?? "not synced yet")
    ]
    if let error = link.outcome?["error"]?.string { lines.append("  Last time: \(error)") }
    let conflicts = link.outcome?["conflicts"]?.array?.count ?? 0
    if conflicts > 0 { lines.append("  Conflicts the last time: \(conflicts)") }
    return lines
  }
}

struct SyncUnlink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "End a link; what came in stays, the file too.")

  @Argument(help: "The file; may be left out where only one is linked.") var file: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    let path = file.map {
      URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath).standardizedFileURL.path
    }
    let chosen = links.filter { path == nil || $0.address == path }
    guard let link = chosen.first else {
      throw CommandFailure(.noInput, path.map { "\($0) is not linked." } ?? "Nothing is linked.")
    }
    guard chosen.count == 1 else {
      throw CommandFailure(
        .usage, "Several are linked; name one: " + chosen.map(\.address).joined(separator: ", "))
    }
    try archive.removeSyncLink(link.id)
    context.output.result(
      ["unlinked": link.json], lines: ["\(link.address) is no longer linked."])
  }
}
