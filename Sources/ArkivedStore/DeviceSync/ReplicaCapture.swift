import ArkivedCore
import Foundation
import GRDB

/// Turns changes in the archive into changes for the other devices.
struct ReplicaCapture {
  let db: Database
  let device: String
  let now: Instant
  /// False while there are no other devices; changes are then stored only in the states.
  let publishes: Bool
  let tables: ReplicaTables
  let records: ReplicaRecords
  /// The segment that the changes will be in.
  private var sequence: Int
  /// The size of the changes that are in no segment yet, in bytes.
  private var waitingSize = 0
  private var clock: Int64
  /// True until everything that was there when sync was switched on is captured.
  private let isFirst: Bool
  /// The row of the history up to which old versions have been sent.
  private let lastVersion: Int64
  /// False if that was never noted.
  private let isMarked: Bool

  /// The name of the note that exists until the first capture is complete.
  static let firstNote = "first"
  /// The tolerance in milliseconds: a stamp further ahead comes from a wrong clock, and does not
  /// advance this device's clock.
  private static let tolerance: Int64 = 86_400_000
  /// A clock that shows a time before this one is wrong: 2026-01-01.
  private static let epoch: Int64 = 1_767_225_600_000
  /// The time that something can have at most if this clock is wrong: 2100-01-01.
  private static let lastPlausible: Int64 = 4_102_444_800_000

  init(_ db: Database, device: String, now: Instant, publishes: Bool) throws {
    self.db = db
    self.device = device
    self.now = now
    self.publishes = publishes
    tables = ReplicaTables(db: db)
    records = ReplicaRecords(db)
    clock = Int64(try tables.value("clock")?.int ?? 0)
    sequence = try ReplicaLog(db: db).lastSequence() + 1
    if publishes { waitingSize = try ReplicaLog(db: db).waitingSize() }
    isFirst = try tables.value(Self.firstNote) != nil
    let mark = try tables.value("history")?.int
    isMarked = mark != nil
    lastVersion = try mark.map(Int64.init) ?? Self.newestVersion(db)
  }

  static func newestVersion(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(pk) FROM history") ?? 0
  }

  /// Captures what has changed since the last call.
  ///
  /// - Returns: the number of entities and settings that have changed.
  mutating func run(limit: Int = .max) throws -> Int {
    var count = 0
    let keys = try tables.takeDirty(limit: limit)
    for key in keys {
      if try capture(key) { count += 1 }
      if waitingSize >= ReplicaLog.segmentSize { try seal() }
    }
    try keepClock()
    // The rest of the recorded keys have old versions that wait with them.
    if keys.count < limit {
      let newest = try Self.newestVersion(db)
      if newest != lastVersion || !isMarked { try tables.set("history", .integer(newest)) }
      if isFirst {
        try tables.remove(Self.firstNote)
        // A device that is joining may have to begin again.
        if try tables.value(Archive.joiningNote) == nil { try tables.forgetMemories() }
      }
    }
    return count
  }

  /// Makes a segment of the waiting changes.
  mutating func seal() throws {
    let log = ReplicaLog(db: db)
    while try log.seal(at: now) {}
    sequence = try log.lastSequence() + 1
    waitingSize = 0
  }

  func keepClock() throws { try tables.set("clock", .integer(clock)) }

  /// Adopts the time of a stamp that another device wrote, unless that device's clock must be
  /// wrong.
  mutating func observe(_ stamp: ReplicaStamp?) {
    guard let stamp, stamp.time > clock else { return }
    let isPlausible =
      now.milliseconds < Self.epoch || stamp.time <= now.milliseconds + Self.tolerance
    if isPlausible { clock = stamp.time }
  }

  /// Returns a stamp that is later than everything known about an entity.
  mutating func stamp(at time: Int64, after state: ReplicaState) -> ReplicaStamp {
    clock = max(time, clock + 1)
    let known = state.latest.map { $0.time + 1 } ?? 0
    return ReplicaStamp(
      time: min(max(clock, known), ReplicaStamp.latestTime), device: device, sequence: sequence)
  }

