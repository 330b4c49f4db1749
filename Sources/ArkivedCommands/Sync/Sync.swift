import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The `sync` command: synchronises the archive with the places that its owner linked.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Sync linked calendars, and a linked Ten Week database in both directions.",
    discussion: """
      arkived sync link ~/calendars                       a file or folder of iCalendar files
      arkived sync link https://example.org/holidays.ics  the web address of a calendar
      arkived sync discover https://dav.example.org --user me
      arkived sync link https://dav.example.org/me/office/ --caldav --user me
      arkived sync link goals.db                          a Ten Week database
      arkived sync                                        sync everything linked
      arkived sync status
      arkived sync unlink PLACE                           imported data stays

      A calendar’s events become meetings. What you add to a meeting is kept when its event \
      changes or
      disappears.

      With a Ten Week database, changes go both ways. If both sides changed something, the newer \
      version is kept and the older one goes to the history.
      A sync that would delete more than half of the goals, actions or other rows on one side is
      refused, unless you run: arkived sync --allow-deletions
      """,
    subcommands: [
      SyncNow.self, SyncLinkPlace.self, SyncDiscover.self, SyncStatus.self, SyncUnlink.self,
    ],
    defaultSubcommand: SyncNow.self)
}

struct SyncNow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Sync everything linked (default).")

  @Flag(help: "Continue even if most rows of one kind would be deleted on one side.")
  var allowDeletions = false
  @Option(
    help: "Calendars: include events from this day on, not only from recent weeks.",
    completion: .days)
  var from: String?
  @Option(help: "Calendars: only this day.", completion: .days) var day: String?

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    guard !links.isEmpty else {
      throw CommandFailure(
        .noInput, said("Nothing is linked. To link a file: arkived sync link FILE"))
    }
    let job = SyncJob(archive: archive, homeZone: context.zone)
    var reports: [SyncReport] = []
    var failure: CommandFailure?
    Interrupt.watch()
    let progress = ProgressLine(isShown: !context.output.isJSON && isatty(2) == 1)
    let firstDay = try from.map { try context.day([$0]) }
    let onlyDay = try day.map { try context.day([$0]) }
    for link in links {
      do {
        defer { progress.clear() }
        var window: CalendarSync.Window?
        if link.kind.isCalendar, firstDay != nil || onlyDay != nil {
          window = CalendarSync.Window(of: link)
          window?.from = firstDay
          window?.day = onlyDay
        }
        reports.append(
          try await job.bringInLine(
            link, window: window, allowsDeletions: allowDeletions,
            watch: { progress.show($0, of: link.name) }, isCancelled: { Interrupt.hasCome }))
      } catch let cancelled as ImportCancelled {
        throw cancelled
      } catch {
        // One unreachable place must not prevent the others from being synchronised.
        let problem = CommandFailure(error)
        failure = failure ?? problem
        if links.count > 1 { context.output.say("\(link.name): \(saidAgain(problem.message))") }
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
    var lines = [
      said("\(context.output.bold(report.link.name)): received \(ItemCount.text(report.pulled))")
        + (report.link.kind.isCalendar ? "" : said("; sent \(ItemCount.text(report.pushed))"))
    ]
    lines += report.conflicts.prefix(20).map {
      "  \(saidAgain($0.place)): \(saidAgain($0.message))"
    }
    if report.conflicts.count > 20 {
      lines.append(said("  … and \(report.conflicts.count - 20) more conflicts (--json)"))
    }
    lines += report.warnings.prefix(20).map {
      "  \(saidAgain($0.place)): \(saidAgain($0.message))"
    }
    if report.warnings.count > 20 {
      lines.append(said("  … and \(report.warnings.count - 20) more (--json)"))
    }
    return lines
  }
}

struct SyncStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what’s linked and what the last sync did.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let links = try context.open().syncLinks()
    context.output.result(
      ["links": .array(links.map(\.json))],
      lines: links.isEmpty
        ? [said("Nothing is linked. To link a file: arkived sync link FILE")]
        : links.flatMap { lines($0, context) })
  }

  private func lines(_ link: SyncLink, _ context: Context) -> [String] {
    var lines = [
      "\(context.output.bold(link.name)) (\(link.kind.rawValue)), "
        + (link.syncedAt.map { said("synced \(context.timeText($0))") }
          ?? said("not synced yet"))
    ]
    if let error = link.outcome?["error"]?.string {
      lines.append(said("  Last sync: \(saidAgain(error))"))
    }
    let conflicts = link.outcome?["conflicts"]?.array?.count ?? 0
    if conflicts > 0 { lines.append(said("  Conflicts in the last sync: \(conflicts)")) }
    return lines
  }
}
