import ArkivedCore

// Repeated activities, by tag.
extension InsightWork {
  /// The maximum number of tags listed.
  private static var habitLimit: Int { 30 }

  func habitReport() -> InsightReport {
    let title = said("Habits and streaks")
    guard let days else { return empty(title, [spanChoice]) }
    let length = days.lowerBound.distance(to: days.upperBound) + 1
    let weeks = Double(length) / 7
    let (before, after) = (daysBefore(days), daysAfter(days))
    let habits = entries(days).days(.tag).map {
      name, days -> (name: String, days: Int, runs: DayRuns) in
      // A streak that reaches into the period began before it, and one that reaches out of it ended
      // later.
      let all = (before[name] ?? []) + days + (after[name] ?? [])
      let runs = DayRuns(all, today: today.daysSinceEpoch)
      return (name, days.count, runs)
    }.sorted { ($0.days, $1.name) > ($1.days, $0.name) }
    let shown = habits.prefix(Self.habitLimit)
    var statements = [
      said(
        "Tags in \(question.span.words). A day counts once, however often it has the tag.")
    ]
    if question.span != .everything, let lived, lived.lowerBound == days.lowerBound {
      let first = days.lowerBound.shownPlainName
      statements.append(said("Counted from \(first), the archive’s first day."))
    }
    if habits.isEmpty {
      statements = [said("No entry in this period has a tag. To add one, write #name in an entry.")]
    } else if habits.count > shown.count {
      let all = InsightText.count(habits.count, "tag")
      statements.append(said("Showing the \(shown.count) most frequent of \(all)."))
    }
    let endsToday = days.upperBound == today
    let columns: [InsightTable.Column] = [
      .init("tag", said("Tag")), .init("days", said("Days")), .init("perWeek", said("Per week")),
      .init("current", said("Current streak"), unit: said("days")),
      .init("longest", said("Longest streak"), unit: said("days")),
      .init("until", said("Ended"), isDetail: true),
    ]
    let rows = shown.map { habit in
      let end = habit.runs.longestEnd.map { DayKey(clamping: $0) }
      return InsightTable.Row(
        [
          .text(habit.name), .count(habit.days), .number(Double(habit.days) / weeks),
          endsToday ? .count(habit.runs.current) : .empty, .count(habit.runs.longest),
          end.map { .day($0) } ?? .empty,
        ], subject: .tag(habit.name))
    }
    var sections: [InsightReport.Section] = []
    if !shown.isEmpty {
      sections.append(
        .init(
          "habits", said("Days per tag"),
          note: endsToday
            ? said("A streak ends after a whole day without the tag.") : nil,
          chart: .rows(
            RowChart(
              rows: shown.prefix(15).map { habit in
                let current = InsightText.count(habit.runs.current, "day")
                let streak =
                  endsToday && habit.runs.current > 1 ? said(", \(current) in a row now") : ""
                return .init(
                  label: "#" + habit.name, values: [Double(habit.days)],
                  text: InsightText.count(habit.days, "day") + streak)
              }, limit: Double(length))), table: InsightTable(columns, Array(rows)), isList: true))
    }
    return InsightReport(
      topic: .habits, title: title, days: days, statements: statements, sections: sections,
      choices: [spanChoice])
  }

  /// Returns the days before a period for every tag on the period's first day, back to the
  /// beginning of the streak of which that day is a part.
  ///
  /// Most streaks are short, so only as many days are read as the longest one has.
  private func daysBefore(_ days: ClosedRange<DayKey>) -> [String: [Int]] {
    guard let lived, lived.lowerBound < days.lowerBound else { return [:] }
    let first = days.lowerBound
    var starts = entries(first...first).days(.tag).mapValues { _ in first.daysSinceEpoch }
    var (running, last, length) = (Set(starts.keys), first.advanced(by: -1), 64)
    while !running.isEmpty {
      let begin = max(lived.lowerBound, last.advanced(by: 1 - length))
      let earlier = entries(begin...last).days(.tag)
      for tag in running {
        var start = last.daysSinceEpoch + 1
        for day in (earlier[tag] ?? []).reversed() {
          guard day == start - 1 else { break }
          start = day
        }
        starts[tag] = start
        if start > begin.daysSinceEpoch { running.remove(tag) }
      }
      guard begin > lived.lowerBound else { break }
      (last, length) = (begin.advanced(by: -1), length * 2)
    }
    return starts.mapValues { Array($0..<first.daysSinceEpoch) }
  }

  /// Returns the days after a period for every tag on the period's last day, up to the end of the
  /// streak of which that day is a part; like `daysBefore`, it reads only as many days as needed.
  private func daysAfter(_ days: ClosedRange<DayKey>) -> [String: [Int]] {
    let last = days.upperBound
    guard last < today else { return [:] }
    var ends = entries(last...last).days(.tag).mapValues { _ in last.daysSinceEpoch }
    var (running, first, length) = (Set(ends.keys), last.advanced(by: 1), 64)
    while !running.isEmpty {
      let isLast = first.distance(to: today) < length
      let until = isLast ? today : first.advanced(by: length - 1)
      let later = entries(first...until).days(.tag)
      for tag in running {
        var end = first.daysSinceEpoch - 1
        for day in later[tag] ?? [] {
          guard day == end + 1 else { break }
          end = day
        }
        ends[tag] = end
        if end < until.daysSinceEpoch { running.remove(tag) }
      }
      guard !isLast else { break }
      (first, length) = (until.advanced(by: 1), length * 2)
    }
    return ends.mapValues { Array((last.daysSinceEpoch + 1)..<($0 + 1)) }
  }
}
