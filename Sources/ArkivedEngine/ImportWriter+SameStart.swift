import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Finding the entry of a table row that is identified only by its start, and its number among rows
/// with that start.
///
/// Tables of other files may have rows with the same start, and rows may come and go before others,
/// so an entry is only the row's if its content is the same or similar.
extension ImportWriter {
  /// A name that consists of a start and a number.
  struct StartName {
    let provider: String
    /// The name of the first row.
    let base: String
    let isNumbered: Bool

    /// Parses a reference; returns nil if it identifies its entry by more than the start.
    init?(_ ref: ExternalRef) {
      guard ["toggl", "csv", "daylio"].contains(ref.provider), !ref.externalID.contains("/id/")
      else { return nil }
      provider = ref.provider
      base = Self.unnumbered(ref.externalID)
      isNumbered = base != ref.externalID
    }

    func key(_ name: String) -> String { "\(provider)\u{0}\(name)" }

    /// Returns a name without the number that distinguishes equal rows.
    private static func unnumbered(_ name: String) -> String {
      guard let slash = name.lastIndex(of: "/") else { return name }
      let tail = name[name.index(after: slash)...]
      guard (1...4).contains(tail.count), tail.allSatisfy({ $0.isASCII && $0.isNumber }) else {
        return name
      }
      return String(name[..<slash])
    }
  }

  /// Returns true if a row has a number, which depends on the rows before it.
  static func isNumbered(_ activity: Activity) -> Bool {
    activity.externalRefs.contains { StartName($0)?.isNumbered == true }
  }

  /// Returns the state of a row that is identified only by its start.
  ///
  /// - Parameters:
  ///   - activity: receives the name of the entry, or a free number if the entries with its start
  ///     are different ones.
  ///   - record: the record.
  /// - Returns: nil for other entries, and if its name isn't in use.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func sameStart(as activity: inout Activity, _ record: ImportedRecord) throws -> Old? {
    guard activity.externalRefs.count == 1, let ref = activity.externalRefs.first,
      let start = StartName(ref)
    else { return nil }
    let own = try scope.known(ref)
    guard own != nil || start.isNumbered else { return nil }
    if let own, own.standing == .hidden || own.type != .activity { return nil }
    let key = start.key(ref.externalID)
    // A row before this one has the name, because its own was in use.
    let isTaken = isStaging && state.isReassigned(key)
    if let own, PlaceReduction.isSame(ref.contentHash, own.contentHash), !isTaken {
      guard own.standing != .own, !isStaging || !state.isSettled(key) else { return .second }
      state.settle(key, isReassigned: false)
      _ = state.isFirst([key])
      return .known(own)
    }
    let others = try others(than: ref, of: start)
    for (name, known) in others where PlaceReduction.isSame(ref.contentHash, known.contentHash) {
      guard known.standing == .shown, !state.isSettled(start.key(name)) else {
        // The same row of another file.
        if own != nil, !isTaken { return .second }
        continue
      }
      activity.externalRefs[0].externalID = name
      state.settle(start.key(name), isReassigned: true)
      _ = state.isFirst([start.key(name)])
      return .known(known)
    }
    let candidates = (isTaken ? [] : own.map { [(ref.externalID, $0)] } ?? []) + others
    for (name, known) in candidates {
      let isOwn = name == ref.externalID
      let isFree =
        known.standing != .own && !state.isSettled(start.key(name))
        && !state.hasCome(start.key(name))
      guard isFree || (isOwn && !(state.isSettled(key) && !isStaging)),
        try isSimilar(activity, to: known)
      else { continue }
      guard isFree else {
        // Two files have the row in two versions.
        if known.standing == .own || state.hasCome(key) { return .second }
        continue
      }
      activity.externalRefs[0].externalID = name
      _ = state.isFirst([start.key(name)])
      return .known(known)
    }
    guard own != nil || isTaken else {
      state.settle(key, isReassigned: false)
      return nil
    }
    if let own, own.standing == .shown, !isTaken, let old = try scope.activity(own.id) {
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "“\(old.text.prefix(80))” starts at the same time but is different; both were "
            + "kept"))
    }
    return try asAnother(&activity, start)
  }

  /// Gives a row the next free number, because the entries with its start are other ones.
  private func asAnother(_ activity: inout Activity, _ start: StartName) throws -> Old {
    var ref = activity.externalRefs[0]
    var number = 2
    repeat {
      ref.externalID = "\(start.base)/\(number)"
      number += 1
    } while try state.isSettled(start.key(ref.externalID)) || scope.known(ref) != nil
    state.settle(start.key(ref.externalID), isReassigned: true)
    activity.externalRefs[0] = ref
    return .new
  }

  /// Returns the other entries whose names have the same start.
  private func others(
    than ref: ExternalRef, of start: StartName
  ) throws -> [(String, ChangeScope.Known)] {
    let names = try scope.names(of: ref.provider, from: "\(start.base)/", to: "\(start.base)0")
    return try ([start.base] + names).compactMap { name in
      var other = ref
      other.externalID = name
      guard name != ref.externalID, StartName(other)?.base == start.base,
        let known = try scope.known(other), known.type == .activity,
        [.shown, .own].contains(known.standing), !state.hasCome(Self.formerKey(known))
      else { return nil }
      return (name, known)
    }
  }

  /// Returns true if a row is an edited version of an entry: something besides its start is alike.
  func isSimilar(_ activity: Activity, to known: ChangeScope.Known) throws -> Bool {
    // A diary has one entry at a time.
    if activity.externalRefs.first?.provider == "daylio" { return true }
    guard let old = try scope.stagedActivity(known.id) else { return true }
    if Self.isSimilar(activity, old) { return true }
    guard known.isEdited else { return false }
    // The row may be like what its owner changed here.
    let defaults = EntryDefaults(
      now: scope.now, homeZone: .utc, identities: archive.identities)
    let versions = try scope.versions(ofActivity: known.id, defaults)
    return versions.isEmpty || versions.contains { Self.isSimilar(activity, $0) }
  }

  private static func isSimilar(_ activity: Activity, _ old: Activity) -> Bool {
    func length(_ activity: Activity) -> Double? {
      guard let start = activity.startAt, let end = activity.endAt else {
        return activity.durationMinutes
      }
      return Double(start.seconds(to: end)) / 60
    }
    if activity.text == old.text || isAlike(activity.text, old.text) { return true }
    if let now = length(activity), now > 0, now == length(old) { return true }
    if let notes = activity.notes, notes == old.notes { return true }
    let amounts = activity.measurements
    return amounts == old.measurements && amounts.values.contains { $0 != 0 }
  }

  /// Returns true if a row that is identified only by its time shares no words with the earlier
  /// one, because two tables with the same columns may contain both.
  func isOtherRow(_ activity: Activity, than old: Activity) -> Bool {
    guard let ref = activity.externalRefs.first, ref.provider == "csv", activity.startAt != nil,
      StartName(ref) != nil
    else { return false }
    return !Self.isAlike(activity.text, old.text)
  }
}
