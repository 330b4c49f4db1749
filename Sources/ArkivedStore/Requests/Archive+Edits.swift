package import ArkivedCore
package import Foundation
import GRDB

/// Changes of many entries as one change, which one undo reverts.
extension Archive {
  /// The edits to make to entries.
  package struct EntryEdits: Sendable {
    package var added: [Activity] = []
    /// The new content of entries.
    package var changed: [JournalEntry] = []
    package var deleted: [UUID] = []
    /// For entries to change or delete, the `updatedAt` of the version that their editor saw.
    package var versions: [UUID: Instant] = [:]

    package init() {}

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && deleted.isEmpty }
  }

  /// The result of the edits.
  package struct EditedEntries: Sendable {
    package var added: [Activity] = []
    package var changed: [JournalEntry] = []
    package var deleted: [JournalEntry] = []
  }

  /// Applies all edits, or none if an entry was changed or deleted elsewhere in the meantime.
  ///
  /// - Throws: `ArchiveError.conflict` with the entries concerned, `FieldError`.
  package func apply(
    _ edits: EntryEdits, by author: Author = .owner, action: String, _ summary: String
  ) throws -> Saved<EditedEntries> {
    try transact { db in
      try Archive.refuseConflicts(edits, db)
      let scope = try openScope(db, by: author, action, summary)
      var done = EditedEntries()
      for entry in edits.changed {
        if let saved = try scope.replace(with: entry) { done.changed.append(saved) }
      }
      for id in edits.deleted where try scope.isThere(.activity, id) || scope.isThere(.day, id) {
        done.deleted.append(try scope.delete(id))
      }
      for activity in edits.added {
        var activity = activity
        activity.people = try activity.people.map { try scope.resolve($0, allowsFirstName: true) }
        try scope.insert(activity)
        done.added.append(activity)
      }
      return Saved(value: done, change: scope.change)
    }
  }

  /// Deletes activities and days' own entries.
  ///
  /// - Throws: `ArchiveError.notFound` if one of them does not exist.
  package func deleteEntries(
    _ ids: [UUID], by author: Author = .owner
  ) throws -> Saved<[JournalEntry]> {
    var seen = Set<UUID>()
    let ids = ids.filter { seen.insert($0).inserted }
    let (value, change) = try write(by: author, "delete", "Deleted \(ids.count) entries") { scope in
      let deleted = try ids.map { try scope.delete($0) }
      if deleted.count == 1, let only = deleted.first {
        try scope.summarise("Deleted “\(only.title.prefix(120))”")
      }
      return deleted
    }
    return Saved(value: value, change: change)
  }

  /// Changes many activities in the same way.
  ///
  /// - Parameters:
  ///   - ids: their IDs.
  ///   - author: who makes the change.
  ///   - action: the kind of change: edit and others.
  ///   - summary: returns the text for the list of changes, given their number.
  ///   - edit: receives each current activity and changes it.
  /// - Returns: those that have changed, with no change if there are none.
  /// - Throws: `ArchiveError.notFound`, `FieldError`.
  package func changeActivities(
    _ ids: [UUID], by author: Author = .owner, action: String,
    summary: (Int) -> String, _ edit: (inout Activity) throws -> Void
  ) throws -> Saved<[Activity]> {
    try transact { db in
      var edited: [(old: ActivityRecord, new: Activity)] = []
      for slice in ids.slices() {
        let records = try ActivityRecord.fetch(
          db, where: "id IN (\(placeholders(slice.count)))",
          arguments: StatementArguments(slice.map(\.uuidString)))
        let there = Set(records.map(\.activity.id))
        if let missing = slice.first(where: { !there.contains($0) }) {
          throw ArchiveError.notFound("No entry with the ID \(missing.uuidString).")
        }
        for record in records {
          var new = record.activity
          try edit(&new)
          if new != record.activity { edited.append((record, new)) }
        }
      }
      guard !edited.isEmpty else { return Saved(value: [], change: nil) }
      let scope = try openScope(db, by: author, action, summary(edited.count))
      let saved = try edited.map { try scope.replace($0.old, with: $0.new) }
      return Saved(value: saved, change: scope.change)
    }
  }

  private static func refuseConflicts(_ edits: EntryEdits, _ db: Database) throws {
    var conflicts: [String] = []
    for id in edits.changed.map(\.id) + edits.deleted {
      guard let version = edits.versions[id] else { continue }
      let activity = try ActivityRecord.fetchOne(db, id: id).map {
        JournalEntry.activity($0.activity)
      }
      let current = try activity ?? DayRecord.fetchOne(db, id: id).map { .day($0.entry) }
      if let current {
        guard current.updatedAt != version else { continue }
        conflicts.append("\(current.dayKey) “\(current.title.prefix(60))” was changed")
      } else if let mine = edits.changed.first(where: { $0.id == id }) {
        conflicts.append("\(mine.dayKey) “\(mine.title.prefix(60))” was deleted")
      }
    }
    guard !conflicts.isEmpty else { return }
    throw ArchiveError.conflict(
      "Changed elsewhere in the meantime: " + conflicts.prefix(5).joined(separator: "; ")
        + (conflicts.count > 5 ? "; and \(conflicts.count - 5) more" : "")
        + ". Nothing was saved.")
  }
}

extension ChangeScope {
  /// Gives an activity new content, with the current time as the time of the owner's change.
  func replace(_ old: ActivityRecord, with new: Activity) throws -> Activity {
    var new = new
    new.updatedAt = max(now, Instant(milliseconds: old.activity.updatedAt.milliseconds + 1))
    new.people = try new.people.map { try resolve($0, allowsFirstName: true) }
    try update(new, over: old)
    return new
  }

  /// Replaces an entry; returns nil if nothing differs.
  fileprivate func replace(with entry: JournalEntry) throws -> JournalEntry? {
    switch entry {
    case .activity(let new):
      guard let old = try ActivityRecord.fetchOne(db, id: new.id) else {
        throw ArchiveError.notFound("No entry with the ID \(new.id.uuidString).")
      }
      guard new != old.activity || Archive.differ(new.json, old.activity.json) else { return nil }
      return .activity(try replace(old, with: new))
    case .day(let new):
      guard let old = try DayRecord.fetchOne(db, id: new.id)?.entry else {
        throw ArchiveError.notFound("No note for \(new.dayKey).")
      }
      guard new != old || Archive.differ(new.json, old.json) else { return nil }
      return .day(try save(new, over: old))
    }
  }

  /// Deletes an activity or a day's own entry.
  fileprivate func delete(_ id: UUID) throws -> JournalEntry {
    if let entry = try DayRecord.fetchOne(db, id: id)?.entry {
      try deleteDayEntry(id)
      return .day(entry)
    }
    return .activity(try deleteActivity(id))
  }

  /// Writes a day's own entry over the existing one, or removes it if nothing is left.
  ///
  /// The people named in a changed note are determined again.
  func save(_ entry: DayEntry, over old: DayEntry?) throws -> DayEntry {
    var new = entry
    if let old {
      new.updatedAt = max(now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    }
    if new.note != old?.note ?? "", new.people == old?.people ?? [] {
      new.people = NoteMentions(people: try knownPeople(in: new.note))
        .mentions(in: new.note, before: new.people)
    }
    new.people = try new.people.map { try resolve($0, allowsFirstName: true) }
    switch (old, new.isBlank) {
    case (nil, false): try insert(new)
    case (nil, true): break
    case (_?, false): try update(new)
    case (let old?, true): try deleteDayEntry(old.id)
    }
    return new
  }
}
