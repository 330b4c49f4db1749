import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes for programs with an agent's token, which can read, add and propose.
enum AgentRoutes {
  /// The first path components below `/api/v1` that programs can read; all others are closed, so a
  /// new route is closed until it is added here.
  ///
  /// Programs can read the archive, but not the list of programs and devices with access, the
  /// events of pages, or the archive's location, folders and sources, because anyone with a
  /// calendar's address can read it forever. They can't read the whole archive at once either.
  private static let readable: Set<String> = [
    "actions", "activities", "attachments", "backlinks", "brief", "changes", "complete", "days",
    "goals", "history", "imports", "index", "insights", "lifetime", "link-targets", "map",
    "matches", "meetings", "notes", "nudges", "openapi.json", "pending", "people", "photos",
    "preferences", "progress", "promises", "prompts", "query", "quick-add", "recap", "search",
    "tags", "templates", "terms", "threads", "time-zone", "tools", "values", "when",
  ]
  /// The first path components that programs can post to.
  ///
  /// Routes that keep their answers for repeated requests pass the program to
  /// `RepeatedRequests.key`.
  private static let open: Set<String> = ["tools", "ask", "query", "activities"]

  /// Returns true if a request is permitted, ignoring additional slashes in the path as the router
  /// does.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - addsOnly: true if the program may only add entries.
  /// - Returns: true if it is.
  static func admit(_ request: Request, addsOnly: Bool = false) -> Bool {
    let segments = request.uri.path.split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    if addsOnly { return request.method == .post && segments == ["api", "v1", "activities"] }
    if segments == ["mcp"] { return true }
    guard segments.starts(with: ["api", "v1"]) else { return false }
    let rest = segments.dropFirst(2)
    switch request.method {
    case .get, .head: return rest.first.map(readable.contains) ?? true
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
    "A program’s token can only read, add and propose. Only the owner can do this. Call a tool "
      + "that proposes it, and the owner can approve it.")
}
