import ArkivedCore
import Foundation

/// Recognises tables whose rows are the readings of a device: a number every few seconds or minutes.
enum TableReadings {
  /// The largest median gap between rows that are readings, in milliseconds.
  private static let density: Int64 = 3_600_000

  /// Returns true if rows contain only numbers with an instant and follow each other closely.
  static func are(_ rows: [[String]], by mapping: TableMapping) -> Bool {
    guard rows.count > 1, mapping.column(.measure) != nil else { return false }
    func values(_ index: Int) -> [String] {
      rows.compactMap { index < $0.count ? $0[index].trimmingCharacters(in: .whitespaces) : nil }
        .filter { !$0.isEmpty }
    }
    let told: [TableField] = [
      .text, .description, .notes, .tags, .people, .place, .lat, .mood, .energy, .weather,
      .duration, .end, .endTime,
    ]
    guard told.allSatisfy({ mapping.indices($0).allSatisfy { values($0).isEmpty } }) else {
      return false
    }
    // The name of a device or sensor may stand beside.
    let words = (mapping.indices(.kind) + mapping.indices(.detail)).filter { index in
      let words = Set(values(index).filter { $0.contains(where: \.isLetter) })
      return words.count > (rows.count < 20 ? 1 : max(3, rows.count / 20))
        && !words.allSatisfy { TableMoment.isDay($0) }
    }
    guard words.isEmpty else { return false }
    let times = TableMoment.times(of: rows, by: mapping)
    guard times.count * 2 > rows.count else { return false }
    let gaps = zip(times, times.dropFirst()).map { abs($1 - $0) }.sorted()
    return !gaps.isEmpty && gaps[(gaps.count - 1) / 2] <= density
  }
}

extension TableMoment {
  /// Returns the times of rows that have a clock time, in milliseconds since 1970.
  static func times(of rows: [[String]], by mapping: TableMapping) -> [Int64] {
    let columns = mapping.indices(.start) + mapping.indices(.date)
    let clock = mapping.indices(.time).first
    func cell(_ row: [String], _ index: Int) -> String {
      index < row.count ? row[index].trimmingCharacters(in: .whitespaces) : ""
    }
    func moment(_ row: [String]) -> TableMoment? {
      columns.lazy.compactMap {
        TableMoment(cell(row, $0), in: mapping.columns[$0].field, order: .inProcess)
      }.first
    }
    let moments = rows.map { ($0, moment($0)) }
    // Midnights in every row are days.
    let areClocks = rows.contains { row in columns.contains { hasClock(cell(row, $0)) } }
    return moments.compactMap { row, moment in
      switch moment {
      case .instant(let instant, _) where areClocks: return instant.milliseconds
      case .local(let day, let own):
        let second = areClocks ? own : nil
        return (second ?? clock.flatMap { TableTimes.clock(cell(row, $0)) }).map {
          WallTime(day: day, secondOfDay: $0).milliseconds
        }
      case .instant, nil: return nil
      }
    }
  }
}
