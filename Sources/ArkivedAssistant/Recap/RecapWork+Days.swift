import ArkivedCore

// What days say themselves: the numbers of devices, mood and energy.
extension RecapWork {
  private struct Reading {
    var name: String
    var amount: String
    var comparison: String?
    var isUnusual: Bool
    var figure: Recap.Figure
    var citations: [Recap.Citation]
  }

  /// The means of each metric over the span's days, against the spans before: first what is unlike
  /// the usual, then the rest.
  func metrics() -> [Recap.Statement] {
    // A watch tells dozens; of those that matter to most, no more are told than can be read.
    let names = MetricText.ordered(Set(days.flatMap { $0.value.metrics.keys })).prefix(8).sorted()
    let readings = names.compactMap(reading)
    let verb = span.unit == "day" ? "came to" : "averaged"
    let unusual = readings.filter { $0.isUnusual }
    var statements: [Recap.Statement] = []
    if !unusual.isEmpty {
      // "Sleep came to 6 h, …; steps to 5,000, …"
      let next = span.unit == "day" ? " to" : ""
      let clauses = unusual.enumerated().map { index, reading in
        let verb = index == 0 ? " \(verb)" : next
        return "\(reading.name)\(verb) \(reading.amount), \(reading.comparison ?? "")"
      }
      statements.append(statement(clauses.joined(separator: "; "), unusual))
    }
    let like = readings.filter { !$0.isUnusual && $0.comparison != nil }
    if !like.isEmpty {
      let told = like.map { "\($0.name) (\($0.amount))" }
      let plural = like.count > 1 || like[0].name.hasSuffix("s")
      statements.append(
        statement("\(RecapText.list(told)) \(plural ? "were" : "was") about as \(usualWord)", like))
    }
    let bare = readings.filter { $0.comparison == nil }
    if !bare.isEmpty {
      let told = bare.enumerated().map { index, reading in
        "\(reading.name)\(index == 0 ? " \(verb)" : "") \(reading.amount)"
      }
      statements.append(statement(RecapText.list(told), bare))
    }
    return statements
  }

  private func statement(_ sentence: String, _ readings: [Reading]) -> Recap.Statement {
    .init(
      RecapText.capitalised(sentence) + ".", citing: readings.flatMap(\.citations),
      figures: readings.map(\.figure))
  }

  private var usualWord: String {
    guard case .year(let day) = span else { return "usual" }
    return "in \(day.year - 1)"
  }

  private func reading(_ name: String) -> Reading? {
    let told = days.filter { $0.value.metrics[name]?.isFinite == true }
    guard let mean = mean(told.compactMap { $0.value.metrics[name] }) else { return nil }
    let unit = metricUnits[name] ?? ""
    let shown = rounded(mean, unit)
    // A day's number is not complete before its end.
    var usual = isSoFar && span.unit == "day" ? nil : usualLevel { $0.metrics[name] }
    let figure = Recap.Figure(name, mean, usual: usual, unit: unit)
    var isUnusual = false
    if let value = usual?.value {
      usual?.value = rounded(value, unit)
      isUnusual = value == 0 ? mean > 0 : !(0.92...1.08).contains(mean / value)
    }
    let citations = told.map { day, value -> Recap.Citation in
      let amount = RecapText.amount(value.metrics[name] ?? 0, unit)
      return .day(day, id: value.id, value: "\(RecapText.metric(name)) \(amount)")
    }
    return Reading(
      name: RecapText.metric(name), amount: RecapText.amount(shown, unit),
      comparison: usual?.comparison(of: shown, unit: unit, .level), isUnusual: isUnusual,
      figure: figure, citations: citations)
  }

