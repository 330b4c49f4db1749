import ArkivedImport
import Foundation

/// Limits for the local copy of a server's files, and deleting files of revoked devices.
extension FolderMirror {
  /// The largest size of the local copy of a group's small files, in bytes; a server that has more
  /// has other files than ours.
  private static let largestCopy = 20_000_000_000
  /// The space that remains free on the disk, in bytes.
  private static let reserve = 500_000_000

  /// The space that a group's files may still use, because a server can list any number of them.
  struct Room {
    private var left = FolderMirror.largestCopy

    /// Counts a file that was fetched.
    ///
    /// - Throws: `WebDAVFailure` if the files are larger than ours can be.
    mutating func use(_ size: Int, from place: String) throws {
      left -= size
      guard left >= 0 else { throw WebDAVFailure(.unusable, place) }
    }
  }

  /// Returns the largest size of a file for which there is space.
  ///
  /// - Parameters:
  ///   - size: the file's size; nil if it isn't known.
  ///   - limit: the largest size that such a file can have.
  /// - Returns: the smaller of the limit and the space on the disk.
  /// - Throws: `POSIXError` if the disk is almost full.
  func room(for size: Int?, limit: Int) throws -> Int {
    let system = try? FileManager.default.attributesOfFileSystem(forPath: home.path)
    guard let free = (system?[.systemFreeSize] as? NSNumber)?.intValue else { return limit }
    guard free - Self.reserve >= size ?? 0, free > Self.reserve else { throw POSIXError(.ENOSPC) }
    return min(limit, free - Self.reserve)
  }

  /// Deletes files of other devices on the server.
  ///
  /// - Throws: `WebDAVFailure`; files deleted until then stay deleted.
  func remove(_ paths: [String]) throws {
    guard !paths.isEmpty else { return }
    try Blocking.run {
      let server = try await opened()
      for path in paths { try await server.remove(path) }
    }
  }
}
