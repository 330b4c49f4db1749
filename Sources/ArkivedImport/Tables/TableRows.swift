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
  private(set) var mapping: TableMapping
  let survey: TableSurvey
  /// The decimal separator if no value determines it.
  let decimal: Character
  let position: TablePosition
  /// The column with the zone of each row's times.
  let zoneColumn: Int?
  /// The prefix that distinguishes this table's rows from those of others.
  private let prefix: String
  private var identity = TableIdentity()
  private var feelings: [DayKey: Feeling] = [:]
  /// The rows read last, and what they have in common.
  private var pending: (key: String?, rows: [ReadRow])?
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
    position = TablePosition(mapping)
    zoneColumn = mapping.indices(.detail).first { index in
      let words = TableUnits.words(of: mapping.columns[index].name)
      return words.suffix(2) == ["time", "zone"]
        || ["timezone", "zeitzone", "tz"].contains(words.last ?? "")
    }
    prefix = mapping.identity
  }

  mutating func take(_ row: CSVTable.Row, into sink: any ImportSink) throws {
    var cells = TableCells(
      row: row, mapping: mapping, place: "\(file.name):\(row.line)", sink: sink)
    guard let times = times(&cells) else { return }
    let timeDetails = cells.details
    let weather = weather(cells)
    feel(cells, times.day)
    let measures = measures(&cells)
    addDetails(&cells)
    let isUndone = isUndone(cells, measures)
    // A day without the habit is worth an entry if something was written about it.
    guard !isUndone || cells.value(.notes) != nil else {
      undone += 1
      taken += 1
      return
    }
    guard
      let (text, notes) = words(cells, measures, cells.value(.kind))
    else {
      // A row with only a feeling or the weather needs no activity.
      if let weather {
        feelings[times.day, default: Feeling(place: cells.place)].weather =
          feelings[times.day]?.weather ?? weather
      } else if !hasFeeling(cells) {
        sink.diagnose(
          Diagnostic(.skipped, place: cells.place, message: "skipped: the row has no text"))
      }
      return
    }
    taken += 1
    let levels = ownLevels(cells)
    if text == levels.joined(separator: ", ") { cells.details.removeAll(where: levels.contains) }
    let activity = activity(
      cells, times, weather, isUndone ? [:] : measures,
      (isUndone ? "\(text): not done" : text, notes))
    let read = ReadRow(
      activity: activity, text: text, times: times, timeDetails: timeDetails, cells: cells)
    let key = groupKey(read)
    if let key, key == pending?.key, pending.map({ $0.rows.count < Self.groupLimit }) ?? false {
      pending?.rows.append(read)
      return
    }
    try passOn(into: sink)
    pending = (key, [read])
  }

  private func addDetails(_ cells: inout TableCells) {
    cells.details += ownLevels(cells)
    for index in mapping.indices(.detail) {
      if let value = cells.words(at: index) {
        cells.details.append("\(mapping.columns[index].name): \(value)")
      }
    }
  }

  /// Returns a row's activity, without its identifier in the table.
  private func activity(
    _ cells: TableCells, _ times: TableRowTimes, _ weather: Weather?, _ measures: [String: Double],
    _ words: (text: String, notes: String?)
  ) -> Activity {
    let kind = cells.value(.kind)
    let known = kind.flatMap { name in
      ActivityKind.known.first { $0.rawValue == name.lowercased() }
    }
    var activity = Activity(
      id: context.identities.next(), dayKey: times.day, startAt: times.start, endAt: times.end,
      timeZone: times.zone.identifier, kind: known ?? .other, text: words.text,
      description: description(cells), notes: words.notes, source: .csvImport,
      locationLabel: cells.value(.place), measurements: measures,
      durationMinutes: times.minutes,
      tags: tags(cells, known == nil && cells.value(.text) != nil ? kind : nil),
      people: people(cells),
      createdAt: context.now, updatedAt: context.now)
    (activity.lat, activity.lon) = coordinates(cells)
    activity.weather = weather
    return activity
  }

  // MARK: Rows of one activity

  /// A row that was read, before it is passed on.
  private struct ReadRow {
    var activity: Activity
    /// The text in the table, which identifies rows without a time.
    var text: String
    var times: TableRowTimes
    /// What its times say besides start and end.
    var timeDetails: [String]
    var cells: TableCells
  }

  /// The maximum number of rows that form one activity.
  private static let groupLimit = 2_000

  /// Returns what rows of one activity have in common, or nil if a row without both ends of its
  /// time stands for itself.
  private func groupKey(_ row: ReadRow) -> String? {
    let activity = row.activity
    guard let start = activity.startAt, let end = activity.endAt else { return nil }
    let place = [activity.lat, activity.lon].map { $0.map { "\($0)" } ?? "" }
    return
      ([start.description, end.description, activity.text, row.cells.value(.id) ?? ""] + place)
      .joined(separator: "\u{1F}")
  }

  /// Passes on the rows read last: as one activity if they have the same start, end and text and
  /// differ in other columns, like the sets of a workout.
  private mutating func passOn(into sink: any ImportSink) throws {
    guard let (_, rows) = pending else { return }
    pending = nil
    guard rows.count > 1, let whole = gathered(rows) else {
      for row in rows { try passOn(row, into: sink) }
      return
    }
    try passOn(whole, into: sink)
  }

  private mutating func passOn(_ row: ReadRow, into sink: any ImportSink) throws {
    var activity = row.activity
    let name = name(row.cells, row.times, row.text)
    activity.externalRefs = [
      ExternalRef(
        provider: "csv", externalID: "\(prefix)/\(name)", fetchedAt: context.now,
        contentHash: hash(activity, row.times))
    ]
    try sink.take(ImportedRecord(.activity(activity), place: row.cells.place))
  }

  /// Returns rows as one, with the columns in which they differ as a list in its notes; nil if
  /// they don't differ.
  private func gathered(_ rows: [ReadRow]) -> ReadRow? {
    let own: Set<TableField> = [
      .measure, .detail, .description, .notes, .kind, .place, .weather, .temperature, .duration,
    ]
    let differing = mapping.columns.indices.filter { index in
      own.contains(mapping.columns[index].field)
        && Set(rows.map { $0.cells.row.value(at: index) }).count > 1
    }
    guard !differing.isEmpty else { return nil }
    var common = self
    var columns = mapping.columns
    for index in differing { columns[index].field = .ignore }
    common.mapping.columns = columns
    let first = rows[0]
    var cells = TableCells(
      row: first.cells.row, mapping: common.mapping, place: first.cells.place, sink: SilentSink())
    cells.details = first.timeDetails
    let measures = common.measures(&cells)
    common.addDetails(&cells)
    let notes = common.words(cells, measures, cells.value(.kind))?.notes
    let lines = rows.map { row in
      let parts = differing.compactMap { index in
        row.cells.words(at: index).map { "\(mapping.columns[index].name): \($0)" }
      }
      return "- "
        + parts.joined(separator: ", ").split(whereSeparator: \.isNewline)
        .joined(separator: " ")
    }
    var whole = ReadRow(
      activity: common.activity(
        cells, first.times, common.weather(cells), measures,
        (
          first.activity.text,
          ([notes].compactMap { $0 } + [lines.joined(separator: "\n")])
            .joined(separator: "\n\n")
        )),
      text: first.text, times: first.times, timeDetails: first.timeDetails, cells: cells)
    whole.activity.id = first.activity.id
    for row in rows {
      for tag in row.activity.tags where !whole.activity.tags.contains(tag) {
        if tag != row.cells.value(.kind) { whole.activity.tags.append(tag) }
      }
      for person in row.activity.people where !whole.activity.people.contains(person) {
        whole.activity.people.append(person)
      }
    }
    return whole
  }

  /// Passes on the last row, and the days' moods, energy and weather.
  mutating func finish(into sink: any ImportSink) throws {
    try passOn(into: sink)
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

  /// Returns true if a row gives its day a mood or energy, even if it isn't valid.
  private func hasFeeling(_ cells: TableCells) -> Bool {
    [TableField.mood, .energy].contains { survey.hasLevels($0) && cells.value($0) != nil }
  }

  private mutating func feel(_ cells: TableCells, _ day: DayKey) {
    func level(_ field: TableField) -> Int? {
      guard survey.hasLevels(field), let text = cells.value(field) else { return nil }
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
    guard let id = cells.value(.id) else { return moment(times, text) }
    guard survey.ids.isRepeated(id) else { return "id/\(id)" }
    return moment(times, text, after: EntryName.repeated(id))
  }

  /// Returns a name made from a row's time, or its day and words.
  private mutating func moment(
    _ times: TableRowTimes, _ text: String, after first: String = ""
  ) -> String {
    // The words may be corrected later, so a row is identified by its time if it has one.
    if let midnight = times.midnight { return identity.name(first + midnight, "") }
    guard let start = times.start else { return identity.name(first + "\(times.day)", text) }
    // An instant is the same regardless of the clocks at home.
    guard !times.isInstant else { return identity.name(first + EntryName.moment(start), "") }
    return identity.name(first + times.zone.wallTime(at: start).description, "")
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
    // Rows that give a zone of their own were once read at home.
    if !times.isInstant, times.start != nil, times.zone != context.homeZone {
      parts.append(times.zone.identifier)
    }
    return TableIdentity.hash(parts.joined(separator: "\u{1F}"))
  }
}
