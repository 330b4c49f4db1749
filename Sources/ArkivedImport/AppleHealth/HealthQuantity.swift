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
  ///
  /// - Parameters:
  ///   - from: the unit, as `plain` returns it.
  ///   - to: the other unit, likewise.
  ///   - molarMass: the grams of a mole, without which moles aren't converted to grams.
  /// - Returns: the conversion.
  static func conversion(
    from: String, to: String, molarMass: Double? = nil
  ) -> (factor: Double, addend: Double)? {
    if from == to { return (1, 0) }
    if from == "°F", to == "°C" { return (5.0 / 9, -160.0 / 9) }
    if from == "°C", to == "°F" { return (9.0 / 5, 32) }
    if from == "K", to == "°C" { return (1, -273.15) }
    if let first = size(from, molarMass), let second = size(to, molarMass) {
      return first.kind == second.kind ? (first.size / second.size, 0) : nil
    }
    return UnitTable.standard.convert(1, from: from, to: to).map { ($0, 0) }
  }

  /// Returns true if the unit's size is known, so other units of its kind can be converted.
  static func isKnown(_ unit: String) -> Bool {
    sizes[unit] != nil || amounts[unit] != nil || ["°C", "°F", "K", "%", "count"].contains(unit)
  }

  /// Returns the molar mass in `mmol<180.1558800000541>/L`.
  static func molarMass(in unit: String) -> Double? {
    guard let open = unit.firstIndex(of: "<"), let close = unit[open...].firstIndex(of: ">") else {
      return nil
    }
    return Double(unit[open..<close].dropFirst()).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  private enum Kind { case mass, length, volume, time, energy, pressure, speed, rate, content }

  private static func size(_ unit: String, _ molarMass: Double?) -> (kind: Kind, size: Double)? {
    if let moles = amounts[unit] { return molarMass.map { (.content, moles * $0 / 10) } }
    return sizes[unit]
  }

  /// The units of amounts of substance in a volume, in mmol/L.
  private static let amounts: [String: Double] = [
    "mmol/L": 1, "mol/L": 1_000, "mcmol/L": 0.001, "µmol/L": 0.001, "mmol/dL": 10,
  ]

  /// The units that Apple writes: the customary ones by the international yard and pound agreement
  /// of 1959 and the gallons of both countries, conventional pressures by their definitions.
  private static let sizes: [String: (kind: Kind, size: Double)] = [
    "g": (.mass, 1), "kg": (.mass, 1_000), "mg": (.mass, 1e-3), "mcg": (.mass, 1e-6),
    "ng": (.mass, 1e-9), "lb": (.mass, 453.592_37), "oz": (.mass, 28.349_523_125),
    "st": (.mass, 6_350.293_18),
    "m": (.length, 1), "km": (.length, 1_000), "cm": (.length, 0.01), "mm": (.length, 0.001),
    "ft": (.length, 0.3048), "in": (.length, 0.0254), "yd": (.length, 0.9144),
    "mi": (.length, 1_609.344),
    "mL": (.volume, 1), "cL": (.volume, 10), "dL": (.volume, 100), "L": (.volume, 1_000),
    "fl_oz_us": (.volume, 29.573_529_562_5), "fl_oz_imp": (.volume, 28.413_062_5),
    "cup_us": (.volume, 236.588_236_5), "cup_imp": (.volume, 284.130_625),
    "pt_us": (.volume, 473.176_473), "pt_imp": (.volume, 568.261_25),
    "ms": (.time, 0.001), "s": (.time, 1), "min": (.time, 60), "h": (.time, 3_600),
    "d": (.time, 86_400),
    "kcal": (.energy, 4_184), "cal": (.energy, 4.184), "kJ": (.energy, 1_000), "J": (.energy, 1),
    "mmHg": (.pressure, 133.322_387_415), "kPa": (.pressure, 1_000), "hPa": (.pressure, 100),
    "Pa": (.pressure, 1), "cmAq": (.pressure, 98.0665), "atm": (.pressure, 101_325),
    "inHg": (.pressure, 3_386.389),
    "m/s": (.speed, 1), "km/h": (.speed, 1 / 3.6), "mph": (.speed, 0.447_04),
    "ft/s": (.speed, 0.3048),
    "bpm": (.rate, 1), "/min": (.rate, 1), "count/s": (.rate, 60), "Hz": (.rate, 60),
    "mg/dL": (.content, 1), "g/L": (.content, 100), "mg/L": (.content, 0.1),
    "g/dL": (.content, 1_000),
  ]
}
