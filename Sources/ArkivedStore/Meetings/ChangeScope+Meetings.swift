package import ArkivedCore
package import Foundation
import GRDB

/// Reading and writing meetings within a change.
extension ChangeScope {
  /// Adds a meeting with its entry; participants are found or created.
  func add(_ entry: MeetingEntry) throws -> MeetingEntry {
    var entry = entry
    try resolvePeople(of: &entry)
    try insert(entry.activity)
    try insertEntity(entry.meeting)
    return try meeting(entry.id) ?? entry
  }

  package func meeting(_ id: UUID) throws -> MeetingEntry? {
    try MeetingRows.fetch(db, where: "it.id = ?", arguments: [id.uuidString]).first
  }

  /// Returns the meeting of an event, if it is visible.
  package func meeting(ofEvent identifier: String) throws -> MeetingEntry? {
    try MeetingRows.fetch(db, where: "it.event_identifier = ?", arguments: [identifier]).first
  }

  package func meeting(ofActivity id: UUID) throws -> Meeting? {
    try Meeting.fetch(db, where: "activity.id = ?", arguments: [id.uuidString]).first
  }

  /// Returns the meetings from a resource of a link, except those of some events, which are nearly
  /// all of them for a calendar in one file.
  package func meetings(
    ofLink link: UUID, resource: String, besides events: Set<String>
  ) throws -> [Meeting] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT id, event_identifier FROM meetings WHERE link_id = ? AND resource = ?",
      arguments: [link.uuidString, resource])
    var identities: [String] = []
    while let row = try rows.next() {
      if !events.contains(row[1]) { identities.append(row[0]) }
    }
    return try identities.flatMap { try Meeting.fetch(db, where: "it.id = ?", arguments: [$0]) }
  }

  /// Writes the differences of a meeting and its entry.
  ///
  /// - Returns: the meeting as saved.
  @discardableResult
  package func update(
    _ new: MeetingEntry, over old: MeetingEntry, reason: HistoryRecord.Reason
  ) throws -> MeetingEntry {
    var new = new
    let version = max(now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    if new.activity != old.activity || Archive.differ(new.activity.json, old.activity.json) {
      new.activity.updatedAt = version
      try update(new.activity, reason: reason)
    }
    if new.meeting != old.meeting || Archive.differ(new.meeting.json, old.meeting.json) {
      new.meeting.updatedAt = version
      try updateEntity(new.meeting, reason: reason)
    }
    return new
  }
}
