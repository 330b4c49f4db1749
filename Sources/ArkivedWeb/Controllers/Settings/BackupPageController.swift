import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the backups.
struct BackupPageController: Sendable {
  let settings: SettingsPages
  let desk: BackupDesk

  private static let path = "/settings/backup"

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/backup", use: show)
    router.post("/settings/backup/plan", use: plan)
    router.post("/settings/backup/off", use: off)
    router.post("/settings/backup/make", use: make)
    router.post("/settings/backup/compare", use: compare)
    router.post("/settings/backup/stay", use: stay)
  }

  private var archive: Archive { settings.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(BackupPlanForm(BackupBook(of: archive).plan))
  }

  /// - Parameters:
  ///   - form: the form of the schedule as it is shown.
  ///   - key: a new secret key, shown this once and kept nowhere.
  private func page(
    _ form: BackupPlanForm, key: AgeIdentity? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    let (newest, departure, book, rows) = try await offServer {
      let book = BackupBook(of: archive)
      let rows = book.entries.prefix(50).map { ($0, $0.isThere) }
      return (try archive.newestChange(), try archive.departure(), book, rows)
    }
    let current = desk.current
    var notices: [Notice] = []
    if current == nil, let outcome = desk.outcome {
      notices.append(
        Notice(tone: outcome.isGood ? .success : .error, sentence: outcome.sentence))
    }
    let finding = book.finding(now: archive.clock.now)
    var page: [String: Any] = [
      "isReminding": finding.verdict != .good,
      "state": EntryContext.capitalised(
        ClippedText.of(saidAgain(finding.detail), limit: 500)),
      "isMaking": current?.work == .making, "isComparing": current?.work == .comparing,
      "hasMoved": departure != nil,
      "movedTo": ClippedText.of(departure?.destination ?? "", limit: 200),
      "movedISO": departure?.at.description ?? "",
      "moved": departure.map { settings.entries.moment($0.at) } ?? "",
      "isBusy": current != nil, "percent": Int((current?.share ?? 0) * 100),
      "hasPlan": book.plan != nil, "hasLast": rows.contains { $0.1 },
      "planFacts": book.plan.map(Self.facts) ?? [],
      "hasBackups": !rows.isEmpty,
      "backups": rows.map { entry, isThere -> [String: Any] in
        [
          "path": ClippedText.of(entry.path, limit: 300), "isGone": !isThere,
          "isOpen": !entry.isEncrypted, "size": EntryContext.size(entry.bytes),
          "madeISO": entry.madeAt.description, "made": settings.entries.moment(entry.madeAt),
        ]
      },
    ]
    page.merge(form.context) { $1 }
    page["hasKey"] = key != nil
    page["keyText"] = key?.fileText(created: "\(archive.clock.now)") ?? ""
    return try settings.page(
      "settings-backup", title: said("Backup"), tab: .backup, known: .some(newest),
      notices: notices, page, status: status)
  }

  /// Sets the schedule, with a new key if that is asked for, and makes the first backup at once.
  @Sendable func plan(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    var form = BackupPlanForm(try await request.form(limit: 65_536))
    let wanted: BackupPlanForm.Wanted
    do {
      wanted = try form.wanted(hasPlan: BackupBook(of: archive).plan != nil)
      try await offServer {
        _ = try BackupBook.plan(
          of: archive, folder: wanted.folder, recipients: wanted.recipients, days: wanted.days)
      }
    } catch let error as FieldError {
      form.error = error
      return try await page(form, status: .unprocessableContent)
    } catch let error where error is POSIXFailure || error is CocoaError {
      form.error = FieldError("folder", "can’t be used: \(BackupDesk.sentence(error))")
      return try await page(form, status: .unprocessableContent)
    }
    desk.make()
    guard let key = wanted.key else { return .seeOther(Self.path) }
    return try await page(BackupPlanForm(BackupBook(of: archive).plan), key: key)
  }

  @Sendable func off(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    _ = try await offServer { try BackupBook.removePlan(of: archive) }
    return .seeOther(Self.path)
  }

  private static func facts(_ plan: BackupBook.Plan) -> [[String: String]] {
    let rotation = plan.rotation
    return [
      (said("Folder"), plan.folder),
      (said("Encrypted for"), plan.recipients.map(\.description).joined(separator: ", ")),
      (
        said("How often"),
        plan.days == 1 ? said("Every day") : said("Every \(plan.days) days")
      ),
      (
        said("Backups kept"),
        said(
          """
          The latest from each of \(rotation.daily) days, \(rotation.weekly) weeks and \
          \(rotation.monthly) months
          """
        )
      ),
    ].map { ["planName": $0.0, "planText": ClippedText.of($0.1, limit: 1_000)] }
  }

  @Sendable func make(_ request: Request, context: WebContext) async throws -> Response {
    desk.make()
    return .seeOther(Self.path)
  }

  /// Removes the mark of an archive that was moved.
  @Sendable func stay(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    _ = try await offServer { try archive.stay() }
    return .seeOther(Self.path)
  }

  @Sendable func compare(_ request: Request, context: WebContext) async throws -> Response {
    desk.compare()
    return .seeOther(Self.path)
  }
}
