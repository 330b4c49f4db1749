import ArkivedCore
import Foundation

/// Adds up records by day, in memory that grows with days and types, not with records.
struct HealthDays {
  /// A kind of number in one unit.
  struct Metric {
    var name: String
    var unit: String
    var rule: HealthRule
  }

  /// A day's number.
  struct Figure {
    var day: DayKey
    var metric: Metric
    var value: Double
    var minimum: Double?
    var maximum: Double?
  }

  /// The running statistics of a day's readings.
  private struct Cell {
    var sum = 0.0
    var lastAt = Int.min
    var last: Float = 0
    var least = Float.infinity
    var most = -Float.infinity
    var count: Int32 = 0
  }

  /// The maximum number of cells: eighty years of a hundred types.
  private static let cellLimit = 3_000_000
  /// The maximum number of hourly tables: eighty years of ten types from three devices.
  private static let tableLimit = 900_000
  /// The longest record in seconds that is spread over its hours; a longer one counts for the day
  /// on which it began.
  private static let spanLimit = 48 * 3600

  private(set) var metrics: [Metric] = []
  private var numbers: [String: Int] = [:]
  private var cells: [Cell] = []
  private var cellPlaces: [UInt64: Int] = [:]
  /// The hourly sums, 24 for each day, type and device.
  private var hours: [Float] = []
  private var tablePlaces: [UInt64: Int] = [:]
  /// The daily sums from Apple's own summaries.
  private var told: [UInt64: Double] = [:]
  private var lastCell: (key: UInt64, place: Int) = (.max, 0)
  private var lastTable: (key: UInt64, place: Int) = (.max, 0)
  /// The number of records dropped because they exceed the limits on days and types.
  private(set) var overflow = 0

