import ArkivedCore
import ArkivedImport
import ArkivedStore
import Crypto
import Foundation

/// Decides for every entry an importer reads whether it is new, changed or known, and writes it.
final class ImportWriter: ImportSink {
  /// What the run did so far; a part that is taken back takes its account back.
  struct Account {
    var created: [String: Int] = [:]
    var updated = 0
    var unchanged = 0
    var skipped = 0
    var warnings: [ImportRun.Warning] = []
  }

  var account = Account()
  /// Identities and references that came already in this run, and in which order, so that those of
  /// a part that is taken back can be forgotten.
  private var seen: Set<String> = []
  private var trail: [String] = []
  /// How often the same content without an identity came, so that equal lines stay apart.
  private var occurrences: [String: Int] = [:]

  /// More warnings are counted but not kept.
  static let warningLimit = 1_000

  let scope: ChangeScope
  private let archive: Archive
  let overridesOwner: Bool
  private let progress: @Sendable (Int) -> Void
  private var entries = 0
  /// The identity in the archive of a person the importer gave an identity of its own.
  var peopleByImportedID: [UUID: UUID] = [:]

  init(
    scope: ChangeScope, archive: Archive, overridesOwner: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) {
    self.scope = scope
    self.archive = archive
    self.overridesOwner = overridesOwner
    self.progress = progress
  }

  func diagnose(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .skipped { account.skipped += 1 }
    guard account.warnings.count < Self.warningLimit else { return }
    account.warnings.append(.init(place: diagnostic.place, message: diagnostic.message))
  }

  func finish() throws { progress(entries) }

  /// Reads one file into the archive; when the file is refused, nothing of it remains.
  func attempt(_ read: () throws -> Void) throws {
    trail.removeAll()
    let before = account
    do {
      try scope.attempt(read)
    } catch {
      account = before
      forget(after: 0)
      throw error
    }
  }

  private func forget(after mark: Int) {
    for key in trail[mark...] { seen.remove(key) }
    trail.removeLast(trail.count - mark)
  }

  func take(_ record: ImportedRecord) throws {
    entries += 1
    if entries.isMultiple(of: 500) { progress(entries) }
    let before = account
    let mark = trail.count
    do {
      // What is half-written when a rule refuses the entry goes with it.
      try scope.attempt {
        switch record.value {
        case .activity(let activity): try take(activity, record)
        case .day(let entry): try take(entry, record)
        case .person(let person): try take(person, record)
        case .tag(let tag): try take(tag, record)
        case .metric(let metric): try take(metric, record)
        case .attachment(let attachment, let owner, let file):
          try take(attachment, owner, file, record)
        case .history(let version): try take(version)
        case .tombstone(let mark): try take(mark)
        }
      }
    } catch let error as FieldError {
      account = before
      forget(after: mark)
      diagnose(
        Diagnostic(
          .skipped, place: "\(record.place) field “\(error.field)”",
          message: "left out: \(error.description)"))
    }
  }

  func count(_ type: String) { account.created[type, default: 0] += 1 }

  // MARK: Activities

  private func take(_ imported: Activity, _ record: ImportedRecord) throws {
    var activity = imported
    activity.people = try people(activity.people, record)
    activity.attachments = try activity.attachments.map { try stored($0, record) }
    let hash = ImportedContent.hash(activity)
    if activity.externalRefs.isEmpty, !record.hasOwnIdentity {
      activity.externalRefs = [madeReference(hash)]
    }
    for index in activity.externalRefs.indices {
      activity.externalRefs[index].contentHash = activity.externalRefs[index].contentHash ?? hash
    }
    try activity.validate()
    guard isFirst(activity, record) else { return }
    if record.hasOwnIdentity, try scope.has(.activity, activity.id),
      let old = try scope.activity(activity.id)
    {
      return try takeVersion(activity, old, record)
    }
    if let known = try firstKnown(activity.externalRefs) {
      guard known.type == .activity else {
        throw FieldError("externalId", "belongs to a \(known.type.singular) here")
      }
      return try takeKnown(activity, known, record)
    }
    guard try mayCreate(activity.id, activity.externalRefs) else { return }
    try scope.insert(activity)
    count("activity")
  }

  /// Whether an entry's identity and references come for the first time in this run. A second one
  /// is left out: taking both would change the archive again at every import.
  private func isFirst(_ activity: Activity, _ record: ImportedRecord) -> Bool {
    var keys = activity.externalRefs.map { "\($0.provider)\u{0}\($0.externalID)" }
    if record.hasOwnIdentity { keys.append(activity.id.uuidString) }
    guard keys.allSatisfy({ !seen.contains($0) }) else {
      diagnose(
        Diagnostic(
          .skipped, place: record.place,
          message: "an entry with the same id or reference came before it; the first was kept"))
      return false
    }
    seen.formUnion(keys)
    trail += keys
    return true
  }

