import ArkivedCore

/// Converts the rows of a table to activities using its mapping, and collects the days' feelings.
struct TableRows {
  private struct Feeling {
    var mood: [Int] = []
    var energy: [Int] = []
    var weather: Weather?
    var place: String
  }

  let file: ImportFile
  let context: ImportContext
  let mapping: TableMapping
  let survey: TableSurvey
  /// The decimal separator if no value determines it.
  let decimal: Character
  /// The prefix that distinguishes this table's rows from those of others.
  private let prefix: String
  private var identity = TableIdentity()
  private var feelings: [DayKey: Feeling] = [:]
  /// The number of rows that say that something wasn't done.
  private var undone = 0
  /// The number of rows that yielded something, or said that nothing happened.
  private(set) var taken = 0

  init(
    file: ImportFile, context: ImportContext, mapping: TableMapping, survey: TableSurvey,
    decimal: Character
  ) {
    self.file = file
    self.context = context
    self.mapping = mapping
    self.survey = survey
    self.decimal = decimal
    prefix = mapping.identity
  }

  mutating func take(_ row: CSVTable.Row, into sink: any ImportSink) throws {
    var cells = TableCells(
      row: row, mapping: mapping, place: "\(file.name):\(row.line)", sink: sink)
    guard let times = times(&cells) else { return }
    let weather = weather(cells)
    feel(cells, times.day)
    let measures = measures(&cells)
    let kind = cells.value(.kind)
    let known = kind.flatMap { name in
      ActivityKind.known.first { $0.rawValue == name.lowercased() }
    }
    for index in mapping.indices(.detail) {
      if let value = row.value(at: index) {
        cells.details.append("\(mapping.columns[index].name): \(value)")
      }
    }
    guard !isUndone(cells, measures) else {
      undone += 1
      taken += 1
      return
    }
    guard
      let (text, notes) = words(cells, measures, kind)
    else {
      // A row with only a feeling or the weather needs no activity.
      if let weather {
        feelings[times.day, default: Feeling(place: cells.place)].weather =
          feelings[times.day]?.weather ?? weather
      } else if cells.value(.mood) == nil, cells.value(.energy) == nil {
        sink.diagnose(
          Diagnostic(.skipped, place: cells.place, message: "skipped: the row has no text"))
      }
      return
    }
    var activity = Activity(
      id: context.identities.next(), dayKey: times.day, startAt: times.start, endAt: times.end,
      timeZone: times.zone.identifier, kind: known ?? .other, text: text,
      description: description(cells), notes: notes, source: .csvImport,
      locationLabel: cells.value(.place), measurements: measures,
      durationMinutes: times.minutes,
      tags: tags(cells, known == nil && cells.value(.text) != nil ? kind : nil),
      people: Self.list(cells.value(.people)).map { Mention(name: $0) },
      createdAt: context.now, updatedAt: context.now)
    (activity.lat, activity.lon) = coordinates(cells)
    activity.weather = weather
    activity.externalRefs = [
      ExternalRef(
        provider: "csv", externalID: "\(prefix)/\(name(cells, times, text))",
        fetchedAt: context.now, contentHash: hash(activity, times))
    ]
    taken += 1
    try sink.take(ImportedRecord(.activity(activity), place: cells.place))
  }

  /// Passes on the days' moods, energy and weather.
  mutating func finish(into sink: any ImportSink) throws {
    taken += feelings.count
    if undone > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: undone == 1
            ? "skipped 1 row with the value 0 (not done)"
            : "skipped \(undone) rows with the value 0 (not done)"))
    }
    func mean(_ values: [Int]) -> Int? {
      values.isEmpty
        ? nil : Int((Double(values.reduce(0, +)) / Double(values.count)).rounded())
    }
    for (day, feeling) in feelings.sorted(by: { $0.key < $1.key }) {
      let entry = DayEntry(
        id: context.identities.next(), dayKey: day, mood: mean(feeling.mood),
        energy: mean(feeling.energy), weather: feeling.weather, createdAt: context.now,
        updatedAt: context.now)
      try sink.take(ImportedRecord(.day(entry), place: feeling.place, linksPeople: false))
    }
  }

  private mutating func feel(_ cells: TableCells, _ day: DayKey) {
    func level(_ field: TableField) -> Int? {
      guard let text = cells.value(field) else { return nil }
      guard let level = Int(text), (1...5).contains(level) else {
        cells.tell(.note, field, "\(FieldError.shown(text)) isn’t between 1 and 5; skipped")
        return nil
      }
      return level
    }
    let (mood, energy) = (level(.mood), level(.energy))
    guard mood != nil || energy != nil else { return }
    var feeling = feelings[day] ?? Feeling(place: cells.place)
    if let mood { feeling.mood.append(mood) }
    if let energy { feeling.energy.append(energy) }
    feelings[day] = feeling
  }

  // MARK: Identification

  private mutating func name(_ cells: TableCells, _ times: TableRowTimes, _ text: String) -> String
  {
    if let id = cells.value(.id) { return "id/\(id)" }
    // The words may be corrected later, so a row is identified by its time if it has one.
    if let midnight = times.midnight { return identity.name(midnight, "") }
    guard let start = times.start else { return identity.name("\(times.day)", text) }
    // An instant is the same regardless of the clocks at home.
    guard !times.isInstant else { return identity.name(EntryName.moment(start), "") }
    return identity.name(context.homeZone.wallTime(at: start).description, "")
  }

  /// Returns a hash of the row's contents, excluding its time in the current home zone, so changing
  /// the home zone doesn't move any entries.
  private func hash(_ activity: Activity, _ times: TableRowTimes) -> String {
    let start = times.start.map { start in
      times.isInstant ? start.description : times.zone.wallTime(at: start).description
    }
    let length = times.start.flatMap { start in times.end.map { "\(start.seconds(to: $0))" } }
    let measures = activity.measurements.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var parts = [activity.text, activity.kind.rawValue]
    parts += [times.tellsDay ? "\(times.day)" : "", start ?? "", length ?? ""]
    parts += [activity.notes, activity.description, activity.locationLabel].map { $0 ?? "" }
    parts += [activity.lat, activity.lon, activity.durationMinutes].map { $0.map { "\($0)" } ?? "" }
    if let weather = activity.weather { parts.append(weather.typedText) }
    parts += [activity.tags, activity.people.map(\.name), measures].map {
      $0.joined(separator: "\n")
    }
    return TableIdentity.hash(parts.joined(separator: "\u{1F}"))
  }
}
