import ArkivedCore

// Figures that days record themselves: device metrics, mood and energy.
extension RecapWork {
  private struct Reading {
    var name: String
    var amount: String
    /// The amount with its relation to the usual level; nil if there is no baseline.
    var compared: String?
    var isUnusual: Bool
    var figure: Recap.Figure
    var citations: [Recap.Citation]
  }

  /// Describes the means of each metric over the span's days compared with earlier spans: first the
  /// unusual ones, then the others.
  func metrics() -> [Recap.Statement] {
    // A watch records dozens of metrics; only the most relevant are listed, as many as can be read.
    let names = MetricText.ordered(Set(days.flatMap { $0.value.metrics.keys })).prefix(8).sorted()
    let readings = names.compactMap(reading)
    let isDay = span.unit == "day"
    let unusual = readings.filter { $0.isUnusual }
    var statements: [Recap.Statement] = []
    if !unusual.isEmpty {
      // "Sleep came to 6 h, …; steps to 5,000, …"
      let clauses = unusual.enumerated().map { index, reading in
        let compared = reading.compared ?? reading.amount
        if index == 0 { return came(reading.name, compared) }
        return isDay
          ? said("; \(reading.name): \(compared)") : said("; \(reading.name) averaged \(compared)")
      }
      statements.append(statement(clauses.joined(), unusual))
    }
    let like = readings.filter { !$0.isUnusual && $0.compared != nil }
    if !like.isEmpty {
      let list = RecapText.list(like.map { "\($0.name) (\($0.amount))" })
      let plural = like.count > 1 || like[0].name.hasSuffix("s")
      statements.append(statement(aboutAsBefore(list, isPlural: plural), like))
    }
    let bare = readings.filter { $0.compared == nil }
    if !bare.isEmpty {
      let told = bare.map { came($0.name, $0.amount) }
      statements.append(
        statement(isDay ? told.joined(separator: "; ") : RecapText.list(told), bare))
    }
    return statements
  }

  private func came(_ name: String, _ amount: String) -> String {
    span.unit == "day" ? said("\(name): \(amount)") : said("\(name) averaged \(amount)")
  }

  private func statement(_ sentence: String, _ readings: [Reading]) -> Recap.Statement {
    .init(
      RecapText.capitalised(sentence) + ".", citing: readings.flatMap(\.citations),
      figures: readings.map(\.figure))
  }

  private func aboutAsBefore(_ list: String, isPlural: Bool) -> String {
    guard case .year(let day) = span else {
      return isPlural
        ? said("\(list) were about the same as usual") : said("\(list) was about the same as usual")
    }
    let year = day.year - 1
    return isPlural
      ? said("\(list) were about the same as in \(year)")
      : said("\(list) was about the same as in \(year)")
  }

  private func reading(_ name: String) -> Reading? {
    let known = days.filter { $0.value.metrics[name]?.isFinite == true }
    let unit = metricUnits[name] ?? ""
    let isDay = span.unit == "day"
    // Today's figure still grows unless it is a reading or a night's, so a mean with it would be too
    // low.
    let grows = isDay || addsUp(name, known.compactMap { $0.value.metrics[name] }, unit)
    let over = isSoFar && !isDay && grows ? known.filter { $0.day < today } : known
    let told = over.isEmpty ? known : over
    guard let mean = mean(told.compactMap { $0.value.metrics[name] }) else { return nil }
    let shown = rounded(mean, unit)
    // A day's figure is incomplete before the day ends.
    let isGrowing = isSoFar && grows && told.last?.day == today
    var usual = isGrowing ? nil : usualLevel { $0.metrics[name] }
    let figure = Recap.Figure(name, mean, usual: usual, unit: unit)
    var isUnusual = false
    if let value = usual?.value {
      usual?.value = rounded(value, unit)
      isUnusual = Usual.isUnusual(mean, usual: value, unit: unit)
    }
    let citations = told.map { day, value -> Recap.Citation in
      let amount = RecapText.amount(value.metrics[name] ?? 0, unit)
      return .day(day, id: value.id, value: "\(RecapText.metric(name)) \(amount)")
    }
    return Reading(
      name: RecapText.metric(name), amount: RecapText.amount(shown, unit),
      compared: usual?.level(shown, unit: unit), isUnusual: isUnusual,
      figure: figure, citations: citations)
  }