  /// Returns the number of a metric, whose unit is set by the first caller.
  mutating func metric(_ name: String, unit: String, rule: HealthRule) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = metrics.count
    metrics.append(Metric(name: name, unit: unit, rule: rule))
    return metrics.count - 1
  }

  // MARK: Taking records

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - metric: the number of the metric.
  ///   - source: the number of the device or program.
  ///   - start: the start, in seconds since 1970-01-01T00:00:00 by the local clock, like `end`.
  ///   - end: the end, likewise.
  ///   - value: its value.
  mutating func take(metric: Int, source: Int, start: Int, end: Int, value: Double) {
    guard metrics[metric].rule == .counted else {
      return read(metric, HealthMoment.day(ofLocal: start), start, value)
    }
    let length = end - start
    guard length > 0, length <= Self.spanLimit else { return count(metric, source, start, value) }
    var from = start
    while from < end {
      let nextHour = from - (from % 3600 + 3600) % 3600 + 3600
      let until = min(end, nextHour)
      count(metric, source, from, value * Double(until - from) / Double(length))
      from = until
    }
  }

  /// Records a day's sum from Apple's summary, which takes into account which device counted.
  mutating func tell(metric: Int, day: DayKey, value: Double) {
    guard told.count < Self.cellLimit else { return overflow += 1 }
    told[Self.key(day.daysSinceEpoch, metric, 0)] = value
  }

  private mutating func count(_ metric: Int, _ source: Int, _ second: Int, _ value: Double) {
    let key = Self.key(HealthMoment.day(ofLocal: second), metric, source)
    if lastTable.key != key {
      guard let place = tablePlaces[key] ?? newTable(key) else { return overflow += 1 }
      lastTable = (key, place)
    }
    let hour = (second % 86_400 + 86_400) % 86_400 / 3600
    hours[lastTable.place * 24 + hour] += Float(value)
  }

  private mutating func newTable(_ key: UInt64) -> Int? {
    let place = hours.count / 24
    guard place < Self.tableLimit else { return nil }
    hours.append(contentsOf: repeatElement(0, count: 24))
    tablePlaces[key] = place
    return place
  }

  private mutating func read(_ metric: Int, _ day: Int, _ second: Int, _ value: Double) {
    let key = Self.key(day, metric, 0)
    if lastCell.key != key {
      guard let place = cellPlaces[key] ?? newCell(key) else { return overflow += 1 }
      lastCell = (key, place)
    }
    let place = lastCell.place
    cells[place].sum += value
    cells[place].count += 1
    cells[place].least = min(cells[place].least, Float(value))
    cells[place].most = max(cells[place].most, Float(value))
    // Of two readings at the same moment, the larger wins, regardless of their order in the file.
    if second > cells[place].lastAt
      || (second == cells[place].lastAt && Float(value) > cells[place].last)
    {
      cells[place].lastAt = second
      cells[place].last = Float(value)
    }
  }

  private mutating func newCell(_ key: UInt64) -> Int? {
    guard cells.count < Self.cellLimit else { return nil }
    cells.append(Cell())
    cellPlaces[key] = cells.count - 1
    return cells.count - 1
  }

  /// Returns a key that sorts by day, then metric, then source.
  private static func key(_ day: Int, _ metric: Int, _ source: Int) -> UInt64 {
    let shifted = UInt64(min(max(day + 1 << 30, 0), 1 << 31))
    return shifted << 32 | UInt64(metric & 0xFFFF) << 16 | UInt64(source & 0xFFFF)
  }

  private static func parts(_ key: UInt64) -> (day: DayKey, metric: Int) {
    (DayKey(clamping: Int(key >> 32) - 1 << 30), Int(key >> 16 & 0xFFFF))
  }

  // MARK: Results

  /// Calls a closure with each day's numbers, in order of day.
  func forEach(_ body: (Figure) throws -> Void) rethrows {
    var sums: [UInt64: Double] = [:]
    var present: UInt64?
    var most = [Float](repeating: 0, count: 24)
    func settle() {
      guard let present else { return }
      sums[present] = most.reduce(0) { $0 + Double($1) }
    }
    for key in tablePlaces.keys.sorted() {
      guard let place = tablePlaces[key] else { continue }
      // Any source of the same day and metric matches.
      let shared = key & ~0xFFFF
      if shared != present {
        settle()
        present = shared
        most = [Float](repeating: 0, count: 24)
      }
      for hour in 0..<24 { most[hour] = max(most[hour], hours[place * 24 + hour]) }
    }
    settle()
    sums.merge(told) { _, told in told }
    for key in (Array(sums.keys) + cellPlaces.keys).sorted() {
      let (day, number) = Self.parts(key)
      let metric = metrics[number]
      if let sum = sums[key] {
        let value = Self.kept(sum, metric.unit)
        if value > 0 { try body(Figure(day: day, metric: metric, value: value)) }
      } else if let place = cellPlaces[key] {
        try body(Self.figure(cells[place], day, metric))
      }
    }
  }

  private static func figure(_ cell: Cell, _ day: DayKey, _ metric: Metric) -> Figure {
    func shown(_ value: Float) -> Double { kept(Double(value), metric.unit) }
    switch metric.rule {
    case .added, .counted:
      return Figure(day: day, metric: metric, value: kept(cell.sum, metric.unit))
    case .latest: return Figure(day: day, metric: metric, value: shown(cell.last))
    case .level:
      let isOne = cell.count <= 1
      return Figure(
        day: day, metric: metric,
        value: isOne
          ? kept(cell.sum, metric.unit) : rounded(cell.sum / Double(cell.count), metric.unit),
        minimum: isOne ? nil : shown(cell.least), maximum: isOne ? nil : shown(cell.most))
    }
  }

  /// Returns a value as recorded, without the noise of summation and single precision.
  static func kept(_ value: Double, _ unit: String) -> Double {
    guard value.isFinite else { return value }
    // Minutes are derived from clock times.
    guard unit != "min" else { return rounded(value, unit) }
    let scale: Double =
      switch abs(value) {
      case _ where unit == "count" && abs(value) >= 10: 1
      case 100_000...: 10
      case 1_000...: 100
      case 1...: 1_000
      default: 100_000
      }
    return (value * scale).rounded() / scale
  }

  /// Rounds counts to whole numbers and other amounts to a readable number of digits.
  static func rounded(_ value: Double, _ unit: String) -> Double {
    guard value.isFinite else { return value }
    let scale: Double =
      switch abs(value) {
      case _ where unit == "count" && abs(value) >= 10: 1
      case _ where unit == "bpm": 10
      case 100...: 10
      case 1...: 100
      default: 10_000
      }
    return (value * scale).rounded() / scale
  }
}
