import ArkivedCore
import ArkivedSearch
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// A transcriber that uses an OpenAI-compatible address (`/v1/audio/transcriptions`).
package struct TranscriptionClient: Transcriber {
  package let settings: ModelSettings
  /// The timeout for a whole recording.
  private let patience: Duration

  package init(_ settings: ModelSettings, patience: Duration = .seconds(1_800)) {
    self.settings = settings
    self.patience = patience
  }

  package var name: String { "\(settings.model) at \(settings.address.url)" }

  /// Transcribes a recording without progress, which servers don't report.
  package func text(
    of recording: URL, name: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String {
    try await text(of: try Data(contentsOf: recording, options: .mappedIfSafe), name: name)
  }

  /// The maximum size of a recording in bytes.
  package static let largestFile = 200 << 20
  private static let largestAnswer = 4 << 20

  /// Returns the transcript of a recording.
  ///
  /// - Parameters:
  ///   - recording: the content of the file.
  ///   - name: the file's name, whose extension indicates its format to the server.
  /// - Returns: the transcript.
  /// - Throws: `ModelError` if the server fails, `CancellationError` if the task is cancelled.
  package func text(of recording: Data, name: String) async throws -> String {
    try await exchange.bounded { try await ask(recording, name) }
  }

  private var exchange: ModelExchange { ModelExchange(settings: settings, patience: patience) }

  private func ask(_ recording: Data, _ name: String) async throws -> String {
    guard recording.count <= Self.largestFile else {
      throw ChatStream.Problem(text: "wasn’t asked: the recording is larger than 200 MB")
    }
    let boundary = "arkived-\(UUID().uuidString)"
    let response = try await exchange.send(
      body(recording, name, boundary), type: "multipart/form-data; boundary=\(boundary)",
      accepting: "application/json")
    let answer = Array(try await response.body.collect(upTo: Self.largestAnswer).readableBytesView)
    guard response.status == .ok else {
      throw ChatStream.Problem(
        text: "returned \(response.status.code): \(AddressHTTP.shown(answer))")
    }
    guard let text = (try? JSON(parsing: answer))?["text"]?.string else {
      throw ChatStream.Problem(
        text: "sent a response without the field “text”. Is this the right address for recordings? "
          + "The response was: "
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
}
