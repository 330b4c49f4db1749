import ArkivedCore
import ArkivedCrypto
import Foundation
import GRDB

/// Merges the changes of other devices and updates the archive accordingly.
///
/// First, all changes are merged as states, and the result does not depend on their order. Then the
/// archive's rows are written to match the states. Anything that the archive cannot show yet waits.
struct ReplicaMerge {
  private let db: Database
  private let archive: Archive
  private let tables: ReplicaTables
  private let records: ReplicaRecords
  private var capture: ReplicaCapture
  private var scope: ChangeScope?
  /// The entities whose state has changed and that still have to be shown.
  private var open: Set<ReplicaKey> = []
  private var inHand: Set<ReplicaKey> = []
  private var done: Set<ReplicaKey> = []
  private var versions = ReplicaVersions()
  /// True while a snapshot is read: entities to show are then marked in the states, because they
  /// may take too much memory.
  private let isWhole: Bool
  private(set) var conflicts = 0
  /// The number of entities written.
  private(set) var written = 0

  static let action = "devices"
  static let author = Author(rawValue: "device")
  /// The number of entities of a snapshot that are shown together.
  private static let part = 2_000
  /// The number of entities above which search finds them only after all of them have been written.
  private static let many = 500

  /// - Parameters:
  ///   - db: the database.
  ///   - archive: the archive.
  ///   - capture: the last capture.
  ///   - isWhole: true for a snapshot, which may contain everything.
  init(_ db: Database, _ archive: Archive, _ capture: ReplicaCapture, isWhole: Bool = false) {
    self.isWhole = isWhole
    self.db = db
    self.archive = archive
    self.capture = capture
    tables = ReplicaTables(db: db)
    records = ReplicaRecords(db)
  }

