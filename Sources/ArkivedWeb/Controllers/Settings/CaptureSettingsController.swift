import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page of the ways to capture from elsewhere: the bookmark and the inbox.
struct CaptureSettingsController: Sendable {
  let settings: SettingsPages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/capture", use: show)
    router.post("/settings/capture/places", use: savePlaces)
  }

  /// Turns the recording of coordinates with new entries on or off.
  @Sendable func savePlaces(_ request: Request, context: WebContext) async throws -> Response {
    let allowed = try await request.form(limit: 65_536)["recordsPlace"] == "true"
    let archive = settings.archive
    try await offServer {
      _ = try archive.updatePreferences { $0.recordsPlace = allowed }
    }
    return .seeOther("/settings/capture?saved=places#places")
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let archive = settings.archive
    let (book, recordsPlace) = try await offServer {
      (InboxBook(of: archive), try archive.preferences().recordsPlace)
    }
    // `Door` admitted only the server's own names.
    let origin = "http://\(request.head.authority ?? "")"
    return try settings.page(
      "settings-capture", title: said("Capture"), tab: .capture,
      [
        "bookmark": FormValue(CapturePageController.bookmark(origin: origin)),
        "recordsPlace": recordsPlace, "isPlaceSaved": request.fields.text("saved") == "places",
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
