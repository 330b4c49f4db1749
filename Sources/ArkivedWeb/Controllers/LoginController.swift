import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/login/{code}`, `/logout`, and `/api/v1/login`, which creates a link for another
/// browser.
struct LoginController: Sendable {
  let door: Door
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/login/:code", use: signIn)
    router.post("/logout", use: signOut)
  }

  func addRoutes(to group: RouterGroup<WebContext>) { group.post("/login", use: makeLink) }

  /// `DoorMiddleware` admits no programs to this route.
  @Sendable func makeLink(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(json: ["login": .string(door.makeLoginLink())], status: .created)
  }

  @Sendable func signIn(_ request: Request, context: WebContext) async throws -> Response {
    guard request.method == .get else { return Response(status: .ok) }
    // Another site may load this address as an image or a frame. That must not count as a failed
    // sign-in.
    let isFromElsewhere = request.headers[.name("Sec-Fetch-Site")] == "cross-site"
    let destination = request.headers[.name("Sec-Fetch-Dest")]
    guard !isFromElsewhere || destination == nil || destination == "document" else {
      throw Self.unusable
    }
    let code = context.parameters.get("code") ?? ""
    guard let token = try await offServer({ try door.signIn(code: code) }) else {
      throw door.refusal(Self.unusable)
    }
    // A redirect after a request from elsewhere, such as the private file that `arkived open`
    // passes to a browser, would not carry the strict cookie, so the page navigates by itself.
    var response = isFromElsewhere ? Response(html: Self.goOn) : Response.seeOther("/")
    response.setCookie(
      Cookie(
        name: door.cookieName, value: token, maxAge: Door.sessionDays * 86_400, path: "/",
        secure: false, httpOnly: true, sameSite: .strict))
    return response
  }

  private static var unusable: WebFailure {
    WebFailure(
      .forbidden, "This link no longer works",
      "A login link works once, within \(Door.codeMinutes) minutes. Open Arkived from your applications, or "
        + "run arkived open.")
  }

  private static var goOn: String {
    """
    <!doctype html>
    <html lang="\(Language.current.code)"><meta charset="utf-8"><meta http-equiv="refresh" \
    content="0; url=/">
    <title>Arkived</title><p><a href="/">\(said("Continue to your archive"))</a></p></html>
    """
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
