import ArkivedCore
import Foundation

/// A workout, as given by its element and children.
struct HealthWorkout {
  /// A triathlon, in which each sport has its own distance.
  private static let severalSports = "SwimBikeRun"
  /// The maximum length of a sport's name and number of remarks.
  private static let nameLimit = 60

  let type: String
  let source: String
  private let startText: String?
  private let endText: String?
  private let duration: (value: Double, unit: String)?
  private var distance: (value: Double, unit: String)?
  private var energy: (value: Double, unit: String)?
  private var strokes: Double?
  private var heart: (mean: Double?, least: Double?, most: Double?) = (nil, nil, nil)
  private var metadata: [String: String] = [:]
  private var pauses = 0
  private var route: HealthRoute?
  /// The points of a route inside the workout itself, as iOS 11 wrote them.
  private var line = HealthRoute.Line()

  init(_ attributes: XMLAttributes) {
    let identifier = HealthWords.bare(attributes["workoutActivityType"] ?? "Other")
    type = String(identifier.prefix(Self.nameLimit))
    source = attributes["sourceName"] ?? ""
    startText = attributes["startDate"]
    endText = attributes["endDate"]
    duration = Self.amount(attributes["duration"], attributes["durationUnit"] ?? "min")
    distance = Self.amount(attributes["totalDistance"], attributes["totalDistanceUnit"])
    energy = Self.amount(attributes["totalEnergyBurned"], attributes["totalEnergyBurnedUnit"])
    strokes = HealthNumber.read(attributes["totalSwimmingStrokeCount"])
  }

  private static func amount(_ value: String?, _ unit: String?) -> (value: Double, unit: String)? {
    guard let value = HealthNumber.read(value), value > 0, let unit else { return nil }
    return (value, HealthUnit.plain(unit, of: ""))
  }

  // MARK: Parts

  /// Begins an element of the workout.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - attributes: its attributes.
  ///   - isOwn: true if the element belongs to the workout itself, not to a part such as the swim
  ///     of a triathlon.
  ///   - routes: finds a route by its path.
  mutating func begin(
    _ name: String, _ attributes: XMLAttributes, isOwn: Bool, routes: (String) -> HealthRoute?
  ) {
    switch name {
    case "MetadataEntry", "WorkoutStatistics", "WorkoutEvent":
      if isOwn { beginOwn(name, attributes) }
    case "FileReference":
      if let path = attributes["path"], let found = routes(path) { route = route ?? found }
    case "Location":
      line.add(
        lat: HealthNumber.read(attributes["latitude"]),
        lon: HealthNumber.read(attributes["longitude"]))
    default: break
    }
  }

  private mutating func beginOwn(_ name: String, _ attributes: XMLAttributes) {
    switch name {
    case "MetadataEntry":
      if metadata.count < Self.nameLimit, let key = attributes["key"] {
        metadata[key] = attributes["value"]
      }
    case "WorkoutStatistics": take(attributes)
    case "WorkoutEvent":
      if HealthWords.bare(attributes["type"] ?? "") == "Pause" { pauses += 1 }
    default: break
    }
  }

  /// Takes the sums and means that workouts contain since iOS 16.
  private mutating func take(_ attributes: XMLAttributes) {
    let type = HealthWords.bare(attributes["type"] ?? "")
    let unit = attributes["unit"]
    switch type {
    case "HeartRate":
      heart = (
        HealthNumber.read(attributes["average"]), HealthNumber.read(attributes["minimum"]),
        HealthNumber.read(attributes["maximum"])
      )
    case "ActiveEnergyBurned": energy = Self.amount(attributes["sum"], unit) ?? energy
    case "SwimmingStrokeCount": strokes = HealthNumber.read(attributes["sum"]) ?? strokes
    case _ where type.hasPrefix("Distance"):
      let sum = Self.amount(attributes["sum"], unit)
      // Walking between lengths isn't swimming, so the larger distance is the sport's own.
      guard let sum else { return }
      func kilometres(_ amount: (value: Double, unit: String)) -> Double {
        UnitTable.standard.convert(amount.value, from: amount.unit, to: "km") ?? 0
      }
      if self.type == Self.severalSports, let old = distance {
        distance = (kilometres(old) + kilometres(sum), "km")
        return
      }
      if let old = distance, kilometres(old) >= kilometres(sum) { return }
      distance = sum
    default: break
    }
  }

  /// The line of the route if it is worth a file; otherwise empty.
  var way: [[GeoPoint]] {
    guard let route = route ?? line.route, route.metres >= PointDays.lineLimit,
      route.lines.contains(where: { $0.count > 2 })
    else { return [] }
    return route.lines
  }

  // MARK: The activity

