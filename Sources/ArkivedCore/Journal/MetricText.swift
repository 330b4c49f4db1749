/// The display names of device metrics, and their order of importance.
package enum MetricText {
  /// Returns the display name of a metric: "restingHeartRate" becomes "resting heart rate", and
  /// metrics of time lose the name of their unit.
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
    return reordered[words] ?? words
  }

  /// Names whose words are in a different order than in the name of the metric.
  private static let reordered = [
    "blood pressure systolic": "systolic blood pressure",
    "blood pressure diastolic": "diastolic blood pressure",
  ]

  // words: steps | sleep | resting heart rate | walking distance | exercise ring | active energy
  // words: weight | mindful time | heart rate | heart rate variability | cycling distance
  // words: swimming distance | flights climbed | stand ring | time in daylight
  // words: systolic blood pressure | diastolic blood pressure | blood glucose | body temperature
  // words: oxygen saturation | respiratory rate | VO₂ max | body fat | deep sleep | REM sleep
  /// Returns the display name in the current language, or in English if it has no translation.
  package static func shownName(_ metric: String) -> String {
    let name = name(metric)
    return saidWhole(reworded[name] ?? name)
  }

  /// Names that people know in a form other than the metric's own name.
  private static let reworded = [
    "climbed stairs": "flights climbed", "daylight time": "time in daylight", "vo2Max": "VO₂ max",
    "rem sleep": "REM sleep",
  ]

  /// Returns an amount such as "7 h 12 min", "57.5 bpm" (in German "57,5 bpm") or "9,412", without
  /// the unit if it only says that something is counted.
  package static func amount(_ metric: DayMetric) -> String {
    if let number = Int(exactly: metric.value.rounded()), number >= 0 {
      if metric.metric == "steps" { return AmountText.grouped(number) }
      if metric.metric == "sleepMinutes", ["", "min"].contains(metric.unit) {
        return "\(number / 60) h \(number % 60) min"
      }
    }
    let amount = AmountText.shown(metric.value)
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

  /// Returns names in order of general importance, then alphabetically.
  package static func ordered(_ names: some Sequence<String>) -> [String] {
    names.sorted { isBefore($0, $1) }
  }

  /// Returns metrics in the order of their names' importance.
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
