import HTTPTypes
import Hummingbird

/// Marks the answers to a browser that sends lines which waited there.
///
/// The browser reveals and discards such a line only if the mark shows that Arkived answers,
/// because another program may listen at the same address by now. A script can't see the headers of
/// a redirect, so an empty answer takes its place.
struct WaitingLineMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    guard request.headers[.waitingLine] != nil else { return response }
    response.headers[.waitingLine] = "1"
    if response.status == .seeOther {
      response.status = .ok
      response.headers[.location] = nil
    }
    return response
  }
}
