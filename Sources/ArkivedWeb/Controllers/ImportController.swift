import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/imports`.
struct ImportController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  /// Larger files come in at the command line.
  static let uploadLimit = 256 << 20

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/imports", use: list)
    group.post("/imports", use: upload)
    group.post("/imports/:id/undo", use: undo)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let runs = try await offServer { try archive.importRuns() }
    return Response(json: ["runs": .array(runs.map(\.json))])
  }

  /// Takes one or more files as multipart/form-data and imports each.
  @Sendable func upload(_ request: Request, context: WebContext) async throws -> Response {
    guard let boundary = MultipartForm.boundary(request.headers[.contentType]) else {
      throw WebFailure(
        .unsupportedMediaType, "No files", "Send files as multipart/form-data.")
    }
    let body = try await request.body.collect(upTo: Self.uploadLimit)
    let files = try MultipartForm(Data(body.readableBytesView), boundary: boundary).files
    guard !files.isEmpty else {
      throw WebFailure(.badRequest, "No files", "The form holds no file.")
    }
    // A repeated form may have another boundary; its files are what is asked.
    let key = try RepeatedRequests.key(
      request,
      asking: files.flatMap { Array("\($0.name)\n\(RepeatedRequests.hash($0.content))\n".utf8) })
    let answer = try await repeated.answer(key) {
      let runs = try run(files)
      return KeptAnswer(["runs": .array(runs.map(\.json))], status: .created)
    }
    return Response(answer)
  }

  private func run(_ files: [MultipartForm.File]) throws -> [ImportRun] {
    let (sources, scratch) = try Self.keep(files)
    defer { ScratchFolders.remove(scratch) }
    let job = ImportJob(archive: archive, homeZone: zone)
    return try sources.flatMap { try job.run($0.url, named: $0.name) }
  }

  /// Puts files that were sent into a folder of their own, which is to be removed afterwards.
  static func keep(
    _ files: [MultipartForm.File]
  ) throws -> (sources: [ImportDesk.Source], scratch: URL) {
    let folder = try ScratchFolders.make()
    do {
      let sources = try files.enumerated().map { index, file in
        // The name a browser sends is no path: only its last part names the file.
        let name = file.name.split(whereSeparator: { "/\\\0".contains($0) }).last ?? "upload"
        let isHidden = name.hasPrefix(".")
        let own = folder.appendingPathComponent("\(index)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let target = own.appendingPathComponent(
          isHidden ? "upload" : String(decoding: name.utf8.suffix(120), as: UTF8.self))
        try file.content.write(to: target)
        return ImportDesk.Source(url: target, name: target.lastPathComponent)
      }
      return (sources, folder)
    } catch {
      ScratchFolders.remove(folder)
      throw error
    }
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    let answer = try await repeated.answer(key) {
      KeptAnswer(
        try archive.undo(try archive.importRun(matching: id.uuidString).changeID).json)
    }
    return Response(answer)
  }
}
