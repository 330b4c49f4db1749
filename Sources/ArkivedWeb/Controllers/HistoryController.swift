import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/changes`.
struct HistoryController: Sendable {
  let archive: Archive

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/changes", use: list)
    group.post("/changes/:id/undo", use: undo)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let changes = try await offServer { try archive.changes(limit: 100) }
    return Response(json: ["changes": .array(changes.map(\.json))])
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let undone = try await offServer { try archive.undo(id) }
    return Response(json: undone.json)
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

/// `/api/v1/imports`.
struct ImportController: Sendable {
  let archive: Archive
  let zone: Zone

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
    let runs = try await offServer {
      let files = try MultipartForm(Data(body.readableBytesView), boundary: boundary).files
      guard !files.isEmpty else {
        throw WebFailure(.badRequest, "No files", "The form holds no file.")
      }
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("arkived-upload-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let job = ImportJob(archive: archive, homeZone: zone)
      var runs: [ImportRun] = []
      for (index, file) in files.enumerated() {
        // The name a browser sends is no path: only its last part names the file.
        let name = file.name.split(whereSeparator: { "/\\\0".contains($0) }).last ?? "upload"
        let isHidden = name.hasPrefix(".")
        let own = folder.appendingPathComponent("\(index)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let target = own.appendingPathComponent(
          isHidden ? "upload" : String(decoding: name.utf8.suffix(120), as: UTF8.self))
        try file.content.write(to: target)
        runs += try job.run(target, named: target.lastPathComponent)
      }
      return runs
    }
    return Response(json: ["runs": .array(runs.map(\.json))], status: .created)
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let undone = try await offServer {
      try archive.undo(try archive.importRun(matching: id.uuidString).changeID)
    }
    return Response(json: undone.json)
  }
}

/// The files of a multipart form (RFC 7578).
struct MultipartForm {
  struct File {
    var name: String
    var content: Data
  }

  private(set) var files: [File] = []

  static func boundary(_ contentType: String?) -> String? {
    guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else {
      return nil
    }
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2,
        pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "boundary"
      else { continue }
      let value = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
      return (1...70).contains(value.utf8.count) ? value : nil
    }
    return nil
  }

  /// - Throws: `WebFailure` when the body ends in the middle of a part.
  init(_ body: Data, boundary: String) throws {
    let delimiter = Data("--\(boundary)".utf8)
    guard var position = body.range(of: delimiter)?.upperBound else {
      throw WebFailure(.badRequest, "Broken form", "The form's boundary does not occur.")
    }
    while body[position...].starts(with: "\r\n".utf8) {
      guard let next = body.range(of: Data("\r\n".utf8) + delimiter, in: position..<body.endIndex),
        let headEnd = body.range(of: Data("\r\n\r\n".utf8), in: position..<next.lowerBound)
      else { throw WebFailure(.badRequest, "Broken form", "The form ends inside a part.") }
      let head = String(decoding: body[position..<headEnd.lowerBound], as: UTF8.self)
      if let name = Self.fileName(head) {
        files.append(File(name: name, content: body[headEnd.upperBound..<next.lowerBound]))
      }
      position = next.upperBound
    }
  }

  private static func fileName(_ head: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline)
    where line.lowercased().hasPrefix("content-disposition:") {
      guard let start = line.range(of: "filename=\"")?.upperBound else { continue }
      return String(line[start...].prefix { $0 != "\"" })
    }
    return nil
  }
}
