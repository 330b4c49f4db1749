import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// Where a program with an agent's token may go: it reads, adds and proposes, and nothing else.
enum AgentRoutes {
  /// What a program reads is the archive, not who else is let in, not what goes on in pages, and not
  /// where it is kept or comes from: whoever has a calendar's address may read it for ever; and not
  /// all of it at once.
  private static let closed: Set<String> = [
    "agents", "backups", "devices", "events", "export", "links", "retention", "storage", "syncs",
  ]
  private static let open: Set<String> = ["tools", "ask", "query", "activities"]

  /// Looks at a path as the router does, for which a further slash is none.
  ///
  /// - Parameter addsOnly: whether the program may add entries and nothing else.
  static func admit(_ request: Request, addsOnly: Bool = false) -> Bool {
    let segments = request.uri.path.split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    if addsOnly { return request.method == .post && segments == ["api", "v1", "activities"] }
    if segments == ["mcp"] { return true }
    guard segments.starts(with: ["api", "v1"]) else { return false }
    let rest = segments.dropFirst(2)
    switch request.method {
    case .get, .head: return rest.first.map { !closed.contains($0) } ?? true
    case .post:
      return rest.count == 1 && rest.first.map(open.contains) == true
        || rest.count == 2 && rest.first == "tools"
    default: return false
    }
  }

  static let refusalToAdder = WebFailure(
    .forbidden, "Not allowed for this token",
    "This token can only add entries with POST /api/v1/activities.")

  static let refusal = WebFailure(
    .forbidden, "Not allowed for programs",
    "A program’s token can read, add and propose. This is reserved for the owner: call a tool "
      + "that proposes it, and the owner approves it.")
}
