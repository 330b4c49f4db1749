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

/// The `sync` command: syncs the archive with linked places and with the owner's other devices.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: """
      Sync with your other devices, linked calendars, address books and servers, and a database.
      """,
    discussion: """
      arkived sync folder ~/Sync/Arkived                  your other devices: choose a shared folder
      arkived sync add-device                             show a code for another device
      arkived sync join ~/Sync/Arkived CODE               on the other device
      arkived sync revoke-device "Old laptop"             a lost or sold device
      arkived sync link ~/calendars                       a file or folder of iCalendar files
      arkived sync link https://example.org/holidays.ics  the web address of a calendar
      arkived sync discover https://dav.example.org --user me
      arkived sync link https://dav.example.org/me/office/ --caldav --user me
      arkived sync discover https://dav.example.org --carddav --user me
      arkived sync link https://dav.example.org/me/contacts/ --carddav --user me
      arkived sync link https://photos.example.org --immich       photos from Immich
      arkived sync link https://places.example.org --dawarich     locations from Dawarich
      arkived sync link goals.db                          a Ten Week database
      arkived sync                                        sync everything now
      arkived sync status
      arkived sync unlink PLACE                           imported data stays

      Your devices sync through a folder that they share, end-to-end encrypted. `arkived serve` does \
      this automatically.

      A calendar’s events become meetings. What you add to a meeting is kept when its event changes \
      or
      disappears.

      An address book’s contacts become people, each with a note that contains their birthday, \
      addresses and photo.
      What you edit is kept, and nobody is removed when a contact is deleted.

      Immich and Dawarich are only read. What is new there is added; what is removed there stays \
      here.

      With a Ten Week database, changes go both ways. If both sides changed something, the newer \
      version is kept and the older one goes to the history.
      A sync that would delete more than half of the goals, actions or other rows on one side is
      refused, unless you run: arkived sync --allow-deletions
      """,
    subcommands: [
      SyncNow.self, SyncStatus.self, SyncFolder.self, SyncAddDevice.self, SyncJoin.self,
      SyncRenameDevice.self, SyncRevokeDevice.self, SyncLeave.self, SyncLinkPlace.self,
      SyncDiscover.self, SyncUnlink.self,
    ],
    defaultSubcommand: SyncNow.self)
}

struct SyncNow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Sync with your other devices and everything linked (default).")

  @Flag(help: "Continue even if most rows of one kind would be deleted on one side.")
  var allowDeletions = false
  @Option(
    help: "Calendars: include events from this day on, not only from recent weeks.",
    completion: .days)
  var from: String?
  @Option(help: "Calendars: only this day.", completion: .days) var day: String?
  @Flag(help: "Immich and Dawarich: read everything again, not only what is new.") var all = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    let firstDay = try from.map { try context.day([$0]) }
    let onlyDay = try day.map { try context.day([$0]) }
    var failure: CommandFailure?
    var devices: (json: JSON, lines: [String], isStuck: Bool)?
    do {
      devices = try await syncDevices(archive, context)
    } catch {
      // What is linked must not wait for the devices.
      guard !links.isEmpty else { throw error }
      let problem = CommandFailure(error)
      failure = problem
      context.output.say("\(said("Devices")): \(saidAgain(problem.message))")
    }
    guard !links.isEmpty || devices != nil else {
      throw CommandFailure(
        .noInput, said("Nothing is linked. To link a file: `arkived sync link FILE`"))
    }
    let job = SyncJob(archive: archive, homeZone: context.zone)
    var reports: [SyncReport] = []
    Interrupt.watch()
    let progress = ProgressLine(isShown: !context.output.isJSON && isatty(2) == 1)
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
            link, window: window, allowsDeletions: allowDeletions, readsAll: all,
            watch: { progress.show($0, of: link.name) }, isCancelled: { Interrupt.hasCome }))
      } catch let cancelled as ImportCancelled {
        throw cancelled
      } catch {
        // One unreachable place must not prevent the others from being synchronised.
        let problem = CommandFailure(error)
        // The error of the command names only the first one.
        if links.count > 1 || failure != nil {
          context.output.say("\(link.name): \(saidAgain(problem.message))")
        }
        failure = failure ?? problem
      }
    }
    if failure == nil || !reports.isEmpty || devices != nil {
      var document: JSONObject = ["syncs": .array(reports.map(\.json))]
      document["devices"] = devices?.json
      document["error"] = failure?.json
      context.output.result(
        .object(document), lines: (devices?.lines ?? []) + reports.flatMap { lines($0, context) })
    }
    if let failure {
      throw CommandFailure(
        failure.status, failure.message, isInDocument: !reports.isEmpty || devices != nil)
    }
    if devices?.isStuck == true {
      throw CommandFailure(
        .unavailable, said("Some changes aren’t getting through. See: `arkived sync status`"),
        isInDocument: true)
    }
  }

  /// Syncs with the owner's other devices; nil if this archive has none.
  private func syncDevices(
    _ archive: Archive, _ context: Context
  ) async throws -> (json: JSON, lines: [String], isStuck: Bool)? {
    let done = try await onOwnThread { () -> (DeviceSyncJob.Report, DeviceSyncStatus)? in
      if try DevicePairing.isAsking(archive) { _ = try DevicePairing.finish(archive) }
      guard var job = try DeviceSyncJob(archive: archive) else { return nil }
      let report = try job.exchange()
      return (report, try job.status())
    }
    guard let (report, status) = done else { return nil }
    var object = report.json.object ?? JSONObject()
    object["status"] = status.json
    let line = said(
      "\(context.output.bold(said("Devices"))): sent \(report.sent), received \(report.received)")
    return (
      .object(object), [line] + status.troubles.map { $0.sentence(in: context.zone) },
      status.troubles.contains(where: \.isStuck)
    )
  }

  private func lines(_ report: SyncReport, _ context: Context) -> [String] {
    var lines = [
      said("\(context.output.bold(report.link.name)): received \(ItemCount.text(report.pulled))")
        + (report.link.kind.isOnlyRead ? "" : said("; sent \(ItemCount.text(report.pushed))"))
    ]
    lines += report.conflicts.prefix(20).map {
      "  \(saidAgain($0.place)): \(saidAgain($0.message))"
    }
    if report.conflicts.count > 20 {
      lines.append(said("  … more conflicts: \(report.conflicts.count - 20) (--json lists all)"))
    }
    lines += report.warnings.prefix(20).map {
      "  \(saidAgain($0.place)): \(saidAgain($0.message))"
    }
    if report.warnings.count > 20 {
      lines.append(said("  … and \(report.warnings.count - 20) more (--json lists all)"))
    }
    return lines
  }
}

struct SyncStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show your devices, what’s waiting, what’s linked and what the last sync did.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let links = try archive.syncLinks()
    var job = try DeviceSyncJob(archive: archive)
    let devices = try job?.status()
    var lines = devices.map { SyncDevices.lines($0, context) } ?? []
    if devices == nil, try DevicePairing.isAsking(archive) {
      lines.append(
        said("The other device hasn’t let this one in yet. Confirm there, then try again."))
    }
    lines += links.flatMap { self.lines($0, context) }
    if lines.isEmpty {
      lines = [said("Nothing is linked. To link a file: `arkived sync link FILE`")]
    }
    context.output.result(
      ["links": .array(links.map(\.json)), "devices": devices?.json ?? .null], lines: lines)
  }

  private func lines(_ link: SyncLink, _ context: Context) -> [String] {
    var lines = [
      "\(context.output.bold(link.name)) (\(Self.label(link.kind))), "
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

  /// Returns what is linked, in words; a kind of a later version keeps its name.
  private static func label(_ kind: SyncLink.Kind) -> String {
    switch kind {
    case .calendarFile: said("calendar file")
    case .calendarFolder: said("folder of calendars")
    case .calendarSubscription: said("subscribed calendar")
    case .calDAV: "CalDAV"
    case .cardDAV: "CardDAV"
    case .immich: "Immich"
    case .dawarich: "Dawarich"
    case .tenWeek: "Ten Week"
    default: kind.rawValue
    }
  }
}
