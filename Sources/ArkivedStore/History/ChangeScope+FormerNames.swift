import ArkivedCore
import Foundation
import GRDB

/// People and tags that have since been merged or renamed, as old versions and sources still name
/// them.
extension ChangeScope {
  /// Returns mentions whose merged people are replaced with those they were merged into.
  func withPresentPeople(_ mentions: [Mention]) throws -> [Mention] {
    try mentions.map { mention in
      guard let id = mention.personID else { return mention }
      var present = mention
      present.personID = try presentPerson(id)
      return present
    }
  }

  /// Returns the person who an ID stands for; the ID itself if that is unknown.
  func presentPerson(_ id: UUID) throws -> UUID {
    var seen: Set<UUID> = []
    var next: UUID? = id
    while let one = next, seen.insert(one).inserted {
      guard try personKey(one) == nil else { return one }
      next = try mergeTarget(.person, one)
    }
    return id
  }

  /// Returns tags, each under its present name; one that never had another name keeps its own.
  package func withPresentNames(ofTags names: [String]) throws -> [String] {
    var seen: Set<String> = []
    return try names.map(presentName(ofTag:)).filter { seen.insert(NameFolding.key($0)).inserted }
  }

  private func presentName(ofTag name: String) throws -> String {
    guard try !hasTag(named: name), let former = try formerTags()[NameFolding.key(name)] else {
      return name
    }
    var seen: Set<UUID> = []
    var next: UUID? = former
    while let one = next, seen.insert(one).inserted {
      if let tag = try tagByIdentity(one) { return tag.name }
      next = try mergeTarget(.tag, one)
    }
    return name
  }

  /// Returns the tags that last had each former name, by the folded name.
  private func formerTags() throws -> [String: UUID] {
    if let known = keys.formerTags { return known }
    var former: [String: UUID] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT source_id, json_extract(record, '$.name') AS name FROM history
        WHERE source_table = 'tags' ORDER BY archived_at, pk
        """)
    while let row = try rows.next() {
      guard let name = row["name"] as String? else { continue }
      former[NameFolding.key(name)] = try row.identity("source_id")
    }
    keys.formerTags = former
    return former
  }

  /// Returns the entity that one was merged into when it was last removed; nil if it was not.
  private func mergeTarget(_ type: EntityType, _ id: UUID) throws -> UUID? {
    try String.fetchOne(
      db,
      cached: """
        SELECT json_extract(record, '$.mergedInto') FROM history
        WHERE source_id = ? AND source_table = ? AND reason = 'delete'
        ORDER BY archived_at DESC, pk DESC LIMIT 1
        """, arguments: [id.uuidString, type.rawValue]
    ).flatMap { UUID(uuidString: $0) }
  }
}
