import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Hummingbird

/// The page for testing and restoring a backup, and for unpacking an archive from another computer.
struct RestorePageController: ArchiveFileController {
  let settings: SettingsPages
  let desk: RestoreDesk

  static let address = "/settings/backup/restore"

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/backup/restore", use: show)
    router.post("/settings/backup/restore", use: upload)
    router.post("/settings/backup/restore/path", use: path)
    router.post("/settings/backup/restore/unlock", use: unlock)
    router.post("/settings/backup/restore/beside", use: beside)
    router.post("/settings/backup/restore/replace", use: replace)
    router.post("/settings/backup/restore/day", use: day)
    router.post("/settings/backup/restore/open", use: open)
    router.post("/settings/backup/restore/cancel", use: cancel)
    router.post("/settings/backup/restore/dismiss", use: dismiss)
  }

  private var archive: Archive { settings.archive }

  // MARK: The page

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// Returns the page.
  ///
  /// `path` is the typed path and its error, `folder` the typed folder for a new archive and its
  /// error, and `link` the link to another archive that was just opened.
  private func page(
    fileProblem: String? = nil, path: (text: String, problem: String)? = nil,
    folder: (text: String, problem: String)? = nil, mustAgree: Bool = false, link: String? = nil,
    notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let job = desk.current
    let archive = archive
    let (newest, isEmpty) = try await offServer {
      (try archive.newestChange(), try archive.isEmpty())
    }
    var page: [String: Any] = [
      "isRunning": false, "isLocked": false, "hasLook": false, "hasEnded": false,
      "mayChoose": job.map { $0.stage == .ended } ?? true, "isArchiveEmpty": isEmpty,
      "hasFileError": fileProblem != nil, "fileError": fileProblem ?? "",
      "path": FormValue(path?.text ?? ""), "isPathOpen": path != nil,
      "hasPathError": path != nil, "pathError": path?.problem ?? "",
      "hasFolderError": folder != nil, "folderError": folder?.problem ?? "",
      "isReplaceOpen": mustAgree, "mustAgree": mustAgree,
      "hasLink": link != nil, "link": FormValue(link ?? ""),
    ]
    if let job {
      page.merge(RestoreContext(settings: settings, job: job).context) { $1 }
      if let folder { page["folder"] = FormValue(folder.text) }
    }
    return try settings.page(
      "settings-restore", title: said("Restore a backup"), tab: .backup, known: .some(newest),
      notices: notices, page, status: status)
  }

  // MARK: Choosing a backup

  @Sendable func upload(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let received: (files: [ReceivedFiles.File], folder: URL, fields: [String: String])
    do {
      received = try await ReceivedFiles.receive(request)
    } catch let failure as WebFailure {
      return try await page(fileProblem: failure.detail, status: failure.status)
    }
    let (files, scratch, fields) = received
    guard let file = files.first, files.count == 1 else {
      try await offServer { ScratchFolders.remove(scratch) }
      return try await page(fileProblem: said("Choose a file."), status: .unprocessableContent)
    }
    let purpose = fields["purpose"].flatMap(RestoreDesk.Purpose.init) ?? .restore
    let desk = desk
    do {
      try await offServer {
        do {
          try desk.start(file.url, for: purpose, scratch: scratch)
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
    let fields = try await request.form(limit: context.maxUploadSize)
    let text = fields.text("path") ?? ""
    let purpose = fields["purpose"].flatMap(RestoreDesk.Purpose.init) ?? .restore
    let desk = desk
    do {
      let url = try TypedPath.read(text)
      try await offServer { try desk.start(url, for: purpose) }
    } catch let problem as TypedPath.Problem {
      return try await page(path: (text, problem.sentence), status: .unprocessableContent)
    } catch ArchiveError.busy(let what) {
      return try await busy(what)
    }
    return .seeOther(Self.address)
  }

  private func busy(_ what: String) async throws -> Response {
    try await page(notices: [Notice(tone: .warning, sentence: what)], status: .conflict)
  }

  /// Checks that the client is the owner's browser on this computer, which is required for opening
  /// files on it and for replacing the archive.
  static func checkBrowser(_ context: WebContext) throws {
    guard context.sessionToken != nil else {
      throw WebFailure(
        .forbidden, "Not allowed here", "Only a signed-in browser can restore a backup.")
    }
  }

  // MARK: Unlocking

  /// The size limit of a file with a secret key in bytes.
  private static let keyLimit = 65_536

  @Sendable func unlock(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let (files, scratch, fields) = try await ReceivedFiles.receive(request)
    let keyText = try await offServer {
      defer { ScratchFolders.remove(scratch) }
      return files.first.flatMap { file -> String? in
        guard let handle = try? FileHandle(forReadingFrom: file.url) else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Self.keyLimit)).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    guard let job = desk.current, job.id == fields["job"].flatMap(UUID.init(uuidString:)),
      case .locked(let isForKey) = job.stage
    else { return .seeOther(Self.address) }
    let typed = fields["secret"] ?? ""
    do {
      let unlocks = try MergePageController.unlocks(
        isForKey && typed.allSatisfy(\.isWhitespace) ? keyText ?? "" : typed, isForKey: isForKey)
      try desk.unlock(job.id, with: unlocks)
    } catch let failure as AgeFailure {
      return try await page(
        notices: [Notice(tone: .error, sentence: failure.description)],
        status: .unprocessableContent)
    }
    return .seeOther(Self.address)
  }

  // MARK: Restoring

  /// Restores into a new archive in a folder.
  @Sendable func beside(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let id = Self.job(fields) else { return .seeOther(Self.address) }
    let text = (fields.text("folder") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let full = HomeFolder.expandingTilde(text)
    guard full.hasPrefix("/") else {
      return try await page(
        folder: (text, said("Enter a folder that begins with / or ~/.")),
        status: .unprocessableContent)
    }
    let folder = URL(fileURLWithPath: full, isDirectory: true).standardizedFileURL
    let archive = archive
    do {
      try await offServer { try PreparedRestore.check(folder, for: archive) }
    } catch let error as ArchiveError {
      return try await page(
        folder: (text, saidAgain(error.description)), status: .unprocessableContent)
    }
    try desk.restore(id, .beside(folder))
    return .seeOther(Self.address)
  }

  /// Replaces the current archive, after the owner has ticked a box to confirm it.
  @Sendable func replace(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let id = Self.job(fields), let job = desk.current, job.id == id else {
      return .seeOther(Self.address)
    }
    guard !job.replacesSomething || fields["sure"] == "yes" else {
      return try await page(mustAgree: true, status: .unprocessableContent)
    }
    try desk.restore(id, .replace)
    return .seeOther(Self.address)
  }

  /// Brings one day back into this archive.
  @Sendable func day(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let id = Self.job(fields), let day = try fields.day("day") else {
      return .seeOther(Self.address)
    }
    try desk.restore(id, .day(day))
    return .seeOther(Self.address)
  }

  /// Opens the archive that was restored into a folder.
  @Sendable func open(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let job = desk.current, job.id == Self.job(fields),
      let folder = RestoreContext.newFolder(of: job)
    else { return .seeOther(Self.address) }
    do {
      let link = try await OtherArchive(home: folder).open()
      return try await page(link: link)
    } catch let failure as WebFailure {
      return try await page(
        notices: [Notice(tone: .error, sentence: failure.detail)], status: failure.status)
    }
  }
}