  /// Returns the time for something that existed before sync was switched on: that of its last edit.
  ///
  /// A time after now comes from a wrong clock, unless this one is.
  func firstTime(_ time: Int64?) -> Int64 {
    let latest = now.milliseconds < Self.epoch ? Self.lastPlausible : now.milliseconds
    return min(max(0, time ?? 0), latest)
  }

  /// Returns a stamp with a given time.
  mutating func firstStamp(at time: Int64) -> ReplicaStamp {
    let time = min(time, ReplicaStamp.latestTime)
    clock = max(clock, min(time, now.milliseconds))
    return ReplicaStamp(time: time, device: device, sequence: sequence)
  }

  private mutating func capture(_ given: ReplicaKey) throws -> Bool {
    let key = try tables.canonical(given)
    // It no longer exists under its other ID.
    guard key == given else { return false }
    let stored = try tables.load(key)
    let state = stored?.state ?? ReplicaState()
    guard !state.isPurged else { return false }
    let raw = try records.present(key)
    let present = try raw.map { try records.settled($0, key) }
    let shown = try shown(stored, key)
    let versions = publishes ? try versions(of: key, isFirstKnown: shown != nil) : []
    var change =
      isFirst && stored == nil
      ? try first(key, present, raw: raw ?? [:])
      : try change(from: shown, to: present, raw: raw ?? [:], state, key)
    if change != nil, present != nil, let stored, stored.shown != nil, !stored.waits,
      let wanted = try records.wanted(state, key), !wanted.waits
    {
      // The archive refused the state. What the owner makes of the entity now counts on all devices.
      change = try self.change(from: wanted.values, to: present, raw: raw ?? [:], state, key)
    }
    for version in versions {
      try send(
        version.value, as: version.id, of: key,
        change?.latest ?? stamp(at: now.milliseconds, after: state))
    }
    guard let change else { return false }
    if shown == nil, state.dead != nil { try keepHidden(whatNames: key) }
    var merged = state
    merged.merge(change)
    try tables.save(merged, key)
    try send(change, key)
    return true
  }

