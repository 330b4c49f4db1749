import ArkivedCore

// Where time goes: by kind, by tag, by person.
extension InsightWork {
  private static var timeLimit: Int { 20 }

  func timeReport() -> InsightReport {
    let title = "Where time goes"
    guard let days else { return empty(title, [spanChoice]) }
    let entries = self.entries(days)
    let time = entries.time()
    // Hours of a few entries say little about where time went.
    let byHours =
      question.by.map { $0 == "hours" } ?? (time.entries * 4 >= entries.count && time.entries > 0)
    let choices = [
      spanChoice,
      InsightChoice(
        name: "by", label: "Count",
        options: [
          .init(value: "hours", label: "Hours"), .init(value: "entries", label: "Entries"),
        ],
        chosen: byHours ? "hours" : "entries"),
    ]
    guard entries.count > 0 else { return empty(title, choices) }
    var statements = [
      "\(InsightText.count(entries.count, "entry", "entries")) in \(question.span.words); "
        + (time.entries == 0
          ? "none tells how long it took, so entries are counted."
          : "\(InsightText.count(time.entries)) of them tell how long they took, "
            + "\(InsightText.number(time.minutes / 60)) hours in all.")
    ]
    if time.entries > 0 {
      statements.append(
        byHours
          ? "Hours are those of these entries alone." : "Entries are counted, whatever they took.")
    }
    statements.append("An entry with two tags or people counts for both.")
    let parts: [(key: String, heading: String, naming: InsightEntries.Naming)] = [
      ("kinds", "By kind", .kind), ("tags", "By tag", .tag), ("people", "By person", .person),
    ]
    let sections = parts.compactMap { part in
      timeSection(part.key, part.heading, part.naming, entries.sums(part.naming), byHours)
    }
    return InsightReport(
      topic: .time, title: title, days: days, statements: statements, sections: sections,
      choices: choices)
  }

  private func timeSection(
    _ key: String, _ heading: String, _ naming: InsightEntries.Naming,
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
      case .kind: RecapText.capitalised(name)
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
      key, heading,
      note: ordered.count > shown.count
        ? "The first \(shown.count) of \(InsightText.count(ordered.count)) are told." : nil,
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
          .init("name", RecapText.capitalised(String(heading.dropFirst(3)))),
          .init("hours", "Hours"),
          .init("timed", "Entries with a length"), .init("entries", "Entries"),
        ],
        shown.map { name, sum in
          .init(
            [
              .text(naming == .kind ? RecapText.capitalised(name) : name),
              sum.timed > 0 ? .number(sum.minutes / 60) : .empty, .count(sum.timed),
              .count(sum.entries),
            ], subject: subject(name))
        }))
  }
}
