import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of imports: uploading files, their progress, and their results.
struct ImportPageController: Sendable {
  let settings: SettingsPages
  let desk: ImportDesk

  static let pageSize = 50
  static let warningLimit = 200

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/imports", use: list)
    router.post("/settings/imports", use: upload)
    router.post("/settings/imports/path", use: path)
    router.post("/settings/imports/go", use: bringIn)
    router.post("/settings/imports/cancel", use: cancel)
    router.post("/settings/imports/dismiss", use: dismiss)
    router.get("/settings/imports/services", use: services)
    router.get("/settings/imports/:id", use: show)
    router.get("/settings/imports/:id/warnings.txt", use: warnings)
    router.post("/settings/imports/:id/undo", use: undo)
  }

  private var archive: Archive { settings.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request.fields, mayName: context.sessionToken != nil)
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form or address.
  ///   - mayName: true if the client may name a path on this computer.
  ///   - path: the typed path, and any error in it.
  ///   - fileProblem: the problem with the chosen file.
  ///   - more: further notices at the top of the page.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func page(
    _ fields: FormFields = FormFields([]), mayName: Bool,
    path: (text: String, problem: String)? = nil,
    fileProblem: String? = nil, notices more: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let offset = MeetingSidePages.offset(fields)
    let job = desk.current
    let (newest, found, ended, notices) = try await offServer {
      (
        try archive.newestChange(),
        try archive.importRuns(limit: Self.pageSize, offset: offset),
        try (job?.isRunning == false ? job?.runs ?? [] : []).map {
          try archive.importRun(matching: $0.uuidString).run
        },
        try settings.notices(fields, back: "/settings/imports")
          + Self.kept(fields)
      )
    }
    func address(_ offset: Int) -> String {
      MeetingSidePages.address(
        "/settings/imports", [("offset", offset > 0 ? "\(offset)" : nil)])
    }
    var page = SettingsPages.paging(
      offset: offset, size: Self.pageSize, shown: found.runs.count, total: found.total,
      address: address)
    page["formats"] = saidAgain(ImportJob.formatNames)
    page["isRunning"] = job?.isRunning == true
    page["refreshHref"] = address(offset)
    let forecasts = job?.isRunning == false ? job?.forecasts ?? [] : []
    page["hasLook"] = !forecasts.isEmpty
    page["forecasts"] = forecasts.map(ForecastContext.context)
    page["asksPlaces"] = forecasts.contains { $0.placed > 0 }
    page["keepsPlaces"] = forecasts.allSatisfy { $0.placed == 0 || $0.places == .keep }
    page["hasEnded"] = job?.isRunning == false && forecasts.isEmpty
    if let job { page.merge(Self.standing(job)) { $1 } }
    page["ended"] = ended.map { account($0) }
    page["mayName"] = mayName
    page["path"] = FormValue(path?.text ?? "")
    page["isPathOpen"] = path != nil
    page["hasPathError"] = path != nil
    page["pathError"] = path?.problem ?? ""
    page["hasFileError"] = fileProblem != nil
    page["fileError"] = fileProblem ?? ""
    page["runs"] = found.runs.map { account($0.run) }
    page["hasRuns"] = !found.runs.isEmpty
    return try settings.page(
      "settings-imports", title: said("Imports"), tab: .imports, known: .some(newest),
      notices: notices + more, page, status: status)
  }

  /// Returns a notice about entries that an undone import left because they had been changed in the
  /// meantime.
  private static func kept(_ fields: FormFields) -> [Notice] {
    guard let count = fields.text("kept").flatMap(Int.init), (1...100_000_000).contains(count)
    else { return [] }
    return [
      Notice(
        tone: .info,
        sentence: said(
          count, one: "\(count) entry was kept because it was changed or used after the import.",
          other: "\(count) entries were kept because they were changed or used after the import."))
    ]
  }

  /// Returns the progress of an import, or its outcome.
  private static func standing(_ job: ImportDesk.Job) -> [String: Any] {
    let progress = job.progress
    let percent = progress.map { min(100, max(0, Int($0.fraction * 100))) }
    var parts: [String] = []
    if let progress {
      parts.append(said("\(SettingsPages.number(progress.entries)) entries read"))
      if progress.isFinished {
        parts.append(said("saving"))
      } else {
        if progress.seconds > 0.5 {
          parts.append(said("\(SettingsPages.number(Int(progress.entriesPerSecond))) per second"))
        }
        if let left = progress.secondsLeft { parts.append(said("\(duration(left)) left")) }
      }
    }
    if job.isCancelled { parts = [said("cancelling")] }
    let isStopped = job.isCancelled && job.runs.isEmpty
    return [
      "jobVerb": job.isLook ? said("Checking") : said("Importing"),
      "jobID": job.id.uuidString, "jobName": ClippedText.of(job.name, limit: 120),
      "jobFiles": job.sources > 1 ? said("File \(job.source) of \(job.sources)") : "",
      "hasJobFiles": job.sources > 1, "percent": "\(percent ?? 0)",
      "percentText": PercentText.shown(percent ?? 0), "hasPercent": percent != nil,
      "standing": parts.isEmpty ? said("Reading the data") : parts.joined(separator: " · "),
      "isCancelling": job.isCancelled,
      "endTitle": isStopped
        ? said("Import cancelled")
        : job.runs.isEmpty ? said("Nothing imported") : said("Imported"),
      "problems": job.problems.prefix(20).map {
        ["problem": ClippedText.of(saidAgain($0), limit: 500)]
      },
      "hasProblems": !job.problems.isEmpty,
    ]
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e7).rounded(.up))
    return whole < 90 ? "\(whole) s" : "\((whole + 59) / 60) min"
  }

  /// Returns the results of a run.
  func account(_ run: ImportRun, warnings limit: Int = 0) -> [String: Any] {
    let created = run.created.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    let news = created.map { ItemCount.text($0.value, of: $0.key) }
    let name = run.source.split(separator: "/").last.map(String.init) ?? run.source
    return [
      "runHref": ImportOrigin.href(of: run),
      "runName": ClippedText.of(name, limit: 120), "source": ClippedText.of(run.source, limit: 400),
      "format": ClippedText.of(run.format, limit: 60),
      "whenISO": run.startedAt.description, "when": settings.entries.moment(run.startedAt),
      "news": news.isEmpty
        ? said("nothing new") : said("\(news.joined(separator: ", ")) new"),
      "created": news.isEmpty ? "0" : news.joined(separator: ", "),
      "updated": SettingsPages.number(run.updated),
      "unchanged": SettingsPages.number(run.unchanged),
      "skipped": SettingsPages.number(run.skipped), "hasSkipped": run.skipped > 0,
      "isUndone": run.isUndone, "undoLabel": run.isUndone ? said("Redo") : said("Undo"),
      "undoName":
        run.isUndone
        ? said("Redo the import of \(ClippedText.of(name, limit: 80))")
        : said("Undo the import of \(ClippedText.of(name, limit: 80))"),
      "hasWarnings": !run.warnings.isEmpty,
      "warningLine": GoalWords.count(run.warnings.count, "warning"),
      "warnings": run.warnings.prefix(limit).map {
        [
          "place": ClippedText.of(saidAgain($0.place), limit: 200),
          "message": ClippedText.of(saidAgain($0.message), limit: 500),
        ]
      },
      "hasMoreWarnings": run.warnings.count > limit,
      "moreWarnings": said("All \(SettingsPages.number(run.warnings.count)) as a text file"),
    ]
  }

  // MARK: Uploading

  /// Parses the choice about storing places; returns nil to let the format decide.
  private static func places(_ text: String?) throws(FieldError) -> PlaceChoice? {
    guard let text, !text.isEmpty else { return nil }
    return try PlaceChoice.read(text)
  }

  @Sendable func upload(_ request: Request, context: WebContext) async throws -> Response {
    let mayName = context.sessionToken != nil
    func refused(_ problem: String, _ status: HTTPResponse.Status) async throws -> Response {
      try await page(mayName: mayName, fileProblem: problem, status: status)
    }
    let received: (files: [ReceivedFiles.File], folder: URL, fields: [String: String])
    do {
      received = try await ReceivedFiles.receive(request)
    } catch let failure as WebFailure {
      return try await refused(saidAgain(failure.detail), failure.status)
    }
    let (files, scratch, _) = received
    let places: PlaceChoice?
    do {
      places = try Self.places(received.fields["places"])
    } catch {
      try await offServer { ScratchFolders.remove(scratch) }
      throw error
    }
    let looks = request.fields.text("look") != nil
    guard let first = files.first else {
      try await offServer { ScratchFolders.remove(scratch) }
      return try await refused(
        said("Choose at least one file."), .unprocessableContent)
    }
    do {
      try await offServer {
        do {
          try desk.start(
            files.count > 1 ? said("\(first.name) and \(files.count - 1) more") : first.name,
            files.map { ImportDesk.Source(url: $0.url, name: $0.name) }, scratch: scratch,
            places: places, looks: looks)
        } catch {
          ScratchFolders.remove(scratch)
          throw error
        }
      }
    } catch ArchiveError.busy(let what) {
      return try await busy(what, mayName: mayName)
    }
    return .seeOther("/settings/imports")
  }

  /// Imports the file at a path, as the command line does; only a signed-in browser may name one.
  @Sendable func path(_ request: Request, context: WebContext) async throws -> Response {
    guard context.sessionToken != nil else {
      throw WebFailure(
        .forbidden, "Not allowed here", "Only a signed-in browser can use a path on this computer.")
    }
    let form = try await request.form(limit: context.maxUploadSize)
    let text = form.text("path") ?? ""
    do {
      let url = try TypedPath.read(text)
      try desk.start(
        url.lastPathComponent, [ImportDesk.Source(url: url)],
        places: try Self.places(form.text("places")),
        looks: request.fields.text("look") != nil)
    } catch let problem as TypedPath.Problem {
      return try await page(
        mayName: true, path: (text, problem.sentence), status: .unprocessableContent)
    } catch ArchiveError.busy(let what) {
      return try await busy(what, mayName: true)
    }
    return .seeOther("/settings/imports")
  }

  /// Imports files that were previewed before.
  @Sendable func bringIn(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let id = fields.text("job").flatMap(UUID.init(uuidString:)) else {
      return .seeOther("/settings/imports")
    }
    do {
      try desk.bringIn(id, places: Self.places(fields.text("places")))
    } catch ArchiveError.busy(let what) {
      return try await busy(what, mayName: context.sessionToken != nil)
    }
    return .seeOther("/settings/imports")
  }

  private func busy(_ what: String, mayName: Bool) async throws -> Response {
    try await page(
      mayName: mayName, notices: [Notice(tone: .warning, sentence: what)], status: .conflict)
  }

  @Sendable func cancel(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    if let id = fields.text("job").flatMap(UUID.init(uuidString:)) { desk.cancel(id) }
    return .seeOther("/settings/imports")
  }

  @Sendable func dismiss(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxUploadSize)
    if let id = fields.text("job").flatMap(UUID.init(uuidString:)) { desk.dismiss(id) }
    return .seeOther("/settings/imports")
  }

  // MARK: Help for exports

  /// Returns the instructions for getting an export from each service, and its importable contents.
  @Sendable func services(_ request: Request, context: WebContext) async throws -> Response {
    try settings.page(
      "settings-services", title: said("How to export from other services"), tab: .imports,
      ["services": ImportService.offered.map(\.context)])
  }

  // MARK: A run

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = request.fields
    let (newest, found, notices) = try await offServer {
      (
        try archive.newestChange(), try archive.importRun(matching: id.uuidString),
        try settings.notices(fields, back: "/settings/imports/\(id.uuidString)")
          + Self.kept(fields)
      )
    }
    var page = account(found.run, warnings: Self.warningLimit)
    page["back"] = "/settings/imports/\(id.uuidString)"
    page["changeHref"] = ChangePageController.href(found.changeID)
    return try settings.page(
      "settings-import", title: said("Import"), tab: .imports, known: .some(newest),
      notices: notices,
      page)
  }

  /// Returns all messages of a run about its input.
  @Sendable func warnings(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let run = try await offServer { try archive.importRun(matching: id.uuidString).run }
    let lines = run.warnings.map { warning in
      "\(saidAgain(warning.place)): \(saidAgain(warning.message))".split(
        whereSeparator: \.isNewline
      )
      .joined(separator: " ")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; charset=utf-8",
        .contentDisposition: "attachment; filename=\"import-remarks.txt\"",
      ], body: .init(byteBuffer: ByteBuffer(string: lines.joined(separator: "\n") + "\n")))
  }

  /// Undoes or redoes a run.
  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let back = LocalPath.read(fields["back"]) ?? "/settings/imports"
    do {
      let undone = try await offServer {
        let change = try archive.importRun(matching: id.uuidString).changeID
        guard let last = try archive.listedChange(change)?.undo else {
          throw ArchiveError.notFound("No import to undo.")
        }
        return try archive.undo(last)
      }
      let kept = undone.kept > 0 ? "\(back.contains("?") ? "&" : "?")kept=\(undone.kept)" : ""
      return .seeOther(GoalSidePages.location(back + kept, undone.change))
    } catch ArchiveError.conflict(let what) {
      return try await page(
        mayName: context.sessionToken != nil,
        notices: [Notice(tone: .error, sentence: what)], status: .conflict)
    }
  }
}
