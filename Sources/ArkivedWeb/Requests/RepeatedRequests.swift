import ArkivedCore
import ArkivedStore
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers a request repeated with the same `Idempotency-Key` like the first one
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// A repetition that arrives while the first request is in progress waits for it. Only successful
/// requests are recorded; a refused request may be corrected and sent again with its key.
actor RepeatedRequests {
  private let archive: Archive
  /// The repetitions that wait for the request with a key.
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  init(archive: Archive) { self.archive = archive }

  /// Returns the key of a request, or nil if it has none.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - agent: the program that sends it, or nil for the owner. Each program has keys of its own,
  ///     because programs that count their requests use the same ones.
  ///   - body: the request in a form that is the same text for identical requests.
  /// - Returns: the key.
  /// - Throws: `WebFailure` if the key isn't valid.
  static func key(
    _ request: Request, from agent: AgentToken? = nil,
    asking body: @autoclosure () -> some Sequence<UInt8>
  ) throws -> RequestKey? {
    let values = request.headers[values: .idempotencyKey]
    guard let first = values.first else { return nil }
    let text = unquoted(first.trimmingCharacters(in: .whitespaces))
    guard values.count == 1, (1...200).contains(text.utf8.count) else {
      throw WebFailure(
        .badRequest, "Invalid key",
        "An Idempotency-Key must be a single string of 1 to 200 "
          + "characters.",
        field: "Idempotency-Key")
    }
    let own = agent.map { "\($0.id.uuidString) \(text)" } ?? text
    return key(own, "\(request.method.rawValue) \(request.uri.path)", body())
  }

  static func key(_ text: String, _ place: String, _ body: some Sequence<UInt8>) -> RequestKey {
    RequestKey(key: text, requestHash: hash(Data("\(place)\n".utf8) + Data(body)))
  }

  /// Returns the key of a form's request.
  ///
  /// A form that was submitted and then edited, for example after going back to its page, is a
  /// different request.
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

  /// Returns a key without quotes; the draft writes keys as strings of structured fields (RFC
  /// 9651).
  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacingOccurrences(of: "\\\"", with: "\"")
      .replacingOccurrences(of: "\\\\", with: "\\")
  }

  /// Answers a request like `answer`, for long work that stores its answer itself.
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

  /// Performs a request, or returns the answer given before.
  ///
  /// - Parameters:
  ///   - key: the key of the request; nil if it may not be repeated.
  ///   - keeps: true if `perform` stores its answer itself, together with the changes it saves.
  ///   - perform: performs the request.
  /// - Returns: the answer.
  /// - Throws: what `perform` throws.
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
  /// Creates an answer in JSON.
  init(
    _ json: JSON, status: HTTPResponse.Status = .ok, location: String? = nil, etag: String? = nil
  ) {
    self.init(
      status: status.code, location: location, etag: etag, body: Data(json.bytes()))
  }
}

extension Response {
  /// Creates a response from an answer that was stored, or will be.
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
