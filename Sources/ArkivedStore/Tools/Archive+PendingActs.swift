package import ArkivedCore
package import Foundation
import GRDB

/// Acts that wait for the owner's approval.
extension Archive {
  /// The number of hours an act waits.
  package static let pendingHours = 24
  /// The largest number of acts that wait at once; further requests are refused.
  package static let pendingLimit = 200
  /// The number of days after which decided acts are removed; the changes that they made stay in
  /// the history.
  private static let keptDays = 90

  /// Stores an act until the owner decides about it.
  ///
  /// Nothing else is changed.
  ///
  /// - Throws: `ArchiveError.refused` if too many are already waiting.
  package func propose(_ act: PendingAct) throws {
    try transact { db in try propose(act, in: db) }
  }

  /// Stores an act until the owner decides about it, and the answer in the same transaction, so a
  /// repeated request waits only once.
  ///
  /// - Throws: `ArchiveError.refused` if too many are already waiting, `RequestKeyTaken`.
  package func propose(
    _ act: PendingAct, once request: RequestKey?, answer: () throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        try propose(act, in: db)
        return try answer()
      }
    }
  }

  private func propose(_ act: PendingAct, in db: Database) throws {
    let now = clock.now
    try db.execute(
      sql: "DELETE FROM pending_acts WHERE expires_at < ?",
      arguments: [now.adding(seconds: -Self.keptDays * 86_400).milliseconds])
    let waiting =
      try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM pending_acts WHERE status = 'waiting' AND expires_at > ?",
        arguments: [now.milliseconds]) ?? 0
    guard waiting < Self.pendingLimit else {
      throw ArchiveError.refused(
        "\(waiting) changes are already waiting for approval. Decide on those first.")
    }
    try db.execute(
      sql: """
        INSERT INTO pending_acts
          (id, tool, arguments, summary, effects, author, thread_id, status, created_at,
           expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        act.id.uuidString, act.tool, JSON.object(act.arguments).text(), act.summary,
        JSON.array(act.effects.map(\.json)).text(), act.author.rawValue,
        act.threadID?.uuidString, act.status.rawValue, act.createdAt.milliseconds,
        act.expiresAt.milliseconds,
      ])
  }

  /// Returns acts, the newest first.
  ///
  /// - Parameters:
  ///   - all: includes those that are decided or expired.
  ///   - limit: the maximum number of acts.
  /// - Returns: the acts.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func pendingActs(all: Bool = false, limit: Int = 200) throws -> [PendingAct] {
    let now = clock.now
    return try read { db in
      let condition = all ? "?1 IS NOT NULL" : "status = 'waiting' AND expires_at > ?1"
      return try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM pending_acts WHERE \(condition) ORDER BY created_at DESC, pk DESC LIMIT ?2
          """, arguments: [now.milliseconds, max(0, limit)]
      ).map { try Self.act($0, now: now) }
    }
  }

  /// Returns the number of waiting acts; `all` includes those that are decided or expired.
  package func countPendingActs(all: Bool = false) throws -> Int {
    let now = clock.now
    return try read { db in
      try Int.fetchOne(
        db,
        cached: """
          SELECT count(*) FROM pending_acts
          WHERE ?1 OR status = 'waiting' AND expires_at > ?2
          """, arguments: [all, now.milliseconds]) ?? 0
    }
  }

  /// Returns an act.
  ///
  /// - Throws: `ArchiveError.notFound` if the act doesn't exist.
  package func pendingAct(_ id: UUID) throws -> PendingAct {
    let now = clock.now
    return try read { db in try Self.act(id, now: now, db) }
  }

  /// Declines an act on behalf of the owner.
  ///
  /// - Throws: `ArchiveError.notFound`, and `.refused` if it is already decided.
  package func declineAct(_ id: UUID) throws -> PendingAct {
    let now = clock.now
    return try transact { db in
      var act = try Self.act(id, now: now, db)
      try Self.checkOpen(act)
      act.status = .declined
      act.decidedAt = now
      try Self.settle(act, db)
      return act
    }
  }

  /// Carries out an act that the owner approved: every entry becomes as it was shown.
  ///
  /// If one of them has changed since, nothing happens. The act is one change and happens only
  /// once.
  ///
  /// - Throws: `ArchiveError.notFound`, `.refused` if it is decided or expired, `.conflict` if an
  ///   entry was changed since; it can then be requested again.
  package func carryOutAct(_ id: UUID) throws -> PendingAct {
    let now = clock.now
    let act = try transact { db in
      var act = try Self.act(id, now: now, db)
      try Self.checkOpen(act)
      act.decidedAt = now
      guard try Self.isAsShown(act, db) else {
        act.status = .outdated
        try Self.settle(act, db)
        return act
      }
      let action = act.effects.contains { !$0.isDeletion } ? "edit" : "delete"
      let scope = try openScope(db, by: act.author, action, act.summary)
      for effect in act.effects { try scope.carryOut(effect) }
      act.status = .done
      act.changeID = scope.changeID
      try Self.settle(act, db)
      return act
    }
    guard act.status == .done else {
      throw ArchiveError.conflict(
        "The data behind this request has changed, so nothing was done. Make the request again.")
    }
    return act
  }

  /// Returns the effects of deleting an entry: it is removed with its meeting and the meeting's
  /// notes.
  package func deletionEffects(of activity: Activity) throws -> [PendingAct.Effect] {
    let belongings = try read { db in try Self.belongings(of: activity.id, db) }
    let entry: Belonging = (.activity, activity.id, activity.record)
    return ([entry] + belongings).map {
      PendingAct.Effect(
        type: $0.type, id: $0.id, dayKey: activity.dayKey, before: $0.record, after: nil)
    }
  }

  private typealias Belonging = (type: EntityType, id: UUID, record: JSON)

  private static func belongings(of activity: UUID, _ db: Database) throws -> [Belonging] {
    let meetings = try Meeting.fetch(
      db, where: "activity.id = ?", arguments: [activity.uuidString])
    var found: [Belonging] = []
    for meeting in meetings {
      found.append((.meeting, meeting.id, meeting.json))
      for note in try Note.fetch(
        db, where: "meeting.id = ?", arguments: [meeting.id.uuidString])
      {
        found.append((.note, note.id, note.json))
      }
    }
    return found
  }

  private static func act(_ id: UUID, now: Instant, _ db: Database) throws -> PendingAct {
    let row = try Row.fetchOne(
      db, cached: "SELECT * FROM pending_acts WHERE id = ?", arguments: [id.uuidString])
    guard let row else {
      throw ArchiveError.notFound("No change with the ID \(id.uuidString) is waiting for approval.")
    }
    return try act(row, now: now)
  }

  private static func act(_ row: Row, now: Instant) throws -> PendingAct {
    let effects = try JSON(parsing: row["effects"] as String).array ?? []
    let status = PendingAct.Status(rawValue: row["status"])
    let expiresAt = row.instant("expires_at")
    return PendingAct(
      id: try row.identity("id"), tool: row["tool"],
      arguments: try JSON(parsing: row["arguments"] as String).object ?? [:],
      summary: row["summary"],
      effects: try effects.map { effect in
        var fields = FieldReader(effect.object ?? [:])
        return try PendingAct.Effect(&fields)
      }, author: Author(rawValue: row["author"]),
      threadID: (row["thread_id"] as String?).flatMap(UUID.init(identity:)),
      status: status == .waiting && expiresAt <= now ? .expired : status,
      createdAt: row.instant("created_at"), expiresAt: expiresAt,
      decidedAt: (row["decided_at"] as Int64?).map(Instant.init(milliseconds:)),
      changeID: (row["change_id"] as String?).flatMap(UUID.init(identity:)))
  }

  private static func checkOpen(_ act: PendingAct) throws {
    let reason: String? =
      switch act.status {
      case .waiting: nil
      case .done: "This was already approved and done."
      case .declined: "This was already declined."
      case .expired: "This request has expired because nobody answered in time. Make it again."
      case .outdated: "The data behind this request has changed. Make the request again."
      default: "This can’t be decided here."
      }
    if let reason { throw ArchiveError.refused(reason) }
  }

  private static func settle(_ act: PendingAct, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE pending_acts SET status = ?, decided_at = ?, change_id = ? WHERE id = ?",
      arguments: [
        act.status.rawValue, act.decidedAt?.milliseconds, act.changeID?.uuidString,
        act.id.uuidString,
      ])
  }

  /// Returns true if each entry is exactly as the owner saw it, and nothing else would be deleted
  /// with one.
  private static func isAsShown(_ act: PendingAct, _ db: Database) throws -> Bool {
    let shown = Set(act.effects.map(\.id))
    for effect in act.effects where effect.isDeletion && effect.type == .activity {
      guard try belongings(of: effect.id, db).allSatisfy({ shown.contains($0.id) }) else {
        return false
      }
    }
    return try act.effects.allSatisfy { effect in
      let now: JSON? =
        switch effect.type {
        case .activity: try ActivityRecord.fetchOne(db, id: effect.id)?.activity.record
        case .day: try DayRecord.fetchOne(db, id: effect.id)?.entry.json
        case .meeting: try Meeting.fetchOne(db, id: effect.id)?.json
        case .note: try Note.fetchOne(db, id: effect.id)?.json
        default: nil
        }
      return now != nil && now?.text() == effect.before?.text()
    }
  }
}

