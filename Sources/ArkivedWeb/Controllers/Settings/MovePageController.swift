import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page for moving the archive to another computer.
struct MovePageController: Sendable {
  let settings: SettingsPages
  let desk: BackupDesk

  private static let address = "/settings/backup/move"
  /// The longest name of a computer.
  private static let nameLimit = 200

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/backup/move", use: show)
    router.post("/settings/backup/move", use: pack)
    router.post("/settings/backup/move/leave", use: leave)
    router.post("/settings/backup/move/stay", use: stay)
  }

  private var archive: Archive { settings.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// Returns the page.
  ///
  /// `typed` is the folder that was typed, and the error in the form.
  private func page(
    typed: (folder: String, withSecrets: Bool, error: FieldError)? = nil,
    leaveError: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    // Asked before the archive: what has been done by now is then in it.
    let (current, packed, outcome) = (desk.current, desk.packed, desk.outcome)
    let (newest, departure, changes) = try await offServer {
      (
        try archive.newestChange(), try archive.departure(), try archive.changesSincePacking()
      )
    }
    var notices: [Notice] = []
    if current == nil, let outcome {
      notices.append(
        Notice(tone: outcome.isGood ? .success : .error, sentence: outcome.sentence))
    }
    var page: [String: Any] = [
      "isBusy": current != nil, "percent": Int((current?.share ?? 0) * 100),
      "percentText": PercentText.shown(Int((current?.share ?? 0) * 100)),
      "moveFolder": FormValue(typed?.folder ?? Self.defaultFolder),
      "withSecrets": typed?.withSecrets ?? true,
      "hasFolderError": typed?.error.field == "folder",
      "hasPassphraseError": typed?.error.field == "passphrase",
      "moveError": typed.map { BackupPageController.sentence($0.error) } ?? "",
      "hasPacked": packed != nil && current == nil,
      "wasPacked": changes != nil, "hasMoved": departure != nil,
      "movedTo": ClippedText.of(departure?.destination ?? "", limit: 200),
      "movedISO": departure?.at.description ?? "",
      "moved": departure.map { settings.entries.moment($0.at) } ?? "",
      "hasLeaveError": leaveError != nil, "leaveError": leaveError ?? "",
      "hasLater": (changes ?? 0) > 0,
      "laterLine": said(
        changes ?? 0,
        one: "\(changes ?? 0) change was made here after packing. Pack again to include it.",
        other: """
          \(SettingsPages.number(changes ?? 0)) changes were made here after packing. Pack again to include them.
          """),
    ]
    if let packed {
      let manifest = packed.backup.manifest
      page["packedFile"] = ClippedText.of(packed.backup.file.path, limit: 500)
      page["packedName"] = ClippedText.of(packed.backup.file.lastPathComponent, limit: 120)
      page["packedFacts"] = [
        (said("File"), packed.backup.file.path),
        (said("Size"), EntryContext.size(packed.backup.bytes)),
        (said("Entries"), SettingsPages.number(manifest.entries)),
        (said("Linked calendars and files"), SettingsPages.number(packed.pack.links.count)),
        (said("Fingerprint"), MoveJob.fingerprint(manifest)),
      ].map { ["factName": $0.0, "factText": ClippedText.of($0.1, limit: 500)] }
      page["packProblems"] = packed.problems.prefix(20).map {
        ["line": ClippedText.of(saidAgain($0), limit: 300)]
      }
    }
    return try settings.page(
      "settings-move", title: said("Move to another computer"), tab: .backup,
      known: .some(newest), notices: notices, page, status: status)
  }

  /// The folder for downloads if it exists, or the home folder.
  private static var defaultFolder: String {
    let downloads = HomeFolder.url().appendingPathComponent("Downloads").path
    return FileManager.default.fileExists(atPath: downloads) ? "~/Downloads" : "~/"
  }

  /// Packs the archive into a file.
  @Sendable func pack(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    let withSecrets = fields["secrets"] == "yes"
    do {
      let passphrase = try NewPassphrase.read(fields)
      let folder = try await offServer { try BackupPageController.folder(fields) }
      try BackupController.begin {
        desk.pack(into: folder, passphrase: passphrase, withSecrets: withSecrets)
      }
    } catch let error as FieldError {
      return try await page(
        typed: (fields["folder"] ?? "", withSecrets, error), status: .unprocessableContent)
    }
    return .seeOther(Self.address)
  }

  /// Marks this archive as moved; from then on, it can only be read.
  @Sendable func leave(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    guard let name = try? Self.name(fields.text("name") ?? "") else {
      return try await page(
        leaveError: said("Enter a name of up to 200 characters for the other computer."),
        status: .unprocessableContent)
    }
    let archive = archive
    _ = try await offServer { try archive.leave(for: name) }
    return .seeOther(Self.address)
  }

  /// Reads the name of the other computer.
  ///
  /// - Throws: `FieldError` if it is empty or too long.
  static func name(_ typed: String) throws(FieldError) -> String {
    let name = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty, name.count <= nameLimit else {
      throw FieldError(
        "destination", "must be a name of up to \(nameLimit) characters for the other computer")
    }
    return name
  }

  @Sendable func stay(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    _ = try await offServer { try archive.stay() }
    return .seeOther(Self.address)
  }
}
