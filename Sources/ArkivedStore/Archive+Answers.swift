package import ArkivedCore
package import Foundation
import GRDB

/// The key of a request that may be repeated, with a hash of the request.
package struct RequestKey: Hashable, Sendable {
  package var key: String
  /// A hash of the request, which detects a key that is reused for something else.
  package var requestHash: String

  package init(key: String, requestHash: String) {
    self.key = key
    self.requestHash = requestHash
  }
}

/// An answer as it was sent, stored for a repeated request.
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

/// An error that reports that a key already belongs to another request.
package struct RequestKeyTaken: Error {}

/// Answering repeated requests in the same way as the first.
extension Archive {
  /// The number of days an answer is kept in case its request is repeated.
  package static let answerDays = 7
  /// The number of days an answer to a request from a web page is kept.
  ///
  /// A saved line whose answer never reached the phone may wait there for as long as its browser
  /// keeps data.
  package static let pageAnswerDays = 400

  /// Returns the stored answer to a request, flushed to the disk; nil if the key is new.
  ///
  /// - Throws: `RequestKeyTaken` if the key belongs to another request.
  package func keptAnswer(to request: RequestKey) throws -> KeptAnswer? {
    guard try read({ db in try Archive.keptAnswer(to: request, db) }) != nil else { return nil }
    return try transact { db in
      let kept = try Archive.keptAnswer(to: request, db)
      if kept != nil { try confirm(request, db) }
      return kept
    }
  }

  /// Stores the answer to a request, unless there already is one.
  package func keep(_ answer: KeptAnswer, to request: RequestKey) throws {
    try transact { db in try keep(answer, to: request, db) }
  }

  /// Adds an activity and stores the answer in one transaction, so a request creates only one
  /// entry, no matter how often it is repeated or interrupted, and by how many programs.
  ///
  /// - Parameters:
  ///   - activity: the entry.
  ///   - author: who makes the change.
  ///   - request: identifies the request; nil if it may not be repeated.
  ///   - answer: returns the answer about the saved activity.
  /// - Returns: the answer to this request or, if it was made before, to the first one.
  /// - Throws: `RequestKeyTaken`, `FieldError`.
  package func add(
    _ activity: Activity, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Activity>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added “\(activity.text.prefix(120))”", once: request) { scope in
      try answer(Saved(value: try scope.add(activity), change: scope.change))
    }
  }

  /// Adds an activity in the same way as the other `add`, with an answer that also includes the
  /// goals it counts toward.
  package func add(
    _ activity: Activity, by author: Author = .owner, once request: RequestKey,
    today: DayKey, answer: (Saved<Activity>, [GoalCredit]) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added “\(activity.text.prefix(120))”", once: request) { scope in
      let saved = Saved<Activity>(value: try scope.add(activity), change: scope.change)
      return try answer(saved, try scope.countsToward(action: activity.id, today: today))
    }
  }

  /// Appends a paragraph to a day's note, and stores the answer in the same transaction, so a
  /// repeated request adds it only once.
  package func add(
    _ paragraph: String, toNoteOf dayKey: DayKey, by author: Author = .owner,
    once request: RequestKey?, answer: (Saved<DayEntry>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        try answer(
          try updateDay(dayKey, in: db, by: author) { entry in
            entry.note += entry.note.isEmpty ? paragraph : "\n\n\(paragraph)"
          })
      }
    }
  }

  /// Changes a day's own entry, and stores the answer in the same transaction.
  ///
  /// - Parameters:
  ///   - dayKey: the day.
  ///   - author: who makes the change.
  ///   - request: nil if it may not be repeated.
  ///   - answer: receives the saved entry and everything in the day.
  ///   - edit: receives the current entry and changes it.
  /// - Returns: the answer to this request or, if it was made before, to the first one.
  /// - Throws: `RequestKeyTaken`, `FieldError`, and what `answer` and `edit` throw.
  package func updateDay(
    _ dayKey: DayKey, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<DayEntry>, Day) throws -> KeptAnswer, _ edit: (inout DayEntry) throws -> Void
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        let saved = try updateDay(dayKey, in: db, by: author, edit)
        return try answer(saved, try Archive.day(dayKey, db))
      }
    }
  }

  /// Performs a request within a transaction and stores its answer, or returns the first answer.
  func answering(
    _ request: RequestKey?, in db: Database, _ perform: () throws -> KeptAnswer
  ) throws -> KeptAnswer {
    if let request, let kept = try Archive.keptAnswer(to: request, db) {
      try confirm(request, db)
      return kept
    }
    let answer = try perform()
    if let request { try keep(answer, to: request, db) }
    return answer
  }

  /// Creates an entity related to goals in the same way as `add`.
  package func create<Entity: RecordedEntity>(
    _ entity: Entity, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Entity>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, "add", "Added \(Self.name(of: entity))", once: request) { scope in
      try scope.insert(entity as any RecordedEntity)
      return try answer(Saved(value: entity, change: scope.change))
    }
  }

  /// Creates a meeting with its entry in the same way as `add`.
  package func create(
    _ entry: MeetingEntry, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<MeetingEntry>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added the meeting “\(entry.title.prefix(120))”"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(entry), change: scope.change))
    }
  }

  /// Creates a note in the same way as `add`.
  package func create(
    _ note: Note, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Note>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added the note “\(note.headline.prefix(120))”"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(note), change: scope.change))
    }
  }

  /// Creates a person in the same way as `add`.
  package func create(
    _ person: Person, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Person>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let summary = "Added \(person.displayName.prefix(120))"
    return try write(by: author, "add", summary, once: request) { scope in
      try answer(Saved(value: try scope.add(person), change: scope.change))
    }
  }

  /// Runs one change and stores the answer to its request in the same transaction.
  ///
  /// - Parameters:
  ///   - author: who makes the change.
  ///   - action: the kind of change: add, edit, delete and others.
  ///   - summary: the summary of the change.
  ///   - request: nil if it may not be repeated; then no answer is stored.
  ///   - body: writes and returns the answer.
  /// - Returns: the answer to this request or, if it was made before, to the first one.
  /// - Throws: `RequestKeyTaken`, and errors from `body`; then the whole change is discarded.
  package func write(
    by author: Author, _ action: String, _ summary: String, once request: RequestKey?,
    _ body: (inout ChangeScope) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        var scope = try openScope(db, by: author, action, summary)
        return try body(&scope)
      }
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

  /// Writes within the transaction, so the flush at its end includes the answer.
  ///
  /// The first answer may have been written by a program that was killed before flushing it.
  private func confirm(_ request: RequestKey, _ db: Database) throws {
    // An unchanged value would not be written.
    try db.execute(
      sql: "UPDATE kept_answers SET at = max(at + 1, ?) WHERE key = ?",
      arguments: [clock.now.milliseconds, request.key])
  }

  private func keep(_ answer: KeptAnswer, to request: RequestKey, _ db: Database) throws {
    let now = clock.now
    // Answers to pages have no body.
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
  /// Adds an activity whose people are found or created.
  fileprivate func add(_ activity: Activity) throws -> Activity {
    var activity = activity
    activity.people = try activity.people.map { try resolve($0, allowsFirstName: true) }
    try insert(activity)
    return activity
  }
}
