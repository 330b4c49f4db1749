import Synchronization

/// Counts the codes tried from the home network, by address and in total.
///
/// The limit by address keeps a guest who guesses from preventing others from pairing; the limit in
/// total restricts guesses from many addresses. A code has sixty bits and is valid for ten minutes:
/// with 600 tries in each minute, the chance of guessing it is 1 in 190 trillion.
final class PairingGuesses: Sendable {
  /// The limit of wrong codes from one address within a round.
  static let mostFromOne = 10
  /// The limit for all addresses, and the number of addresses recorded.
  static let mostOfAll = 600
  static let roundSeconds = 60

  private let fromOne: Int
  private let ofAll: Int
  private let round: Duration
  private let state = Mutex(State())

  private struct State {
    var begin = ContinuousClock.now
    var tries: [String: Int] = [:]
    var count = 0
  }

  init(
    fromOne: Int = PairingGuesses.mostFromOne, ofAll: Int = PairingGuesses.mostOfAll,
    round: Duration = .seconds(PairingGuesses.roundSeconds)
  ) {
    self.fromOne = fromOne
    self.ofAll = ofAll
    self.round = round
  }

  /// Returns true if a code may be looked up.
  ///
  /// It counts as wrong immediately, so simultaneous tries stay within the limit; `wasRight`
  /// reverts that.
  ///
  /// - Parameter address: the origin; unknown ones count as one.
  /// - Returns: true if it may.
  func mayTry(from address: String?) -> Bool {
    let address = address ?? ""
    return state.withLock { state in
      let now = ContinuousClock.now
      if now - state.begin >= round { state = State(begin: now) }
      let tries = state.tries[address, default: 0]
      // Refused tries are not counted, so one address never uses up the limit of all.
      guard tries < fromOne, state.count < ofAll else { return false }
      state.tries[address] = tries + 1
      state.count += 1
      return true
    }
  }

  /// Reverts the count of `mayTry`.
  func wasRight(from address: String?) {
    let address = address ?? ""
    state.withLock { state in
      // In a round that began in the meantime, there is nothing to revert.
      guard let tries = state.tries[address], tries > 0 else { return }
      state.tries[address] = tries - 1
      state.count -= 1
    }
  }
}
