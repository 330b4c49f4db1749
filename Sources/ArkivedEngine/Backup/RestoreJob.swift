package import ArkivedBackup
package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// Puts a backup into an archive's place. What is in the backup is checked whole and made into an
/// archive of its own first; the present one is not touched before `PreparedRestore.apply`.
package struct RestoreJob {
  package let archive: Archive
  package let homeZone: Zone
  package let watch: ImportWatch
  /// The folder of an archive whose database is missing; `archive` is an empty one in memory then.
  let lostHome: URL?

  package init(archive: Archive, homeZone: Zone, watch: ImportWatch = ImportWatch()) {
    self.init(archive: archive, homeZone: homeZone, watch: watch, lostHome: nil)
  }

  /// A restore into the folder of an archive whose database is missing or empty. A new database is made
  /// there only when the owner has said yes.
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

  /// Checks a backup, or a snapshot of the database, and makes an archive of it.
  ///
  /// - Throws: `AgeFailure`, `BackupFailure`, `CocoaError` where the file cannot be read.
  package func prepare(_ file: URL, unlocks: [AgeUnlock]) throws -> PreparedRestore {
    let work = try workFolder()
    return try isDatabase(file) ? snapshot(file, work) : backup(file, unlocks, work)
  }

  // MARK: Where it is prepared

  /// A folder beside the archive, on the same disk, which is gone when it is over.
  final class WorkFolder {
    let url: URL
    private var lock: FileLock?

    init(url: URL, lock: FileLock) {
      self.url = url
      self.lock = lock
    }

    deinit { remove() }

    /// Removes the folder and lets the next one begin; does nothing the second time.
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
      else: "A backup is being restored, or another archive merged. Nothing was changed. Try "
        + "again when that’s done."
    )
    for name in try FileManager.default.contentsOfDirectory(atPath: home.path)
    where name.hasPrefix(Archive.workPrefix) {
      // What one left that was killed; whoever works holds the lock.
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
    try FileManager.default.copyItem(at: file, to: home.appendingPathComponent("archive.sqlite"))
    let candidate = try candidate(in: work, .examined)
    let findings = try candidate.examine(readsFiles: false)
    if let problem = findings.first(where: { $0.check == "integrity" && $0.verdict == .problem }) {
      throw BackupFailure.damaged(problem.detail)
    }
    return try prepared(candidate, work, name: file.lastPathComponent, manifest: nil)
  }

  // MARK: A backup

  private func backup(
    _ file: URL, _ unlocks: [AgeUnlock], _ work: WorkFolder
  ) throws -> PreparedRestore {
    let reader = try BackupReader(file, unlocks: unlocks)
    let manifest = reader.manifest
    try checkRoom(for: manifest)
    watch.begin([manifest.bytes, manifest.bytes])
    // Named for the account of the import that the new archive has.
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
    // The attached files are there already.
    let candidate = try candidate(in: work, .making)
    if manifest.entries > 0 { try take(lines, into: candidate, file.lastPathComponent) }
    try takeSettings(settings, into: candidate)
    return try prepared(candidate, work, name: file.lastPathComponent, manifest: manifest)
  }

  /// - Throws: `ArchiveError.refused` where the disk has no room for what a backup holds.
  func checkRoom(for manifest: BackupManifest) throws {
    guard let home else { return }
    let system = try? FileManager.default.attributesOfFileSystem(forPath: home.path)
    guard let free = (system?[.systemFreeSize] as? NSNumber)?.intValue else { return }
    // The lines are there twice for a while, as text and as a database.
    let lines = manifest.members.filter { MemberName.isLines($0.path) }.reduce(0) { $0 + $1.bytes }
    let needed = manifest.bytes + 3 * lines
    guard needed < free else {
      throw ArchiveError.refused(
        "Not enough space to unpack: needs about \(needed / 1_000_000) MB, \(free / 1_000_000) MB "
          + "free at \(home.path). Nothing was changed. Free up space and try again.")
    }
  }

  /// Reads and compares all of a backup, and puts files where `place` says.
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

  private func take(_ lines: URL, into candidate: Archive, _ name: String) throws {
    let runs: [ImportRun]
    do {
      var job = ImportJob(
        archive: candidate, homeZone: homeZone, importers: [JSONLinesImporter()], watch: watch)
      // A restore may be wanted on any machine; a larger one would save a twentieth of the time.
      job.cacheMegabytes = 48
      runs = try job.run(lines, named: name)
    } catch is ImportCancelled {
      throw BackupCancelled()
    }
    guard let run = runs.first(where: { $0.skipped > 0 }) else { return }
    // That the folder of files is a link is no trouble: it is made so above.
    let first = run.warnings.first { $0.place != "attachments" }
    throw BackupFailure.damaged(
      "\(run.skipped) of its lines can’t be read (\(first?.place ?? ""): \(first?.message ?? ""))")
  }

  private func takeSettings(_ file: URL, into candidate: Archive) throws {
    guard let data = try? Data(contentsOf: file), let json = try? JSON(parsing: data) else {
      return
    }
    try candidate.updatePreferences { $0 = Preferences(json) }
  }

  private func prepared(
    _ candidate: Archive, _ work: WorkFolder, name: String, manifest: BackupManifest?
  ) throws -> PreparedRestore {
    PreparedRestore(
      archive: archive, candidate: candidate, work: work, name: name, manifest: manifest,
      differences: try ArchiveDifference.between(archive, candidate), lostHome: lostHome)
  }
}

