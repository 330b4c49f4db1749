import HTTPTypes
import Hummingbird

/// The server that a request names, and the origin of the page that sent it.
struct RequestAddress {
  /// The value of its only Host header.
  let host: String
  /// The value of its Origin header; nil if it has none.
  let origin: String?

  /// Reads the address of a request.
  ///
  /// - Throws: `WebFailure` 400 for a request that doesn't name exactly one host, 403 for one with
  ///   several origins.
  init(_ request: Request) throws(WebFailure) {
    // Additional Host headers stay among the others.
    guard let host = request.head.authority, !host.isEmpty, request.headers[.name("Host")] == nil
    else {
      throw WebFailure(
        .badRequest, "Ambiguous address",
        "A request must have exactly one Host header, and it must name this server.")
    }
    let origins = request.headers[values: .origin]
    guard origins.count <= 1 else { throw Self.otherOrigin }
    self.host = host
    origin = origins.first
  }

  /// Throws `WebFailure` 403 for a request from a page whose origin isn't the host that the request
  /// names.
  ///
  /// - Parameter scheme: the scheme of the server's addresses.
  /// - Throws: `WebFailure` 403.
  func checkOrigin(_ scheme: RequestTargetHandler.Scheme) throws(WebFailure) {
    guard let origin, origin != "\(scheme.rawValue)://\(host)" else { return }
    throw Self.otherOrigin
  }

  private static let otherOrigin = WebFailure(
    .forbidden, "Wrong origin", "Another website made this request in your name. It was blocked.")
}
