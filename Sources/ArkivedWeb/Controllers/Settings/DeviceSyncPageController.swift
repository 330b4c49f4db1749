import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page for syncing with the owner's other devices.
struct DeviceSyncPageController: Sendable {
  let settings: SettingsPages

  private static let path = "/settings/sync"
  private static let formLimit = 1 << 14

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/sync", use: show)
    router.post("/settings/sync/folder", use: chooseFolder)
    router.post("/settings/sync/join", use: join)
    router.post("/settings/sync/leave", use: leave)
    router.post("/settings/sync/code", use: makeCode)
    router.post("/settings/sync/code/withdraw", use: withdrawCode)
    router.post("/settings/sync/accept", use: accept)
    router.post("/settings/sync/now", use: syncNow)
    router.post("/settings/sync/:id/rename", use: rename)
    router.post("/settings/sync/:id/revoke", use: revoke)
  }

  private var archive: Archive { settings.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// The state of sync shown on the page.
  private enum Standing: Sendable {
    case off
    /// Waiting to be let in by another device.
    case asking(phrase: String, folder: String)
    case on(DeviceSyncStatus, code: String?, request: DevicePairing.Request?)
  }

  /// The text typed into a form, and any error in it.
  private struct Typed: Sendable {
    var form = ""
    var folder: String?
    var code: String?
    var name: String?
    var user: String?
    var password: String?
    var error: String?

    init() {}

    init(_ form: String, _ fields: FormFields) {
      self.form = form
      folder = fields.text("folder")
      code = fields.text("code")
      name = fields.text("name")
      user = fields.text("user")
      password = fields.text("password")
    }

    /// The folder or the address.
    func place() throws -> SharedPlace {
      guard let folder else { throw FieldError("folder", "is empty") }
      return SharedPlace(
        folder, credentials: user.map { .basic(user: $0, password: password ?? "") } ?? .none)
    }
  }

  private func page(
    _ typed: Typed = Typed(), status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    let (newest, standing) = try await offServer {
      (try archive.newestChange(), try Self.standing(archive))
    }
    var page: [String: Any] = [
      "isOff": false, "isAsking": false, "isOn": false, "polls": false,
      "hasFolderError": typed.form == "folder" && typed.error != nil,
      "hasJoinError": typed.form == "join" && typed.error != nil,
      "formError": typed.error ?? "", "folder": FormValue(typed.folder ?? ""),
      "code": FormValue(typed.code ?? ""), "user": FormValue(typed.user ?? ""),
      "deviceName": FormValue(typed.name ?? DevicePairing.hostName),
    ]
    var notices: [Notice] = []
    if typed.form.isEmpty, let error = typed.error {
      notices.append(Notice(tone: .error, sentence: error))
    }
    switch standing {
    case .off: page["isOff"] = true
    case .asking(let phrase, let folder):
      page.merge(["isAsking": true, "polls": true, "phrase": phrase, "folderShown": folder]) { $1 }
    case .on(let state, let code, let request):
      page["isOn"] = true
      page["polls"] = code != nil && request == nil
      if typed.folder == nil { page["folder"] = FormValue(state.folder) }
      page.merge(context(state, code: code, request: request)) { $1 }
    }
    // A form with typed values isn't replaced while it is corrected.
    if status != .ok { page["polls"] = false }
    return try settings.page(
      "settings-sync", title: said("Sync"), tab: .sync, known: .some(newest), notices: notices,
      page, status: status)
  }

  private static func standing(_ archive: Archive) throws -> Standing {
    if let pending = try DevicePairing.pending(archive) {
      return .asking(phrase: pending.comparison, folder: pending.folder)
    }
    guard var job = try DeviceSyncJob(archive: archive) else { return .off }
    return .on(try job.status(), code: job.validCode, request: try job.request())
  }

  private func context(
    _ state: DeviceSyncStatus, code: String?, request: DevicePairing.Request?
  ) -> [String: Any] {
    let names = Dictionary(state.devices.map { ($0.device.id, $0.device.name) }) { $1 }
    var context: [String: Any] = [
      "troubles": state.troubles.map {
        ["trouble": ClippedText.of($0.sentence(in: settings.entries.homeZone), limit: 400)]
      },
      "isInStep": state.isInStep, "isRemoved": state.isRemoved, "hasUnsent": state.unsent > 0,
      "unsent": said(
        state.unsent, one: "1 change is waiting to be sent.",
        other: "\(state.unsent) changes are waiting to be sent."),
      "hasWaiting": state.waiting > 0, "waiting": state.waitingSentence,
      "hasMissingFiles": state.missingFiles > 0,
      "missingFiles": said(
        state.missingFiles, one: "1 file hasn’t arrived yet.",
        other: "\(state.missingFiles) files haven’t arrived yet."),
      "hasLast": state.lastExchange != nil, "lastISO": state.lastExchange?.description ?? "",
      "last": state.lastExchange.map { settings.entries.moment($0) } ?? "",
      "folderShown": ClippedText.of(state.folder, limit: 300),
      "devices": state.devices.map(row),
      "hasRefusals": !state.refusals.isEmpty, "refusalLine": state.refusalSentence,
      "refusals": state.refusals.map { one -> [String: Any] in
        [
          "refusal": ClippedText.of(one.line, limit: 300), "isEntry": one.type == .activity,
          "entryHref": "/activities/\(one.sourceID)",
        ]
      },
      "hasConflicts": !state.conflicts.isEmpty,
      "conflicts": state.conflicts.map { conflict($0, names) },
      "hasCode": code != nil, "shownCode": code ?? "", "hasRequest": request != nil,
    ]
    if let request {
      context["askingName"] = ClippedText.of(request.device.name, limit: 60)
      context["askingID"] = request.device.id
      context["phrase"] = request.comparison
    }
    return context
  }

  private func row(_ one: DeviceSyncStatus.Device) -> [String: Any] {
    let name = ClippedText.of(one.device.name, limit: 60)
    return [
      "syncedName": name, "nameField": FormValue(name), "isThisOne": one.isThisOne,
      "isRevoked": one.device.isRevoked,
      "revoked": one.device.removal.map {
        said("revoked on \(settings.entries.homeZone.wallTime(at: $0.at).day.shownName)")
      } ?? said("revoked"),
      "isOther": !one.isThisOne && !one.device.isRevoked,
      "hasSeen": one.lastSeen != nil && !one.isThisOne && !one.device.isRevoked,
      "isUnseen": one.lastSeen == nil && !one.isThisOne && !one.device.isRevoked,
      "seenISO": one.lastSeen?.description ?? "",
      "seen": one.lastSeen.map { settings.entries.moment($0) } ?? "",
      "isBehind": one.behind > 0,
      "behind": said(
        one.behind, one: "1 update not received yet",
        other: "\(one.behind) updates not received yet"),
      "renameAction": "\(Self.path)/\(one.device.id)/rename",
      "revokeAction": "\(Self.path)/\(one.device.id)/revoke",
      "nameLabel": said("Name of \(name)"), "revokeName": said("Revoke access for \(name)"),
      "nameID": "device-\(one.device.id)",
    ]
  }

  private func conflict(_ one: ReplicaConflict, _ names: [String: String]) -> [String: Any] {
    let wording = ConflictWording(one, in: settings.entries.homeZone)
    return [
      "settledISO": one.at.description, "settled": settings.entries.moment(one.at),
      "fieldName": ClippedText.of(wording.label, limit: 100),
      "keptText": ClippedText.of(wording.kept, limit: 600),
      "otherText": ClippedText.of(wording.replaced, limit: 600),
      "keptBy": ClippedText.of(names[one.keptBy] ?? "", limit: 60),
      "otherBy": ClippedText.of(names[one.givenBy] ?? "", limit: 60),
      "isEntry": one.type == .activity, "entryHref": "/activities/\(one.sourceID)",
    ]
  }

  // MARK: The owner's requests

  /// Switches sync on, or changes the folder.
  @Sendable func chooseFolder(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: Self.formLimit)
    let typed = Typed("folder", form)
    return try await attempt(typed) { archive in
      let place = try typed.place()
      if var job = try DeviceSyncJob(archive: archive) {
        try job.move(to: place)
      } else {
        _ = try DevicePairing.start(
          archive, name: typed.name ?? DevicePairing.hostName, at: place)
      }
    }
  }

  /// Runs an action and returns to the page, or shows the form again with an explanation of the
  /// problem.
  private func attempt(
    _ typed: Typed, _ action: @escaping @Sendable (Archive) throws -> Void
  ) async throws -> Response {
    let archive = archive
    var wrong = typed
    do {
      try await offServer { try action(archive) }
      return .seeOther(Self.path)
    } catch let error as FieldError {
      wrong.error = saidAgain("The \(error.description).")
    } catch let failure as WebDAVFailure {
      wrong.error = failure.sentence
    } catch let error as ArchiveError {
      wrong.error = saidAgain(error.description)
    } catch let error where error is POSIXFailure || error is CocoaError {
      wrong.error = said("Couldn’t write to this folder: \(BackupDesk.sentence(error))")
    }
    return try await page(wrong, status: .unprocessableContent)
  }

  @Sendable func join(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: Self.formLimit)
    let typed = Typed("join", form)
    return try await attempt(typed) { archive in
      let place = try typed.place()
      guard let code = typed.code else { throw FieldError("code", "is empty") }
      _ = try DevicePairing.ask(
        archive, name: typed.name ?? DevicePairing.hostName, at: place, code: code)
    }
  }

  @Sendable func leave(_ request: Request, context: WebContext) async throws -> Response {
    try await attempt(Typed()) { archive in _ = try DevicePairing.leaveAfterSending(archive) }
  }

  @Sendable func makeCode(_ request: Request, context: WebContext) async throws -> Response {
    try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      _ = try job.invite()
    }
  }

  @Sendable func withdrawCode(_ request: Request, context: WebContext) async throws -> Response {
    try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      try job.withdraw()
    }
  }

  /// Accepts the device whose number the owner compared.
  @Sendable func accept(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: Self.formLimit)
    let (id, phrase) = (form.text("device"), form.text("phrase"))
    return try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      guard let asking = try job.request(), asking.device.id == id, asking.comparison == phrase
      else {
        throw ArchiveError.notFound("This device is no longer asking to join. Make a new code.")
      }
      try job.accept(asking)
    }
  }

  @Sendable func syncNow(_ request: Request, context: WebContext) async throws -> Response {
    try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      try job.exchange()
    }
  }

  @Sendable func rename(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: Self.formLimit)
    let (id, name) = (context.parameters.get("id") ?? "", form["name"] ?? "")
    return try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      try job.rename(id, to: name)
    }
  }

  @Sendable func revoke(_ request: Request, context: WebContext) async throws -> Response {
    let id = context.parameters.get("id") ?? ""
    return try await attempt(Typed()) { archive in
      guard var job = try DeviceSyncJob(archive: archive) else { return }
      try job.revoke(id)
      try job.exchange()
    }
  }
}

/// The routes of `/api/v1/device-sync`: sync with the owner's other devices.
struct DeviceSyncController: Sendable {
  let archive: Archive

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/device-sync", use: status)
    group.post("/device-sync", use: run)
  }

  @Sendable func status(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    return try await offServer {
      var job = try DeviceSyncJob(archive: archive)
      return Response(json: ["deviceSync": try job?.status().json ?? .null])
    }
  }

  /// Sends and receives changes now.
  @Sendable func run(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let archive = archive
    return try await offServer {
      guard var job = try DeviceSyncJob(archive: archive) else {
        throw ArchiveError.notFound("This archive isn’t synced with other devices.")
      }
      let report = try job.exchange()
      return Response(json: ["report": report.json, "deviceSync": try job.status().json])
    }
  }
}