  // MARK: Merging

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
    // Entries show the name of a deleted person.
    if key.type == EntityType.person.rawValue, !state.isAlive,
      before.registers["name"] != state.registers["name"]
    {
      open.formUnion(try tables.naming(key))
    }
  }

  private func purge(_ key: ReplicaKey) throws {
    try tables.countPurge()
    guard key.id.count == 36 else { return }
    let isHeld =
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM history WHERE source_id = ?)", arguments: [key.id])
      ?? false
    guard try isHeld || records.isThere(EntityType(rawValue: key.type), key.id) else { return }
    try db.execute(
      sql: "INSERT OR IGNORE INTO replica_purges (id) VALUES (?)", arguments: [key.id])
    try db.execute(sql: "DELETE FROM replica_conflicts WHERE source_id = ?", arguments: [key.id])
  }

  // MARK: Conflicts

  private mutating func noteConflicts(
    between before: ReplicaState, _ change: ReplicaState, merged: ReplicaState, _ key: ReplicaKey,
    by writer: String, having seen: [String: Int]
  ) throws {
    func isUnknown(_ stamp: ReplicaStamp) -> Bool {
      stamp.device != writer && (seen[stamp.device] ?? 0) < stamp.sequence
    }
    for (field, register) in change.registers {
      guard field != "updatedAt", field != "createdAt", let old = before.registers[field],
        isUnknown(old.stamp),
        !ReplicaFields.isSame(old.value, register.value, ignoringPosition: true)
      else { continue }
      let kept = old.later(register)
      let lost = kept == old ? register : old
      try note(
        Conflict(
          key: key, field: field, kept: kept.value, gaveWay: lost.value, keptBy: kept.stamp,
          givenBy: lost.stamp), merged, isShown: lost == old)
    }
    for (field, versions) in change.texts {
      let outcome = TextVersions(merged.texts[field] ?? [:]).merged
      guard let last = versions.keys.max() else { continue }
      for stamp in outcome.givenWay {
        try note(
          Conflict(
            key: key, field: field, kept: JSON(outcome.text),
            gaveWay: JSON(merged.texts[field]?[stamp]?.text), keptBy: last, givenBy: stamp),
          merged, isShown: false)
      }
    }
    if let dead = change.dead, let touched = before.touched, isUnknown(touched),
      before.isAlive
    {
      // The deletion keeps the version in the history; if an edit is later than the deletion, both
      // are recorded.
      try note(
        Conflict(
          key: key, field: "deleted", kept: .bool(!merged.isAlive),
          gaveWay: .bool(merged.isAlive), keptBy: max(dead, touched),
          givenBy: min(dead, touched)), merged, isShown: true)
    } else if let touched = change.touched, let dead = before.dead, isUnknown(dead),
      !before.isAlive
    {
      try note(
        Conflict(
          key: key, field: "deleted", kept: .bool(!merged.isAlive),
          gaveWay: .bool(merged.isAlive), keptBy: max(dead, touched),
          givenBy: min(dead, touched)), merged, isShown: merged.isAlive)
    }
  }

  private struct Conflict {
    var key: ReplicaKey
    var field: String
    var kept: JSON
    var gaveWay: JSON
    var keptBy: ReplicaStamp
    var givenBy: ReplicaStamp

    var id: UUID {
      let text = "\(key.type)/\(key.id)/\(field)/\(givenBy.json.text())/\(gaveWay.text())"
      return UUID(hashing: text)
    }
  }

  /// Records a replaced version, and adds it to the history if this device never showed it.
  private mutating func note(
    _ conflict: Conflict, _ merged: ReplicaState, isShown: Bool
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO replica_conflicts
          (id, at, type, source_id, field, kept, gave_way, kept_by, given_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      conflict.id.uuidString, capture.now.milliseconds, conflict.key.type, conflict.key.id,
      conflict.field, conflict.kept.text(), conflict.gaveWay.text(), conflict.keptBy.device,
      conflict.givenBy.device,
    ])
    guard db.changesCount > 0 else { return }
    conflicts += 1
    // The current value in the archive goes to the history when it is replaced.
    guard !isShown || open.contains(conflict.key), let source = UUID(uuidString: conflict.key.id)
    else { return }
    var values = merged.values
    if conflict.field != "deleted" {
      values[conflict.field] = conflict.gaveWay == .null ? nil : conflict.gaveWay
    }
    let record = try records.record(of: records.settled(values, conflict.key), conflict.key)
    let scope = try opened()
    guard try !scope.hasHistory(conflict.id) else { return }
    try scope.keep(
      HistoryRecord(
        id: conflict.id, sourceTable: EntityType(rawValue: conflict.key.type), sourceID: source,
        record: .object(record), reason: HistoryRecord.Reason(rawValue: "conflict"),
        archivedAt: scope.now, archivedBy: Self.author), changeKey: nil)
  }

  // MARK: One entity under two IDs

  /// Merges two IDs into one: the smaller one is kept.
  ///
  /// If `tells` is true, the other devices are informed.
  private mutating func unite(_ one: ReplicaKey, _ other: ReplicaKey, tells: Bool) throws {
    let (one, other) = (try tables.canonical(one), try tables.canonical(other))
    guard one != other else { return }
    let (winner, loser) = one.id < other.id ? (one, other) : (other, one)
    let storedWinner = try tables.load(winner)
    let storedLoser = try tables.load(loser)
    var state = storedWinner?.state ?? ReplicaState()
    let lost = storedLoser?.state ?? ReplicaState()
    let wasPurged = state.isPurged
    // The links of an existing row move with it. If one row doesn't exist, entries may mention it
    // without a link.
    let type = EntityType(rawValue: winner.type)
    var isOneGone = false
    if ReplicaFields.isNamed(winner.type), storedWinner != nil || storedLoser != nil {
      let isWinnerThere = try records.isThere(type, winner.id)
      let isLoserThere = try records.isThere(type, loser.id)
      isOneGone = !isWinnerThere || !isLoserThere
    }
    let before = state
    state.merge(lost)
    if !state.isPurged { try noteDifferences(between: before, lost, merged: state, winner) }
    try tables.save(state, shown: storedWinner?.shown, winner)
    var gone = ReplicaState()
    gone.alias = winner.id
    try tables.save(gone, loser)
    if tells { try capture.send(gone, loser) }
    open.remove(loser)
    done.remove(winner)
    open.insert(winner)
    try moveRow(loser, to: winner)
    if isOneGone { try reopen(whatNames: winner) }
    if state.isPurged, !wasPurged || !lost.isPurged { try purge(winner) }
  }

  /// Records the differences between two entities that became one, so nothing is lost.
  private mutating func noteDifferences(
    between one: ReplicaState, _ other: ReplicaState, merged: ReplicaState, _ key: ReplicaKey
  ) throws {
    guard one.isAlive, other.isAlive else { return }
    for (field, register) in other.registers.sorted(by: { $0.key < $1.key }) {
      guard !["name", "createdAt", "updatedAt"].contains(field), let old = one.registers[field],
        old.value != .null, register.value != .null,
        !ReplicaFields.isSame(old.value, register.value, ignoringPosition: true)
      else { continue }
      let kept = old.later(register)
      let lost = kept == old ? register : old
      try note(
        Conflict(
          key: key, field: field, kept: kept.value, gaveWay: lost.value, keptBy: kept.stamp,
          givenBy: lost.stamp), merged, isShown: false)
    }
  }

  /// Keeps only one of two rows that represent the same entity.
  private mutating func moveRow(_ loser: ReplicaKey, to winner: ReplicaKey) throws {
    let type = EntityType(rawValue: loser.type)
    guard EntityType.rowsTables[type] != nil, let gone = UUID(uuidString: loser.id),
      let kept = UUID(uuidString: winner.id), try records.isThere(type, loser.id)
    else { return }
    var scope = try opened()
    scope.leavesTombstones = false
    if try records.isThere(type, winner.id) {
      switch type {
      case .tag: try scope.deleteTag(gone, mergedInto: kept)
      case .person: try scope.deletePerson(gone, mergedInto: kept)
      default: try remove(loser, gone, scope)
      }
    } else {
      try scope.makeWay(for: type, kept)
      try db.execute(
        sql: "UPDATE \(type.rowsTable) SET id = ? WHERE id = ?",
        arguments: [winner.id, loser.id])
    }
    try db.execute(
      sql: "UPDATE history SET source_id = ? WHERE source_id = ?",
      arguments: [winner.id, loser.id])
    scope.keys.forget()
  }

  /// Returns another entity that must be the same one, because both have a value that only one
  /// entity can have.
  private func rival(
    of values: ReplicaFields.Values, _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    func found(_ sql: String, _ arguments: StatementArguments) throws -> ReplicaKey? {
      try String.fetchOne(db, cached: sql, arguments: arguments + [key.id])
        .map { ReplicaKey(type: key.type, id: $0) }
    }
    func text(_ field: String) -> String { values[field]?.string ?? "" }
    switch EntityType(rawValue: key.type) {
    case .tag:
      return try found(
        "SELECT id FROM tags WHERE folded = ? AND id <> ?", [NameFolding.key(text("name"))])
    case .day:
      return try found("SELECT id FROM days WHERE day_key = ? AND id <> ?", [text("dayKey")])
        ?? referenced(values, "day_pk", "day_rows", key)
    case .metric:
      return try found(
        "SELECT id FROM day_metrics WHERE day_key = ? AND metric = ? AND source = ? AND id <> ?",
        [text("dayKey"), text("metric"), text("source")])
    case .person:
      for field in values.keys.sorted() where field.hasPrefix("addresses/") {
        let address = NameFolding.key(String(field.dropFirst("addresses/".count)))
        let other = try found(
          """
          SELECT persons.id FROM person_names JOIN persons ON persons.pk = person_pk
          WHERE folded = ? AND role IN ('email', 'address') AND persons.id <> ?
          """, [address])
        if let other { return other }
      }
      return try namedAlike(values, state, key)
        ?? referenced(values, "person_pk", "person_rows", key)
    case .activity: return try referenced(values, "activity_pk", "activity_rows", key)
    case .meeting:
      return try found(
        "SELECT id FROM meetings WHERE event_identifier = ? AND id <> ?", [text("eventIdentifier")])
        ?? found(
          """
          SELECT meetings.id FROM meetings JOIN activity_rows AS one ON one.pk = activity_pk
          WHERE one.id = ? AND meetings.id <> ?
          """, [text("activityId")])
    case .term:
      return try found(
        "SELECT id FROM terms WHERE term_number = ? AND id <> ?", [values["termNumber"]?.int ?? -1])
    case .lifeTime: return try found("SELECT id FROM lifetimes WHERE id <> ?", [])
    case .contribution:
      return try found(
        """
        SELECT it.id FROM action_goal_contributions AS it
        JOIN activity_rows AS one ON one.pk = activity_pk JOIN goal_rows AS goal ON goal.pk = goal_pk
        WHERE one.id = ? AND goal.id = ? AND match_method <> 'auto_inferred' AND it.id <> ?
        """, [text("actionId"), text("goalId")])
    case .alignment:
      return try found(
        """
        SELECT it.id FROM goal_value_alignments AS it JOIN goal_rows AS goal ON goal.pk = goal_pk
        JOIN value_rows AS value ON value.pk = value_pk
        WHERE goal.id = ? AND value.id = ? AND it.id <> ?
        """, [text("goalId"), text("valueId")])
    case .assignment:
      return try found(
        """
        SELECT it.id FROM term_goal_assignments AS it JOIN term_rows AS term ON term.pk = term_pk
        JOIN goal_rows AS goal ON goal.pk = goal_pk
        WHERE term.id = ? AND goal.id = ? AND it.id <> ?
        """, [text("termId"), text("goalId")])
    default: return nil
    }
  }

  private func referenced(
    _ values: ReplicaFields.Values, _ column: String, _ table: String, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    for ref in ReplicaFields.externalReferences(in: values.keys, at: capture.now) {
      let id = try String.fetchOne(
        db,
        cached: """
          SELECT id FROM external_refs JOIN \(table) AS one ON one.pk = \(column)
          WHERE provider = ? AND external_id = ? AND id <> ?
            AND one.changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
          """,
        arguments: [ref.provider, ref.externalID, key.id])
      if let id { return ReplicaKey(type: key.type, id: id) }
    }
    return nil
  }

  /// Returns a person with the same name created by another device, if one of the two people is
  /// nothing but a name: on a single device, the second mention would have referred to the first
  /// person.
  private func namedAlike(
    _ values: ReplicaFields.Values, _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    guard let name = values["name"]?.string, try !records.isThere(.person, key.id) else {
      return nil
    }
    let others = try String.fetchAll(
      db,
      cached: """
        SELECT DISTINCT persons.id FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE folded = ? AND role = 'name' AND persons.id <> ? LIMIT 2
        """, arguments: [NameFolding.key(name), key.id])
    guard others.count == 1 else { return nil }
    let other = ReplicaKey(type: key.type, id: others[0])
    guard let known = try tables.load(other)?.state,
      known.registers["name"]?.stamp.device != state.registers["name"]?.stamp.device
    else { return nil }
    func isBare(_ state: ReplicaState) -> Bool {
      !state.values.keys.contains { field in
        !["name", "createdAt", "updatedAt"].contains(field)
      }
    }
    return isBare(known) || isBare(state) ? other : nil
  }

  // MARK: Visible rows

  private mutating func opened() throws -> ChangeScope {
    if let scope { return scope }
    let made = try archive.openScope(
      db, by: Self.author, Self.action, "Synced changes from other devices")
    scope = made
    return made
  }

  /// Writes the archive's rows to match the states.
  mutating func show() throws {
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
      while true {
        let keys = try tables.waiting(type, after: last, limit: Self.part)
        guard let end = keys.last else { break }
        last = end.id
        open = Set(keys)
        try showPart()
        try scope?.writeDocuments(moreThan: 5 * Self.part)
      }
    }
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
      for key in try tables.takeDirty() {
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
    let late = try tables.takeDirty()
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
      for key in list where open.contains(key) { try show(key) }
    }
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
    try tables.save(
      stored.state, shown: isAsWanted ? nil : ReplicaRecords.json(present), waits: waits, key)
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
    if let rival = try rival(of: wanted.values, stored.state, key) {
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
    if present == nil, stored.state.dead != nil { try reopen(whatNames: key) }
  }

  /// Returns true if something is still to be shown.
  private func isOpen(_ key: ReplicaKey) throws -> Bool {
    if open.contains(key) { return true }
    return try isWhole && !done.contains(key) && tables.isWaiting(key)
  }

  /// Marks the entries, days, notes and meetings that refer to a tag, a person or a meeting to be
  /// shown again.
  private mutating func reopen(whatNames key: ReplicaKey) throws {
    guard ReplicaFields.isNamed(key.type) else { return }
    open.formUnion(try tables.naming(key))
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

  private func remove(_ key: ReplicaKey, _ id: UUID, _ scope: ChangeScope) throws {
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
    } catch is FieldError {
      // Both sides are valid separately but not together; the local one is kept.
    } catch let error as ArchiveError {
      guard case .conflict = error else { throw error }
    }
  }

  private func writeSetting(_ values: ReplicaFields.Values, _ name: String) throws {
    var object = JSONObject()
    for (field, value) in values.sorted(by: { $0.key < $1.key }) where field.hasPrefix("value/") {
      object[String(field.dropFirst("value/".count))] = value
    }
    let isObject = values["isObject"]?.bool ?? false
    guard let value = isObject ? .object(object) : values["value"] else { return }
    let at = values["updatedAt"]?.string.flatMap { Instant($0) } ?? capture.now
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [name, value.text(), at.milliseconds])
  }
}

