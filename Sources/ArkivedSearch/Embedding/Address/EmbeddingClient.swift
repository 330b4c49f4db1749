import ArkivedCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client that requests embeddings from an OpenAI-compatible server.
struct EmbeddingClient: Sendable {
  let address: EmbeddingAddress
  let model: String
  let dimensions: Int?
  let token: String?
  /// The number of dimensions, or nil if it is not known yet.
  let width: Int?

  /// A number of a vector takes up to 40 bytes, and there are 32 vectors of up to 4,096 numbers.
  private static let largestAnswer = 8 << 20

  /// A pending answer.
  typealias Sending = HTTPClient.Task<HTTPClient.Response>

  /// Sends texts.
  ///
  /// - Parameters:
  ///   - texts: the texts.
  ///   - patience: the time allowed for the whole answer.
  /// - Returns: the request under way.
  /// - Throws: `EmbeddingError` if it can't be sent.
  func send(_ texts: [String], patience: Duration) throws -> Sending {
    var object: JSONObject = [
      "model": .string(model), "input": JSON(texts), "encoding_format": "float",
    ]
    if let dimensions { object["dimensions"] = JSON(dimensions) }
    var headers = HTTPHeaders([
      ("Content-Type", "application/json"), ("Accept", "application/json"),
      ("User-Agent", "arkived"),
    ])
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    let request = try HTTPClient.Request(
      url: address.url, method: .POST, headers: headers,
      body: .bytes(JSON.object(object).bytes()))
    let delegate = ResponseAccumulator(request: request, maxBodySize: Self.largestAnswer)
    return AddressHTTP.client.execute(
      request: request, delegate: delegate,
      deadline: .now() + .nanoseconds(Int64(patience / .nanoseconds(1))))
  }

  /// Sends texts and waits for their vectors.
  ///
  /// - Throws: `EmbeddingError.address`, or `CancellationError`.
  @concurrent func vectors(
    of texts: [String], patience: Duration
  ) async throws -> (width: Int, vectors: EmbeddedTexts) {
    try Task.checkCancellation()
    do {
      let sending = try send(texts, patience: patience)
      let response = try await withTaskCancellationHandler {
        try await sending.get()
      } onCancel: {
        sending.cancel()
      }
      return try read(response, count: texts.count)
    } catch {
      try Task.checkCancellation()
      throw failure(error, patience)
    }
  }

  /// Reads a response.
  ///
  /// - Throws: `EmbeddingAnswer.Problem`.
  func read(
    _ response: HTTPClient.Response, count: Int
  ) throws -> (width: Int, vectors: EmbeddedTexts) {
    let body = response.body.map { Array($0.readableBytesView) } ?? []
    guard response.status == .ok else {
      var text = "returned \(response.status.code)"
      if (300..<400).contains(response.status.code) {
        text += " with a redirect, which Arkived doesn’t follow"
      } else {
        text += ": \(EmbeddingAnswer.shown(body))"
      }
      throw EmbeddingAnswer.Problem(text: text)
    }
    return try EmbeddingAnswer.vectors(in: body, count: count, width: width)
  }

  /// Returns a description of an error, which never includes the secret even if a server repeats
  /// it.
  func failure(_ error: any Error, _ patience: Duration) -> EmbeddingError {
    var text: String
    switch error {
    case let error as EmbeddingError: return error
    case let problem as EmbeddingAnswer.Problem: text = problem.text
    case is ResponseAccumulator.ResponseTooBigError:
      text = "sent more than \(Self.largestAnswer >> 20) MB"
    default:
      text = AddressHTTP.problem(error, patience: patience, isEncrypted: address.isEncrypted)
    }
    if let token { text = text.replacingOccurrences(of: token, with: "…") }
    return .address(address.url, problem: text)
  }
}
