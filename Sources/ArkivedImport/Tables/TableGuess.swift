import ArkivedCore
import Foundation

/// Guesses the fields of a table's columns from their names and first values.
enum TableGuess {
  /// The names of columns for each field, case-folded and letters only, with the best match first.
  private static let names: [(field: TableField, names: [String])] = [
    (.id, ["id", "uuid", "guid", "entryid", "activityid", "externalid"]),
    (
      .start,
      [
        "start", "startdate", "startdatum", "starttime", "startzeit", "startat", "startedat",
        "started", "begin", "beginn",
        "from", "von", "timestamp", "datetime", "dateandtime", "datetimestart", "debut", "inizio",
        "inicio", "loggedat", "beginntam",
      ]
    ),
    (
      .end,
      [
        "end", "enddate", "enddatum", "endat", "endedat", "ended", "finish", "finished", "to",
        "bis", "until", "stop", "stopdate", "ende", "fin", "fine", "endtime", "endzeit", "stoptime",
        "timeend",
        "enddatetime", "endtimestamp", "endetam",
      ]
    ),
    (.endTime, ["endtime", "endzeit", "stoptime", "timeend", "endetum"]),
    (
      .date,
      [
        "date", "day", "datum", "tag", "data", "fecha", "jour", "dia", "giorno", "fulldate",
        "activitydate", "entrydate", "lastdateread", "createdat", "created", "completedat",
        "dateread",
        "watcheddate", "dato", "bookingdate", "transactiondate", "postingdate", "buchungstag",
        "buchungsdatum", "buchung",
      ]
    ),
    (
      .time,
      [
        "time", "clock", "uhrzeit", "zeit", "hour", "heure", "hora", "ora", "timeofday",
        "starttime", "startzeit", "timestart", "beginntum", "deptime", "departuretime",
        "abflugzeit", "abfahrtszeit",
      ]
    ),
    (
      .duration,
      [
        "duration", "dauer", "duree", "durata", "duracion", "duracao", "duur", "length", "lange",
        "minutes", "minuten", "mins", "min", "hours", "stunden", "hrs", "elapsed", "elapsedtime",
        "movingtime", "timespent", "totaltime", "spielzeit", "trackedtime",
      ]
    ),
    (
      .text,
      [
        "text", "title", "name", "activity", "activityname", "what", "task", "event", "subject",
        "betreff",
        "titel", "titre", "titolo", "titulo", "summary", "entry", "exercise", "workout",
        "description", "beschreibung", "note", "notes", "comment", "body", "habit", "was",
        "aktivitat", "tatigkeit", "ereignis", "eintrag", "aufgabe", "thema", "payee", "empfanger",
        "zahlungsempfanger", "zahlungsempfangerin", "auftraggeberempfanger",
        "beguenstigterzahlungspflichtiger", "buchungstext",
      ]
    ),
    (
      .notes,
      [
        "notes", "note", "comment", "comments", "details", "memo", "body", "remarks", "notizen",
        "notiz", "kommentar", "review", "description", "beschreibung", "verwendungszweck",
      ]
    ),
    (
      .tags,
      [
        "tags", "tag", "labels", "label", "keywords", "categories", "kategorien", "schlagworte",
        "etiquettes",
      ]
    ),
    (.place, ["place", "location", "where", "venue", "ort", "lieu", "luogo", "lugar", "address"]),
    (
      .people,
      [
        "people", "person", "persons", "who", "with", "attendees", "personen", "friends",
        "requiredattendees", "erforderlicheteilnehmer", "participants", "teilnehmer", "guests",
      ]
    ),
    (
      .allDay,
      [
        "alldayevent", "allday", "isallday", "ganztagigesereignis", "ganztagig",
        "ganztagsereignis",
      ]
    ),
    (.kind, ["kind", "type", "category", "activitytype", "art", "kategorie"]),
    (.mood, ["mood", "stimmung", "humeur", "umore", "animo"]),
    (.energy, ["energy", "energie", "energia"]),
    (.weather, ["weather", "wetter", "conditions", "meteo", "tempo", "clima"]),
    // Next to weather, it is the temperature of the air; elsewhere it may be anyone's.
    (
      .temperature,
      ["temperature", "temp", "temperatur", "temperaturec", "tempc", "tavg", "temperatura"]
    ),
  ]

  /// Names of columns with more people.
  private static let guests: Set<String> = ["optionalattendees", "optionaleteilnehmer"]

