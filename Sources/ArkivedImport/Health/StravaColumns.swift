import ArkivedCore
import Foundation

/// The columns of Strava's `activities.csv`, whose names are in the language of the account.
///
/// English and German columns are found by name, those of other languages by position: the first
/// seven columns, and those behind the second distance, have the same order in all archives.
struct StravaColumns {
  /// The columns with their English and German names, lower case.
  ///
  /// In German archives, `Höhenzunahme` is the ascent and `Höhenunterschied` the descent.
  private enum Column: String, CaseIterable {
    case id = "activity id|aktivitäts-id"
    case date = "activity date|aktivitätsdatum"
    case name = "activity name|name der aktivität"
    case type = "activity type|aktivitätsart"
    case description = "activity description|beschreibung der aktivität|aktivitätsbeschreibung"
    case elapsed = "elapsed time|verstrichene zeit"
    case distance = "distance|distanz"
    case note = "activity private note|private notiz zur aktivität"
    case gear = "activity gear|ausrüstung für aktivität|aktivitätsausrüstung"
    case file = "filename|dateiname"
    case moving = "moving time|bewegungszeit"
    case ascent = "elevation gain|höhenzunahme|höhengewinn"
    case mostHeart = "max heart rate|max. herzfrequenz|maximale herzfrequenz"
    case meanHeart = "average heart rate|durchschnittliche herzfrequenz"
    case calories = "calories|kalorien"

    var names: [String] { rawValue.split(separator: "|").map(String.init) }
  }

  /// The order of the columns in front.
  private static let first: [Column] = [
    .id, .date, .name, .type, .description, .elapsed, .distance,
  ]
  /// The distance of columns from the second distance, in archives since about 2020.
  private static let afterDistance: [(column: Column, step: Int)] = [
    (.ascent, 3), (.mostHeart, 13), (.meanHeart, 14), (.calories, 17),
  ]

  private var places: [Column: Int] = [:]
  /// The columns in which elapsed time and distance are repeated, in seconds and metres.
  private var exactElapsed: Int?
  private var exactDistance: Int?
  /// True if the columns are named in a language other than English and German.
  private(set) var isForeign = false

  /// Finds the columns.
  ///
  /// - Parameters:
  ///   - header: the columns' names, with a number after repeated ones.
  ///   - fileColumn: the column with the paths of recordings, if the rows show it.
  init(_ header: [String], fileColumn: Int?) {
    let names = header.map { $0.lowercased() }
    for column in Column.allCases {
      places[column] = column.names.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    isForeign = places[.id] == nil || places[.date] == nil
    if isForeign {
      for (index, column) in Self.first.enumerated() where index < header.count {
        places[column] = index
      }
      if let fileColumn {
        places[.file] = fileColumn
        places[.gear] = fileColumn - 1
        // Only the longest form has a private note, in front of the gear.
        if fileColumn == 12 { places[.note] = 10 }
      }
    }
    func repeated(_ column: Column) -> Int? {
      places[column].flatMap { names.firstIndex(of: "\(names[$0]) 2") }
    }
    exactElapsed = repeated(.elapsed)
    exactDistance = repeated(.distance)
    guard isForeign else { return }
    if let exactElapsed { places[.moving] = exactElapsed + 1 }
    if let exactDistance, exactDistance + 17 < header.count {
      for (column, step) in Self.afterDistance { places[column] = exactDistance + step }
    }
  }

  /// Returns true if the beginning of a file is that of `activities.csv`, in any language.
  static func recognises(head: [UInt8], fileName: String) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    let named: [Column] = [.id, .date, .file]
    if named.allSatisfy({ !columns.isDisjoint(with: $0.names) }) { return true }
    // Other languages are recognised by their shape.
    guard fileName.split(separator: "/").last?.lowercased() == "activities.csv" else {
      return false
    }
    let (header, rows) = CSVTable.beginning(ofHead: head, isWhole: head.count < 4_096)
    guard header.count >= 10, !header[5].isEmpty, !header[6].isEmpty, let row = rows.first,
      let id = row.first, !id.isEmpty,
      id.allSatisfy({ ("0"..."9").contains($0) })
    else { return false }
    return fileColumn(in: rows) != nil
      || header[7...].contains(header[5]) && header[7...].contains(header[6])
  }

  /// Returns the column that contains the paths of recordings in some rows.
  static func fileColumn(in rows: [[String]]) -> Int? {
    rows.lazy.compactMap { row in
      row.indices.first { $0 > 6 && row[$0].hasPrefix("activities/") }
    }.first
  }

  // MARK: Rows

  /// A row with its values.
  struct Row {
    let columns: StravaColumns
    let row: CSVTable.Row
    /// The number of columns.
    let count: Int

    private func text(_ column: Column) -> String? {
      columns.places[column].flatMap { row.value(at: $0) }
    }
    private func number(_ column: Column) -> Double? {
      text(column).flatMap { TableAmount.number($0) }
    }
    private func number(at place: Int?) -> Double? {
      place.flatMap { row.value(at: $0) }.flatMap { TableAmount.number($0) }
    }

    var id: String? { text(.id) }
    var date: String? { text(.date) }
    var name: String? { text(.name) }
    var type: String? { text(.type) }
    var gear: String? { text(.gear) }
    var recording: String? { text(.file) }
    var moving: Double? { number(.moving) }
    var elapsed: Double? { number(at: columns.exactElapsed) ?? number(.elapsed) }
    var ascent: Double? { number(.ascent) }
    var meanHeart: Double? { number(.meanHeart) }
    var mostHeart: Double? { number(.mostHeart) }
    var calories: Double? { number(.calories) }

