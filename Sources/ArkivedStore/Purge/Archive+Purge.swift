package import ArkivedCore
import Foundation
import GRDB

/// Forgetting for ever.
extension Archive {
  static let purgeAction = "purge"

  /// What a purge did.
  package struct Purged: Sendable {
    package var change: Change
    package var plan: PurgePlan
    /// Whether the file was written anew and nothing is left in SQLite's log. Not while another
    /// program goes on reading what it began to read before, or while the disk is full.
    package var isLogEmpty: Bool

    package var json: JSON {
      ["change": change.json, "forgotten": plan.json, "isLogEmpty": .bool(isLogEmpty)]
    }
  }

  /// What forgetting a selection would remove; nothing is changed.
  ///
  /// - Throws: `ArchiveError.refused` for a tag by its identity.
  package func purgePlan(_ selection: PurgeSelection) throws -> PurgePlan {
    let drafts = drafts()
    return try read { db in
      try plan(try Forgotten(selection, db, drafts: drafts), selection, drafts, db)
    }
  }

  /// Removes things with their old versions, what quotes them in changes, acts, conversations and
  /// kept answers, their words in the indexes, files of attachments that nothing else needs, drafts
  /// that hold their text, and the snapshots that may hold them. It cannot be undone.
  ///
  /// Where it came from outside is kept as a mark, so that an import leaves it forgotten. Backups and
  /// exports elsewhere stay as they are.
  /// - Throws: `ArchiveError.refused` for a tag by its identity, `.notFound` where nothing is meant,
  ///   `.busy` while an import runs.
  package func purge(_ selection: PurgeSelection) throws -> Purged {
    let lock = try databaseFile.map {
      try FileLock(
        at: WaitingWriters.lockFile(in: $0.deletingLastPathComponent()), waits: 5,
        else: "An import is running. Nothing was forgotten; try again when it is done.")
    }
    defer { lock?.release() }
    // One that was stopped has marks of its own.
    try finish()
    try setsSecureDelete()
    let drafts = drafts()
    let (found, change): (PurgePlan, Change) = try write(by: .owner, Self.purgeAction, "") {
      scope in
      let forgotten = try Forgotten(selection, scope.db, drafts: drafts)
      let plan = try self.plan(forgotten, selection, drafts, scope.db)
      guard !plan.isEmpty else { throw ArchiveError.notFound("such thing to forget") }
      let calendars = try forgotten.calendars(scope.db)
      try scope.purge(forgotten)
      try scope.purgeReplicas(of: forgotten.ids)
      try Self.noteForgottenVectors(identities.next(), at: scope.now, scope.db)
      let paths = forgotten.paths.union(forgotten.originals)
      try Unfinished(
        paths: paths, snapshots: plan.snapshots, drafts: plan.drafts, calendars: calendars
      ).write(scope.db, at: scope.now)
      try scope.summarise("Forgot \(Self.words(plan)) for ever")
      return plan
    }
    var plan = found
    // It is forgotten; what trouble keeps from being cleaned up now is cleaned up later.
    let done = (try? finish()) ?? (files: 0, isLogEmpty: false, openDrafts: [])
    plan.files = done.files
    plan.drafts.removeAll { done.openDrafts.contains($0) }
    plan.openDrafts += done.openDrafts
    return Purged(change: change, plan: plan, isLogEmpty: done.isLogEmpty)
  }

  /// Goes on with a purge whose program was stopped before its files were gone, or whose log another
  /// program went on reading.
  package func finishPurge() throws {
    guard let databaseFile, try read(Unfinished.read) != nil,
      // An import, or a purge that is not stopped, goes first.
      let lock = try? FileLock(
        at: WaitingWriters.lockFile(in: databaseFile.deletingLastPathComponent()), waits: 0)
    else { return }
    defer { lock.release() }
    try finish()
  }

  /// Removes files, and writes the database anew, if something was forgotten since that was done.
  @discardableResult
  private func finish() throws -> (files: Int, isLogEmpty: Bool, openDrafts: [String]) {
    guard let unfinished = try read(Unfinished.read) else { return (0, true, []) }
    let openDrafts = removeDrafts(Set(unfinished.drafts))
    try setsSecureDelete()
    let files = try removeFiles(unfinished.paths)
    if let home = databaseFile?.deletingLastPathComponent() {
      for calendar in unfinished.calendars { try calendar.purge(in: home) }
    }
    removeDerived(snapshots: unfinished.snapshots)
    let isLogEmpty = try rewrite()
    if isLogEmpty { try writer.write(Unfinished.remove) }
    return (files, isLogEmpty, openDrafts)
  }

