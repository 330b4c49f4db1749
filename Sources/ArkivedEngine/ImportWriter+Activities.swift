import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of activities: new ones, known ones from the same source, and newer versions.
extension ImportWriter {
  func take(_ imported: Activity, _ record: ImportedRecord, after decided: Arrival?) throws {
    var activity = imported
    switch try decided ?? arrival(of: &activity, record) {
    case .usual: try take(activity, record, as: nil)
    case .decided(let old): try take(activity, record, as: old)
    case .foreseen(let isChanged):
      if isChanged { state.account.updated += 1 } else { state.account.unchanged += 1 }
    case .held: break
    }
  }

  /// Imports an activity.
  ///
  /// - Parameters:
  ///   - imported: the activity under the name by which it is known.
  ///   - record: the record.
  ///   - old: its state in the archive, if it was already found.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  private func take(_ imported: Activity, _ record: ImportedRecord, as old: Old?) throws {
    var activity = imported
    let isReduced = reduces(activity)
    // The line of a way that is dropped must not be stored in the archive's files.
    if isReduced { activity.attachments.removeAll(where: PlaceReduction.isWay) }
    activity.attachments = try activity.attachments.map { try stored($0, record) }
    if activity.externalRefs.isEmpty, !record.hasOwnIdentity {
      activity.externalRefs = [madeReference(ImportedContent.hash(activity))]
    }
    if isReduced { state.places.reduce(&activity, hash: ImportedContent.hash(activity)) }
    ImportedContent.settle(&activity, of: record)
    try activity.validate()
    switch try old ?? standing(of: activity, record) {
    case .second where isStaging && GatheredDay.isGathered(record):
      // Another part of a day of this run, which is added once the day can be read.
      activity.people = try people(activity.people, record)
      try putOff(.activity(activity), record)
    case .second: isSecond(record)
    case .version(let version):
      activity.people = try people(activity.people, record)
      try takeVersion(activity, version, record)
    case .known(let known):
      guard known.type == .activity else {
        throw FieldError("externalId", "is already used by another item (\(known.type.singular))")
      }
      activity.people = try people(activity.people, record)
      try takeKnown(activity, known, record)
    case .new:
      // People are resolved now even if the entry is deferred, but not if it is skipped.
      let linked = {
        var linked = activity
        linked.people = try people(activity.people, record)
        return linked
      }
      let former = record.hasOwnIdentity ? [] : formerReferences(activity)
      let refs = activity.externalRefs + former
      guard try mayCreate(activity.id, refs, .activity(linked()), record) else { return }
      try create("activity") { try scope.insert(linked()) }
      noteStart(imported, record)
      if PlaceReduction.hasCoordinates(imported), isReduced { state.account.reduced += 1 }
    }
  }

  /// Counts an entry that has coordinates, and returns true if they are to be dropped.
  func reduces(_ activity: Activity) -> Bool {
    let hasCoordinates = PlaceReduction.hasCoordinates(activity)
    if hasCoordinates { state.account.placed += 1 }
    return state.places.applies(to: activity)
  }

  /// Imports an activity that was imported before from the same source.
  private func takeKnown(
    _ activity: Activity, _ known: ChangeScope.Known, _ record: ImportedRecord
  ) throws {
    guard let old = try scope.activity(known.id) else { return }
    if var found = PhotoGroup.refound(activity, in: old) {
      found.updatedAt = later(than: old.updatedAt)
      return try update(.activity(activity), record) {
        try scope.update(found, reason: .import)
        // The folder of photos is not part of the words that their owner changed.
        if known.isEdited { try scope.markOwn(.activity, found.id) }
      }
    }
    if GatheredDay.isGathered(record), !(overridesOwner && known.isEdited) {
      return try unite(activity, with: old, known, record)
    }
    if let covered = record.coveredUntil, !overridesOwner, let end = activity.endAt,
      let last = old.endAt, end < last, covered < last
    {
      return leave(record)
    }
    let newHash = activity.externalRefs.first?.contentHash
    let isFuller = PlaceReduction.isFuller(newHash, than: known.contentHash)
    if !overridesOwner, !isFuller, PhotoGroup.isHeld(activity, by: old) { return leave(record) }
    let isSame = PlaceReduction.isSame(newHash, known.contentHash)
    guard !isSame || isFuller || (overridesOwner && known.isEdited) else {
      return leave(record)
    }
    guard !record.hasOwnVersion || overridesOwner || activity.updatedAt >= old.updatedAt else {
      return leave(
        record, "“\(old.text.prefix(80))” is newer here; the older version was skipped")
    }
    guard !known.isEdited || overridesOwner else {
      return leave(
        record, "“\(old.text.prefix(80))” has been changed here since; your version was kept")
    }
    var new = PhotoGroup.joined(activity, with: old)
    new.id = old.id
    new.createdAt = old.createdAt
    new.updatedAt =
      record.hasOwnVersion
      ? max(activity.updatedAt, Instant(milliseconds: old.updatedAt.milliseconds + 1))
      : later(than: old.updatedAt)
    new.isPinned = old.isPinned || activity.isPinned
    if Self.isSameMoment(activity, old) {
      (new.dayKey, new.timeZone) = (old.dayKey, old.timeZone)
    }
    if Self.knowsCreation(old, insteadOf: activity) {
      (new.startAt, new.dayKey, new.timeZone) = (old.startAt, old.dayKey, old.timeZone)
    }
    // References from other sources and other lines stay with the entry.
    new.externalRefs += old.externalRefs.filter { ref in
      !new.externalRefs.contains {
        $0.provider == ref.provider && $0.externalID == ref.externalID
      }
    }
    if new.attachments.isEmpty { new.attachments = old.attachments }
    // The source doesn't know that the owner has renamed or merged a tag.
    new.tags = try scope.withPresentNames(ofTags: new.tags)
    if PlaceReduction.isReduced(activity) { PlaceReduction.carry(&new, from: old) }
    if !isStaging, isOtherRow(activity, than: old) {
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message:
            "this entry replaced “\(old.text.prefix(80))”, because most of the table was imported before and "
            + "only the text at this time is different. If they’re different entries, undo this import and map a "
            + "column to id with --map"))
    }
    try update(.activity(activity), record) { try scope.update(new, reason: .import) }
  }

  /// Adds the messages or plays of a day that the stored entry lacks.
  private func unite(
    _ activity: Activity, with old: Activity, _ known: ChangeScope.Known, _ record: ImportedRecord
  ) throws {
    guard activity.externalRefs.first?.contentHash != known.contentHash,
      var new = GatheredDay.united(activity, with: old)
    else { return leave(record) }
    guard !known.isEdited else {
      return leave(
        record, "“\(old.text.prefix(80))” has been changed here since; your version was kept")
    }
    new.updatedAt = later(than: old.updatedAt)
    new.externalRefs += old.externalRefs.filter { ref in
      !new.externalRefs.contains {
        $0.provider == ref.provider && $0.externalID == ref.externalID
      }
    }
    ImportedContent.settle(&new, of: record)
    try update(.activity(activity), record) { try scope.update(new, reason: .import) }
  }

  /// Returns the stored entry or number of which a record has a part, unless its owner changed it.
  func stored(_ record: ImportedRecord) throws -> ImportedRecord.Value? {
    switch record.value {
    case .metric(let metric):
      guard let known = try scope.metric(like: metric), known.standing == .shown,
        try !scope.isOwners(.metric, known.metric.id)
      else { return nil }
      return .metric(known.metric)
    case .activity(let activity):
      for ref in activity.externalRefs {
        guard let known = try scope.known(ref) else { continue }
        guard known.standing == .shown, known.type == .activity, !known.isEdited else { return nil }
        return try scope.activity(known.id).map { .activity($0) }
      }
      return nil
    default: return nil
    }
  }

  /// Imports an activity whose ID is already in the archive; the newer version wins.
  private func takeVersion(
    _ version: Activity, _ old: Activity, _ record: ImportedRecord
  ) throws {
    var activity = version
    if PlaceReduction.isReduced(activity) || state.places.choice != .keep {
      PlaceReduction.carry(&activity, from: old)
    }
    guard ImportedContent.hash(activity) != ImportedContent.hash(old) else {
      return leave(record)
    }
    guard
      try isNewer(
        activity.updatedAt, than: old.updatedAt, .activity, old.id, record)
    else {
      return leave(
        record, "your version of “\(old.text.prefix(80))” is as new or newer and was kept")
    }
    var new = activity
    if !record.hasOwnVersion { new.updatedAt = later(than: old.updatedAt) }
    try update(.activity(activity), record) { try scope.update(new, reason: .import) }
  }
}
