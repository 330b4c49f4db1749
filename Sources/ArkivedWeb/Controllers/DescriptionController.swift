import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of `/api/v1` and `/api/v1/openapi.json`.
struct DescriptionController: Sendable {
  /// The OpenAPI description.
  static var content: [UInt8] { WebFiles.content("openapi.json") }

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("", use: index)
    group.get("/openapi.json", use: description)
  }

  /// Returns every route with its method, its path and a sentence; `routes` lists the paths alone.
  @Sendable func index(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let paths = try JSON(parsing: Self.content)["paths"]?.object
    let endpoints = paths?.members.flatMap { path, operations in
      (operations.object?.members ?? []).map { method, operation -> JSON in
        [
          "method": .string(method.uppercased()),
          "path": .string(path == "/" ? "/api/v1" : "/api/v1\(path)"),
          "summary": .string("\(operation["summary"]?.string ?? "")."),
        ]
      }
    }
    return Response(json: [
      "name": "Arkived", "version": 1, "description": "/api/v1/openapi.json",
      "routes": JSON((paths?.keys ?? []).map { "/api/v1\($0)" }),
      "endpoints": .array(endpoints ?? []),
    ])
  }

  @Sendable func description(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: Self.content)))
  }
}