    var notes: String? {
      let notes = [text(.description), text(.note)].compactMap { $0 }
      return notes.isEmpty ? nil : notes.joined(separator: "\n\n")
    }

    /// The paths of the photos and videos, which are in one column.
    var media: [String] {
      (7..<max(7, count)).lazy.compactMap { row.value(at: $0) }
        .first { $0.hasPrefix("media/") }?
        .split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    /// Returns the distance in metres.
    ///
    /// The second distance is in metres. The first is in the unit of the account, kilometres or
    /// miles, except for swims, which are in metres or yards.
    ///
    /// - Parameter recorded: the length of the recording in metres, which shows the unit.
    /// - Returns: the distance; nil if none is given.
    func metres(recorded: Double?) -> Double? {
      if let metres = number(at: columns.exactDistance) { return metres > 0 ? metres : nil }
      guard let amount = number(.distance), amount > 0 else { return nil }
      if let recorded, recorded > 0 {
        let units = [1_000, 1_609.344, 1, 0.9144]
        let nearest = units.min {
          abs($0 * amount / recorded - 1) < abs($1 * amount / recorded - 1)
        }
        if let nearest, abs(nearest * amount / recorded - 1) < 0.2 { return nearest * amount }
      }
      // Nobody moves a hundred metres a second by their own strength.
      let isMetres = elapsed.map { $0 > 0 && amount * 1_000 / $0 > 100 } ?? (amount > 1_000)
      return isMetres ? amount : amount * 1_000
    }
  }

  // MARK: Words

  /// Parses `Nov 20, 2025, 6:12:33 AM`, `20.11.2025, 06:12:33`, `1 juil. 2024, 21:30:00` and
  /// `2024年7月1日 21:30:00`, in UTC.
  static func time(_ text: String?) -> Instant? {
    guard var text else { return nil }
    if let instant = ServiceValue.utc(text) { return instant }
    if text.contains("年") {
      text = text.replacing("年", with: "-").replacing("月", with: "-").replacing("日", with: ",")
    }
    if let (day, clock) = WrittenDate.parts(text), let second = TableTimes.secondOfDay("\(clock)") {
      return Zone.utc.instant(of: WallTime(day: day, secondOfDay: second))
    }
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let clock = text[..<colon].lastIndex { !$0.isNumber }.map { text.index(after: $0) }
    guard let clock, let second = TableTimes.secondOfDay(String(text[clock...])),
      let day = TableTimes.day(
        text[..<clock].trimmingCharacters(in: [" ", ","]), order: .dayFirst)
    else { return nil }
    return Zone.utc.instant(of: WallTime(day: day, secondOfDay: second))
  }

  /// Returns the English names of common sports in other languages; others stay as they are.
  static func sport(_ type: String) -> String { sports[type.lowercased()] ?? type }

  private static let sports: [String: String] = [
    "lauf": "Run", "traillauf": "Trail run", "virtueller lauf": "Virtual run",
    "radfahrt": "Ride", "radtour": "Ride", "virtuelle radfahrt": "Virtual ride",
    "mountainbike-fahrt": "Mountain bike ride", "gravel-fahrt": "Gravel ride",
    "e-bike-fahrt": "E-bike ride", "schwimmen": "Swim", "wanderung": "Hike",
    "spaziergang": "Walk", "gehen": "Walk", "krafttraining": "Weight training",
    "gewichtstraining": "Weight training", "rudern": "Rowing", "alpinski": "Alpine ski",
    "langlauf": "Nordic ski", "skilanglauf": "Nordic ski",
    "course à pied": "Run", "course à pied virtuelle": "Virtual run", "trail": "Trail run",
    "sortie vélo": "Ride", "vélo": "Ride", "natation": "Swim", "randonnée": "Hike",
    "marche": "Walk", "musculation": "Weight training", "entraînement": "Workout",
    "carrera": "Run", "bicicleta": "Ride", "ciclismo": "Ride", "natación": "Swim",
    "senderismo": "Hike", "excursión": "Hike", "caminata": "Walk",
    "entrenamiento con pesas": "Weight training", "entrenamiento": "Workout",
    "corsa": "Run", "pedalata": "Ride", "nuoto": "Swim", "escursione": "Hike",
    "escursionismo": "Hike", "camminata": "Walk", "passeggiata": "Walk",
    "allenamento con i pesi": "Weight training", "allenamento": "Workout",
    "corrida": "Run", "pedalada": "Ride", "natação": "Swim", "trilha": "Hike",
    "caminhada": "Walk", "treinamento com peso": "Weight training", "treino": "Workout",
    "hardloopsessie": "Run", "hardlopen": "Run", "fietsrit": "Ride", "rit": "Ride",
    "zwemmen": "Swim", "zwemsessie": "Swim", "wandeling": "Walk", "wandelen": "Walk",
    "hike": "Hike", "gewichttraining": "Weight training",
  ]
}

/// A number as written in services' tables.
enum TableAmount {
  /// Parses a number with a decimal point or comma; of two different marks, the last is the decimal
  /// mark.
  static func number(_ text: String) -> Double? {
    var plain = text.filter { !$0.isWhitespace && $0 != "\u{2019}" && $0 != "'" }
    if let comma = plain.lastIndex(of: ",") {
      if let point = plain.lastIndex(of: "."), point > comma {
        plain = plain.replacing(",", with: "")
      } else {
        plain = plain.replacing(".", with: "").replacing(",", with: ".")
      }
    }
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }
}
