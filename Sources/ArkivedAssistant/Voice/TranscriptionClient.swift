import ArkivedCore
import ArkivedSearch
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// Writes down what recordings say, by an OpenAI-compatible address (`/v1/audio/transcriptions`).
package struct TranscriptionClient: Transcriber {
  package let settings: ModelSettings
  /// For the whole of a recording.
  private let patience: Duration

  package init(_ settings: ModelSettings, patience: Duration = .seconds(1_800)) {
    self.settings = settings
    self.patience = patience
  }

  package var name: String { "\(settings.model) at \(settings.address.url)" }

  /// A server does not tell how far it is.
  package func text(
    of recording: URL, name: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String {
    try await text(of: try Data(contentsOf: recording, options: .mappedIfSafe), name: name)
  }

  /// Longer recordings are not sent.
  package static let largestFile = 200 << 20
  private static let largestAnswer = 4 << 20

  /// What a recording says.
  ///
  /// - Parameter name: the file's, whose ending tells servers its format.
  /// - Throws: `ModelError`, `CancellationError`.
  package func text(of recording: Data, name: String) async throws -> String {
    do {
      return try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask { try await exchange(recording, name) }
        group.addTask {
          try await Task.sleep(for: patience)
          throw HTTPClientError.deadlineExceeded
        }
        defer { group.cancelAll() }
        guard let text = try await group.next() else { throw CancellationError() }
        return text
      }
    } catch {
      try Task.checkCancellation()
      throw failure(error)
    }
  }

  private func exchange(_ recording: Data, _ name: String) async throws -> String {
    guard recording.count <= Self.largestFile else {
      throw ChatStream.Problem(text: "was not asked: the recording is larger than 200 MB")
    }
    let boundary = "arkived-\(UUID().uuidString)"
    var sent = HTTPClientRequest(url: settings.address.url)
    sent.method = .POST
    sent.headers = HTTPHeaders([
      ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
      ("Accept", "application/json"), ("User-Agent", "arkived"),
    ])
    if let key = settings.key { sent.headers.add(name: "Authorization", value: "Bearer \(key)") }
    sent.body = .bytes(body(recording, name, boundary))
    let response = try await AddressHTTP.client.execute(
      sent, deadline: .now() + .nanoseconds(Int64(patience / .nanoseconds(1))))
    let answer = Array(try await response.body.collect(upTo: Self.largestAnswer).readableBytesView)
    guard response.status == .ok else {
      throw ChatStream.Problem(
        text: "answered \(response.status.code): \(AddressHTTP.shown(answer))")
    }
    guard let text = (try? JSON(parsing: answer))?["text"]?.string else {
      throw ChatStream.Problem(
        text: "answered without “text”; is it the one for recordings? It said: "
          + AddressHTTP.shown(answer))
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func body(_ recording: Data, _ name: String, _ boundary: String) -> [UInt8] {
    var body: [UInt8] = []
    for (field, value) in [("model", settings.model), ("response_format", "json")] {
      body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n".utf8
      body += "\(value)\r\n".utf8
    }
    let plain = name.filter { $0.isLetter || $0.isNumber || "._-".contains($0) }
    body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; ".utf8
    body += "filename=\"\(plain)\"\r\nContent-Type: application/octet-stream\r\n\r\n".utf8
    body += recording
    body += "\r\n--\(boundary)--\r\n".utf8
    return body
  }

  private func failure(_ error: any Error) -> ModelError {
    if let error = error as? ModelError { return error }
    var text: String
    switch error {
    case let problem as ChatStream.Problem: text = problem.text
    case is NIOTooManyBytesError: text = "sent more than an answer can hold"
    default:
      text = AddressHTTP.problem(
        error, patience: patience, isEncrypted: settings.address.isEncrypted)
    }
    if let key = settings.key { text = text.replacingOccurrences(of: key, with: "…") }
    return ModelError(settings.address.url, problem: text)
  }
}
