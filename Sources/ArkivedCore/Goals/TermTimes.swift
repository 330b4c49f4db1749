import Foundation

/// A term used in a text as a time: "in my last term", "since term 3".
package struct TermTime: Sendable {
  package var range: Range<String.Index>
  package var text: String
  /// The same period as dates that the time parser understands, or nil if the term doesn't exist.
  package var phrase: String?
  package var term: Term?
}

extension TimeReader {
  /// Returns true if a text may name a term, in which case the archive's terms are needed to read
  /// it.
  package func mayNameTerms(_ text: String) -> Bool {
    guard text.lowercased().contains("term") else { return false }
    return references(in: text).contains { reference in
      switch reference.subject {
      case .term, .numberedTerm: true
      case .stay, .event: false
      }
    }
  }

  /// Returns the terms that a text uses as times, in order.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - terms: all terms.
  ///   - today: the day that "last" and "this" are relative to.
  /// - Returns: the terms with their positions in the text.
  package func termTimes(in text: String, terms: [Term], today: DayKey) -> [TermTime] {
    references(in: text).compactMap { reference in
      let term: Term?
      switch reference.subject {
      case .numberedTerm(let number): term = terms.first { $0.termNumber == number }
      case .term(let turn): term = TermTime.term(turn, terms, today)
      case .stay, .event: return nil
      }
      let phrase = term.map { term in
        switch reference.relation {
        case .during: "from \(term.startDate) to \(term.targetDate)"
        case .since: "since \(term.startDate)"
        case .before: "before \(term.startDate)"
        case .after: "after \(term.targetDate)"
        case .until: "until \(term.targetDate)"
        }
      }
      return TermTime(
        range: reference.range, text: reference.text, phrase: phrase, term: term)
    }
  }

  /// Returns the times and the terms in a text, in order.
  package func matches(in text: String, terms: [Term], today: DayKey) -> [TimeMatch] {
    let named = termTimes(in: text, terms: terms, today: today).compactMap { time in
      time.phrase.flatMap { matches(in: $0).first }.map { match in
        var match = match
        match.range = time.range
        match.text = time.text
        return match
      }
    }
    return (matches(in: text) + named).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension TermTime {
  /// Returns the last complete term, the current one or the next one.
  fileprivate static func term(_ turn: Int, _ terms: [Term], _ today: DayKey) -> Term? {
    turn < 0
      ? terms.lastEnded(before: today)
      : turn == 0 ? terms.active(on: today) : terms.next(after: today)
  }
}
