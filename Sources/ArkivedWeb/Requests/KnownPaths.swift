import HTTPTypes
import Hummingbird

/// Answers a method that a known address does not support with the supported ones (405 and `Allow`,
/// RFC 9110 §15.5.6).
///
/// A browser that opens the address of a form again, as it does when it restores a tab, is sent to
/// the page with the form. It must come after all routes.
struct KnownPaths: RouterMiddleware {
  private let paths: [(segments: [Substring], methods: [String])]

  init(_ routes: some Sequence<(path: String, method: HTTPRequest.Method)>) {
    var order: [String] = []
    var methods: [String: [String]] = [:]
    for route in routes {
      if methods[route.path] == nil { order.append(route.path) }
      methods[route.path, default: []].append(route.method.rawValue)
      if route.method == .get { methods[route.path]?.append("HEAD") }
    }
    paths = order.map { ($0.split(separator: "/"), methods[$0] ?? []) }
  }

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let segments = request.uri.path.split(separator: "/")
    let allowed = methods(of: segments)
    guard !allowed.isEmpty, !allowed.contains(request.method.rawValue) else {
      return try await next(request, context)
    }
    if let page = page(above: segments, for: request) { return .seeOther(page) }
    var failure = WebFailure(
      .methodNotAllowed, "Method not allowed",
      "This address accepts only \(allowed.sorted().joined(separator: ", ")).")
    failure.allow = allowed.sorted().joined(separator: ", ")
    throw failure
  }

  /// Returns the methods that an address supports; empty if it is unknown.
  private func methods(of segments: some Collection<Substring>) -> Set<String> {
    let fitting = paths.filter { path in
      path.segments.count == segments.count
        && zip(path.segments, segments).allSatisfy { Self.isOpen($0) || $0 == $1 }
    }
    // A literal path component is not an ID: /terms/active.
    let least = fitting.map { $0.segments.filter(Self.isOpen).count }.min()
    var methods: Set<String> = []
    for path in fitting where path.segments.filter(Self.isOpen).count == least {
      methods.formUnion(path.methods)
    }
    return methods
  }

  /// The first components of addresses that aren't pages, and have none above them.
  private static let apart: Set<Substring> = ["api", "mcp", "events", "assets"]

  /// The pages of forms whose addresses aren't below those of their pages.
  private static let elsewhere: [String: String] = [
    "/settings/prompts": TemplatePageController.href, "/settings/tag-proposals": "/settings/tags",
  ]

  /// Returns the page that contains the form of an address, if a browser navigates to it.
  private func page(above segments: [Substring], for request: Request) -> String? {
    // Scripts that read a page again ask for HTML alone, and programs for anything.
    guard request.method == .get || request.method == .head,
      request.headers[.accept]?.contains("application/xhtml+xml") == true,
      let first = segments.first, !Self.apart.contains(first)
    else { return nil }
    if let page = Self.elsewhere[request.uri.path] { return page }
    // An attachment's address is the file itself.
    guard first != "attachments" else { return "/" }
    for count in stride(from: segments.count - 1, through: 1, by: -1)
    where methods(of: segments.prefix(count)).contains("GET") {
      return "/" + segments.prefix(count).joined(separator: "/")
    }
    return "/"
  }

  /// Returns true if a path component matches any text.
  private static func isOpen(_ segment: Substring) -> Bool {
    segment.hasPrefix(":") || segment.hasPrefix("{")
  }
}
