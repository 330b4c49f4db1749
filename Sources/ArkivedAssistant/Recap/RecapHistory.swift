import ArkivedCore

/// A search over all earlier days for one thing at a time, through the indexes.
struct RecapHistory: Sendable {
  let timeline: any Timeline
  /// The archive's first day; nil if it is empty.
  let first: DayKey?

  /// Returns the last day before `day` with a subject.
  ///
  /// The search window doubles repeatedly, so frequent subjects are found within a few entries, and
  /// rare ones have few.
  func last(_ subject: RecapSubject, like example: TimelineEntry, before day: DayKey) -> DayKey? {
    last(before: day) { window in
      var condition = IndexCondition(days: window)
      switch subject {
      case .tag(let tag): condition.all = [[.tag(tag)]]
      case .person(let name): condition.all = [[.person(name)]]
      case .place: condition.all = example.placeKeys.sorted().map { [.place($0)] }
      }
      let found = timeline.entries(.activity, where: condition)
      guard case .place(let name) = subject else { return found.last?.day }
      return found.last { $0.place == name }?.day
    }
  }

  /// Returns the last day before `day` on which a single entry with a tag reached an amount.
  func last(reaching amount: Double, _ measure: RecapMeasure, before day: DayKey) -> DayKey? {
    guard let tag = measure.tag else { return nil }
    return last(before: day) { window in
      var condition = IndexCondition(days: window)
      condition.all = [[.tag(tag)]]
      return timeline.entries(.activity, where: condition)
        .last { ($0.measurements[measure.unit] ?? 0) >= amount }?.day
    }
  }

  /// Returns the days with a tag in a window, in order.
  func days(of tag: String, in window: ClosedRange<DayKey>) -> [DayKey] {
    var condition = IndexCondition(days: window)
    condition.all = [[.tag(tag)]]
    return RecapLedger.days(timeline.entries(.activity, where: condition))
  }

  func entries(
    _ type: TimelineEntry.Kind, in days: ClosedRange<DayKey>
  ) -> [TimelineEntry] {
    timeline.entries(type, where: IndexCondition(days: days))
  }

  private func last(before day: DayKey, in look: (ClosedRange<DayKey>) -> DayKey?) -> DayKey? {
    guard let first, first < day else { return nil }
    var end = day.advanced(by: -1)
    var length = 180
    while end >= first {
      let start = max(first, end.advanced(by: 1 - length))
      if let found = look(start...end) { return found }
      guard start > first else { return nil }
      end = start.advanced(by: -1)
      length *= 2
    }
    return nil
  }
}
