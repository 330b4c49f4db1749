import ArkivedCore

/// The state while computing one insight: the timeline's columns, and the reference day.
///
/// It reads only columns and no texts, so a lifetime of entries takes milliseconds.
struct InsightWork {
  let timeline: TableTimeline
  let question: InsightQuestion
  /// The days from the first with data until today; nil if there are none.
  let lived: ClosedRange<DayKey>?
  var today: DayKey { question.today }

  init(_ timeline: TableTimeline, _ question: InsightQuestion) {
    self.timeline = timeline
    self.question = question
    let first = timeline.span?.lowerBound
    lived = first.flatMap { $0 <= question.today ? $0...question.today : nil }
  }

  /// Returns the days of a span that are within `lived`; nil if there are none.
  func livedDays(in span: ClosedRange<DayKey>) -> ClosedRange<DayKey>? {
    guard let lived, span.overlaps(lived) else { return nil }
    return span.clamped(to: lived)
  }

  /// The days of the question.
  var days: ClosedRange<DayKey>? { livedDays(in: question.span.range(today: today)) }

  func entries(_ days: ClosedRange<DayKey>) -> InsightEntries { InsightEntries(timeline, days) }

  /// Returns the daily figures in order.
  func figures(_ days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] { timeline.days(in: days) }

  func report() throws(FieldError) -> InsightReport {
    switch question.topic {
    case .year: yearReport()
    case .habits: habitReport()
    case .time: timeReport()
    case .measures: try measureReport()
    case .places: placeReport()
    case .mood: moodReport()
    case .compare: compareReport()
    }
  }

  /// Returns a report for days without data.
  func empty(_ title: String, _ choices: [InsightChoice] = []) -> InsightReport {
    let sentence =
      lived == nil
      ? said("Nothing recorded yet. Your entries will be counted here.")
      : said("Nothing recorded for this period.")
    return InsightReport(
      topic: question.topic, title: title, days: nil, statements: [sentence], sections: [],
      choices: choices)
  }

  /// The available spans: the last days, everything, and each year.
  var spanChoice: InsightChoice {
    var options = [
      InsightChoice.Option(value: "30", label: said("Last 30 days")),
      .init(value: "90", label: said("Last 90 days")),
      .init(value: "365", label: said("Last 365 days")),
      .init(value: "all", label: said("Everything")),
    ]
    if case .days(let days) = question.span {
      options.insert(.init(value: "days", label: SpanText.shownDays(days)), at: 0)
    }
    options += years.map { .init(value: $0.argument, label: $0.argument) }
    return InsightChoice(
      name: "span", label: said("Days"), options: options, chosen: question.span.argument)
  }

  /// The years within `lived`, latest first, and the requested one.
  var years: [InsightSpan] {
    var years = lived.map { Array($0.lowerBound.year...$0.upperBound.year) } ?? []
    let asked =
      if case .year(let year) = question.span { year } else {
        question.topic == .year ? question.year : today.year
      }
    if !years.contains(asked) { years.append(asked) }
    return years.sorted(by: >).map { .year($0) }
  }
}

/// The entries of some days, as positions in the tables that contain them.
struct InsightEntries {
  private let parts: [(table: TimelineTable, ordinals: OrdinalSet)]
  let days: ClosedRange<DayKey>
  let count: Int

  init(_ timeline: TableTimeline, _ days: ClosedRange<DayKey>) {
    self.days = days
    let condition = IndexCondition(days: days)
    parts = timeline.parts.map { part in
      let table = part.contents.activities
      return (table, table.ordinals(where: condition, outdated: part.outdatedActivities))
    }
    count = parts.reduce(0) { $0 + $1.ordinals.count }
  }

  func each(_ body: (TimelineTable, Int) -> Void) {
    for part in parts { part.ordinals.each { body(part.table, $0) } }
  }

  /// Calls a closure for each entry with coordinates, with its latitude and longitude.
  func eachSpot(_ body: (TimelineTable, Int, Double, Double) -> Void) {
    for part in parts {
      for index in 0..<part.table.spots.count {
        let ordinal = Int(part.table.spots[index])
        guard part.ordinals.contains(ordinal) else { continue }
        body(part.table, ordinal, part.table.latitudes[index], part.table.longitudes[index])
      }
    }
  }

  /// Returns the day of one of these entries by row number; nil if there is none.
  func day(ofRow row: Int64) -> DayKey? {
    for part in parts {
      guard let ordinal = part.table.ordinal(ofRow: row), part.ordinals.contains(ordinal) else {
        continue
      }
      return DayKey(clamping: Int(part.table.days[ordinal]))
    }
    return nil
  }

  /// Returns the number of entries on each of the days.
  func countsByDay() -> [Int] {
    var counts = [Int](repeating: 0, count: days.lowerBound.distance(to: days.upperBound) + 1)
    each { table, ordinal in
      counts[Int(table.days[ordinal]) - days.lowerBound.daysSinceEpoch] += 1
    }
    return counts
  }

  /// Returns the duration of an entry, if known; an entry of whole days has none.
  static func minutes(_ table: TimelineTable, _ ordinal: Int) -> Double? {
    let duration = table.durations[ordinal]
    return duration.isFinite && duration > 0 && !table.fillsDay(ordinal) ? duration : nil
  }

