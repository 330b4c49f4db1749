/// How long to wait before a place that failed is asked again: longer each time, and not at the same
/// moment as everybody else.
package struct BackOff: Hashable, Sendable {
  /// After the first failure.
  package var first: Duration
  /// The longest of its own accord.
  package var longest: Duration
  /// The longest that a server can ask for.
  package var longestAsked: Duration
  /// Where the waits scatter; one for each place.
  package var seed: UInt64

  package init(
    first: Duration = .seconds(60), longest: Duration = .seconds(6 * 3600),
    longestAsked: Duration = .seconds(24 * 3600), seed: UInt64
  ) {
    self.first = first
    self.longest = longest
    self.longestAsked = longestAsked
    self.seed = seed
  }

  /// The wait doubles with every failure up to the longest, give or take a fifth, and is never
  /// shorter than what the server asked for.
  ///
  /// - Parameters:
  ///   - failures: how many there were one after another; without one there is no wait.
  ///   - asked: what the server said last (`Retry-After`).
  package func wait(afterFailures failures: Int, asked: Duration? = nil) -> Duration {
    guard failures > 0 else { return .zero }
    var wait = first
    for _ in 1..<failures where wait < longest { wait *= 2 }
    wait = min(wait, longest) * scatter(failures)
    return max(wait, min(max(asked ?? .zero, .zero), longestAsked))
  }

  /// 0.8 to 1.2, the same each time for the same seed and number.
  private func scatter(_ failures: Int) -> Double {
    var mixed = seed &+ UInt64(failures) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return 0.8 + 0.4 * (Double(mixed >> 11) / Double(1 << 53))
  }
}
