package import ArkivedCore
package import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The way to open an archive.
package enum ArchiveOpening: Sendable {
  /// Opens the existing archive.
  ///
  /// A new one is created only if there is no trace of an earlier one.
  case usual
  /// Also creates a new database if other files of an archive exist without it.
  ///
  /// For restores and other work that begins with attachments.
  case making
  /// Like `usual`, but a copied database is not examined because the caller does that.
  case examined
}

/// The folder of an archive, examined without changing anything in it.
struct ArchiveFolder: Sendable {
  let url: URL

  var database: URL { url.appendingPathComponent(ArchiveFolder.databaseName) }
  var log: URL { beside("-wal") }
  var sharedMemory: URL { beside("-shm") }
  var lock: URL { url.appendingPathComponent("archive.lock") }

  static let databaseName = "archive.sqlite"

  /// Returns a file that SQLite keeps beside the database: beside the file itself if the database is
  /// a link.
  private func beside(_ ending: String) -> URL {
    let file = isLink ? database.resolvingSymlinksInPath() : database
    return URL(fileURLWithPath: file.path + ending)
  }

  /// The names that only a folder of an existing or former archive contains.
  private static let traces = [
    "\(databaseName)-wal", "\(databaseName)-shm", "\(databaseName)-journal",
    ArchiveIdentity.fileName, "archive.lock", "attachments", "snapshots", "index", "thumbnails",
    "backup.json", "backup.lock", "import.lock", "restore.lock", "owner-token", "server.lock",
  ]

  /// The database's file, if it exists and is not empty.
  var present: FileIdentity? {
    get throws {
      guard let found = FileIdentity(of: database.path) else { return nil }
      guard found.isRegular else {
        throw ArchiveError.cannotOpen(
          path: database.path, reason: "It isn’t a regular file. Move it elsewhere.")
      }
      return found.size > 0 ? found : nil
    }
  }

  /// The traces of an archive, by name.
  var leftovers: [String] {
    ArchiveFolder.traces.filter {
      var about = stat()
      return lstat(url.appendingPathComponent($0).path, &about) == 0
    } + (isLink ? [ArchiveFolder.databaseName] : [])
  }

  /// True if the database is a link; if it then seems to be missing, its disk isn't attached.
  private var isLink: Bool {
    var about = stat()
    return lstat(database.path, &about) == 0 && about.st_mode & S_IFMT == S_IFLNK
  }

  /// Finds the archive's database, and creates an empty one if there never was one.
  ///
  /// - Throws: `ArchiveError.missing` if there was an archive whose database is missing.
  func prepare(_ opening: ArchiveOpening) throws -> FileIdentity {
    if let present = try present { return present }
    try refuseIfMissing(opening)
    do {
      try DurableFile.makeFolder(url)
      try makePrivate()
    } catch let failure as POSIXFailure {
      throw ArchiveError.cannotOpen(
        path: url.path, reason: "\(failure). Choose another folder with --archive.")
    }
    return try ArchiveLock.withFolderLock(at: url) {
      // Another program may have created one, or begun to, in the meantime.
      if let present = try present { return present }
      try refuseIfMissing(opening)
      return try create()
    }
  }

  private func refuseIfMissing(_ opening: ArchiveOpening) throws {
    if case .making = opening { return }
    let leftovers = leftovers
    guard leftovers.isEmpty else {
      throw ArchiveError.missing(path: database.path, leftovers: leftovers)
    }
  }

  // MARK: Creation

  static let draftPrefix = ".new-archive-"

