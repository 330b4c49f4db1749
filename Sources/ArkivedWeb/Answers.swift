import ArkivedCore
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension HTTPField.Name {
  static var idempotencyKey: HTTPField.Name { name("Idempotency-Key") }
  /// Marks a line that waited in a browser, and Arkived’s answer to it.
  static var waitingLine: HTTPField.Name { name("Arkived-Waiting") }

  /// Returns a field name; the names used here are valid, so the fallback never applies.
  static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .contentLocation }
}

extension Response {
  init(json: JSON, status: HTTPResponse.Status = .ok, etag: String? = nil) {
    self.init(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
    if let etag { headers[.eTag] = etag }
  }

  /// Creates a response with an entity and its version's tag.
  init(entity: JSON, version: Instant?) {
    self.init(entity: entity, version: "\(version?.milliseconds ?? 0)")
  }

  init(entity: JSON, version: String) {
    let bytes = entity.bytes()
    self.init(
      status: .ok,
      headers: [
        .contentType: "application/json; charset=utf-8",
        .eTag: EntityTag.text(version: version, of: bytes),
      ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  init(problem failure: WebFailure) {
    self.init(
      status: failure.status, headers: [.contentType: "application/problem+json"],
      body: .init(byteBuffer: ByteBuffer(bytes: failure.problem.bytes())))
    if failure.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    if let allow = failure.allow { headers[.allow] = allow }
    if let seconds = failure.retryAfter { headers[.retryAfter] = "\(seconds)" }
  }

  init(html: String, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: html)))
  }

  /// Returns a 303 response, used after a form.
  static func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }
}

extension Request {
  /// Returns the body as a JSON object.
  ///
  /// - Throws: `WebFailure` for another media type, and for a body that isn't a JSON object.
  func jsonObject(limit: Int) async throws -> JSONObject {
    let type = headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/json" else {
      throw WebFailure(
        .unsupportedMediaType, "Not JSON", "Send the body as application/json.")
    }
    let body = try await body.collect(upTo: limit)
    do {
      guard let object = try JSON(parsing: body.readableBytesView).object else {
        throw WebFailure(.badRequest, "Not an object", "The body must be a JSON object.")
      }
      return object
    } catch let error as JSONSyntaxError {
      throw WebFailure(.badRequest, "Not JSON", "The body isn’t valid JSON: \(error).")
    }
  }

  /// Returns the decoded fields of a form (application/x-www-form-urlencoded).
  func form(limit: Int) async throws -> FormFields {
    let type = headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw WebFailure(.unsupportedMediaType, "Not a form", "Send the body as a form.")
    }
    let body = try await body.collect(upTo: limit)
    return try FormFields(form: body.readableBytesView)
  }

  /// The decoded query, with the first value of each name.
  var fields: FormFields { FormFields((uri.query ?? "").utf8) }
}

/// Decoded fields of a form or a query (WHATWG URL, application/x-www-form-urlencoded).
struct FormFields: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// The limit for a form, whose fields are searched one after the other.
  static let most = 10_000

  /// Decodes a form.
  ///
  /// - Throws: `WebFailure` 413 if it has too many fields; without the rest, something other than
  ///   what was chosen would be changed.
  init(form bytes: some Collection<UInt8>) throws(WebFailure) {
    self.init(bytes)
    guard pairs.count <= Self.most else {
      throw WebFailure(
        .contentTooLarge, "Too large", "The request is too large. Nothing was changed.")
    }
  }

  init(_ bytes: some Collection<UInt8>) {
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.decoded(halves[0]), halves.count > 1 ? Self.decoded(halves[1]) : ""))
    }
  }

  /// All names, including repeated ones.
  var names: [String] { pairs.map(\.name) }

  /// Returns the first value of a name, or nil if it is missing.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns the first value of a name, unless it is blank.
  func text(_ name: String) -> String? {
    self[name].flatMap { $0.trimmingCharacters(in: .whitespaces).isEmpty ? nil : $0 }
  }

  /// Returns the day in a field, or nil if there is none.
  ///
  /// - Throws: `WebFailure` 400 if the value isn't a day.
  func day(_ name: String) throws(WebFailure) -> DayKey? {
    guard let text = text(name) else { return nil }
    guard let day = DayKey(text) else {
      throw WebFailure(
        .badRequest, "Invalid day",
        "\(name) is \(FieldError.shown(text)), but must be a day such as 2026-03-14.", field: name)
    }
    return day
  }

  /// Returns the text of a text area, whose lines browsers send with CRLF (WHATWG HTML, form
  /// submission).
  func paragraphs(_ name: String) -> String {
    guard let text = self[name] else { return "" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == 0x0A, bytes.last == 0x0D { bytes.removeLast() }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the fields except those with the given names.
  func leavingOut(_ names: Set<String>) -> FormFields {
    var fields = self
    fields.pairs.removeAll { names.contains($0.name) }
    return fields
  }

  /// All names with their values, in order.
  var all: [(name: String, value: String)] { pairs }

  func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  private static func decoded(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    var source = Array(bytes)[...]
    result.reserveCapacity(source.count)
    while let byte = source.popFirst() {
      if byte == UInt8(ascii: "+") {
        result.append(0x20)
      } else if byte == UInt8(ascii: "%"), let high = digit(source.first),
        let low = digit(source.dropFirst().first)
      {
        result.append(high << 4 | low)
        source.removeFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case let byte? where (0x30...0x39).contains(byte): byte - 0x30
    case let byte? where (0x41...0x46).contains(byte): byte - 0x37
    case let byte? where (0x61...0x66).contains(byte): byte - 0x57
    default: nil
    }
  }
}
