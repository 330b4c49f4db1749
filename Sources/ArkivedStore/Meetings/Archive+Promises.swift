package import ArkivedCore
package import Foundation
import GRDB

/// A promise with its note.
package struct StoredPromise: Hashable, Sendable {
  package var promise: Promise
  package var noteID: UUID
  package var noteTitle: String
  package var noteDay: DayKey
  package var noteCreatedAt: Instant
  package var meetingID: UUID?
  package var meetingTitle: String?
  /// True if the archive's owner made the promise.
  package var isMine: Bool
  /// The people other than the archive's owner who made it, if known.
  package var ownerIDs: [UUID]
  /// The people it was made to: those named in it, otherwise the other participants of the meeting.
  package var to: [Mention]
  /// True if the promise's own words name the recipient.
  package var isToNamed: Bool

  /// The first person who made it, if known; nil for the owner of the archive.
  package var ownerID: UUID? { isMine ? nil : ownerIDs.first }

  /// The author's name in the note; nil if it is only the owner of the archive.
  package var owner: String? { isMine && ownerIDs.isEmpty ? nil : promise.owner }

  package var json: JSON {
    [
      "text": .string(promise.text), "isDone": .bool(promise.isDone),
      "owner": JSON(owner), "ownerId": JSON(ownerID?.uuidString),
      "ownerIds": .array(ownerIDs.map { .string($0.uuidString) }),
      "isMine": .bool(isMine), "to": .array(to.map(\.json)),
      "due": JSON(promise.due), "line": JSON(promise.line),
      "noteId": .string(noteID.uuidString), "noteTitle": .string(noteTitle),
      "noteDay": JSON(noteDay), "meetingId": JSON(meetingID?.uuidString),
      "meetingTitle": JSON(meetingTitle),
    ]
  }
}

/// A filter for a list of promises.
package struct PromiseFilter: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    /// Anybody, the owner of the archive, or everybody else (`others`).
    case anybody, me, others
    case person(UUID)
    /// A person as a note names them.
    case named(String)
  }

  package var owner = Owner.anybody
  /// The people that a promise must concern, at least one of them: as its author, as a person named
  /// in it, or as a participant.
  package var people: [UUID] = []
  package var includesDone = false
  /// The days on one of which a promise must be due.
  package var due: ClosedRange<DayKey>?
  package var meeting: UUID?
  package var limit = 10_000
  package var offset = 0

  package init() {}
}

/// Promises by the people who made them.
package struct PromiseBoard: Sendable {
  /// The promises of one person.
  package struct Column: Sendable {
    /// The owner of the archive, a person, or somebody unknown here, by their folded name.
    package var owner: PromiseFilter.Owner
    /// The first of the promises, open ones first, by due day.
    package var promises: [StoredPromise]
    package var total: Int
    /// The number of open ones that were due before today.
    package var late: Int

    package init(
      owner: PromiseFilter.Owner, promises: [StoredPromise], total: Int, late: Int
    ) {
      self.owner = owner
      self.promises = promises
      self.total = total
      self.late = late
    }
  }

  package var columns: [Column]
  /// The number of columns, shown or not.
  package var columnCount: Int
  /// True if there are more promises than the board includes.
  package var isCut: Bool

  package init(columns: [Column], columnCount: Int, isCut: Bool) {
    self.columns = columns
    self.columnCount = columnCount
    self.isCut = isCut
  }
}

extension Archive {
  /// Returns promises, open ones first, by due day.
  ///
  /// - Parameters:
  ///   - filter: which promises to return.
  ///   - owner: the owner of the archive, if known.
  /// - Returns: the promises.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func promises(
    _ filter: PromiseFilter = PromiseFilter(), owner: Owner? = nil
  ) throws -> [StoredPromise] {
    try promisePage(filter, owner: owner).promises
  }

  /// Returns promises, and their total number without limit and offset.
  package func promisePage(
    _ filter: PromiseFilter, owner: Owner? = nil
  ) throws -> (promises: [StoredPromise], total: Int) {
    try read { db in
      var rows = try PromiseRows(db, owner: owner)
      return try rows.fetch(filter)
    }
  }

  /// Returns the promises of the owner of the archive, followed by those of each other person;
  /// people with the earliest due promises come first.
  ///
  /// - Parameters:
  ///   - includesDone: true to read kept promises as well.
  ///   - today: promises due before it are late.
  ///   - limit: the number of each person's promises that are read completely.
  ///   - columns: the people to read.
  ///   - most: the number of promises to examine.
  /// - Returns: the board.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func promiseBoard(
    includesDone: Bool, today: DayKey, limit: Int, columns: Range<Int>, most: Int
  ) throws -> PromiseBoard {
    try read { db in
      var rows = try PromiseRows(db)
      return try rows.board(
        includesDone: includesDone, today: today, limit: limit, columns: columns, most: most)
    }
  }
}
