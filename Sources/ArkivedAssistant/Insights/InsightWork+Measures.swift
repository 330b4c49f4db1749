import ArkivedCore

/// A quantity measured day by day.
struct InsightMeasure: Hashable {
  /// The measure as an argument: "metric:steps", "unit:km", "mood", "energy", "entries", "hours".
  var key: String
  var label: String
  var unit: String?
  /// True if its values add up; otherwise they are readings, which are averaged.
  var isAmount: Bool
  /// The factor from the stored unit to the displayed one.
  var factor = 1.0

  /// The label with its unit, if they differ.
  var heading: String {
    let unit = self.unit.flatMap { label.lowercased().contains($0.lowercased()) ? nil : $0 }
    return unit.map { "\(label), \($0)" } ?? label
  }

  /// The unit of entries' amounts; nil for other measures.
  var amountUnit: String? { key.hasPrefix("unit:") ? String(key.dropFirst(5)) : nil }
}

// Measures over time.
extension InsightWork {
  /// The minimum number of periods for a trend.
  private static var trendLeast: Int { 8 }

  /// Returns the archive's measures in some days, most frequent first.
  func measures(_ entries: InsightEntries, _ figures: [(DayKey, TimelineDay)]) -> [InsightMeasure] {
    var counts: [String: Int] = [:]
    for (_, day) in figures { for name in day.metrics.keys { counts[name, default: 0] += 1 } }
    var found = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map { name, _ in
      Self.metric(name, unit: timeline.metrics[name] ?? "")
    }
    let units = entries.units().sorted { ($0.value.entries, $1.key) > ($1.value.entries, $0.key) }
    found += units.map { unit, tally in
      let isRead = AmountLevel.isLevel([tally.least, tally.most], unit: unit)
      let shown = saidWhole(unit)
      return InsightMeasure(key: "unit:\(unit)", label: shown, unit: shown, isAmount: !isRead)
    }
    if figures.contains(where: { $0.1.mood != nil }) {
      found.append(.init(key: "mood", label: said("Mood"), unit: nil, isAmount: false))
    }
    if figures.contains(where: { $0.1.energy != nil }) {
      found.append(.init(key: "energy", label: said("Energy"), unit: nil, isAmount: false))
    }
    found.append(.init(key: "entries", label: said("Entries"), unit: nil, isAmount: true))
    found.append(
      .init(key: "hours", label: said("Hours recorded"), unit: said("hours"), isAmount: true))
    return found
  }

  /// Returns the measure for a device metric; minutes are shown as hours.
  static func metric(_ name: String, unit: String) -> InsightMeasure {
    let isMinutes = UnitTable.standard.isSame(unit, "minutes")
    let isPlain = unit == "count" || unit.isEmpty
    let shown: String? = isMinutes ? said("hours") : isPlain ? nil : saidWhole(unit)
    return InsightMeasure(
      key: "metric:\(name)", label: RecapText.capitalised(RecapText.metric(name)), unit: shown,
      isAmount: false, factor: isMinutes ? 1.0 / 60 : 1)
  }

  /// Returns the daily values of measures; for readings and metrics, each day's mean.
  func values(
    of measures: [InsightMeasure], _ entries: InsightEntries, _ figures: [(DayKey, TimelineDay)]
  ) -> [InsightMeasure: [Int: Double]] {
    let units = measures.compactMap(\.amountUnit)
    let amounts = units.isEmpty ? [:] : entries.amounts(of: units)
    var found: [InsightMeasure: [Int: Double]] = [:]
    for measure in measures {
      if let unit = measure.amountUnit {
        found[measure] = (amounts[unit] ?? [:]).mapValues {
          measure.isAmount ? $0.sum : $0.sum / Double(max(1, $0.entries))
        }
      } else {
        found[measure] = values(of: measure, entries, figures)
      }
    }
    return found
  }

