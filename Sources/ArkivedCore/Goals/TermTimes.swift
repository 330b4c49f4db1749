import Foundation

/// A term that a text names as a time: "in my last term", "since term 3".
package struct TermTime: Sendable {
  package var range: Range<String.Index>
  package var text: String
  /// The same time in days, as a reader of times reads it; nil where there is no such term.
  package var phrase: String?
  package var term: Term?
}

extension TimeReader {
  /// Whether a text may name a term, so that those of the archive have to be known.
  package func mayNameTerms(_ text: String) -> Bool {
    guard text.lowercased().contains("term") else { return false }
    return references(in: text).contains { reference in
      switch reference.subject {
      case .term, .numberedTerm: true
      case .stay, .event: false
      }
    }
  }

  /// The terms that a text names as times, in order.
  ///
  /// - Parameter today: the day that "last" and "this" are seen from.
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

  /// The times of a text, and the terms that it names, in order.
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
  /// The last complete term, the present one or the next to come.
  fileprivate static func term(_ turn: Int, _ terms: [Term], _ today: DayKey) -> Term? {
    let wanted: TermStatus = turn < 0 ? .complete : turn == 0 ? .active : .upcoming
    let fitting = terms.filter { $0.status(on: today) == wanted }
    return turn > 0
      ? fitting.min { $0.startDate < $1.startDate } : fitting.max { $0.startDate < $1.startDate }
  }
}
