import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of `/api/v1/imports`.
struct ImportController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  /// The size limit of an upload in bytes; larger attachments are imported on the command line.
  static let uploadLimit = 256 << 20

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/imports", use: list)
    group.post("/imports", use: upload)
    group.get("/imports/duplicates", use: duplicates)
    group.post("/imports/duplicates/merge", use: merge)
    group.post("/imports/duplicates/keep", use: keepApart)
    group.post("/imports/:id/undo", use: undo)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let runs = try await offServer { try archive.importRuns() }
    return Response(json: ["runs": .array(runs.map(\.json))])
  }

  /// Receives one or more files as multipart/form-data and imports each, up to the first that fails.
  @Sendable func upload(_ request: Request, context: WebContext) async throws -> Response {
    let (files, scratch, fields) = try await ReceivedFiles.receive(request)
    guard !files.isEmpty else {
      ScratchFolders.remove(scratch)
      throw WebFailure(.badRequest, "No files", "No file was sent. Choose a file and try again.")
    }
    do {
      let places = try fields["places"].map { try PlaceChoice.read($0) }
      // A resent form may have another boundary, so its files identify the request.
      let key = try RepeatedRequests.key(
        request,
        asking: files.flatMap { Array("\($0.name)\n\($0.hash)\n".utf8) }
          + Array((places?.rawValue ?? "").utf8))
      let answer = try await repeated.answer(key) {
        let job = ImportJob(
          archive: archive, homeZone: zone, placeNames: PlaceNames.installed(), places: places)
        let runs = try Self.importing(files, with: job)
        return KeptAnswer(["runs": .array(runs.map(\.json))], status: .created)
      }
      try await offServer { ScratchFolders.remove(scratch) }
      return Response(answer)
    } catch let partial as PartialImport {
      try? await offServer { ScratchFolders.remove(scratch) }
      return partial.response
    } catch {
      try? await offServer { ScratchFolders.remove(scratch) }
      throw error
    }
  }

  /// Imports files one after another.
  ///
  /// - Returns: the runs.
  /// - Throws: `PartialImport` if a file fails after something was imported, otherwise what
  ///   `ImportJob.run` throws.
  private static func importing(
    _ files: [ReceivedFiles.File], with job: ImportJob
  ) throws -> [ImportRun] {
    var runs: [ImportRun] = []
    for file in files {
      do {
        runs += try job.run(file.url, named: file.name)
      } catch {
        let interruption = error as? ImportInterruption
        runs += interruption?.published ?? []
        guard !runs.isEmpty else { throw error }
        throw PartialImport(runs: runs, cause: interruption?.cause ?? error)
      }
    }
    return runs
  }

  /// An upload that failed after a part of it had been imported, which is kept.
  private struct PartialImport: Error {
    let runs: [ImportRun]
    let cause: any Error

    /// A problem document that also lists the completed runs.
    var response: Response {
      let reason = WebFailure(cause)
      let sentence = reason.detail.replacingOccurrences(of: " Nothing was changed.", with: "")
      var failure = WebFailure(
        reason.status, "Only part of it was imported",
        "\(sentence) What had been imported before that is kept.", field: reason.field)
      failure.retryAfter = reason.retryAfter
      var response = Response(problem: failure)
      let document = failure.problem.with(["runs": .array(runs.map(\.json))])
      response.body = .init(byteBuffer: ByteBuffer(bytes: document.bytes()))
      return response
    }
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    let answer = try await repeated.answer(key, keeps: true) {
      let change = try archive.importRun(matching: id.uuidString).changeID
      return try archive.undo(change, once: key) { KeptAnswer($0.json) }
    }
    return Response(answer)
  }

  // MARK: Possible duplicates

  @Sendable func duplicates(_ request: Request, context: WebContext) async throws -> Response {
    let limit = try request.arguments { fields throws(FieldError) in
      let limit = try fields.int("limit") ?? 200
      guard (1...1_000).contains(limit) else {
        throw FieldError("limit", "is \(limit), but must be between 1 and 1000")
      }
      return limit
    }
    let pairs = try await offServer { try archive.nearDuplicates(limit: limit) }
    return Response(json: ["duplicates": .array(pairs.map(\.json))])
  }

  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let (kept, other) = try Self.pair("kept", "other", in: object)
        return try archive.mergeActivity(other, into: kept, once: key) { saved in
          KeptAnswer(["merged": saved.value.json, "changeId": JSON(saved.change?.id.uuidString)])
        }
      })
  }

  @Sendable func keepApart(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key) {
        let (one, other) = try Self.pair("one", "other", in: object)
        try archive.keepApart(one, other)
        return KeptAnswer(["kept": true])
      })
  }

  private static func pair(
    _ first: String, _ second: String, in object: JSONObject
  ) throws -> (UUID, UUID) {
    var fields = FieldReader(object)
    guard let one = try fields.uuid(first) else { throw FieldError(first, "is missing") }
    guard let other = try fields.uuid(second) else { throw FieldError(second, "is missing") }
    try fields.refuseUnknown()
    return (one, other)
  }
}
