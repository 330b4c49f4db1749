import ArkivedCore

// Correlations with mood or energy.
extension InsightWork {
  /// The minimum number of days for a statement.
  static var leastDays: Int { 20 }

  func moodReport() -> InsightReport {
    let name = question.of ?? "mood"
    let isMood = name == "mood"
    let title =
      isMood ? said("What your mood is related to") : said("What your energy is related to")
    let choices = [
      InsightChoice(
        name: "of", label: said("For"),
        options: [
          .init(value: "mood", label: said("Mood")), .init(value: "energy", label: said("Energy")),
        ],
        chosen: name), spanChoice,
    ]
    guard let days else { return empty(title, choices) }
    let figures = self.figures(days)
    var levels: [Int: Double] = [:]
    for (day, figure) in figures {
      guard let level = name == "mood" ? figure.mood : figure.energy else { continue }
      levels[day.daysSinceEpoch] = Double(level)
    }
    guard levels.count >= Self.leastDays else {
      let count = InsightText.count(levels.count)
      let words = question.span.words
      let told =
        isMood
        ? said(
          levels.count, one: "Mood is recorded for \(count) day in \(words).",
          other: "Mood is recorded for \(count) days in \(words).")
        : said(
          levels.count, one: "Energy is recorded for \(count) day in \(words).",
          other: "Energy is recorded for \(count) days in \(words).")
      let reason = said(
        "A comparison needs at least \(Self.leastDays) days to mean anything.")
      return InsightReport(
        topic: .mood, title: title, days: days, statements: ["\(told) \(reason)"], sections: [],
        choices: choices)
    }
    let entries = self.entries(days)
    let found = [
      ranked(levels, entries, figures),
      differences("done", said("With kinds and tags"), [.kind, .tag], levels, entries),
      differences("people", said("With people"), [.person], levels, entries),
    ]
    let compared = found.reduce(0) { $0 + $1.compared }
    let silent = found.reduce(0) { $0 + $1.silent }
    let count = InsightText.count(levels.count)
    let told =
      isMood
      ? said("Mood is recorded for \(count) days.") : said("Energy is recorded for \(count) days.")
    let caution = said(
      """
      This shows what occurs together, and on how many days. It doesn’t show causes: both may have \
      another cause.
      """)
    var statements = ["\(told) \(caution)"]
    if compared > 1 {
      statements.append(
        said(
          """
          \(InsightText.count(compared)) things were compared. With so many, some look connected \
          by chance, and the figures aren’t corrected for that.
          """))
    }
    if silent > 0 {
      let silence = InsightText.count(silent)
      let least = Self.leastDays
      statements.append(
        said(
          silent,
          one:
            "\(silence) thing was skipped: fewer than \(least) days to compare, or always the same.",
          other:
            "\(silence) things were skipped: fewer than \(least) days to compare, or always the same."
        ))
    }
    return InsightReport(
      topic: .mood, title: title, days: days, statements: statements,
      sections: found.compactMap(\.section), choices: choices)
  }

  private typealias Found = (section: InsightReport.Section?, compared: Int, silent: Int)

  /// Returns rank correlations with other measures of the same day.
  private func ranked(
    _ levels: [Int: Double], _ entries: InsightEntries, _ figures: [(DayKey, TimelineDay)]
  ) -> Found {
    let own: Set = ["mood", "energy"]
    var silent = 0
    var found: [(label: String, strength: Double, days: Int)] = []
    let measures = self.measures(entries, figures).filter { !own.contains($0.key) }
    let told = values(of: measures, entries, figures)
    for measure in measures {
      let values = told[measure] ?? [:]
      let pairs = values.keys.sorted().compactMap { day in
        levels[day].flatMap { level in values[day].map { (level, $0) } }
      }
      guard pairs.count >= Self.leastDays,
        let strength = RankCorrelation.spearman(pairs.map(\.1), pairs.map(\.0))
      else {
        silent += 1
        continue
      }
      found.append((ClippedLabel.of(measure.label), strength, pairs.count))
    }
    found.sort { (abs($0.strength), $1.label) > (abs($1.strength), $0.label) }
    guard !found.isEmpty else { return (nil, 0, silent) }
    let section = InsightReport.Section(
      "measures", said("With measurements"),
      note: said(
        """
        Spearman’s rank correlation over the days with both values. 1: they always rise together. \
        −1: one falls as the other rises. 0: neither says anything about the other.
        """),
      chart: .rows(
        RowChart(
          rows: found.prefix(15).map {
            .init(
              label: $0.label, values: [$0.strength],
              text: "\(InsightText.signed($0.strength)), \(Self.word($0.strength)), "
                + InsightText.count($0.days, "day"))
          }, limit: 1, isSigned: true)),
      table: InsightTable(
        [
          .init("measure", said("Measurement")),
          .init("strength", said("Correlation"), isSigned: true),
          .init("days", said("Days")),
        ], found.map { .init([.text($0.label), .number($0.strength), .count($0.days)]) }))
    return (section, found.count, silent)
  }

