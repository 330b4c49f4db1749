import Foundation

/// The span of time that a filter's words mean, shared by all interfaces.
///
/// Words that mean whole days give days, including the last; words that mean hours give instants,
/// excluding the end. An open side is nil: “before 2017” has no beginning, “after 2017” no end.
package struct TimePhrase: Hashable, Sendable {
  package let text: String
  package let from: TimeBound?
  package let to: TimeBound?

  /// The side of a span that a filter asks for.
  package enum Side: Hashable, Sendable {
    case start, end
  }

  /// Returns one end of the span.
  ///
  /// - Throws: `TimePhraseError.isOpen` if the words are open on that side.
  package func bound(_ side: Side) throws(TimePhraseError) -> TimeBound {
    guard let bound = side == .start ? from : to else {
      throw TimePhraseError(.isOpen(side), text)
    }
    return bound
  }
}

/// The reason a filter's words are not a time.
package struct TimePhraseError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case namesNoTime
    /// Only these words are a time.
    case isReadOnlyAs(String)
    case isOpen(TimePhrase.Side)
  }

  package let reason: Reason
  package let text: String

  init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = String(text.prefix(60))
  }

  package var description: String {
    switch reason {
    case .namesNoTime:
      "“\(text)” isn’t a time. Use a day such as 2026-03-14 or words such as “last month”"
    case .isReadOnlyAs(let part):
      "in “\(text)”, only “\(part.prefix(60))” is a time. Enter only the time"
    case .isOpen(.start): "“\(text)” has no start date, so it can only be used as the end"
    case .isOpen(.end): "“\(text)” has no end date, so it can only be used as the start"
    }
  }
}

extension TimeReader {
  /// Reads the words of a filter: a day or an instant in the form of the contract (an instant means
  /// its local day), or any expression that means exactly one span of time.
  package func phrase(_ text: String) throws(TimePhraseError) -> TimePhrase {
    let words = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch TimeBound(words) {
    case let day?:
      guard case .instant(let instant) = day else {
        return TimePhrase(text: words, from: day, to: day)
      }
      let local = TimeBound.day(zone.dayKey(at: instant))
      return TimePhrase(text: words, from: local, to: local)
    case nil: break
    }
    let matches = matches(in: words)
    guard let match = matches.first else { throw TimePhraseError(.namesNoTime, words) }
    let rest = words[..<match.range.lowerBound] + " " + words[match.range.upperBound...]
    let means = rest.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
      .filter { !TimeReader.smallWords.contains($0.lowercased()) }
    guard means.isEmpty else { throw TimePhraseError(.isReadOnlyAs(match.text), words) }
    return TimePhrase(
      text: words, from: match.start.map { bound($0, of: match, isEnd: false) },
      to: match.end.map { bound($0, of: match, isEnd: true) })
  }

  /// Returns one end of a filter; an instant is used unchanged.
  package func bound(
    _ text: String, _ side: TimePhrase.Side
  ) throws(TimePhraseError) -> TimeBound {
    if let bound = TimeBound(text) { return bound }
    return try phrase(text).bound(side)
  }

  /// Words next to a time that add no meaning.
  private static let smallWords: Set<String> = [
    "a", "an", "at", "during", "for", "from", "in", "of", "on", "the", "to",
  ]

  private func bound(_ wall: WallTime, of match: TimeMatch, isEnd: Bool) -> TimeBound {
    guard match.isWholeDays else { return .instant(zone.instant(of: wall)) }
    return .day(isEnd ? wall.day.advanced(by: -1) : wall.day)
  }
}
