import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// `/login/{code}` and `/logout`.
struct LoginController: Sendable {
  let door: Door
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/login/:code", use: signIn)
    router.post("/logout", use: signOut)
  }

  @Sendable func signIn(_ request: Request, context: WebContext) async throws -> Response {
    guard request.method == .get else { return Response(status: .ok) }
    let code = context.parameters.get("code") ?? ""
    guard let token = try await offServer({ try door.signIn(code: code) }) else {
      throw door.refusal(
        WebFailure(
          .forbidden, "This link was used already",
          "A login link works once and for \(Door.codeMinutes) minutes. Start arkived serve again "
            + "for a new one."))
    }
    var response = Response.seeOther("/")
    response.setCookie(
      Cookie(
        name: door.cookieName, value: token, maxAge: Door.sessionDays * 86_400, path: "/",
        secure: false, httpOnly: true, sameSite: .strict))
    return response
  }

  @Sendable func signOut(_ request: Request, context: WebContext) async throws -> Response {
    if let token = context.sessionToken {
      try await offServer { try door.signOut(token) }
    }
    var response = Response.seeOther("/")
    response.setCookie(
      Cookie(
        name: door.cookieName, value: "", maxAge: 0, path: "/", secure: false, httpOnly: true,
        sameSite: .strict))
    return response
  }
}
