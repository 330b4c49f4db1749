import ArkivedCore
import GRDB

/// The state of the archive's words from which an index was built.
package struct SearchMarks: Hashable, Sendable {
  /// The last row of each table with words; rows with a greater number are newer.
  package var activities: Int64 = 0
  package var days: Int64 = 0
  package var attachments: Int64 = 0
  package var notes: Int64 = 0
  /// The last row of `search_changes`.
  package var change: Int64 = 0
  /// The changes whose rows were hidden and therefore excluded.
  package var hidden: [Int64] = []

  package init() {}

  /// An upper limit for the number of documents.
  package var rows: Int { Int(activities + days + attachments + notes) }

  static func now(_ db: Database) throws -> SearchMarks {
    var marks = SearchMarks()
    func last(_ column: String, _ table: String) throws -> Int64 {
      try Int64.fetchOne(db, sql: "SELECT max(\(column)) FROM \(table)") ?? 0
    }
    marks.activities = try last("pk", "activity_rows")
    marks.days = try last("pk", "day_rows")
    marks.attachments = try last("pk", "attachments")
    marks.notes = try last("pk", "note_rows")
    // Numbers of this table are not used again, even after it was emptied.
    marks.change =
      try Int64.fetchOne(
        db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'search_changes'") ?? 0
    marks.hidden = try Int64.fetchAll(
      db, sql: "SELECT change_pk FROM hidden_changes ORDER BY change_pk")
    return marks
  }

  /// Returns true if a document's row existed in this state.
  func covers(_ rowNumber: Int64) -> Bool {
    let last: Int64? =
      switch SearchDocument.Kind(rawValue: rowNumber & 7) {
      case .activity: activities
      case .day: days
      case .attachment: attachments
      case .note: notes
      case nil: nil
      }
    return last.map { rowNumber >> 3 <= $0 } ?? false
  }

  var json: JSON {
    [
      "activities": JSON(Int(activities)), "days": JSON(Int(days)),
      "attachments": JSON(Int(attachments)), "notes": JSON(Int(notes)), "change": JSON(Int(change)),
      "hidden": .array(hidden.map { JSON(Int($0)) }),
    ]
  }

  /// Parses the text form; nil if it is invalid.
  init?(_ text: String) {
    guard let object = try? JSON(parsing: text).object else { return nil }
    func number(_ key: String) -> Int64? { object[key]?.int.map(Int64.init) }
    guard let activities = number("activities"), let days = number("days"),
      let attachments = number("attachments"), let change = number("change"),
      let hidden = object["hidden"]?.array
    else { return nil }
    self.activities = activities
    self.days = days
    self.attachments = attachments
    // Indexes built before notes existed have none.
    notes = number("notes") ?? 0
    self.change = change
    self.hidden = hidden.compactMap { $0.int.map(Int64.init) }
  }
}
