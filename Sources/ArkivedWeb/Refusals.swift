import HTTPTypes
import Synchronization

/// Counts wrong tokens, cookies and login codes to stop guessing.
///
/// All visitors come from this computer, so they are counted together. Clients that were accepted
/// before stay accepted, so guessing cannot lock out the owner.
final class Refusals: Sendable {
  /// The limit within one round; a browser whose session ended tries a few times with its old
  /// cookie.
  static let usualLimit = 120
  static let roundSeconds = 60
  private static let knownLimit = 10_000

  private let limit: Int
  private let round: Duration
  private let state = Mutex(State())

  private struct State {
    var begin = ContinuousClock.now
    var count = 0
    /// The hashes of valid tokens.
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

  /// Returns true if a token may be looked up.
  ///
  /// - Parameter hash: the token's hash; a token that was valid before is always allowed.
  /// - Returns: true if it may.
  func mayTry(_ hash: String) -> Bool {
    state.withLock { state in
      state.beginRound(after: round)
      return state.count < limit || state.known.contains(hash)
    }
  }

  /// Records a valid token.
  func remember(_ hash: String) {
    state.withLock { state in
      if state.known.count >= Self.knownLimit { state.known.removeAll() }
      state.known.insert(hash)
    }
  }

  /// Counts a wrong token.
  ///
  /// - Returns: true if there were too many.
  func count() -> Bool {
    state.withLock { state in
      state.beginRound(after: round)
      state.count += 1
      return state.count > limit
    }
  }
}

extension Door {
  /// Counts a wrong token, cookie or code and returns the answer to it.
  ///
  /// - Parameter usual: the answer while there have been only a few.
  /// - Returns: the answer.
  func refusal(_ usual: WebFailure) -> WebFailure {
    guard refusals.count() else { return usual }
    var failure = WebFailure(
      .tooManyRequests, "Too many attempts",
      "Too many wrong tokens or login links. Wait a minute, then try again.")
    failure.retryAfter = Refusals.roundSeconds
    return failure
  }
}
