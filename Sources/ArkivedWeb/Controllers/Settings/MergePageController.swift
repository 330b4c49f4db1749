import ArkivedBackup
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Hummingbird

/// The page for previewing another archive and merging it into this one.
struct MergePageController: ArchiveFileController {
  let settings: SettingsPages
  let desk: MergeDesk
  /// Reports the results of an import, because a merge is one.
  let imports: ImportPageController

  static let address = "/settings/backup/merge"

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/backup/merge", use: show)
    router.post("/settings/backup/merge", use: upload)
    router.post("/settings/backup/merge/path", use: path)
    router.post("/settings/backup/merge/unlock", use: unlock)
    router.post("/settings/backup/merge/go", use: merge)
    router.post("/settings/backup/merge/cancel", use: cancel)
    router.post("/settings/backup/merge/dismiss", use: dismiss)
  }

  private var archive: Archive { settings.archive }

  // MARK: The page

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request.fields)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form or address.
  ///   - fileProblem: the problem with the chosen file.
  ///   - path: the typed path, and any error in it.
  ///   - more: further notices at the top of the page.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func page(
    _ fields: FormFields = FormFields([]), fileProblem: String? = nil,
    path: (text: String, problem: String)? = nil, notices more: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let job = desk.current
    let archive = archive
    let settings = settings
    let (newest, run, notices) = try await offServer {
      (
        try archive.newestChange(),
        job?.run.flatMap { try? archive.importRun(matching: $0.uuidString).run },
        try settings.notices(fields, back: Self.address)
      )
    }
    var page: [String: Any] = [
      "isRunning": false, "isLocked": false, "hasLook": false, "hasEnded": false,
      "mayMerge": job.map { $0.stage == .ended } ?? true,
      "hasFileError": fileProblem != nil, "fileError": fileProblem ?? "",
      "path": FormValue(path?.text ?? ""), "isPathOpen": path != nil,
      "hasPathError": path != nil, "pathError": path?.problem ?? "",
      "ended": run.map { [imports.account($0)] } ?? [],
    ]
    if let job { page.merge(MergeContext.context(job)) { $1 } }
    return try settings.page(
      "settings-merge", title: said("Merge another archive"), tab: .backup, known: .some(newest),
      notices: notices + more, page, status: status)
  }

  // MARK: Uploading

  @Sendable func upload(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let received: (files: [ReceivedFiles.File], folder: URL, fields: [String: String])
    do {
      received = try await ReceivedFiles.receive(request)
    } catch let failure as WebFailure {
      return try await page(fileProblem: failure.detail, status: failure.status)
    }
    let (files, scratch, _) = received
    guard let file = files.first, files.count == 1 else {
      try await offServer { ScratchFolders.remove(scratch) }
      return try await page(
        fileProblem: said("Choose a file."), status: .unprocessableContent)
    }
    let desk = desk
    do {
      try await offServer {
        do {
          try desk.start(file.url, scratch: scratch)
        } catch {
          ScratchFolders.remove(scratch)
          throw error
        }
      }
    } catch ArchiveError.busy(let what) {
      return try await busy(what)
    }
    return .seeOther(Self.address)
  }

  @Sendable func path(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let text = try await request.form(limit: context.maxUploadSize).text("path") ?? ""
    let desk = desk
    do {
      let url = try TypedPath.read(text)
      try await offServer { try desk.start(url) }
    } catch let problem as TypedPath.Problem {
      return try await page(
        path: (text, problem.sentence), status: .unprocessableContent)
    } catch ArchiveError.busy(let what) {
      return try await busy(what)
    }
    return .seeOther(Self.address)
  }

  private func busy(_ what: String) async throws -> Response {
    try await page(notices: [Notice(tone: .warning, sentence: what)], status: .conflict)
  }

  /// Checks that the client is the owner's browser on this computer, which is required for opening
  /// files on it.
  static func checkBrowser(_ context: WebContext) throws {
    guard context.sessionToken != nil else {
      throw WebFailure(
        .forbidden, "Not allowed here", "Only a signed-in browser can merge another archive.")
    }
  }

  // MARK: Unlocking and merging

  @Sendable func unlock(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let job = desk.current, job.id == Self.job(fields), case .locked(let isForKey) = job.stage
    else { return .seeOther(Self.address) }
    let unlocks: [AgeUnlock]
    do {
      unlocks = try Self.unlocks(fields["secret"] ?? "", isForKey: isForKey)
    } catch let failure as AgeFailure {
      return try await page(
        notices: [Notice(tone: .error, sentence: failure.description)],
        status: .unprocessableContent)
    }
    try desk.unlock(job.id, with: unlocks)
    return .seeOther(Self.address)
  }

  /// Returns the means of unlocking contained in a typed secret; a key may be pasted with the
  /// comments around it in its file.
  static func unlocks(_ secret: String, isForKey: Bool) throws -> [AgeUnlock] {
    guard isForKey else { return [.passphrase(secret)] }
    let keys = secret.split(whereSeparator: \.isWhitespace)
      .filter { $0.uppercased().hasPrefix("AGE-SECRET-KEY-") }
    guard !keys.isEmpty else {
      throw AgeFailure.key(
        said("This isn’t a secret key. Secret keys begin with AGE-SECRET-KEY-1."))
    }
    return try AgeIdentity.list(keys.joined(separator: "\n")).map { .identity($0) }
  }

  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    if let id = Self.job(fields) { try desk.merge(id) }
    return .seeOther(Self.address)
  }
}
