import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A writer that decides whether each imported entry is new, changed or known, and writes it.
///
/// While the run is staged, new entries are written invisibly. Changes to visible entries are
/// deferred and decided when the run is published.
struct ImportWriter {
  let scope: ChangeScope
  let state: ImportState
  let isStaging: Bool

  var archive: Archive { state.archive }
  var overridesOwner: Bool { state.overridesOwner }

  func diagnose(_ diagnostic: Diagnostic) { state.diagnose(diagnostic) }

  func take(_ entry: RecordChannel.Entry) throws {
    guard let row = entry.row, isStaging, !state.places.applies(to: row.activity),
      state.keepsIdentities(of: row.activity.people),
      try entry.record.hasOwnIdentity || !mayHaveFormerName(row.activity),
      try !mayMeet(entry.record, row.activity),
      try !scope.isBuried(row.activity.id, row.activity.externalRefs),
      try scope.insertIfNew(row)
    else { return try take(entry.record) }
    state.account.created["activity", default: 0] += 1
    noteStart(row.activity, entry.record)
  }

  /// Processes a record.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - arrival: the next step for an activity, if it was decided before.
  ///   - later: the record to defer in place of an entry that a rule refuses.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  func take(
    _ record: ImportedRecord, after arrival: Arrival? = nil, orElse later: PendingRecord? = nil
  ) throws {
    let part = state.begin()
    do {
      if let original = record.original { return try take(original, of: record) }
      switch record.value {
      case .activity(let activity): try take(activity, record, after: arrival)
      case .event(let entry): try take(entry, record)
      case .day(let entry): try take(entry, record)
      case .person(let person): try take(person, record)
      case .tag(let tag): try take(tag, record)
      case .metric(let metric): try take(metric, record)
      case .attachment(let attachment, let owner, let file):
        try take(attachment, owner, file, record)
      case .history(let version): try take(version, record)
      case .tombstone(let mark): try take(mark, record)
      case .goalSide(let entity): try take(entity, record)
      case .interchange(let row): try take(row, record)
      }
      if record.isEditedHere { try keepAsOwn(record.value) }
    } catch let error as FieldError {
      state.takeBack(part)
      if let later { return try scope.stash(later) }
      diagnose(
        Diagnostic(
          .skipped, place: "\(record.place) field “\(error.field)”",
          message: "skipped: \(error.description)", mayPass: true))
    }
  }

  /// Marks values as edited by the owner if they are marked so in the source and this run wrote
  /// them.
  private func keepAsOwn(_ value: ImportedRecord.Value) throws {
    switch value {
    case .activity(let activity): try scope.markOwn(.activity, activity.id)
    case .day(let entry): try scope.markOwn(day: entry.dayKey)
    case .goalSide(let entity): try scope.markOwn(type(of: entity).entityType, entity.id)
    case .event, .person, .tag, .metric, .attachment, .history, .tombstone, .interchange: break
    }
  }

  /// Writes a new entity; a partial write is undone if a rule refuses it.
  func create(_ type: String, _ insert: () throws -> Void) throws {
    try scope.attempt(insert)
    state.account.created[type, default: 0] += 1
  }

  /// Counts an entry that stays unchanged, and gives the reason if it is not obvious.
  func leave(_ record: ImportedRecord, _ reason: String? = nil) {
    state.account.unchanged += 1
    if let reason { diagnose(Diagnostic(.note, place: record.place, message: reason)) }
  }

  /// Updates a visible entity: immediately if the run is being published, otherwise when it is
  /// published.
  func update(
    _ value: ImportedRecord.Value, _ record: ImportedRecord, _ body: () throws -> Void
  ) throws {
    guard !isStaging else { return try putOff(value, record) }
    try scope.attempt(body)
    state.account.updated += 1
  }

  /// Defers an entry until the run is published.
  func putOff(_ value: ImportedRecord.Value, _ record: ImportedRecord) throws {
    state.putOffCount += 1
    var later = record
    later.value = value
    try scope.stash(PendingRecord(later, overridesOwner: overridesOwner))
  }

  func isSecond(_ record: ImportedRecord) {
    diagnose(
      Diagnostic(
        .skipped, place: record.place,
        message: "an earlier entry with the same ID or reference was kept; this one was skipped"))
  }

  /// Returns true if an imported version replaces the one here: its date is later, or it has none
  /// and only imports have changed the entity so far.
  func isNewer(
    _ version: Instant, than old: Instant, _ type: EntityType, _ id: UUID,
    _ record: ImportedRecord
  ) throws -> Bool {
    if overridesOwner { return true }
    if record.hasOwnVersion { return version > old }
    return try !scope.isOwners(type, id)
  }

  func later(than version: Instant) -> Instant {
    max(scope.now, Instant(milliseconds: version.milliseconds + 1))
  }

  // MARK: Parts

  /// Returns true if a new entity may be created; false if the owner deleted it, unless restoring
  /// it was requested.
  func mayCreate(
    _ id: UUID, _ refs: [ExternalRef], _ value: @autoclosure () throws -> ImportedRecord.Value,
    _ record: ImportedRecord
  ) throws -> Bool {
    guard try scope.isBuried(id, refs) else { return true }
    guard overridesOwner else {
      leave(record)
      return false
    }
    if isStaging {
      try putOff(try value(), record)
      return false
    }
    try scope.forgetDeletion(of: id, refs)
    return true
  }

  func people(_ mentions: [Mention], _ record: ImportedRecord) throws -> [Mention] {
    try mentions.map { mention in
      if let imported = mention.personID {
        let id = state.peopleByImportedID[imported] ?? imported
        // A person missing from this archive remains a name.
        let isThere = try scope.hasPerson(id)
        return Mention(name: mention.name, personID: isThere ? id : nil)
      }
      return record.linksPeople
        ? try scope.resolve(mention, allowsFirstName: record.allowsFirstNames) : mention
    }
  }

  /// Returns a reference for an entry whose source gives none, made from its content and the number
  /// of times it occurred.
  func madeReference(_ hash: String) -> ExternalRef {
    let number = state.occurrences[hash, default: 0] + 1
    state.occurrences[hash] = number
    return ExternalRef(
      provider: "content", externalID: number == 1 ? hash : "\(hash)-\(number)",
      fetchedAt: scope.now, contentHash: hash)
  }
}
