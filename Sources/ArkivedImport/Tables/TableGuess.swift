import ArkivedCore
import Foundation

/// Guesses what the columns of a table hold, from their names and from their first values.
enum TableGuess {
  /// Names of columns, folded and without anything but letters, in the order of how well they fit.
  private static let names: [(field: TableField, names: [String])] = [
    (.id, ["id", "uuid", "guid", "entryid", "activityid", "externalid"]),
    (.lat, ["lat", "latitude", "breitengrad"]),
    (.lon, ["lon", "lng", "long", "longitude", "langengrad"]),
    (
      .start,
      [
        "start", "startdate", "startdatum", "starttime", "startzeit", "startat", "startedat",
        "started", "begin", "beginn",
        "from", "von", "timestamp", "datetime", "dateandtime", "datetimestart", "debut", "inizio",
        "inicio", "loggedat",
      ]
    ),
    (
      .end,
      [
        "end", "enddate", "enddatum", "endat", "endedat", "ended", "finish", "finished", "to",
        "bis", "until",
        "stop", "ende", "fin", "fine",
      ]
    ),
    (.endTime, ["endtime", "endzeit", "stoptime", "timeend"]),
    (
      .date,
      [
        "date", "day", "datum", "tag", "data", "fecha", "jour", "dia", "giorno", "fulldate",
        "activitydate", "entrydate", "createdat", "created", "completedat", "dateread",
        "watcheddate", "dato",
      ]
    ),
    (
      .time,
      [
        "time", "clock", "uhrzeit", "zeit", "hour", "heure", "hora", "ora", "timeofday",
        "starttime", "startzeit", "timestart",
      ]
    ),
    (
      .duration,
      [
        "duration", "durationmin", "durationminutes", "durationmins", "durationh",
        "durationhours", "durations", "durationseconds", "dauer", "duree", "durata", "duracion",
        "length", "minutes", "elapsed", "elapsedtime", "movingtime", "timespent",
      ]
    ),
    (
      .text,
      [
        "text", "title", "name", "activity", "activityname", "what", "task", "event", "subject",
        "titel", "titre", "titolo", "titulo", "summary", "entry", "exercise", "workout",
        "description", "beschreibung", "note", "notes", "comment", "body", "habit",
      ]
    ),
    (
      .notes,
      [
        "notes", "note", "comment", "comments", "details", "memo", "body", "remarks", "notizen",
        "notiz", "kommentar", "review", "description", "beschreibung",
      ]
    ),
    (
      .tags,
      ["tags", "tag", "labels", "label", "keywords", "categories", "schlagworte", "etiquettes"]
    ),
    (.place, ["place", "location", "where", "venue", "ort", "lieu", "luogo", "lugar", "address"]),
    (.people, ["people", "person", "persons", "who", "with", "attendees", "personen", "friends"]),
    (.kind, ["kind", "type", "category", "activitytype", "art", "kategorie"]),
    (.mood, ["mood", "stimmung", "humeur", "umore", "animo"]),
    (.energy, ["energy", "energie", "energia"]),
    (.weather, ["weather", "wetter", "conditions", "meteo", "tempo", "clima"]),
    // Beside the weather it is the air's, elsewhere it may be anybody's.
    (
      .temperature,
      ["temperature", "temp", "temperatur", "temperaturec", "tempc", "tavg", "temperatura"]
    ),
  ]

  /// - Parameters:
  ///   - header: the names of the columns in order.
  ///   - rows: the first rows below.
  static func mapping(_ header: [String], _ rows: [[String]]) -> TableMapping {
    var fields = [TableField?](repeating: nil, count: header.count)
    let keys = header.map(key)
    let samples = header.indices.map { column in
      rows.compactMap { column < $0.count ? $0[column].trimmingCharacters(in: .whitespaces) : nil }
        .filter { !$0.isEmpty }
    }
    for (field, names) in Self.names {
      let candidates = names.lazy.compactMap { name in
        keys.indices.first {
          keys[$0] == name && fields[$0] == nil && fits(field, samples[$0], header[$0])
        }
      }
      guard field != .temperature || fields.contains(.weather) else { continue }
      if let column = candidates.first { fields[column] = field }
    }
    settle(&fields, samples, rows.count)
    return TableMapping(
      columns: header.indices.map { index in
        let isNamed = !keys[index].isEmpty || header[index].contains(where: \.isNumber)
        let field = fields[index] ?? (isNamed ? other(samples[index], header[index]) : .ignore)
        return TableMapping.Column(
          name: header[index], field: field,
          unit: field == .measure || field == .duration
            ? unit(of: header[index], for: field) : nil)
      })
  }

