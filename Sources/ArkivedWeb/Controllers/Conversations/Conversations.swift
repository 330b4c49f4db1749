import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// What the page and the API of conversations do alike.
struct Conversations: Sendable {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines

  /// So many of the entries that prove an answer are kept with it; it tells how many there are.
  static let keptCitations = 50
  static let questionLimit = 20_000

  /// Answers a question and keeps both.
  ///
  /// - Parameters:
  ///   - thread: the conversation it belongs to; a new one where nil.
  ///   - answer: what to tell of what was kept.
  func ask(
    _ question: String, in thread: UUID?, once request: RequestKey?,
    answer: @Sendable (ConversationThread, [ConversationMessage], Change) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let question = question.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !question.isEmpty else { throw FieldError("question", "is empty") }
    guard question.utf8.count <= Self.questionLimit else {
      throw FieldError("question", "is longer than 20 kB")
    }
    let computed = try AskEngine(archive: archive, zone: zone, timelines: timelines)
      .answer(question, citationLimit: Self.keptCitations)
    return try archive.say(
      question, answered: computed.sentence, details: computed.json, in: thread, once: request,
      answer: answer)
  }

  /// A thread with what was said, as JSON.
  func told(_ id: UUID) throws -> (thread: ConversationThread, json: JSON) {
    guard let thread = try archive.entity(ConversationThread.self, id) else {
      throw ArchiveError.notFound("conversation \(id.uuidString)")
    }
    let messages = try archive.messages(of: id).messages
    return (thread, Self.json(thread, messages))
  }

  static func json(_ thread: ConversationThread, _ messages: [ConversationMessage]) -> JSON {
    thread.json.with(["messages": .array(messages.map(\.json))])
  }
}
