package import ArkivedCore
package import Foundation
import GRDB

/// An entry of a staged import that touches what is seen already, kept until it is published.
package struct PendingRecord: Sendable {
  /// The entity's type as JSON Lines name it.
  package var type: String
  package var entity: JSON
  package var hasOwnIdentity: Bool
  package var hasOwnVersion: Bool
  /// Whether the run was asked to go over what the owner deleted or changed.
  package var overridesOwner: Bool
  /// Where the entry stands in its source.
  package var place: String
  /// The row it had in the stage, and was counted with, until something of the owner took its place.
  package var displacedRow: Int64?
  /// The row of another program that it was read from.
  package var original: InterchangeRow?
  /// Whether it was put off once more, behind all that it might link.
  package var isSecondTry = false
  /// Whether its words are its owner's own, so that further imports leave them alone.
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
  /// Leaves an entry to be decided when the staged import is published.
  package func stash(_ record: PendingRecord) throws {
    try stash(record, forChange: changeKey)
  }

  func stash(_ record: PendingRecord, forChange key: Int64) throws {
    try db.cachedStatement(sql: "INSERT INTO import_pending (change_pk, record) VALUES (?, ?)")
      .execute(arguments: [key, record.json.text()])
  }

  /// Takes the next entries that wait to be decided, in the order they came; none when all are.
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
    return try rows.map { PendingRecord(try JSON(parsing: $0["record"] as String)) }
  }

  /// Whether entries still wait to be decided.
  package func hasPending() throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM import_pending WHERE change_pk = ? AND \(MatchingMark.isNone))
        """, arguments: [changeKey]) ?? false
  }
}

/// Goals of a published import that are still to be matched. The mark is written together with
/// them, so that whoever takes up a run that was broken off knows of it.
package struct MatchingMark: Sendable {
  /// Goals that came in, and those that came in anew.
  package var new: [UUID] = []
  package var changed: [UUID] = []

  package init() {}

  package var isEmpty: Bool { new.isEmpty && changed.isEmpty }

  private static let type = "matching"

  /// SQL for a row of `import_pending` that is an entry to be decided.
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

  /// What the run's marks say together; goals that are gone since are left out.
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
