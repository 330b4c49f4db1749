package import ArkivedCore
package import Foundation
import GRDB

/// The content of listed entries.
extension Archive {
  /// Returns the content of entries, in the given order; those deleted since are skipped.
  package func entries(_ references: some Collection<EntryReference>) throws -> [JournalEntry] {
    try read { db in
      var found: [EntryReference: JournalEntry] = [:]
      for type in [HitType.activity, .day] {
        let wanted = references.filter { $0.type == type }
        let byKey = Dictionary(wanted.map { ($0.pk, $0) }) { first, _ in first }
        for slice in byKey.keys.slices() {
          let condition = "pk IN (\(placeholders(slice.count)))"
          let arguments = StatementArguments(slice)
          if type == .activity {
            for record in try ActivityRecord.fetch(db, where: condition, arguments: arguments) {
              if let key = byKey[record.pk] { found[key] = .activity(record.activity) }
            }
          } else {
            for record in try DayRecord.fetch(db, where: condition, arguments: arguments) {
              if let key = byKey[record.pk] { found[key] = .day(record.entry) }
            }
          }
        }
      }
      return references.compactMap { found[$0] }
    }
  }

  /// Returns the IDs of listed entries, in order; those deleted since are skipped.
  package func identities(of references: some Collection<EntryReference>) throws -> [UUID] {
    try read { db in
      var found: [EntryReference: UUID] = [:]
      for (type, table) in [
        (HitType.activity, EntryTables.activities), (.day, EntryTables.days),
      ] {
        let byKey = Dictionary(
          references.filter { $0.type == type }.map { ($0.pk, $0) }
        ) { first, _ in first }
        for slice in byKey.keys.slices() {
          let rows = try Row.fetchCursor(
            db, sql: "SELECT pk, id FROM \(table) WHERE pk IN (\(placeholders(slice.count)))",
            arguments: StatementArguments(slice))
          while let row = try rows.next() {
            if let reference = byKey[row["pk"]] { found[reference] = try row.identity("id") }
          }
        }
      }
      return references.compactMap { found[$0] }
    }
  }

  /// Returns the tags of listed entries with the number of entries that have them, most used first.
  package func tagCounts(
    of references: some Collection<EntryReference>
  ) throws -> [(name: String, count: Int)] {
    try read { db in
      var counts: [String: Int] = [:]
      for slice in references.filter(\.isActivity).map(\.pk).slices() {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT name, count(*) AS count FROM \(EntryTables.activityTags)
            JOIN \(EntryTables.tags) ON \(EntryTables.tags).pk = tag_pk
            WHERE activity_pk IN (\(placeholders(slice.count))) GROUP BY tag_pk
            """, arguments: StatementArguments(slice))
        while let row = try rows.next() { counts[row["name"], default: 0] += row["count"] }
      }
      return counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
  }

  /// Returns activities and days' own entries by ID, in the given order; missing ones are skipped.
  package func entries(_ ids: [UUID]) throws -> [JournalEntry] {
    try read { db in
      var found: [UUID: JournalEntry] = [:]
      for slice in ids.slices() {
        let condition = "id IN (\(placeholders(slice.count)))"
        let arguments = StatementArguments(slice.map(\.uuidString))
        for record in try ActivityRecord.fetch(db, where: condition, arguments: arguments) {
          found[record.activity.id] = .activity(record.activity)
        }
        for record in try DayRecord.fetch(db, where: condition, arguments: arguments) {
          found[record.entry.id] = .day(record.entry)
        }
      }
      return ids.compactMap { found[$0] }
    }
  }

  /// Returns the whole entries of search results, in order and each once; an attachment is replaced
  /// by the entry it belongs to.
  package func entries(of hits: [SearchHit]) throws -> [JournalEntry] {
    let references = try read { db in
      var seen = Set<EntryReference>()
      return try hits.compactMap { hit -> EntryReference? in
        let id: StatementArguments = [hit.id.uuidString]
        let condition = "WHERE pk = (SELECT % FROM \(EntryTables.attachments) WHERE id = ?)"
        let found =
          switch hit.type {
          case .activity: try Archive.references(.activity, "WHERE id = ?", id, db)
          case .day: try Archive.references(.day, "WHERE id = ?", id, db)
          case .attachment:
            try Archive.references(
              .activity, condition.replacing("%", with: "activity_pk"), id, db)
              + Archive.references(.day, condition.replacing("%", with: "day_pk"), id, db)
          default: [EntryReference]()
          }
        return found.first.flatMap { seen.insert($0).inserted ? $0 : nil }
      }
    }
    return try entries(references)
  }
}
