import ArkivedCore

// Values over the span, for small charts.
extension RecapWork {
  func series() -> [Recap.Series] {
    guard let elapsed, !ledger.entries.isEmpty || !days.isEmpty || !notes.isEmpty else { return [] }
    switch span {
    case .day: return []
    case .week, .month: return perDay(elapsed)
    case .year: return perMonth(elapsed)
    }
  }

  private func perDay(_ range: ClosedRange<DayKey>) -> [Recap.Series] {
    let label = { (day: DayKey) in
      span.unit == "week" ? Language.current.short(day.weekday) : String(day.day)
    }
    var result = [
      Recap.Series(
        name: "entries", unit: nil,
        points: range.map {
          .init(label: label($0), day: $0, value: Double(ledger.byDay[$0]?.count ?? 0))
        })
    ]
    let moods = Dictionary(days.map { ($0.day, $0.value.mood) }) { first, _ in first }
    if moods.values.contains(where: { $0 != nil }) {
      result.append(
        .init(
          name: "mood", unit: nil,
          points: range.map {
            .init(label: label($0), day: $0, value: (moods[$0] ?? nil).map(Double.init))
          }))
    }
    return result
  }

  private func perMonth(_ range: ClosedRange<DayKey>) -> [Recap.Series] {
    let months = (1...range.upperBound.month).compactMap {
      DayKey(year: range.lowerBound.year, month: $0, day: 1)
    }
    func points(_ value: (ClosedRange<DayKey>) -> Double?) -> [Recap.Series.Point] {
      months.map { month in
        .init(
          label: MonthName.short(month.month), day: month,
          value: value(RecapSpan.month(month).days))
      }
    }
    var result = [
      Recap.Series(name: "entries", unit: nil, points: points { Double(ledger.count(in: $0)) })
    ]
    let moods = days.compactMap { day, value in value.mood.map { (day, Double($0)) } }
    if !moods.isEmpty {
      result.append(
        .init(
          name: "mood", unit: nil,
          points: points { range in
            let inside = moods.filter { range.contains($0.0) }.map(\.1)
            return inside.isEmpty ? nil : inside.reduce(0, +) / Double(inside.count)
          }))
    }
    let amounts = owners.amounts(in: ledger)
    for (measure, told) in amounts.sorted(by: {
      ($0.value.count, $1.key) > ($1.value.count, $0.key)
    })
    .prefix(3) {
      result.append(
        .init(
          name: measure.label, unit: measure.unit,
          points: points { range in
            told.reduce(0) { range.contains($1.day) ? $0 + $1.amount : $0 }
          }))
    }
    return result
  }
}
