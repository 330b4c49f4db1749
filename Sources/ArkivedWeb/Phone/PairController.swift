import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/pair`, `/certificate` and `/logout` on the home network: pairing and signing out a device.
struct PairController: Sendable {
  let door: PhoneDoor
  let pages: Pages
  let archive: Archive

  /// The largest form, in bytes, for a code and a name.
  private static let formLimit = 1 << 14

  func addRoutes(to router: Router<WebContext>) {
    router.get("/pair", use: ask)
    router.get("/pair/:code", use: ask)
    router.post("/pair", use: pair)
    router.get("/certificate", use: certificate)
    router.post("/logout", use: leave)
    router.post("/api/v1/pair", use: pairProgram)
  }

  /// The form doesn't reveal whether a code is valid.
  @Sendable func ask(_ request: Request, context: WebContext) async throws -> Response {
    let code = context.parameters.get("code") ?? ""
    return try await page(
      code: String(code.prefix(40)), name: Self.usualName(request.headers[.userAgent]))
  }

  private func page(
    code: String = "", name: String = "", isSame: Bool = false, codeError: String? = nil,
    nameError: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    let authority = try? await offServer { try PhoneSetup(archive: archive).authority() }
    return try pages.page(
      "pair", title: said("Pair this device"), section: nil,
      [
        "isPairing": true, "code": FormValue(code), "deviceName": FormValue(name),
        "isSame": isSame, "hasCodeError": codeError != nil, "codeError": codeError ?? "",
        "hasNameError": nameError != nil, "nameError": nameError ?? "",
        "hasFingerprint": authority != nil, "fingerprint": authority?.fingerprint ?? "",
      ], status: status)
  }

  @Sendable func pair(_ request: Request, context: WebContext) async throws -> Response {
    guard request.headers[.origin] != nil else {
      throw WebFailure(
        .forbidden, "Origin missing",
        "A request that changes something must state which page "
          + "it comes from.")
    }
    let form = try await request.form(limit: Self.formLimit)
    let (code, name, isSame) = (form["code"] ?? "", form["name"] ?? "", form["same"] != nil)
    let (door, origin) = (door, context.origin)
    do {
      let outcome = try await offServer {
        try door.pair(code: code, name: name, isSame: isSame, from: origin)
      }
      switch outcome {
      case .success(let paired):
        var response = Response.seeOther("/")
        response.setCookie(door.cookie(paired.token))
        return response
      case .failure(let failure):
        var response = try await page(
          code: "", name: String(name.prefix(200)), isSame: isSame,
          codeError: saidAgain(failure.detail), status: failure.status)
        if let seconds = failure.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
      }
    } catch let error as FieldError {
      return try await page(
        code: String(code.prefix(40)), name: String(name.prefix(200)), isSame: isSame,
        nameError: said("The name \(saidAgain(error.problem))."), status: .unprocessableContent)
    }
  }

  /// This serves a program on the device, which stores its token itself.
  @Sendable func pairProgram(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: Self.formLimit)
    var fields = FieldReader(object)
    let code = try fields.required("code")
    let name = try fields.required("name")
    try fields.refuseUnknown()
    let (door, origin) = (door, context.origin)
    let paired = try await offServer {
      try door.pair(code: code, name: name, isSame: false, from: origin).get()
    }
    return Response(
      json: ["device": paired.device.json, "token": .string(paired.token)], status: .created)
  }

  /// This is the authority's certificate for installation on the phone; it is not secret.
  @Sendable func certificate(_ request: Request, context: WebContext) async throws -> Response {
    try await PhoneCertificateAnswer.response(archive)
  }

  /// Signing out revokes the device.
  @Sendable func leave(_ request: Request, context: WebContext) async throws -> Response {
    guard let device = context.device else { throw DeviceRoutes.refusal }
    let door = door
    _ = try await offServer { try door.revoke(device.id.uuidString) }
    var response = Response.seeOther("/pair")
    response.setCookie(
      Cookie(
        name: door.cookieName, value: "", maxAge: 0, path: "/", secure: true, httpOnly: true,
        sameSite: .strict))
    return response
  }

  /// Returns the default name of a device.
  private static func usualName(_ agent: String?) -> String {
    let kinds = [("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android phone")]
    return kinds.first { agent?.contains($0.0) ?? false }?.1 ?? ""
  }
}

/// The authority's certificate as a file.
enum PhoneCertificateAnswer {
  static func response(_ archive: Archive) async throws -> Response {
    do {
      let authority = try await offServer { try PhoneSetup(archive: archive).authority() }
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/x-x509-ca-cert",
          .contentDisposition: "attachment; filename=\"arkived-at-home.crt\"",
        ], body: .init(byteBuffer: ByteBuffer(bytes: authority.certificate)))
    } catch let error as PhoneDoorFailure {
      throw WebFailure(.conflict, "No certificate", error.description)
    }
  }
}
