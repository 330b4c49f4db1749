import Foundation
import Synchronization

/// Remembers how files looked, so that none is taken while it is still written. What a sync program
/// writes under its final name changes all the time.
package final class InboxStillness: Sendable {
  /// How long a file must look the same.
  package static let rest = 2.0
  /// Whoever makes an empty file is about to write into it.
  private static let emptyRest = 600.0

  private struct Look {
    var stamp: InboxStamp
    var since: ContinuousClock.Instant
  }

  /// A file that some program has open to write, and how long it has looked the same while the
  /// computer was awake: what sleeps together with it is no less at work.
  private struct OpenLook {
    var stamp: InboxStamp
    var since: SuspendingClock.Instant
  }

  private let rest: Double
  private let patience: Double
  private let looks = Mutex<[String: Look]>([:])
  private let openLooks = Mutex<[String: OpenLook]>([:])

  /// - Parameters:
  ///   - rest: seconds for which a file must look the same.
  ///   - patience: seconds after which a program that has a file open to write, and writes nothing, has
  ///     only forgotten to close it.
  package init(rest: Double = InboxStillness.rest, patience: Double = 600) {
    self.rest = rest
    self.patience = patience
  }

  /// Whether a file has been still for long enough.
  func isStill(_ name: String, _ stamp: InboxStamp) -> Bool {
    let needed = stamp.size == 0 ? max(rest, min(Self.emptyRest, rest * 300)) : rest
    let now = Date().timeIntervalSince1970
    let last = Double(max(stamp.modified, stamp.changed)) / 1e9
    if last <= now - needed { return true }
    // Where the clock of the folder's computer is another one, only looking again tells.
    return looks.withLock { looks in
      guard let look = looks[name], look.stamp == stamp else {
        looks[name] = Look(stamp: stamp, since: .now)
        return needed == 0
      }
      return look.since.duration(to: .now) >= .seconds(needed)
    }
  }

  /// Whether a file that is open to write was seen unchanged for so long that it was only not closed.
  func isForgotten(_ name: String, _ stamp: InboxStamp) -> Bool {
    openLooks.withLock { looks in
      guard let look = looks[name], look.stamp == stamp else {
        looks[name] = OpenLook(stamp: stamp, since: .now)
        return false
      }
      return look.since.duration(to: .now) >= .seconds(patience)
    }
  }

  /// Forgets files that are not there any more.
  func keep(only names: Set<String>) {
    looks.withLock { looks in looks = looks.filter { names.contains($0.key) } }
    openLooks.withLock { looks in looks = looks.filter { names.contains($0.key) } }
  }
}