  /// Returns the versions between the last capture and this one, which no other device has seen.
  ///
  /// - Parameters:
  ///   - key: the entity.
  ///   - isFirstKnown: true if the first of them is the version that the last capture sent.
  /// - Returns: the rows of the history that contain them.
  /// - Throws: an error if the archive can't be read.
  private func versions(
    of key: ReplicaKey, isFirstKnown: Bool
  ) throws -> [(id: String, value: JSON)] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT id, record, reason, archived_at FROM history
        WHERE source_id = ? AND pk > ? AND archived_by <> ? ORDER BY pk
        """, arguments: [key.id, lastVersion, ReplicaMerge.author.rawValue])
    return try rows.dropFirst(isFirstKnown ? 1 : 0).map { row in
      (
        row[0],
        [
          "type": .string(key.type), "record": try JSON(parsing: row[1] as String),
          "reason": .string(row[2]), "at": JSON(Instant(milliseconds: row[3])),
        ]
      )
    }
  }

  private mutating func send(
    _ version: JSON, as id: String, of key: ReplicaKey, _ stamp: ReplicaStamp
  ) throws {
    var change = ReplicaState()
    change.touched = stamp
    change.registers["version"] = ReplicaState.Register(value: version, stamp: stamp)
    try send(change, ReplicaKey(version: id, of: key.id))
  }

  /// Records the displayed part of entries that still lack a tag, person or meeting that an undo
  /// restored.
  ///
  /// Otherwise its absence would be mistaken for a change. The next merge shows it in the entries.
  private func keepHidden(whatNames key: ReplicaKey) throws {
    guard ReplicaFields.isNamed(key.type) else { return }
    for other in try tables.naming([key]) {
      guard let stored = try tables.load(other), stored.shown == nil,
        let present = try records.present(other).map({ try records.settled($0, other) }),
        let wanted = try records.wanted(stored.state, other)?.values
      else { continue }
      let hidden = wanted.keys.filter { field in
        present[field] == nil
          && (field == ReplicaFields.tags + key.id
            || field.hasPrefix("\(ReplicaFields.mentions)#\(key.id)")
            || ReplicaFields.references[field] != nil && wanted[field]?.string == key.id)
      }
      guard !hidden.isEmpty else { continue }
      var shown = wanted
      for field in hidden {
        let value = shown.removeValue(forKey: field)
        guard field.hasPrefix(ReplicaFields.mentions), let name = try records.lastName(key.id)
        else {
          continue
        }
        let rest = ReplicaFields.mention(field.dropFirst(ReplicaFields.mentions.count)).rest
        shown[ReplicaFields.mentions + name + rest] = ["position": value?["position"] ?? 0]
      }
      try tables.save(
        stored.state, shown: ReplicaRecords.json(ReplicaFields.numbered(shown)), waits: true, other)
    }
  }

  /// Queues a change for the other devices.
  mutating func send(_ change: ReplicaState, _ key: ReplicaKey) throws {
    guard publishes else { return }
    let text = change.json.text()
    waitingSize += text.utf8.count
    try db.cachedStatement(sql: "INSERT INTO replica_outbox (type, id, change) VALUES (?, ?, ?)")
      .execute(arguments: [key.type, key.id, text])
  }

  private func shown(
    _ stored: ReplicaTables.Stored?, _ key: ReplicaKey
  ) throws -> ReplicaFields.Values? {
    guard let stored else { return nil }
    if let shown = stored.shown { return ReplicaRecords.values(shown) }
    return try records.wanted(stored.state, key)?.values
  }

  private mutating func change(
    from shown: ReplicaFields.Values?, to present: ReplicaFields.Values?,
    raw: ReplicaFields.Values, _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> ReplicaState? {
    guard let present else {
      guard shown != nil else { return nil }
      var change = ReplicaState()
      change.dead = stamp(at: now.milliseconds, after: state)
      change.isUnwanted =
        try Bool.fetchOne(
          db, cached: "SELECT EXISTS (SELECT 1 FROM tombstones WHERE source_id = ?)",
          arguments: [key.id]) ?? false
      return change
    }
    let before = shown ?? [:]
    // A restored entity is compared with its last known state, field by field.
    let known = shown == nil ? state.values : [:]
    let fields = Set(before.keys).union(present.keys).union(known.keys).filter { field in
      !ReplicaFields.isSame(before[field], present[field]) || known[field] != nil
    }
    guard !fields.isEmpty || shown == nil else { return nil }
    func time(_ field: String) -> Int64? {
      present[field]?.string.flatMap { Instant($0) }?.milliseconds
    }
    let edited = time("updatedAt") ?? now.milliseconds
    let stamp = stamp(at: min(edited, now.milliseconds), after: state)
    var change = ReplicaState()
    change.touched = stamp
    let origins = try records.origins(of: state.values)
    for origin in fields.flatMap({ origins[$0] ?? [] }) where present[origin] == nil {
      change.registers[origin] = ReplicaState.Register(value: .null, stamp: stamp)
    }
    for field in fields {
      let value = present[field] == nil ? nil : raw[field] ?? present[field]
      if ReplicaFields.isText(field, of: key.type) {
        let versions = state.texts[field] ?? [:]
        change.texts[field] = [
          stamp: ReplicaState.TextVersion(
            stamp: stamp, parents: TextVersions(versions).heads, text: value?.string)
        ]
      } else {
        change.registers[field] = ReplicaState.Register(value: value ?? .null, stamp: stamp)
      }
    }
    return change
  }
}

extension ReplicaRecords {
  /// Returns the fields stored with a state; nil if there are none.
  static func values(_ shown: JSON) -> ReplicaFields.Values? {
    guard let object = shown.object else { return nil }
    return Dictionary(object.members.map { ($0.key, $0.value) }) { $1 }
  }

  static func json(_ values: ReplicaFields.Values?) -> JSON {
    guard let values else { return .null }
    var object = JSONObject()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      object.append(uncheckedKey: key, value)
    }
    return .object(object)
  }
}