  /// Names of texts that are only remarks if most rows have none.
  private static let remarks: Set<String> = [
    "description", "beschreibung", "note", "notes", "comment", "body",
  ]

  /// Guesses the mapping.
  ///
  /// - Parameters:
  ///   - header: the names of the columns in order.
  ///   - rows: the first rows below.
  /// - Returns: the mapping.
  static func mapping(_ header: [String], _ rows: [[String]]) -> TableMapping {
    var fields = [TableField?](repeating: nil, count: header.count)
    let keys = header.map(key)
    let samples = header.indices.map { column in
      rows.compactMap { column < $0.count ? $0[column].trimmingCharacters(in: .whitespaces) : nil }
        .filter { !$0.isEmpty }
    }
    for (field, axis) in [(TableField.lat, TablePosition.Axis.latitude), (.lon, .longitude)] {
      header.indices.first { index in
        TablePosition.axis(of: header[index]) == axis && fields[index] == nil
          && (samples[index].isEmpty
            || are(samples[index]) { TablePosition.isCoordinate($0, axis) })
      }.map { fields[$0] = field }
    }
    let named = Dictionary(grouping: keys.indices) { keys[$0] }
    let lengths = Dictionary(grouping: keys.indices) { keyWithoutUnit(header[$0]) ?? "" }
    for (field, names) in Self.names {
      let candidates = names.lazy.compactMap { name in
        ((named[name] ?? []) + (field == .duration ? lengths[name] ?? [] : [])).sorted()
          .first { index in
            // An empty column is the text only if there is no other.
            let isEmpty = field == .text && samples[index].isEmpty && !rows.isEmpty
            let isRemark =
              field == .text && remarks.contains(name) && samples[index].count * 2 < rows.count
            return fields[index] == nil && !isEmpty && !isRemark
              && fits(field, samples[index], header[index])
          }
      }
      guard field != .temperature || fields.contains(.weather) else { continue }
      if let column = candidates.first { fields[column] = field }
    }
    for index in fields.indices where fields[index] == nil && guests.contains(keys[index]) {
      fields[index] = .people
    }
    nameByLastWords(&fields, header, samples)
    settle(&fields, header, samples, rows)
    var columns = header.indices.map { index -> TableMapping.Column in
      let isNamed = !keys[index].isEmpty || header[index].contains(where: \.isNumber)
      let field = fields[index] ?? (isNamed ? other(samples[index], header[index]) : .ignore)
      let unit: String? =
        switch field {
        case .measure: TableUnits.unit(of: header[index], samples[index])
        case .duration: TableUnits.lengthUnit(of: header[index], samples[index])
        default: nil
        }
      return TableMapping.Column(name: header[index], field: field, unit: unit)
    }
    keepUnitsApart(&columns, samples)
    return TableMapping(columns: columns)
  }

  /// Gives columns that would share a unit their whole names, except for the plainest one.
  ///
  /// Sums of money have no plainest one: `Inflow` and `Outflow` are opposites.
  private static func keepUnitsApart(
    _ columns: inout [TableMapping.Column], _ samples: [[String]]
  ) {
    let measures = columns.indices.filter { columns[$0].field == .measure }
    for (unit, alike) in Dictionary(grouping: measures, by: { columns[$0].unit ?? "" })
    where alike.count > 1 {
      let plainest =
        ["€", "$", "£", "%"].contains(unit)
        ? nil
        : alike.min { first, second in
          (TableUnits.words(of: columns[first].name).count, first)
            < (TableUnits.words(of: columns[second].name).count, second)
        }
      for index in alike where index != plainest {
        columns[index].unit = TableUnits.fullName(of: columns[index].name, samples[index])
      }
    }
  }

  /// Assigns columns by the last word of their name if no column is named by that word alone:
  /// `HabitName`, `Workout Type`, `CommentText`.
  private static func nameByLastWords(
    _ fields: inout [TableField?], _ header: [String], _ samples: [[String]]
  ) {
    let endings: [(TableField, Set<String>)] = [
      (.text, ["name", "title", "titel", "habit", "activity", "exercise", "task", "event"]),
      (.kind, ["type", "category", "kategorie"]),
      (.notes, ["comment", "comments", "note", "notes", "notiz", "notizen", "commenttext"]),
    ]
    for (field, words) in endings where !fields.contains(field) {
      fields.indices.first { index in
        let name = TableUnits.words(of: header[index])
        guard let last = name.last, name.count > 1, fields[index] == nil else { return false }
        let isMeant =
          words.contains(last) || (field == .notes && last == "text" && words.contains(name[0]))
        return isMeant && strangers.isDisjoint(with: name) && !samples[index].isEmpty
          && fits(field, samples[index], header[index])
      }.map { fields[$0] = field }
    }
  }

