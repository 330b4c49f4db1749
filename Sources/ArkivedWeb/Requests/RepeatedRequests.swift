import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers a request that is repeated with the same `Idempotency-Key` as the first one was answered
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// A repetition that comes while the first one is at work waits for it. Only what succeeded is
/// remembered; a refused request may be mended and sent again under its key.
actor RepeatedRequests {
  private let archive: Archive
  /// Those that wait for the request of a key.
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  init(archive: Archive) { self.archive = archive }

  /// The key of a request; nil when it has none.
  ///
  /// - Parameter body: what is asked, in a form in which the same request is the same text.
  static func key(
    _ request: Request, asking body: @autoclosure () -> some Sequence<UInt8>
  ) throws -> RequestKey? {
    let values = request.headers[values: .idempotencyKey]
    guard let first = values.first else { return nil }
    let text = unquoted(first.trimmingCharacters(in: .whitespaces))
    guard values.count == 1, (1...200).contains(text.utf8.count) else {
      throw WebFailure(
        .badRequest, "Invalid key", "An Idempotency-Key must be one text of 1 to 200 characters.",
        field: "Idempotency-Key")
    }
    return key(text, "\(request.method.rawValue) \(request.uri.path)", body())
  }

  static func key(_ text: String, _ place: String, _ body: some Sequence<UInt8>) -> RequestKey {
    RequestKey(key: text, requestHash: hash(Data("\(place)\n".utf8) + Data(body)))
  }

  /// The key of what a form asks. What was typed anew into a form that was sent before, as after
  /// going back to its page, is another request.
  func key(ofForm text: String, _ place: String, _ body: Data) async throws -> RequestKey {
    let key = Self.key(text, place, body)
    let archive = archive
    do {
      _ = try await offServer { try archive.keptAnswer(to: key) }
      return key
    } catch is RequestKeyTaken {
      return Self.key("\(text) \(Self.hash(body))", place, body)
    }
  }

  static func hash(_ data: Data) -> String { Data(SHA256.hash(data: data)).base64EncodedString() }

  /// The draft writes keys as strings of structured fields (RFC 9651): in quotes.
  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacingOccurrences(of: "\\\"", with: "\"")
      .replacingOccurrences(of: "\\\\", with: "\\")
  }

  /// As `answer`, for what takes long and keeps its answer itself.
  func answer(
    _ key: RequestKey?, slowly perform: @Sendable () async throws -> KeptAnswer
  ) async throws -> KeptAnswer {
    guard let key else { return try await perform() }
    while waiting[key.key] != nil {
      await withCheckedContinuation { waiting[key.key]?.append($0) }
    }
    waiting[key.key] = []
    defer {
      for one in waiting.removeValue(forKey: key.key) ?? [] { one.resume() }
    }
    let archive = archive
    if let kept = try await offServer({ try archive.keptAnswer(to: key) }) { return kept }
    return try await perform()
  }

  /// Does what is asked, or answers as it was answered before.
  ///
  /// - Parameters:
  ///   - keeps: whether `perform` keeps its answer itself, together with what it saves.
  ///   - perform: does it.
  func answer(
    _ key: RequestKey?, keeps: Bool = false,
    _ perform: @escaping @Sendable () throws -> KeptAnswer
  ) async throws -> KeptAnswer {
    guard let key else { return try await offServer(perform) }
    while waiting[key.key] != nil {
      await withCheckedContinuation { waiting[key.key]?.append($0) }
    }
    waiting[key.key] = []
    defer {
      for one in waiting.removeValue(forKey: key.key) ?? [] { one.resume() }
    }
    let archive = archive
    return try await offServer {
      if let kept = try archive.keptAnswer(to: key) { return kept }
      let answer = try perform()
      if !keeps { try archive.keep(answer, to: key) }
      return answer
    }
  }
}

extension KeptAnswer {
  /// An answer in JSON.
  init(
    _ json: JSON, status: HTTPResponse.Status = .ok, location: String? = nil, etag: String? = nil
  ) {
    self.init(
      status: status.code, location: location, etag: etag, body: Data(json.bytes()))
  }
}

extension Response {
  /// An answer that was kept, or is to be.
  init(_ answer: KeptAnswer) {
    self.init(status: .init(code: answer.status))
    if let location = answer.location { headers[.location] = location }
    if let etag = answer.etag { headers[.eTag] = etag }
    if !answer.body.isEmpty {
      headers[.contentType] = "application/json; charset=utf-8"
      body = .init(byteBuffer: ByteBuffer(bytes: answer.body))
    }
  }
}
