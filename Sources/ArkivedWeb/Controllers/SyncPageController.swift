import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of linked places: their last sync, and syncing them now.
struct SyncPageController: Sendable {
  let shared: GoalSidePages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/sync", use: show)
    router.post("/sync", use: run)
    router.post("/sync/link", use: link)
    router.post("/sync/unlink", use: unlink)
  }

  private var archive: Archive { shared.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// Links a Ten Week database on this computer.
  @Sendable func link(_ request: Request, context: WebContext) async throws -> Response {
    guard context.sessionToken != nil else {
      throw WebFailure(
        .forbidden, "Not allowed here", "Only a signed-in browser can link a file.")
    }
    let text = try await request.form(limit: context.maxFormSize).text("path") ?? ""
    let problem: String
    do {
      let url = try TypedPath.read(text)
      _ = try await offServer { try SyncJob(archive: archive, homeZone: shared.zone).link(url) }
      return try await page(
        notice: Notice(
          tone: .success, sentence: said("Linked. Sync now to bring both sides up to date.")))
    } catch let failure as TypedPath.Problem {
      problem = failure.sentence
    } catch let refusal as ImportRefusal {
      problem = said("This file can’t be linked: \(saidAgain(refusal.message)).")
    } catch let error as ArchiveError {
      problem = saidAgain(error.description)
    }
    return try await page(typed: (text, problem), status: .unprocessableContent)
  }

  /// Ends a link; the file and everything imported stay.
  @Sendable func unlink(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let id = fields.text("link").flatMap(UUID.init(uuidString:))
    try await offServer {
      guard let link = try archive.syncLinks().first(where: { $0.id == id }) else { return }
      try SyncJob(archive: archive, homeZone: shared.zone).unlink(link)
    }
    return .seeOther("/sync")
  }

  @Sendable func run(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let link = fields.text("link").flatMap(UUID.init(uuidString:))
    let allowsDeletions = fields["allowDeletions"] == "yes"
    do {
      let report = try await offServer {
        guard let link = try archive.syncLinks().first(where: { $0.id == link }) else {
          throw ArchiveError.notFound("This link no longer exists. It has since been removed.")
        }
        return try SyncJob(archive: archive, homeZone: shared.zone)
          .run(link, allowsDeletions: allowsDeletions)
      }
      let sentence =
        report.isQuiet
        ? said("Both sides are already in sync.") : said("Both sides are now in sync.")
      return try await page(notice: Notice(tone: .success, sentence: sentence), report: report)
    } catch let deletion as LargeDeletion {
      return try await page(
        notice: Notice(tone: .warning, sentence: deletion.sentence),
        asking: link, status: .conflict)
    } catch let error as ArchiveError {
      let failure = WebFailure(error)
      return try await page(
        notice: Notice(tone: .error, sentence: error.description), status: failure.status)
    }
  }

  /// Returns the page.
  ///
  /// `asking` is the link whose deletions need confirmation, and `typed` the typed path of a file
  /// to link with its error.
  private func page(
    notice: Notice? = nil, report: SyncReport? = nil, asking: UUID? = nil,
    typed: (path: String, problem: String)? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (newest, links) = try await offServer {
      (try archive.newestChange(), try archive.syncLinks().filter { !$0.kind.isOnlyRead })
    }
    var page: [String: Any] = [
      "isEmpty": links.isEmpty, "links": links.map { self.link($0, isAsked: $0.id == asking) },
      "hasReport": report != nil, "path": FormValue(typed?.path ?? ""),
      "hasPathError": typed != nil, "pathError": ClippedText.of(typed?.problem ?? "", limit: 500),
    ]
    if let report {
      page["pulledLine"] = ItemCount.text(report.pulled)
      page["pushedLine"] = ItemCount.text(report.pushed)
      let lines =
        report.conflicts.map { "\($0.message)." } + report.warnings.map { "\($0.message)." }
      page["hasLines"] = !lines.isEmpty
      page["lines"] = lines.prefix(50).map {
        ["line": ClippedText.of(EntryContext.capitalised(saidAgain($0)), limit: 300)]
      }
      page["hasMoreLines"] = lines.count > 50
      page["moreLines"] = GoalWords.count(lines.count - 50, "more line")
    }
    return try shared.page(
      "sync", title: said("Linked files"), tab: .goals, known: .some(newest),
      notices: [notice].compactMap { $0 }, page, status: status)
  }

  private func link(_ link: SyncLink, isAsked: Bool) -> [String: Any] {
    let synced = link.syncedAt.map { instant -> String in
      let time = shared.zone.wallTime(at: instant)
      return said(
        "Last synced on \(GoalWords.day(time.day, today: shared.today)) at \(time.shownClock)")
    }
    return [
      "linkID": link.id.uuidString, "linkAddress": ClippedText.of(link.address, limit: 300),
      "linkLine": synced ?? said("Not synced yet"), "isAsked": isAsked,
    ]
  }
}
