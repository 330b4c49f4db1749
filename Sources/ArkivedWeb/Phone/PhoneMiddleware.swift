import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// The visitor for whom a page is rendered.
enum Visitor {
  /// True for a paired device, which sees only what it may use.
  @TaskLocal static var isDevice = false
}

/// The routes for paired devices: the owner's daily tasks, but nothing that grants access, exports
/// everything, deletes permanently, or decides for programs.
enum DeviceRoutes {
  /// The first path components below the root and below `/api/v1`; all others are closed, so a new
  /// route is closed until it is added here.
  ///
  /// Links and calendars are closed to readers too, because a private calendar's address is its
  /// secret.
  private static let open: Set<String> = [
    "actions", "activities", "ask", "attachments", "backlinks", "brief", "calendar",
    "changes", "complete", "day", "days", "design", "events", "go", "goals", "history", "index",
    "insights", "life", "lifetime", "link-targets", "linked", "logout", "map", "map.svg",
    "matches",
    "meetings", "more", "notes", "nudges", "openapi.json", "pending", "people", "photos",
    "preferences", "progress", "promises", "prompts", "query", "quick-add", "recap", "search",
    "settings",
    "sync", "tags", "templates", "terms", "threads", "tools", "values", "when",
  ]
  /// The routes that a device may only read.
  private static let readOnly: Set<String> = ["pending", "sync"]
  /// The open routes below `/settings`.
  private static let settings: Set<String> = [
    "appearance", "history", "prompts", "tag-proposals", "tags", "templates",
  ]
  /// The routes for devices that are not paired.
  private static let unpaired: Set<String> = ["assets", "certificate", "pair", "service-worker.js"]

  /// Splits a path as the router does, which ignores additional slashes.
  private static func segments(_ path: String) -> [String] {
    let all = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    return all.starts(with: ["api", "v1"]) ? Array(all.dropFirst(2)) : all
  }

  static func isPublic(_ request: Request) -> Bool {
    guard let first = segments(request.uri.path).first else { return false }
    return unpaired.contains(first)
  }

  static func admit(_ request: Request) -> Bool {
    admit(request.uri.path, isReading: request.method == .get || request.method == .head)
  }

  static func admit(_ path: String, isReading: Bool) -> Bool {
    let segments = segments(path)
    guard let first = segments.first else { return isReading }
    guard open.contains(first), isReading || !readOnly.contains(first) else { return false }
    // A device may snooze and dismiss the lines of today; which reminders are delivered, and how,
    // is set at the computer.
    if first == "nudges" { return isReading || segments.count == 3 }
    guard first == "settings", segments.count > 1 else { return true }
    return settings.contains(segments[1])
  }

  static let refusal = WebFailure(
    .forbidden, "Only on the computer",
    """
    A paired device can only read, add and change entries, and ask questions. For anything else, \
    open Arkived on the computer.
    """
  )
}

/// Accepts only the right Host and Origin, and only paired devices except on the pairing pages.
struct PhoneDoorMiddleware: RouterMiddleware {
  let door: PhoneDoor
  let failures: FailureMiddleware

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let address = try RequestAddress(request)
    guard door.admits(host: address.host) else {
      throw WebFailure(
        .misdirectedRequest, "Wrong address",
        "Arkived only answers at the address its owner chose.")
    }
    try address.checkOrigin(.https)
    try ServerLimits.check(request)
    if DeviceRoutes.isPublic(request) { return try await next(request, context) }
    let (token, isBrowser) = try held(by: request)
    let door = door
    guard let device = try await offServer({ try door.device(token: token) }) else {
      throw Self.unauthorised
    }
    // A browser sends the origin with every change; without it, the request may come from
    // elsewhere.
    let changes = request.method != .get && request.method != .head
    guard !isBrowser || !changes || address.origin != nil else {
      throw WebFailure(
        .forbidden, "Origin missing",
        "A request that changes something must state which page "
          + "it comes from.")
    }
    context.admit(as: .owner)
    guard DeviceRoutes.admit(request) else {
      return try failures.answer(DeviceRoutes.refusal, to: request, isSignedIn: true)
    }
    var admitted = context
    admitted.device = device
    let call = DeviceCall(of: device.id, holding: token, at: door)
    var request = request
    if changes { request.body = call.guarding(request.body) }
    var response = try await answer(request, admitted, next)
    // A device that signs out revokes itself, and the redirect that follows reveals nothing.
    guard call.goesOn || response.body.contentLength == 0 else { throw Self.unauthorised }
    response.body = call.guarding(response.body)
    // The action is complete even if the visit can't be recorded.
    let isNews = (try? await offServer { try door.note(device, token: token) }) ?? false
    if isNews, isBrowser, response.headers[.setCookie] == nil {
      response.setCookie(door.cookie(token))
    }
    return response
  }

  private func answer(
    _ request: Request, _ context: WebContext,
    _ next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    try await Visitor.$isDevice.withValue(true) {
      do {
        return try await next(request, context)
      } catch {
        return try failures.answer(error, to: request, isSignedIn: true)
      }
    }
  }

  /// Returns a request's token, and true if it came from a browser's cookie.
  private func held(by request: Request) throws -> (String, isBrowser: Bool) {
    if let header = request.headers[.authorization] {
      guard let token = Door.bearer(header) else { throw Self.unauthorised }
      return (token, false)
    }
    guard let token = request.cookies[door.cookieName]?.value else { throw Self.unauthorised }
    return (token, true)
  }

  static let unauthorised = WebFailure(
    .unauthorized, "Please pair this device",
    "Get a code on the computer: run arkived phone pair, or open Phone in Settings.")
}

extension PhoneDoor {
  /// Returns a browser's cookie for a token.
  func cookie(_ token: String) -> Cookie {
    Cookie(
      name: cookieName, value: token, maxAge: PhoneDoor.cookieDays * 86_400, path: "/",
      secure: true, httpOnly: true, sameSite: .strict)
  }
}
