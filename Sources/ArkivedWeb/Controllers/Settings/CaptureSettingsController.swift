import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the settings on ways into the archive from elsewhere: the bookmark and the inbox.
struct CaptureSettingsController: Sendable {
  let settings: SettingsPages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/capture", use: show)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let archive = settings.archive
    let book = try await offServer { InboxBook(of: archive) }
    // The door let in only the server's own names.
    let origin = "http://\(request.head.authority ?? "")"
    return try settings.page(
      "settings-capture", title: said("Capture"), tab: .capture,
      [
        "bookmark": FormValue(CapturePageController.bookmark(origin: origin)),
        "serverOrigin": origin, "hasInbox": book.folder != nil,
        "inboxFolder": book.folder ?? "", "inboxTaken": SettingsPages.number(book.taken),
        "hasInboxNews": book.lastLook != nil,
        "inboxNewsISO": book.lastLook?.description ?? "",
        "inboxNews": book.lastLook.map { settings.entries.moment($0) } ?? "",
        "hasInboxProblem": book.problem != nil, "inboxProblem": "\(saidAgain(book.problem ?? "")).",
        "inboxWaiting": book.waiting > 0, "inboxWaitingCount": "\(book.waiting)",
        "hasLeft": !book.left.isEmpty, "leftFiles": book.left.map(Self.told),
        "hasFailed": !book.failed.isEmpty, "failedFiles": book.failed.map(Self.told),
      ])
  }

  private static func told(_ file: InboxAccount.Told) -> [String: Any] {
    ["fileName": ClippedText.of(file.name, limit: 120), "fileReason": saidAgain(file.reason)]
  }
}
