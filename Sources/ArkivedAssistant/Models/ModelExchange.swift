import ArkivedSearch
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// What every exchange with a model's address shares: its patience, the owner's secret, and words for
/// what went wrong.
struct ModelExchange: Sendable {
  let settings: ModelSettings
  /// For the whole of an answer.
  let patience: Duration

  /// Does something with the address and ends it when patience does.
  ///
  /// - Parameter said: what had come of an answer that broke off.
  /// - Throws: `ModelError`, `CancellationError`.
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

  /// In words. The secret is never among them, whatever a server repeats.
  private func failure(_ error: any Error, said: String) -> ModelError {
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
    return ModelError(settings.address.url, problem: text, said: said)
  }
}
