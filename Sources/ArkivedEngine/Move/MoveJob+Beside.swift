package import ArkivedBackup
import ArkivedStore
package import Foundation

/// Unpacking into a new, separate archive.
extension MoveJob {
  /// Unpacks a packed archive into a new archive; the current archive stays unchanged.
  ///
  /// The new archive gets its name only when it is complete and closed, so no other program can
  /// write into it before. If the folder is in use by then, it stays as it is.
  ///
  /// - Parameters:
  ///   - file: the packed archive.
  ///   - unlocks: the keys and passphrases to try.
  ///   - folder: the folder of the new archive, which must be empty or not exist yet.
  /// - Returns: the comparison with the packed data.
  /// - Throws: as `prepare`, and `ArchiveError.refused` if the folder can't be used.
  package func unpack(
    _ file: URL, unlocks: [AgeUnlock], beside folder: URL
  ) throws -> MoveReport {
    try PreparedRestore.check(folder, for: archive)
    let target = folder.standardizedFileURL
    let parent = target.deletingLastPathComponent()
    let work = parent.appendingPathComponent(
      Archive.workPrefix + UUID().uuidString, isDirectory: true)
    try DurableFile.makeFolder(work)
    // After the renaming, nothing has this name.
    defer { try? FileManager.default.removeItem(at: work) }
    let report = try unpack(file, unlocks: unlocks, into: work)
    try PreparedRestore.check(folder, for: archive)
    // Fails if another program has put anything there in the meantime.
    guard rename(work.path, target.path) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path])
    }
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(parent) }
    return report
  }

  private func unpack(
    _ file: URL, unlocks: [AgeUnlock], into work: URL
  ) throws -> MoveReport {
    let new = try Archive(at: .folder(work), clock: archive.clock, opening: .making)
    defer { new.closeConnections() }
    return try MoveJob(archive: new, homeZone: homeZone, watch: watch)
      .prepare(file, unlocks: unlocks).apply()
  }
}
