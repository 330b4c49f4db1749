import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

/// What an import run remembers from its first entry to its last.
final class ImportState {
  /// What the run did so far.
  struct Account {
    var created: [String: Int] = [:]
    var updated = 0
    var unchanged = 0
    var skipped = 0
    var warnings: [ImportRun.Warning] = []
    /// How many entries have coordinates in their source.
    var placed = 0
    /// How many entries were taken without coordinates that they have.
    var reduced = 0
  }

  /// What a part that is taken back takes with it.
  struct Part {
    fileprivate var account: Account
    fileprivate var trail: Int
  }

  /// More warnings are counted but not kept.
  static let warningLimit = 1_000

  let archive: Archive
  var overridesOwner: Bool
  /// Whether it is only found out what the import would do: nothing may reach the disk.
  let isRehearsal: Bool
  var account = Account()
  /// Takes the files of attachments until the run is published.
  let files = FileFlusher()
  /// The importers' own folder, from which files are moved; nil where they are copied.
  var scratch: ScratchFolder?
  /// Where files are that were moved from there, by their paths: several entries may bring one.
  var movedFiles: [String: URL] = [:]
  /// How much was told, whether or not it is kept.
  private(set) var toldCount = 0
  /// Whether the same input would be told the same of another day.
  private(set) var isLasting = true
  /// How many entries were left to be decided later.
  fileprivate(set) var putOffCount = 0
  /// Days outside of which events come in only where they are known; nil for none.
  var window: ClosedRange<DayKey>?
  /// Identities and references of entries that were known already when they came, and in which
  /// order. Those of new entries are in the archive itself.
  private var known: Set<String> = []
  private var trail: [String] = []
  /// How often the same content without an identity came, so that equal lines stay apart.
  var occurrences: [String: Int] = [:]
  /// What is kept of places.
  var places = PlaceReduction(choice: .keep)
  /// Goals that came in with the present transaction, which are matched when all is decided.
  var goals = MatchingMark()
  /// Whether tables have rows here that are named by the clock at home, by what tells the table.
  var plainTables: [String: Bool] = [:]
  /// Names that rows of one moment took, and those which they left for them.
  var exchangedNames: [String: String] = [:]
  /// The threads that sessions of another program have here, by what the importer called them.
  var threads: [UUID: UUID] = [:]
  /// The identity in the archive of a person the importer gave an identity of its own.
  var peopleByImportedID: [UUID: UUID] = [:]

  init(archive: Archive, overridesOwner: Bool, isRehearsal: Bool = false) {
    self.archive = archive
    self.overridesOwner = overridesOwner
    self.isRehearsal = isRehearsal
  }

  func diagnose(_ diagnostic: Diagnostic) {
    toldCount += 1
    if diagnostic.severity == .skipped { account.skipped += 1 }
    if diagnostic.mayPass { isLasting = false }
    guard account.warnings.count < Self.warningLimit else { return }
    account.warnings.append(.init(place: diagnostic.place, message: diagnostic.message))
  }

  /// Whether the people of an entry have the same identities in the archive as in the source.
  func keepsIdentities(of people: [Mention]) -> Bool {
    people.allSatisfy { mention in
      guard let id = mention.personID else { return true }
      return peopleByImportedID[id] ?? id == id
    }
  }

  /// Whether none of the keys came before; they count as come then.
  func isFirst(_ keys: [String]) -> Bool {
    guard keys.allSatisfy({ !known.contains($0) }) else { return false }
    known.formUnion(keys)
    trail += keys
    return true
  }

  /// Whether a key came before.
  func hasCome(_ key: String) -> Bool { known.contains(key) }

  /// Lets entries that were put off come again.
  func forgetKnown() {
    known.removeAll()
    trail.removeAll()
  }

  /// Takes a new entity out of the account, since it is decided about once more.
  func takeOut(_ type: String) {
    guard let count = account.created[type] else { return }
    account.created[type] = count > 1 ? count - 1 : nil
  }

  func begin() -> Part { Part(account: account, trail: trail.count) }

