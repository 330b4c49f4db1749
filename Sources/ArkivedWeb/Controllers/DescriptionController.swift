import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1` and `/api/v1/openapi.json`.
struct DescriptionController: Sendable {
  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("", use: index)
    group.get("/openapi.json", use: description)
  }

  @Sendable func index(_ request: Request, context: WebContext) async throws -> Response {
    let paths = try JSON(parsing: PackageResources.openapi_json)["paths"]?.object?.keys ?? []
    return Response(json: [
      "name": "Arkived", "version": 1, "description": "/api/v1/openapi.json",
      "routes": JSON(paths.map { "/api/v1\($0)" }),
    ])
  }

  @Sendable func description(_ request: Request, context: WebContext) async throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
  }
}
