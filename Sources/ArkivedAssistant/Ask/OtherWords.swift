import ArkivedCore
import ArkivedSearch
import Foundation

/// A check of figures that were found by words: entries may say the same thing in other words.
struct OtherWords {
  let texts: NearestTexts

  /// The number of nearest entries that are examined.
  private static let examined = 10
  /// The minimum number, for figures from one or two entries.
  private static let fewest = 4
  /// The share of the nearest entries that may be missing from a figure without raising a doubt.
  private static let share = 0.5

  /// The kinds of answers that count or add up entries.
  private static let kinds: Set = ["count", "sum", "average", "most", "longest", "compare"]

  /// Returns true if an answer counts or adds up entries that were found by words.
  static func mayLack(_ answer: TimelineAnswer) -> Bool {
    kinds.contains(answer.kind) && !answer.citations.isEmpty && !isOfDays(answer.question)
  }

  /// Returns true for a question about the figures of days alone, such as a mood or steps, which no
  /// entry says in words.
  private static func isOfDays(_ question: AskQuestion) -> Bool {
    guard question.terms.isEmpty, question.people.isEmpty, question.joins.isEmpty,
      question.clause == nil
    else { return false }
    if question.dayValue != nil { return true }
    switch question.measure {
    case .mood, .energy, .metric: return true
    default: return false
    }
  }

  /// Returns the nearest entry that an answer doesn't include, if it includes too few of the nearest
  /// ones.
  ///
  /// - Parameters:
  ///   - answer: an answer that was computed from the entries it cites.
  ///   - question: the question as asked.
  ///   - timeline: the timeline from which the answer was computed.
  /// - Returns: the entry; nil if the answer includes enough of the nearest ones, or doesn't count
  ///   or add up entries.
  /// - Throws: an error if the indexes can't be read.
  func missing(
    from answer: TimelineAnswer, to question: String, in timeline: TableTimeline
  ) throws -> TimelineEntry? {
    guard Self.mayLack(answer) else { return nil }
    let cited = Set(answer.citations.map(\.id))
    let count = min(Self.examined, max(Self.fewest, cited.count))
    let nearest = try texts.find([question], days: answer.days, limit: count)
    let others = nearest.filter { !cited.contains($0.document) }
    guard Double(others.count) > Self.share * Double(nearest.count) else { return nil }
    return others.lazy.compactMap { timeline.entry(ofRow: $0.document) }.first
  }
}
