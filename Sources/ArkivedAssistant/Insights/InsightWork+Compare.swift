import ArkivedCore

// Two periods side by side.
extension InsightWork {
  private struct Line {
    var label: String
    var unit: String?
    var a: Double?
    var b: Double?
    var subject: InsightTable.Subject?

    /// The difference; nil unless both values are known.
    var difference: Double? { a.flatMap { a in b.map { a - $0 } } }
  }

  private struct Side {
    var days: ClosedRange<DayKey>
    var entries: InsightEntries
    var figures: [(DayKey, TimelineDay)]
    var length: Int { days.lowerBound.distance(to: days.upperBound) + 1 }
  }

  func compareReport() -> InsightReport {
    let (a, b) = question.periods
    let title = said("\(a.title) and \(b.title)")
    let choices = periodChoices
    guard lived != nil else { return empty(said("Compare two periods"), choices) }
    guard let daysA = begun(a.days), var daysB = begun(b.days) else {
      return InsightReport(
        topic: .compare, title: title, days: nil,
        statements: [
          said(
            """
            One of the periods is still in the future, so there’s nothing to compare yet.
            """)
        ],
        sections: [],
        choices: choices)
    }
    var statements: [String] = []
    let length = daysA.lowerBound.distance(to: daysA.upperBound) + 1
    let lengthB = daysB.lowerBound.distance(to: daysB.upperBound) + 1
    if daysA != a.days, lengthB > length {
      daysB = daysB.lowerBound...daysB.lowerBound.advanced(by: length - 1)
      let soFar = InsightText.count(length, "day")
      statements.append(
        said(
          """
          \(a.title) isn’t over yet, so it’s compared with only the first \(soFar) of \(b.title).
          """
        ))
    } else if length != lengthB {
      let (days, others) = (InsightText.count(length, "day"), InsightText.count(lengthB, "day"))
      statements.append(
        said("The periods are \(days) and \(others) long. Totals aren’t adjusted for length."))
    }
    statements.append(said("The difference is the first period minus the second."))
    let first = Side(days: daysA, entries: entries(daysA), figures: figures(daysA))
    let second = Side(days: daysB, entries: entries(daysB), figures: figures(daysB))
    let names = (a.title, b.title)
    var sections = [
      section("all", said("Overall"), totals(first, second), names),
      section("measures", said("Measurements"), measured(first, second), names),
    ]
    let time = (first.entries.time().entries + second.entries.time().entries) * 4
    let byHours = time >= first.entries.count + second.entries.count && time > 0
    sections.append(
      section(
        "kinds", byHours ? said("Hours by kind") : said("Entries by kind"),
        grouped(.kind, first, second, byHours: byHours), names, isChart: true))
    sections.append(
      section(
        "tags", said("Tags that changed most, by number of entries"),
        Array(grouped(.tag, first, second, byHours: false).prefix(12)), names, isChart: true))
    return InsightReport(
      topic: .compare, title: title,
      days: min(daysA.lowerBound, daysB.lowerBound)...max(daysA.upperBound, daysB.upperBound),
      statements: statements, sections: sections.filter { !$0.table.rows.isEmpty },
      choices: choices)
  }

  /// Returns the days of a period up to today; nil if it hasn't begun.
  private func begun(_ days: ClosedRange<DayKey>) -> ClosedRange<DayKey>? {
    days.lowerBound > today ? nil : days.lowerBound...min(days.upperBound, today)
  }

  private func totals(_ a: Side, _ b: Side) -> [Line] {
    func each(_ label: String, _ unit: String? = nil, _ value: (Side) -> Double?) -> Line {
      Line(label: label, unit: unit, a: value(a), b: value(b))
    }
    func mean(_ side: Side, _ value: (TimelineDay) -> Int?) -> Double? {
      let told = side.figures.compactMap { value($0.1) }
      return told.isEmpty ? nil : Double(told.reduce(0, +)) / Double(told.count)
    }
    return [
      each(said("Entries")) { Double($0.entries.count) },
      each(said("Days with entries")) { side in
        Double(side.entries.countsByDay().reduce(0) { $0 + ($1 > 0 ? 1 : 0) })
      },
      each(said("Hours recorded")) { $0.entries.time().minutes / 60 },
      each(said("People")) { Double($0.entries.sums(.person).count) },
      each(said("Places")) { Double($0.entries.sums(.place).count) },
      each(said("Average mood")) { mean($0) { $0.mood } },
      each(said("Average energy")) { mean($0) { $0.energy } },
    ].filter { $0.a != nil || $0.b != nil }
  }

