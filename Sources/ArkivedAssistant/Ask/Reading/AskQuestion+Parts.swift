import ArkivedCore
import Foundation

extension AskQuestion.Period {
  /// The period's name in the singular, within a sentence.
  var word: String {
    switch self {
    case .day: said("day")
    case .week: said("week")
    case .month: said("month")
    case .quarter: said("quarter")
    case .year: said("year")
    case .weekday: said("weekday")
    case .season: said("season")
    case .calendarMonth: said("calendar month")
    }
  }

  /// The period's name in the plural, in English, as answers pass it on.
  var unit: String { self == .calendarMonth ? "calendar months" : "\(rawValue)s" }

  /// The period as an adverb: "by week".
  var manner: String {
    switch self {
    case .day: said("by day")
    case .week: said("by week")
    case .month: said("by month")
    case .quarter: said("by quarter")
    case .year: said("by year")
    case .weekday: said("by weekday")
    case .season: said("by season")
    case .calendarMonth: said("by calendar month")
    }
  }
}

extension AskQuestion.Threshold {
  /// The threshold as a range: "between 5 and 10 km", "exactly 8 km"; nil if it has only one bound.
  var span: String? {
    guard let upTo else { return nil }
    let most = "\(AmountText.shown(upTo)) \(saidWhole(unit))"
    return upTo == amount
      ? said("exactly \(most)") : said("between \(AmountText.shown(amount)) and \(most)")
  }
}

extension AskQuestion {
  /// A part of a question's interpretation that the asker may remove.
  package struct Part: Hashable, Sendable {
    /// The part's kind: `time`, `weekday`, `person`, `word`, `measure`, `limit`, `join`.
    package var role: String
    /// The key used in `without`: the role and the value.
    package var key: String
    package var label: String

    init(_ role: String, _ label: String) {
      self.role = role
      key = "\(role):\(label)"
      self.label = label
    }
  }

  /// The parts that can be removed; empty for a comparison, whose sides have their own.
  package var parts: [Part] {
    guard alternatives.isEmpty else { return [] }
    var parts: [Part] = []
    if let days { parts.append(Part("time", SpanText.shownDays(days))) }
    parts += weekdays.sorted { $0.rawValue < $1.rawValue }.map { Part("weekday", $0.shownName) }
    parts += people.map { Part("person", Self.label(shown($0.words), isExcluded: $0.isExcluded)) }
    parts += terms.map { Part("word", Self.label($0.shown, isExcluded: $0.isExcluded)) }
    if let threshold { parts.append(Part("limit", AskQuestion.label(of: threshold))) }
    parts += joins.map { Part("join", shown($0.text)) }
    if let clause { parts.append(Part("join", shown(clause))) }
    return parts
  }

  /// The other readings of the question, in each of which an ambiguous name refers to a different
  /// person.
  package var otherReadings: [(label: String, question: String)] {
    let asked = wording?.original ?? text
    return people.flatMap { person in
      person.others.prefix(8).compactMap { name -> (label: String, question: String)? in
        guard person.names != [name],
          let range = asked.range(of: shown(person.words), options: .caseInsensitive)
        else { return nil }
        return (name, asked.replacingCharacters(in: range, with: name))
      }
    }
  }

  /// Returns words of the question as the owner wrote them.
  func shown(_ words: String) -> String { wording?.shown(words) ?? words }

  private static func label(_ words: String, isExcluded: Bool) -> String {
    isExcluded ? said("not \(words)") : words
  }

  /// Describes a threshold: "more than 10 km".
  private static func label(of threshold: Threshold) -> String {
    let amount = "\(AmountText.shown(threshold.amount)) \(saidWhole(threshold.unit))"
    if let span = threshold.span { return span }
    return threshold.isStrict
      ? threshold.isAtLeast ? said("more than \(amount)") : said("less than \(amount)")
      : threshold.isAtLeast ? said("at least \(amount)") : said("at most \(amount)")
  }

  /// Returns the question without some of its parts, named by their keys; unknown keys are ignored.
  package func without(_ keys: Set<String>) -> AskQuestion {
    guard !keys.isEmpty, alternatives.isEmpty else { return self }
    func isGone(_ role: String, _ label: String) -> Bool {
      keys.contains(Part(role, label).key)
    }
    var result = self
    if let days, isGone("time", SpanText.shownDays(days)) { result.days = nil }
    result.weekdays = weekdays.filter { !isGone("weekday", $0.shownName) }
    result.people.removeAll {
      isGone("person", Self.label(shown($0.words), isExcluded: $0.isExcluded))
    }
    result.terms.removeAll { isGone("word", Self.label($0.shown, isExcluded: $0.isExcluded)) }
    if let threshold, isGone("limit", AskQuestion.label(of: threshold)) { result.threshold = nil }
    result.joins.removeAll { isGone("join", shown($0.text)) }
    if let clause, isGone("join", shown(clause)) {
      result.clause = nil
      result.clauseParts = []
    }
    return result
  }
}
