import ArkivedCore
import Foundation
import GRDB

/// Writing the archive’s rows to match the merged states.
extension ReplicaMerge {
  /// Writes the archive's rows to match the states.
  mutating func show() throws {
    let known = try tables.refusals()
    refused = known
    try reopenNaming()
    if isWhole { try showMarked() }
    open.formUnion(try tables.waiting())
    if open.count > Self.many { try opened().gatherDocuments() }
    try letGo()
    try showPart()
    if !versions.isEmpty {
      let scope = try opened()
      try versions.write(in: scope, records)
    }
    if let scope {
      try scope.writeDocuments()
      scope.keys.documents = nil
    }
    if refused != known {
      try tables.keepRefusals(refused)
      try tables.keepRefusals(tables.refusals())
    }
    try capture.keepClock()
  }

  /// Shows the entities marked in the states, part by part.
  private mutating func showMarked() throws {
    let later = open
    if try tables.waitingCount() > Self.many { try opened().gatherDocuments() }
    for type in [EntityType.tag, .term] {
      open = Set(try tables.waiting(type.rawValue, after: "", limit: .max))
      try letGo()
    }
    for type in try tables.waitingTypes().sorted(by: {
      (ReplicaFields.order(of: $0), $0) < (ReplicaFields.order(of: $1), $1)
    }) {
      var last = ""
      turn = ReplicaFields.order(of: type)
      while true {
        let keys = try tables.waiting(type, after: last, limit: Self.part)
        guard let end = keys.last else { break }
        last = end.id
        open = Set(keys)
        try showPart()
        try scope?.writeDocuments(moreThan: 5 * Self.part)
      }
    }
    turn = .max
    open = later
  }

  /// Shows the open entities, and those that changed with them.
  private mutating func showPart() throws {
    done = []
    try showOpen()
    // Items that were deleted or changed with something else, such as the notes of one of two
    // meetings.
    var rounds = 0
    var shown = done
    // Items found to be correct are settled, as long as nothing is written after that.
    var right: Set<ReplicaKey> = []
    while rounds < 3 {
      rounds += 1
      right = []
      var astray: [ReplicaKey] = []
      for key in try tables.takeDirty() where try !isLater(key) {
        shown.insert(key)
        switch try standing(key) {
        case .right: right.insert(key)
        case .astray: astray.append(key)
        case .open: break
        }
      }
      guard !astray.isEmpty else { break }
      right = []
      done.subtract(astray)
      open.formUnion(astray)
      try showOpen()
      shown.formUnion(done)
    }
    let late = try tables.takeDirty().filter { try !isLater($0) }
    shown.formUnion(late)
    if !late.isEmpty { right = [] }
    for key in shown.subtracting(right).sorted() { try settle(key) }
    for key in right { try tables.endWaiting(key) }
  }

  private mutating func showOpen() throws {
    while !open.isEmpty {
      // All open entities, each before those that refer to it.
      let list = open.sorted {
        (ReplicaFields.order(of: $0.type), $0.id) < (ReplicaFields.order(of: $1.type), $1.id)
      }
      for key in list where open.contains(key) {
        if try isLater(key) {
          open.remove(key)
        } else {
          try show(key)
        }
      }
      try reopenNaming()
    }
  }

  /// Returns true if an entity of a snapshot is shown in its turn, even if something before it
  /// changed its row.
  private func isLater(_ key: ReplicaKey) throws -> Bool {
    try ReplicaFields.order(of: key.type) > turn && tables.isWaiting(key)
  }

  private enum Standing {
    /// The archive matches the state, and nothing about it needs to be recorded.
    case right
    case astray
    case open
  }

  private func standing(_ key: ReplicaKey) throws -> Standing {
    guard let stored = try tables.load(key), !stored.state.isPurged, stored.state.alias == nil
    else { return .open }
    let wanted = try records.wanted(stored.state, key)
    if wanted?.waits == true { return .open }
    let present = try records.present(key).map { try records.settled($0, key) }
    guard Self.isSame(present, wanted?.values) else { return .astray }
    return stored.shown == nil ? .right : .open
  }

  static func isSame(_ one: ReplicaFields.Values?, _ other: ReplicaFields.Values?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return Set(one.keys).union(other.keys).allSatisfy { ReplicaFields.isSame(one[$0], other[$0]) }
  }

  /// Records the archive's version if it differs from the state.
  private func settle(_ key: ReplicaKey) throws {
    guard let stored = try tables.load(key) else {
      // An item that was created along with it and that no other device knows yet.
      if try records.present(key) != nil {
        try db.execute(
          sql: "INSERT OR IGNORE INTO replica_dirty VALUES (?, ?)", arguments: [key.type, key.id])
      }
      return
    }
    guard !stored.state.isPurged, stored.state.alias == nil else { return }
    let wanted = try records.wanted(stored.state, key)
    let present = try records.present(key).map { try records.settled($0, key) }
    let isAsWanted = Self.isSame(present, wanted?.values)
    let waits = wanted?.waits ?? false
    guard !isAsWanted || stored.shown != nil || waits else {
      return try tables.endWaiting(key)
    }
    // A plain `nil` would be JSON's null: an entity that isn't here.
    try tables.save(
      stored.state, shown: isAsWanted ? JSON?.none : ReplicaRecords.json(present), waits: waits,
      key)
  }