  /// Words for things whose names don't describe an activity.
  private static let strangers: Set<String> = [
    "user", "file", "device", "athlete", "app", "first", "last", "sender", "author", "client",
    "company", "project", "list", "employee", "owner", "source", "account", "screen", "family",
    "private", "creator", "folder", "sheet", "gear", "event", "bike", "set", "unit", "data",
    "timezone", "zone",
  ]

  /// Resolves conflicts between columns of time.
  ///
  /// The day may be in a column with another name, a start may contain only a clock time, and a
  /// `Time` next to it may be a duration.
  private static func settle(
    _ fields: inout [TableField?], _ header: [String], _ samples: [[String]], _ rows: [[String]]
  ) {
    for index in fields.indices where are(samples[index], { TableTimes.secondOfDay($0) != nil }) {
      if fields[index] == .start { fields[index] = fields.contains(.time) ? nil : .time }
      if fields[index] == .end { fields[index] = fields.contains(.endTime) ? nil : .endTime }
    }
    if !fields.contains(.date), !fields.contains(.start), !fields.contains(.end) {
      settleSpan(&fields, header, rows)
    }
    if !fields.contains(.date), !fields.contains(.start) {
      let index = fields.indices.first { index in
        // A column of digits alone is more often an identifier than a day.
        fields[index] == nil
          && areNearlyAll(samples[index]) {
            TableMoment.isDay($0)
              && (isDotted($0) || !$0.allSatisfy { $0.isNumber || $0 == "." })
          }
      }
      if let index { fields[index] = .date }
    }
    settleLength(&fields, header, rows)
    settleEnd(&fields, header, rows)
    // A start with its own days needs no separate day column, unless it is only a clock time or is
    // sometimes missing, as for whole days.
    if let start = fields.firstIndex(of: .start), samples[start].count >= rows.count,
      let date = fields.firstIndex(of: .date)
    {
      fields[date] = .detail
    }
    if !fields.contains(.text),
      let notes = fields.indices.first(where: { fields[$0] == .notes && !samples[$0].isEmpty })
    {
      fields[notes] = .text
    }
    nameTheOnlyWords(&fields, header, samples)
    if !fields.contains(.text), !fields.contains(.kind) {
      let texts = names.first { $0.field == .text }?.names ?? []
      fields.indices.first {
        samples[$0].isEmpty && (fields[$0] == nil || fields[$0] == .notes)
          && texts.contains(key(header[$0]))
      }.map { fields[$0] = .text }
    }
  }

  /// Uses the first column of words as the text of a row if no other column qualifies.
  ///
  /// Beside amounts, it must tell most rows apart, such as a flight number; otherwise, it is a remark
  /// on the amounts.
  private static func nameTheOnlyWords(
    _ fields: inout [TableField?], _ header: [String], _ samples: [[String]]
  ) {
    guard !fields.contains(.text), !fields.contains(.description), !fields.contains(.lat),
      !fields.contains(.kind), !fields.contains(.mood), !fields.contains(.weather),
      fields.contains(.date) || fields.contains(.start)
    else { return }
    let hasAmounts = fields.indices.contains { index in
      fields[index] == nil && other(samples[index], "") == .measure
    }
    fields.indices.first { index in
      guard fields[index] == nil,
        areNearlyAll(
          samples[index],
          { value in
            value.contains(where: \.isLetter) && !TableMoment.isDay(value)
              && TableTimes.length(value) == nil && TableUnits.amount(value) == nil
          })
      else { return false }
      return !hasAmounts
        || strangers.isDisjoint(with: TableUnits.words(of: header[index]))
          && Set(samples[index]).count * 2 >= samples[index].count
          && samples[index].allSatisfy { value in
            value.first?.isLetter ?? false && TableTimes.answer(value) == nil
          }
    }.map { fields[$0] = .text }
  }

