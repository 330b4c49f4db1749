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
    router.post("/settings/capture/inbox", use: setInbox)
    router.post("/settings/capture/inbox/off", use: removeInbox)
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

  /// A folder typed for the inbox, with its problem or the number of files already in it.
  private struct TypedInbox {
    var folder: String
    var problem: String?
    var waiting = 0
  }

  /// Makes a folder the inbox; asks first if it already contains files.
  @Sendable func setInbox(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    let typed = (fields.text("folder") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let isSure = fields["sure"] == "yes"
    let archive = settings.archive
    do {
      let url = try InboxBook.folder(typed)
      let waiting = try await offServer {
        try InboxBook.check(url, for: archive)
        let count = InboxBook.count(in: url)
        if count == 0 || isSure { _ = try InboxBook.choose(url, for: archive) }
        return isSure ? 0 : count
      }
      guard waiting == 0 else {
        return try await page(
          request, TypedInbox(folder: typed, waiting: waiting), status: .conflict)
      }
    } catch {
      let problem: String =
        switch error {
        case let error as FieldError: said("The folder \(saidAgain(error.problem)).")
        case let error as ArchiveError: saidAgain(error.description)
        case is POSIXFailure, is CocoaError:
          said("This folder can’t be created or read. Choose another one.")
        default: throw error
        }
      return try await page(
        request, TypedInbox(folder: typed, problem: problem), status: .unprocessableContent)
    }
    return .seeOther("/settings/capture?saved=inbox#inbox")
  }

  @Sendable func removeInbox(_ request: Request, context: WebContext) async throws -> Response {
    let archive = settings.archive
    _ = try await offServer { try InboxBook.change(of: archive) { $0.folder = nil } }
    return .seeOther("/settings/capture#inbox")
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(request, nil)
  }

  private func page(
    _ request: Request, _ typed: TypedInbox?, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
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
        "isInboxSaved": request.fields.text("saved") == "inbox" && book.folder != nil,
        "typedInbox": FormValue(typed?.folder ?? book.folder ?? ""),
        "hasInboxError": typed?.problem != nil, "inboxError": typed?.problem ?? "",
        "asksInbox": (typed?.waiting ?? 0) > 0, "isInboxOpen": typed != nil,
        "asksInboxLine": said(
          typed?.waiting ?? 0,
          one: "There’s 1 file in this folder. It would be imported and moved to “done”.",
          other: """
            There are \(SettingsPages.number(typed?.waiting ?? 0)) files in this folder. They would \
            be imported and moved to “done”.
            """),
      ], status: status)
  }

  private static func told(_ file: InboxAccount.Told) -> [String: Any] {
    ["fileName": ClippedText.of(file.name, limit: 120), "fileReason": saidAgain(file.reason)]
  }
}
