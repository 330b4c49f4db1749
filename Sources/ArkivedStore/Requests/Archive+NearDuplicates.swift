package import ArkivedCore
package import Foundation
import GRDB

/// Entries of different sources that are likely about the same event.
///
/// They are proposed, and never merged without a request.
extension Archive {
  /// Two entries that are likely about the same event; the first has more content.
  package struct NearDuplicatePair: Hashable, Sendable {
    package var first: Activity
    package var second: Activity

    package var json: JSON { ["first": first.json, "second": second.json] }
  }

  private static let entriesApartName = "entriesApart"
  /// The largest number of remembered pairs that the owner kept apart; only the latest are
  /// remembered.
  private static let apartLimit = 20_000

  /// Returns pairs that are likely the same, the newest first.
  ///
  /// - Parameters:
  ///   - days: only entries that begin on these; all if nil.
  ///   - limit: the maximum number of pairs.
  /// - Returns: the pairs.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func nearDuplicates(
    on days: ClosedRange<DayKey>? = nil, limit: Int = 200
  ) throws -> [NearDuplicatePair] {
    try read { db in
      let apart = Set(try Self.entriesApart(db))
      var pairs: [NearDuplicatePair] = []
      for (one, other) in try Self.likelyPairs(days, db).reversed() {
        guard pairs.count < limit else { break }
        guard !apart.contains(Self.apartKey(one, other)),
          let first = try ActivityRecord.fetchOne(db, id: one)?.activity,
          let second = try ActivityRecord.fetchOne(db, id: other)?.activity,
          NearDuplicate.agree(first.measurements, second.measurements)
        else { continue }
        pairs.append(
          Self.weight(second) > Self.weight(first)
            ? NearDuplicatePair(first: second, second: first)
            : NearDuplicatePair(first: first, second: second))
      }
      return pairs
    }
  }

  /// Returns entries that are not here yet, each with one here that is likely the same, the newest
  /// first.
  ///
  /// - Parameters:
  ///   - coming: the new entries with their measures, all from one origin that no entry here has.
  ///   - limit: the maximum number of pairs.
  /// - Returns: the pairs.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func nearDuplicates(
    ofComing coming: [EntrySketch], limit: Int = 200
  ) throws -> [(here: Activity, coming: EntrySketch)] {
    guard !coming.isEmpty else { return [] }
    let coming = coming.sorted { $0.start < $1.start }
    return try read { db in
      let apart = Set(try Self.entriesApart(db))
      var pairs: [(here: Activity, coming: EntrySketch)] = []
      for (id, sketch) in try Self.likelyPairs(with: coming, db).reversed() {
        guard pairs.count < limit else { break }
        guard !apart.contains(Self.apartKey(id, sketch.id)),
          let here = try ActivityRecord.fetchOne(db, id: id)?.activity,
          NearDuplicate.agree(here.measurements, sketch.measurements)
        else { continue }
        pairs.append((here, sketch))
      }
      return pairs
    }
  }

  /// Returns a measure of an entry's amount of content.
  private static func weight(_ activity: Activity) -> Int {
    activity.measurements.count * 3 + activity.tags.count + activity.people.count * 2
      + activity.attachments.count * 3 + (activity.notes == nil ? 0 : 2)
      + (activity.lat == nil ? 0 : 1) + (activity.source == .manual ? 4 : 0)
  }

  /// Scans all entries once, keeping those that have not ended yet.
  private static func likelyPairs(
    _ days: ClosedRange<DayKey>?, _ db: Database
  ) throws -> [(UUID, UUID)] {
    var pairs: [(UUID, UUID)] = []
    var open: [EntrySketch] = []
    try forEachSketch(days, db) { sketch in
      open.removeAll { $0.end <= sketch.start }
      for other in open where NearDuplicate.isLikely(other, sketch) {
        pairs.append((other.id, sketch.id))
      }
      open.append(sketch)
      return true
    }
    return pairs
  }

  /// Scans the existing entries and the new ones once; the new ones are sorted by their beginning.
  private static func likelyPairs(
    with coming: [EntrySketch], _ db: Database
  ) throws -> [(UUID, EntrySketch)] {
    var pairs: [(UUID, EntrySketch)] = []
    var (open, openComing): ([EntrySketch], [EntrySketch]) = ([], [])
    var next = 0
    /// Adds the new entries that begin no later than a moment; all remaining ones if it is nil.
    func takeComing(until moment: Instant?) {
      while next < coming.count, moment.map({ coming[next].start <= $0 }) ?? true {
        let sketch = coming[next]
        next += 1
        open.removeAll { $0.end <= sketch.start }
        for here in open where NearDuplicate.isLikely(here, sketch) {
          pairs.append((here.id, sketch))
        }
        openComing.append(sketch)
      }
    }
    try forEachSketch(nil, db) { here in
      takeComing(until: here.start)
      openComing.removeAll { $0.end <= here.start }
      guard next < coming.count || !openComing.isEmpty else { return false }
      open.removeAll { $0.end <= here.start }
      for sketch in openComing where NearDuplicate.isLikely(here, sketch) {
        pairs.append((here.id, sketch))
      }
      open.append(here)
      return true
    }
    takeComing(until: nil)
    return pairs
  }

  /// Passes on all entries that have a beginning and an end, sorted by their beginning, until the
  /// body has enough.
  ///
  /// Skips entries imported from calendars, because meetings are never proposed.
  private static func forEachSketch(
    _ days: ClosedRange<DayKey>?, _ db: Database, _ body: (EntrySketch) -> Bool
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, start_at, end_at, kind, substr(text, 1, 200) AS text, lat, lon, source, change_pk,
          CASE WHEN source = 'csvImport' THEN coalesce((SELECT substr(external_id, 1, 12)
            FROM external_refs WHERE activity_pk = activities.pk AND provider = 'csv'), '')
          ELSE '' END AS table_key,
          CASE WHEN source = 'healthImport' THEN coalesce((SELECT substr(external_id, -12)
            FROM external_refs WHERE activity_pk = activities.pk AND provider = 'health'
              AND external_id LIKE 'workout/%'), '')
          ELSE '' END AS teller
        FROM activities
        WHERE start_at IS NOT NULL AND end_at > start_at AND end_at - start_at <= ?
          AND source <> ? AND day_key BETWEEN ? AND ?
        ORDER BY start_at
        """,
      arguments: [
        NearDuplicate.longest, ActivitySource.calendarImport.rawValue,
        (days?.lowerBound ?? .earliest).description, (days?.upperBound ?? .latest).description,
      ])
    while let row = try rows.next() {
      let sketch = EntrySketch(
        id: try row.identity("id"), start: Instant(milliseconds: row["start_at"]),
        end: Instant(milliseconds: row["end_at"]), kind: ActivityKind(rawValue: row["kind"]),
        text: row["text"], lat: row["lat"], lon: row["lon"],
        // Tables with other columns are other sources, even if they were imported together.
        origin: "\(row["source"] as String) \(row["change_pk"] as Int64) "
          + "\(row["table_key"] as String)",
        // The watch or program that recorded a workout in Apple Health, from the end of its
        // reference.
        teller: row["teller"])
      guard body(sketch) else { return }
    }
  }

  // MARK: The owner's decisions

  /// Merges two entries: the other's content is added to the kept one, with its references, so
  /// importing again changes nothing, and links to the other lead to the kept one.
  ///
  /// It is one change, which can be undone.
  ///
  /// - Throws: `ArchiveError.notFound`, `FieldError` if both are the same.
  package func mergeActivity(
    _ id: UUID, into kept: UUID, by author: Author = .owner
  ) throws -> Saved<Activity> {
    let (value, change) = try write(by: author, Archive.mergeAction, "") { scope in
      try scope.mergeActivity(id, into: kept)
    }
    return Saved(value: value, change: change)
  }

  /// Merges an entry into another and stores the answer in the same transaction.
  ///
  /// - Throws: `RequestKeyTaken`, and what the other `mergeActivity` throws.
  package func mergeActivity(
    _ id: UUID, into kept: UUID, by author: Author = .owner, once request: RequestKey?,
    answer: (Saved<Activity>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try write(by: author, Archive.mergeAction, "", once: request) { scope in
      let value = try scope.mergeActivity(id, into: kept)
      return try answer(Saved(value: value, change: scope.change))
    }
  }

  /// Stops proposing two entries as duplicates.
  ///
  /// Like preferences, this does not change the archive's content.
  ///
  /// - Throws: `ArchiveError.notFound` if one of them no longer exists.
  package func keepApart(_ one: UUID, _ other: UUID) throws {
    try transact { db in
      for id in [one, other] {
        guard try ActivityRecord.fetchOne(db, id: id) != nil else {
          throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
        }
      }
      let key = Self.apartKey(one, other)
      let others = try Self.entriesApart(db).filter { $0 != key }
      try StoredSetting.set(
        Self.entriesApartName, to: JSON([key] + others.prefix(Self.apartLimit)), at: clock.now, db)
    }
  }

  private static func apartKey(_ one: UUID, _ other: UUID) -> String {
    let ids = [one.uuidString, other.uuidString].sorted()
    return ids.joined(separator: " ")
  }

  private static func entriesApart(_ db: Database) throws -> [String] {
    (try StoredSetting.value(entriesApartName, db)?.array ?? []).compactMap(\.string)
  }
}

extension ChangeScope {
  /// Merges an entry into another.
  fileprivate mutating func mergeActivity(_ id: UUID, into kept: UUID) throws -> Activity {
    guard id != kept else { throw FieldError("into", "is the same entry") }
    guard let other = try self.activity(id), var activity = try self.activity(kept) else {
      throw ArchiveError.notFound("The entry to merge wasn’t found.")
    }
    guard try meeting(ofActivity: id) == nil else {
      throw ArchiveError.refused(
        "“\(other.text.prefix(80))” is a meeting and can’t be merged into an entry.")
    }
    try summarise("Merged “\(other.text.prefix(80))” into “\(activity.text.prefix(80))”")
    let decisions = try self.decisions(onAction: id)
    // Removed before the other changes, so undo, which goes backwards, finds the references
    // available.
    _ = try deleteActivity(id)
    activity.take(over: other)
    activity.updatedAt = max(now, Instant(milliseconds: activity.updatedAt.milliseconds + 1))
    try update(activity)
    try adopt(decisions, for: activity)
    try followMerge(of: id, into: kept)
    return try self.activity(kept) ?? activity
  }
}
