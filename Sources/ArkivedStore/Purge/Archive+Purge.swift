package import ArkivedCore
import ArkivedCrypto
import Foundation
import GRDB

/// Permanent deletion.
extension Archive {
  static let purgeAction = "purge"
  private static let lastPurgeName = "purge-last"

  /// Returns a mark of the last purge, after which other copies of pages have to go; nil before the
  /// first.
  package func lastPurge() throws -> String? {
    try read { db in try StoredSetting.value(Self.lastPurgeName, db)?.string }
  }

  /// The result of a purge.
  package struct Purged: Sendable {
    package var change: Change
    package var plan: PurgePlan
    /// True if the file was rewritten and SQLite's log is empty.
    ///
    /// This fails while another program continues an earlier read, or while the disk is full.
    package var isLogEmpty: Bool

    package var json: JSON {
      ["change": change.json, "forgotten": plan.json, "isLogEmpty": .bool(isLogEmpty)]
    }
  }

  /// Returns what permanently deleting a selection would remove; nothing is changed.
  ///
  /// - Throws: `ArchiveError.refused` for a tag by its ID.
  package func purgePlan(_ selection: PurgeSelection) throws -> PurgePlan {
    let drafts = drafts()
    return try read { db in
      try plan(try Forgotten(selection, db, drafts: drafts), selection, drafts, db)
    }
  }

  /// Removes entities with their old versions; quotations of them in changes, acts, conversations
  /// and stored answers; their words in the indexes; files of attachments that nothing else needs;
  /// drafts that contain their text; and the snapshots that may contain them.
  ///
  /// It cannot be undone.
  ///
  /// For imported entities, a mark of the source is kept, so imports don't create them again.
  /// Backups and exports elsewhere are not changed.
  ///
  /// - Parameters:
  ///   - selection: the data to remove.
  ///   - mark: the mark of the plan that the owner was shown; nil if they were shown none.
  /// - Returns: an account of the deletions.
  /// - Throws: `ArchiveError.refused` for a tag by its ID, `.notFound` if the selection is empty,
  ///   `.conflict` if it contains other items than the plan, `.busy` while an import runs.
  package func purge(
    _ selection: PurgeSelection, asShown mark: String? = nil
  ) throws -> Purged {
    let lock = try databaseFile.map {
      try FileLock(
        at: WaitingWriters.lockFile(in: $0.deletingLastPathComponent()), waits: 5,
        else: "An import is running. Nothing was deleted. Try again when it’s done.")
    }
    defer { lock?.release() }
    // An interrupted purge has its own marks.
    try finish()
    try setsSecureDelete()
    let drafts = drafts()
    let (found, change): (PurgePlan, Change) = try write(by: .owner, Self.purgeAction, "") {
      scope in
      let forgotten = try Forgotten(selection, scope.db, drafts: drafts)
      let plan = try self.plan(forgotten, selection, drafts, scope.db)
      guard !plan.isEmpty else {
        throw ArchiveError.notFound("Nothing found to delete permanently.")
      }
      guard mark == nil || plan.mark == mark else {
        throw ArchiveError.conflict(
          "The selection has changed since it was shown. Nothing was deleted. Check it again.")
      }
      let calendars = try forgotten.calendars(scope.db)
      let talk = try scope.purge(forgotten)
      try scope.purgeReplicas(
        of: forgotten.ids.union(talk.messages), writing: forgotten.writing, retitled: talk.threads)
      try Self.noteForgottenVectors(identities.next(), at: scope.now, scope.db)
      let last = JSON.string(scope.change.id.uuidString)
      try StoredSetting.set(Self.lastPurgeName, to: last, at: scope.now, scope.db)
      let paths = forgotten.paths.union(forgotten.originals)
      try Unfinished(
        paths: paths, snapshots: plan.snapshots, drafts: plan.drafts, calendars: calendars
      ).write(scope.db, at: scope.now)
      try scope.summarise("Permanently deleted \(Self.words(plan))")
      return plan
    }
    var plan = found
    // The data has been deleted; anything that cannot be cleaned up at this point is cleaned up
    // later.
    let done = (try? finish()) ?? (files: 0, isLogEmpty: false, openDrafts: [])
    plan.files = done.files
    plan.drafts.removeAll { done.openDrafts.contains($0) }
    plan.openDrafts += done.openDrafts
    return Purged(change: change, plan: plan, isLogEmpty: done.isLogEmpty)
  }

  /// Continues a purge whose program stopped before its files were removed, or whose log another
  /// program was still reading.
  package func finishPurge() throws {
    guard let databaseFile, try read(Unfinished.read) != nil,
      // An import, or a purge that is still running, takes precedence.
      let lock = try? FileLock(
        at: WaitingWriters.lockFile(in: databaseFile.deletingLastPathComponent()), waits: 0)
    else { return }
    defer { lock.release() }
    try finish()
  }

  /// Removes files and rewrites the database, if something was deleted since this was last done.
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

