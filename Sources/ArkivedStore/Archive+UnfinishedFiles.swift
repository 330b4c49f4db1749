import ArkivedCore
import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Temporary files of programs that were stopped.
extension Archive {
  /// The name of the check in `doctor`.
  package static let unfinishedCheck = "unfinished files"
  /// The folder next to the database into which a check of the inbox copies files, and its lock.
  package static let inboxWorkName = "inbox-work"
  package static let inboxLockName = "inbox-round.lock"

  /// The age in seconds beyond which no running program uses a file.
  private static let unfinishedAge = 86_400.0

  /// Returns the temporary files in the archive's folder, in the order of their paths.
  package func unfinishedFiles() -> [UnfinishedFile] {
    guard case .folder(let folder) = location else { return [] }
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    var found: [UnfinishedFile] = []
    var places: [String: Int] = [:]
    // A folder comes before its contents.
    for path in paths.sorted() {
      let place = Self.folders(above: path).compactMap { places[$0] }.first
      let kind = UnfinishedFile.Kind(path: path)
      guard place != nil || kind != nil,
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: folder.appendingPathComponent(path).path)
      else { continue }
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      let bytes = isFile ? (attributes[.size] as? NSNumber)?.intValue ?? 0 : 0
      let changed = attributes[.modificationDate] as? Date ?? .distantPast
      if let place {
        found[place].bytes += bytes
        found[place].changed = max(found[place].changed, changed)
      } else if let kind {
        places[path] = found.count
        found.append(UnfinishedFile(path: path, bytes: bytes, changed: changed, kind: kind))
      }
    }
    return found
  }

  /// Returns the folders above a path, from the top.
  private static func folders(above path: String) -> [String] {
    path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  private static func isOld(_ file: UnfinishedFile) -> Bool {
    Date().timeIntervalSince(file.changed) > unfinishedAge
  }

  /// Returns the check's findings about unfinished files.
  func unfinishedFindings() -> [Finding] {
    let files = unfinishedFiles()
    guard let first = files.first else { return [] }
    let bytes = files.reduce(0) { $0 + $1.bytes }
    let isLeft = files.contains { Self.isOld($0) }
    return [
      Finding(
        Self.unfinishedCheck, isLeft ? .advice : .good,
        files.count == 1
          ? "1 unfinished file (\(bytes) bytes): \(first.path)"
          : "\(files.count) unfinished files (\(bytes) bytes), such as \(first.path)",
        remedy: "A program was stopped or is still writing. arkived doctor --mend removes files "
          + "that are more than a day old.")
    ]
  }

  // MARK: Removing

  /// Removes temporary files that cannot be in use: older than a day and not locked.
  ///
  /// None is removed during an import, a restore or a merge.
  ///
  /// - Returns: the number of files removed.
  @discardableResult
  package func removeUnfinishedFiles() throws -> Int {
    guard let home = databaseFile?.deletingLastPathComponent(),
      let imports = try? FileLock(at: WaitingWriters.lockFile(in: home), waits: 0)
    else { return 0 }
    defer { imports.release() }
    return try removeUnfinishedFiles(in: home)
  }

  /// Removes temporary files; the caller must hold the import lock.
  @discardableResult
  func removeUnfinishedFiles(in home: URL) throws -> Int {
    guard let work = try? FileLock(at: home.appendingPathComponent(Self.workLockName), waits: 0)
    else { return 0 }
    defer { work.release() }
    var count = 0
    // A restore's lock alone shows that it was interrupted.
    for file in unfinishedFiles() where file.kind == .restore || Self.isOld(file) {
      if try remove(file, in: home) { count += 1 }
    }
    return count
  }

  /// Removes a file.
  ///
  /// - Returns: true if it was removed; false if it is in use.
  private func remove(_ file: UnfinishedFile, in home: URL) throws -> Bool {
    let url = home.appendingPathComponent(file.path)
    let lock: FileLock?
    switch file.kind {
    case .draft, .restore: lock = nil
    case .aside:
      if try giveBack(url) { return false }
      lock = nil
    case .imports: return Self.removeWork(url)
    case .inbox:
      guard let held = try? FileLock(at: home.appendingPathComponent(Self.inboxLockName), waits: 0)
      else { return false }
      lock = held
    case .vectors:
      let old = String(url.path.dropLast(".new".count))
      guard let held = try? FileLock(at: URL(fileURLWithPath: old + ".lock"), waits: 0)
      else { return false }
      lock = held
    }
    defer { lock?.release() }
    return (try? FileManager.default.removeItem(at: url)) != nil
  }

  /// Removes the files unpacked by an import, unless its process still holds the lock in their
  /// folder.
  private static func removeWork(_ folder: URL) -> Bool {
    let lock = folder.appendingPathComponent(".lock").path
    let descriptor = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    return (try? FileManager.default.removeItem(at: folder)) != nil
  }

  /// Restores the name of an attachment's file if something needs it, after its removal was
  /// interrupted.
  ///
  /// - Returns: true if its name was restored.
  private func giveBack(_ aside: URL) throws -> Bool {
    guard let content = try? Data(contentsOf: aside, options: .mappedIfSafe) else { return false }
    let hash = AttachmentFileName.hash(of: content)
    for attachment in try attachments(includingHidden: true) + oldAttachments()
    where attachment.contentHash == hash {
      guard let file = file(of: attachment),
        file.deletingLastPathComponent().path == aside.deletingLastPathComponent().path,
        !FileManager.default.fileExists(atPath: file.path)
      else { continue }
      guard rename(aside.path, file.path) == 0 else { throw POSIXFailure(path: file.path) }
      try DurableFile.toleratingUnflushable {
        try DurableFile.synchronise(file.deletingLastPathComponent())
      }
      return true
    }
    return false
  }
}
