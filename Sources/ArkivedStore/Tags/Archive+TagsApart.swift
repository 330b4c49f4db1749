import ArkivedCore
package import Foundation
import GRDB

/// Tags that look alike but are not the same, according to the owner.
///
/// They are not proposed. Like preferences, this does not change the archive's content, so undo
/// leaves it alone.
extension Archive {
  private static let tagsApartName = "tagsApart"

  /// Stops proposing to merge two tags.
  ///
  /// - Throws: `ArchiveError.notFound` if one of them no longer exists, `FieldError` if both are
  ///   the same.
  package func keepTagsApart(_ one: UUID, _ other: UUID) throws {
    guard one != other else { throw FieldError("from", "is the same tag") }
    try transact { db in
      for id in [one, other] {
        guard try Self.hasTag(id.uuidString, db) else {
          throw ArchiveError.notFound(
            "No tag with the ID \(id.uuidString). It may have been deleted.")
        }
      }
      try Self.writeTagsApart(Self.tagsApart(db).union([TagsApart(one, other)]), clock.now, db)
    }
  }

  /// Resumes proposing all tags that look alike.
  package func proposeTagsAgain() throws {
    try transact { db in try Self.writeTagsApart([], clock.now, db) }
  }

  /// Returns the number of pairs of tags that are kept apart.
  package func countTagsApart() throws -> Int {
    try read { db in
      try Self.tagsApart(db).filter { pair in
        let isFirst = try Self.hasTag(pair.first, db)
        let isSecond = try Self.hasTag(pair.second, db)
        return isFirst && isSecond
      }.count
    }
  }

  /// Two tags by ID, the smaller ID first.
  struct TagsApart: Hashable {
    let first: String
    let second: String

    /// Creates a pair from two rows of tags.
    init(_ one: Row, _ other: Row) { self.init(one["id"] as String, other["id"] as String) }

    init(_ one: UUID, _ other: UUID) { self.init(one.uuidString, other.uuidString) }

    init(_ one: String, _ other: String) { (first, second) = (min(one, other), max(one, other)) }
  }

  static func tagsApart(_ db: Database) throws -> Set<TagsApart> {
    guard let pairs = try StoredSetting.value(tagsApartName, db)?.array else { return [] }
    return Set(
      pairs.compactMap { pair in
        let ids = (pair.array ?? []).compactMap(\.string)
        return ids.count == 2 ? TagsApart(ids[0], ids[1]) : nil
      })
  }

  private static func hasTag(_ id: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM tags WHERE id = ?)", arguments: [id]) ?? false
  }

  private static func writeTagsApart(
    _ pairs: Set<TagsApart>, _ now: Instant, _ db: Database
  ) throws {
    let sorted = pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    let value = JSON.array(sorted.map { .array([.string($0.first), .string($0.second)]) })
    try StoredSetting.set(tagsApartName, to: value, at: now, db)
  }
}