/// A backup that was checked and waits for its owner's yes.
package final class PreparedRestore {
  /// What a restore left.
  package struct Outcome: Sendable {
    /// The database as it was before; nil where there was nothing.
    package var safetyCopy: URL?
  }

  /// The file's name.
  package let name: String
  /// nil for a snapshot of the database.
  package let manifest: BackupManifest?
  package let differences: [ArchiveDifference]
  /// What the backup is as an archive of its own.
  let candidate: Archive
  private let archive: Archive
  private let work: RestoreJob.WorkFolder
  private let lostHome: URL?

  init(
    archive: Archive, candidate: Archive, work: RestoreJob.WorkFolder, name: String,
    manifest: BackupManifest?, differences: [ArchiveDifference], lostHome: URL?
  ) {
    self.lostHome = lostHome
    self.archive = archive
    self.candidate = candidate
    self.work = work
    self.name = name
    self.manifest = manifest
    self.differences = differences
  }

  /// Whether the archive holds anything now.
  package var replacesSomething: Bool { differences.contains { $0.here > 0 } }

  /// Lines that the backup counts and the archive made of it has not, in words.
  package var shortfalls: [String] {
    let counts = Dictionary(uniqueKeysWithValues: differences.map { ($0.type, $0.there) })
    return (manifest?.counts ?? [:]).sorted { $0.key < $1.key }.compactMap { type, count in
      let found = counts[type] ?? 0
      return found < count ? "\(type): only \(found) of \(count) could be restored" : nil
    }
  }

  /// Makes the backup the archive's content: the files of attachments first, then a safety copy, then
  /// all entries in one step. Programs that run meanwhile see the one or the other, and wait with
  /// what they write from the safety copy on, so that it has everything that was ever acknowledged.
  package func apply() throws -> Outcome { try apply(adding: []) {} }

  /// - Parameters:
  ///   - links: linked places that come with the content.
  ///   - lastLook: is called before the safety copy, when nobody writes any more; where it throws, the
  ///     archive stays as it is.
  func apply(adding links: [SyncLink], lastLook: () throws -> Void) throws -> Outcome {
    let archive = try place()
    try archive.takeAttachments(of: candidate)
    var copy: URL?
    try archive.replaceContent(with: candidate, adding: links) {
      try lastLook()
      // What came in while its owner was asked is in no list of differences.
      if try !archive.isUntouched() {
        copy = try archive.writeSnapshot(label: "before-restore")
      }
    }
    try archive.noteReplacedContent()
    // The indexes were made of what was here before, and are made anew.
    if case .folder(let home) = archive.location {
      try? FileManager.default.removeItem(at: home.appendingPathComponent("index"))
    }
    work.remove()
    return Outcome(safetyCopy: copy)
  }

  /// The archive that takes the content: where the database is missing, a new one beside the files that
  /// are still there. What is left of the old one's log is kept aside.
  private func place() throws -> Archive {
    guard let lostHome else { return archive }
    _ = try Archive.setAsideLeftovers(in: lostHome, onlyDatabase: true, now: archive.clock.now)
    return try Archive(
      at: .folder(lostHome), clock: archive.clock, identities: archive.identities, opening: .making)
  }
}
