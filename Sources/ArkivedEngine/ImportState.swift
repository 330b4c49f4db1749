import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The state of an import run from its first entry to its last.
final class ImportState {
  /// The results of the run so far.
  struct Account {
    var created: [String: Int] = [:]
    var updated = 0
    var unchanged = 0
    var skipped = 0
    var warnings: [ImportRun.Warning] = []
    /// The number of entries with coordinates in their source.
    var placed = 0
    /// The number of entries with coordinates that were imported without them.
    var reduced = 0
  }

  /// The entries that are removed when a part is undone.
  struct Part {
    fileprivate var account: Account
    fileprivate var trail: Int
  }

  /// The limit beyond which warnings are counted but not kept.
  static let warningLimit = 1_000
  /// The places of cancelled events that have been reported.
  private var cancelledPlaces: Set<String> = []

  let archive: Archive
  var overridesOwner: Bool
  /// True if the import is only a forecast, which must not write anything to the disk.
  let isRehearsal: Bool
  var account = Account()
  /// The writer of attachments' files, until the run is published.
  let files = FileFlusher()
  /// The importers' own folder, from which files are moved; nil if they are copied.
  var scratch: ScratchFolder?
  /// The new locations of files moved from there, by their old paths; several entries may share
  /// one.
  var movedFiles: [String: URL] = [:]
  /// The number of diagnostics, including those that are not kept.
  private(set) var toldCount = 0
  /// True if reading the same input on another day would give the same result.
  private(set) var isLasting = true
  /// The number of entries deferred until later.
  var putOffCount = 0
  /// The days outside of which only known events are imported; nil for no limit.
  var window: ClosedRange<DayKey>?
  /// The IDs and references of entries that were already known when they were read, and their
  /// order.
  ///
  /// Those of new entries are in the archive itself.
  private var known: Set<String> = []
  private var trail: [String] = []
  /// The number of times the same content without an ID was read, which keeps equal lines distinct.
  var occurrences: [String: Int] = [:]
  /// The rules for location data.
  var places = PlaceReduction(choice: .keep)
  /// The goals imported in the current transaction, which are matched after everything is decided.
  var goals = MatchingMark()
  /// For each table's identifier, true if the archive has rows of it that are identified by the
  /// local time at home.
  var plainTables: [String: Bool] = [:]
  /// The rows that are identified by their start.
  let starts = StartRows()
  /// The threads here that belong to another program's sessions, keyed by the importer's IDs for
  /// them.
  var threads: [UUID: UUID] = [:]
  /// The ID in the archive of each person who has a different ID in the import.
  var peopleByImportedID: [UUID: UUID] = [:]
  /// The IDs in the import of people whom the owner deleted.
  var unwantedPeople: Set<UUID> = []

  init(archive: Archive, overridesOwner: Bool, isRehearsal: Bool = false) {
    self.archive = archive
    self.overridesOwner = overridesOwner
    self.isRehearsal = isRehearsal
  }

  /// Reports once for an event, which may have many occurrences, that it was cancelled and is
  /// skipped.
  func tellCancelled(_ place: String) {
    guard cancelledPlaces.count < Self.warningLimit, cancelledPlaces.insert(place).inserted else {
      return
    }
    diagnose(Diagnostic(.note, place: place, message: "skipped: this event was cancelled"))
  }

  func diagnose(_ diagnostic: Diagnostic) {
    toldCount += 1
    if diagnostic.severity == .skipped { account.skipped += 1 }
    if diagnostic.mayPass { isLasting = false }
    guard account.warnings.count < Self.warningLimit else { return }
    account.warnings.append(.init(place: diagnostic.place, message: diagnostic.message))
  }

  /// Returns true if the people of an entry have the same IDs in the archive as in the source.
  func keepsIdentities(of people: [Mention]) -> Bool {
    people.allSatisfy { mention in
      guard let id = mention.personID else { return true }
      return peopleByImportedID[id] ?? id == id
    }
  }

  /// Returns true if none of the keys has been read before, and marks them as read.
  func isFirst(_ keys: [String]) -> Bool {
    guard keys.allSatisfy({ !known.contains($0) }) else { return false }
    known.formUnion(keys)
    trail += keys
    return true
  }

  /// Returns true if a key has been read before.
  func hasCome(_ key: String) -> Bool { known.contains(key) }

  /// Lets deferred entries be processed again.
  func forgetKnown() {
    known.removeAll()
    trail.removeAll()
  }

  /// Removes a new entity from the counts because it is decided again.
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
