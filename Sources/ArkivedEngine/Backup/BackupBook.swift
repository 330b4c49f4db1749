package import ArkivedBackup
package import ArkivedCore
package import ArkivedStore
import ArkivedCrypto
package import Foundation

/// The backup settings and the list of backups made: `backup.json` in the archive's folder.
///
/// It contains no secrets.
package struct BackupBook: Sendable {
  /// A plan for automatic backups.
  package struct Plan: Hashable, Sendable {
    /// The folder the backups are written to.
    package var folder: String
    /// The public keys that backups are encrypted for; a plan has no passphrase.
    package var recipients: [AgeRecipient]
    /// The number of days between two backups.
    package var days: Int
    package var rotation: BackupRotation

    package init(
      folder: String, recipients: [AgeRecipient], days: Int = 1, rotation: BackupRotation = .usual
    ) {
      self.folder = folder
      self.recipients = recipients
      self.days = days
      self.rotation = rotation
    }

    package var json: JSON {
      [
        "folder": .string(folder), "recipients": JSON(recipients.map(\.description)),
        "days": JSON(days), "daily": JSON(rotation.daily), "weekly": JSON(rotation.weekly),
        "monthly": JSON(rotation.monthly),
      ]
    }

    init?(_ json: JSON) {
      let texts = json["recipients"]?.array ?? []
      let keys = texts.compactMap(\.string).compactMap { try? AgeRecipient($0) }
      // Without one of its keys, a backup couldn't be opened by whoever has only that key.
      guard let folder = json["folder"]?.string, !keys.isEmpty, keys.count == texts.count,
        let days = json["days"]?.int, days > 0
      else { return nil }
      let usual = BackupRotation.usual
      self.init(
        folder: folder, recipients: keys, days: days,
        rotation: BackupRotation(
          daily: json["daily"]?.int ?? usual.daily, weekly: json["weekly"]?.int ?? usual.weekly,
          monthly: json["monthly"]?.int ?? usual.monthly))
    }
  }

  /// A backup that was made and verified.
  package struct Entry: Hashable, Sendable {
    package var path: String
    package var madeAt: Instant
    package var bytes: Int
    /// SHA-256 of the file, in lower-case hexadecimal.
    package var hash: String
    package var entries: Int
    package var isEncrypted: Bool
    /// True if the plan made it and deletes it when newer ones replace it.
    package var isRotated: Bool
    /// The number of attached files that were missing from the archive when the backup was made.
    package var missing = 0
    /// The number of attached files in it; nil in a backup made by an earlier version.
    package var files: Int?
    /// The number of lines in it that come and go although nothing is lost; nil in a backup made by
    /// an earlier version.
    var passing: Int?
    /// The archive it was made from, and that archive's newest change; nil in a backup made by an
    /// earlier version.
    package var archive: UUID?
    package var change: Int?
    /// Descriptions of everything that the previous backup had and this one lacks; empty if nothing
    /// is missing or the owner accepted the loss.
    package var losses: [String] = []

    package var json: JSON {
      var object: JSONObject = [
        "path": .string(path), "madeAt": JSON(madeAt), "bytes": JSON(bytes),
        "sha256": .string(hash), "entries": JSON(entries), "isEncrypted": .bool(isEncrypted),
        "isRotated": .bool(isRotated), "missingCount": JSON(missing), "losses": JSON(losses),
      ]
      if let files { object["fileCount"] = JSON(files) }
      if let passing { object["passingCount"] = JSON(passing) }
      if let archive { object["archive"] = .string(archive.identityText) }
      if let change { object["newestChange"] = JSON(change) }
      return .object(object)
    }

    /// The folder that the file is or was in.
    var folder: String {
      URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
    }

    /// True if there is a file of that name, even an altered one.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// True if the file was removed.
    ///
    /// If its folder is missing too, it may be on a disk that is not attached.
    package var isGone: Bool {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      return !FileManager.default.fileExists(atPath: path)
        && FileManager.default.fileExists(atPath: folder)
    }

    /// Returns true if the backup is dated in the future because the clock was or is wrong.
    ///
    /// A difference of up to a day is tolerated.
    func isAhead(of now: Instant) -> Bool { madeAt > now.adding(seconds: 86_400) }

    /// True if the file still exists with its original size.
    package var isThere: Bool {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? NSNumber)?.intValue == bytes
        && attributes?[.type] as? FileAttributeType == .typeRegular
    }

    init?(_ json: JSON) {
      guard let path = json["path"]?.string, let bytes = json["bytes"]?.int,
        let madeAt = json["madeAt"]?.string.flatMap({ Instant($0) })
      else { return nil }
      self.init(
        path: path, madeAt: madeAt, bytes: bytes, hash: json["sha256"]?.string ?? "",
        entries: json["entries"]?.int ?? 0,
        isEncrypted: json["isEncrypted"]?.bool ?? false,
        isRotated: json["isRotated"]?.bool ?? false, missing: json["missingCount"]?.int ?? 0)
      files = json["fileCount"]?.int
      passing = json["passingCount"]?.int
      archive = json["archive"]?.string.flatMap(UUID.init(uuidString:))
      change = json["newestChange"]?.int
      losses = (json["losses"]?.array ?? []).compactMap(\.string)
    }

    /// Returns true if the file's content still matches the checksum verified when it was made.
    package func isUnaltered() throws -> Bool {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      var sum = SHA256()
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        sum.update(data: piece)
      }
      return sum.finalize().hexadecimal == hash
    }

    init(
      path: String, madeAt: Instant, bytes: Int, hash: String, entries: Int, isEncrypted: Bool,
      isRotated: Bool, missing: Int
    ) {
      self.path = path
      self.madeAt = madeAt
      self.bytes = bytes
      self.hash = hash
      self.entries = entries
      self.isEncrypted = isEncrypted
      self.isRotated = isRotated
      self.missing = missing
    }
  }

  /// A test of a backup: it was restored to a temporary location and checked.
  package struct Trial: Hashable, Sendable {
    package var path: String
    package var at: Instant
    /// The size of the file at that time, in bytes.
    package var bytes: Int
    /// Descriptions of everything wrong; empty if the backup can be restored completely.
    package var problems: [String]

    init(path: String, at: Instant, bytes: Int, problems: [String]) {
      self.path = path
      self.at = at
      self.bytes = bytes
      self.problems = problems
    }

    var json: JSON {
      [
        "path": .string(path), "at": JSON(at), "bytes": JSON(bytes), "problems": JSON(problems),
      ]
    }

    init?(_ json: JSON) {
      guard let path = json["path"]?.string, let bytes = json["bytes"]?.int,
        let at = json["at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      self.init(
        path: path, at: at, bytes: bytes,
        problems: (json["problems"]?.array ?? []).compactMap(\.string))
    }
  }

  package var plan: Plan?
  /// The tests of backups, newest first, at most one for each file.
  package var trials: [Trial] = []
  /// The backups, newest first.
  package var entries: [Entry] = []
  /// The reason the plan's last backup failed; nil if it succeeded.
  package var problem: String?

  /// True if the list exists but can't be read.
  package private(set) var isUnreadable = false

  private static let entryLimit = 500

  /// Reads the backup list of an archive, or creates an empty one if there is none.
  package init(of archive: Archive) {
    self.init(in: archive.databaseFile?.deletingLastPathComponent())
  }

  /// Reads the backup list in an archive's folder, even if the archive cannot be opened.
  package init(in folder: URL?) {
    guard let file = folder.map({ Self.file(in: $0) }) else { return }
    do {
      try read(file)
    } catch {
      isUnreadable = true
    }
  }

  private init(reading file: URL) throws { try read(file) }

  /// Reads a backup list; one that doesn't exist is empty.
  ///
  /// - Throws: `ArchiveError.refused` if it exists but can't be read completely, so nobody replaces
  ///   it with an empty one.
  private mutating func read(_ file: URL) throws {
    guard let json = try SettingsFile.read(file) else { return }
    let wanted = json["plan"] ?? .null
    guard wanted == .null || Plan(wanted) != nil else { throw SettingsFile.unreadable(file) }
    plan = json["plan"].flatMap { Plan($0) }
    entries = (json["backups"]?.array ?? []).compactMap { Entry($0) }
    problem = json["problem"]?.string
    trials = (json["tests"]?.array ?? []).compactMap { Trial($0) }
  }

  private static func file(in folder: URL) -> URL {
    folder.appendingPathComponent("backup.json")
  }

  /// Sets where and how often backups are made; values that are nil stay unchanged.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - folder: the folder for backups; may contain `~`. It is created if it is missing.
  ///   - recipients: public keys that backups are encrypted for; empty to keep those of the plan.
  ///   - days: the number of days between backups.
  ///   - daily: the number of daily backups to keep.
  ///   - weekly: the number of weekly backups to keep.
  ///   - monthly: the number of monthly backups to keep.
  /// - Returns: the new plan.
  /// - Throws: `BackupPlanMissing` if there is no plan yet and a folder or a key is missing, or an
  ///   error of the file system if the folder can't be created.
  @discardableResult
  package static func plan(
    of archive: Archive, folder: String? = nil, recipients: [AgeRecipient] = [], days: Int? = nil,
    daily: Int? = nil, weekly: Int? = nil, monthly: Int? = nil
  ) throws -> BackupBook {
    let old = BackupBook(of: archive).plan
    guard let place = folder ?? old?.folder,
      let keys = recipients.isEmpty ? old?.recipients : recipients
    else { throw BackupPlanMissing() }
    let url = URL(fileURLWithPath: HomeFolder.expandingTilde(place), isDirectory: true)
      .standardizedFileURL
    if folder != nil { try DurableFile.makeFolder(url) }
    let rotation = old?.rotation ?? .usual
    let plan = Plan(
      folder: url.path, recipients: keys, days: days ?? old?.days ?? 1,
      rotation: BackupRotation(
        daily: daily ?? rotation.daily, weekly: weekly ?? rotation.weekly,
        monthly: monthly ?? rotation.monthly))
    return try change(of: archive) { book in
      book.plan = plan
      book.problem = nil
      guard folder != nil else { return }
      // Choosing the folder again says that the backups that were in it are gone for good.
      book.entries.removeAll { $0.isRotated && $0.isGone && $0.folder == url.path }
    }
  }

  /// Stops automatic backups; existing backups are kept.
  @discardableResult
  package static func removePlan(of archive: Archive) throws -> BackupBook {
    try change(of: archive) {
      $0.plan = nil
      $0.problem = nil
    }
  }

  /// Changes the backup list.
  ///
  /// Changes from two programs at once are applied one after the other.
  ///
  /// - Throws: `ArchiveError.refused` for an archive in memory.
  @discardableResult
  package static func change(
    of archive: Archive, _ edit: (inout BackupBook) throws -> Void
  ) throws -> BackupBook {
    guard
      let file = archive.databaseFile.map({
        Self.file(in: $0.deletingLastPathComponent())
      })
    else {
      throw ArchiveError.refused("An archive in memory has no list of backups.")
    }
    let lock = try FileLock(
      at: file.deletingLastPathComponent().appendingPathComponent("backup.lock"), waits: 10,
      else: "Another program is changing the list of backups. Try again.")
    defer { lock.release() }
    var book = try BackupBook(reading: file)
    try edit(&book)
    var json: JSONObject = [
      "backups": .array(book.entries.prefix(entryLimit).map(\.json)), "problem": JSON(book.problem),
    ]
    if let plan = book.plan { json["plan"] = plan.json }
    if !book.trials.isEmpty {
      json["tests"] = .array(book.trials.prefix(entryLimit).map(\.json))
    }
    try DurableFile.write(Data(JSON.object(json).bytes(indented: true) + [0x0A]), to: file)
    return book
  }

  /// Adds a backup to the list.
  package mutating func note(_ account: BackupJob.Account, isRotated: Bool) {
    let entry = Entry(account, isRotated: isRotated)
    entries.removeAll { $0.path == entry.path }
    entries.insert(entry, at: 0)
    entries.sort { $0.madeAt > $1.madeAt }
    if isRotated { problem = nil }
  }

  /// Adds a test, which replaces an earlier one of the same file.
  package mutating func note(_ trial: Trial) {
    trials.removeAll { $0.path == trial.path }
    trials.insert(trial, at: 0)
  }

  /// Returns the last test of a file that still has the same size.
  package func trial(of path: String, bytes: Int) -> Trial? {
    trials.first { $0.path == path && $0.bytes == bytes }
  }

  /// Returns true if the last test of a backup found problems.
  func hasFailed(_ entry: Entry) -> Bool {
    trial(of: entry.path, bytes: entry.bytes)?.problems.isEmpty == false
  }

  /// Accepts the losses of all backups, so rotation continues.
  ///
  /// - Returns: the number of backups that lacked something.
  package mutating func acceptLosses() -> Int {
    let count = entries.count { !$0.losses.isEmpty }
    for index in entries.indices { entries[index].losses = [] }
    return count
  }

  /// Returns the newest backup that is not known to lack anything.
  package func lastWhole(now: Instant) -> Entry? { newest(now) { $0.losses.isEmpty } }

  /// Returns the backup to restore if the archive is lost: the newest one that lacks nothing and
  /// hasn't failed a test, or else the one that comes closest to that.
  package func lastRestorable(now: Instant) -> Entry? {
    newest(now) { $0.losses.isEmpty && !hasFailed($0) } ?? newest(now) { !hasFailed($0) }
      ?? lastWhole(now: now) ?? last(now: now)
  }

  /// Returns the newest backup if it lacks something that the previous one had.
  package func lossy(now: Instant) -> Entry? {
    last(now: now).flatMap { $0.losses.isEmpty ? nil : $0 }
  }

  /// Returns the backups that may contain data created at an instant, including those on disks that
  /// are not attached.
  ///
  /// Returns all backups if the instant is unknown.
  package func entries(since first: Instant?) -> [Entry] {
    entries.filter { !$0.isGone && $0.madeAt >= (first ?? .earliest) }
  }

  /// Returns the newest backup whose file still exists.
  package func last(now: Instant) -> Entry? { newest(now) { _ in true } }

  /// Returns the newest existing backup of some kind.
  ///
  /// A backup that a wrong clock dated in the future would stay the newest for years, so it is used
  /// only as a last resort.
  private func newest(_ now: Instant, where isWanted: (Entry) -> Bool) -> Entry? {
    entries.first { !$0.isAhead(of: now) && isWanted($0) && $0.isThere }
      ?? entries.first { isWanted($0) && $0.isThere }
  }
}

/// A plan for automatic backups needs a folder and a public key.
package struct BackupPlanMissing: Error {}
