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
    try read { db in NudgeSettings(try StoredSetting.value(Self.nudgesName, db) ?? .null) }
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
      var settings = NudgeSettings(try StoredSetting.value(Self.nudgesName, db) ?? .null)
      try edit(&settings)
      try StoredSetting.set(Self.nudgesName, to: settings.json, at: clock.now, db)
      return settings
    }
  }

  /// Returns the reminders given recently.
  package func nudgeMemory() throws -> NudgeMemory {
    try read { db in NudgeMemory(try StoredSetting.value(Self.givenNudgesName, db) ?? .null) }
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
      let old = NudgeMemory(try StoredSetting.value(Self.givenNudgesName, db) ?? .null)
      var memory = old
      let value = try edit(&memory)
      if memory != old {
        try StoredSetting.set(Self.givenNudgesName, to: memory.json, at: clock.now, db)
      }
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
      let person = UUID(uuidString: id)
      return found.filter { !$0.isDeclined(by: person) }
    }
  }
}
