import ArkivedCore

// Time spent by kind, by tag, by person.
extension InsightWork {
  private static var timeLimit: Int { 20 }

  func timeReport() -> InsightReport {
    let title = said("Where your time goes")
    guard let days else { return empty(title, [spanChoice]) }
    let entries = self.entries(days)
    let time = entries.time()
    // The hours of only a few entries say little about where time went.
    let byHours =
      question.by.map { $0 == "hours" } ?? (time.entries * 4 >= entries.count && time.entries > 0)
    let choices = [
      spanChoice,
      InsightChoice(
        name: "by", label: said("Count"),
        options: [
          .init(value: "hours", label: said("Hours")),
          .init(value: "entries", label: said("Entries")),
        ],
        chosen: byHours ? "hours" : "entries"),
    ]
    guard entries.count > 0 else { return empty(title, choices) }
    let count = InsightText.count(entries.count, "entry", "entries")
    let words = question.span.words
    let timed = InsightText.count(time.entries)
    let hours = InsightText.number(time.minutes / 60)
    let number = hours == "1" ? 1 : 2
    var statements = [
      time.entries == 0
        ? said("\(count) in \(words). None has a duration, so entries are counted.")
        : said(
          number,
          one: "\(count) in \(words), \(timed) with a duration (\(hours) hour in total).",
          other: "\(count) in \(words), \(timed) with a duration (\(hours) hours in total).")
    ]
    if time.entries > 0 {
      statements.append(
        byHours
          ? said("The hours come from these entries alone.")
          : said("Entries are counted, however long they took."))
    }
    statements.append(said("An entry with two tags or people counts for both."))
    let parts: [(key: String, heading: String, noun: String, naming: InsightEntries.Naming)] = [
      ("kinds", said("By kind"), said("Kind"), .kind), ("tags", said("By tag"), said("Tag"), .tag),
      ("people", said("By person"), said("Person"), .person),
    ]
    let sections = parts.compactMap { part in
      timeSection(
        part.key, (part.heading, part.noun), part.naming, entries.sums(part.naming), byHours)
    }
    return InsightReport(
      topic: .time, title: title, days: days, statements: statements, sections: sections,
      choices: choices)
  }

  private func timeSection(
    _ key: String, _ names: (heading: String, noun: String), _ naming: InsightEntries.Naming,
    _ sums: [String: InsightEntries.Sum], _ byHours: Bool
  ) -> InsightReport.Section? {
    let ordered = sums.filter { !byHours || $0.value.timed > 0 }.sorted { left, right in
      let (first, second) = (left.value, right.value)
      return byHours && first.minutes != second.minutes
        ? first.minutes > second.minutes
        : first.entries != second.entries
          ? first.entries > second.entries : left.key < right.key
    }
    guard !ordered.isEmpty else { return nil }
    func label(_ name: String) -> String {
      switch naming {
      case .kind: InsightText.kind(name)
      case .tag: "#" + name
      case .person, .place: name
      }
    }
    func subject(_ name: String) -> InsightTable.Subject {
      switch naming {
      case .kind: .kind(name)
      case .tag: .tag(name)
      case .person: .person(name)
      case .place: .place(name)
      }
    }
    let shown = ordered.prefix(Self.timeLimit)
    return InsightReport.Section(
      key, names.heading,
      note: ordered.count > shown.count
        ? said("Showing the first \(shown.count) of \(InsightText.count(ordered.count)).") : nil,
      chart: .rows(
        RowChart(
          rows: shown.prefix(12).map { name, sum in
            .init(
              label: label(name), values: [byHours ? sum.minutes / 60 : Double(sum.entries)],
              text: byHours
                ? RecapText.roughDuration(sum.minutes)
                : InsightText.count(sum.entries, "entry", "entries"))
          })),
      table: InsightTable(
        [
          .init("name", names.noun),
          .init("hours", said("Hours")),
          .init("timed", said("Entries with a duration")), .init("entries", said("Entries")),
        ],
        shown.map { name, sum in
          .init(
            [
              .text(naming == .kind ? InsightText.kind(name) : name),
              sum.timed > 0 ? .number(sum.minutes / 60) : .empty, .count(sum.timed),
              .count(sum.entries),
            ], subject: subject(name))
        }))
  }
}