  /// Returns the total time, and the number of entries with a duration.
  func time() -> (minutes: Double, entries: Int) {
    var told = (minutes: 0.0, entries: 0)
    each { table, ordinal in
      guard let minutes = Self.minutes(table, ordinal) else { return }
      told.minutes += minutes
      told.entries += 1
    }
    return told
  }

  /// The attributes that entries can share.
  enum Naming: CaseIterable {
    case kind, tag, person, place

    func names(_ table: TimelineTable) -> [String] {
      switch self {
      case .kind: table.kindNames
      case .tag: table.tagNames
      case .person: table.peopleNames
      case .place: table.placeNames
      }
    }

    /// Calls a closure with the number of each of an entry's names, without duplicates.
    @inline(__always)
    func each(_ table: TimelineTable, _ ordinal: Int, _ body: (Int) -> Void) {
      switch self {
      case .kind: body(Int(table.kinds[ordinal]))
      case .place: if table.places[ordinal] > 0 { body(Int(table.places[ordinal]) - 1) }
      case .tag: Self.each(table.tags, ordinal, body)
      case .person: Self.each(table.people, ordinal, body)
      }
    }

    @inline(__always)
    private static func each(_ lists: TimelineLists, _ ordinal: Int, _ body: (Int) -> Void) {
      let range = lists.range(ordinal)
      for index in range {
        let value = lists.value(index)
        // An entry may name a person twice.
        guard !(range.lowerBound..<index).contains(where: { lists.value($0) == value }) else {
          continue
        }
        body(Int(value))
      }
    }
  }

  struct Sum: Hashable {
    var entries = 0
    var timed = 0
    var minutes = 0.0
  }

  /// Returns the number of entries and the time for every name.
  func sums(_ naming: Naming) -> [String: Sum] {
    var found: [String: Sum] = [:]
    for part in parts {
      let names = naming.names(part.table)
      var sums = [Sum](repeating: Sum(), count: names.count)
      part.ordinals.each { ordinal in
        let minutes = Self.minutes(part.table, ordinal)
        naming.each(part.table, ordinal) { number in
          guard number < sums.count else { return }
          sums[number].entries += 1
          guard let minutes else { return }
          sums[number].timed += 1
          sums[number].minutes += minutes
        }
      }
      for (name, sum) in zip(names, sums) where sum.entries > 0 && !name.isEmpty {
        found[name, default: Sum()].entries += sum.entries
        found[name, default: Sum()].timed += sum.timed
        found[name, default: Sum()].minutes += sum.minutes
      }
    }
    return found
  }

  /// Returns the days since 1970 for every name, without duplicates and in order.
  func days(_ naming: Naming) -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for part in parts {
      let names = naming.names(part.table)
      var days = [[Int]](repeating: [], count: names.count)
      part.ordinals.each { ordinal in
        let day = Int(part.table.days[ordinal])
        naming.each(part.table, ordinal) { number in
          guard number < days.count, days[number].last != day else { return }
          days[number].append(day)
        }
      }
      for (name, days) in zip(names, days) where !days.isEmpty && !name.isEmpty {
        found[name] = found[name].map { Array(Set($0).union(days)).sorted() } ?? days
      }
    }
    return found
  }

  typealias Amounts = [Int: (sum: Double, entries: Int)]

  /// Returns the daily sums of units, with the number of entries that have each, in one pass.
  func amounts(of units: [String]) -> [String: Amounts] {
    var found = [Amounts](repeating: [:], count: units.count)
    for part in parts {
      let places = part.table.unitNames.map { name in
        units.firstIndex(of: UnitTable.standard.canonicalName(name)) ?? -1
      }
      guard places.contains(where: { $0 >= 0 }) else { continue }
      part.ordinals.each { ordinal in
        for index in part.table.measures.range(ordinal) {
          let number = Int(part.table.measures.value(index))
          guard number < places.count, places[number] >= 0 else { continue }
          let amount = part.table.amounts[index]
          guard amount.isFinite else { continue }
          let day = Int(part.table.days[ordinal])
          found[places[number]][day, default: (0, 0)].sum += amount
          found[places[number]][day, default: (0, 0)].entries += 1
        }
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(units, found))
  }

  /// Returns the units of measurements with the number of entries for each, and the smallest and
  /// largest amount.
  func units() -> [String: (entries: Int, least: Double, most: Double)] {
    var found: [String: (entries: Int, least: Double, most: Double)] = [:]
    for part in parts {
      let names = part.table.unitNames.map(UnitTable.standard.canonicalName)
      var tallies = [(entries: Int, least: Double, most: Double)](
        repeating: (0, .infinity, -.infinity), count: names.count)
      part.ordinals.each { ordinal in
        for index in part.table.measures.range(ordinal) {
          let number = Int(part.table.measures.value(index))
          let amount = part.table.amounts[index]
          guard number < tallies.count, amount.isFinite else { continue }
          tallies[number].entries += 1
          tallies[number].least = min(tallies[number].least, amount)
          tallies[number].most = max(tallies[number].most, amount)
        }
      }
      for (name, tally) in zip(names, tallies) where tally.entries > 0 {
        let known = found[name] ?? (0, .infinity, -.infinity)
        found[name] = (
          known.entries + tally.entries, min(known.least, tally.least),
          max(known.most, tally.most)
        )
      }
    }
    return found
  }
}
