import ArkivedCore

extension RecapWork {
  /// A subject of the span that was not there in the spans before.
  struct Arrival {
    var subject: RecapSubject
    var entries: [TimelineEntry]
    /// The last day with it before; nil when there is none.
    var last: DayKey?
  }

  /// How many subjects are looked up in the past at most.
  private static let lookupLimit = 120

  /// What is there for the first time, and what comes back after a long gap.
  func arrivals() -> [Arrival] {
    guard hasPast else { return [] }
    let start = span.days.lowerBound
    return ranked { before.bySubject[$0] == nil }.prefix(RecapWork.lookupLimit).compactMap {
      subject, positions in
      let entries = positions.map { ledger.entries[$0] }
      guard let example = entries.first else { return nil }
      let last = history.last(subject, like: example, before: start)
      if let last, last.distance(to: example.day) < span.notableGap { return nil }
      return Arrival(subject: subject, entries: entries, last: last)
    }
  }

  func firsts() -> [Recap.Statement] {
    let arrivals = arrivals()
    let limit = span.unit == "year" ? 8 : 5
    return new(arrivals.filter { $0.last == nil }, limit: limit)
      + back(arrivals.filter { $0.last != nil }, limit: limit)
  }

  private func new(_ arrivals: [Arrival], limit: Int) -> [Recap.Statement] {
    guard !arrivals.isEmpty else { return [] }
    let shown = arrivals.prefix(limit)
    let list = RecapText.list(
      shown.map { told($0) }, more: arrivals.count - shown.count, others: ("more", "more"))
    return [
      .init(
        "For the first time: \(list).", entries: arrivals.flatMap(\.entries),
        figures: [.init("new", Double(arrivals.count))])
    ]
  }

  private func told(_ arrival: Arrival) -> String {
    let name = arrival.subject.told
    guard span.unit != "day" else { return name }
    let count = arrival.entries.count
    guard count > 1 else {
      return span.unit == "week"
        ? "\(name) on \(dayName(arrival.entries[0].day))" : "\(name) (\(dayName(arrival.entries[0].day)))"
    }
    return span.unit == "week" ? name : "\(name) (\(count) entries)"
  }

  private func back(_ arrivals: [Arrival], limit: Int) -> [Recap.Statement] {
    // The longest gap first.
    let sorted = arrivals.sorted {
      ($0.last ?? .earliest, $0.subject) < ($1.last ?? .earliest, $1.subject)
    }
    return sorted.prefix(limit).compactMap { arrival in
      guard let last = arrival.last, let entry = arrival.entries.first else { return nil }
      let gap = Double(last.distance(to: entry.day))
      let figures = [Recap.Figure("days since", gap, unit: "days")]
      let since = sinceName(last)
      let on = span.unit == "day" ? "" : ", on \(dayName(entry.day))"
      let sentence =
        switch arrival.subject {
        case .place(let name): "First time at \(RecapSubject.place(name).told) since \(since)\(on)."
        case .person: "\(arrival.subject.told) is named for the first time since \(since)\(on)."
        case .tag: "First \(arrival.subject.told) since \(since)\(on)."
        }
      return .init(sentence, entries: arrival.entries, figures: figures)
    }
  }

  // MARK: Streaks

  struct Streak {
    var tag: String
    var first: DayKey
    var last: DayKey
    var length: Int { first.distance(to: last) + 1 }
  }

  /// Runs of days with a tag, going on or ended in the span.
  func streaks() -> [Recap.Statement] {
    guard let elapsed else { return [] }
    let least = span.unit == "year" ? 10 : span.unit == "month" ? 6 : 5
    var found = streaks(atLeast: least)
    found.sort { ($0.length, $1.tag) > ($1.length, $0.tag) }
    return found.prefix(span.unit == "day" ? 2 : 3).map { streak in
      let tag = RecapSubject.tag(streak.tag).told
      let days = RecapText.number(streak.length)
      let isGoingOn =
        streak.last == elapsed.upperBound || isSoFar && streak.last == today.advanced(by: -1)
      let sentence =
        if isGoingOn {
          "\(tag) has come up on \(days) days in a row, since \(streakStart(streak.first))."
        } else if streak.first < elapsed.lowerBound {
          "\(tag) had come up on \(days) days in a row when it stopped after \(dayName(streak.last))."
        } else {
          "\(tag) came up on \(days) days in a row, from \(dayName(streak.first)) to \(dayName(streak.last))."
        }
      let cited = ledger.entries(of: .tag(streak.tag)).filter {
        (streak.first...streak.last).contains($0.day)
      }
      return .init(
        sentence, entries: cited,
        figures: [.init("streak of \(streak.tag)", Double(streak.length), unit: "days")])
    }
  }

  private func streakStart(_ day: DayKey) -> String {
    day.year == span.days.lowerBound.year ? dayAndMonth(day) : day.plainName
  }

  /// The longest run of each tag of the span. On a day and in a week it must reach the end or have
  /// ended there; in a month or year any run counts.
  private func streaks(atLeast least: Int) -> [Streak] {
    guard let elapsed else { return [] }
    return ledger.bySubject.compactMap { subject, positions -> Streak? in
      guard case .tag(let tag) = subject else { return nil }
      let inside = RecapLedger.days(positions.lazy.map { ledger.entries[$0] })
      var best: Streak?
      var index = 0
      while index < inside.count {
        var end = index
        while end + 1 < inside.count, inside[end].distance(to: inside[end + 1]) == 1 { end += 1 }
        var streak = Streak(tag: tag, first: inside[index], last: inside[end])
        if streak.first == elapsed.lowerBound {
          streak.first = start(of: streak, earlier: before.bySubject[subject] ?? [])
        }
        if streak.length >= least, streak.length > best?.length ?? 0 { best = streak }
        index = end + 1
      }
      return best
    }
  }

  /// Where a run that reaches the span's first day began.
  private func start(of streak: Streak, earlier positions: [Int]) -> DayKey {
    var start = streak.first
    for position in positions.reversed() {
      let day = before.entries[position].day
      if day == start { continue }
      guard day.distance(to: start) == 1 else { return start }
      start = day
    }
    // It fills all that is at hand: the archive is asked for more of it, in windows that double.
    var length = 90
    while let first = history.first, start > first {
      let window = max(first, start.advanced(by: -length))...start.advanced(by: -1)
      for day in history.days(of: streak.tag, in: window).reversed() {
        guard day.distance(to: start) == 1 else { return start }
        start = day
      }
      guard start == window.lowerBound else { return start }
      length *= 2
    }
    return start
  }
}
