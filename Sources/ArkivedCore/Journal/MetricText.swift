/// What the numbers of devices are called, and which of them a person looks at first.
package enum MetricText {
  /// "restingHeartRate" as "resting heart rate"; what measures time loses its unit's name.
  package static func name(_ metric: String) -> String {
    var words = ""
    for character in metric.replacing("_", with: " ") {
      if character.isUppercase, words.last?.isLowercase == true { words.append(" ") }
      words.append(
        words.isEmpty || words.last == " " ? Character(character.lowercased()) : character)
    }
    for ending in [" minutes", " hours", " seconds"] where words.hasSuffix(ending) {
      return String(words.dropLast(ending.count))
    }
    return words
  }

  // words: steps | sleep | resting heart rate | walking distance | exercise ring | active energy
  // words: weight | mindful time | heart rate | heart rate variability | cycling distance
  // words: swimming distance | climbed stairs | stand ring | daylight time
  // words: blood pressure systolic | blood pressure diastolic | blood glucose | body temperature
  // words: oxygen saturation | respiratory rate | vo2Max | body fat | deep sleep | rem sleep
  /// The name in the language of the work at hand; as it is where it is not known.
  package static func shownName(_ metric: String) -> String { saidWhole(name(metric)) }

  /// "432 min", "57 bpm", "9412": an amount with its unit, if that says more than that it counts.
  package static func amount(_ metric: DayMetric) -> String {
    let amount = AmountText.plain(metric.value)
    return ["", "count"].contains(metric.unit) ? amount : "\(amount) \(metric.unit)"
  }

  private static let first = [
    "steps", "sleepMinutes", "restingHeartRate", "walkingDistance", "exerciseRingMinutes",
    "activeEnergy", "weight", "mindfulTimeMinutes", "heartRate", "heartRateVariability",
    "cyclingDistance", "swimmingDistance", "climbedStairs", "standRingHours", "daylightTimeMinutes",
    "bloodPressureSystolic", "bloodPressureDiastolic", "bloodGlucose", "bodyTemperature",
    "oxygenSaturation", "respiratoryRate", "vo2Max", "bodyFat", "deepSleepMinutes",
    "remSleepMinutes",
  ]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: first.enumerated().map { ($0.element, $0.offset) })

  /// Names in the order in which they matter to most, then by the alphabet.
  package static func ordered(_ names: some Sequence<String>) -> [String] {
    names.sorted { isBefore($0, $1) }
  }

  /// Numbers in that order.
  package static func ordered(_ metrics: [DayMetric]) -> [DayMetric] {
    metrics.sorted { left, right in
      left.metric == right.metric
        ? left.source < right.source : isBefore(left.metric, right.metric)
    }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    (ranks[left] ?? first.count, left) < (ranks[right] ?? first.count, right)
  }
}
