package import ArkivedCore
package import Foundation
import GRDB

/// An entry of a staged import that affects visible ones, deferred until it is published.
package struct PendingRecord: Sendable {
  /// The entity's type as named in JSON Lines.
  package var type: String
  package var entity: JSON
  package var hasOwnIdentity: Bool
  package var hasOwnVersion: Bool
  /// True if the run was asked to overwrite the owner's deletions and changes.
  package var overridesOwner: Bool
  /// The location of the entry in its source.
  package var place: String
  /// The row that it had, and was counted as, in the stage, until one of the owner's entries took
  /// its place.
  package var displacedRow: Int64?
  /// The row of another program that it was made from.
  package var original: InterchangeRow?
  /// True if it was deferred again, after everything that it might link to.
  package var isSecondTry = false
  /// True if its text is the owner's own, so further imports leave it unchanged.
  package var isEditedHere = false

  package init(
    type: String, entity: JSON, hasOwnIdentity: Bool = true, hasOwnVersion: Bool = true,
    overridesOwner: Bool = false, place: String, displacedRow: Int64? = nil,
    original: InterchangeRow? = nil
  ) {
    self.type = type
    self.entity = entity
    self.hasOwnIdentity = hasOwnIdentity
    self.hasOwnVersion = hasOwnVersion
    self.overridesOwner = overridesOwner
    self.place = place
    self.displacedRow = displacedRow
    self.original = original
  }

  var json: JSON {
    [
      "type": .string(type), "entity": entity, "hasOwnIdentity": .bool(hasOwnIdentity),
      "hasOwnVersion": .bool(hasOwnVersion), "overridesOwner": .bool(overridesOwner),
      "place": .string(place), "displacedRow": displacedRow.map { .integer($0) } ?? .null,
      "original": original?.line ?? .null, "isSecondTry": .bool(isSecondTry),
      "isEditedHere": .bool(isEditedHere),
    ]
  }

  init(_ json: JSON) {
    self.init(
      type: json["type"]?.string ?? "", entity: json["entity"] ?? .null,
      hasOwnIdentity: json["hasOwnIdentity"]?.bool ?? true,
      hasOwnVersion: json["hasOwnVersion"]?.bool ?? true,
      overridesOwner: json["overridesOwner"]?.bool ?? false, place: json["place"]?.string ?? "",
      displacedRow: json["displacedRow"]?.int.map(Int64.init),
      original: json["original"].flatMap(InterchangeRow.init(line:)))
    isSecondTry = json["isSecondTry"]?.bool ?? false
    isEditedHere = json["isEditedHere"]?.bool ?? false
  }
}

extension ChangeScope {
  /// Defers an entry until the staged import is published.
  package func stash(_ record: PendingRecord) throws {
    try stash(record, forChange: changeKey)
  }

  func stash(_ record: PendingRecord, forChange key: Int64) throws {
    try db.cachedStatement(sql: "INSERT INTO import_pending (change_pk, record) VALUES (?, ?)")
      .execute(arguments: [key, record.json.text()])
  }

  /// Returns the next deferred entries, in the order they were added; empty if none are left.
  package func takePending(limit: Int) throws -> [PendingRecord] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT pk, record FROM import_pending
        WHERE change_pk = ? AND \(MatchingMark.isNone) ORDER BY pk LIMIT ?
        """, arguments: [changeKey, limit])
    if let last = rows.last?["pk"] as Int64? {
      try db.cachedStatement(
        sql: """
          DELETE FROM import_pending WHERE change_pk = ? AND pk <= ? AND \(MatchingMark.isNone)
          """
      ).execute(arguments: [changeKey, last])
    }
    return try rows.map { row in
      let record: String = row["record"]
      return PendingRecord(try JSON(parsing: record.utf8, depthLimit: JSON.lineDepth))
    }
  }

  /// Returns true if entries still wait for a decision.
  package func hasPending() throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM import_pending WHERE change_pk = ? AND \(MatchingMark.isNone))
        """, arguments: [changeKey]) ?? false
  }
}

/// The goals of a published import that are still to be matched.
///
/// The mark is written together with them, so a resumed run has it.
package struct MatchingMark: Sendable {
  /// The new goals of the import, and the changed ones.
  package var new: [UUID] = []
  package var changed: [UUID] = []

  package init() {}

  package var isEmpty: Bool { new.isEmpty && changed.isEmpty }

  private static let type = "matching"

  /// The SQL condition for a row of `import_pending` that is an entry to be decided.
  static let isNone = "json_extract(record, '$.type') <> '\(type)'"

  var json: JSON {
    [
      "type": .string(Self.type), "new": JSON(new.map(\.uuidString)),
      "changed": JSON(changed.map(\.uuidString)),
    ]
  }

  mutating func add(_ json: JSON) {
    func ids(_ key: String) -> [UUID] {
      (json[key]?.array ?? []).compactMap { $0.string.flatMap(UUID.init(uuidString:)) }
    }
    new += ids("new")
    changed += ids("changed")
  }
}

extension ChangeScope {
  package func leave(_ mark: MatchingMark) throws {
    guard !mark.isEmpty else { return }
    try db.cachedStatement(sql: "INSERT INTO import_pending (change_pk, record) VALUES (?, ?)")
      .execute(arguments: [changeKey, mark.json.text()])
  }

  /// Returns all marks of the run combined; goals deleted since are skipped.
  package func matchingMark() throws -> MatchingMark {
    var mark = MatchingMark()
    let records = try String.fetchAll(
      db,
      cached: """
        SELECT record FROM import_pending
        WHERE change_pk = ? AND NOT (\(MatchingMark.isNone)) ORDER BY pk
        """, arguments: [changeKey])
    for record in records { mark.add(try JSON(parsing: record)) }
    let present = Set(try Goal.fetch(db).map(\.id))
    mark.new.removeAll { !present.contains($0) }
    mark.changed.removeAll { !present.contains($0) }
    return mark
  }

  package func removeMatchingMarks() throws {
    try db.cachedStatement(
      sql: "DELETE FROM import_pending WHERE change_pk = ? AND NOT (\(MatchingMark.isNone))"
    ).execute(arguments: [changeKey])
  }
}
