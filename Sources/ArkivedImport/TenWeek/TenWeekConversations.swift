package import ArkivedCore
package import Foundation

/// A question to Ten Week's assistant with its answer, a row of `conversation_history`; a session
/// is one thread.
package struct TenWeekExchange: Hashable, Sendable {
  package var session: Int
  package var key: String
  package var prompt: String
  package var response: String
  package var at: Instant

  /// Parses a row.
  ///
  /// - Throws: `FieldError`, also if the text is too long for a message.
  package init(_ row: InterchangeRow, _ reader: TenWeekReader) throws(FieldError) {
    let fields = TenWeekFields(.conversations, row, reader.homeZone)
    guard let session = try fields.whole("session_id") else {
      throw FieldError("session_id", "is missing")
    }
    guard let at = try fields.time("created_at")?.instant else {
      throw FieldError("created_at", "is missing")
    }
    guard let key = reader.key(.conversations, row) else {
      throw FieldError(
        "id", row["id"]?.isNull ?? true ? "is missing" : "contains bytes instead of text")
    }
    self.init(
      session: session, key: key, prompt: try fields.text("prompt") ?? "",
      response: try fields.text("response") ?? "", at: at)
    for message in messages(in: threadID) {
      do throws(FieldError) {
        try message.validate()
      } catch {
        throw FieldError(message.role == .user ? "prompt" : "response", error.problem)
      }
    }
  }

  package init(session: Int, key: String, prompt: String, response: String, at: Instant) {
    self.session = session
    self.key = key
    self.prompt = prompt
    self.response = response
    self.at = at
  }

  /// Returns the ID of a message created from the row, which is the same for the same row.
  package func id(_ role: MessageRole) -> UUID { id(role.rawValue) }

  /// The ID of a thread that begins with the row.
  package var threadID: UUID { id("thread") }

  private func id(_ part: String) -> UUID {
    DerivedIdentity.of("conversation_history", key, "\(at.milliseconds)", part)
  }

  /// The message of this archive from which the row was written, if any; such a row has the
  /// message's ID.
  package var writtenFrom: UUID? { UUID(foreign: key) }

  /// Returns a thread that begins with the row.
  package func thread(_ id: UUID) -> ConversationThread {
    let title = ConversationThread.title(asking: prompt)
    return ConversationThread(
      id: id, title: title.isEmpty ? "\(session)" : title, createdAt: at, updatedAt: at)
  }

  /// Returns the messages, with the question first; empty ones are omitted.
  package func messages(in thread: UUID) -> [ConversationMessage] {
    [(MessageRole.user, prompt), (.assistant, response)]
      .filter { role, text in !text.isEmpty || role == .user && response.isEmpty }
      .map { role, text in
        ConversationMessage(
          id: id(role), threadID: thread, role: role, text: text, createdAt: at, updatedAt: at)
      }
  }
}

/// Pairs the messages of a thread as questions and answers, one message after another.
package struct ExchangePairing {
  package typealias Exchange = (question: UUID?, answer: UUID?)

  private var question: UUID?

  package init() {}

  /// Adds the next message.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - role: who wrote it.
  ///   - areOne: returns true if a question and this answer, which may have been created from rows,
  ///     belong together.
  /// - Returns: The exchanges completed by it.
  package mutating func add(
    _ id: UUID, _ role: MessageRole, areOne: (_ question: UUID) throws -> Bool = { _ in true }
  ) rethrows -> [Exchange] {
    guard role != .user else {
      defer { question = id }
      return end()
    }
    var exchanges: [Exchange] = []
    if let open = question, try !areOne(open) { exchanges = end() }
    exchanges.append((question, id))
    question = nil
    return exchanges
  }

  /// Ends the thread.
  ///
  /// - Returns: The unanswered question, if there is one.
  package mutating func end() -> [Exchange] {
    defer { question = nil }
    return question.map { [($0, nil)] } ?? []
  }
}

extension TenWeekWriter {
  /// Returns a question and its answer as a row of `conversation_history`.
  package func fields(
    _ question: ConversationMessage?, _ answer: ConversationMessage?, session: Int
  ) -> Fields {
    guard let first = question ?? answer else { return [:] }
    return [
      "id": .text((answer ?? first).id.uuidString), "session_id": .integer(Int64(session)),
      "prompt": .text(question?.text ?? ""), "response": .text(answer?.text ?? ""),
      "created_at": time(first.createdAt), "freeform_notes": .null,
    ]
  }
}