  /// "3 things, 5 old versions and 1 draft".
  package static func words(_ plan: PurgePlan) -> String {
    var parts: [String] = []
    if plan.things > 0 { parts.append("\(plan.things) \(plan.things == 1 ? "thing" : "things")") }
    if plan.versions > 0 {
      parts.append("\(plan.versions) old \(plan.versions == 1 ? "version" : "versions")")
    }
    let drafts = plan.drafts.count
    if drafts > 0 { parts.append("\(drafts) \(drafts == 1 ? "draft" : "drafts")") }
    guard parts.count > 2, let last = parts.popLast() else {
      return parts.joined(separator: " and ")
    }
    return "\(parts.joined(separator: ", ")) and \(last)"
  }

  // MARK: The plan

  private func plan(
    _ forgotten: Forgotten, _ selection: PurgeSelection, _ drafts: [DraftFiles.Content],
    _ db: Database
  ) throws -> PurgePlan {
    if case .entities = selection, forgotten.keys[.tag] != nil {
      throw ArchiveError.refused(
        "A tag is forgotten together with its entries: arkived purge --tag NAME. To take the tag "
          + "off them alone, delete it.")
    }
    var plan = PurgePlan()
    plan.counts = forgotten.keys.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { ($0.key.singular, $0.value.count) }
    plan.versions = forgotten.versions.count
    plan.files = forgotten.paths.count
    plan.firstMade = forgotten.firstMade
    plan.sources = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT address FROM sync_links WHERE id IN
          (SELECT link_id FROM meeting_rows WHERE pk IN (\(KeyList.sql)))
        """, arguments: [Forgotten.list(forgotten.keys[.meeting] ?? [])])
    plan.hasVectors =
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM search_indexes WHERE name = 'meaning')") ?? false
    plan.snapshots = try storageSnapshots(since: forgotten.firstMade)
    for draft in drafts where forgotten.includes(draft, selection) {
      if draft.isOpen { plan.openDrafts.append(draft.name) } else { plan.drafts.append(draft.name) }
    }
    return plan
  }

  /// Copies that were made when the first of it was there already.
  private func storageSnapshots(since first: Instant?) throws -> [String] {
    guard let folder = snapshotsFolder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in
      // Also one that was stopped, with what SQLite writes beside it.
      guard name.hasSuffix(".sqlite") || name.contains(".incoming") else { return false }
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      guard let made = attributes?[.modificationDate] as? Date, let first else { return true }
      // A clock may have been set back since; a day more is no harm.
      return Instant(made) >= first.adding(seconds: -86_400)
    }.sorted()
  }

  private var snapshotsFolder: URL? {
    databaseFile?.deletingLastPathComponent().appendingPathComponent("snapshots")
  }

  // MARK: Files

  /// Removes files of attachments that nothing names any more.
  ///
  /// - Returns: how many.
  func removeFiles(_ paths: Set<String>) throws -> Int {
    guard let folder = attachmentsFolder else { return 0 }
    var count = 0
    let begun = Date()
    for path in paths {
      guard try !isNeeded(path), !path.contains(".."), !path.hasPrefix("/") else { continue }
      let file = folder.appendingPathComponent(path)
      let found = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard found?[.type] as? FileAttributeType == .typeRegular else {
        // A path from elsewhere could name a folder, with the files of others in it.
        guard found == nil else { continue }
        // Small pictures of an original that lies elsewhere.
        removeDerived(ofContent: file.deletingPathExtension().lastPathComponent)
        continue
      }
      // Who stores the same content now and names it a moment later gets it back.
      let aside = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
      guard rename(file.path, aside.path) == 0 else { continue }
      if try isNeeded(path) || Self.isStored(aside, since: begun) {
        _ = rename(aside.path, file.path)
        continue
      }
      try? FileManager.default.removeItem(at: aside)
      removeDerived(ofContent: file.deletingPathExtension().lastPathComponent)
      try DurableFile.synchronise(file.deletingLastPathComponent())
      count += 1
    }
    return count
  }

  /// Whether somebody stored the same content meanwhile and is about to name it (`Archive.store`).
  private static func isStored(_ file: URL, since begun: Date) -> Bool {
    let found = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (found?[.modificationDate] as? Date).map { $0 >= begun } ?? false
  }

  /// Removes what was made of a file that is gone, such as a small picture: named after its content.
  private func removeDerived(ofContent hash: String) {
    guard hash.count >= 32, let folder = databaseFile?.deletingLastPathComponent() else { return }
    let thumbnails = folder.appendingPathComponent("thumbnails")
    for shelf in [thumbnails, thumbnails.appendingPathComponent(String(hash.prefix(2)))] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: shelf.path)) ?? []
      for name in names where name.hasPrefix(hash) {
        try? FileManager.default.removeItem(at: shelf.appendingPathComponent(name))
      }
    }
  }

  private func isNeeded(_ path: String) throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM attachments WHERE relative_path = ?1)
            OR EXISTS (SELECT 1 FROM history WHERE instr(record, ?1) > 0)
            OR EXISTS (SELECT 1 FROM import_pending WHERE instr(record, ?1) > 0)
          """, arguments: [path]) ?? true
    }
  }

  /// Removes what was derived of the entries, and is made anew, and the snapshots. Vectors, which take
  /// hours to make, are thinned out by `ForgottenVectors`.
  private func removeDerived(snapshots: [String]) {
    guard let folder = databaseFile?.deletingLastPathComponent() else { return }
    let index = folder.appendingPathComponent("index")
    for name in (try? FileManager.default.contentsOfDirectory(atPath: index.path)) ?? []
    where !name.hasSuffix(".lock") && !name.hasSuffix(".vectors") {
      try? FileManager.default.removeItem(at: index.appendingPathComponent(name))
    }
    // What the last check found may name files.
    if let checkFile { try? FileManager.default.removeItem(at: checkFile) }
    // What a program left that was stopped may hold anything.
    _ = try? removeUnfinishedFiles(in: folder)
    guard let snapshotsFolder else { return }
    for name in snapshots {
      try? FileManager.default.removeItem(at: snapshotsFolder.appendingPathComponent(name))
    }
  }

  /// Where a backup, or another archive, is laid out for a while, and what is held meanwhile.
  package static let workPrefix = ".restoring-"
  package static let workLockName = "restore.lock"

  // MARK: The database's file

  /// From now on SQLite writes zeros over what it removes (PRAGMA secure_delete).
  private func setsSecureDelete() throws {
    try writer.writeWithoutTransaction { db in
      _ = try Row.fetchAll(db, sql: "PRAGMA secure_delete = ON")
    }
  }

  /// Writes the database anew without what was removed before zeros were written, and empties its
  /// log.
  ///
  /// - Returns: whether the log is empty.
  private func rewrite() throws -> Bool {
    try writer.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    guard databaseFile != nil else { return true }
    let deadline = Deadline(seconds: Self.busySeconds)
    while true {
      let busy = try writer.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      if busy == 0 { return true }
      guard !deadline.hasPassed else { return false }
      usleep(20_000)
    }
  }
}

