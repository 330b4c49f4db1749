import HTTPTypes
import Synchronization

/// Counts wrong tokens, cookies and login codes, so that guessing ends soon.
///
/// All visitors come from this computer, so they are counted together. Whoever was let in before is
/// let in on, so that nobody shuts the owner out by guessing.
final class Refusals: Sendable {
  /// Within one round; a browser whose session ended asks a few times with its old cookie.
  static let usualLimit = 120
  static let roundSeconds = 60
  private static let knownLimit = 10_000

  private let limit: Int
  private let round: Duration
  private let state = Mutex(State())

  private struct State {
    var begin = ContinuousClock.now
    var count = 0
    /// Hashes of the tokens that were right.
    var known: Set<String> = []

    mutating func beginRound(after round: Duration) {
      let now = ContinuousClock.now
      guard now - begin >= round else { return }
      begin = now
      count = 0
    }
  }

  init(limit: Int, round: Duration = .seconds(Refusals.roundSeconds)) {
    self.limit = limit
    self.round = round
  }

  /// Whether a token may be looked up.
  ///
  /// - Parameter hash: the token's; what was right before always may.
  func mayTry(_ hash: String) -> Bool {
    state.withLock { state in
      state.beginRound(after: round)
      return state.count < limit || state.known.contains(hash)
    }
  }

  /// Remembers a token that was right.
  func remember(_ hash: String) {
    state.withLock { state in
      if state.known.count >= Self.knownLimit { state.known.removeAll() }
      state.known.insert(hash)
    }
  }

  /// Counts a wrong one.
  ///
  /// - Returns: whether there were too many.
  func count() -> Bool {
    state.withLock { state in
      state.beginRound(after: round)
      state.count += 1
      return state.count > limit
    }
  }
}

extension Door {
  /// What to answer to a wrong token, cookie or code, which is counted.
  ///
  /// - Parameter usual: the answer while there were few.
  func refusal(_ usual: WebFailure) -> WebFailure {
    guard refusals.count() else { return usual }
    var failure = WebFailure(
      .tooManyRequests, "Too many attempts",
      "Too many wrong tokens or login links. Wait a minute, then try again.")
    failure.retryAfter = Refusals.roundSeconds
    return failure
  }
}
