import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/restore`: testing a backup, looking into it, and bringing one day back.
///
/// Replacing the archive and making another one aren't here: only a signed-in browser and the
/// command line can do that, so no leaked token can exchange a life for another. No agent's token
/// and no paired device has access.
struct RestoreController: Sendable {
  let settings: SettingsPages
  let desk: RestoreDesk

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/restore", use: show)
    group.post("/restore", use: start)
    group.post("/restore/unlock", use: unlock)
    group.post("/restore/day", use: day)
    group.post("/restore/cancel", use: cancel)
    group.post("/restore/dismiss", use: dismiss)
  }

  private var archive: Archive { settings.archive }

  // MARK: Reading

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return answer()
  }

  private func answer(_ status: HTTPResponse.Status = .ok) -> Response {
    Response(json: ["job": desk.current?.json ?? .null], status: status)
  }

  // MARK: Choosing a backup

  /// Starts reading a backup: an uploaded file, or one of the list.
  @Sendable func start(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    // Media types may be written in any case (RFC 9110 §8.3.1).
    guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/") == true else {
      var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
      let path = try fields.required("path")
      let purpose = try Self.purpose(try fields.string("purpose"))
      try fields.refuseUnknown()
      try await offServer {
        try begin(try BackupController.listed(path, in: archive), for: purpose)
      }
      return answer(.accepted)
    }
    let (files, scratch, fields) = try await ReceivedFiles.receive(request)
    do {
      guard let file = files.first, files.count == 1 else {
        throw WebFailure(
          .badRequest, "No file", "Send one backup. \(files.count) files arrived.")
      }
      let purpose = try Self.purpose(fields["purpose"])
      try await offServer { try begin(file.url, for: purpose, scratch: scratch) }
    } catch {
      try? await offServer { ScratchFolders.remove(scratch) }
      throw error
    }
    return answer(.accepted)
  }

  private func begin(
    _ file: URL, for purpose: RestoreDesk.Purpose, scratch: URL? = nil
  ) throws {
    do {
      try desk.start(file, for: purpose, scratch: scratch)
    } catch ArchiveError.busy(let what) {
      var failure = WebFailure(.conflict, "Already in progress", what)
      failure.retryAfter = 10
      throw failure
    }
  }

  private static func purpose(_ text: String?) throws(FieldError) -> RestoreDesk.Purpose {
    guard let text else { return .restore }
    guard let purpose = RestoreDesk.Purpose(rawValue: text) else {
      throw FieldError("purpose", "is \(FieldError.shown(text)), but must be test or restore")
    }
    return purpose
  }

  /// Gives the passphrase or the secret key that the file needs.
  @Sendable func unlock(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 17))
    let job = try Self.job(&fields)
    let (passphrase, key) = (try fields.string("passphrase"), try fields.string("key"))
    try fields.refuseUnknown()
    guard let secret = passphrase ?? key, passphrase == nil || key == nil else {
      throw FieldError("passphrase", "or a key is missing. Give one of them")
    }
    do {
      let unlocks = try MergePageController.unlocks(secret, isForKey: key != nil)
      try desk.unlock(job, with: unlocks)
    } catch let failure as AgeFailure {
      throw WebFailure(
        .unprocessableContent, "Invalid value", failure.description,
        field: key == nil ? "passphrase" : "key")
    }
    return answer(.accepted)
  }

  private static func job(_ fields: inout FieldReader) throws(FieldError) -> UUID {
    guard let job = try fields.uuid("job") else {
      throw FieldError("job", "is missing. GET /api/v1/restore tells it")
    }
    return job
  }

  // MARK: Restoring

  /// Brings one day back into this archive, as an import that can be undone.
  @Sendable func day(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let job = try Self.job(&fields)
    guard let day = try fields.day("day") else { throw FieldError("day", "is missing") }
    try fields.refuseUnknown()
    try desk.restore(job, .day(day))
    return answer(.accepted)
  }

  @Sendable func cancel(_ request: Request, context: WebContext) async throws -> Response {
    desk.cancel(try await Self.onlyJob(request))
    return answer()
  }

  @Sendable func dismiss(_ request: Request, context: WebContext) async throws -> Response {
    let job = try await Self.onlyJob(request)
    let desk = desk
    try await offServer { desk.dismiss(job) }
    return answer()
  }

  private static func onlyJob(_ request: Request) async throws -> UUID {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let job = try job(&fields)
    try fields.refuseUnknown()
    return job
  }
}

extension RestoreDesk.Job {
  fileprivate var json: JSON {
    var isForKey: Bool?
    if case .locked(let key) = stage { isForKey = key }
    return [
      "id": .string(id.uuidString), "name": .string(name), "purpose": .string(purpose.rawValue),
      "stage": .string(stageName), "needsKey": isForKey.map { .bool($0) } ?? .null,
      "share": progress.map { JSON($0.fraction) } ?? .null, "isCancelled": .bool(isCancelled),
      "contents": contents?.json ?? .null, "replacesSomething": .bool(replacesSomething),
      "outcome": outcome?.json ?? .null, "problem": JSON(problem),
    ]
  }

  private var stageName: String {
    switch stage {
    case .reading: "reading"
    case .locked: "locked"
    case .ready: "ready"
    case .working: "working"
    case .ended: "ended"
    }
  }
}

extension RestoreDesk.Outcome {
  fileprivate var json: JSON {
    switch self {
    case .tested(let test): ["kind": "tested", "test": test.json]
    case .replaced(let outcome):
      ["kind": "replaced", "safetyCopy": JSON(outcome.safetyCopy?.path)]
    case .beside(let folder): ["kind": "beside", "folder": .string(folder.path)]
    case .moved(let report, let folder):
      ["kind": "moved", "report": report.json, "folder": JSON(folder?.path)]
    case .day(let day, let runs):
      ["kind": "day", "dayKey": JSON(day), "runs": .array(runs.map(\.json))]
    }
  }
}
