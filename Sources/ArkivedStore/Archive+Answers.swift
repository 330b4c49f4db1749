package import ArkivedCore
package import Foundation
import GRDB

/// The key of a request that may be repeated, and what was asked with it.
package struct RequestKey: Hashable, Sendable {
  package var key: String
  /// A hash of what was asked, so that a key used for something else is noticed.
  package var requestHash: String

  package init(key: String, requestHash: String) {
    self.key = key
    self.requestHash = requestHash
  }
}

/// An answer as it was sent, for a repeated request.
package struct KeptAnswer: Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  package var location: String?
  package var etag: String?
  package var body: Data

  package init(status: Int, location: String? = nil, etag: String? = nil, body: Data = Data()) {
    self.status = status
    self.location = location
    self.etag = etag
    self.body = body
  }
}

/// A key stands for another request already.
package struct RequestKeyTaken: Error {}

/// Answering a repeated request as the first one was.
extension Archive {
  /// How long an answer is kept for a repetition of its request.
  package static let answerDays = 7
  /// How long an answer to a page is kept: a line that was saved, and whose answer never came back to
  /// the phone, may wait there for as long as its browser keeps anything.
  package static let pageAnswerDays = 400

  /// The answer that a request got under its key, flushed to the disk; nil when the key is new.
  ///
  /// - Throws: `RequestKeyTaken` when the key stands for another request.
  package func keptAnswer(to request: RequestKey) throws -> KeptAnswer? {
    guard try read({ db in try Archive.keptAnswer(to: request, db) }) != nil else { return nil }
    return try writer.write { db in
      let kept = try Archive.keptAnswer(to: request, db)
      if kept != nil { try confirm(request, db) }
      return kept
    }
  }

  /// Keeps the answer to a request, unless there is one already.
  package func keep(_ answer: KeptAnswer, to request: RequestKey) throws {
    try writer.write { db in try keep(answer, to: request, db) }
  }

  /// Adds an activity and keeps the answer in one transaction, so that however often, from however
  /// many programs and however interrupted a request is repeated, it makes one entry.
  ///
  /// - Parameter answer: what to answer about what was saved.
  /// - Returns: the answer of this request or, where it was made before, of the first one.
  /// - Throws: `RequestKeyTaken`, `FieldError`.
  package func add(
    _ activity: Activity, by author: Author = .owner, once request: RequestKey,
    answer: (Saved<Activity>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added “\(activity.text.prefix(120))”", once: request) { scope in
      try answer(Saved(value: try scope.add(activity), change: scope.change))
    }
  }

  /// As `add`, where the answer also tells what the activity counts towards.
  package func add(
    _ activity: Activity, by author: Author = .owner, once request: RequestKey,
    today: DayKey, answer: (Saved<Activity>, [GoalCredit]) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added “\(activity.text.prefix(120))”", once: request) { scope in
      let saved = Saved<Activity>(value: try scope.add(activity), change: scope.change)
      return try answer(saved, try scope.countsToward(action: activity.id, today: today))
    }
  }

  /// As `add`, for an entity of the goals side.
  package func create<Entity: RecordedEntity>(
    _ entity: Entity, by author: Author = .owner, once request: RequestKey,
    answer: (Saved<Entity>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added \(Self.name(of: entity))", once: request) { scope in
      try scope.insert(entity as any RecordedEntity)
      return try answer(Saved(value: entity, change: scope.change))
    }
  }

  /// As `add`, for a meeting with its entry.
  package func create(
    _ entry: MeetingEntry, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<MeetingEntry>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added the meeting “\(entry.title.prefix(120))”"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(entry), change: scope.change))
    }
  }

  /// As `add`, for a note.
  package func create(
    _ note: Note, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Note>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added the note “\(note.headline.prefix(120))”"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(note), change: scope.change))
    }
  }

  /// As `add`, for a person.
  package func create(
    _ person: Person, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Person>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added \(person.displayName.prefix(120))"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(person), change: scope.change))
    }
  }

  /// Runs one change and keeps the answer to its request in the same transaction.
  ///
  /// - Parameters:
  ///   - request: nil where it may not be repeated; then no answer is kept.
  ///   - body: does the writing and says what to answer.
  /// - Returns: the answer of this request or, where it was made before, of the first one.
  /// - Throws: `RequestKeyTaken`, and what `body` throws; then nothing of the change remains.
  package func write(
    by author: Author, _ action: String, _ summary: String, once request: RequestKey?,
    _ body: (inout ChangeScope) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try writer.write { db in
      if let request, let kept = try Archive.keptAnswer(to: request, db) {
        try confirm(request, db)
        return kept
      }
      var scope = try openScope(db, by: author, action, summary)
      let answer = try body(&scope)
      if let request { try keep(answer, to: request, db) }
      return answer
    }
  }

  private static func keptAnswer(to request: RequestKey, _ db: Database) throws -> KeptAnswer? {
    guard
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM kept_answers WHERE key = ?", arguments: [request.key])
    else { return nil }
    guard (row["request_hash"] as String) == request.requestHash else { throw RequestKeyTaken() }
    return KeptAnswer(
      status: row["status"], location: row["location"], etag: row["etag"], body: row["body"])
  }

  /// Has the transaction write, so that its end flushes the log: the first answer may have been
  /// written by a program that was killed before it could flush it.
  private func confirm(_ request: RequestKey, _ db: Database) throws {
    // A value that stays the same would not be written.
    try db.execute(
      sql: "UPDATE kept_answers SET at = max(at + 1, ?) WHERE key = ?",
      arguments: [clock.now.milliseconds, request.key])
  }

  private func keep(_ answer: KeptAnswer, to request: RequestKey, _ db: Database) throws {
    let now = clock.now
    // Pages are answered without a body.
    let days = answer.body.isEmpty ? Archive.pageAnswerDays : Archive.answerDays
    try db.execute(
      sql: "DELETE FROM kept_answers WHERE at < ?",
      arguments: [now.adding(seconds: -Archive.answerDays * 86_400).milliseconds])
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO kept_answers (key, request_hash, status, location, etag, body, at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        request.key, request.requestHash, answer.status, answer.location, answer.etag,
        answer.body, now.adding(seconds: (days - Archive.answerDays) * 86_400).milliseconds,
      ])
  }
}

extension ChangeScope {
  /// Adds an activity whose people are found or made.
  fileprivate func add(_ activity: Activity) throws -> Activity {
    var activity = activity
    activity.people = try activity.people.map { try resolve($0, allowsFirstName: true) }
    try insert(activity)
    return activity
  }
}
