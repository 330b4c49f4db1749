/// The delay before a place that failed is contacted again, growing with each failure and varied so
/// that clients don't retry together.
package struct BackOff: Hashable, Sendable {
  /// The delay after the first failure.
  package var first: Duration
  /// The longest delay, unless a server asks for more.
  package var longest: Duration
  /// The longest delay that a server can ask for.
  package var longestAsked: Duration
  /// The seed of the random variation, distinct for each place.
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

  /// Returns the delay before the next attempt.
  ///
  /// The delay doubles with every failure up to `longest`, varies by a fifth either way, and is
  /// never shorter than the server asked for.
  ///
  /// - Parameters:
  ///   - failures: the number of consecutive failures; there is no delay after zero.
  ///   - asked: the server's latest request (`Retry-After`).
  /// - Returns: the delay.
  package func wait(afterFailures failures: Int, asked: Duration? = nil) -> Duration {
    guard failures > 0 else { return .zero }
    var wait = first
    for _ in 1..<failures where wait < longest { wait *= 2 }
    wait = min(wait, longest) * scatter(failures)
    return max(wait, min(max(asked ?? .zero, .zero), longestAsked))
  }

  /// Returns a factor from 0.8 to 1.2 that is the same for the same seed and number of failures.
  private func scatter(_ failures: Int) -> Double {
    var mixed = seed &+ UInt64(failures) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return 0.8 + 0.4 * (Double(mixed >> 11) / Double(1 << 53))
  }
}
