package import ArkivedCore
package import Foundation

/// Conversations with the relative's assistant; each session becomes one thread.
package struct TenWeekConversations {
  /// One question with its answer, a row of `conversation_history`.
  struct Exchange {
    var session: Int
    var key: String
    var prompt: String
    var response: String
    var at: Instant

    /// The same for the same row, so that it is known again.
    func id(_ part: String) -> UUID {
      DerivedIdentity.of("conversation_history", key, "\(at.milliseconds)", part)
    }
  }

  private var exchanges: [Exchange] = []

  package init() {}

  /// - Throws: `FieldError`.
  package mutating func learn(
    _ row: InterchangeRow, _ reader: TenWeekReader
  ) throws(FieldError) {
    let fields = TenWeekFields(.conversations, row, reader.homeZone)
    guard let session = try fields.whole("session_id") else {
      throw FieldError("session_id", "is missing")
    }
    guard let at = try fields.time("created_at")?.instant else {
      throw FieldError("created_at", "is missing")
    }
    guard let key = try fields.text("id") else { throw FieldError("id", "is missing") }
    exchanges.append(
      Exchange(
        session: session, key: key, prompt: try fields.text("prompt") ?? "",
        response: try fields.text("response") ?? "", at: at))
  }

  /// The threads, each before what was said in it, with the session that it was.
  package var entities: [(session: Int, entity: any RecordedEntity)] {
    let sessions = Dictionary(grouping: exchanges, by: \.session)
    return sessions.sorted { $0.key < $1.key }.flatMap { session, exchanges in
      let sorted = exchanges.sorted { ($0.at, $0.key) < ($1.at, $1.key) }
      let title = sorted.map { ConversationThread.title(asking: $0.prompt) }
        .first { !$0.isEmpty }
      let thread = ConversationThread(
        id: sorted[0].id("thread"), title: title ?? "\(session)", createdAt: sorted[0].at,
        updatedAt: sorted[sorted.count - 1].at)
      return [(session, thread as any RecordedEntity)]
        + sorted.flatMap { exchange in
          [(MessageRole.user, exchange.prompt), (.assistant, exchange.response)].map {
            role, text in
            let message = ConversationMessage(
              id: exchange.id(role.rawValue), threadID: thread.id, role: role, text: text,
              createdAt: exchange.at, updatedAt: exchange.at)
            return (session, message as any RecordedEntity)
          }
        }
    }
  }

  /// The keys of rows by the messages that they became.
  package var keys: [UUID: String] {
    var keys: [UUID: String] = [:]
    for exchange in exchanges {
      for role in [MessageRole.user, .assistant] { keys[exchange.id(role.rawValue)] = exchange.key }
    }
    return keys
  }
}

extension TenWeekWriter {
  /// A question and its answer as a row of `conversation_history`.
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
