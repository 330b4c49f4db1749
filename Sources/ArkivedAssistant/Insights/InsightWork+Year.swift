import ArkivedCore

// A year as a grid of days.
extension InsightWork {
  func yearReport() -> InsightReport {
    let year = question.year
    let first = DayKey(year: year, month: 1, day: 1) ?? .earliest
    let span = first...(DayKey(year: year, month: 12, day: 31) ?? first)
    let days = livedDays(in: span)
    let figures = days.map { self.figures($0) } ?? []
    let moods = figures.contains { $0.1.mood != nil }
    let energies = figures.contains { $0.1.energy != nil }
    let name = question.of ?? (moods ? "mood" : energies ? "energy" : "entries")
    let shownYear = InsightSpan.padded(year)
    let title =
      switch name {
      case "mood": said("Mood in \(shownYear)")
      case "energy": said("Energy in \(shownYear)")
      default: said("Entries in \(shownYear)")
      }
    let choices = [
      InsightChoice(
        name: "year", label: said("Year"),
        options: years.map { .init(value: $0.argument, label: $0.argument) },
        chosen: InsightSpan.padded(year)),
      InsightChoice(
        name: "of", label: said("Show"),
        options: ["mood", "energy", "entries"].map {
          .init(value: $0, label: saidWhole(RecapText.capitalised($0)))
        }, chosen: name),
    ]
    guard let days else { return empty(title, choices) }
    let counts = entries(days).countsByDay()
    let told = Dictionary(figures.map { ($0.0, $0.1) }) { first, _ in first }
    func shown(_ day: DayKey) -> Int? {
      switch name {
      case "mood": return told[day]?.mood
      case "energy": return told[day]?.energy
      default:
        let place = days.lowerBound.distance(to: day)
        return counts.indices.contains(place) && counts[place] > 0 ? counts[place] : nil
      }
    }
    let values = days.map { shown($0) }
    let known = values.compactMap(\.self)
    let bounds = name == "entries" ? Self.bounds(known) : [1, 2, 3, 4, 5]
    var cells = [YearPixels.Cell?](
      repeating: nil, count: span.lowerBound.distance(to: span.upperBound) + 1)
    for day in span where day <= today {
      let value = days.contains(day) ? shown(day) : nil
      let level = value.map { value in max(1, bounds.lastIndex { $0 <= value }.map { $0 + 1 } ?? 1)
      }
      let words =
        switch name {
        case "mood": value.map { said("mood \($0)") } ?? said("no mood recorded")
        case "energy": value.map { said("energy \($0)") } ?? said("no energy recorded")
        default: InsightText.count(value ?? 0, "entry", "entries")
        }
      cells[span.lowerBound.distance(to: day)] = .init(
        level: level ?? 0, text: value.map(String.init) ?? "", words: words)
    }
    let legend = bounds.indices.map { index -> String in
      guard name == "entries" else { return "\(bounds[index])" }
      let next = index + 1 < bounds.count ? bounds[index + 1] - 1 : nil
      guard let next else { return said("\(bounds[index]) or more") }
      return next == bounds[index] ? "\(next)" : "\(bounds[index])–\(next)"
    }
    let (given, all) = (InsightText.count(known.count), InsightText.count(days.count))
    var statements: [String] =
      switch name {
      case "mood":
        [
          known.isEmpty
            ? said("No mood recorded in \(shownYear) yet.")
            : said(
              days.count, one: "Mood is recorded for \(given) of \(all) day.",
              other: "Mood is recorded for \(given) of \(all) days.")
        ]
      case "energy":
        [
          known.isEmpty
            ? said("No energy recorded in \(shownYear) yet.")
            : said(
              days.count, one: "Energy is recorded for \(given) of \(all) day.",
              other: "Energy is recorded for \(given) of \(all) days.")
        ]
      default:
        [
          known.isEmpty
            ? said("No entries in \(shownYear) yet.")
            : said(
              days.count, one: "\(given) of \(all) day has entries.",
              other: "\(given) of \(all) days have entries.")
        ]
      }
    if !known.isEmpty {
      let sum = known.reduce(0, +)
      let entries = InsightText.count(sum, "entry", "entries")
      let most = InsightText.count(known.max() ?? 0)
      let mean = InsightText.number(Double(sum) / Double(known.count))
      statements.append(
        name == "entries"
          ? said("\(entries) in total, at most \(most) in a day.")
          : said("The average is \(mean) out of 5."))
    }
    func level(_ value: Int?) -> InsightValue { value.map { .count($0) } ?? .empty }
    let table = InsightTable(
      [
        .init("day", said("Day")), .init("mood", said("Mood")), .init("energy", said("Energy")),
        .init("entries", said("Entries")),
      ],
      days.map { day in
        .init(
          [
            .day(day), level(told[day]?.mood), level(told[day]?.energy),
            .count(counts[days.lowerBound.distance(to: day)]),
          ], subject: .day(day))
      })
    return InsightReport(
      topic: .year, title: title, days: days, statements: statements,
      sections: [
        .init(
          "days", said("Day by day"),
          chart: .year(.init(year: year, name: name, cells: cells, legend: legend)), table: table)
      ], choices: choices)
  }

  /// Returns the lower bounds of five levels with about the same number of days each; fewer levels
  /// if counts hardly differ.
  static func bounds(_ counts: [Int]) -> [Int] {
    let sorted = counts.sorted()
    guard let least = sorted.first else { return [1] }
    var bounds = [least]
    for part in 1..<5 {
      let bound = sorted[sorted.count * part / 5]
      if let last = bounds.last, bound > last { bounds.append(bound) }
    }
    return bounds
  }
}
