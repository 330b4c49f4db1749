import ArkivedCore
import HTTPTypes
import Hummingbird

/// Where a program with an agent's token may go: it reads, adds and proposes, and nothing else.
enum AgentRoutes {
  /// What a program reads is the archive, not who else is let in, and not what goes on in pages.
  private static let closed: Set<String> = ["/api/v1/agents", "/api/v1/events"]
  private static let open: Set<String> = [
    "/api/v1/tools", "/api/v1/ask", "/api/v1/activities",
  ]

  static func admit(_ request: Request) -> Bool {
    // The router passes over empty parts of a path, and so must what stands before it.
    let path = "/" + request.uri.path.split(separator: "/").joined(separator: "/")
    if path == "/mcp" { return true }
    switch request.method {
    case .get, .head:
      return (path == "/api/v1" || path.hasPrefix("/api/v1/")) && !closed.contains(path)
    case .post: return open.contains(path) || path.hasPrefix("/api/v1/tools/")
    default: return false
    }
  }

  static let refusal = WebFailure(
    .forbidden, "Not for programs",
    "An agent's token reads, adds and proposes. This is the owner's: call a tool that proposes it, "
      + "and the owner confirms it.")
}
