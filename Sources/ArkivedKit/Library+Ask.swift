import ArkivedAssistant
import ArkivedCore
import Foundation

/// The answer to a question: computed from the entries that it cites, without a language model.
public struct Answer: Hashable, Sendable {
  /// The answer in words.
  public var sentence: String
  /// The kind of answer, such as `list`, `count`, `sum` or `when`; `none` if it can't be answered.
  public var kind: String
  /// The numbers of the answer, in `unit`.
  public var figures: [Double]
  /// The unit of the numbers, such as km.
  public var unit: String?
  /// The days that the question is about; nil if it doesn't mention any.
  public var days: ClosedRange<DayKey>?
  /// The words of the question that weren't understood.
  public var ignored: [String]
  /// The entries that support the answer; at most as many as requested.
  public var citations: [SearchHit]
  /// The total number of entries that support the answer.
  public var citationCount: Int
}

extension Library {
  /// Answers a question in plain language, such as `how many km did I run in March?`.
  ///
  /// - Parameters:
  ///   - question: any text; if it can't be answered, the answer says so.
  ///   - citationLimit: the maximum number of citations.
  ///   - citationOffset: the number of citations to skip first.
  /// - Returns: the answer.
  /// - Throws: ``LibraryError``.
  public func ask(
    _ question: String, citationLimit: Int = 50, citationOffset: Int = 0
  ) async throws(LibraryError) -> Answer {
    try await waiting { [self] in
      let found = try questions.answer(
        question, citationLimit: citationLimit, citationOffset: citationOffset)
      return Answer(
        sentence: found.sentence, kind: found.kind, figures: found.values.compactMap(\.double),
        unit: found.unit, days: found.computed.days, ignored: found.ignored,
        citations: found.citations, citationCount: found.citationCount)
    }
  }
}