  /// Creates an empty archive's database under a temporary name, flushes it, and renames it to its
  /// own name: a program that is killed in between leaves nothing that looks like an archive.
  private func create() throws -> FileIdentity {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    where name.hasPrefix(ArchiveFolder.draftPrefix) {
      try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
    let draft = url.appendingPathComponent(ArchiveFolder.draftPrefix + UUID().uuidString)
    let identity: ArchiveIdentity
    do {
      // Created here, so other users can never access it or SQLite's files next to it.
      try DurableFile.makeEmpty(draft)
      guard let file = FileIdentity(of: draft.path) else { throw POSIXFailure(path: draft.path) }
      identity = ArchiveIdentity(
        archive: ArchiveIdentity.read(in: url)?.archive ?? UUID(), file: file.number,
        since: Instant(Date()))
      try build(draft, identity)
      try DurableFile.synchronise(draft)
      guard rename(draft.path, database.path) == 0 else { throw POSIXFailure(path: database.path) }
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft.path + suffix) }
      throw error
    }
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(url) }
    try identity.write(in: url)
    guard let present = try present else {
      throw ArchiveError.missing(path: database.path, leftovers: leftovers)
    }
    return present
  }

  /// Builds the database without flushing, because nothing has to reach the disk before it is
  /// complete.
  private func build(_ draft: URL, _ identity: ArchiveIdentity) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.label = "new archive"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = MEMORY")
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
    let queue = try DatabaseQueue(path: draft.path, configuration: configuration)
    try Migrations.all.migrate(queue)
    try queue.write { db in try identity.write(db) }
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
  }

  // MARK: Permissions

  /// Removes other users' permissions on the owner's folder if only the archive uses it.
  ///
  /// - Throws: `ArchiveError.cannotOpen` with the command to run if the folder contains other files
  ///   too.
  func makePrivate() throws {
    guard let folder = FileIdentity(of: url.path), folder.isFolder, folder.owner == geteuid(),
      folder.permissions & 0o077 != 0
    else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let own = Set(ArchiveFolder.traces + ArchiveFolder.ownNames)
    let isOurs = names.contains(ArchiveFolder.databaseName)
    if !isOurs, let other = names.first(where: { !own.contains($0) && !$0.hasPrefix(".") }) {
      throw ArchiveError.cannotOpen(
        path: url.path,
        reason: "other users of this computer have access to the folder, which also contains "
          + "other things (“\(other)”). Choose a separate folder with --archive, or run: chmod "
          + "700 \(Archive.shellQuoted(url.path))")
    }
    guard chmod(url.path, 0o700) == 0 else { throw POSIXFailure(path: url.path) }
  }

  /// The names that a folder may contain before there is an archive in it.
  private static let ownNames = ["models", "drafts", "places", "voice"]

  /// Restores the database's permissions on the log and its index, without which SQLite cannot open
  /// it.
  ///
  /// - Throws: `ArchiveError.cannotOpen` with the name of the file if it belongs to another user.
  func repairRights() throws {
    guard let database = FileIdentity(of: database.path) else { return }
    for file in [log, sharedMemory] {
      guard let found = FileIdentity(of: file.path), found.isRegular,
        found.permissions != database.permissions || found.owner != database.owner
      else { continue }
      if found.owner == geteuid(), found.owner == database.owner,
        chmod(file.path, mode_t(database.permissions)) == 0
      {
        continue
      }
      guard access(file.path, R_OK | W_OK) == 0 else {
        let (own, other) = (
          Archive.shellQuoted(self.database.path), Archive.shellQuoted(file.path)
        )
        throw ArchiveError.cannotOpen(
          path: self.database.path,
          reason:
            "\(file.path) must be readable and writable. Give it the same owner and permissions as "
            + "\(ArchiveFolder.databaseName): chown --reference=\(own) \(other) && "
            + "chmod --reference=\(own) \(other)")
      }
    }
  }
}

extension Archive {
  /// Moves the remains of a lost archive in a folder aside, so a new one can be created there.
  ///
  /// Nothing is deleted.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - onlyDatabase: leaves attachments, snapshots and the rest in place.
  ///   - now: the current time.
  /// - Returns: the folder that they were moved into; nil if there was nothing to move.
  /// - Throws: `ArchiveError.notEmpty` if the archive exists.
  package static func setAsideLeftovers(
    in folder: URL, onlyDatabase: Bool, now: Instant
  ) throws -> URL? {
    let folder = ArchiveFolder(url: folder)
    guard try folder.present == nil else {
      throw ArchiveError.notEmpty("There is already an archive at \(folder.url.path).")
    }
    let names =
      (folder.leftovers + [ArchiveFolder.databaseName]).filter {
        (!onlyDatabase || $0.hasPrefix(ArchiveFolder.databaseName)) && $0 != "archive.lock"
          && FileManager.default.fileExists(
            atPath: folder.url.appendingPathComponent($0).path)
      }
    guard !names.isEmpty else { return nil }
    return try ArchiveLock.withFolderLock(at: folder.url) {
      let stamp = now.description.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
      var target = folder.url.appendingPathComponent("set-aside-\(stamp)")
      var counter = 1
      while FileManager.default.fileExists(atPath: target.path) {
        counter += 1
        target = folder.url.appendingPathComponent("set-aside-\(stamp)-\(counter)")
      }
      try DurableFile.makeFolder(target)
      for name in Set(names).sorted() {
        let source = folder.url.appendingPathComponent(name)
        let place = target.appendingPathComponent(name)
        guard rename(source.path, place.path) == 0 else { throw POSIXFailure(path: source.path) }
      }
      for changed in [target, folder.url] {
        try DurableFile.toleratingUnflushable { try DurableFile.synchronise(changed) }
      }
      return target
    }
  }

  /// Returns true if a folder contains an archive's database.
  ///
  /// - Throws: `ArchiveError.missing` if there was one and its database is missing.
  package static func exists(in folder: URL) throws -> Bool {
    let folder = ArchiveFolder(url: folder)
    if try folder.present != nil { return true }
    let leftovers = folder.leftovers
    guard leftovers.isEmpty else {
      throw ArchiveError.missing(path: folder.database.path, leftovers: leftovers)
    }
    return false
  }
}
