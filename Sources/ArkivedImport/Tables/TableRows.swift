import ArkivedCore
import Foundation

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

  /// A row whose cells are read by the mapping's fields, with the messages about it.
  private struct Cells {
    let row: CSVTable.Row
    let mapping: TableMapping
    let place: String
    let sink: any ImportSink
    /// Values that don't belong to any field, for the description.
    var details: [String] = []

    func value(_ field: TableField) -> String? {
      mapping.indices(field).lazy.compactMap { row.value(at: $0) }.first
    }

    func tell(_ severity: Diagnostic.Severity, _ field: TableField, _ message: String) {
      let name = mapping.column(field)?.name ?? field.rawValue
      sink.diagnose(
        Diagnostic(severity, place: "\(place) field “\(name)”", message: message))
    }
  }

  private struct Times {
    var day: DayKey
    var start: Instant?
    var end: Instant?
    var minutes: Double?
    var zone: Zone
    /// The midnight time that the table writes after its days, formerly used to identify rows.
    var midnight: String?
    /// True if the table states the instant; otherwise it states home time.
    var isInstant = false
    /// True if the table states the day, and not only an instant.
    var tellsDay = true
  }

  mutating func take(_ row: CSVTable.Row, into sink: any ImportSink) throws {
    var cells = Cells(
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

  // MARK: Times

  private var order: DateOrder { survey.order ?? .inProcess }

  private func times(_ cells: inout Cells) -> Times? {
    // A row without a start may still have a day.
    let isDated = cells.value(.start) == nil && cells.value(.date) != nil
    let field: TableField = mapping.column(.start) != nil && !isDated ? .start : .date
    guard var text = cells.value(field) else {
      cells.tell(.skipped, field, "skipped: the row has no date")
      return nil
    }
    let span = TableMoment.span(text)
    if let span { text = span.start }
    guard let moment = TableMoment(text, order: order) else {
      cells.tell(
        .skipped, field,
        """
        skipped: \(FieldError.shown(text)) isn’t a valid date (such as 2023-05-21 or 2023-05-21 \
        14:58)
        """
      )
      return nil
    }
    let zone = context.homeZone
    var times: Times
    switch moment {
    case .instant(let instant, let offset) where !hasClocks(field):
      // Some programs write days as midnights.
      let wall = WallTime(utc: instant.adding(seconds: offset ?? 0))
      let second = clock(.time, cells)
      times = Times(
        day: wall.day,
        start: second.map { zone.instant(of: WallTime(day: wall.day, secondOfDay: $0)) },
        zone: zone)
      if second == nil { times.midnight = EntryName.moment(instant) }
    case .instant(let instant, let offset):
      // A distant event keeps its local day and clock time; UTC says nothing about the place.
      let known = offset.flatMap { abs($0) <= 14 * 3_600 ? $0 : nil }
      let place =
        known.map { PlaceTime(instant, offset: $0, home: zone) } ?? PlaceTime(instant, in: zone)
      times = Times(
        day: place.day, start: instant, zone: place.zone, isInstant: true, tellsDay: known != nil)
    case .local(let day, let own):
      let written = hasClocks(field) ? own : nil
      let second = written ?? clock(.time, cells)
      times = Times(
        day: day, start: second.map { zone.instant(of: WallTime(day: day, secondOfDay: $0)) },
        zone: zone)
      if second == nil, own != nil { times.midnight = "\(WallTime(day: day, secondOfDay: 0))" }
    }
    setEnd(&times, &cells)
    if let span, times.end == nil { setEnd(&times, span.end, &cells) }
    return times
  }

  /// Returns true if the values of a field contain times other than midnight.
  private func hasClocks(_ field: TableField) -> Bool { survey.clocks.contains(field) }

  /// Sets the end from a span in one cell; if it is only a day, it stays in words.
  private func setEnd(_ times: inout Times, _ text: String, _ cells: inout Cells) {
    let zone = context.homeZone
    switch TableMoment(text, order: order) {
    case .instant(let instant, _): times.end = instant
    case .local(let day, let second?):
      times.end = zone.instant(of: WallTime(day: day, secondOfDay: second))
    case .local, nil: break
    }
    let start = times.start
    guard let end = times.end, let start, start <= end else {
      times.end = nil
      cells.details.append("until \(text)")
      return
    }
  }

  private func clock(_ field: TableField, _ cells: Cells) -> Int? {
    guard let text = cells.value(field) else { return nil }
    let second = TableTimes.secondOfDay(text)
    if second == nil {
      cells.tell(.note, field, "\(FieldError.shown(text)) isn’t a valid time of day; skipped")
    }
    return second
  }

  private func setEnd(_ times: inout Times, _ cells: inout Cells) {
    if let text = cells.value(.duration) {
      guard let seconds = length(text), seconds >= 0 else {
        cells.tell(.note, .duration, "\(FieldError.shown(text)) isn’t a valid duration; skipped")
        return
      }
      if let start = times.start {
        times.end = start.adding(seconds: Int(seconds.rounded()))
      } else {
        times.minutes = seconds / 60
      }
      return
    }
    guard let start = times.start else { return }
    let zone = context.homeZone
    if let text = cells.value(.end) {
      switch TableMoment(text, order: order) {
      case .instant(let instant, _): times.end = instant
      case .local(let day, let own):
        let second = own ?? clock(.endTime, cells)
        times.end = second.map { zone.instant(of: WallTime(day: day, secondOfDay: $0)) }
      case nil:
        cells.tell(.note, .end, "\(FieldError.shown(text)) isn’t a valid time; skipped")
      }
    } else if let second = clock(.endTime, cells) {
      let end = zone.instant(of: WallTime(day: times.day, secondOfDay: second))
      times.end =
        end < start
        ? zone.instant(of: WallTime(day: times.day.advanced(by: 1), secondOfDay: second)) : end
    }
    if let end = times.end, end < start {
      cells.tell(.note, .end, "the end was skipped: it is before the start")
      times.end = nil
    }
  }

  /// Returns the seconds of `1:30:00`, or of a number in the column's unit.
  private func length(_ text: String) -> Double? {
    if let seconds = TableTimes.length(text, inMinutes: survey.lengthsAreMinutes) {
      return Double(seconds)
    }
    guard let number = survey.numbers.number(text, fallback: decimal), number < 1e9 else {
      return nil
    }
    let unit = UnitTable.standard.unit(named: mapping.column(.duration)?.unit ?? "minutes")
    return number * (unit?.dimension == .time ? unit?.factor ?? 1 : 1) * 60
  }

  // MARK: Words and numbers

  private func measures(_ cells: inout Cells) -> [String: Double] {
    var measures: [String: Double] = [:]
    for index in mapping.indices(.measure) {
      guard let text = cells.row.value(at: index) else { continue }
      let column = mapping.columns[index]
      guard let number = survey.numbers.number(text, fallback: decimal), number >= 0 else {
        cells.details.append("\(column.name): \(text)")
        continue
      }
      // A column of 0 and 1 answers yes or no, not how much.
      guard !isFlag(index) else {
        if survey.isHabit, number == 0 { cells.details.append("\(column.name): 0") }
        continue
      }
      // A habit with the value 1 was simply done.
      if survey.isHabit, column.isUnitless, number == 1 { continue }
      let unit = column.unit ?? column.name
      measures[measures[unit] == nil ? unit : column.name.lowercased()] = number
    }
    return measures
  }

  /// Returns true if a column uses 1 and 0 for done and not done.
  private func isFlag(_ index: Int) -> Bool {
    guard survey.flags.contains(index) else { return false }
    return survey.isHabit || (!hasWords && mapping.columns[index].isUnitless)
  }

  private var hasWords: Bool {
    mapping.columns.contains { [.text, .description, .notes, .kind].contains($0.field) }
  }

  /// Returns the names of the columns with the value 1.
  private func done(_ cells: Cells) -> [String] {
    guard !survey.isHabit else { return [] }
    return mapping.indices(.measure).filter { isFlag($0) && flag($0, cells) == 1 }
      .map { mapping.columns[$0].name }
  }

  private func flag(_ index: Int, _ cells: Cells) -> Double? {
    cells.row.value(at: index).flatMap { survey.numbers.number($0, fallback: decimal) }
  }

  /// Returns true if a row says that nothing was done: the value of a habit is 0, or all its marks
  /// are 0.
  private func isUndone(_ cells: Cells, _ measures: [String: Double]) -> Bool {
    guard survey.isHabit || (!hasWords && measures.isEmpty), cells.value(.notes) == nil else {
      return false
    }
    let told = mapping.indices(.measure).compactMap { flag($0, cells) }
    guard !told.isEmpty, told.allSatisfy({ $0 == 0 }) else { return false }
    let feelings: [TableField] = [.mood, .energy, .weather, .temperature]
    return survey.isHabit || feelings.allSatisfy { cells.value($0) == nil }
  }

  /// Returns the row's title, and the text that is too long for one.
  private func words(
    _ cells: Cells, _ measures: [String: Double], _ kind: String?
  ) -> (text: String, notes: String?)? {
    let notes = cells.value(.notes)
    guard let text = cells.value(.text) ?? cells.value(.description) ?? kind else {
      if let notes { return Self.cut(notes) }
      let parts =
        done(cells)
        + measures.sorted { $0.key < $1.key }.map { unit, amount in
          "\(AmountText.plain(amount)) \(unit)"
        }
      return parts.isEmpty ? nil : (parts.joined(separator: ", "), nil)
    }
    let (line, rest) = Self.cut(text)
    return (line, [rest, notes].compactMap { $0 }.joined(separator: "\n\n").nonEmpty)
  }

  /// Returns the first line if it is short, and the whole text if there is more.
  private static func cut(_ text: String) -> (text: String, notes: String?) {
    let line = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    guard line.count > 200 else { return (line, line.count < text.count ? text : nil) }
    let start = line.prefix(200)
    return ("\(start[..<(start.lastIndex(of: " ") ?? start.endIndex)])…", text)
  }

  private func description(_ cells: Cells) -> String? {
    let own = cells.value(.text) == nil ? nil : cells.value(.description)
    return ([own].compactMap { $0 } + cells.details).joined(separator: "\n").nonEmpty
  }

  private func tags(_ cells: Cells, _ kind: String?) -> [String] {
    let named = mapping.indices(.tags).flatMap { Self.list(cells.row.value(at: $0)) }
    var seen: Set<String> = []
    return (named + [kind].compactMap { $0 }).map { String($0.drop { $0 == "#" }) }.filter {
      (try? Tag.validate(name: $0)) != nil && seen.insert(NameFolding.key($0)).inserted
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split { ",;|".contains($0) || $0.isNewline }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private func coordinates(_ cells: Cells) -> (Double?, Double?) {
    guard let lat = cells.value(.lat), let lon = cells.value(.lon) else { return (nil, nil) }
    guard let north = survey.numbers.number(lat, fallback: decimal),
      let east = survey.numbers.number(lon, fallback: decimal), abs(north) <= 90, abs(east) <= 180
    else {
      cells.tell(
        .note, .lat,
        "\(FieldError.shown(lat)), \(FieldError.shown(lon)) aren’t valid coordinates; skipped")
      return (nil, nil)
    }
    return (north, east)
  }

  /// Returns the row's weather without impossible values.
  private func weather(_ cells: Cells) -> Weather? {
    var weather: Weather?
    if let text = cells.value(.weather) {
      do throws(FieldError) {
        weather = try Weather.typed(text)
      } catch {
        cells.tell(
          .note, .weather,
          "skipped the weather \(FieldError.shown(text)): \(error.description)")
      }
    }
    guard let text = cells.value(.temperature) else { return weather }
    let degrees = text.trimmingSuffix("°C").trimmingSuffix("°")
    guard let celsius = survey.numbers.number(degrees, fallback: decimal),
      (try? Weather(temperatureCelsius: celsius).validateTyped()) != nil
    else {
      cells.tell(
        .note, .temperature, "\(FieldError.shown(text)) isn’t a temperature in °C; skipped")
      return weather
    }
    var both = weather ?? Weather()
    both.temperatureCelsius = celsius
    return both
  }

  private mutating func feel(_ cells: Cells, _ day: DayKey) {
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

  private mutating func name(_ cells: Cells, _ times: Times, _ text: String) -> String {
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
  private func hash(_ activity: Activity, _ times: Times) -> String {
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

extension String {
  /// The text, or nil if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }

  /// Returns the text without a unit at its end or white space before that.
  fileprivate func trimmingSuffix(_ unit: String) -> String {
    hasSuffix(unit) ? dropLast(unit.count).trimmingCharacters(in: .whitespaces) : self
  }
}
