import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Decides for every entry an importer reads whether it is new, changed or known, and writes it.
///
/// While the run is staged, new entries are written where nobody sees them; what would change
/// something that is seen is put off until the run is published and decided then.
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
      try !scope.isBuried(row.activity.id, row.activity.externalRefs),
      try scope.insertIfNew(row)
    else { return try take(entry.record) }
    state.account.created["activity", default: 0] += 1
  }

  /// - Parameter later: what is put off in the place of an entry that a rule refuses now.
  func take(_ record: ImportedRecord, orElse later: PendingRecord? = nil) throws {
    let part = state.begin()
    do {
      if let original = record.original { return try take(original, of: record) }
      switch record.value {
      case .activity(let activity): try take(activity, record)
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

  /// What was its owner's own word where it comes from is so here, if this run wrote it.
  private func keepAsOwn(_ value: ImportedRecord.Value) throws {
    switch value {
    case .activity(let activity): try scope.markOwn(.activity, activity.id)
    case .day(let entry): try scope.markOwn(day: entry.dayKey)
    case .goalSide(let entity): try scope.markOwn(type(of: entity).entityType, entity.id)
    case .event, .person, .tag, .metric, .attachment, .history, .tombstone, .interchange: break
    }
  }

  /// Writes a new entity; what is half-written when a rule refuses it goes with it.
  func create(_ type: String, _ insert: () throws -> Void) throws {
    try scope.attempt(insert)
    state.account.created[type, default: 0] += 1
  }

  /// Counts an entry that is left as it is, and says why if that is not plain.
  func leave(_ record: ImportedRecord, _ reason: String? = nil) {
    state.account.unchanged += 1
    if let reason { diagnose(Diagnostic(.note, place: record.place, message: reason)) }
  }

  /// Updates what is seen: at once when the run is being published, else then.
  func update(
    _ value: ImportedRecord.Value, _ record: ImportedRecord, _ body: () throws -> Void
  ) throws {
    guard !isStaging else { return try putOff(value, record) }
    try scope.attempt(body)
    state.account.updated += 1
  }

  /// Leaves an entry to be decided when the run is published.
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

  /// Whether a version from outside replaces the one here: it says that it is later, or it says
  /// nothing and only imports have touched the entity so far.
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

  /// Whether a new entity may come in: not when the owner deleted it, unless asked.
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
        // A person this archive does not have stays a name.
        let isThere = try scope.hasPerson(id)
        return Mention(name: mention.name, personID: isThere ? id : nil)
      }
      return record.linksPeople
        ? try scope.resolve(mention, allowsFirstName: record.allowsFirstNames) : mention
    }
  }

  /// The reference of an entry whose source names none: its content, and how often it came.
  func madeReference(_ hash: String) -> ExternalRef {
    let number = state.occurrences[hash, default: 0] + 1
    state.occurrences[hash] = number
    return ExternalRef(
      provider: "content", externalID: number == 1 ? hash : "\(hash)-\(number)",
      fetchedAt: scope.now, contentHash: hash)
  }
}
