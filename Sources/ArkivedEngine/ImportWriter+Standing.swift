import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Finding an imported activity in the archive: by its ID, by its names, by a simpler name that its
/// importer gave it before, or by the name of another activity at the same time.
extension ImportWriter {
  /// The state in the archive of an imported entry.
  enum Old {
    case new
    /// It was already read in this run; importing both would change the archive at every import.
    case second
    case version(Activity)
    case known(ChangeScope.Known)
  }

  /// Returns the state in the archive of an activity.
  ///
  /// - Parameters:
  ///   - activity: the activity.
  ///   - record: the record.
  /// - Returns: the state.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func standing(of activity: Activity, _ record: ImportedRecord) throws -> Old {
    var keys = activity.externalRefs.map { "\($0.provider)\u{0}\($0.externalID)" }
    if record.hasOwnIdentity {
      switch try scope.standing(of: .activity, activity.id) {
      case .own: return .second
      case .hidden: try scope.makeWay(for: .activity, activity.id)
      case .shown:
        keys.append(activity.id.uuidString)
        guard state.isFirst(keys) else { return .second }
        if let version = try scope.activity(activity.id) { return .version(version) }
      case .absent: break
      }
    }
    for ref in activity.externalRefs {
      guard let known = try scope.known(ref) else { continue }
      switch known.standing {
      case .own: return .second
      case .hidden: try scope.makeWay(for: known.type, known.id)
      case .shown, .absent:
        if record.hasOwnIdentity { keys.append(activity.id.uuidString) }
        // Several files may each have a part of a day.
        let isPart = GatheredDay.isGathered(record)
        return state.isFirst(keys) || isPart ? .known(known) : .second
      }
    }
    guard try !record.hasOwnIdentity && mayHaveFormerName(activity) else { return .new }
    guard !keys.contains(where: state.hasCome) else { return .second }
    guard let known = try formerly(activity) else { return .new }
    return state.isFirst(keys + [Self.formerKey(known)]) ? .known(known) : .second
  }

  /// Returns true if an entry may be here under a different name.
  func mayHaveFormerName(_ activity: Activity) throws -> Bool {
    try activity.externalRefs.contains { ref in
      switch EntryName(ref) {
      case .line, .reading, .sharedID, .check: true
      case .row(let table, _): try hasPlainNames(ref.provider, table)
      case .note: true
      case nil: false
      }
    }
  }

  /// Returns true if the archive has rows of a table that are named by local time; looked up once
  /// per run.
  private func hasPlainNames(_ provider: String, _ table: String) throws -> Bool {
    if let known = state.plainTables[table] { return known }
    // Names that begin with a digit.
    let found = try scope.hasName(of: provider, from: "\(table)/0", to: "\(table)/:")
    state.plainTables[table] = found
    return found
  }

  /// Returns the earlier names of an entry, under which its owner may have deleted it.
  func formerReferences(_ activity: Activity) -> [ExternalRef] {
    activity.externalRefs.compactMap { ref in
      var former = ref
      switch EntryName(ref) {
      case .line(let base, _?): former.externalID = base
      case .row(let table, let number):
        guard let start = activity.startAt, let zone = Zone(activity.timeZone) else { return nil }
        former.externalID =
          "\(table)/\(zone.wallTime(at: start))" + (number.map { "/\($0)" } ?? "")
      case .reading(let book): former.externalID = book
      case .check(let alone): former.externalID = alone
      // A new note may have the file name of one that was deleted, and a row the ID of another.
      case .line, .note, .sharedID, nil: return nil
      }
      return former
    }
  }

  /// Returns the state of an entry under another name; nil if there is none, or if it was already
  /// read in this run.
  func formerly(_ activity: Activity) throws -> ChangeScope.Known? {
    for ref in activity.externalRefs {
      let known: ChangeScope.Known?
      switch EntryName(ref) {
      case .line(let base, let vault): known = try formerLine(activity, ref, base, vault)
      case .row(let table, _): known = try formerRow(activity, ref, table)
      case .reading(let book): known = try formerReading(activity, ref, book)
      case .sharedID(let alone): known = try formerRow(activity, ref, alone: alone)
      case .check(let alone): known = try formerCheck(activity, ref, alone)
      case .note(let base, let isCreation):
        known = try formerNote(activity, ref, base, isCreation)
      case nil: known = nil
      }
      if let known { return known }
    }
    return nil
  }

  /// Returns true if a row of a table has the same time as before.
  ///
  /// It belongs to the day on which it was imported, regardless of today's home zone.
  static func isSameMoment(_ activity: Activity, _ old: Activity) -> Bool {
    guard case .row? = activity.externalRefs.first.flatMap({ EntryName($0) }) else { return false }
    return activity.startAt != nil && activity.startAt == old.startAt
  }

  /// Returns the key under which an entry found by another name is marked as read.
  static func formerKey(_ known: ChangeScope.Known) -> String {
    "former\u{0}\(known.id.uuidString)"
  }

  private func shown(_ provider: String, _ name: String) throws -> ChangeScope.Known? {
    let ref = ExternalRef(provider: provider, externalID: name, fetchedAt: scope.now)
    guard let known = try scope.known(ref), known.standing == .shown, known.type == .activity,
      !state.hasCome(Self.formerKey(known))
    else { return nil }
    return known
  }

  /// Returns a line with the same text in a vault with another name, or a similar one if the vault
  /// was not given.
  private func formerLine(
    _ activity: Activity, _ ref: ExternalRef, _ base: String, _ vault: String?
  ) throws -> ChangeScope.Known? {
    let marked = try scope.names(of: ref.provider, from: "\(base)@", to: "\(base)A")
    let all = try ([base] + marked).filter { $0 != ref.externalID }
      .compactMap { name in try shown(ref.provider, name).map { (name, $0) } }
    if let same = all.first(where: { $0.1.contentHash == ref.contentHash }) { return same.1 }
    for (name, known) in all where vault == nil || name == base {
      guard let old = try scope.activity(known.id) else { continue }
      let isTold = old.externalRefs.contains { other in
        other.provider == ref.provider && other.externalID.hasPrefix("\(base)@")
      }
      if vault == nil || !isTold, Self.isAlike(activity.text, old.text) { return known }
    }
    return nil
  }

  /// Returns a note of Google Keep that was imported from an export with other times: with or
  /// without those of creation, or, without them, before it was changed.
  private func formerNote(
    _ activity: Activity, _ ref: ExternalRef, _ base: String, _ isCreation: Bool
  ) throws -> ChangeScope.Known? {
    // Names are microseconds.
    let changed = activity.updatedAt.milliseconds
    let byTime = try scope.names(
      of: ref.provider, from: "\(changed)000", to: "\(changed + 1)000")
    let byFile = try scope.names(of: ref.provider, from: "\(base)@", to: "\(base)A")
    for name in byTime + byFile where name != ref.externalID {
      guard let known = try shown(ref.provider, name), let old = try scope.activity(known.id),
        let (was, now) = Self.starts(old, activity)
      else { continue }
      // Both have a creation, so they are two notes.
      guard !isCreation || !Self.isNamedByCreation(old) else { continue }
      // A note isn't changed before its creation; a later one has only taken over its file name.
      guard isCreation ? now <= was : !Self.isNamedByCreation(old) || was <= now else { continue }
      if Self.isAlike(activity.notes ?? activity.text, old.notes ?? old.text) { return known }
    }
    return nil
  }

  private static func starts(_ one: Activity, _ other: Activity) -> (Instant, Instant)? {
    guard let first = one.startAt, let second = other.startAt else { return nil }
    return (first, second)
  }

  private static func isNamedByCreation(_ activity: Activity) -> Bool {
    activity.externalRefs.contains { ref in
      if case .note(_, true)? = EntryName(ref) { true } else { false }
    }
  }

  /// Returns true if only the entry here has the time at which a note was created.
  static func knowsCreation(_ old: Activity, insteadOf activity: Activity) -> Bool {
    activity.externalRefs.contains { ref in
      if case .note(_, false)? = EntryName(ref) { true } else { false }
    } && isNamedByCreation(old)
  }

  /// Returns true if at least half of the words of the shorter text are in the other.
  private static func isAlike(_ text: String, _ other: String) -> Bool {
    func words(_ text: String) -> Set<Substring> {
      Set(NameFolding.key(text).split { !$0.isLetter && !$0.isNumber })
    }
    let (one, two) = (words(text), words(other))
    return one.intersection(two).count * 2 >= max(1, min(one.count, two.count))
  }

  /// Returns a row with the same time, regardless of the local time at home when it was imported.
  private func formerRow(
    _ activity: Activity, _ ref: ExternalRef, _ table: String
  ) throws -> ChangeScope.Known? {
    guard let start = activity.startAt else { return nil }
    func isPlain(_ name: String) -> Bool {
      name.hasPrefix("\(table)/") && !name.hasPrefix("\(table)/at/")
        && !name.hasPrefix("\(table)/id/")
    }
    func isPlainAlone(_ known: ChangeScope.Known) throws -> Bool {
      let names = try scope.activity(known.id)?.externalRefs.map(\.externalID) ?? []
      return !names.contains { $0.hasPrefix("\(table)/at/") }
    }
    let found = try scope.names(of: ref.provider, startingAt: start, around: activity.dayKey)
      .filter { isPlain($0) }.compactMap { try shown(ref.provider, $0) }
      .filter { try isPlainAlone($0) }
    if let same = found.first(where: { $0.contentHash == ref.contentHash }) { return same }
    if let similar = try found.first(where: { try isSimilar(activity, to: $0) }) { return similar }
    // An entry that its owner moved here.
    for former in formerReferences(activity) {
      guard let known = try shown(ref.provider, former.externalID), known.isEdited,
        try isPlainAlone(known), try scope.activity(known.id)?.timeZone == activity.timeZone,
        try isSimilar(activity, to: known)
      else { continue }
      return known
    }
    return nil
  }

  /// Returns true if a row may be an edited version of an entry at the same time.
  private func isSimilar(_ activity: Activity, to known: ChangeScope.Known) throws -> Bool {
    let new = RowTraits(activity)
    return try traits(of: known).contains { new.isSame(as: $0, .row) || new.isAlike($0) }
  }

  /// Returns a row at the same time that was imported under its ID alone.
  private func formerRow(
    _ activity: Activity, _ ref: ExternalRef, alone name: String
  ) throws -> ChangeScope.Known? {
    guard let known = try shown(ref.provider, name), let old = try scope.activity(known.id),
      known.contentHash == ref.contentHash
        || (old.dayKey == activity.dayKey && old.startAt == activity.startAt)
    else { return nil }
    let isSame =
      known.contentHash == ref.contentHash || Self.isAlike(activity.text, old.text)
    return isSame ? known : nil
  }

  /// Returns a reading of a book on the same day that was imported under the book's name alone.
  private func formerReading(
    _ activity: Activity, _ ref: ExternalRef, _ book: String
  ) throws -> ChangeScope.Known? {
    guard let known = try shown(ref.provider, book),
      try scope.activity(known.id)?.dayKey == activity.dayKey
    else { return nil }
    return known
  }

  /// Returns a habit's check mark on the same day that was imported under its number alone.
  ///
  /// The number may also be that of a mark from another installation of the program.
  private func formerCheck(
    _ activity: Activity, _ ref: ExternalRef, _ name: String
  ) throws -> ChangeScope.Known? {
    guard let known = try shown(ref.provider, name) else { return nil }
    if known.contentHash == ref.contentHash { return known }
    return try scope.activity(known.id)?.dayKey == activity.dayKey ? known : nil
  }

  /// Returns true if a row of a table that is identified only by its time shares no words with the
  /// earlier one.
  func isOtherRow(_ activity: Activity, than old: Activity) -> Bool {
    guard let start = StartName(activity), start.provider == "csv", activity.startAt != nil else {
      return false
    }
    return !Self.isAlike(activity.text, old.text)
  }
}