extension ChangeScope {
  /// Makes a record the current version of its entity.
  ///
  /// - Throws: `FieldError` if it is not a valid entity.
  fileprivate func put(_ record: JSONObject, _ type: EntityType, isThere: Bool) throws {
    var fields = FieldReader(record)
    let defaults = EntryDefaults(now: now, homeZone: .utc, identities: identities)
    if !isThere, type != .tag, type != .person,
      let id = record["id"]?.string.flatMap({ UUID(uuidString: $0) })
    {
      try makeWay(for: type, id)
    }
    switch type {
    case .activity:
      let activity = try Activity(&fields, defaults: defaults)
      if isThere { try update(activity) } else { try insert(activity) }
    case .day:
      let entry = try DayEntry(&fields, defaults: defaults)
      if isThere { try update(entry) } else { try insert(entry) }
    case .person:
      let person = try Person(&fields, defaults: defaults)
      if isThere { try update(person) } else { try insert(person) }
    case .tag:
      let tag = try Tag(&fields, defaults: defaults)
      if isThere { try update(tag) } else { try insert(tag) }
    case .metric:
      let metric = try DayMetric(&fields, defaults: defaults)
      if isThere { try update(metric) } else { try insert(metric) }
    default:
      guard let stored = StoredEntities.type(type) else {
        throw FieldError("type", "is \(type.rawValue), which this version doesn’t know")
      }
      try put(stored, &fields, defaults, isThere: isThere)
    }
    if let id = record["id"]?.string.flatMap({ UUID(uuidString: $0) }) { try exhume(id) }
  }

  private func put<Entity: StoredEntity>(
    _ type: Entity.Type, _ fields: inout FieldReader, _ defaults: EntryDefaults, isThere: Bool
  ) throws {
    var entity = try Entity(&fields, defaults: defaults)
    // The source of a calendar's event belongs to the computer that fetches it.
    if var meeting = entity as? Meeting, let old = try Meeting.fetchOne(db, id: meeting.id) {
      (meeting.linkID, meeting.resource) = (old.linkID, old.resource)
      entity = meeting as? Entity ?? entity
    }
    if isThere { try updateEntity(entity) } else { try insertEntity(entity) }
  }
}

extension UUID {
  /// Creates an ID derived from a text.
  package init(hashing text: String) {
    var bytes = Array(SHA256.hash(data: text.utf8).prefix(16))
    // Version 8 and the variant of RFC 9562.
    bytes[6] = (bytes[6] & 0x0F) | 0x80
    bytes[8] = (bytes[8] & 0x3F) | 0x80
    self = bytes.withUnsafeBytes { raw in
      UUID(uuid: raw.loadUnaligned(as: uuid_t.self))
    }
  }
}
