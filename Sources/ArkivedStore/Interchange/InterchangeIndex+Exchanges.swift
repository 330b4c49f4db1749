package import ArkivedCore
package import Foundation
import GRDB

/// Questions with their answers on both sides.
extension InterchangeIndex {
  /// A question with its answer in this archive.
  package struct Exchange: Hashable, Sendable {
    package var thread: UUID
    package var question: UUID?
    package var answer: UUID?

    package init(thread: UUID, question: UUID?, answer: UUID?) {
      self.thread = thread
      self.question = question
      self.answer = answer
    }
  }

  /// A question with its answer on one side or both.
  package struct Pair: Hashable, Sendable {
    package var key: String
    package var there: Entry?
    package var here: Exchange?
  }

  /// The position in reading the pairs of a table: first those that are there, in order, then those
  /// that are only here, in order, and finally those deleted on both sides, by key.
  package struct PairPosition: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
      case there(after: Int64)
      case here(after: Int64)
      case gone(after: String)
    }

    fileprivate var part: Part? = .there(after: 0)

    package init() {}
  }

  // MARK: Rows of the other program

  /// Records the data of a conversation's row.
  ///
  /// - Parameters:
  ///   - session: used if none was recorded before.
  ///   - first: the ID that its question gets.
  ///   - entry: the row of the conversation.
  /// - Throws: an error if the index can't be written.
  package func note(session: Int, first: UUID, of entry: Int64) throws {
    try on { db in
      try db.cachedStatement(
        sql: """
          UPDATE entries SET session = coalesce(session, ?), first = coalesce(first, ?)
          WHERE number = ?
          """
      ).execute(arguments: [session, first, entry])
    }
  }

  /// Records that both sides have had a row.
  package func noteBase(of entry: Int64) throws {
    try on { db in
      try db.cachedStatement(sql: "UPDATE entries SET has_base = 1 WHERE number = ?")
        .execute(arguments: [entry])
    }
  }

  /// Returns the session of a row.
  package func session(of entry: Int64) throws -> Int? {
    try on { db in
      try Int.fetchOne(
        db, cached: "SELECT session FROM entries WHERE number = ?", arguments: [entry])
    }
  }

  /// Returns the session of a key.
  package func session(_ table: String, _ key: String) throws -> Int? {
    try on { db in
      try Int.fetchOne(
        db, cached: "SELECT session FROM entries WHERE name = ? AND key = ?",
        arguments: [table, key])
    }
  }

  // MARK: Exchanges

  /// Records the exchange here with a key.
  ///
  /// Earlier records of it are kept.
  ///
  /// - Parameters:
  ///   - exchange: the exchange.
  ///   - key: its key.
  ///   - spelling: the key in the spelling under which the fates of rows are recorded.
  /// - Throws: an error if the index can't be written.
  package func note(_ exchange: Exchange, _ key: String, spelling: String) throws {
    try on { db in
      try db.cachedStatement(
        sql: """
          INSERT INTO exchanges (key, spelling, thread, question, answer) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET
            question = coalesce(question, excluded.question),
            answer = coalesce(answer, excluded.answer)
          """
      ).execute(
        arguments: [key, spelling, exchange.thread, exchange.question, exchange.answer])
    }
  }

  package func exchange(_ key: String) throws -> Exchange? {
    try on { db in
      try Row.fetchOne(db, cached: "SELECT * FROM exchanges WHERE key = ?", arguments: [key])
        .map(Self.exchange)
    }
  }

  package func exchangeCount() throws -> Int {
    try on { db in try Int.fetchOne(db, cached: "SELECT count(*) FROM exchanges") ?? 0 }
  }

  private static func exchange(_ row: Row) -> Exchange {
    Exchange(thread: row["thread"], question: row["question"], answer: row["answer"])
  }

  // MARK: Both sides

  /// Returns the next pairs; empty at the end.
  package func pairs(
    _ table: String, _ position: inout PairPosition, limit: Int
  ) throws -> [Pair] {
    while let part = position.part {
      let found = try on { db in try Self.pairs(table, part, limit, db) }
      if let last = found.last {
        switch part {
        case .there: position.part = .there(after: last.number)
        case .here: position.part = .here(after: last.number)
        case .gone: position.part = .gone(after: last.pair.key)
        }
        return found.map(\.pair)
      }
      switch part {
      case .there: position.part = .here(after: 0)
      case .here: position.part = .gone(after: "")
      case .gone: position.part = nil
      }
    }
    return []
  }

  private static func pairs(
    _ table: String, _ part: PairPosition.Part, _ limit: Int, _ db: Database
  ) throws -> [(number: Int64, pair: Pair)] {
    switch part {
    case .there(let number):
      try Row.fetchAll(
        db,
        cached: """
          SELECT entries.*, thread, question, answer FROM entries
          LEFT JOIN exchanges ON exchanges.key = entries.key
          WHERE name = ? AND entries.number > ? AND \(isThere) ORDER BY entries.number LIMIT ?
          """, arguments: [table, number, limit]
      ).map { row in
        let exchange = (row["thread"] as UUID?) == nil ? nil : exchange(row)
        return (row["number"], Pair(key: row["key"], there: try entry(row), here: exchange))
      }
    case .here(let number):
      try Row.fetchAll(
        db,
        cached: """
          SELECT * FROM exchanges AS it WHERE number > ? AND NOT EXISTS (
            SELECT 1 FROM entries WHERE name = ? AND key = it.key AND \(isThere))
          ORDER BY number LIMIT ?
          """, arguments: [number, table, limit]
      ).map { ($0["number"], Pair(key: $0["key"], there: nil, here: exchange($0))) }
    case .gone(let key):
      try String.fetchAll(
        db,
        cached: """
          SELECT key FROM entries AS it WHERE name = ? AND key > ? AND NOT \(isThere)
            AND NOT EXISTS (SELECT 1 FROM exchanges WHERE key = it.key)
          ORDER BY key LIMIT ?
          """, arguments: [table, key, limit]
      ).map { (0, Pair(key: $0, there: nil, here: nil)) }
    }
  }

  /// Returns the number of rows both sides have had that are there and not here.
  package func countGoneHere(_ table: String) throws -> Int {
    try on { db in
      try Int.fetchOne(
        db,
        cached: """
          SELECT count(*) FROM entries AS it WHERE name = ? AND \(Self.isThere) AND has_base
            AND NOT EXISTS (SELECT 1 FROM exchanges WHERE key = it.key)
          """, arguments: [table]) ?? 0
    }
  }

  /// Returns the number of exchanges here that are recorded as deleted there.
  package func countGoneThere(_ table: String) throws -> Int {
    try on { db in
      try Int.fetchOne(
        db,
        cached: """
          SELECT count(*) FROM exchanges AS it
          JOIN fates ON fates.key = it.spelling AND deleted_at IS NOT NULL
          WHERE NOT EXISTS (
            SELECT 1 FROM entries WHERE name = ? AND key = it.key AND \(Self.isThere))
          """, arguments: [table]) ?? 0
    }
  }

  /// Returns the next rows that are there, not here, and never were on both sides, each with the ID
  /// that its question would get.
  package func newThere(
    _ table: String, after number: Int64, limit: Int
  ) throws -> [(number: Int64, key: String, first: UUID)] {
    try on { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT number, key, first FROM entries AS it
          WHERE name = ? AND number > ? AND \(Self.isThere) AND NOT has_base AND first IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM exchanges WHERE key = it.key)
          ORDER BY number LIMIT ?
          """, arguments: [table, number, limit]
      ).map { (number: $0["number"], key: $0["key"], first: $0["first"]) }
    }
  }

  // MARK: Sessions and threads

  /// Records that a thread is a session.
  ///
  /// - Parameters:
  ///   - thread: the ID of the thread.
  ///   - session: the number of the session.
  ///   - isFirst: true if an earlier record stays.
  /// - Throws: an error if the index can't be written.
  package func note(thread: UUID, isSession session: Int, isFirst: Bool = true) throws {
    try note(threadOf: session, thread, isFirst: isFirst)
    try note(sessionOf: thread, session, isFirst: isFirst)
  }

  package func note(threadOf session: Int, _ thread: UUID, isFirst: Bool) throws {
    try on { db in
      try db.cachedStatement(
        sql:
          "INSERT OR \(isFirst ? "IGNORE" : "REPLACE") INTO sessions (number, thread) VALUES (?, ?)"
      ).execute(arguments: [session, thread])
    }
  }

  package func note(sessionOf thread: UUID, _ session: Int, isFirst: Bool) throws {
    try on { db in
      try db.cachedStatement(
        sql: "INSERT OR \(isFirst ? "IGNORE" : "REPLACE") INTO threads (id, session) VALUES (?, ?)"
      ).execute(arguments: [thread, session])
    }
  }

  package func thread(ofSession number: Int) throws -> UUID? {
    try on { db in
      try UUID.fetchOne(
        db, cached: "SELECT thread FROM sessions WHERE number = ?", arguments: [number])
    }
  }

  package func session(ofThread id: UUID) throws -> Int? {
    try on { db in
      try Int.fetchOne(
        db, cached: "SELECT session FROM threads WHERE id = ?", arguments: [id])
    }
  }

  // MARK: Change times in the other archive

  /// Records the time at which a row was changed or deleted.
  ///
  /// Only the latest time of each counts.
  package func note(changed: Instant? = nil, deleted: Instant? = nil, of key: String) throws {
    try on { db in
      try db.cachedStatement(
        sql: """
          INSERT INTO fates (key, changed_at, deleted_at) VALUES (?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET
            changed_at = max(coalesce(changed_at, excluded.changed_at),
              coalesce(excluded.changed_at, changed_at)),
            deleted_at = max(coalesce(deleted_at, excluded.deleted_at),
              coalesce(excluded.deleted_at, deleted_at))
          """
      ).execute(arguments: [key, changed?.milliseconds, deleted?.milliseconds])
    }
  }

  /// Returns the known times at which a row was last changed and deleted.
  package func fate(of key: String) throws -> (changed: Instant?, deleted: Instant?) {
    try on { db in
      let row = try Row.fetchOne(
        db, cached: "SELECT changed_at, deleted_at FROM fates WHERE key = ?", arguments: [key])
      return (row?.instant(optional: "changed_at"), row?.instant(optional: "deleted_at"))
    }
  }
}
