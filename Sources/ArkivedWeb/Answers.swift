import ArkivedCore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension HTTPField.Name {
  static var idempotencyKey: HTTPField.Name { name("Idempotency-Key") }

  /// The names used here are valid; the fallback is never met.
  static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .contentLocation }
}

extension Response {
  init(json: JSON, status: HTTPResponse.Status = .ok, etag: String? = nil) {
    self.init(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
    if let etag { headers[.eTag] = etag }
  }

  init(problem failure: WebFailure) {
    self.init(
      status: failure.status, headers: [.contentType: "application/problem+json"],
      body: .init(byteBuffer: ByteBuffer(bytes: failure.problem.bytes())))
    if failure.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
  }

  init(html: String, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: html)))
  }

  /// 303, after a form.
  static func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }
}

extension Request {
  /// The body as a JSON object.
  ///
  /// - Throws: `WebFailure` for another media type, and for what is no JSON object.
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
      throw WebFailure(.badRequest, "Not JSON", "The body is not JSON: \(error).")
    }
  }

  /// The fields of a form (application/x-www-form-urlencoded), decoded.
  func form(limit: Int) async throws -> FormFields {
    let type = headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw WebFailure(.unsupportedMediaType, "Not a form", "Send the body as a form.")
    }
    let body = try await body.collect(upTo: limit)
    return FormFields(body.readableBytesView)
  }

  /// The decoded query, first value of each name.
  var fields: FormFields { FormFields((uri.query ?? "").utf8) }
}

/// Decoded fields of a form or a query (WHATWG URL, application/x-www-form-urlencoded).
struct FormFields: Sendable {
  private var pairs: [(name: String, value: String)] = []

  init(_ bytes: some Collection<UInt8>) {
    for pair in bytes.split(separator: UInt8(ascii: "&")).prefix(1_000) {
      let halves = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.decoded(halves[0]), halves.count > 1 ? Self.decoded(halves[1]) : ""))
    }
  }

  /// The first value of a name; nil when absent.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// The first value of a name that is not blank.
  func text(_ name: String) -> String? {
    self[name].flatMap { $0.trimmingCharacters(in: .whitespaces).isEmpty ? nil : $0 }
  }

  func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  private static func decoded(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "+") {
        result.append(0x20)
      } else if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        index += 2
      } else {
        result.append(byte)
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Versions of entities in `ETag` and `If-Match` (RFC 9110 §8.8.3, §13.1.1).
enum EntityTag {
  static func text(_ version: Instant?) -> String { "\"\(version?.milliseconds ?? 0)\"" }

  /// The version an `If-Match` header asks for; nil when there is none or any will do.
  static func version(_ request: Request) throws -> Instant? {
    guard let header = request.headers[.ifMatch]?.trimmingCharacters(in: .whitespaces),
      header != "*"
    else { return nil }
    let digits = header.filter { $0 != "\"" }
    guard let milliseconds = Int64(digits) else {
      throw WebFailure(
        .preconditionFailed, "Changed elsewhere",
        "If-Match names no version of this entry. Load it again.")
    }
    return Instant(milliseconds: milliseconds)
  }
}
