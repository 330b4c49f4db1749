import HTTPTypes
import Hummingbird

/// Answers a method that a known address does not support with the supported ones (405 and `Allow`,
/// RFC 9110 §15.5.6).
///
/// It must come after all routes.
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
    let fitting = paths.filter { path in
      path.segments.count == segments.count
        && zip(path.segments, segments).allSatisfy { Self.isOpen($0) || $0 == $1 }
    }
    // A literal path component is not an ID: /terms/active.
    let least = fitting.map { $0.segments.filter(Self.isOpen).count }.min()
    var allowed: Set<String> = []
    for path in fitting where path.segments.filter(Self.isOpen).count == least {
      allowed.formUnion(path.methods)
    }
    guard !allowed.isEmpty, !allowed.contains(request.method.rawValue) else {
      return try await next(request, context)
    }
    var failure = WebFailure(
      .methodNotAllowed, "Method not allowed",
      "This address accepts only \(allowed.sorted().joined(separator: ", ")).")
    failure.allow = allowed.sorted().joined(separator: ", ")
    throw failure
  }

  /// Returns true if a path component matches any text.
  private static func isOpen(_ segment: Substring) -> Bool {
    segment.hasPrefix(":") || segment.hasPrefix("{")
  }
}