  /// Returns the conventional word for the strength of a correlation.
  static func word(_ strength: Double) -> String {
    switch abs(strength) {
    case ..<0.1: said("hardly any")
    case ..<0.3: said("weak")
    case ..<0.5: said("moderate")
    default: said("strong")
    }
  }

  /// Returns differences in means between days with something and days without it.
  private func differences(
    _ key: String, _ heading: String, _ namings: [InsightEntries.Naming], _ levels: [Int: Double],
    _ entries: InsightEntries
  ) -> Found {
    let all = (count: levels.count, sum: levels.values.reduce(0, +))
    // Indexed by day, because names have far more days than there are levels.
    let first = entries.days.lowerBound.daysSinceEpoch
    var byPlace = [Double](
      repeating: .nan, count: entries.days.upperBound.daysSinceEpoch - first + 1)
    for (day, level) in levels where byPlace.indices.contains(day - first) {
      byPlace[day - first] = level
    }
    var silent = 0
    var found: [(label: String, subject: InsightTable.Subject, means: MeanDifference)] = []
    for naming in namings {
      let candidates = entries.days(naming).sorted {
        ($0.value.count, $1.key) > ($1.value.count, $0.key)
      }
      for (name, days) in candidates {
        var with = (count: 0, sum: 0.0)
        for day in days {
          let level = byPlace[day - first]
          guard !level.isNaN else { continue }
          with.count += 1
          with.sum += level
        }
        guard with.count >= Self.leastDays, all.count - with.count >= Self.leastDays,
          let means = MeanDifference(with: with, all: all)
        else {
          silent += 1
          continue
        }
        switch naming {
        case .kind: found.append((InsightText.kind(name), .kind(name), means))
        case .tag: found.append(("#" + name, .tag(name), means))
        case .person, .place: found.append((name, .person(name), means))
        }
      }
    }
    found.sort {
      (abs($0.means.difference), $1.label) > (abs($1.means.difference), $0.label)
    }
    guard !found.isEmpty else { return (nil, 0, silent) }
    let shown = found.prefix(40)
    let section = InsightReport.Section(
      key, heading,
      note: said(
        """
        The average of the days on which something occurs minus the average of the other days, on a \
        scale of 1 to 5.
        """)
        + (found.count > shown.count
          ? " " + said("Showing the 40 largest of \(InsightText.count(found.count)).") : ""),
      chart: .rows(
        RowChart(
          rows: shown.prefix(15).map {
            .init(
              label: $0.label, values: [$0.means.difference],
              text: "\(InsightText.signed($0.means.difference)), "
                + said("occurs on \(InsightText.count($0.means.countWith)) days"))
          }, limit: max(1, shown.map { abs($0.means.difference) }.max() ?? 1), isSigned: true)),
      table: InsightTable(
        [
          .init("name", said("With")), .init("difference", said("Difference"), isSigned: true),
          .init("meanWith", said("Average with")), .init("daysWith", said("Days with")),
          .init("meanWithout", said("Average without"), isDetail: true),
          .init("daysWithout", said("Days without")),
        ],
        shown.map {
          .init(
            [
              .text($0.label), .number($0.means.difference), .number($0.means.meanWith),
              .count($0.means.countWith), .number($0.means.meanWithout),
              .count($0.means.countWithout),
            ], subject: $0.subject)
        }))
    return (section, found.count, silent)
  }
}
