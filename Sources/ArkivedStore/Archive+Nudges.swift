package import ArkivedCore
import Foundation
import GRDB

/// The owner's choice of reminders, the reminders that were given, and the meetings they are about.
///
/// They are settings and not part of the archive's content, so undo leaves them alone.
extension Archive {
  private static let nudgesName = "nudges"
  private static let givenNudgesName = "nudgesGiven"

  /// Returns the owner's choice; empty if nothing was set.
  package func nudgeSettings() throws -> NudgeSettings {
    try read { db in NudgeSettings(try Self.setting(Self.nudgesName, db)) }
  }

  /// Changes the owner's choice.
  ///
  /// - Parameter edit: receives the current settings and changes them.
  /// - Returns: the new settings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  @discardableResult
  package func updateNudgeSettings(
    _ edit: (inout NudgeSettings) throws -> Void
  ) throws -> NudgeSettings {
    try transact { db in
      var settings = NudgeSettings(try Self.setting(Self.nudgesName, db))
      try edit(&settings)
      try keep(settings.json, as: Self.nudgesName, db)
      return settings
    }
  }

  /// Returns the reminders given recently.
  package func nudgeMemory() throws -> NudgeMemory {
    try read { db in NudgeMemory(try Self.setting(Self.givenNudgesName, db)) }
  }

  /// Changes the stored reminders, with other writers excluded: if two servers find the same
  /// reminder due, only one gives it.
  ///
  /// - Parameter edit: receives the stored reminders and changes them.
  /// - Returns: what `edit` returns.
  /// - Throws: what `edit` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  @discardableResult
  package func updateNudgeMemory<Value>(
    _ edit: (inout NudgeMemory) throws -> Value
  ) throws -> Value {
    try transact { db in
      let old = NudgeMemory(try Self.setting(Self.givenNudgesName, db))
      var memory = old
      let value = try edit(&memory)
      if memory != old { try keep(memory.json, as: Self.givenNudgesName, db) }
      return value
    }
  }

  /// Returns the meetings with others that begin after one instant and up to another, the next
  /// first: excluding all-day meetings, those cancelled or dropped by their calendar, and those
  /// that the owner declined.
  package func meetings(beginningAfter first: Instant, upTo last: Instant) throws -> [MeetingEntry]
  {
    try read { db in
      // An entry's day is in its own zone. The index of days finds the few entries in that range.
      let found = try MeetingRows.fetch(
        db,
        where: """
          it.activity_pk IN (SELECT pk FROM activity_rows
            WHERE day_key BETWEEN ? AND ? AND start_at > ? AND start_at <= ?)
          AND it.status <> 'cancelled' AND it.is_event_deleted = 0 AND it.is_all_day = 0
          AND \(OwnPerson.isWithOthers(nil))
          """,
        arguments: [
          Zone.utc.dayKey(at: first).advanced(by: -1).description,
          Zone.utc.dayKey(at: last).advanced(by: 1).description, first.milliseconds,
          last.milliseconds,
        ], order: "+activity.start_at, it.pk", limit: 200)
      // Determining the owner requires all meetings, and usually nobody has declined.
      guard found.contains(where: { $0.meeting.attendances.contains { $0.reply == .declined } }),
        let own = try OwnPerson.key(db),
        let id = try String.fetchOne(
          db, cached: "SELECT id FROM persons WHERE pk = ?", arguments: [own])
      else { return found }
      return found.filter { entry in
        !entry.meeting.attendances.contains {
          $0.reply == .declined && $0.personID?.uuidString == id
        }
      }
    }
  }

  private static func setting(_ name: String, _ db: Database) throws -> JSON {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    return text.flatMap { try? JSON(parsing: $0) } ?? .null
  }

  private func keep(_ value: JSON, as name: String, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
        """, arguments: [name, value.text(), clock.now.milliseconds])
  }
}
