import ArkivedCore
import Foundation

/// A row of Daylio's CSV.
struct DaylioRow {
  /// Daylio's predefined moods, from 5 to 1.
  ///
  /// The owner's own moods have no level in the file.
  private static let levels = ["rad": 5, "good": 4, "meh": 3, "bad": 2, "awful": 1]

  /// Parses a row and reports errors in its day or time; returns nil if it has no day.
  static func entry(
    _ row: CSVTable.Row, of file: ImportFile, into sink: any ImportSink
  ) -> DaylioEntry? {
    let place = "\(file.name):\(row.line)"
    guard let day = day(row) else {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “full_date”",
          message: "skipped: “\(row.value("full_date") ?? row.value("date") ?? "")” isn’t a valid "
            + "date (such as 2023-05-21)"))
      return nil
    }
    let clock = row.value("time")
    let second = clock.flatMap(Self.secondOfDay)
    if let clock, second == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(place) field “time”",
          message: "“\(clock)” isn’t a valid time of day; the entry was imported without one"))
    }
    var entry = DaylioEntry(day: day, second: second, place: place)
    entry.mood = row.value("mood")
    entry.level = entry.mood.flatMap { levels[$0.lowercased()] }
    entry.activities = (row.value("activities") ?? "").split(separator: "|").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    entry.scales = (row.value("scales") ?? "").split(separator: "|").compactMap(scale)
    entry.title = row.value("note_title")
    entry.note = row.value("note")
    return entry
  }

  /// The columns of all versions.
  static let columns: Set<String> = [
    "full_date", "year", "date", "weekday", "time", "mood", "activities", "scales", "note_title",
    "note",
  ]

  /// Parses `Sleep quality: 7`, with a no-break space before the value.
  ///
  /// A part in another form is kept as words.
  private static func scale(_ text: Substring) -> DaylioEntry.Scale? {
    let whole = text.trimmingCharacters(in: .whitespaces)
    guard !whole.isEmpty else { return nil }
    guard let colon = whole.lastIndex(of: ":") else {
      return DaylioEntry.Scale(name: whole, value: "")
    }
    let name = whole[..<colon].trimmingCharacters(in: .whitespaces)
    let value = whole[whole.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    // A scale without a value wasn't set.
    guard !value.isEmpty else { return nil }
    return name.isEmpty
      ? DaylioEntry.Scale(name: whole, value: "") : DaylioEntry.Scale(name: name, value: value)
  }

  /// Parses a clock time in the form of the phone, which in some languages has a dot: `18.50`.
  private static func secondOfDay(_ clock: String) -> Int? {
    TableTimes.secondOfDay(clock) ?? TableTimes.secondOfDay(clock.replacing(".", with: ":"))
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Parses `full_date`, or `year` with an English `date` such as “18 May” or “May 18”.
  private static func day(_ row: CSVTable.Row) -> DayKey? {
    if let date = row.value("full_date") {
      return TableTimes.order(toldBy: date) == nil && TableTimes.isOpen(date)
        ? nil : TableTimes.day(date, order: .dayFirst) ?? TableTimes.day(date, order: .monthFirst)
    }
    guard let year = row.value("year").flatMap(Int.init), let date = row.value("date") else {
      return nil
    }
    let words = date.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard let number = words.lazy.compactMap({ Int($0) }).first,
      let name = words.first(where: { $0.count > 2 && $0.allSatisfy(\.isLetter) }),
      let month = months.firstIndex(where: { $0.hasPrefix(name) })
    else { return nil }
    return DayKey(year: year, month: month + 1, day: number)
  }
}
