import ArkivedCore
import Foundation

/// Builds typed queries from the network's output for a question's tokens.
struct QueryAssembler {
  let network: ReaderNetwork
  let lexicon: ReaderLexicon
  let timeline: TableTimeline
  let today: DayKey

  /// Parses a question; nil if it has no words.
  func read(_ question: QuestionTokens) -> TaughtReading? {
    guard !question.tokens.isEmpty, !leavesOutTime(question.tokens) else { return nil }
    let told = network.read(question.tokens.map(\.sign))
    var parts = parts(question, told)
    if ["time", "unit", "none"].contains(told.heads["measure"]?.first?.value ?? ""),
      told.heads["fold"]?.first.map({ Query.Fold(rawValue: $0.value) != .count }) ?? false
    {
      takeMetric(&parts)
    }
    var scored: [(score: Float, fold: Query.Fold, target: String)] = []
    func group(_ fold: Query.Fold) -> Query.Group? {
      guard fold == .run else { return Query.Group(rawValue: choice("group")) }
      // "Weeks in a row" is recognised by this word alone.
      return question.tokens.lazy.compactMap { lexicon.unitOfTime($0.text) }.first
        .flatMap(Query.Group.init(rawValue:))
    }
    let isForeign =
      told.heads["fold"]?.first.map { Query.Fold(rawValue: $0.value) == nil } ?? false
    for fold in told.heads["fold"]?.prefix(3) ?? [] {
      guard let kind = Query.Fold(rawValue: fold.value) else { continue }
      for target in told.heads["target"]?.prefix(3) ?? [] {
        scored.append((fold.score + target.score, kind, target.value))
      }
    }
    scored.sort { $0.score > $1.score }
    func choice(_ head: String) -> String { told.heads[head]?.first?.value ?? "none" }
    var candidates: [ReadQuery] = []
    var scores: [Double] = []
    for (score, fold, target) in scored {
      let made = variants(parts).flatMap { variant in
        queries(
          fold, target, group: group(fold),
          order: Query.Order(rawValue: choice("order")), measure: choice("measure"),
          event: choice("event"), isAlone: choice("company") == "alone",
          ofDays: choice("days") == "days", variant.parts
        ).map { read in
          var read = read
          read.dropped = variant.dropped
          return read
        }
      }
      guard !made.isEmpty else { continue }
      scores.append(Double(exp(score)))
      // A second interpretation is tried only if it is nearly as likely.
      if scores.count == 1 || (scores[0] - (scores.last ?? 0)) < 0.2 && scores.count < 3 {
        candidates += made
      }
    }
    let measured = measure(choice("measure"), parts.measure)
    var reading = TaughtReading(
      candidates: candidates, days: parts.days,
      people: parts.people, words: parts.words,
      target: scored.first.flatMap { Query.Target(rawValue: $0.target) })
    if case .unit(let unit) = measured { reading.unit = unit }
    reading.confidence = told.probability
    (reading.isForeign, reading.unread) = (isForeign, parts.unread)
    return reading
  }

  /// Returns true if a time is excluded, as in "not in 2025", which queries can't express.
  private func leavesOutTime(_ tokens: [QuestionTokens.Token]) -> Bool {
    tokens.indices.contains { place in
      guard case .days = tokens[place].content else { return false }
      let before = tokens[..<place].last { !lexicon.isEmpty($0.text) }
      return before.map { lexicon.isNegation($0.text) } ?? false
    }
  }

  /// The logarithm of the probability above which the network is sure that a word is padding.
  static let sure = log(Float(0.9))
}
