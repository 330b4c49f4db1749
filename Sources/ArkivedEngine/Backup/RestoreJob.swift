package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that replaces an archive with a backup.
///
/// The backup is fully checked and turned into a separate archive first; the current archive is not
/// touched until `PreparedRestore.apply`.
package struct RestoreJob {
  package let archive: Archive
  package let homeZone: Zone
  package let watch: ImportWatch
  /// The folder of an archive whose database is missing; in this case `archive` is an empty archive
  /// in memory.
  let lostHome: URL?

  package init(archive: Archive, homeZone: Zone, watch: ImportWatch = ImportWatch()) {
    self.init(archive: archive, homeZone: homeZone, watch: watch, lostHome: nil)
  }

  /// Creates a restore into the folder of an archive whose database is missing or empty.
  ///
  /// A new database is created there only after the owner has confirmed.
  package init(
    intoLost home: URL, clock: any ArchiveClock, homeZone: Zone, watch: ImportWatch = ImportWatch()
  ) throws {
    self.init(
      archive: try Archive(at: .memory, clock: clock), homeZone: homeZone, watch: watch,
      lostHome: home)
  }

  private init(archive: Archive, homeZone: Zone, watch: ImportWatch, lostHome: URL?) {
    self.archive = archive
    self.homeZone = homeZone
    self.watch = watch
    self.lostHome = lostHome
  }

  private var home: URL? {
    if let lostHome { return lostHome }
    guard case .folder(let folder) = archive.location else { return nil }
    return folder
  }

  /// Checks a backup or a snapshot of the database, and makes an archive from it.
  ///
  /// - Throws: `AgeFailure`, `BackupFailure`, `CocoaError` if the file cannot be read.
  package func prepare(_ file: URL, unlocks: [AgeUnlock]) throws -> PreparedRestore {
    let work = try workFolder()
    return try isDatabase(file) ? snapshot(file, work) : backup(file, unlocks, work)
  }

  // MARK: Work folder

  /// A temporary folder next to the archive, on the same disk, that is removed when the work ends.
  final class WorkFolder {
    let url: URL
    private var lock: FileLock?

    init(url: URL, lock: FileLock) {
      self.url = url
      self.lock = lock
    }

    deinit { remove() }

    /// Removes the folder and releases its lock; a second call does nothing.
    func remove() {
      guard lock != nil else { return }
      try? FileManager.default.removeItem(at: url)
      lock = nil
    }
  }

  func workFolder() throws -> WorkFolder {
    guard let home else {
      throw ArchiveError.refused(
        "A backup can’t be restored into an archive in memory. Choose a folder for the archive.")
    }
    let lock = try FileLock(
      at: home.appendingPathComponent(Archive.workLockName), waits: 0,
      else: "A backup is being restored, or another archive is being merged. Nothing was "
        + "changed. Try again when that’s done."
    )
    for name in try FileManager.default.contentsOfDirectory(atPath: home.path)
    where name.hasPrefix(Archive.workPrefix) {
      // Removes the remains of a killed process; a running process would hold the lock.
      try? FileManager.default.removeItem(at: home.appendingPathComponent(name))
    }
    let url = home.appendingPathComponent(Archive.workPrefix + UUID().uuidString)
    try DurableFile.makeFolder(url)
    return WorkFolder(url: url, lock: lock)
  }

  private func candidate(in work: WorkFolder, _ opening: ArchiveOpening) throws -> Archive {
    try Archive(
      at: .folder(work.url.appendingPathComponent("archive")), clock: archive.clock,
      identities: archive.identities, opening: opening)
  }

  // MARK: A snapshot

  private func isDatabase(_ file: URL) throws -> Bool {
    _ = try PlainFile(file)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    return try handle.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
  }

  private func snapshot(_ file: URL, _ work: WorkFolder) throws -> PreparedRestore {
    let home = work.url.appendingPathComponent("archive")
    try DurableFile.makeFolder(home)
    let copy = home.appendingPathComponent("archive.sqlite")
    // A snapshot's files are those of the archive that it is a copy of.
    if let own = self.home?.appendingPathComponent("attachments"),
      FileManager.default.fileExists(atPath: own.path)
    {
      try FileManager.default.createSymbolicLink(
        at: home.appendingPathComponent("attachments"), withDestinationURL: own)
    }
    // With the entries that are still in its log, and never the file itself through a link.
    try Self.copyDatabase(file.resolvingSymlinksInPath(), as: copy)
    let candidate = try candidate(in: work, .examined)
    let findings = try candidate.examine(readsFiles: false)
    if let problem = findings.first(where: { $0.check == "integrity" && $0.verdict == .problem }) {
      throw BackupFailure.damaged(problem.detail)
    }
    return try prepared(candidate, work, name: file.lastPathComponent, manifest: nil)
  }

  private static func copyDatabase(_ file: URL, as copy: URL) throws {
    // SQLite creates no file of this name.
    try DurableFile.makeEmpty(copy)
    do {
      try ForeignDatabase.copy(file, as: copy)
    } catch ForeignDatabaseError.damaged(let reason) {
      throw BackupFailure.damaged(reason)
    } catch let error as ForeignDatabaseError {
      throw ArchiveError.refused("\(file.path) can’t be read: \(error.description).")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
  }

  // MARK: A backup

  private func backup(
    _ file: URL, _ unlocks: [AgeUnlock], _ work: WorkFolder
  ) throws -> PreparedRestore {
    let reader = try Self.open(file, unlocks)
    let manifest = reader.manifest
    try checkRoom(for: manifest)
    watch.begin([manifest.bytes, manifest.bytes])
    // The name becomes the account of the import in the new archive.
    let lines = work.url.appendingPathComponent("backup of \(manifest.madeAt)")
    let home = work.url.appendingPathComponent("archive")
    let settings = work.url.appendingPathComponent(MemberName.settings)
    let attachments = home.appendingPathComponent("attachments")
    for folder in [lines, home, attachments] { try DurableFile.makeFolder(folder) }
    try FileManager.default.createSymbolicLink(
      at: lines.appendingPathComponent("attachments"), withDestinationURL: attachments)
    try unpack(reader) { path in
      if MemberName.isAttachment(path) { return home.appendingPathComponent(path) }
      if path == MemberName.settings { return settings }
      return MemberName.isLines(path) ? lines.appendingPathComponent(path) : nil
    }
    watch.finishFile()
    // The attached files are already in place.
    let candidate = try candidate(in: work, .making)
    let unknown =
      manifest.entries > 0 ? try take(lines, into: candidate, file.lastPathComponent) : nil
    try takeSettings(settings, into: candidate)
    return try prepared(
      candidate, work, name: file.lastPathComponent, manifest: manifest, unknown: unknown)
  }

  /// Opens a backup whose lines this version can read.
  ///
  /// - Throws: `AgeFailure`, `BackupFailure`, `CocoaError` if the file cannot be read.
  static func open(_ file: URL, _ unlocks: [AgeUnlock]) throws -> BackupReader {
    let reader = try BackupReader(file, unlocks: unlocks)
    guard reader.manifest.lines <= JSONLinesImporter.version else {
      throw BackupFailure.newer(reader.manifest.lines)
    }
    return reader
  }

  /// Throws if the disk has no space for a backup's content.
  ///
  /// - Throws: `ArchiveError.refused` with the space that is needed.
  func checkRoom(for manifest: BackupManifest) throws {
    guard let home else { return }
    let system = try? FileManager.default.attributesOfFileSystem(forPath: home.path)
    guard let free = (system?[.systemFreeSize] as? NSNumber)?.intValue else { return }
    // For a while, the lines exist twice, as text and as a database.
    let lines = manifest.members.filter { MemberName.isLines($0.path) }.reduce(0) { $0 + $1.bytes }
    let needed = manifest.bytes + 3 * lines
    guard needed < free else {
      throw ArchiveError.refused(
        "Not enough space to unpack: needs about \(needed / 1_000_000) MB, \(free / 1_000_000) MB "
          + "free at \(home.path). Nothing was changed. Free up space and try again.")
    }
  }

  /// Reads and verifies a whole backup, and puts each file at the location that `place` returns.
  func unpack(_ reader: BackupReader, place: (String) -> URL?) throws {
    try reader.unpack(progress: { done in
      watch.reach(done)
      guard !watch.isToStop() else { throw BackupCancelled() }
    }) { member in
      guard let target = place(member.path) else { return nil }
      if MemberName.isAttachment(member.path) {
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
      }
      return target
    }
  }

  /// Imports the lines.
  ///
  /// - Returns: a field that this version doesn't know; nil if there is none.
  private func take(_ lines: URL, into candidate: Archive, _ name: String) throws -> String? {
    let runs: [ImportRun]
    do {
      var job = ImportJob(
        archive: candidate, homeZone: homeZone, importers: [JSONLinesImporter()], watch: watch)
      // A restore must work on any machine, and a larger cache would save only a twentieth of the
      // time.
      job.cacheMegabytes = 48
      runs = try job.run(lines, named: name)
    } catch is ImportCancelled {
      throw BackupCancelled()
    }
    guard let run = runs.first(where: { $0.skipped > 0 }) else {
      let place = runs.flatMap(\.warnings)
        .first { $0.message == JSONLinesImporter.unknownField }?.place
      // Such as `04-activity.jsonl:1 field “name”`.
      return place.map { place in
        place.range(of: " field ").map { String(place[$0.upperBound...]) } ?? place
      }
    }
    // The folder of files is a link on purpose (created above), so a warning about it is expected.
    let first = run.warnings.first { $0.place != "attachments" }
    throw BackupFailure.damaged(
      "\(run.skipped) of its lines can’t be read (\(first?.place ?? ""): \(first?.message ?? ""))")
  }

  private func takeSettings(_ file: URL, into candidate: Archive) throws {
    guard let data = try? Data(contentsOf: file), let json = try? JSON(parsing: data) else {
      return
    }
    try candidate.updatePreferences { $0 = Preferences(json) }
    if let writing = json["writing"] {
      try candidate.setWritingSettings(WritingSettings(writing))
    }
    if let kept = json["kept"] {
      var own = JSONObject()
      for name in BackupJob.keptSettings { own[name] = kept[name] }
      try candidate.takePortableSettings(.object(own))
    }
  }

  private func prepared(
    _ candidate: Archive, _ work: WorkFolder, name: String, manifest: BackupManifest?,
    unknown: String? = nil
  ) throws -> PreparedRestore {
    PreparedRestore(
      archive: archive, candidate: candidate, work: work, name: name, manifest: manifest,
      differences: try ArchiveDifference.between(archive, candidate), unknown: unknown,
      lostHome: lostHome)
  }
}

/// A checked backup that waits for its owner's confirmation.
package final class PreparedRestore {
  /// The result of a restore.
  package struct Outcome: Sendable {
    /// The previous database file; nil if there was none.
    package var safetyCopy: URL?
    /// True if the archive was synced with other devices, which it isn't any more.
    package var endedSync = false
  }

  /// The file's name.
  package let name: String
  /// The backup's manifest; nil for a snapshot of the database.
  package let manifest: BackupManifest?
  package let differences: [ArchiveDifference]
  /// The archive made from the backup.
  let candidate: Archive
  let archive: Archive
  private let work: RestoreJob.WorkFolder
  /// A field of the backup's lines that this version doesn't know.
  private let unknown: String?
  private let lostHome: URL?

  init(
    archive: Archive, candidate: Archive, work: RestoreJob.WorkFolder, name: String,
    manifest: BackupManifest?, differences: [ArchiveDifference], unknown: String?, lostHome: URL?
  ) {
    self.unknown = unknown
    self.lostHome = lostHome
    self.archive = archive
    self.candidate = candidate
    self.work = work
    self.name = name
    self.manifest = manifest
    self.differences = differences
  }

  /// Removes everything that was prepared; other restores can begin.
  package func remove() { work.remove() }

  /// True if the current archive contains anything.
  package var replacesSomething: Bool { differences.contains { $0.here > 0 } }

  /// Descriptions of what is in the backup but not in the archive made from it.
  package var shortfalls: [String] {
    let counts = Dictionary(uniqueKeysWithValues: differences.map { ($0.type, $0.there) })
    var lines = (manifest?.counts ?? [:]).sorted { $0.key < $1.key }.compactMap { type, count in
      let found = counts[type] ?? 0
      return found < count ? "\(type): only \(found) of \(count) could be restored" : nil
    }
    if let unknown {
      lines.append(
        "Some fields can’t be restored by this version, such as \(unknown). Update Arkived first.")
    }
    return lines
  }

  /// Returns the paths of the attached files that are neither in the backup nor, for a snapshot, in
  /// the archive's folder.
  package func missing() throws -> [String] {
    if let manifest { return manifest.missing }
    let lost = try candidate.attachments(includingHidden: true).filter { attachment in
      guard let file = candidate.file(of: attachment) else { return false }
      return !FileManager.default.fileExists(atPath: file.path)
    }
    return Set(lost.compactMap(\.relativePath)).sorted()
  }

  /// Makes the backup the archive's content: first the attachments' files, then a safety copy, then
  /// all entries in one step.
  ///
  /// Programs running in the meantime see either the old or the new content. Once the safety copy
  /// begins, their writes wait, so the copy contains every acknowledged write.
  package func apply() throws -> Outcome { try apply(adding: []) {} }

  /// Applies the backup with linked places and a last check.
  ///
  /// - Parameters:
  ///   - links: linked places from the backup.
  ///   - lastLook: called before the safety copy, when no other program can write any more; if it
  ///     throws,
  ///     the archive stays unchanged.
  /// - Returns: a summary of the restore.
  /// - Throws: what `lastLook` throws, and an error if the content can't be replaced.
  func apply(adding links: [SyncLink], lastLook: () throws -> Void) throws -> Outcome {
    let archive = try place()
    let wasSynced = try archive.replicaSettings() != nil
    // A purge must not remove files that nothing refers to yet.
    let lock = try archive.lockForReplacing()
    defer { lock?.release() }
    try archive.takeAttachments(of: candidate)
    var copy: URL?
    try archive.replaceContent(with: candidate, adding: links, holding: lock) {
      try lastLook()
      // Data added while the owner was being asked is in no list of differences.
      if try !archive.isUntouched() {
        copy = try archive.writeSnapshot(label: "before-restore")
      }
      // Before the content changes, so a process that is killed in between leaves no archive that
      // seems to have known its files for long.
      try archive.noteReplacedContent()
    }
    // The indexes belong to the old content and have to be rebuilt.
    if case .folder(let home) = archive.location {
      try? FileManager.default.removeItem(at: home.appendingPathComponent("index"))
    }
    work.remove()
    return Outcome(
      safetyCopy: copy, endedSync: try wasSynced && archive.replicaSettings() == nil)
  }

  /// Returns the archive that receives the content: if the database is missing, a new one next to
  /// the files that still exist.
  ///
  /// The remains of the old database's log are moved aside.
  private func place() throws -> Archive {
    guard let lostHome else { return archive }
    _ = try Archive.setAsideLeftovers(in: lostHome, onlyDatabase: true, now: archive.clock.now)
    return try Archive(
      at: .folder(lostHome), clock: archive.clock, identities: archive.identities, opening: .making)
  }
}
