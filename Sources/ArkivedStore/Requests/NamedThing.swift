package import ArkivedCore
package import Foundation
import GRDB

/// Anything that has an ID.
package struct NamedThing: Hashable, Sendable {
  /// The kinds that are searched.
  package enum Kind: String, CaseIterable, Sendable {
    case activity, day, meeting, note, goal, value, term, person, attachment

    fileprivate var article: String {
      switch self {
      case .activity, .attachment: "an \(rawValue)"
      case .day, .meeting, .note, .goal, .value, .term, .person: "a \(rawValue)"
      }
    }
  }

  package var kind: Kind
  package var id: UUID
  /// A line that distinguishes it from others.
  package var label: String
  /// The entry that shows a meeting on its day.
  package var entry: UUID?
  /// The day of a day's note or of an activity.
  package var day: DayKey?
}

extension Archive {
  /// Returns everything with an ID or the beginning of one (at least four digits).
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - kinds: the kinds to search.
  ///   - limit: the maximum number per kind.
  /// - Returns: things by kind, then by ID; empty if the text is not the beginning of an ID.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func things(
    beginningWith text: String, of kinds: [NamedThing.Kind] = NamedThing.Kind.allCases,
    limit: Int = 6
  ) throws -> [NamedThing] {
    guard let digits = Archive.identityDigits(text) else { return [] }
    return try read { db in try Archive.things(digits, of: kinds, limit: limit, db) }
  }

  /// Returns the error for an ID that does not belong to an activity; if it belongs to something
  /// else, the error names that.
  package func noActivity(_ id: UUID) throws -> ArchiveError {
    let kinds = NamedThing.Kind.allCases.filter { $0 != .activity }
    guard let other = try things(beginningWith: id.uuidString, of: kinds).first else {
      return .notFound("No entry with the ID \(id.uuidString).")
    }
    return .notFound(
      "No entry with the ID \(id.uuidString). That ID belongs to \(other.kind.article).")
  }

  static func things(
    _ digits: String, of kinds: [NamedThing.Kind], limit: Int, _ db: Database
  ) throws -> [NamedThing] {
    try kinds.flatMap { kind in
      try Row.fetchAll(
        db, sql: "\(sql(of: kind)) WHERE it.id >= ? AND it.id < ? ORDER BY it.id LIMIT \(limit)",
        arguments: [digits, digits + "Z"]
      ).map { row in
        let label: String? = row["label"]
        let line = label?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
        return NamedThing(
          kind: kind, id: try row.identity("id"),
          label: line.trimmingCharacters(in: .whitespaces),
          entry: kind == .meeting ? try row.identity("entry") : nil,
          day: kind == .day || kind == .activity ? try row.day("day_key") : nil)
      }
    }
  }

  private static func sql(of kind: NamedThing.Kind) -> String {
    switch kind {
    case .activity:
      "SELECT it.id, day_key, day_key || ' ' || substr(text, 1, 80) AS label FROM activities AS it"
    case .day: "SELECT it.id, day_key, day_key || ' note of the day' AS label FROM days AS it"
    case .meeting:
      """
      SELECT it.id, entry.id AS entry, entry.day_key || ' ' || substr(entry.text, 1, 80) AS label
      FROM meetings AS it JOIN activities AS entry ON entry.pk = it.activity_pk
      """
    case .note:
      """
      SELECT it.id, substr(coalesce(nullif(title, ''), ltrim(text, '# ' || char(10))), 1, 80)
        AS label FROM notes AS it
      """
    case .goal: "SELECT it.id, substr(title, 1, 80) AS label FROM goals AS it"
    case .value: "SELECT it.id, substr(title, 1, 80) AS label FROM personal_values AS it"
    case .term:
      """
      SELECT it.id, term_number || coalesce(': ' || substr(theme, 1, 80), '') AS label
      FROM terms AS it
      """
    case .person:
      """
      SELECT it.id, substr(coalesce(iif(trim(name) = '', NULL, name), relationship_summary), 1, 80)
        AS label FROM persons AS it
      """
    case .attachment:
      """
      SELECT it.id, substr(coalesce(caption, original_name, external_url, ''), 1, 80) AS label
      FROM attachments AS it
      """
    }
  }
}
