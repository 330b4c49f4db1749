import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/backups` and of `/api/v1/move`, which need a folder or a key.
///
/// No agent's token and no paired device has access.
struct BackupController: Sendable {
  let settings: SettingsPages
  let desk: BackupDesk

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/backups", use: list)
    group.post("/backups", use: make)
    group.get("/backups/file", use: download)
    group.put("/backups/plan", use: plan)
    group.delete("/backups/plan", use: off)
    group.post("/backups/once", use: once)
    group.post("/backups/accept", use: accept)
    group.post("/backups/compare", use: compare)
    group.get("/move", use: moved)
    group.post("/move/pack", use: pack)
    group.post("/move/leave", use: leave)
    group.post("/move/stay", use: stay)
  }

  private var archive: Archive { settings.archive }

  private func finding(of book: BackupBook) -> Archive.Finding {
    book.finding(now: archive.clock.now, zone: settings.entries.homeZone)
  }

  // MARK: Reading

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    let (book, rows, listing) = try await offServer {
      let book = BackupBook(of: archive)
      return (book, book.entries.map { ($0, $0.isThere) }, BackupListing(of: archive))
    }
    let backups = rows.map { entry, isThere -> JSON in
      entry.json.with(["isThere": .bool(isThere)])
    }
    return Response(json: [
      "state": finding(of: book).json, "plan": book.plan?.json ?? .null,
      "backups": .array(backups), "files": .array(listing.items.map(\.json)),
      "work": work, "outcome": outcome,
    ])
  }

  private var work: JSON {
    desk.current.map { ["kind": .string("\($0.work)"), "share": JSON($0.share)] } ?? .null
  }

  private var outcome: JSON {
    desk.outcome.map {
      ["sentence": .string($0.sentence), "isGood": .bool($0.isGood)]
    } ?? .null
  }

  /// Returns a listed backup as a file, as it was encrypted.
  @Sendable func download(_ request: Request, context: WebContext) async throws -> Response {
    let path = try request.arguments { fields throws(FieldError) in try fields.required("path") }
    let archive = archive
    let url = try await offServer { try Self.listed(path, in: archive) }
    let headers: HTTPFields = [
      .contentType: "application/octet-stream",
      .contentDisposition: Response.disposition(url.lastPathComponent),
    ]
    // Nothing of it is read for a request that asks only for its size.
    let file = try await offServer { try PlainFile(url) }
    return Response(download: file, headers)
  }

  /// Returns the file of a backup, which must be in the list: a program can't name any other file.
  ///
  /// - Throws: `ArchiveError.notFound` if it isn't listed, or is gone.
  static func listed(_ path: String, in archive: Archive) throws -> URL {
    guard let item = BackupListing(of: archive).items.first(where: { $0.path == path }) else {
      throw ArchiveError.notFound("No backup in the list has the path \(FieldError.shown(path)).")
    }
    guard item.isThere else {
      throw ArchiveError.notFound("The backup \(FieldError.shown(path)) is gone.")
    }
    return URL(fileURLWithPath: item.path)
  }

  // MARK: Making backups

  /// Starts a backup according to the plan; `GET /backups` reports its result.
  @Sendable func make(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    let hasPlan = try await offServer { BackupBook(of: archive).plan != nil }
    guard hasPlan else {
      throw WebFailure(
        .conflict, "No backup schedule",
        "Backups made over the API go to the folder in your backup schedule, but you don’t have "
          + "a schedule yet. To create one: arkived backup schedule --folder DIR --to KEY")
    }
    try Self.begin { desk.make() }
    return Response(json: ["work": "making"], status: .accepted)
  }

  /// Starts one backup with a passphrase, in a folder.
  @Sendable func once(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let (folder, passphrase) = (try fields.string("folder"), try fields.required("passphrase"))
    try fields.refuseUnknown()
    try NewPassphrase.check(passphrase)
    let url = try await offServer { try BackupPageController.folder(folder) }
    try Self.begin { desk.make(in: url, passphrase: passphrase) }
    return Response(json: ["work": "making"], status: .accepted)
  }

  /// Starts comparing the last backup with the data verified when it was created.
  @Sendable func compare(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    try Self.begin { desk.compare() }
    return Response(json: ["work": "comparing"], status: .accepted)
  }

  /// Starts work.
  ///
  /// - Throws: `WebFailure` 409 if other work is in progress.
  static func begin(_ work: () -> Bool) throws {
    guard work() else {
      var failure = WebFailure(
        .conflict, "Already in progress",
        "A backup is being made or verified. Wait until it’s done.")
      failure.retryAfter = 10
      throw failure
    }
  }

  /// Accepts backups that lack something the one before had, so older ones are removed again.
  @Sendable func accept(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    let book = try await offServer {
      try BackupBook.change(of: archive) { _ = $0.acceptLosses() }
    }
    return Response(json: ["state": finding(of: book).json])
  }

  // MARK: Schedule

  /// Sets the schedule; fields that aren't given stay as they are.
  @Sendable func plan(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let (folder, days) = (try fields.string("folder"), try fields.int("days"))
    let keys = try fields.strings("recipients") ?? []
    try fields.refuseUnknown()
    if let days, !(1...1_000).contains(days) {
      throw FieldError("days", "is \(days), but must be between 1 and 1000")
    }
    let recipients = try keys.map { key in
      guard let recipient = try? AgeRecipient(key) else {
        throw FieldError(
          "recipients", "is \(FieldError.shown(key)), but must be a public key (age1…)")
      }
      return recipient
    }
    let archive = archive
    let book = try await offServer {
      guard BackupBook(of: archive).plan != nil else {
        guard !recipients.isEmpty else {
          throw FieldError(
            "recipients", "is missing. Give at least one public key (age1…) for a new schedule")
        }
        return try BackupBook.plan(
          of: archive, folder: try BackupPageController.folder(folder).path,
          recipients: recipients, days: days)
      }
      return try BackupBook.plan(
        of: archive, folder: try folder.map { try BackupPageController.folder($0).path },
        recipients: recipients, days: days)
    }
    return Response(json: ["plan": book.plan?.json ?? .null])
  }

  /// Ends automatic backups; existing ones are kept.
  @Sendable func off(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    _ = try await offServer { try BackupBook.removePlan(of: archive) }
    return Response(json: ["plan": .null])
  }

  // MARK: Another computer

  @Sendable func moved(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await departure()
  }

  private func departure(_ status: HTTPResponse.Status = .ok) async throws -> Response {
    let archive = archive
    // Asked before the archive: what has been done by now is then in it.
    let (packed, work, outcome) = (desk.packed, work, outcome)
    let (departure, changes) = try await offServer {
      (try archive.departure(), try archive.changesSincePacking())
    }
    return Response(
      json: [
        "moved": departure?.json ?? .null, "changesSincePacking": JSON(changes),
        "packed": packed?.json ?? .null, "work": work, "outcome": outcome,
      ], status: status)
  }

  /// Starts packing the archive for another computer; `GET /move` reports the result.
  @Sendable func pack(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let (folder, passphrase) = (try fields.string("folder"), try fields.required("passphrase"))
    let withSecrets = try fields.bool("withSecrets") ?? true
    try fields.refuseUnknown()
    try NewPassphrase.check(passphrase)
    let url = try await offServer { try BackupPageController.folder(folder) }
    try Self.begin { desk.pack(into: url, passphrase: passphrase, withSecrets: withSecrets) }
    return Response(json: ["work": "packing"], status: .accepted)
  }

  /// Marks the archive as moved; from then on, it can only be read here, until `POST /move/stay`.
  @Sendable func leave(_ request: Request, context: WebContext) async throws -> Response {
    var fields = FieldReader(try await request.jsonObject(limit: 1 << 16))
    let name = try MovePageController.name(try fields.required("destination"))
    try fields.refuseUnknown()
    let archive = archive
    _ = try await offServer { try archive.leave(for: name) }
    return try await departure()
  }

  @Sendable func stay(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    _ = try await offServer { try archive.stay() }
    return try await departure()
  }
}
