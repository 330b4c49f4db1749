import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/inbox`: the folder whose files become entries, for the owner's programs.
struct InboxController: Sendable {
  let archive: Archive

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/inbox", use: show)
    group.put("/inbox", use: set)
    group.delete("/inbox", use: remove)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    return Response(json: try await offServer { InboxBook(of: archive).json })
  }

  /// Makes a folder the inbox; files that are already in it are imported only if that is asked for.
  @Sendable func set(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let folder = try InboxBook.folder(try fields.required("folder"))
    let importsExisting = try fields.bool("importsExisting") ?? false
    try fields.refuseUnknown()
    let archive = archive
    return try await offServer {
      try InboxBook.check(folder, for: archive)
      let count = InboxBook.count(in: folder)
      guard count == 0 || importsExisting else {
        throw WebFailure(
          .conflict, "Files in the folder",
          "\(folder.path) already holds \(count) files. They would be imported and moved. To do "
            + "that, send importsExisting as true.", field: "importsExisting")
      }
      return Response(json: try InboxBook.choose(folder, for: archive).json)
    }
  }

  /// Stops using the inbox; the folder and its files stay.
  @Sendable func remove(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    return Response(
      json: try await offServer { try InboxBook.change(of: archive) { $0.folder = nil }.json })
  }
}