  /// Returns true for a date with dots and a four-digit year, which can't be any other number.
  private static func isDotted(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count <= 2 && parts[1].count <= 2 && parts[2].count == 4
  }

  /// Returns true if a column has the name of a duration.
  static func isLength(_ name: String) -> Bool {
    let lengths = names.first { $0.field == .duration }?.names ?? []
    return lengths.contains(key(name)) || keyWithoutUnit(name).map(lengths.contains) ?? false
  }

  /// Returns true if values suit a field.
  private static func fits(_ field: TableField, _ values: [String], _ name: String) -> Bool {
    guard !values.isEmpty else {
      return ![.start, .date, .time, .mood, .energy, .allDay].contains(field)
    }
    switch field {
    case .start, .end:
      return are(values) { TableMoment.isDay($0) || TableTimes.secondOfDay($0) != nil }
    case .date:
      return are(values) { TableMoment.isDay($0) }
        || areNearlyAll(values) { TableTimes.shortDay($0) != nil }
    case .time, .endTime: return are(values) { TableTimes.clock($0) != nil }
    case .duration:
      if are(values, { TableTimes.length($0) != nil }) { return true }
      return are(values) { TableNumbers.isNumber($0) }
        && TableUnits.lengthUnit(of: name, values) != nil
    case .allDay: return areNearlyAll(values) { TableTimes.answer($0) != nil }
    case .temperature:
      return are(values) { TableNumbers.isNumber($0) || TableUnits.amount($0)?.unit == "°C" }
        && !areFahrenheit(values)
    case .mood, .energy:
      // On a scale up to ten, five isn't the best.
      var levels = TableLevels()
      for value in values { levels.take(value) }
      return levels.hasAny && !levels.areOthers
    case .text, .notes, .weather, .kind: return !values.allSatisfy { TableNumbers.isNumber($0) }
    default: return true
    }
  }

  /// Returns true if air temperatures are in degrees Fahrenheit, because it was never that hot in
  /// Celsius.
  private static func areFahrenheit(_ values: [String]) -> Bool {
    var numbers = TableNumbers()
    for value in values { numbers.take(value) }
    let hot = values.count { (numbers.number($0, fallback: ".") ?? 0) > 57 }
    return hot * 10 > values.count
  }

  /// Returns true if at least half of the values are of a kind, because tables always contain some
  /// invalid rows.
  static func are(_ values: [String], _ test: (String) -> Bool) -> Bool {
    !values.isEmpty && values.count(where: test) * 2 >= values.count
  }

  /// Returns true if at most one value in ten isn't of a kind.
  private static func areNearlyAll(_ values: [String], _ test: (String) -> Bool) -> Bool {
    !values.isEmpty && values.count(where: test) * 10 >= values.count * 9
  }

  /// Returns the field for a column whose name has no recognised meaning.
  private static func other(_ values: [String], _ name: String) -> TableField {
    guard !isIdentifier(name) else { return .detail }
    if are(values, { TableNumbers.isNumber($0) }) { return .measure }
    return areNearlyAll(values) { TableUnits.amount($0) != nil || TableNumbers.isNumber($0) }
      ? .measure : .detail
  }

  /// Returns true if a column's numbers are identifiers, which can't be added up: `Book Id`,
  /// `orderID`, `ISBN13`.
  private static func isIdentifier(_ name: String) -> Bool {
    let words = NameFolding.key(name).split { !$0.isLetter && !$0.isNumber }
    // How a calendar shows a time is a number in Outlook's tables.
    if ["showtimeas", "zeitspannezeigenals"].contains(key(name)) { return true }
    let names: Set<Substring> = ["id", "uuid", "isbn", "isbn10", "isbn13", "ean", "upc", "asin"]
    if let last = words.last, names.contains(last) { return true }
    guard name.hasSuffix("Id") || name.hasSuffix("ID") else { return false }
    return name.dropLast(2).last?.isLowercase == true
  }

  /// Returns a column's name without the unit of time at its end: `duration` for `Duration (sec)`.
  private static func keyWithoutUnit(_ name: String) -> String? {
    guard TableUnits.timeUnit(in: name) != nil else { return nil }
    if let open = name.lastIndex(where: { "([".contains($0) }) { return key(String(name[..<open])) }
    return TableUnits.words(of: name).dropLast().joined().filter(\.isLetter)
  }

  static func key(_ name: String) -> String {
    NameFolding.loose(name).filter(\.isLetter)
  }
}
