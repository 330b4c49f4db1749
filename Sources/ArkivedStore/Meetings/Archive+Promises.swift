package import ArkivedCore
package import Foundation
import GRDB

/// A promise with the note it stands in.
package struct StoredPromise: Hashable, Sendable {
  package var promise: Promise
  package var noteID: UUID
  package var noteTitle: String
  package var noteDay: DayKey
  package var noteCreatedAt: Instant
  package var meetingID: UUID?
  package var meetingTitle: String?
  /// Whether it is the archive's owner who promised.
  package var isMine: Bool
  /// Who promised it beside the owner of the archive, where that is known.
  package var ownerIDs: [UUID]
  /// Whom it was promised to: who is named in it, else who else took part in the meeting.
  package var to: [Mention]
  /// Whether the promise's own words say to whom.
  package var isToNamed: Bool

  /// The first who promised it, where that is known; nil for the owner of the archive.
  package var ownerID: UUID? { isMine ? nil : ownerIDs.first }

  /// Who promised it, as the note says; nil for the owner of the archive alone.
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

/// Which promises a list holds.
package struct PromiseFilter: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    /// `others` is everybody but the owner of the archive.
    case anybody, me, others
    case person(UUID)
    /// Somebody as a note names them.
    case named(String)
  }

  package var owner = Owner.anybody
  /// Only those that concern one of these people: who promised, is named, or took part.
  package var people: [UUID] = []
  package var includesDone = false
  package var meeting: UUID?
  package var limit = 10_000
  package var offset = 0

  package init() {}
}

/// The promises of many, by who made them.
package struct PromiseBoard: Sendable {
  /// Those of one who promised.
  package struct Column: Sendable {
    /// The owner of the archive, a person, or somebody whom nobody here is, by their folded name.
    package var owner: PromiseFilter.Owner
    /// The first of them, open ones first, by the day by which.
    package var promises: [StoredPromise]
    package var total: Int
    /// How many are open and were due before today.
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
  /// How many there are, shown or not.
  package var columnCount: Int
  /// Whether there are more promises than the board is made of.
  package var isCut: Bool

  package init(columns: [Column], columnCount: Int, isCut: Bool) {
    self.columns = columns
    self.columnCount = columnCount
    self.isCut = isCut
  }
}

extension Archive {
  /// Promises, open ones first, by the day by which.
  ///
  /// - Parameter owner: of the archive, where that is known.
  package func promises(
    _ filter: PromiseFilter = PromiseFilter(), owner: Owner? = nil
  ) throws -> [StoredPromise] {
    try promisePage(filter, owner: owner).promises
  }

  /// Promises, and how many there are without limit and offset.
  package func promisePage(
    _ filter: PromiseFilter, owner: Owner? = nil
  ) throws -> (promises: [StoredPromise], total: Int) {
    try read { db in
      var rows = try PromiseRows(db, owner: owner)
      return try rows.fetch(filter)
    }
  }

  /// The promises of the owner of the archive, then those of each who promised, who is due first
  /// with something before the others.
  ///
  /// - Parameters:
  ///   - today: what was due before it is late.
  ///   - limit: how many of each are read whole.
  ///   - columns: which of those who promised are read.
  ///   - most: how many promises are looked through.
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
