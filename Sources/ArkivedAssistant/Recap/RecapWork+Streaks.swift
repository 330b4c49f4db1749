import ArkivedCore

extension RecapWork {
  struct Streak {
    var tag: String
    var first: DayKey
    var last: DayKey
    var length: Int { first.distance(to: last) + 1 }
  }

  /// Describes streaks of days with a tag that are current or ended in the span.
  func streaks() -> [Recap.Statement] {
    guard let elapsed else { return [] }
    var found = streaks(atLeast: span.unit == "year" ? 10 : 7)
    found.sort { ($0.length, $1.tag) > ($1.length, $0.tag) }
    // A journey's two tags are a single streak.
    var told: [Streak] = []
    for streak in found {
      let isInside = told.contains { $0.first <= streak.first && streak.last <= $0.last }
      if !isInside { told.append(streak) }
    }
    return told.prefix(span.unit == "day" ? 2 : 3).map { streak in
      let tag = RecapSubject.tag(streak.tag).told
      let days = RecapText.number(streak.length)
      let last = dayName(streak.last)
      let isGoingOn =
        streak.last == elapsed.upperBound || isSoFar && streak.last == today.advanced(by: -1)
      let sentence =
        if isGoingOn {
          said("\(tag) has come up \(days) days in a row, since \(lastName(streak.first)).")
        } else if streak.first < elapsed.lowerBound {
          said("\(tag) came up \(days) days in a row, ending on \(last).")
        } else {
          said("\(tag) came up \(days) days in a row, from \(dayName(streak.first)) to \(last).")
        }
      let cited = ledger.entries(of: .tag(streak.tag)).filter {
        (streak.first...streak.last).contains($0.day)
      }
      return .init(
        sentence, entries: cited,
        figures: [.init("streak of \(streak.tag)", Double(streak.length), unit: "days")])
    }
  }

  /// Returns the longest streak of each tag in the span, including earlier days that belong to it.
  private func streaks(atLeast least: Int) -> [Streak] {
    guard let elapsed else { return [] }
    return ledger.bySubject.compactMap { subject, positions -> Streak? in
      guard case .tag(let tag) = subject else { return nil }
      // A subject that occurs many times a day is part of everyday life, not a streak.
      let around = before.bySubject[subject]?.count ?? 0
      guard positions.count + around <= 2 * (ledger.byDay.count + before.byDay.count) else {
        return nil
      }
      let inside = ledger.days(at: positions)
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

  /// Returns the start of a streak that includes the span's first day.
  private func start(of streak: Streak, earlier positions: [Int]) -> DayKey {
    var start = streak.first
    for position in positions.reversed() {
      let day = before.days[position]
      if day == start { continue }
      guard day.distance(to: start) == 1 else { return start }
      start = day
    }
    // It fills all loaded days, so the archive is queried further back, in doubling windows.
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

  // MARK: Weekly rhythms

  /// Describes weekly habits: kept up for long, or missed once.
  func rhythms() -> [Recap.Statement] {
    guard case .week = span, !isSoFar, peers.count >= 8 else { return [] }
    let subjects = before.bySubject.compactMap { subject, positions -> (RecapSubject, [DayKey])? in
      guard case .tag = subject, positions.count <= peers.count * 2 else { return nil }
      return (subject, positions.map { before.days[$0] })
    }
    var kept: [(subject: RecapSubject, weeks: Int)] = []
    var missed: [(subject: RecapSubject, weeks: Int)] = []
    for (subject, days) in subjects {
      let weeks = Set(days.map { $0.startOfWeek() })
      var run = 0
      while weeks.contains(span.days.lowerBound.advanced(by: -7 * (run + 1))) { run += 1 }
      guard run >= 8 else { continue }
      if run == span.usualCount { run = weeksInARow(of: subject) }
      if ledger.bySubject[subject] == nil {
        missed.append((subject, run))
      } else {
        kept.append((subject, run + 1))
      }
    }
    func first(_ items: [(subject: RecapSubject, weeks: Int)], _ limit: Int)
      -> [(subject: RecapSubject, weeks: Int)]
    {
      Array(items.sorted { ($0.weeks, $1.subject) > ($1.weeks, $0.subject) }.prefix(limit))
    }
    return first(kept, 1).map { item -> Recap.Statement in
      let weeks = RecapText.number(item.weeks)
      return .init(
        said("\(item.subject.told) has come up every week for \(weeks) weeks."),
        entries: ledger.entries(of: item.subject),
        figures: [.init("weeks of \(item.subject.told)", Double(item.weeks), unit: "weeks")])
    }
      + first(missed, 2).map { item -> Recap.Statement in
        let weeks = RecapText.number(item.weeks)
        return .init(
          said("No \(item.subject.told) this week, after \(weeks) weeks in a row."),
          entries: (before.bySubject[item.subject] ?? []).suffix(1).map { before.entries[$0] },
          figures: [.init("weeks of \(item.subject.told)", Double(item.weeks), unit: "weeks")])
      }
  }

  /// Returns the number of consecutive weeks with a tag before this one, beyond those loaded.
  private func weeksInARow(of subject: RecapSubject) -> Int {
    guard case .tag(let tag) = subject else { return 0 }
    var run = span.usualCount
    let start = span.days.lowerBound
    var length = 26
    while let first = history.first, start.advanced(by: -7 * run) > first {
      let end = start.advanced(by: -7 * run - 1)
      let window = end.advanced(by: 1 - 7 * length)...end
      let weeks = Set(history.days(of: tag, in: window).map { $0.startOfWeek() })
      var found = 0
      while found < length, weeks.contains(start.advanced(by: -7 * (run + 1))) {
        run += 1
        found += 1
      }
      if found < length { return run }
      length *= 2
    }
    return run
  }
}
