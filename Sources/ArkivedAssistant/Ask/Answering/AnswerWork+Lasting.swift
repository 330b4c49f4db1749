import ArkivedCore

extension AnswerWork {
  /// The maximum number of days before a given day on which something lasting may have begun.
  private static let farthest = 366

  /// Selects entries that began earlier and lasted into days on which nothing began, for example to
  /// find the owner's whereabouts.
  ///
  /// - Returns: nil if the question asks for something else, or nothing lasted.
  func lasting() -> Selection? {
    guard question.kind == .where, let first = question.days?.lowerBound,
      first > DayKey.earliest, question.weekdays.isEmpty, question.months.isEmpty,
      question.joins.isEmpty, question.clause == nil
    else { return nil }
    var before = question
    before.days =
      max(DayKey.earliest, first.advanced(by: -Self.farthest))...first.advanced(by: -1)
    var selection = selector.select(before, allowsNotes: false)
    selection.entries = selection.entries.filter { reaches($0, first) }
    return selection.entries.isEmpty ? nil : selection
  }

  private func reaches(_ entry: TimelineEntry, _ day: DayKey) -> Bool {
    let rest = entry.day.distance(to: day) * 1_440
    guard let start = entry.dayMinute, let minutes = entry.durationMinutes,
      Double(start) + minutes > Double(rest)
    else { return false }
    // "booked two weeks in Crete" did not itself take two weeks.
    return TextAmounts.read(entry.words, text: entry.text)["minutes"] == nil
  }
}
