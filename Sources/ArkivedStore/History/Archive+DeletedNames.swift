import ArkivedCore
package import Foundation
import GRDB

extension Archive {
  /// A deleted entity with its former name.
  private struct Gone {
    var id: UUID
    var names: [String]
  }

  /// Returns the ID of the meeting, note or person that had a name or title when it was deleted; of
  /// several, the one deleted last.
  ///
  /// A part of a name is enough if it matches only one.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates.
  package func deletedID(named text: String) throws -> UUID {
    let wanted = NameFolding.loose(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard !wanted.isEmpty else {
      throw ArchiveError.notFound("No name given for the deleted entry.")
    }
    let gone = try read { db in try Archive.gone(db) }
    if let exact = gone.first(where: { $0.names.contains { NameFolding.loose($0) == wanted } }) {
      return exact.id
    }
    var partial: [Gone] = []
    for one in gone where one.names.contains(where: { NameFolding.loose($0).contains(wanted) }) {
      if !partial.contains(where: { $0.id == one.id }) { partial.append(one) }
    }
    guard let first = partial.first else {
      throw ArchiveError.notFound("No deleted meeting, note or person named “\(text.prefix(60))”.")
    }
    guard partial.count == 1 else {
      let lines = partial.prefix(5).map {
        "\n  \($0.id.uuidString.prefix(8))  \($0.names.first?.prefix(80) ?? "")"
      }
      throw ArchiveError.ambiguous(
        "“\(text.prefix(60))” matches several deleted items. Choose one by its ID:"
          + lines.joined() + (partial.count > 5 ? "\n  …" : ""))
    }
    return first.id
  }

  /// Returns the deleted meetings, notes and people, the latest first.
  ///
  /// Restored ones have already been looked up under their current names.
  private static func gone(_ db: Database) throws -> [Gone] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT one.source_id, one.source_table, one.record,
          -- A meeting's title is that of the entry that went with it.
          iif(one.source_table = 'meetings', (SELECT json_extract(entry.record, '$.text')
            FROM history AS entry
            WHERE entry.source_id = json_extract(one.record, '$.activityId')
            ORDER BY entry.pk DESC LIMIT 1), NULL) AS title
        FROM history AS one WHERE one.source_table IN ('meetings', 'notes', 'persons')
          AND one.reason = 'delete'
        ORDER BY one.pk DESC
        """)
    var gone: [Gone] = []
    while let row = try rows.next() {
      let names: [String]
      if row["source_table"] as String == EntityType.meeting.rawValue {
        names = [row["title"] as String?].compactMap(\.self)
      } else {
        names = Archive.names(in: try JSON(parsing: row["record"] as String))
      }
      if !names.isEmpty { gone.append(Gone(id: try row.identity("source_id"), names: names)) }
    }
    return gone
  }

  /// Returns the names of a person or a note.
  private static func names(in record: JSON) -> [String] {
    if let text = record["text"]?.string {
      let note = Note(
        id: UUID(), title: record["title"]?.string, text: text, createdAt: .earliest,
        updatedAt: .earliest)
      return [note.headline]
    }
    let further = ["aliases", "addresses"].flatMap { record[$0]?.array ?? [] }
    return ([record["name"], record["email"]].compactMap(\.self) + further).compactMap(\.string)
  }
}