  /// An activity that came before from the same source.
  private func takeKnown(
    _ activity: Activity, _ known: ChangeScope.Known, _ record: ImportedRecord
  ) throws {
    guard let old = try scope.activity(known.id) else { return }
    let newHash = activity.externalRefs.first?.contentHash
    guard known.contentHash != newHash || (overridesOwner && known.isEdited) else {
      account.unchanged += 1
      return
    }
    guard !known.isEdited || overridesOwner else {
      account.unchanged += 1
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "“\(old.text.prefix(80))” was changed here since; your version was kept"))
      return
    }
    var new = activity
    new.id = old.id
    new.createdAt = old.createdAt
    new.updatedAt = later(than: old.updatedAt)
    new.isPinned = old.isPinned
    // What other sources and other lines gave the entry stays with it.
    new.externalRefs += old.externalRefs.filter { ref in
      !new.externalRefs.contains {
        $0.provider == ref.provider && $0.externalID == ref.externalID
      }
    }
    if new.attachments.isEmpty { new.attachments = old.attachments }
    try scope.update(new, reason: .import)
    account.updated += 1
  }

  /// An activity with an identity that the archive has: the newer version wins.
  private func takeVersion(
    _ activity: Activity, _ old: Activity, _ record: ImportedRecord
  ) throws {
    guard ImportedContent.hash(activity) != ImportedContent.hash(old) else {
      account.unchanged += 1
      return
    }
    guard
      try isNewer(
        activity.updatedAt, than: old.updatedAt, .activity, old.id, record)
    else {
      account.unchanged += 1
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "“\(old.text.prefix(80))” is as new or newer here; your version was kept"))
      return
    }
    var new = activity
    if !record.hasOwnVersion { new.updatedAt = later(than: old.updatedAt) }
    try scope.update(new, reason: .import)
    account.updated += 1
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

  func mayCreate(_ id: UUID, _ refs: [ExternalRef]) throws -> Bool {
    guard try scope.isBuried(id, refs) else { return true }
    guard overridesOwner else {
      account.unchanged += 1
      return false
    }
    try scope.forgetDeletion(of: id, refs)
    return true
  }

  private func firstKnown(_ refs: [ExternalRef]) throws -> ChangeScope.Known? {
    for ref in refs {
      if let known = try scope.known(ref) { return known }
    }
    return nil
  }

  func people(_ mentions: [Mention], _ record: ImportedRecord) throws -> [Mention] {
    try mentions.map { mention in
      if let imported = mention.personID {
        let id = peopleByImportedID[imported] ?? imported
        // A person this archive does not have stays a name.
        let isThere = try scope.has(.person, id)
        return Mention(name: mention.name, personID: isThere ? id : nil)
      }
      return record.linksPeople
        ? try scope.resolve(mention, allowsFirstName: false) : mention
    }
  }

  /// The reference of an entry whose source names none: its content, and how often it came.
  private func madeReference(_ hash: String) -> ExternalRef {
    let number = occurrences[hash, default: 0] + 1
    occurrences[hash] = number
    return ExternalRef(
      provider: "content", externalID: number == 1 ? hash : "\(hash)-\(number)",
      fetchedAt: scope.now, contentHash: hash)
  }

  func stored(_ attachment: Attachment, _ record: ImportedRecord) throws -> Attachment {
    guard let path = attachment.relativePath, let folder = record.attachmentsFolder else {
      return attachment
    }
    try attachment.validate()
    let file = folder.appendingPathComponent(path)
    guard FileManager.default.fileExists(atPath: file.path) else {
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "the attachment’s file \(path) is missing beside the import"))
      return attachment
    }
    do {
      return try content(of: attachment, at: file)
    } catch {
      // The entry is worth more than its file.
      let reason =
        (error as? FieldError)?.description ?? (error as? ArchiveError)?.description
        ?? "it cannot be read"
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "the attachment’s file \(path) was left out: \(reason)"))
      return attachment
    }
  }

  func content(of attachment: Attachment, at file: URL) throws -> Attachment {
    let data = try Data(contentsOf: file, options: .mappedIfSafe)
    if let expected = attachment.contentHash,
      ImportedContent.hexadecimal(SHA256.hash(data: data)) != expected
    {
      throw FieldError("contentHash", "does not fit the content of \(file.lastPathComponent)")
    }
    return try archive.store(data, as: attachment)
  }
}