  /// "3 items, 5 earlier versions and 1 draft".
  package static func words(_ plan: PurgePlan) -> String {
    var parts: [String] = []
    if plan.things > 0 { parts.append("\(plan.things) \(plan.things == 1 ? "item" : "items")") }
    if plan.versions > 0 {
      parts.append("\(plan.versions) earlier \(plan.versions == 1 ? "version" : "versions")")
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
        "To permanently delete a tag together with its entries, run: arkived purge --tag NAME. To keep the "
          + "entries, delete only the tag.")
    }
    var plan = PurgePlan()
    plan.counts = forgotten.keys.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { ($0.key, $0.value.count) }
    if !forgotten.templates.isEmpty {
      plan.counts.append((.template, forgotten.templates.count))
    }
    plan.versions = forgotten.versions.count
    plan.files = forgotten.paths.count
    plan.firstMade = forgotten.firstMade
    plan.sources = try String.fetchAll(
      db,
      sql: """
        SELECT address FROM sync_links WHERE id IN
          (SELECT link_id FROM meeting_rows WHERE pk IN (\(KeyList.sql)))
          OR kind = '\(SyncLink.Kind.cardDAV.rawValue)' AND EXISTS
            (SELECT 1 FROM external_refs WHERE provider = 'vcard' AND person_pk IN (\(KeyList.sql)))
        UNION SELECT address FROM sync_links JOIN import_runs ON format = kind
          WHERE change_pk IN (SELECT change_pk FROM activity_rows WHERE pk IN (\(KeyList.sql)))
        """,
      arguments: [
        Forgotten.list(forgotten.keys[.meeting] ?? []),
        Forgotten.list(forgotten.keys[.person] ?? []),
        Forgotten.list(forgotten.keys[.activity] ?? []),
      ])
    plan.hasVectors =
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM search_indexes WHERE name = 'meaning')") ?? false
    plan.snapshots = try storageSnapshots(since: forgotten.firstMade)
    for draft in drafts where forgotten.includes(draft, selection) {
      if draft.isOpen { plan.openDrafts.append(draft.name) } else { plan.drafts.append(draft.name) }
    }
    let templates = forgotten.templates.map(\.uuidString)
    let names =
      forgotten.ids.sorted() + templates.sorted() + forgotten.writing.sorted()
      + plan.drafts.sorted()
    plan.mark = SHA256.hash(data: Data(names.joined(separator: "\n").utf8)).hexadecimal
    return plan
  }

  /// Returns the copies made when the first of the entities already existed.
  private func storageSnapshots(since first: Instant?) throws -> [String] {
    guard let folder = snapshotsFolder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in
      // Includes interrupted ones, and SQLite's files next to them.
      guard name.hasSuffix(".sqlite") || name.contains(".incoming") else { return false }
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      guard let made = attributes?[.modificationDate] as? Date, let first else { return true }
      // The clock may have been set back since, and an extra day does no harm.
      return Instant(made) >= first.adding(seconds: -86_400)
    }.sorted()
  }

  private var snapshotsFolder: URL? {
    databaseFile?.deletingLastPathComponent().appendingPathComponent("snapshots")
  }

  // MARK: Derived data

  /// Removes data derived from the entries, which is rebuilt, and the snapshots.
  ///
  /// Vectors, which take hours to compute, are filtered by `ForgottenVectors`.
  private func removeDerived(snapshots: [String]) {
    guard let folder = databaseFile?.deletingLastPathComponent() else { return }
    let index = folder.appendingPathComponent("index")
    for name in (try? FileManager.default.contentsOfDirectory(atPath: index.path)) ?? []
    where !name.hasSuffix(".lock") && !name.hasSuffix(".vectors") {
      try? FileManager.default.removeItem(at: index.appendingPathComponent(name))
    }
    // The findings of the last check may name files.
    if let checkFile { try? FileManager.default.removeItem(at: checkFile) }
    // Files left by an interrupted program may contain anything.
    _ = try? removeUnfinishedFiles(in: folder)
    guard let snapshotsFolder else { return }
    for name in snapshots {
      try? FileManager.default.removeItem(at: snapshotsFolder.appendingPathComponent(name))
    }
  }

  /// The prefix of folders in which a backup or another archive is unpacked temporarily, and of
  /// other temporary data.
  package static let workPrefix = ".restoring-"
  package static let workLockName = "restore.lock"

  // MARK: The database's file

  /// Makes SQLite overwrite removed data with zeros (PRAGMA secure_delete).
  private func setsSecureDelete() throws {
    try writer.writeWithoutTransaction { db in
      _ = try Row.fetchAll(db, sql: "PRAGMA secure_delete = ON")
    }
  }

  /// Rewrites the database without data that was removed before zeros were written, and empties its
  /// log.
  ///
  /// - Returns: true if the log is empty.
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

/// Vectors of permanently deleted texts.
extension Archive {
  private static let vectorsName = "purge-vectors"

  /// Records that vectors have to be rewritten without those of removed texts.
  static func noteForgottenVectors(_ mark: UUID, at now: Instant, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, ?)",
      arguments: [vectorsName, JSON.string(mark.uuidString).text(), now.milliseconds])
  }

  /// Returns a mark of the last purge while vectors may include the removed data; otherwise nil.
  package func forgottenVectors() throws -> String? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [Self.vectorsName])
    }
  }

  /// Records that vectors were rewritten since a mark was read.
  package func settleForgottenVectors(_ mark: String) throws {
    try transact { db in
      try db.execute(
        sql: "DELETE FROM settings WHERE name = ? AND value = ?",
        arguments: [Self.vectorsName, mark])
    }
  }
}

/// The remaining work of a purge after its transaction.
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

  /// Reads the remaining work; nil if there is none.
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
