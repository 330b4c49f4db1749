import ArkivedSearch
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The shared parts of all exchanges with a model's address: timeout, the owner's secret, and error
/// messages.
struct ModelExchange: Sendable {
  let settings: ModelSettings
  /// The timeout for a whole answer.
  let patience: Duration

  /// Runs a request and cancels it when the timeout expires.
  ///
  /// - Parameters:
  ///   - said: returns the text received before an interruption.
  ///   - exchange: the request.
  /// - Returns: the answer.
  /// - Throws: `ModelError` if the server fails, `CancellationError` if the task is cancelled.
  func bounded<Answer: Sendable>(
    said: () -> String = { "" }, _ exchange: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await withThrowingTaskGroup(of: Answer.self) { group in
        group.addTask { try await exchange() }
        group.addTask {
          try await Task.sleep(for: patience)
          throw HTTPClientError.deadlineExceeded
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() else { throw CancellationError() }
        return answer
      }
    } catch {
      try Task.checkCancellation()
      throw failure(error, said: said())
    }
  }

  /// Sends a body to the address, with the owner's secret.
  func send(
    _ body: [UInt8], type: String, accepting accepted: String
  ) async throws -> HTTPClientResponse {
    var sent = HTTPClientRequest(url: settings.address.url)
    sent.method = .POST
    sent.headers = HTTPHeaders([
      ("Content-Type", type), ("Accept", accepted), ("User-Agent", "arkived"),
    ])
    if let key = settings.key { sent.headers.add(name: "Authorization", value: "Bearer \(key)") }
    sent.body = .bytes(body)
    return try await AddressHTTP.client.execute(
      sent, deadline: .now() + .nanoseconds(Int64(patience / .nanoseconds(1))))
  }

  /// Describes an error in words, which never contain the secret, even if the server repeats it.
  private func failure(_ error: any Error, said: String) -> ModelError {
    if let error = error as? ModelError { return error }
    var text: String
    switch error {
    case let problem as ChatStream.Problem: text = problem.text
    case is NIOTooManyBytesError: text = "sent a response that is too long"
    default:
      text = AddressHTTP.problem(
        error, patience: patience, isEncrypted: settings.address.isEncrypted)
    }
    if let key = settings.key { text = text.replacingOccurrences(of: key, with: "…") }
    return ModelError(settings.address.url, problem: text, said: said)
  }
}
