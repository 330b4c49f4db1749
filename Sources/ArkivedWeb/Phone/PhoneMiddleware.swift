import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// Who is looking, where a page is made.
enum Visitor {
  /// Whether it is a paired device, which is shown what is open to it alone.
  @TaskLocal static var isDevice = false
}

/// Where a paired device may go: what its owner does from day to day, and nothing that lets others in,
/// takes everything out, forgets for ever, or decides for programs.
enum DeviceRoutes {
  /// First parts of the paths below the root and below `/api/v1`; what is not here is shut, so that a
  /// new route is shut until somebody opens it.
  private static let open: Set<String> = [
    "actions", "activities", "ask", "attachments", "brief", "calendar", "calendars", "changes",
    "complete", "day", "days", "design", "events", "goals", "history", "index", "insights", "life",
    "lifetime", "links", "logout", "matches", "meetings", "more", "notes", "nudges",
    "openapi.json", "pending",
    "people", "preferences", "progress", "promises", "query", "quick-add", "recap", "search",
    "settings",
    "sync", "tags", "terms", "threads", "tools", "values", "when",
  ]
  /// Those that a device only looks at.
  private static let readOnly: Set<String> = ["calendars", "links", "pending", "sync"]
  /// What is open below `/settings`.
  private static let settings: Set<String> = ["appearance", "history", "tag-proposals", "tags"]
  /// What a device that is not paired may ask for.
  private static let unpaired: Set<String> = ["assets", "certificate", "pair", "service-worker.js"]

  /// Looks at a path as the router does, for which a further slash is none.
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
    // The lines of today are put off and dismissed; what is told, and how, is chosen at the computer.
    if first == "nudges" { return isReading || segments.count == 3 }
    guard first == "settings", segments.count > 1 else { return true }
    return settings.contains(segments[1])
  }

  static let refusal = WebFailure(
    .forbidden, "Only on the computer",
    "A paired device can read, add, change and ask. To do this, open Arkived on the computer."
  )
}

/// Lets in only the right Host and Origin, and only paired devices past the pages that pair.
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
    // A browser names the origin of every change; without it somebody else may be behind it.
    let changes = request.method != .get && request.method != .head
    guard !isBrowser || !changes || address.origin != nil else {
      throw WebFailure(
        .forbidden, "Origin missing", "A change must state which page it comes from.")
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
    // Who signs out revokes itself; where it is led on to tells nothing.
    guard call.goesOn || response.body.contentLength == 0 else { throw Self.unauthorised }
    response.body = call.guarding(response.body)
    // What was done is done, whether or not the visit can be noted.
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

  /// What a request holds, and whether a browser holds it for its owner.
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
  /// What a browser keeps of a token.
  func cookie(_ token: String) -> Cookie {
    Cookie(
      name: cookieName, value: token, maxAge: PhoneDoor.cookieDays * 86_400, path: "/",
      secure: true, httpOnly: true, sameSite: .strict)
  }
}
