import ArkivedCore
package import Foundation
import GRDB

/// A copy of the archive's folder as of one moment, for programs that copy or sync files.
extension Archive {
  /// The file that marks a folder as such a copy that has not been used as an archive since.
  private static let plainCopyName = "plain-copy.json"

  /// Makes a folder a copy of this archive, or updates an earlier copy.
  ///
  /// Attached files that the copy already has stay there.
  ///
  /// - Returns: the number of attached files copied.
  /// - Throws: `ArchiveError.refused` if the folder contains anything else, or has changed since
  ///   the last copy.
  package func writePlainCopy(to target: URL) throws -> Int {
    guard let home = databaseFile?.deletingLastPathComponent() else {
      throw ArchiveError.refused(
        "An archive in memory can’t be copied. Choose a folder for the archive.")
    }
    try Archive.refuseOverlap(of: target, with: home)
    let place = ArchiveFolder(url: target)
    try checkMayReplace(place)
    try DurableFile.makeFolder(target)
    try place.makePrivate()
    let lock = try FileLock(
      at: target.appendingPathComponent("copy.lock"), waits: 0,
      else: "Another program is copying into \(target.path). Try again when it’s done.")
    defer { lock.release() }
    for name in try FileManager.default.contentsOfDirectory(atPath: target.path)
    where name.hasPrefix(Archive.plainCopyDraft) {
      try? FileManager.default.removeItem(at: target.appendingPathComponent(name))
    }
    let draft = target.appendingPathComponent(Archive.plainCopyDraft + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: draft) }
    // An archive of an earlier version gets its identity when it is opened for writing.
    if try identity() == nil { try prepareToWrite() }
    try Snapshot.copy(to: draft, of: home) { try read($0) }
    let (count, unreadable) = try copyAttachments(to: target.appendingPathComponent("attachments"))
    guard rename(draft.path, place.database.path) == 0 else {
      throw POSIXFailure(path: place.database.path)
    }
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(target) }
    guard let file = FileIdentity(of: place.database.path), let own = try identity() else {
      throw ArchiveError.displaced(path: place.database.path)
    }
    try ArchiveIdentity(archive: own.archive, file: file.number, since: Instant(Date()))
      .write(in: target)
    try DurableFile.write(
      Data(Archive.mark(of: place).bytes(indented: true) + [0x0A]),
      to: target.appendingPathComponent(Archive.plainCopyName))
    // Only now, because everything else must be in the copy.
    if let unreadable { throw POSIXFailure(path: unreadable.path, code: EIO) }
    return count
  }

  static let plainCopyDraft = ".new-copy-"

  private static func refuseOverlap(of target: URL, with home: URL) throws {
    let left = target.resolvingSymlinksInPath().standardizedFileURL.path + "/"
    let right = home.resolvingSymlinksInPath().standardizedFileURL.path + "/"
    guard !left.hasPrefix(right), !right.hasPrefix(left) else {
      throw ArchiveError.refused(
        "\(target.path) is inside the archive’s own folder or contains it. Choose another folder.")
    }
  }

  /// Returns the marks of a copy's unchanged database.
  private static func mark(of place: ArchiveFolder) -> JSON {
    let attributes = try? FileManager.default.attributesOfItem(atPath: place.database.path)
    let changed = (attributes?[.modificationDate] as? Date).map { Instant($0).description }
    return [
      "type": "arkived-plain-copy", "bytes": JSON((attributes?[.size] as? NSNumber)?.intValue ?? 0),
      "changed": JSON(changed),
    ]
  }

  private func checkMayReplace(_ place: ArchiveFolder) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.url.path)) ?? []
    guard names.contains(where: { !$0.hasPrefix(".") && $0 != "copy.lock" && $0 != "attachments" })
    else { return }
    let data = try? Data(contentsOf: place.url.appendingPathComponent(Archive.plainCopyName))
    guard let mark = data.flatMap({ try? JSON(parsing: $0) }),
      mark["type"]?.string == "arkived-plain-copy"
    else {
      throw ArchiveError.refused(
        "\(place.url.path) contains other files. Choose an empty folder, or one made by backup "
          + "--plain.")
    }
    guard mark == Archive.mark(of: place), (FileIdentity(of: place.log.path)?.size ?? 0) == 0 else {
      throw ArchiveError.refused(
        "The copy in \(place.url.path) has changed since it was made. Nothing was written. Keep "
          + "it, and choose another folder.")
    }
    let theirs = try UnsharedReading.open(place, withLog: false).read { db in
      (
        try ArchiveIdentity.read(db)?.archive,
        try Int.fetchOne(db, sql: "SELECT max(position) FROM changes") ?? 0
      )
    }
    guard try theirs.0 == nil || theirs.0 == identity()?.archive, try theirs.1 <= newestPlace()
    else {
      throw ArchiveError.refused(
        "The copy in \(place.url.path) belongs to another archive or is newer than this one. "
          + "Nothing was written. Keep it, and choose another folder.")
    }
  }

  /// Copies the attached files that a folder lacks.
  ///
  /// They are named by their content and never change.
  ///
  /// - Returns: the number of files copied, and one that can't be read.
  private func copyAttachments(to folder: URL) throws -> (count: Int, unreadable: URL?) {
    var count = 0
    var unreadable: URL?
    var seen: Set<String> = []
    for attachment in try attachments(includingHidden: true) + oldAttachments() {
      guard let path = attachment.relativePath, seen.insert(path).inserted,
        let source = file(of: attachment), let original = FileIdentity(of: source.path)
      else { continue }
      let target = folder.appendingPathComponent(path)
      let copied = FileIdentity(of: target.path)
      // A file that was altered since must not replace an intact copy.
      guard copied?.size != original.size, try copied == nil || !Self.hasOwnName(target) else {
        continue
      }
      try DurableFile.makeFolder(target.deletingLastPathComponent())
      if try DurableFile.copy(source, to: target) { count += 1 } else { unreadable = source }
    }
    return (count, unreadable)
  }
}
