package import ArkivedCore

/// An activity, or a note of a day or an activity.
///
/// The value is a position in a table, from which its contents are read on demand. Days, hours,
/// amounts and names are numbers there; `text` and data derived from it are more expensive.
package struct TimelineEntry: Identifiable, Sendable {
  package enum Kind: String, Sendable { case activity, day }

  let table: TimelineTable
  let ordinal: Int

  /// The row number of its document in the archive's full-text table; unique within a timeline.
  package var id: Int64 { table.rows[ordinal] }

  /// The type of the entry that a citation refers to: a note may belong to an activity.
  package var type: Kind { id & 7 == 0 ? .activity : .day }

  package var day: DayKey { DayKey(clamping: Int(table.days[ordinal])) }

  /// Minutes since midnight on the local clock, from 0 to 1,439; nil if only the day is known.
  package var startMinute: Int? { dayMinute.map { ($0 % 1_440 + 1_440) % 1_440 } }

  /// Local minutes since the midnight that begins its day; nil if only the day is known.
  ///
  /// They are negative for a start on the day before, as of a night that is dated to the day of
  /// waking, and 1,440 or more for a start on the day after.
  package var dayMinute: Int? {
    let minute = table.minutes[ordinal]
    return minute == TimelineLayout.noMinute ? nil : Int(minute)
  }

  /// True if a clock time is known, unlike for whole days and for a part of the day such as
  /// "morning", which have their beginnings as minutes.
  package var hasClock: Bool {
    dayMinute != nil && !fillsDay && table.dayParts[ordinal] == 0
  }

  /// The duration as entered, computed from start and end, or stated in the text.
  package var durationMinutes: Double? {
    let duration = table.durations[ordinal]
    return duration.isNaN ? nil : duration
  }

  /// True for an all-day entry in the style of calendars, from midnight to midnight; its length isn't
  /// time that somebody spent.
  var fillsDay: Bool { table.fillsDay(ordinal) }

  package var activityKind: String {
    table.kindNames[checked: Int(table.kinds[ordinal])] ?? "other"
  }

  package var tags: [String] {
    table.tags.values(ordinal).compactMap { table.tagNames[checked: $0] }
  }

  package var people: [String] {
    table.people.values(ordinal).compactMap { table.peopleNames[checked: $0] }
  }

  /// True if it mentions nobody.
  package var hasNobody: Bool { table.people.range(ordinal).isEmpty }

  package var place: String? {
    let number = Int(table.places[ordinal])
    return number == 0 ? nil : table.placeNames[checked: number - 1]
  }

  /// The keys of the words in the place's name.
  var placeKeys: Set<String> {
    Set(WordCutter.words(of: place ?? "").map(\.key)).subtracting(["the"])
  }

  /// The amounts by unit.
  package var measurements: [String: Double] {
    let range = table.measures.range(ordinal)
    guard !range.isEmpty else { return [:] }
    var result: [String: Double] = [:]
    for index in range {
      guard let unit = table.unitNames[checked: Int(table.measures.value(index))] else { continue }
      result[unit] = table.amounts[index]
    }
    return result
  }

  /// The units of its measurements.
  var units: [String] {
    table.measures.values(ordinal).compactMap { table.unitNames[checked: $0] }
  }

  /// Returns the amount in a unit: the sum of the measurements in units of that dimension,
  /// otherwise the duration if the unit is one of time.
  func amount(in unit: String) -> Double? {
    let conversion = table.conversion(to: unit)
    var sum: Double?
    for index in table.measures.range(ordinal) {
      guard let factor = conversion.factors[checked: Int(table.measures.value(index))] ?? nil
      else { continue }
      sum = (sum ?? 0) + table.amounts[index] * factor
    }
    if let sum { return sum.isFinite ? sum : nil }
    guard let minutesToUnit = conversion.minutes else { return nil }
    return durationMinutes.map { $0 / minutesToUnit }
  }

  /// Returns true for an entry of whole days whose amount in a unit, such as hours, is only their
  /// length.
  func hasOnlyDays(in unit: String) -> Bool {
    guard fillsDay else { return false }
    let conversion = table.conversion(to: unit)
    guard let minutesToUnit = conversion.minutes, minutesToUnit < 1_440 else { return false }
    return !table.measures.range(ordinal).contains { index in
      (conversion.factors[checked: Int(table.measures.value(index))] ?? nil) != nil
    }
  }

  /// The number of its text in the table; entries with the same number have the same text.
  var textNumber: Int { Int(table.texts[ordinal]) }

  package var text: String { table.text(textNumber) }

  /// The words of the text, in order.
  package var words: [Word] { table.words(textNumber) }

  /// Returns true if the text contains a word with one of some keys.
  func says(_ keys: Set<String>) -> Bool { table.texts(saying: keys).contains(textNumber) }

  /// The keys of the text's words.
  package var keys: Set<String> { Set(words.map(\.key)) }
}

extension Array {
  /// Returns the element at an index; nil if it is out of bounds.
  subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
