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
    router.post("/settings/backup/once", use: once)
    router.post("/settings/backup/accept", use: accept)
    router.post("/settings/backup/compare", use: compare)
    router.post("/settings/backup/stay", use: stay)
  }

  private var archive: Archive { settings.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(BackupPlanForm(BackupBook(of: archive).plan))
  }

  /// Returns the page.
  ///
  /// `form` is the form of the schedule. `key` is a new secret key, which is shown only this once
  /// and not stored anywhere. `once` is the folder typed for a single backup, with the error in
  /// that form.
  private func page(
    _ form: BackupPlanForm, key: AgeIdentity? = nil,
    once: (folder: String, error: FieldError)? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    let (newest, departure, book, items) = try await offServer {
      let items = BackupListing(of: archive).items.prefix(50)
      return (
        try archive.newestChange(), try archive.departure(), BackupBook(of: archive), items
      )
    }
    let current = desk.current
    var notices: [Notice] = []
    if current == nil, let outcome = desk.outcome {
      notices.append(
        Notice(tone: outcome.isGood ? .success : .error, sentence: outcome.sentence))
    }
    let now = archive.clock.now
    let finding = book.finding(now: now, zone: settings.entries.homeZone)
    let (last, lossy) = (book.last(now: now), book.lossy(now: now))
    // The finding continues a line about backups, which this sentence can't.
    let hasNone = last == nil && book.problem == nil && !book.isUnreadable
    let state =
      hasNone
      ? said("You don’t have a backup yet.") : EntryContext.capitalised(saidAgain(finding.detail))
    var page: [String: Any] = [
      "isReminding": finding.verdict != .good,
      "state": ClippedText.of(state, limit: 500),
      "isMaking": current?.work == .making, "isComparing": current?.work == .comparing,
      "isPacking": current?.work == .packing, "isLossy": lossy != nil,
      "hasMoved": departure != nil,
      "movedTo": ClippedText.of(departure?.destination ?? "", limit: 200),
      "movedISO": departure?.at.description ?? "",
      "moved": departure.map { settings.entries.moment($0.at) } ?? "",
      // A page with a refused form stays as typed. One with a new key has a separate address that
      // can't be read again.
      "isRead": status == .ok, "isPolling": current != nil && status == .ok,
      "isBusy": current != nil, "percent": Int((current?.share ?? 0) * 100),
      "hasPlan": book.plan != nil, "hasLast": last != nil,
      "planFacts": book.plan.map(Self.facts) ?? [],
      "hasBackups": !items.isEmpty, "backups": items.map(row),
      "idempotencyKey": archive.identities.next().uuidString,
      "onceFolder": FormValue(once?.folder ?? ""), "isOnceOpen": once != nil,
      "hasOnceFolderError": once?.error.field == "folder",
      "hasPassphraseError": once?.error.field == "passphrase",
      "onceError": once.map { Self.sentence($0.error) } ?? "",
    ]
    page.merge(form.context) { $1 }
    page["hasKey"] = key != nil
    page["keyText"] = key?.fileText(created: "\(archive.clock.now)") ?? ""
    return try settings.page(
      "settings-backup", title: said("Backup"), tab: .backup, known: .some(newest),
      notices: notices, page, status: status)
  }

  private func row(_ item: BackupListing.Item) -> [String: Any] {
    let health: (icon: String, word: String, sentence: String) =
      switch item.health {
      case .tested(let at):
        (
          "success", said("Good"),
          said("Tested on \(settings.entries.moment(at)). It can be restored completely.")
        )
      case .failed(let at, let problems):
        (
          "error", said("Problem"),
          said(
            """
            Failed the test on \(settings.entries.moment(at)): \
            \(problems.prefix(3).map { saidAgain($0) }.joined(separator: "; "))
            """)
        )
      case .verified:
        ("success", said("Good"), said("Verified when it was made."))
      case .changed:
        (
          "error", said("Problem"),
          said("Changed since it was made. Test it before you rely on it.")
        )
      case .gone: ("warning", said("Advice"), said("The file is gone."))
      case .detached:
        ("warning", said("Advice"), said("The folder isn’t available. Connect its disk."))
      case .unknown:
        (
          "warning", said("Advice"),
          said("This backup wasn’t made here. Test it to see if it can be restored.")
        )
      }
    return [
      "path": ClippedText.of(item.path, limit: 300), "pathValue": FormValue(item.path),
      "fileName": ClippedText.of(
        URL(fileURLWithPath: item.path).lastPathComponent, limit: 120),
      "isThere": item.isThere, "isOpen": !item.isEncrypted && item.isThere,
      "size": EntryContext.size(item.bytes), "madeISO": item.madeAt.description,
      "made": settings.entries.moment(item.madeAt),
      "hasEntries": item.entries != nil,
      "entryLine": item.entries.map {
        said($0, one: "1 entry", other: "\(SettingsPages.number($0)) entries")
      } ?? "",
      "healthIcon": health.icon, "healthWord": health.word,
      "health": ClippedText.of(health.sentence, limit: 500),
    ]
  }

  static func sentence(_ error: FieldError) -> String {
    let noun = error.field == "folder" ? said("The folder") : said("The passphrase")
    return "\(noun) \(saidAgain(error.problem))."
  }

  /// Returns a folder that a form names, and creates it if it doesn't exist.
  ///
  /// - Throws: `FieldError` if it can't be used.
  static func folder(_ fields: FormFields) throws -> URL { try folder(fields.text("folder")) }

  static func folder(_ typed: String?) throws -> URL {
    let text = (typed ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw FieldError("folder", "is missing. Enter a folder") }
    guard text.hasPrefix("/") || text.hasPrefix("~/") || text == "~" else {
      throw FieldError("folder", "is \(FieldError.shown(text)), but must begin with / or ~/")
    }
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(text), isDirectory: true)
      .standardizedFileURL
    do {
      try DurableFile.makeFolder(url)
    } catch {
      throw FieldError("folder", "can’t be used: \(BackupDesk.sentence(error))")
    }
    return url
  }

  /// Makes a single backup with a passphrase.
  @Sendable func once(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    do {
      let passphrase = try NewPassphrase.read(fields)
      let folder = try await offServer { try Self.folder(fields) }
      try BackupController.begin { desk.make(in: folder, passphrase: passphrase) }
    } catch let error as FieldError {
      return try await page(
        BackupPlanForm(BackupBook(of: archive).plan), once: (fields["folder"] ?? "", error),
        status: .unprocessableContent)
    }
    return .seeOther(Self.path)
  }

  /// Accepts backups that lack something the one before had, so older ones are removed again.
  @Sendable func accept(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    _ = try await offServer { try BackupBook.change(of: archive) { _ = $0.acceptLosses() } }
    return .seeOther(Self.path)
  }

  /// Sets the schedule, with a new key if that is asked for, and makes the first backup at once.
  @Sendable func plan(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    var form = BackupPlanForm(try await request.form(limit: 65_536))
    let wanted: BackupPlanForm.Wanted
    do {
      wanted = try form.wanted(hasPlan: BackupBook(of: archive).plan != nil) {
        desk.newKey(for: $0)
      }
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
