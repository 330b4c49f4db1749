import HTTPTypes
import Hummingbird

/// Marks the answers to a browser that sends lines, notes and recordings which waited there.
///
/// The browser reveals and discards them only if the mark shows that Arkived answers, because
/// another program may listen at the same address by now. A service worker can't see the headers of
/// a redirect, so an empty answer takes its place. A page follows it, and its mark says so.
struct WaitingLineMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    guard let mark = request.headers[.waitingLine] else { return response }
    response.headers[.waitingLine] = "1"
    if mark != "page", response.status == .seeOther {
      response.status = .ok
      response.headers[.location] = nil
    }
    return response
  }
}
