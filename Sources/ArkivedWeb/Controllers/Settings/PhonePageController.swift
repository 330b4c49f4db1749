import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page for opening the server to the home network, pairing phones, and listing paired
/// devices.
struct PhonePageController: Sendable {
  let settings: SettingsPages
  let door: PhoneDoor

  private static let path = "/settings/phone"

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/phone", use: show)
    router.post("/settings/phone", use: open)
    router.post("/settings/phone/close", use: close)
    router.post("/settings/phone/code", use: makeCode)
    router.get("/settings/phone/certificate", use: certificate)
    router.post("/settings/phone/:id/revoke", use: revoke)
  }

  private var archive: Archive { settings.archive }
  private var setup: PhoneSetup { PhoneSetup(archive: settings.archive) }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page()
  }

  /// The text typed into the form, and any error in it.
  private struct Typed: Sendable {
    var address: String?
    var port: String?
    var name: String?
    var error: FieldError?
  }

  private func page(
    _ typed: Typed = Typed(), pairing: PhoneSetup.Pairing? = nil, notices: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let setup = setup
    let archive = archive
    let (kept, devices, places) = try await offServer {
      try (archive.phoneDoor(), archive.devices(), HomeNetwork.places())
    }
    let isOpen = kept?.isOpen ?? false
    var authority: PhoneSetup.Authority?
    if isOpen || pairing != nil {
      // If it can't be read, the status of the phone server reports that.
      authority = try? await offServer { try setup.authority() }
    }
    var page = Self.form(typed, kept: kept, places: places)
    var known: String?
    if kept?.name == nil, let address = kept?.address ?? places.first?.address.text {
      known = try await offServer { PhoneSetup.knownName(at: address) }
    }
    page["hasKnownName"] = known != nil
    page["knownName"] = known ?? ""
    page.merge(Self.standing(door.standing, kept: kept, url: door.place?.url)) { $1 }
    page["devices"] = devices.map(row)
    page["hasDevices"] = !devices.isEmpty
    page["hasFingerprint"] = authority != nil
    page["fingerprint"] = authority?.fingerprint ?? ""
    page["hasCode"] = pairing != nil
    if let pairing { page.merge(code(pairing)) { $1 } }
    return try settings.page(
      "settings-phone", title: said("Phone"), tab: .phone, notices: notices, page, status: status)
  }

  private func row(_ device: PairedDevice) -> [String: Any] {
    let name = ClippedText.of(device.name, limit: 60)
    return [
      "pairedName": name, "sinceISO": device.createdAt.description,
      "since": settings.entries.moment(device.createdAt),
      "seenISO": device.lastSeenAt.description,
      "seen": settings.entries.moment(device.lastSeenAt),
      "revokeAction": "\(Self.path)/\(device.id.uuidString)/revoke",
      "revokeName": said("Revoke access for \(name)"),
    ]
  }

  private func code(_ pairing: PhoneSetup.Pairing) -> [String: Any] {
    let drawing = QRCode(pairing.url)
    return [
      "pairCode": pairing.code, "pairURL": pairing.url,
      "hasAddressURL": pairing.addressURL != nil, "addressURL": pairing.addressURL ?? "",
      "hasDrawing": drawing != nil,
      "side": "\(drawing?.side ?? 0)", "path": drawing?.path ?? "",
      "untilISO": pairing.expiresAt.description,
      "until": settings.entries.moment(pairing.expiresAt),
    ]
  }

  private static func form(
    _ typed: Typed, kept: PhoneDoorSettings?, places: [HomeNetwork.Place]
  ) -> [String: Any] {
    let chosen = typed.address ?? kept?.address
    let rows = places.map { place -> [String: Any] in
      [
        "address": place.address.text, "interface": place.interface,
        "isChosen": place.address.text == chosen,
      ]
    }
    return [
      "places": rows, "hasPlaces": !rows.isEmpty,
      "port": FormValue(typed.port ?? "\(kept?.port ?? PhoneSetup.usualPort)"),
      "homeName": FormValue(typed.name ?? kept?.name ?? ""),
      "hasFormError": typed.error != nil,
      "formError": typed.error.map { saidAgain("The \($0.description).") } ?? "",
    ]
  }

  private static func standing(
    _ standing: PhoneDoor.Standing, kept: PhoneDoorSettings?, url: String?
  ) -> [String: Any] {
    let isOpen = kept?.isOpen ?? false
    let address = kept?.address ?? ""
    let (sentence, isWell) =
      switch standing {
      case _ where !isOpen: (said("Phone access is off. No phone can connect."), true)
      case .open: (said("Phones connect to \(url ?? address)."), true)
      case .closed: (said("Switching on phone access at \(address)."), true)
      case .addressGone:
        (
          said(
            """
            This computer no longer has the address \(address), so phones can’t connect. Choose an \
            address below. Paired devices stay paired.
            """), false
        )
      case .portTaken:
        (
          said(
            """
            Another program is already using \(address) on port \(kept?.port ?? 0). Choose another \
            port.
            """
          ),
          false
        )
      case .failed(let reason): (saidAgain(reason), false)
      }
    return ["isDoorOpen": isOpen, "doorSentence": sentence, "isDoorWell": isWell]
  }

  // MARK: The owner's requests

  @Sendable func open(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 1 << 14)
    let typed = Typed(address: form.text("address"), port: form.text("port"), name: form["name"])
    let setup = setup
    do {
      guard let address = typed.address else {
        throw FieldError("address", "is missing. Choose an address")
      }
      guard let port = Int(typed.port ?? "\(PhoneSetup.usualPort)") else {
        throw FieldError("port", "isn’t a number")
      }
      _ = try await offServer {
        try setup.open(address: address, port: port, name: typed.name)
      }
      return .seeOther(Self.path)
    } catch let error as FieldError {
      var wrong = typed
      wrong.error = error
      return try await page(wrong, status: .unprocessableContent)
    } catch let error as PhoneDoorFailure {
      throw Self.failure(error)
    }
  }

  @Sendable func close(_ request: Request, context: WebContext) async throws -> Response {
    let setup = setup
    try await offServer { try setup.close() }
    return .seeOther(Self.path)
  }

  /// The code is shown only on this page.
  @Sendable func makeCode(_ request: Request, context: WebContext) async throws -> Response {
    let archive = archive
    guard var kept = try await offServer({ try archive.phoneDoor() }), kept.isOpen else {
      return .seeOther(Self.path)
    }
    if let place = door.place { kept.port = place.port }
    let (setup, chosen) = (setup, kept)
    do {
      let pairing = try await offServer { try setup.makeCode(for: chosen) }
      return try await page(pairing: pairing)
    } catch let error as PhoneDoorFailure {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: PhoneDoorFailure) -> WebFailure {
    WebFailure(.conflict, "Couldn’t switch on phone access", error.description)
  }

  @Sendable func certificate(_ request: Request, context: WebContext) async throws -> Response {
    try await PhoneCertificateAnswer.response(archive)
  }

  @Sendable func revoke(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let door = door
    _ = try await offServer { try door.revoke(id.uuidString) }
    return .seeOther(Self.path)
  }
}

/// The routes of `/api/v1/devices`: the paired devices.
struct DeviceController: Sendable {
  let archive: Archive
  let door: PhoneDoor

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/devices", use: list)
    group.delete("/devices/:id", use: revoke)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let devices = try await offServer { try archive.devices() }
    return Response(
      json: ["devices": .array(devices.map(\.json)), "total": JSON(devices.count)])
  }

  @Sendable func revoke(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let door = door
    let device = try await offServer { try door.revoke(id.uuidString) }
    return Response(json: ["deleted": .array([device.json])])
  }
}