  /// A day may stand under another name, and a start may hold a clock alone.
  private static func settle(
    _ fields: inout [TableField?], _ samples: [[String]], _ rowCount: Int
  ) {
    for index in fields.indices where are(samples[index], { TableTimes.secondOfDay($0) != nil }) {
      if fields[index] == .start { fields[index] = fields.contains(.time) ? nil : .time }
      if fields[index] == .end { fields[index] = fields.contains(.endTime) ? nil : .endTime }
    }
    if !fields.contains(.date), !fields.contains(.start) {
      let index = fields.indices.first { index in
        fields[index] == nil && are(samples[index]) { TableMoment.isDay($0) }
      }
      if let index { fields[index] = .date }
    }
    // A start with its own days needs no column of days beside it, unless it is a clock alone or is
    // missing here and there, as of what lasted all day.
    if let start = fields.firstIndex(of: .start), samples[start].count >= rowCount,
      let date = fields.firstIndex(of: .date)
    {
      fields[date] = .detail
    }
    if !fields.contains(.text), let notes = fields.firstIndex(of: .notes) { fields[notes] = .text }
  }

  /// Whether values are such as a field takes.
  private static func fits(_ field: TableField, _ values: [String], _ name: String) -> Bool {
    guard !values.isEmpty else { return ![.start, .date, .time, .mood, .energy].contains(field) }
    switch field {
    case .start, .end:
      return are(values) { TableMoment.isDay($0) || TableTimes.secondOfDay($0) != nil }
    case .date: return are(values) { TableMoment.isDay($0) }
    case .time, .endTime: return are(values) { TableTimes.secondOfDay($0) != nil }
    case .duration:
      return are(values) { TableTimes.length($0) != nil || TableNumbers.isNumber($0) }
    case .lat, .lon, .temperature: return are(values) { TableNumbers.isNumber($0) }
    case .mood, .energy: return values.contains { Int($0).map { (1...5).contains($0) } ?? false }
    case .text, .notes, .weather: return !values.allSatisfy { TableNumbers.isNumber($0) }
    default: return true
    }
  }

  /// Whether at least half of the values are of a kind: some row of a table is always broken.
  private static func are(_ values: [String], _ test: (String) -> Bool) -> Bool {
    !values.isEmpty && values.count(where: test) * 2 >= values.count
  }

  /// What a column becomes whose name says nothing.
  private static func other(_ values: [String], _ name: String) -> TableField {
    !isIdentifier(name) && are(values) { TableNumbers.isNumber($0) } ? .measure : .detail
  }

  /// Whether the numbers of a column are names that nobody adds up: `Book Id`, `orderID`, `ISBN13`.
  private static func isIdentifier(_ name: String) -> Bool {
    let words = NameFolding.key(name).split { !$0.isLetter && !$0.isNumber }
    let names: Set<Substring> = ["id", "uuid", "isbn", "isbn10", "isbn13", "ean", "upc", "asin"]
    if let last = words.last, names.contains(last) { return true }
    guard name.hasSuffix("Id") || name.hasSuffix("ID") else { return false }
    return name.dropLast(2).last?.isLowercase == true
  }

  /// What amounts of a column are stored under: the unit that its name says, else the name itself.
  static func unit(of name: String, for field: TableField) -> String {
    if let (_, unit) = MeasureName.read(name) {
      guard field == .duration else { return unit }
      return UnitTable.standard.unit(named: unit)?.dimension == .time ? unit : "minutes"
    }
    return field == .duration ? "minutes" : name.trimmingCharacters(in: .whitespaces).lowercased()
  }

  private static func key(_ name: String) -> String {
    NameFolding.key(name).filter(\.isLetter)
  }
}