extension ChangeScope {
  /// Applies an act's effect to an entry.
  fileprivate func carryOut(_ effect: PendingAct.Effect) throws {
    switch effect.type {
    case .activity:
      guard let after = effect.after else {
        _ = try deleteActivity(effect.id)
        return
      }
      guard let old = try ActivityRecord.fetchOne(db, id: effect.id) else {
        throw ArchiveError.notFound("No entry with the ID \(effect.id.uuidString).")
      }
      var fields = FieldReader(after.object ?? [:])
      _ = try replace(old, with: Activity(&fields, defaults: defaults))
    case .day:
      guard let after = effect.after else { return try deleteDayEntry(effect.id) }
      guard let old = try DayRecord.fetchOne(db, id: effect.id)?.entry else {
        throw ArchiveError.notFound("No note for \(effect.dayKey).")
      }
      var fields = FieldReader(after.object ?? [:])
      _ = try save(DayEntry(&fields, defaults: defaults), over: old)
    case .note where !effect.isDeletion:
      var fields = FieldReader(effect.after?.object ?? [:])
      var note = try Note(&fields, defaults: defaults)
      note.updatedAt = max(now, Instant(milliseconds: note.updatedAt.milliseconds + 1))
      try updateEntity(note)
    // They are deleted with their entry.
    case .meeting where effect.isDeletion, .note where effect.isDeletion: return
    default: throw ArchiveError.refused("This version can’t do that.")
    }
  }

  /// The defaults for an entry that is complete and needs none.
  private var defaults: EntryDefaults {
    EntryDefaults(now: now, homeZone: .utc, identities: identities)
  }
}

extension EntityChange {
  /// Converts an act's effect on an entry, so it can be read like a completed change.
  package init(_ effect: PendingAct.Effect) {
    self.init(
      id: effect.id, type: effect.type, verb: effect.isDeletion ? .removed : .changed,
      before: effect.before, after: effect.after)
  }
}
