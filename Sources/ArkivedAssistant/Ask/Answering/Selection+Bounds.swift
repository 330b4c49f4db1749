import ArkivedCore
import Foundation

/// Time ranges that an event starts or ends.
extension Selector {
  /// Returns the question restricted to the days that its event implies; adds an explanation if the
  /// event isn't found.
  func bounded(_ question: AskQuestion) -> AskQuestion {
    guard let bound = question.bound, let event = bound.question.first else { return question }
    var result = question
    result.bound = nil
    let found = select(settled(event), allowsNotes: false)
    let days = found.dropped.isEmpty ? found.days : []
    guard let first = days.first, let last = days.last else {
      result.problem = said("I couldn’t find a day when this was the case: \(bound.text).")
      return result
    }
    // An event on several days counts as its last day after "since", otherwise as its first.
    let day = bound.word == "since" ? last : first
    let span: ClosedRange<DayKey>
    switch (bound.word, bound.window) {
    case ("after", let window?): span = day.advanced(by: 1)...day.advanced(by: window)
    case (_, let window?): span = day.advanced(by: -window)...day.advanced(by: -1)
    default: span = open(bound.word, day)
    }
    result.ignored.append(
      said("days other than \(day.shownPlainName), which was used for “\(bound.text)”")
        + (days.count > 1 ? said(" (mentioned on \(days.count) days)") : ""))
    guard let asked = question.days else {
      result.days = span
      return result
    }
    guard asked.overlaps(span) else {
      result.problem =
        said(
          "“\(bound.word.capitalisedFirst) \(bound.text)” and the time you asked about don’t overlap."
        )
      return result
    }
    result.days =
      max(asked.lowerBound, span.lowerBound)...min(asked.upperBound, span.upperBound)
    return result
  }

  /// Returns the days since, after, until or before a day.
  private func open(_ word: String, _ day: DayKey) -> ClosedRange<DayKey> {
    switch word {
    case "since": day...max(day, today)
    case "after": day.advanced(by: 1)...max(day.advanced(by: 1), today)
    case "until": DayKey.earliest...day
    default: DayKey.earliest...day.advanced(by: -1)
    }
  }
}
