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
    let habits = entries(days).days(.tag).map { name, days in
      (name: name, days: days.count, runs: DayRuns(days, today: today.daysSinceEpoch))
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
}
