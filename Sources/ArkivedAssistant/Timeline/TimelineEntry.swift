package import ArkivedCore

/// What is asked about: an activity, or a note of a day or an activity.
///
/// It is a place in a table; what it says is read there when it is asked for. Days, hours, amounts
/// and names are numbers there; `text`, and what is made of it, costs more.
package struct TimelineEntry: Identifiable, Sendable {
  package enum Kind: String, Sendable { case activity, day }

  let table: TimelineTable
  let ordinal: Int

  /// The row number of its document in the archive's full-text table; unique within a timeline.
  package var id: Int64 { table.rows[ordinal] }

  /// What the entry is that a citation leads to: a note may be that of an activity.
  package var type: Kind { id & 7 == 0 ? .activity : .day }

  package var day: DayKey { DayKey(clamping: Int(table.days[ordinal])) }

  /// Local minutes since the day's midnight; nil when only the day is known.
  package var startMinute: Int? {
    let minute = table.minutes[ordinal]
    return minute < 0 ? nil : Int(minute)
  }

  /// Given, from start and end, or as the text tells it.
  package var durationMinutes: Double? {
    let duration = table.durations[ordinal]
    return duration.isNaN ? nil : duration
  }

  package var activityKind: String {
    table.kindNames[checked: Int(table.kinds[ordinal])] ?? "other"
  }

  package var tags: [String] {
    table.tags.values(ordinal).compactMap { table.tagNames[checked: $0] }
  }

  package var people: [String] {
    table.people.values(ordinal).compactMap { table.peopleNames[checked: $0] }
  }

  /// Whether it names nobody.
  package var hasNobody: Bool { table.people.range(ordinal).isEmpty }

  package var place: String? {
    let number = Int(table.places[ordinal])
    return number == 0 ? nil : table.placeNames[checked: number - 1]
  }

  /// The keys of the words of the place's name.
  var placeKeys: Set<String> {
    Set(WordCutter.words(of: place ?? "").map(\.key)).subtracting(["the"])
  }

  /// Unit to amount.
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

  /// What the entry measures, in a unit: the sum of what it measures in units of that dimension, else
  /// how long it took where the unit is one of time.
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

  /// Which of the table's texts it has; entries of one number have the same text.
  var textNumber: Int { Int(table.texts[ordinal]) }

  package var text: String { table.text(textNumber) }

  /// The words of the text, in order.
  package var words: [Word] { table.words(textNumber) }

  /// Whether the text holds a word of one of some keys.
  func says(_ keys: Set<String>) -> Bool { table.texts(saying: keys).contains(textNumber) }

  /// The keys of the text's words.
  package var keys: Set<String> { Set(words.map(\.key)) }
}

extension Array {
  /// The element at a place; nil where there is none.
  subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