  /// Returns the daily values of a measure other than a unit of entries.
  private func values(
    of measure: InsightMeasure, _ entries: InsightEntries, _ figures: [(DayKey, TimelineDay)]
  ) -> [Int: Double] {
    func told(_ value: (TimelineDay) -> Double?) -> [Int: Double] {
      var found: [Int: Double] = [:]
      for (day, figure) in figures {
        guard let value = value(figure), value.isFinite else { continue }
        found[day.daysSinceEpoch] = value * measure.factor
      }
      return found
    }
    switch measure.key {
    case "mood": return told { $0.mood.map(Double.init) }
    case "energy": return told { $0.energy.map(Double.init) }
    case "entries":
      var found: [Int: Double] = [:]
      for (place, count) in entries.countsByDay().enumerated() where count > 0 {
        found[entries.days.lowerBound.daysSinceEpoch + place] = Double(count)
      }
      return found
    case "hours":
      var found: [Int: Double] = [:]
      entries.each { table, ordinal in
        guard let minutes = InsightEntries.minutes(table, ordinal) else { return }
        found[Int(table.days[ordinal]), default: 0] += minutes / 60
      }
      return found
    default:
      let name = String(measure.key.drop { $0 != ":" }.dropFirst())
      return told { $0.metrics[name] }
    }
  }

  func measureReport() throws(FieldError) -> InsightReport {
    let title = said("Measurements over time")
    guard let days else { return empty(title, [spanChoice]) }
    let entries = self.entries(days)
    let figures = self.figures(days)
    let measures = self.measures(entries, figures)
    guard
      let measure = question.of.map({ key in measures.first { $0.key == key } }) ?? measures.first
    else {
      throw InsightQuestion.unknown("of", question.of ?? "", measures.prefix(20).map(\.key))
    }
    let asked = question.by.flatMap { InsightGrain(rawValue: $0) }
    let grain = Self.grain(for: days, asked: asked)
    let choices = [
      InsightChoice(
        name: "of", label: said("Measurement"),
        options: measures.map {
          .init(value: $0.key, label: ClippedLabel.of($0.label))
        }, chosen: measure.key),
      spanChoice,
      InsightChoice(
        name: "by", label: InsightGrain.label,
        options: InsightGrain.allCases.map {
          .init(value: $0.rawValue, label: saidWhole(RecapText.capitalised($0.rawValue)))
        }, chosen: grain.rawValue),
    ]
    let values = self.values(of: [measure], entries, figures)[measure] ?? [:]
    guard !values.isEmpty else {
      return InsightReport(
        topic: .measures, title: title, days: days,
        statements: [said("No values in this period: \(measure.label).")], sections: [],
        choices: choices)
    }
    let pieces = Self.pieces(values, days, grain, isAmount: measure.isAmount)
    // A partial period has a smaller sum than a whole one, or a mean over only a few days; both
    // would distort the line.
    let whole = pieces.enumerated().filter { _, piece in
      piece.days.lowerBound == grain.start(of: piece.days.lowerBound)
        && piece.days.upperBound.advanced(by: 1) == grain.next(after: piece.days.lowerBound)
        && piece.days.upperBound < today
    }
    let points = whole.compactMap { place, piece in
      piece.value.map { (x: Double(place), y: $0) }
    }
    let trend = points.count >= Self.trendLeast ? LeastSquares(points) : nil
    let piece = grain.word
    let words = question.span.words
    let all = InsightText.count(days.lowerBound.distance(to: days.upperBound) + 1)
    let known = InsightText.count(values.count)
    var statements = [
      measure.isAmount
        ? said("Total for each \(piece) in \(words).")
        : said(
          "Average for each \(piece) in \(words), from days with a value (\(known) of \(all)).")
    ]
    if let asked, asked != grain {
      statements.append(
        said("Too many \(asked.plural) for one chart, so they’re grouped by \(piece)."))
    }
    statements.append(Self.trendSentence(trend, measure, grain, points.map(\.x)))
    if whole.count < pieces.count, trend != nil {
      statements.append(said("An incomplete \(piece) doesn’t count toward the trend."))
    }
    let chart = SeriesChart(
      name: measure.label, unit: measure.unit, grain: grain, points: pieces.map(\.point),
      isAmount: measure.isAmount, trend: trend)
    var columns: [InsightTable.Column] = [
      .init("from", said("From")), .init("to", said("To")),
      .init("value", measure.isAmount ? said("Total") : said("Average"), unit: measure.unit),
      .init("days", said("Days with a value")),
    ]
    if trend != nil { columns.append(.init("trend", said("Trend"), unit: measure.unit)) }
    let rows = pieces.enumerated().map { place, piece in
      var cells: [InsightValue] = [
        .day(piece.days.lowerBound), .day(piece.days.upperBound), InsightValue(piece.value),
        .count(piece.told),
      ]
      if let trend { cells.append(InsightValue(trend.value(at: Double(place)))) }
      return InsightTable.Row(cells, subject: .days(piece.days))
    }
    return InsightReport(
      topic: .measures, title: title, days: days, statements: statements,
      sections: [
        .init(
          "series", measure.heading, chart: .series(chart), table: InsightTable(columns, rows))
      ],
      choices: choices)
  }

