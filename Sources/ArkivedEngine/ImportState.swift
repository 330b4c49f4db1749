import ArkivedCore
import ArkivedImport
import ArkivedStore
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
  /// Where cancelled events stand that were told.
  private var cancelledPlaces: Set<String> = []

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
  var putOffCount = 0
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

  /// Says once of an event, which may have many occurrences, that it was cancelled and stays out.
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
