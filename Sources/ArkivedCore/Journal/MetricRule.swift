/// The rule that makes one value of a day's values that several devices measured.
package enum MetricRule: Hashable, Sendable {
  /// The largest value, because several devices count the same steps.
  case largest
  /// The lowest value.
  case lowest
  /// The mean, because the values are readings of one thing.
  case mean

  /// Chooses the rule for a metric.
  ///
  /// - Parameters:
  ///   - metric: the name of the metric.
  ///   - unit: its unit.
  package init(_ metric: String, unit: String) {
    if metric == "restingHeartRate" {
      self = .lowest
    } else {
      self = Self.readings.contains(metric) || Self.isReading(unit) ? .mean : .largest
    }
  }

  /// Metrics that don't count anything, although their unit could be one of a count.
  private static let readings: Set = [
    "weight", "leanBodyMass", "bodyMassIndex", "bodyHeight", "waistCircumference",
    "heartRateVariability", "sixMinuteWalk", "stepLength",
  ]

  private static let units: Set = ["bpm", "%", "°c", "°f", "mmhg", "bmi", "db", "mph"]

  /// Returns true if amounts in a unit are readings, such as temperatures, shares and speeds, whose
  /// sum says nothing.
  package static func isReading(_ unit: String) -> Bool {
    let unit = unit.lowercased()
    return units.contains(unit) || unit.contains("/")
  }

  /// Combines the value of some devices with that of the next.
  ///
  /// - Parameters:
  ///   - value: the value so far.
  ///   - next: the value of the next device.
  ///   - count: the number of devices, including the next.
  /// - Returns: the value of all of them.
  package func combining(_ value: Double, with next: Double, count: Int) -> Double {
    switch self {
    case .largest: max(value, next)
    case .lowest: min(value, next)
    case .mean: value + (next - value) / Double(count)
    }
  }

  /// Returns the metrics of a day with one value for each name, in the unit and with the other
  /// details of the first.
  package static func combined(_ metrics: [DayMetric]) -> [DayMetric] {
    var found: [DayMetric] = []
    var devices: [Int] = []
    for metric in metrics {
      guard let place = found.firstIndex(where: { $0.metric == metric.metric }) else {
        found.append(metric)
        devices.append(1)
        continue
      }
      let (value, unit) = (found[place].value, found[place].unit)
      // A value in a unit that can't be converted would be a wrong one.
      guard
        let converted = UnitTable.standard.converted(
          metric.value, of: metric.metric, from: metric.unit, to: unit)
      else { continue }
      devices[place] += 1
      found[place].value = MetricRule(metric.metric, unit: unit).combining(
        value, with: converted, count: devices[place])
    }
    return found
  }
}