  /// Returns true if a metric's values add up in the course of a day.
  private func addsUp(_ name: String, _ values: [Double], _ unit: String) -> Bool {
    !AmountLevel.isLevel(values, unit: unit) && !AmountLevel.isLevel(name, unit: unit)
      && !AskReader.metricWords(name).contains { ["sleep", "night"].contains($0) }
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
      sentence =
        isDay
        ? said("Mood was \(level(mood)) out of 5")
        : said(
          moods.count, one: "Mood averaged \(level(mood)) out of 5 over one day",
          other: "Mood averaged \(level(mood)) out of 5 over \(RecapText.number(moods.count)) days")
      if let usual { sentence += ", " + compared(mood, usual) }
      if !isDay, let clause = extremes(moods) { sentence += "; " + clause }
    }
    if let energy {
      let usual = usualLevel { $0.energy.map(Double.init) }
      figures.append(.init("energy", energy, usual: usual))
      sentence += sentence.isEmpty ? "" : ". "
      if mood == nil {
        sentence =
          isDay
          ? said("Energy was \(level(energy)) out of 5")
          : said("Energy averaged \(level(energy)) out of 5")
      } else {
        sentence +=
          isDay ? said("Energy was \(level(energy))") : said("Energy averaged \(level(energy))")
      }
      if let usual { sentence += ", " + compared(energy, usual) }
    }
    guard !sentence.isEmpty else { return [] }
    if isDay, let mood, let energy, figures.allSatisfy({ $0.usual == $0.value }) {
      sentence = said(
        "Mood (\(level(mood)) out of 5) and energy (\(level(energy))) were the same as usual")
    }
    let citations = days.compactMap { day, value -> Recap.Citation? in
      let parts = [
        value.mood.map { said("mood \($0)") }, value.energy.map { said("energy \($0)") },
      ].compactMap(\.self)
      return parts.isEmpty
        ? nil : .day(day, id: value.id, value: parts.joined(separator: ", "))
    }
    return [.init(sentence + ".", citing: citations, figures: figures)]
  }

  /// Describes the extremes, as in "best on Tuesday (5), lowest on Friday (1)", if each extreme is
  /// a single day.
  private func extremes(_ moods: [(day: DayKey, value: TimelineDay)]) -> String? {
    let values = moods.compactMap(\.value.mood)
    guard let best = values.max(), let worst = values.min(), best > worst, values.count >= 3 else {
      return nil
    }
    func clause(_ value: Int, isBest: Bool) -> String {
      let days = moods.filter { $0.value.mood == value }.map(\.day)
      if days.count > 3 { return "\(value) \(RecapText.onDays(days.count))" }
      let list = RecapText.list(days.map(dayName))
      return isBest ? said("best on \(list) (\(value))") : said("lowest on \(list) (\(value))")
    }
    return "\(clause(best, isBest: true)), \(clause(worst, isBest: false))"
  }

  private func compared(_ value: Double, _ usual: Usual) -> String {
    let (one, other) = ((value * 10).rounded() / 10, (usual.value * 10).rounded() / 10)
    if one == other { return usual.comparison(of: usual.value, unit: nil) }
    let told = usual.phrase(RecapText.plain(other))
    return one > other ? said("above \(told)") : said("below \(told)")
  }

  private func level(_ value: Double) -> String { RecapText.plain(value) }

  /// Rounds a value; large ones are shown without a fraction, except temperatures, for which a
  /// tenth of a degree matters.
  private func rounded(_ value: Double, _ unit: String) -> Double {
    if Usual.isTemperature(unit) { return (value * 10).rounded() / 10 }
    return abs(value) >= 20 ? value.rounded() : value
  }

  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Returns the usual level of a day's value: the median of the previous days, or of the means of
  /// previous spans; for a year, the mean of the previous year.
  private func usualLevel(_ value: (TimelineDay) -> Double?) -> Usual? {
    let told = daysBefore.compactMap { day, content -> (DayKey, Double)? in
      value(content).flatMap { $0.isFinite ? (day, $0) : nil }
    }
    if case .day = span {
      guard told.count >= 10, let median = Usual.median(told.map(\.1)) else { return nil }
      return Usual(value: median, basis: "median of \(told.count) days before")
    }
    let means = peers.compactMap { range in mean(told.filter { range.contains($0.0) }.map(\.1)) }
    return usual(means)
  }

  /// Returns the baseline from earlier spans with one number each.
  ///
  /// Only the first such statement in a recap (`isFirst`) mentions that they are cut to the days
  /// that have begun.
  func usual(_ values: [Double], isFirst: Bool = false) -> Usual? {
    let cut = isSoFar ? " cut to as many days" : ""
    if case .year(let day) = span {
      guard let value = values.first else { return nil }
      let year = day.year - 1
      return Usual(
        value: value, basis: "\(year)\(isSoFar ? " until the same day" : "")",
        measure: .year(year, byThisDay: isSoFar && isFirst))
    }
    guard values.count >= 3, let value = Usual.median(values) else { return nil }
    return Usual(
      value: value, basis: "median of the \(values.count) \(span.unit)s before\(cut)",
      measure: isSoFar && isFirst ? .byNow : .always)
  }
}
