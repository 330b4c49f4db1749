package import ArkivedCore
package import Foundation
import GRDB

extension ConversationThread: StoredEntity {
  static func read(_ row: Row) throws -> ConversationThread {
    ConversationThread(
      id: try row.identity("id"), title: row["title"], createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] { [("title", title)] }

  /// The visible threads, and those with visible messages although the import that created them was
  /// undone by an earlier version, because a message without its thread can't be imported.
  static let exported = """
    (SELECT * FROM threads UNION ALL SELECT * FROM thread_rows
      WHERE pk IN (SELECT thread_pk FROM messages) AND pk NOT IN (SELECT pk FROM threads))
    """
}

extension ConversationMessage: StoredEntity {
  /// The order of messages in a thread.
  ///
  /// Imported messages don't have to be in it.
  static let asSaid = "it.created_at, it.pk"

  static func selection(from source: String) -> String {
    """
    SELECT it.*, thread.id AS thread_id FROM \(source) AS it
    JOIN thread_rows AS thread ON thread.pk = it.thread_pk
    """
  }

  static func read(_ row: Row) throws -> ConversationMessage {
    ConversationMessage(
      id: try row.identity("id"), threadID: try row.identity("thread_id"),
      role: MessageRole(rawValue: row["role"]), text: row["text"],
      details: try (row["details"] as String?).map { try JSON(parsing: $0) },
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("thread_pk", try ConversationThread.linkedKey(threadID, field: "threadId", scope.db)),
      ("role", role.rawValue), ("text", text), ("details", details?.text()),
    ]
  }
}

extension ChangeScope {
  /// Records that something was said in a thread.
  ///
  /// The time of the last message is not a new version of the thread.
  package func spoke(in thread: UUID, at instant: Instant) throws {
    try db.cachedStatement(
      sql: "UPDATE thread_rows SET updated_at = max(updated_at, ?) WHERE id = ?"
    ).execute(arguments: [instant.milliseconds, thread.uuidString])
  }

  /// Keeps the threads of an import that is about to be hidden in which others have spoken since.
  ///
  /// - Parameter key: the row of the import's change; nil shows those again that earlier versions
  ///   hid, before another import replaces them.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func keepThreadsSpokenIn(ofImport key: Int64? = nil) throws {
    let undone = "SELECT change_pk FROM hidden_changes WHERE state = 'undone'"
    let changes = key.map { "\($0)" } ?? undone
    let others = """
      FROM message_rows AS said WHERE said.thread_pk = thread_rows.pk
        AND said.changed_pk <> thread_rows.changed_pk
        AND said.changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
      """
    try db.execute(
      sql: """
        UPDATE thread_rows SET changed_pk = (SELECT max(said.changed_pk) \(others))
        WHERE changed_pk IN (\(changes)) AND EXISTS (SELECT 1 \(others))
        """)
  }