  /// Returns the activity.
  ///
  /// - Throws: `FieldError` if the workout has no start.
  func activity(_ entries: HealthEntries) throws(FieldError) -> Activity {
    guard let start = HealthMoment(startText) else {
      throw FieldError(
        "startDate",
        "\(FieldError.shown(startText ?? "")) isn’t a valid date (such as 2016-11-14 07:25:41 -0700)"
      )
    }
    let end = HealthMoment(endText).flatMap { $0.seconds >= start.seconds ? $0 : nil }
    var activity = entries.activity(
      "", from: start, to: end, zone: metadata["HKTimeZone"].flatMap { Zone($0) },
      knownAs: "workout/\(type)/\(start.instant)/\(TableIdentity.hash(source).prefix(12))")
    let minutes = duration.flatMap { amount in
      HealthUnit.conversion(from: amount.unit, to: "min").map { amount.value * $0.factor }
    }
    activity.durationMinutes = minutes.map { HealthDays.kept($0, "min") }
    let route = route ?? line.route
    let distance = distance ?? route.map { (value: $0.metres / 1000, unit: "km") }
    if let distance, distance.value > 0 {
      let unit = UnitTable.standard.canonicalName(distance.unit)
      activity.measurements[unit] = HealthDays.kept(distance.value, unit)
    }
    if let energy {
      // Apple's small calories and joules aren't stored as such.
      let isSmall = energy.unit == "cal" || energy.unit == "J"
      let unit = isSmall ? "kcal" : UnitTable.standard.canonicalName(energy.unit)
      let factor = isSmall ? HealthUnit.conversion(from: energy.unit, to: unit)?.factor ?? 1 : 1
      activity.measurements[unit] = HealthDays.kept(energy.value * factor, unit)
    }
    if let mean = heart.mean, mean > 0 {
      activity.measurements["bpm"] = HealthDays.rounded(mean, "bpm")
    }
    if let strokes, strokes > 0 { activity.measurements["strokes"] = strokes.rounded() }
    activity.text = text(distance, minutes ?? end.map { Double($0.seconds - start.seconds) / 60 })
    activity.description = details()
    activity.weather = weather
    activity.tags = [HealthWords.sentence(type).lowercased()]
    if let route { (activity.lat, activity.lon) = (route.lat, route.lon) }
    return activity
  }

  private static let names = [
    "Running": "Run", "Walking": "Walk", "Swimming": "Swim", "Hiking": "Hike",
    "TraditionalStrengthTraining": "Strength training",
    "HighIntensityIntervalTraining": "Interval training", "MindAndBody": "Mind and body",
    "Other": "Workout",
  ]

  /// Returns a summary such as "Indoor run, 5.2 km" or "Yoga, 45 min".
  private func text(_ distance: (value: Double, unit: String)?, _ minutes: Double?) -> String {
    var name = Self.names[type] ?? HealthWords.sentence(type)
    if name.isEmpty { name = "Workout" }
    if metadata["HKIndoorWorkout"] == "1" {
      name = "Indoor " + name.prefix(1).lowercased() + name.dropFirst()
    }
    if let distance, distance.value > 0 {
      let unit = UnitTable.standard.canonicalName(distance.unit)
      return "\(name), \(HealthText.amount(distance.value, unit))"
    }
    guard let minutes, minutes >= 1, minutes < 100_000 else { return name }
    return "\(name), \(HealthText.length(Int(minutes * 60)))"
  }

  private func details() -> String? {
    var parts: [String] = []
    if let mean = heart.mean {
      var text = "Average heart rate \(AmountText.plain(mean.rounded())) bpm"
      if let least = heart.least, let most = heart.most {
        text += " (\(AmountText.plain(least.rounded()))–\(AmountText.plain(most.rounded())))"
      }
      parts.append(text)
    }
    if let climb = HealthNumber.amount(metadata["HKElevationAscended"]),
      let metres = UnitTable.standard.convert(climb.value, from: climb.unit, to: "m"), metres >= 1
    {
      parts.append("\(AmountText.plain(metres.rounded())) m up")
    }
    if let duration, HealthUnit.conversion(from: duration.unit, to: "min") == nil {
      parts.append("duration \(AmountText.plain(duration.value)) \(duration.unit)")
    }
    if pauses > 0 { parts.append("\(pauses) \(pauses == 1 ? "pause" : "pauses")") }
    if let brand = metadata["HKWorkoutBrandName"] { parts.append(brand) }
    if !source.isEmpty { parts.append(source) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var weather: Weather? {
    let warmth = HealthNumber.amount(metadata["HKWeatherTemperature"]).flatMap { amount in
      HealthUnit.conversion(from: HealthUnit.plain(amount.unit, of: ""), to: "°C")
        .map { ((amount.value * $0.factor + $0.addend) * 10).rounded() / 10 }
    }
    // Apple writes 77 per cent as 7700.
    let humidity = HealthNumber.amount(metadata["HKWeatherHumidity"]).map {
      $0.value > 100 ? $0.value / 100 : $0.value <= 1 ? $0.value * 100 : $0.value
    }
    guard warmth != nil || humidity != nil else { return nil }
    return Weather(
      temperatureCelsius: warmth,
      humidityPercent: humidity.flatMap { (0...100).contains($0) ? $0 : nil })
  }
}
