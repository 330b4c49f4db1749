import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/changes` and `/api/v1/history`.
struct HistoryController: Sendable {
  let archive: Archive
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/changes", use: list)
    group.post("/changes/:id/undo", use: undo)
    group.post("/history/:id/restore", use: restore)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let changes = try await offServer { try archive.changes(limit: 100) }
    return Response(json: ["changes": .array(changes.map(\.json))])
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    return Response(try await repeated.answer(key) { KeptAnswer(try archive.undo(id).json) })
  }

  /// Makes an old version the present one; `If-Match` names the version that it replaces.
  @Sendable func restore(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    let precondition = Precondition(request)
    let answer = try await repeated.answer(key) {
      let version = try archive.historyRecord(matching: id.uuidString)
      let change = try archive.restore(version) { current in
        _ = try precondition.version(current: current)
      }
      return KeptAnswer(["change": change.json])
    }
    return Response(answer)
  }
}

extension Archive.Undone {
  var json: JSON {
    [
      "undone": undid.json, "change": change.json, "removed": JSON(removed),
      "restored": JSON(restored), "kept": JSON(kept),
    ]
  }
}
