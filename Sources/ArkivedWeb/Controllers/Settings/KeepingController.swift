import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/storage`, `/api/v1/export` and `/api/v1/retention`: the settings'
/// operations for maintaining the archive, for the owner's programs.
///
/// No agent's token and no paired device has access.
struct KeepingController: Sendable {
  let settings: SettingsPages
  let checkDesk: CheckDesk

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/storage", use: storage)
    group.post("/storage/check", use: check)
    group.post("/storage/repair", use: repair)
    group.get("/export", use: ExportController(settings: settings).save)
    group.get("/retention", use: retention)
    group.put("/retention", use: keep)
  }

  private var archive: Archive { settings.archive }

  // MARK: Storage

  @Sendable func storage(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let (report, kept) = try await offServer {
      (try archive.storageReport(), archive.lastCheck())
    }
    let check = kept ?? checkDesk.last
    var counts = JSONObject()
    for (kind, count) in report.counts { counts[kind] = JSON(count) }
    let snapshots = report.snapshots.map { snapshot -> JSON in
      [
        "name": .string(snapshot.name), "bytes": JSON(snapshot.bytes),
        "madeAt": JSON(snapshot.madeAt),
      ]
    }
    return Response(json: [
      "folder": JSON(report.folder), "schema": .string(report.schema),
      "archiveBytes": JSON(report.archiveBytes),
      "attachmentBytes": JSON(report.attachmentBytes),
      "attachmentCount": JSON(report.attachmentCount), "indexBytes": JSON(report.indexBytes),
      "thumbnailBytes": JSON(report.thumbnailBytes), "freeBytes": JSON(report.freeBytes),
      "counts": .object(counts),
      "snapshots": .array(snapshots),
      "isChecking": .bool(checkDesk.isRunning), "problem": JSON(checkDesk.problem),
      "repairs": JSON(DoctorJob.repairs(for: check?.findings ?? []).map(\.rawValue)),
      "repaired": JSON((checkDesk.mended?.repaired ?? []).map(\.rawValue)),
      "safetyCopy": JSON(checkDesk.mended?.safetyCopy?.path),
      "check": check.map(Self.told) ?? .null,
    ])
  }

  private static func told(_ check: KeptCheck) -> JSON {
    [
      "at": JSON(check.at), "isWell": .bool(check.isWell),
      "findings": .array(check.findings.map(\.json)),
    ]
  }

  /// Starts a check unless one is running; `GET /storage` reports its result.
  @Sendable func check(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    checkDesk.start()
    return Response(json: ["isChecking": .bool(checkDesk.isRunning)], status: .accepted)
  }

  /// Starts repairs that the last check proposed; `GET /storage` reports their result.
  @Sendable func repair(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let names = try fields.strings("repairs") ?? []
    try fields.refuseUnknown()
    let repairs = try names.map { name in
      guard let repair = DoctorJob.Repair(rawValue: name) else {
        let all = DoctorJob.Repair.allCases.map(\.rawValue).joined(separator: ", ")
        throw FieldError("repairs", "has \(FieldError.shown(name)), but must be of: \(all)")
      }
      return repair
    }
    guard !repairs.isEmpty else {
      throw FieldError("repairs", "is empty. Name what to repair")
    }
    try checkDesk.mend(repairs)
    return Response(json: ["isChecking": .bool(checkDesk.isRunning)], status: .accepted)
  }

  // MARK: History retention

  @Sendable func retention(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    return Response(json: try await offServer { try archive.retention().json })
  }

  /// Sets the whole value: a number of days, or null forever.
  @Sendable func keep(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let retention = Retention(
      versionDays: try fields.int("versions"), deletedDays: try fields.int("deleted"))
    try fields.refuseUnknown()
    let archive = archive
    return Response(
      json: try await offServer {
        try archive.setRetention(retention)
        return try archive.retention().json
      })
  }
}