  func takeBack(_ part: Part) {
    account = part.account
    for key in trail[part.trail...] { known.remove(key) }
    trail.removeLast(trail.count - part.trail)
  }
}

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
          message: "left out: \(error.description)", mayPass: true))
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
        message: "an entry with the same id or reference came before it; the first was kept"))
  }

  // MARK: Activities

  private func take(_ imported: Activity, _ record: ImportedRecord) throws {
    var activity = imported
    let isReduced = reduces(activity)
    // The line of a way that stays out must not reach the archive's files.
    if isReduced { activity.attachments.removeAll(where: PlaceReduction.isWay) }
    activity.attachments = try activity.attachments.map { try stored($0, record) }
    if activity.externalRefs.isEmpty, !record.hasOwnIdentity {
      activity.externalRefs = [madeReference(ImportedContent.hash(activity))]
    }
    if isReduced { state.places.reduce(&activity, hash: ImportedContent.hash(activity)) }
    ImportedContent.settle(&activity, of: record)
    try activity.validate()
    switch try standing(of: &activity, record) {
    case .second: isSecond(record)
    case .version(let version):
      activity.people = try people(activity.people, record)
      try takeVersion(activity, version, record)
    case .known(let known):
      guard known.type == .activity else {
        throw FieldError("externalId", "belongs to a \(known.type.singular) here")
      }
      activity.people = try people(activity.people, record)
      try takeKnown(activity, known, record)
    case .new:
      // Who is meant is settled now also where the entry is put off; not where it stays away.
      let linked = {
        var linked = activity
        linked.people = try people(activity.people, record)
        return linked
      }
      let former = record.hasOwnIdentity ? [] : formerReferences(activity)
      let refs = activity.externalRefs + former
      guard try mayCreate(activity.id, refs, .activity(linked()), record) else { return }
      try create("activity") { try scope.insert(linked()) }
      if PlaceReduction.hasCoordinates(imported), isReduced { state.account.reduced += 1 }
    }
  }

  /// Counts an entry that has coordinates, and returns whether places are to be left out of it.
  func reduces(_ activity: Activity) -> Bool {
    let hasCoordinates = PlaceReduction.hasCoordinates(activity)
    if hasCoordinates { state.account.placed += 1 }
    return state.places.applies(to: activity)
  }

  /// An activity that came before from the same source.
  private func takeKnown(
    _ activity: Activity, _ known: ChangeScope.Known, _ record: ImportedRecord
  ) throws {
    guard let old = try scope.activity(known.id) else { return }
    if var found = PhotoGroup.refound(activity, in: old) {
      found.updatedAt = later(than: old.updatedAt)
      return try update(.activity(activity), record) {
        try scope.update(found, reason: .import)
        // Where photos lie is none of the words that their owner changed.
        if known.isEdited { try scope.markOwn(.activity, found.id) }
      }
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
        record, "“\(old.text.prefix(80))” is newer here; the older version was left out")
    }
    guard !known.isEdited || overridesOwner else {
      return leave(
        record, "“\(old.text.prefix(80))” was changed here since; your version was kept")
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
    // What other sources and other lines gave the entry stays with it.
    new.externalRefs += old.externalRefs.filter { ref in
      !new.externalRefs.contains {
        $0.provider == ref.provider && $0.externalID == ref.externalID
      }
    }
    if new.attachments.isEmpty { new.attachments = old.attachments }
    if PlaceReduction.isReduced(activity) { PlaceReduction.carry(&new, from: old) }
    if !isStaging, isOtherRow(activity, than: old) {
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "“\(old.text.prefix(80))” became this: in tables with the same columns, rows of "
            + "one time are one. Where it is another, undo this import and name a column as id with "
            + "--map"))
    }
    try update(.activity(activity), record) { try scope.update(new, reason: .import) }
  }

  /// An activity with an identity that the archive has: the newer version wins.
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
        record, "“\(old.text.prefix(80))” is as new or newer here; your version was kept")
    }
    var new = activity
    if !record.hasOwnVersion { new.updatedAt = later(than: old.updatedAt) }
    try update(.activity(activity), record) { try scope.update(new, reason: .import) }
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
  private func madeReference(_ hash: String) -> ExternalRef {
    let number = state.occurrences[hash, default: 0] + 1
    state.occurrences[hash] = number
    return ExternalRef(
      provider: "content", externalID: number == 1 ? hash : "\(hash)-\(number)",
      fetchedAt: scope.now, contentHash: hash)
  }
}
