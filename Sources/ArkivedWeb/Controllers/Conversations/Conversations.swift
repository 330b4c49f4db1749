import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The operations shared by the page and the API of conversations.
struct Conversations: Sendable {
  let archive: Archive
  let zone: Zone
  let tools: ToolBox

  /// The maximum number of messages of a conversation that are used to resolve “that” and passed to
  /// a model.
  private static let historyLimit = 40
  static let questionLimit = 20_000

  /// Executes or answers a message, and stores both.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - thread: the conversation it belongs to; nil for a new one.
  ///   - request: the key of a request that may be repeated.
  ///   - heard: receives a model's text as it arrives.
  ///   - answer: creates the response from the stored messages.
  /// - Returns: the answer.
  /// - Throws: what `answer` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  func ask(
    _ question: String, in thread: UUID?, once request: RequestKey?,
    heard: @escaping @Sendable (String) async -> Void = { _ in },
    answer:
      @escaping @Sendable (
        ConversationThread, [ConversationMessage], Change
      ) throws -> KeptAnswer
  ) async throws -> KeptAnswer {
    let question = question.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !question.isEmpty else { throw FieldError("question", "is empty") }
    guard question.utf8.count <= Self.questionLimit else {
      throw FieldError("question", "is longer than 20 kB")
    }
    guard !question.utf8.contains(0) else {
      throw FieldError("question", "contains a NUL character")
    }
    let history = try await offServer {
      try thread.map { try archive.messages(of: $0, limit: Self.historyLimit).messages } ?? []
    }
    let (assistant, trouble) = configured()
    let reply = try await assistant.reply(
      to: question, history: history, by: .assistant(thread: thread), once: request, heard: heard)
    var details = reply.details
    if let trouble { details = details.with(["problem": .string(trouble)]) }
    let kept = details
    return try await offServer {
      try archive.say(
        question, answered: reply.text, details: kept, in: thread, once: request, answer: answer)
    }
  }

  /// Returns true if a model may phrase the answer, so text arrives before the answer is complete.
  func hasModel() -> Bool {
    (try? archive.home.flatMap { try ModelSettings.read(in: $0) }) != nil
  }

  /// Returns the configured assistant, or one without a model and the reason if the settings can't
  /// be read.
  private func configured() -> (assistant: Assistant, trouble: String?) {
    do {
      return (try Assistant(configured: archive, zone: zone, tools: tools), nil)
    } catch {
      return (
        Assistant(archive: archive, zone: zone, tools: tools),
        "The language model wasn’t asked: \(error)."
      )
    }
  }

  /// Returns a thread with its messages as JSON.
  func told(_ id: UUID) throws -> (thread: ConversationThread, json: JSON) {
    guard let thread = try archive.entity(ConversationThread.self, id) else {
      throw ArchiveError.notFound("No conversation with the ID \(id.uuidString).")
    }
    let messages = try archive.messages(of: id).messages
    return (thread, Self.json(thread, messages))
  }

  static func json(_ thread: ConversationThread, _ messages: [ConversationMessage]) -> JSON {
    thread.json.with(["messages": .array(messages.map(\.json))])
  }
}