  /// Releases the numbers of terms and the names of tags, so they can be swapped.
  private mutating func letGo() throws {
    var terms: [UUID] = []
    var tags: [String] = []
    for key in open {
      switch EntityType(rawValue: key.type) {
      case .term:
        if let id = UUID(uuidString: key.id), let state = try tables.load(key)?.state,
          state.isAlive, let number = state.registers["termNumber"]?.value.int,
          let held = try Int.fetchOne(
            db, cached: "SELECT term_number FROM terms WHERE id = ?", arguments: [key.id]),
          held != number
        {
          terms.append(id)
        }
      case .tag:
        if let state = try tables.load(key)?.state, state.isAlive,
          let name = state.registers["name"]?.value.string,
          let held = try String.fetchOne(
            db, cached: "SELECT folded FROM tags WHERE id = ?", arguments: [key.id]),
          held != NameFolding.key(name)
        {
          tags.append(key.id)
        }
      default: break
      }
    }
    if terms.count > 1 {
      try opened().letGo(ofNumbersOf: terms.sorted { $0.uuidString < $1.uuidString })
    }
    guard tags.count > 1 else { return }
    for id in tags {
      try db.execute(sql: "UPDATE tag_rows SET folded = id WHERE id = ?", arguments: [id])
    }
  }

  private mutating func show(_ key: ReplicaKey) throws {
    open.remove(key)
    guard let stored = try tables.load(key), !stored.state.isPurged, stored.state.alias == nil
    else {
      return
    }
    // Devices are no entities of the archive.
    guard
      ReplicaFields.types.contains(EntityType(rawValue: key.type))
        || key.type == ReplicaFields.settingsType
    else { return try tables.endWaiting(key) }
    done.insert(key)
    inHand.insert(key)
    defer { inHand.remove(key) }
    let wanted = try records.wanted(stored.state, key)
    let present = try records.present(key).map { try records.settled($0, key) }
    guard let wanted else {
      if present != nil {
        try remove(key, stored.state)
      } else if stored.state.isUnwanted {
        try buryUnseen(key, stored.state)
      }
      return
    }
    guard !wanted.waits, !Self.isSame(present, wanted.values) else { return }
    let rivals = ReplicaRivals(db: db, tables: tables, records: records, now: capture.now)
    if let rival = try rivals.rival(of: wanted.values, stored.state, key) {
      if try isOpen(rival), !inHand.contains(rival) {
        // The rival may be about to give up the shared value.
        try show(rival)
        done.remove(key)
        open.insert(key)
        return try show(key)
      }
      try unite(key, rival, tells: true)
      let winner = try tables.canonical(key)
      return open.contains(winner) ? try show(winner) : ()
    }
    try write(wanted.values, key, isThere: present != nil)
    // A restored item is shown again in its previous places.
    if present == nil, stored.state.dead != nil { reopen(whatNames: key) }
  }

  /// Returns true if something is still to be shown.
  private func isOpen(_ key: ReplicaKey) throws -> Bool {
    if open.contains(key) { return true }
    return try isWhole && !done.contains(key) && tables.isWaiting(key)
  }

  private mutating func remove(_ key: ReplicaKey, _ state: ReplicaState) throws {
    if key.type == ReplicaFields.settingsType {
      try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [key.id])
      return
    }
    guard let id = UUID(uuidString: key.id) else { return }
    var scope = try opened()
    scope.leavesTombstones = state.isUnwanted
    written += 1
    try remove(key, id, scope)
  }

  /// Records that something was deleted on purpose before this device ever showed it, so an import
  /// doesn't create it again.
  private mutating func buryUnseen(_ key: ReplicaKey, _ state: ReplicaState) throws {
    let type = EntityType(rawValue: key.type)
    guard ReplicaFields.types.contains(type), let id = UUID(uuidString: key.id) else { return }
    let isBuried =
      try Bool.fetchOne(
        db, cached: "SELECT EXISTS (SELECT 1 FROM tombstones WHERE source_id = ?)",
        arguments: [key.id]) ?? false
    guard !isBuried else { return }
    let scope = try opened()
    try scope.bury(
      type, id, ReplicaFields.externalReferences(in: state.registers.keys, at: scope.now))
  }

  func remove(_ key: ReplicaKey, _ id: UUID, _ scope: ChangeScope) throws {
    let type = EntityType(rawValue: key.type)
    switch type {
    case .activity: _ = try scope.deleteActivity(id)
    case .day: try scope.deleteDayEntry(id)
    case .metric: try scope.deleteMetric(id)
    case .person: try scope.deletePerson(id)
    case .tag: try scope.deleteTag(id)
    default: try scope.delete(type, id)
    }
  }

  private mutating func write(
    _ values: ReplicaFields.Values, _ key: ReplicaKey, isThere: Bool
  ) throws {
    if key.type == ReplicaFields.settingsType { return try writeSetting(values, key.id) }
    let scope = try opened()
    let record = try records.record(of: values, key)
    do {
      try scope.attempt { try scope.put(record, EntityType(rawValue: key.type), isThere: isThere) }
      written += 1
      refused[key] = nil
    } catch let error as FieldError {
      // Both sides are valid separately but not together; the local one is kept.
      refused[key] = "The \(error.description)."
    } catch let error as ArchiveError {
      guard case .conflict = error else { throw error }
      refused[key] = error.description
    }
  }

  private func writeSetting(_ values: ReplicaFields.Values, _ name: String) throws {
    var object = JSONObject()
    for (field, value) in values.sorted(by: { $0.key < $1.key }) where field.hasPrefix("value/") {
      object[String(field.dropFirst("value/".count))] = value
    }
    let isObject = values["isObject"]?.bool ?? false
    let pairs = ReplicaPairs.of(setting: name)
    let list = try pairs?.list(of: values, known: StoredSetting.value(name, db))
    guard let value = list ?? (isObject ? .object(object) : values["value"]) else { return }
    let at = values["updatedAt"]?.string.flatMap { Instant($0) } ?? capture.now
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [name, value.text(), at.milliseconds])
  }
}