  func mood() -> [Recap.Statement] {
    let moods = days.filter { $0.value.mood != nil }
    let energies = days.filter { $0.value.energy != nil }
    let mood = mean(moods.compactMap { $0.value.mood.map(Double.init) })
    let energy = mean(energies.compactMap { $0.value.energy.map(Double.init) })
    let isDay = span.unit == "day"
    var figures: [Recap.Figure] = []
    var sentence = ""
    if let mood {
      let usual = usualLevel { $0.mood.map(Double.init) }
      figures.append(.init("mood", mood, usual: usual))
      sentence = "Mood \(isDay ? "was" : "averaged") \(level(mood)) out of 5"
      if !isDay { sentence += " over \(RecapText.count(moods.count, "day"))" }
      if let usual { sentence += ", " + compared(mood, usual) }
      if !isDay, let clause = extremes(moods) { sentence += "; " + clause }
    }
    if let energy {
      let usual = usualLevel { $0.energy.map(Double.init) }
      figures.append(.init("energy", energy, usual: usual))
      let clause = "nergy \(isDay ? "was" : "averaged") \(level(energy))"
      sentence += sentence.isEmpty ? "E\(clause) out of 5" : ". E\(clause)"
      if let usual { sentence += ", " + compared(energy, usual) }
    }
    guard !sentence.isEmpty else { return [] }
    if isDay, let mood, let energy, figures.allSatisfy({ $0.usual == $0.value }) {
      sentence = "Mood (\(level(mood)) out of 5) and energy (\(level(energy))) were as usual"
    }
    let citations = days.compactMap { day, value -> Recap.Citation? in
      let parts = [value.mood.map { "mood \($0)" }, value.energy.map { "energy \($0)" }]
        .compactMap(\.self)
      return parts.isEmpty
        ? nil : .day(day, id: value.id, value: parts.joined(separator: ", "))
    }
    return [.init(sentence + ".", citing: citations, figures: figures)]
  }

  /// "best on Tuesday (5), lowest on Friday (1)", where one day stands out on each side.
  private func extremes(_ moods: [(day: DayKey, value: TimelineDay)]) -> String? {
    let values = moods.compactMap(\.value.mood)
    guard let best = values.max(), let worst = values.min(), best > worst, values.count >= 3 else {
      return nil
    }
    func clause(_ word: String, _ value: Int) -> String {
      let days = moods.filter { $0.value.mood == value }.map(\.day)
      if days.count > 3 { return "\(value) on \(RecapText.count(days.count, "day"))" }
      return "\(word) on \(RecapText.list(days.map(dayName))) (\(value))"
    }
    return "\(clause("best", best)), \(clause("lowest", worst))"
  }

  private func compared(_ value: Double, _ usual: Usual) -> String {
    let (one, other) = ((value * 10).rounded() / 10, (usual.value * 10).rounded() / 10)
    if one == other { return usual.comparison(of: usual.value, unit: nil, .level) }
    return "\(one > other ? "above" : "below") \(usual.phrase(RecapText.plain(other)))"
  }

  private func level(_ value: Double) -> String { RecapText.plain(value) }

  /// A device's number is told as it was given; means of large ones without a fraction.
  private func rounded(_ value: Double, _ unit: String) -> Double {
    abs(value) >= 20 ? value.rounded() : value
  }

  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The usual level of a day's value: the median of the days before, or of the means of the spans
  /// before; for a year the mean of the year before.
  private func usualLevel(_ value: (TimelineDay) -> Double?) -> Usual? {
    let told = daysBefore.compactMap { day, content -> (DayKey, Double)? in
      value(content).flatMap { $0.isFinite ? (day, $0) : nil }
    }
    if case .day = span {
      guard told.count >= 10, let median = Usual.median(told.map(\.1)) else { return nil }
      return Usual(
        value: median, basis: "median of \(told.count) days before", before: "the usual", after: "")
    }
    let means = peers.compactMap { range in mean(told.filter { range.contains($0.0) }.map(\.1)) }
    return usual(means)
  }

  /// What earlier spans say is usual for a number of which each has one. Only the `isFirst` of a
  /// recap says that it is cut to the days that have begun.
  func usual(_ values: [Double], isFirst: Bool = false) -> Usual? {
    let cut = isSoFar ? " cut to as many days" : ""
    if case .year(let day) = span {
      guard let value = values.first else { return nil }
      let year = day.year - 1
      return Usual(
        value: value, basis: "\(year)\(isSoFar ? " until the same day" : "")", before: "the",
        after: " of \(year)\(isSoFar && isFirst ? " by this day" : "")")
    }
    guard values.count >= 3, let value = Usual.median(values) else { return nil }
    return Usual(
      value: value, basis: "median of the \(values.count) \(span.unit)s before\(cut)",
      before: "the usual", after: isSoFar && isFirst ? " by this point" : "")
  }
}