  private func measured(_ a: Side, _ b: Side) -> [Line] {
    let known = measures(a.entries, a.figures) + measures(b.entries, b.figures)
    var seen: Set<String> = ["mood", "energy", "entries", "hours"]
    let wanted = known.filter { seen.insert($0.key).inserted }
    let (first, second) = (
      values(of: wanted, a.entries, a.figures), values(of: wanted, b.entries, b.figures)
    )
    return wanted.map { measure in
      func value(_ told: [InsightMeasure: [Int: Double]]) -> Double? {
        let values = told[measure] ?? [:]
        let sum = values.values.reduce(0, +)
        if measure.isAmount { return sum }
        return values.isEmpty ? nil : sum / Double(values.count)
      }
      let label = ClippedLabel.of(measure.label)
      return Line(
        label: measure.isAmount ? said("\(label), total") : said("\(label), daily average"),
        unit: measure.unit, a: value(first),
        b: value(second))
    }
  }

  /// Returns the names in both periods, those with the largest difference first.
  private func grouped(
    _ naming: InsightEntries.Naming, _ a: Side, _ b: Side, byHours: Bool
  ) -> [Line] {
    let (first, second) = (a.entries.sums(naming), b.entries.sums(naming))
    func value(_ sum: InsightEntries.Sum?) -> Double {
      byHours ? (sum?.minutes ?? 0) / 60 : Double(sum?.entries ?? 0)
    }
    return Set(first.keys).union(second.keys).map { name in
      Line(
        label: naming == .tag ? "#" + name : InsightText.kind(name), a: value(first[name]),
        b: value(second[name]), subject: naming == .tag ? .tag(name) : .kind(name))
    }.filter { $0.a != 0 || $0.b != 0 }.sorted {
      (abs($0.difference ?? 0), $1.label) > (abs($1.difference ?? 0), $0.label)
    }
  }

  private func section(
    _ key: String, _ heading: String, _ lines: [Line], _ names: (a: String, b: String),
    isChart: Bool = false
  ) -> InsightReport.Section {
    let hasUnits = lines.contains { $0.unit != nil }
    let chart = RowChart(
      names: [names.a, names.b],
      rows: lines.map { line in
        .init(
          label: line.label, values: [line.a ?? 0, line.b ?? 0],
          text: said("\(InsightText.number(line.a ?? 0)) and \(InsightText.number(line.b ?? 0))"))
      })
    var columns: [InsightTable.Column] = [.init("what", said("What"))]
    if hasUnits { columns.append(.init("unit", said("Unit"))) }
    columns += [
      .init("first", names.a), .init("second", names.b),
      .init("difference", said("Difference"), isSigned: true),
    ]
    let rows = lines.map { line in
      var cells: [InsightValue] = [.text(line.label)]
      if hasUnits { cells.append(line.unit.map { InsightValue.text($0) } ?? .empty) }
      cells += [InsightValue(line.a), InsightValue(line.b), InsightValue(line.difference)]
      return InsightTable.Row(cells, subject: line.subject)
    }
    return InsightReport.Section(
      key, heading, chart: isChart && !lines.isEmpty ? .rows(chart) : nil,
      table: InsightTable(columns, rows), isList: !isChart)
  }

  /// The last 24 months and all years.
  private var periodChoices: [InsightChoice] {
    var periods: [InsightPeriod] = []
    if let lived {
      periods = (0..<24).map { .month(today.startOfMonth.adding(months: -$0)) }
        .filter { $0.days.upperBound >= lived.lowerBound }
      periods += stride(from: today.year, through: lived.lowerBound.year, by: -1).map { .year($0) }
    }
    func choice(_ name: String, _ label: String, _ chosen: InsightPeriod) -> InsightChoice {
      let all = periods.contains { $0.argument == chosen.argument } ? periods : [chosen] + periods
      return InsightChoice(
        name: name, label: label,
        options: all.map { .init(value: $0.argument, label: $0.title) }, chosen: chosen.argument)
    }
    return [
      choice("a", said("First period"), question.periods.a),
      choice("b", said("Second period"), question.periods.b),
    ]
  }
}
