import ArkivedCore

/// The rule for combining records of a type into a day's number.
enum HealthRule {
  /// The highest count of any device in each hour, because several devices count the same thing.
  case counted
  /// The sum, because records are independent of each other.
  case added
  /// The mean, with the minimum and maximum.
  case level
  /// The last value of the day.
  case latest
}

/// The metric to which a type of records contributes.
struct HealthQuantity {
  var name: String
  var rule: HealthRule
  /// The unit of records that give none; nil if it is unknown.
  var usualUnit: String?
}

extension HealthQuantity {
  /// Looks up the metric of a type.
  ///
  /// An unknown type is named after itself, and its records are summed if its name or unit shows
  /// that it is a count.
  init(identifier: String, unit: String) {
    let bare = HealthWords.bare(identifier)
    if let known = Self.known[bare] {
      self = known
      return
    }
    let isAmount =
      bare.hasPrefix("Distance") || bare.hasPrefix("Dietary") || bare.hasPrefix("NumberOf")
      || bare.hasSuffix("Count") || bare.hasSuffix("Time") || bare.hasSuffix("EnergyBurned")
      || unit == "count"
    name = HealthWords.key(bare)
    rule = isAmount ? bare.hasPrefix("Distance") ? .counted : .added : .level
    usualUnit = unit.isEmpty && isAmount ? "count" : nil
  }

  private init(_ name: String, _ rule: HealthRule, _ usualUnit: String? = nil) {
    self.name = name
    self.rule = rule
    self.usualUnit = usualUnit
  }

  /// The known metrics by Apple's identifiers without `HKQuantityTypeIdentifier`.
  ///
  /// A name has two words if one word could mean something else in a question.
  private static let known: [String: HealthQuantity] = [
    "StepCount": .init("steps", .counted, "count"),
    "DistanceWalkingRunning": .init("walkingDistance", .counted),
    "DistanceCycling": .init("cyclingDistance", .counted),
    "DistanceSwimming": .init("swimmingDistance", .counted),
    "DistanceWheelchair": .init("wheelchairDistance", .counted),
    "DistanceDownhillSnowSports": .init("snowSportsDistance", .counted),
    "PushCount": .init("wheelchairPushes", .counted, "count"),
    "SwimmingStrokeCount": .init("swimmingStrokes", .counted, "count"),
    "FlightsClimbed": .init("climbedStairs", .counted, "count"),
    "ActiveEnergyBurned": .init("activeEnergy", .counted),
    "BasalEnergyBurned": .init("restingEnergy", .counted),
    "AppleExerciseTime": .init("exerciseRingMinutes", .counted, "min"),
    "AppleMoveTime": .init("moveRingMinutes", .counted, "min"),
    "AppleStandTime": .init("standingTimeMinutes", .counted, "min"),
    "TimeInDaylight": .init("daylightTimeMinutes", .counted, "min"),
    "HeartRate": .init("heartRate", .level, "bpm"),
    "RestingHeartRate": .init("restingHeartRate", .latest, "bpm"),
    "WalkingHeartRateAverage": .init("walkingHeartRate", .latest, "bpm"),
    "HeartRateVariabilitySDNN": .init("heartRateVariability", .level, "ms"),
    "HeartRateRecoveryOneMinute": .init("heartRateRecovery", .latest, "bpm"),
    "OxygenSaturation": .init("oxygenSaturation", .level, "%"),
    "RespiratoryRate": .init("respiratoryRate", .level, "/min"),
    "BodyTemperature": .init("bodyTemperature", .level),
    "BasalBodyTemperature": .init("basalBodyTemperature", .level),
    "AppleSleepingWristTemperature": .init("wristTemperature", .latest),
    "BodyMass": .init("weight", .latest),
    "LeanBodyMass": .init("leanBodyMass", .latest),
    "BodyMassIndex": .init("bodyMassIndex", .latest, "count"),
    "BodyFatPercentage": .init("bodyFat", .latest, "%"),
    "Height": .init("bodyHeight", .latest),
    "WaistCircumference": .init("waistCircumference", .latest),
    "BloodPressureSystolic": .init("bloodPressureSystolic", .level, "mmHg"),
    "BloodPressureDiastolic": .init("bloodPressureDiastolic", .level, "mmHg"),
    "VO2Max": .init("vo2Max", .latest, "mL/min·kg"),
    "NumberOfTimesFallen": .init("fallenTimes", .added, "count"),
    "InsulinDelivery": .init("insulinDelivery", .added, "IU"),
    "InhalerUsage": .init("inhalerUsage", .added, "count"),
    "NumberOfAlcoholicBeverages": .init("alcoholicDrinks", .added, "count"),
    "DietaryEnergyConsumed": .init("dietaryEnergy", .added),
    "EnvironmentalAudioExposure": .init("environmentalNoise", .level, "dB"),
    "HeadphoneAudioExposure": .init("headphoneLoudness", .level, "dB"),
    "SixMinuteWalkTestDistance": .init("sixMinuteWalk", .latest),
    "WalkingSpeed": .init("walkingSpeed", .level),
    "WalkingStepLength": .init("stepLength", .level),
    "AppleWalkingSteadiness": .init("walkingSteadiness", .latest, "%"),
  ]
}

/// Conversions between Apple's and Arkived's units.
enum HealthUnit {
  /// Returns Arkived's name of a unit.
  static func plain(_ unit: String, of identifier: String) -> String {
    switch unit {
    case "count/min":
      return identifier.contains("HeartRate") ? "bpm" : "/min"
    case "Cal": return "kcal"
    case "degC": return "°C"
    case "degF": return "°F"
    case "dBASPL", "dBHL": return "dB"
    case "hr": return "h"
    case "km/hr": return "km/h"
    case "mi/hr": return "mph"
    default:
      // In "mmol<180.1558800000541>/L" the molar mass isn't worth showing.
      guard let open = unit.firstIndex(of: "<"), let close = unit[open...].firstIndex(of: ">")
      else { return unit }
      return String(unit[..<open] + unit[unit.index(after: close)...])
    }
  }

  /// Returns the conversion between two units as `amount * factor + addend`, or nil if they measure
  /// different quantities.
  static func conversion(from: String, to: String) -> (factor: Double, addend: Double)? {
    if from == to { return (1, 0) }
    if from == "°F", to == "°C" { return (5.0 / 9, -160.0 / 9) }
    if from == "°C", to == "°F" { return (9.0 / 5, 32) }
    return UnitTable.standard.convert(1, from: from, to: to).map { ($0, 0) }
  }
}