/// Vectors of what was forgotten.
extension Archive {
  private static let vectorsName = "purge-vectors"

  /// Notes that vectors have to be written anew without those of removed texts.
  static func noteForgottenVectors(_ mark: UUID, at now: Instant, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [vectorsName, JSON.string(mark.uuidString).text(), now.milliseconds])
  }

  /// A mark of the last purge, while vectors may hold what it removed; else nil.
  package func forgottenVectors() throws -> String? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [Self.vectorsName])
    }
  }

  /// Says that they were written anew since a mark was read.
  package func settleForgottenVectors(_ mark: String) throws {
    try writer.write { db in
      try db.execute(
        sql: "DELETE FROM settings WHERE name = ? AND value = ?",
        arguments: [Self.vectorsName, mark])
    }
  }
}

/// What a purge still has to do when its transaction is done.
private struct Unfinished {
  var paths: Set<String>
  var snapshots: [String]
  /// The names of drafts.
  var drafts: [String]
  var calendars: [ForgottenCalendar]

  private static let name = "purge"

  func write(_ db: Database, at now: Instant) throws {
    let value: JSON = [
      "paths": JSON(paths.sorted()), "snapshots": JSON(snapshots), "drafts": JSON(drafts),
      "calendars": .array(
        calendars.map {
          [
            "link": .string($0.link), "resource": .string($0.resource),
            "series": JSON($0.series.sorted()),
          ]
        }),
    ]
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [Self.name, value.text(), now.milliseconds])
  }

  /// nil where nothing is left to do.
  static func read(_ db: Database) throws -> Unfinished? {
    let text = try String.fetchOne(
      db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    guard let text else { return nil }
    let json = try? JSON(parsing: text)
    func texts(_ key: String) -> [String] { (json?[key]?.array ?? []).compactMap(\.string) }
    return Unfinished(
      paths: Set(texts("paths")), snapshots: texts("snapshots"), drafts: texts("drafts"),
      calendars: (json?["calendars"]?.array ?? []).compactMap { calendar -> ForgottenCalendar? in
        guard let link = calendar["link"]?.string, let resource = calendar["resource"]?.string
        else { return nil }
        let series = (calendar["series"]?.array ?? []).compactMap(\.string)
        return ForgottenCalendar(link: link, resource: resource, series: Set(series))
      })
  }

  static func remove(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [name])
  }
}