  /// Returns true if a thread has no messages left.
  package func isSilent(_ thread: UUID) throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT NOT EXISTS (SELECT 1 FROM messages JOIN thread_rows ON thread_rows.pk = thread_pk
          WHERE thread_rows.id = ?)
        """, arguments: [thread.uuidString]) ?? true
  }
}

/// Conversations with the assistant.
extension Archive {
  /// The action of a message.
  ///
  /// It is not an edit, so undoing the latest change skips it.
  static let askAction = "ask"

  /// A thread with the number of its messages.
  package struct ThreadSummary: Hashable, Sendable {
    package var thread: ConversationThread
    package var messageCount: Int
  }

  /// Returns threads, the most recently used first.
  ///
  /// - Parameters:
  ///   - query: words in the title or in the messages; nil for all.
  ///   - limit: the maximum number of threads.
  ///   - offset: how many results to skip.
  /// - Returns: the threads, and how many there are.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func threads(
    query: String? = nil, limit: Int = 50, offset: Int = 0
  ) throws -> (threads: [ThreadSummary], total: Int) {
    try read { db in
      var condition = "1"
      var arguments = StatementArguments()
      for word in (query ?? "").split(whereSeparator: \.isWhitespace).prefix(20) {
        let (inTitle, titleValues) = TextPiece.condition(String(word), in: ["it.title"])
        let (inText, textValues) = TextPiece.condition(String(word), in: ["text"])
        condition += """
           AND (\(inTitle) OR EXISTS (SELECT 1 FROM messages
            WHERE thread_pk = it.pk AND \(inText)))
          """
        arguments += titleValues + textValues
      }
      let total =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM threads AS it WHERE \(condition)", arguments: arguments)
        ?? 0
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT it.*, (SELECT count(*) FROM messages WHERE thread_pk = it.pk) AS count
          FROM threads AS it WHERE \(condition) ORDER BY it.updated_at DESC, it.pk DESC
          LIMIT ? OFFSET ?
          """, arguments: arguments + [max(0, limit), max(0, offset)])
      return (
        try rows.map {
          ThreadSummary(thread: try ConversationThread.read($0), messageCount: $0["count"])
        }, total
      )
    }
  }

  /// Begins a new conversation with everything before a message, so its question can be asked
  /// differently; the old conversation is kept.
  ///
  /// - Throws: `ArchiveError.notFound` if the conversation or the message doesn't exist.
  package func branch(
    _ thread: UUID, before message: UUID, by author: Author = .owner
  ) throws -> Saved<ConversationThread> {
    let (value, change) = try write(by: author, Self.askAction, Self.branched) { scope in
      try branch(thread, before: message, in: scope)
    }
    return Saved(value: value, change: change)
  }

  /// Starts another conversation in the same way and stores the answer in the same transaction, so
  /// a repeated request starts only one.
  ///
  /// - Throws: `RequestKeyTaken`, and what the other `branch` throws.
  package func branch(
    _ thread: UUID, before message: UUID, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<ConversationThread>, [ConversationMessage]) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, Self.askAction, Self.branched, once: request) { scope in
      let open = try branch(thread, before: message, in: scope)
      let said = try ConversationMessage.fetch(
        scope.db, where: "thread.id = ?", arguments: [open.id.uuidString],
        order: ConversationMessage.asSaid)
      return try answer(Saved(value: open, change: scope.change), said)
    }
  }

  private static let branched = "Rephrased a question"

  private func branch(
    _ thread: UUID, before message: UUID, in scope: ChangeScope
  ) throws -> ConversationThread {
    guard let old = try ConversationThread.fetchOne(scope.db, id: thread),
      let key = try ConversationThread.key(thread, scope.db),
      let known = try ConversationMessage.fetchOne(scope.db, id: message),
      known.threadID == thread, let end = try ConversationMessage.key(message, scope.db)
    else { throw ArchiveError.notFound("No message with the ID \(message.uuidString).") }
    let now = scope.now
    let open = ConversationThread(
      id: identities.next(), title: old.title, createdAt: now, updatedAt: now)
    try scope.insertEntity(open)
    let said = try ConversationMessage.fetch(
      scope.db, where: "it.thread_pk = ? AND (it.created_at, it.pk) < (?, ?)",
      arguments: [key, known.createdAt.milliseconds, end], order: ConversationMessage.asSaid)
    for var copy in said {
      copy.id = identities.next()
      copy.threadID = open.id
      try scope.insertEntity(copy)
    }
    return open
  }

  /// Returns the messages of a thread in order.
  ///
  /// - Parameters:
  ///   - thread: the ID of the thread.
  ///   - limit: the number of latest messages.
  /// - Returns: the messages, and how many there are.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func messages(
    of thread: UUID, limit: Int = .max
  ) throws -> (messages: [ConversationMessage], total: Int) {
    try read { db in
      guard let key = try ConversationThread.key(thread, db) else {
        throw ArchiveError.notFound("No conversation with the ID \(thread.uuidString).")
      }
      let total =
        try Int.fetchOne(
          db, cached: "SELECT count(*) FROM messages WHERE thread_pk = ?", arguments: [key]) ?? 0
      let messages = try ConversationMessage.fetch(
        db, where: "it.thread_pk = ?", arguments: [key],
        order: "it.created_at DESC, it.pk DESC LIMIT \(max(0, limit))")
      return (messages.reversed(), total)
    }
  }

  /// Stores a question and its answer, in a new thread or in an existing one.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - reply: the answer as text.
  ///   - details: the answer as JSON.
  ///   - thread: the ID of the thread; nil for a new one.
  ///   - author: who makes the change.
  ///   - request: the key of a request that may be repeated; nil if it may not.
  ///   - answer: returns the answer about the thread and the stored messages.
  /// - Returns: the answer.
  /// - Throws: `RequestKeyTaken`, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  package func say(
    _ question: String, answered reply: String, details: JSON, in thread: UUID? = nil,
    by author: Author = .owner, once request: RequestKey? = nil,
    answer: (ConversationThread, [ConversationMessage], Change) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Asked “\(question.prefix(120))”"
    return try write(by: author, Self.askAction, summary, once: request) { scope in
      let now = scope.now
      var open: ConversationThread
      if let thread {
        guard let known = try ConversationThread.fetchOne(scope.db, id: thread) else {
          throw ArchiveError.notFound("No conversation with the ID \(thread.uuidString).")
        }
        open = known
        open.updatedAt = max(now, open.updatedAt)
        try scope.spoke(in: thread, at: now)
      } else {
        open = ConversationThread(
          id: identities.next(), title: ConversationThread.title(asking: question), createdAt: now,
          updatedAt: now)
        try scope.insertEntity(open)
      }
      let said = [(MessageRole.user, question, nil), (.assistant, reply, Optional(details))].map {
        ConversationMessage(
          id: identities.next(), threadID: open.id, role: $0.0, text: $0.1, details: $0.2,
          createdAt: now, updatedAt: now)
      }
      for message in said { try scope.insertEntity(message) }
      return try answer(open, said, scope.change)
    }
  }
}
