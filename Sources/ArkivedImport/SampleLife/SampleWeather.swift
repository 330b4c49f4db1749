/// The main weather of a day.
enum SkyKind: String, Sendable, CaseIterable {
  case sun, cloud, drizzle, rain, storm, snow, frost, fog, heat, wind
}

/// A day's weather at a place.
struct DaySky: Sendable {
  var kind: SkyKind
  /// The afternoon temperature in degrees Celsius.
  var degrees: Int

  var conditions: String {
    switch kind {
    case .sun: "sunny"
    case .cloud: "cloudy"
    case .drizzle: "drizzle"
    case .rain: "rain"
    case .storm: "storm"
    case .snow: "snow"
    case .frost: "clear and frosty"
    case .fog: "fog"
    case .heat: "hot"
    case .wind: "windy"
    }
  }
}

/// The usual weather of a place.
struct Climate: Sendable {
  /// The afternoon temperature in January, in degrees Celsius; the one in July follows.
  var january: Double
  var july: Double
  /// The share of wet days, 0 to 1.
  var wetness: Double

  static let hamburg = Climate(january: 3.2, july: 22.5, wetness: 0.42)

  /// Returns the weather of a day, in spells of several days.
  func sky(
    _ day: Int, month: Int, dayOfMonth: Int, _ random: SampleRandom, place: UInt64
  ) -> DaySky {
    let turn = SampleRandom.seasonTurn(month: month, dayOfMonth: dayOfMonth)
    let mean = (january + july) / 2 - (july - january) / 2 * turn
    let spell = random.drift(place ^ 0x7E, day, every: 5) * 4.4
    let jitter = (random.unit(place ^ 0x7F, day) - 0.5) * 4
    let degrees = Int((mean + spell + jitter).rounded())
    let wet =
      (random.drift(place ^ 0x80, day, every: 4) + 1) / 2 * 0.6
      + random.unit(place ^ 0x81, day) * 0.4
    let wind = random.unit(place ^ 0x82, day)
    let kind: SkyKind
    if wet > 1 - wetness * 0.55 {
      kind =
        degrees <= 1 ? .snow : wind > 0.82 ? .storm : wet > 1 - wetness * 0.33 ? .rain : .drizzle
    } else if wet > 1 - wetness * 0.8 {
      kind = degrees <= 0 ? .snow : .drizzle
    } else if degrees >= 28 {
      kind = .heat
    } else if degrees <= 1 {
      kind = wind > 0.5 ? .frost : .cloud
    } else if wind > 0.88 {
      kind = .wind
    } else if wind < 0.13, degrees < 13 {
      kind = .fog
    } else {
      kind = wet < 0.44 ? .sun : .cloud
    }
    return DaySky(kind: kind, degrees: degrees)
  }
}

extension SampleRandom {
  /// Returns 1 in the middle of January and −1 in the middle of July, with linear interpolation in
  /// between.
  static func seasonTurn(month: Int, dayOfMonth: Int) -> Double {
    let dayOfYear = Double((month - 1) * 30 + dayOfMonth)
    let fromJuly = abs(dayOfYear - 197)
    return min(max(fromJuly / 90 - 1, -1), 1)
  }
}
