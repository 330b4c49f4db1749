import ArkivedStore
import Foundation
import Synchronization

/// Problems with this computer's own disk, which an archive without room can't record.
///
/// They are known to the running program only, and forgotten after the next sync that works.
enum LocalTroubles {
  private static let known = Mutex<[URL: Set<DeviceSyncStatus.Trouble>]>([:])

  static func note(_ troubles: Set<DeviceSyncStatus.Trouble>, of archive: Archive) {
    guard let file = archive.databaseFile else { return }
    known.withLock { $0[file] = troubles }
  }

  static func forget(of archive: Archive) {
    guard let file = archive.databaseFile else { return }
    known.withLock { $0[file] = nil }
  }

  static func all(of archive: Archive) -> Set<DeviceSyncStatus.Trouble> {
    guard let file = archive.databaseFile else { return [] }
    return known.withLock { $0[file] ?? [] }
  }
}
