import Foundation
import Synchronization

/// A record of files' metadata that keeps files from being imported while they are being written.
///
/// A file that a sync program writes under its final name changes continuously.
package final class InboxStillness: Sendable {
  /// The time in seconds for which a file must stay unchanged.
  package static let rest = 2.0
  /// A program that creates an empty file is about to write to it.
  private static let emptyRest = 600.0

  private struct Look {
    var stamp: InboxStamp
    var since: ContinuousClock.Instant
  }

  /// A file that a program has open for writing, and the time for which it has not changed while
  /// the computer was awake.
  ///
  /// A program that was suspended with the computer may still be working.
  private struct OpenLook {
    var stamp: InboxStamp
    var since: SuspendingClock.Instant
  }

  private let rest: Double
  private let patience: Double
  private let looks = Mutex<[String: Look]>([:])
  private let openLooks = Mutex<[String: OpenLook]>([:])

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - rest: the number of seconds for which a file must stay unchanged.
  ///   - patience: the number of seconds without a write after which a program that has a file open
  ///     for writing
  ///     is assumed to have forgotten to close it.
  package init(rest: Double = InboxStillness.rest, patience: Double = 600) {
    self.rest = rest
    self.patience = patience
  }

  /// Returns true if a file has been unchanged for long enough.
  func isStill(_ name: String, _ stamp: InboxStamp) -> Bool {
    let needed = stamp.size == 0 ? max(rest, min(Self.emptyRest, rest * 300)) : rest
    let now = Date().timeIntervalSince1970
    let last = Double(max(stamp.modified, stamp.changed)) / 1e9
    if last <= now - needed { return true }
    // If the folder's computer has a different clock, only repeated checks can show that.
    return looks.withLock { looks in
      guard let look = looks[name], look.stamp == stamp else {
        looks[name] = Look(stamp: stamp, since: .now)
        return needed == 0
      }
      return look.since.duration(to: .now) >= .seconds(needed)
    }
  }

  /// Returns true if a file open for writing has been unchanged for so long that it was probably
  /// just never closed.
  func isForgotten(_ name: String, _ stamp: InboxStamp) -> Bool {
    openLooks.withLock { looks in
      guard let look = looks[name], look.stamp == stamp else {
        looks[name] = OpenLook(stamp: stamp, since: .now)
        return false
      }
      return look.since.duration(to: .now) >= .seconds(patience)
    }
  }

  /// Forgets files that no longer exist.
  func keep(only names: Set<String>) {
    looks.withLock { looks in looks = looks.filter { names.contains($0.key) } }
    openLooks.withLock { looks in looks = looks.filter { names.contains($0.key) } }
  }
}
