import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Converts every error to a response of the right kind: a problem document, or a page.
struct FailureMiddleware: RouterMiddleware {
  let pages: Pages
  /// The template of the sign-in page.
  var signIn = "login"

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      return try answer(error, to: request, isSignedIn: false)
    }
  }

  func answer(_ error: any Error, to request: Request, isSignedIn: Bool) throws -> Response {
    let failure = WebFailure(error)
    let path = request.uri.path
    if path.hasPrefix("/api/") || path == "/mcp" { return Response(problem: failure) }
    return try pages.failure(
      failure, isSignedIn: isSignedIn,
      keepsDraft: request.method == .post && Self.isDraft(path), signIn: signIn)
  }

  /// Returns true if a form with a draft is sent to a path: a line or a note of a day.
  private static func isDraft(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    let action = parts.dropFirst(2).joined(separator: "/")
    return parts.first == "day" && ["activities", "note", "note/line"].contains(action)
  }
}

/// Adds the headers of every response.
struct SecurityHeadersMiddleware: RouterMiddleware {
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    + "connect-src 'self'; manifest-src 'self'; media-src 'self'; form-action 'self'; "
    + "base-uri 'none'; frame-ancestors 'none'"

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    func set(_ name: String, _ value: String) {
      guard let name = HTTPField.Name(name), response.headers[name] == nil else { return }
      response.headers[name] = value
    }
    set("Content-Security-Policy", Self.policy)
    set("X-Content-Type-Options", "nosniff")
    set("X-Frame-Options", "DENY")
    // With no-referrer, browsers would send "Origin: null" with forms, which is refused here.
    set("Referrer-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
    set("Cache-Control", "no-store")
    return response
  }
}

/// Admits only requests with the right Host and Origin, and only the owner beyond the public pages.
struct DoorMiddleware: RouterMiddleware {
  let door: Door
  let failures: FailureMiddleware

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let address = try RequestAddress(request)
    guard door.admits(host: address.host) else {
      throw WebFailure(
        .misdirectedRequest, "Wrong address",
        "Arkived is only available at \(door.url). Open that address.")
    }
    try address.checkOrigin(.http)
    try ServerLimits.check(request)
    var context = context
    let path = request.uri.path
    if path.hasPrefix("/assets/") || path.hasPrefix("/login/") || path == "/service-worker.js" {
      return try await next(request, context)
    }
    // This is the empty window of the bookmark; its save request is checked like any change.
    if path == CapturePageController.path, [.get, .head].contains(request.method) {
      return try await next(request, context)
    }
    if let header = request.headers[.authorization] {
      guard let token = Door.bearer(header) else { throw door.refusal(unauthorised) }
      if door.isOwner(token: token) {
        context.admit(as: .owner)
        return try await next(request, context)
      }
      let door = door
      guard let agent = try await offServer({ try door.agent(token: token) }) else {
        throw door.refusal(unauthorised)
      }
      context.admit(as: .program)
      guard AgentRoutes.admit(request, addsOnly: agent.addsOnly) else {
        throw agent.addsOnly ? AgentRoutes.refusalToAdder : AgentRoutes.refusal
      }
      context.agent = agent
      let admitted = context
      return try await WorkerPool.$current.withValue(.programs) {
        try await next(request, admitted)
      }
    }
    guard let token = request.cookies[door.cookieName]?.value else { throw unauthorised }
    let door = door
    guard try await offServer({ try door.hasSession(token) }) else {
      throw door.refusal(unauthorised)
    }
    guard try door.admitsSession(from: context.client, to: context.server) else {
      throw door.refusal(Self.anotherAccount)
    }
    context.admit(as: .owner)
    // A browser names the origin of every change; without it, another site may be the sender.
    let changes = request.method != .get && request.method != .head
    guard !changes || address.origin != nil else {
      throw WebFailure(
        .forbidden, "Origin missing",
        "A request that changes something must state which page "
          + "it comes from.")
    }
    context.sessionToken = token
    do {
      return try await next(request, context)
    } catch {
      return try failures.answer(error, to: request, isSignedIn: true)
    }
  }

  private static var anotherAccount: WebFailure {
    WebFailure(
      .forbidden, "Wrong account",
      "This browser is running under a different account on this computer. Open Arkived from the "
        + "account that runs it.")
  }

  private var unauthorised: WebFailure {
    WebFailure(
      .unauthorized, "Please sign in",
      "Open Arkived from your applications, or run arkived open. Each login link works once.")
  }
}

extension Door {
  /// Returns the token of an `Authorization: Bearer` header (RFC 6750).
  static func bearer(_ header: String) -> String? {
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
