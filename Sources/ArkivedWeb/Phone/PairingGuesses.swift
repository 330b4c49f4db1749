import Synchronization

/// Counts the codes that are tried at the door to the home network, by the address that they come from
/// and all together.
///
/// By address, so that a guest who tries everything keeps nobody else from pairing; all together, so
/// that whoever takes many addresses does not get so many guesses. A code has sixty bits and is good for
/// ten minutes: with 600 tries in each of them it is met with a chance of 1 in 190 trillion.
final class PairingGuesses: Sendable {
  /// Wrong codes from one address within a round.
  static let mostFromOne = 10
  /// From all addresses, and as many as are remembered.
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

  /// Whether a code may be looked up. It counts as wrong from here on, so that many that come at once
  /// are no more than the limit; `wasRight` takes that back.
  ///
  /// - Parameter address: where it comes from; those that are not known are one.
  func mayTry(from address: String?) -> Bool {
    let address = address ?? ""
    return state.withLock { state in
      let now = ContinuousClock.now
      if now - state.begin >= round { state = State(begin: now) }
      let tries = state.tries[address, default: 0]
      // What is refused counts no more, so that one address never uses up what all may.
      guard tries < fromOne, state.count < ofAll else { return false }
      state.tries[address] = tries + 1
      state.count += 1
      return true
    }
  }

  /// Takes back what `mayTry` counted.
  func wasRight(from address: String?) {
    let address = address ?? ""
    state.withLock { state in
      // In a round that began meanwhile there is nothing to take back.
      guard let tries = state.tries[address], tries > 0 else { return }
      state.tries[address] = tries - 1
      state.count -= 1
    }
  }
}
