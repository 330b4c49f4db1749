import ArkivedCore
import Foundation
import GRDB

/// Merges the changes of other devices and updates the archive accordingly.
///
/// First, all changes are merged as states, and the result does not depend on their order. Then the
/// archive's rows are written to match the states. Anything that the archive cannot show yet waits.
struct ReplicaMerge {
  let db: Database
  let archive: Archive
  let tables: ReplicaTables
  let records: ReplicaRecords
  var capture: ReplicaCapture
  var scope: ChangeScope?
  /// The entities whose state has changed and that still have to be shown.
  var open: Set<ReplicaKey> = []
  var inHand: Set<ReplicaKey> = []
  var done: Set<ReplicaKey> = []
  var versions = ReplicaVersions()
  /// The entities whose state the archive refused, with the reasons.
  var refused: [ReplicaKey: String] = [:]
  /// True while a snapshot is read: entities to show are then marked in the states, because they
  /// may take too much memory.
  let isWhole: Bool
  /// The tags, people and meetings whose entries still have to be shown again; they are searched for
  /// together, because that reads all states.
  private var renamed: Set<ReplicaKey> = []
  /// The order of the type of a snapshot that is being shown, -1 before the first one; entities of
  /// later types wait for their turn, because what they refer to may not be there yet.
  var turn: Int
  /// The number of versions that gave way.
  var conflicts = 0
  /// The number of entities written.
  var written = 0

  static let action = "devices"
  static let author = Author(rawValue: "device")
  /// The number of entities of a snapshot that are shown together.
  static let part = 2_000
  /// The number of entities above which search finds them only after all of them have been written.
  static let many = 500

  /// - Parameters:
  ///   - db: the database.
  ///   - archive: the archive.
  ///   - capture: the last capture.
  ///   - isWhole: true for a snapshot, which may contain everything.
  init(_ db: Database, _ archive: Archive, _ capture: ReplicaCapture, isWhole: Bool = false) {
    self.isWhole = isWhole
    turn = isWhole ? -1 : .max
    self.db = db
    self.archive = archive
    self.capture = capture
    tables = ReplicaTables(db: db)
    records = ReplicaRecords(db)
  }

  /// Merges one change.
  ///
  /// - Parameters:
  ///   - change: the state that the device wrote.
  ///   - given: the entity it belongs to.
  ///   - writer: the device that wrote it.
  ///   - seen: the last segment of each log that this device had read before.
  ///   - isSegment: false for a snapshot.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
  mutating func join(
    _ change: ReplicaState, _ given: ReplicaKey, by writer: String, having seen: [String: Int],
    isSegment: Bool
  ) throws {
    capture.observe(change.latest)
    guard given.type != ReplicaKey.versions else { return versions.add(change, given) }
    if let alias = change.alias {
      try unite(given, ReplicaKey(type: given.type, id: alias), tells: false)
      return
    }
    let key = try tables.canonical(given)
    let stored = try tables.load(key)
    let before = stored?.state ?? ReplicaState()
    var state = before
    state.merge(change)
    // A write that is older than the current value changes nothing, but is a conflict all the same,
    // except in a snapshot, which may contain the text that the later write was based on.
    guard state != before || isSegment else { return }
    if !state.isPurged {
      try noteConflicts(between: before, change, merged: state, key, by: writer, having: seen)
    }
    guard state != before else { return }
    // A value that another change of the same batch replaces is never shown here.
    if isSegment, open.contains(key) { versions.add(before, replacedBy: state, key) }
    if state.isPurged, !before.isPurged { try purge(key) }
    let isMarked = isWhole && !state.isPurged
    try tables.save(state, shown: stored?.shown, waits: isMarked, key)
    if !isMarked { open.insert(key) }
    if !state.isAlive, state.registers[ReplicaFields.mergedInto] != nil {
      try bringBackOne(ofThoseMergedWith: key)
    }
    // Another tag or person stands in its place now, also if it was only deleted here before.
    let target = state.registers[ReplicaFields.mergedInto]?.value ?? .null
    if !state.isAlive, target != before.registers[ReplicaFields.mergedInto]?.value ?? .null,
      try !records.isThere(EntityType(rawValue: key.type), key.id)
    {
      reopen(whatNames: key)
    }
    // Entries show the name of a deleted person.
    if key.type == EntityType.person.rawValue, !state.isAlive,
      before.registers["name"] != state.registers["name"]
    {
      reopen(whatNames: key)
    }
  }

  func purge(_ key: ReplicaKey) throws {
    try tables.countPurge()
    // The list of conflicts quotes it even if nothing else here does.
    try db.execute(sql: "DELETE FROM replica_conflicts WHERE source_id = ?", arguments: [key.id])
    guard key.id.count == 36 else { return }
    let isHeld =
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM history WHERE source_id = ?)", arguments: [key.id])
      ?? false
    guard try isHeld || records.isThere(EntityType(rawValue: key.type), key.id) else { return }
    try db.execute(
      sql: "INSERT OR IGNORE INTO replica_purges (id) VALUES (?)", arguments: [key.id])
  }

  /// Returns the scope that changes are written in, and opens it the first time.
  mutating func opened() throws -> ChangeScope {
    if let scope { return scope }
    let made = try archive.openScope(
      db, by: Self.author, Self.action, "Synced changes from other devices")
    scope = made
    return made
  }

  /// Marks the entries, days, notes and meetings that refer to a tag, a person or a meeting to be
  /// shown again.
  ///
  /// `reopenNaming` finds them.
  mutating func reopen(whatNames key: ReplicaKey) {
    if ReplicaFields.isNamed(key.type) { renamed.insert(key) }
  }

  /// Finds what refers to the tags, people and meetings that were marked, except entities that are
  /// shown in a later turn anyway.
  mutating func reopenNaming() throws {
    guard !renamed.isEmpty else { return }
    open.formUnion(try tables.naming(renamed, turn: turn))
    renamed = []
  }
}