  private static func trendSentence(
    _ trend: LeastSquares?, _ measure: InsightMeasure, _ grain: InsightGrain, _ places: [Double]
  ) -> String {
    guard let trend else {
      return places.count < trendLeast
        ? said(
          "Too few \(grain.plural) with a value for a trend. At least \(trendLeast) are needed.")
        : said("No trend: all values are from the same \(grain.word).")
    }
    let unit = measure.unit.map { " " + $0 } ?? ""
    let (first, last) = (trend.value(at: places.first ?? 0), trend.value(at: places.last ?? 0))
    let (start, end) = (InsightText.number(first), InsightText.number(last) + unit)
    let slope = InsightText.signed(trend.slope) + unit
    return said(
      """
      Trend (least squares) over \(grain.count(trend.count)): \(slope) per \(grain.word), from \
      about \(start) to \(end).
      """)
  }

  struct Piece {
    var days: ClosedRange<DayKey>
    var value: Double?
    var told: Int
    var point: SeriesChart.Point
  }

  /// Returns the grain that yields a readable number of periods: the requested one, or a coarser
  /// one.
  static func grain(for days: ClosedRange<DayKey>, asked: InsightGrain?) -> InsightGrain {
    let length = days.lowerBound.distance(to: days.upperBound) + 1
    switch asked {
    case .day? where length <= 400: return .day
    case .week? where length <= 2_800: return .week
    case .month?: return .month
    case .day? where length <= 2_800: return .week
    case .day?, .week?: return .month
    case nil: return length <= 92 ? .day : length <= 1_100 ? .week : .month
    }
  }

  private static func pieces(
    _ values: [Int: Double], _ days: ClosedRange<DayKey>, _ grain: InsightGrain, isAmount: Bool
  ) -> [Piece] {
    var pieces: [Piece] = []
    var start = grain.start(of: days.lowerBound)
    while start <= days.upperBound {
      let next = grain.next(after: start)
      guard next > start else { break }
      let piece = max(start, days.lowerBound)...min(next.advanced(by: -1), days.upperBound)
      var (sum, told) = (0.0, 0)
      for day in piece.lowerBound.daysSinceEpoch...piece.upperBound.daysSinceEpoch {
        guard let value = values[day] else { continue }
        sum += value
        told += 1
      }
      let value = isAmount ? sum : told > 0 ? sum / Double(told) : nil
      pieces.append(
        Piece(
          days: piece, value: value, told: told,
          point: .init(days: piece, label: SpanText.shownDays(piece), value: value)))
      start = next
    }
    return pieces
  }
}

/// A label shortened for a list of choices.
enum ClippedLabel {
  static func of(_ text: String) -> String { RecapText.shortened(text, to: 60) }
}
