import ArkivedCore
import Foundation

/// Compares the durations of a table with the time between its starts and ends.
struct TableLengths {
  private let mapping: TableMapping
  private let survey: TableSurvey

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - mapping: the table's mapping.
  ///   - rows: the first rows, which determine how durations are written.
  init(_ mapping: TableMapping, _ rows: [[String]]) {
    self.mapping = mapping
    var survey = TableSurvey(mapping)
    for fields in rows { survey.take(CSVTable.Row(fields: fields)) }
    self.survey = survey
  }

  /// Returns the number of rows with a start, an end and a duration, and of those whose duration is
  /// the time from start to end.
  func counts(_ rows: [[String]]) -> (compared: Int, equal: Int) {
    var (compared, equal) = (0, 0)
    for fields in rows {
      let row = CSVTable.Row(fields: fields)
      guard let elapsed = elapsed(row), let length = length(row) else { continue }
      compared += 1
      if Self.isSame(length, elapsed) { equal += 1 }
    }
    return (compared, equal)
  }

  /// Returns true if two lengths in seconds are the same, apart from the rounding of either.
  static func isSame(_ first: Double, _ second: Double) -> Bool { abs(first - second) <= 60 }

  private func value(_ row: CSVTable.Row, _ field: TableField) -> String? {
    mapping.indices(field).lazy.compactMap { row.value(at: $0) }.first
  }

  private func length(_ row: CSVTable.Row) -> Double? {
    value(row, .duration).flatMap {
      TableTimes.seconds($0, unit: mapping.column(.duration)?.unit, survey, decimal: ".")
    }
  }

  /// Returns the seconds from start to end by the clocks of the table.
  private func elapsed(_ row: CSVTable.Row) -> Double? {
    guard let start = moment(row, .start, .time) ?? moment(row, .date, .time) else { return nil }
    if let end = moment(row, .end, .endTime) { return end < start ? nil : end - start }
    guard let clock = value(row, .endTime).flatMap(TableTimes.clock) else { return nil }
    let second = start - (start / 86_400).rounded(.down) * 86_400
    // An end before the start is on the next day.
    return Double(clock) < second ? Double(clock) + 86_400 - second : Double(clock) - second
  }

  private func moment(_ row: CSVTable.Row, _ field: TableField, _ clock: TableField) -> Double? {
    guard let text = value(row, field) else { return nil }
    switch survey.moment(text, in: field) {
    case .instant(let instant, let offset):
      return Double(instant.milliseconds) / 1_000 + Double(offset ?? 0)
    case .local(let day, let own):
      let written = survey.clocks.contains(field) ? own : nil
      guard let second = written ?? value(row, clock).flatMap(TableTimes.clock) else {
        return nil
      }
      return Double(WallTime(day: day, secondOfDay: second).milliseconds) / 1_000
    case nil: return nil
    }
  }
}
