import ArkivedCore
import Foundation

/// Telling durations from clock times and from other amounts of time.
extension TableGuess {
  /// Turns a column of clock times called just time into a duration, if the clock times are
  /// elsewhere or no day begins so early: `Date` 2026-03-10 07:12:33, `Time` 00:55:12.
  static func settleLength(
    _ fields: inout [TableField?], _ header: [String], _ rows: [[String]]
  ) {
    settleRaceTimes(&fields, header, rows)
    guard let time = fields.firstIndex(of: .time), timeNames.contains(key(header[time])),
      let day = fields.firstIndex(of: .date) ?? fields.firstIndex(of: .start)
    else { return }
    let pairs = rows.compactMap { row -> (day: String, time: String)? in
      guard max(day, time) < row.count else { return nil }
      let cells = [row[day], row[time]].map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.contains("") ? nil : (cells[0], cells[1])
    }
    guard !pairs.isEmpty, pairs.allSatisfy({ TableTimes.shape($0.time) != nil }) else { return }
    let isClockElsewhere = pairs.count { TableMoment.hasClock($0.day) } * 2 >= pairs.count
    let repeats = pairs.count { pair in
      guard case .local(_, let second?) = TableMoment(pair.day, order: .dayFirst) else {
        return false
      }
      return second / 60 == (TableTimes.secondOfDay(pair.time) ?? -60) / 60
    }
    let isSport = header.contains { name in
      !["distance", "pace", "calories", "distanz", "strecke", "kalorien", "tempo", "cadence"]
        .allSatisfy { !TableUnits.words(of: name).contains($0) }
    }
    let isShort = pairs.allSatisfy {
      (TableTimes.shape($0.time)?.count ?? 0) == 3 && (TableTimes.length($0.time) ?? .max) < 21_600
    }
    guard isClockElsewhere ? repeats * 2 < pairs.count : isSport && isShort else { return }
    for index in fields.indices where fields[index] == .duration { fields[index] = .detail }
    fields[time] = .duration
  }

  /// The names of columns that are clock times or durations.
  private static let timeNames: Set<String> = [
    "time", "zeit", "temps", "tiempo", "tempo", "tijd",
  ]

  /// Turns a column called just time into a duration if it has times such as 55:12, which no clock
  /// shows, or beside a distance both 55:12 and 1:58:03.
  private static func settleRaceTimes(
    _ fields: inout [TableField?], _ header: [String], _ rows: [[String]]
  ) {
    guard !fields.contains(.duration), fields.contains(.date) || fields.contains(.start),
      let time = header.indices.first(where: { index in
        [nil, .time].contains(fields[index]) && timeNames.contains(key(header[index]))
      })
    else { return }
    let values = column(rows, time)
    let shapes = values.compactMap { TableTimes.shape($0) }
    guard !values.isEmpty, shapes.count == values.count,
      values.allSatisfy({ TableTimes.length($0) != nil })
    else { return }
    let long = shapes.count { $0.count == 2 && $0.first >= 24 }
    let isMixed = Set(shapes.map(\.count)).count > 1
    let hasDistance = header.contains { name in
      !["distance", "distanz", "strecke", "km", "kilometer", "kilometers", "mi", "miles", "meilen"]
        .allSatisfy { !TableUnits.words(of: name).contains($0) }
    }
    guard long * 2 > values.count || (hasDistance && (long > 0 || isMixed)) else { return }
    fields[time] = .duration
  }

  /// Takes a duration for an amount of its own if the table also has starts and ends, and most rows
  /// say something else: hours without breaks, or the length of one set of a workout.
  static func settleEnd(
    _ fields: inout [TableField?], _ header: [String], _ rows: [[String]]
  ) {
    guard let length = fields.firstIndex(of: .duration),
      fields.contains(.end) || fields.contains(.endTime),
      fields.contains(.start) || fields.contains(.time)
    else { return }
    let mapping = TableMapping(
      columns: header.indices.map { index in
        TableMapping.Column(
          name: header[index], field: fields[index] ?? .ignore,
          unit: index == length
            ? TableUnits.lengthUnit(of: header[index], column(rows, index)) : nil)
      })
    let (compared, equal) = TableLengths(mapping, rows).counts(rows)
    guard compared > 0, equal * 2 <= compared else { return }
    let values = column(rows, length)
    fields[length] = are(values) { TableNumbers.isNumber($0) } ? .measure : .detail
  }

  private static func column(_ rows: [[String]], _ index: Int) -> [String] {
    rows.compactMap { index < $0.count ? $0[index].trimmingCharacters(in: .whitespaces) : nil }
      .filter { !$0.isEmpty }
  }
}
