import Foundation

/// Feasts that follow the moon or the sun, computed for the civil calendar.
enum MovingFeasts {
  // MARK: Orthodox Easter

  /// Returns Easter Sunday by the Julian calendar, as a Gregorian date.
  ///
  /// See Meeus, "Astronomical Algorithms", chapter 8.
  static func orthodoxEaster(_ year: Int) -> DayKey? {
    let moon = (19 * (year % 19) + 15) % 30
    let sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
    let sum = moon + sunday + 114
    let julian = DayKey(year: year, month: sum / 31, day: sum % 31 + 1)
    return julian?.advanced(by: year / 100 - year / 400 - 2)
  }

  // MARK: The Hebrew calendar

  /// Returns the days from 1 Tishri of year 1 to that of another year, by the rules of the molad
  /// and its postponements.
  private static func hebrewNewYear(_ year: Int) -> Int {
    let months = (235 * year - 234) / 19
    let parts = 12_084 + 13_753 * months
    let day = 29 * months + parts / 25_920
    return 3 * (day + 1) % 7 < 3 ? day + 1 : day
  }

  /// The days from 1 Tishri of year 1 (7 October 3761 BCE in the Julian calendar) to 1 January
  /// 1970.
  private static let hebrewEpoch = 2_092_590

  private static func hebrewStart(_ year: Int) -> Int {
    let (last, this, next) = (
      hebrewNewYear(year - 1), hebrewNewYear(year), hebrewNewYear(year + 1)
    )
    if next - this == 356 { return this + 2 }
    return this - last == 382 ? this + 1 : this
  }

  /// Returns 1 Tishri, the New Year in autumn, in a civil year.
  static func roshHashanah(_ year: Int) -> DayKey? {
    guard (1000...9000).contains(year) else { return nil }
    return DayKey(clamping: hebrewStart(year + 3761) - hebrewEpoch)
  }

  /// Returns 15 Nisan, 163 days before the following New Year.
  static func passover(_ year: Int) -> DayKey? { roshHashanah(year)?.advanced(by: -163) }

  /// Returns 25 Kislev; the two months before it vary in length.
  static func hanukkah(_ year: Int) -> DayKey? {
    guard let start = roshHashanah(year), let next = roshHashanah(year + 1) else { return nil }
    let length = start.distance(to: next)
    // A complete year (355 or 385 days) has a long Heshvan.
    return start.advanced(by: 30 + (length % 10 == 5 ? 30 : 29) + 24)
  }

  // MARK: The Islamic calendar

  private static let islamic: Calendar = {
    var calendar = Calendar(identifier: .islamicUmmAlQura)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Returns a day of the Umm al-Qura calendar in a civil year, the first if there are two.
  static func islamicDay(month: Int, day: Int, _ year: Int) -> DayKey? {
    guard (1900...2100).contains(year) else { return nil }
    let near = (year - 622) * 33 / 32
    for turn in (near - 1)...(near + 2) {
      let parts = DateComponents(year: turn, month: month, day: day, hour: 12)
      guard let date = islamic.date(from: parts) else { continue }
      let found = Zone.utc.dayKey(at: Instant(date))
      if found.year == year { return found }
    }
    return nil
  }

  // MARK: Sun and moon

  /// Returns the days from 2000-01-01T12:00 to a new moon (`phase` 0) or full moon (0.5), given its
  /// number counted from the new moon of 6 January 2000.
  ///
  /// The result is accurate to a few minutes for about a thousand years around that date (Meeus,
  /// ch. 49, the larger terms).
  private static func moon(_ number: Int, phase: Double) -> Double {
    let k = Double(number) + phase
    let t = k / 1236.85
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    let mean = 5.09766 + 29.530588861 * k + 0.00015437 * t * t
    let sun = 2.5534 + 29.10535670 * k
    let anomaly = 201.5643 + 385.81693528 * k + 0.0107582 * t * t
    let latitude = 160.7108 + 390.67050284 * k
    let isFull = phase > 0
    let terms =
      (isFull ? -0.40614 : -0.40720) * sine(anomaly) + (isFull ? 0.17302 : 0.17241) * sine(sun)
      + (isFull ? 0.01614 : 0.01608) * sine(2 * anomaly)
      + (isFull ? 0.01043 : 0.01039) * sine(2 * latitude)
      + (isFull ? 0.00734 : 0.00739) * sine(anomaly - sun) - 0.00515 * sine(anomaly + sun)
      + 0.00209 * sine(2 * sun) - 0.00111 * sine(anomaly - 2 * latitude)
    return mean + terms
  }

  /// Returns the last such moon at or before a moment, in days from 2000-01-01T12:00.
  private static func lastMoon(before moment: Double, phase: Double) -> (number: Int, at: Double) {
    var number = Int((moment / 29.530588861).rounded()) + 1
    while moon(number, phase: phase) > moment { number -= 1 }
    return (number, moon(number, phase: phase))
  }

  /// Returns the days from 2000-01-01T12:00 UTC to a day's midnight in a time zone `hours` east of
  /// UTC.
  private static func moment(_ day: DayKey, hours: Double) -> Double {
    Double(day.daysSinceEpoch - 10_957) - 0.5 - hours / 24
  }

  private static func day(_ moment: Double, hours: Double) -> DayKey {
    DayKey(clamping: 10_957 + Int((moment + 0.5 + hours / 24).rounded(.down)))
  }

  /// Returns the Chinese New Year: the second new moon after the one of the winter solstice's
  /// month, in China's time.
  static func lunarNewYear(_ year: Int) -> DayKey? {
    guard (1600...2600).contains(year), let solstice = solarDay(year - 1, .winter, hours: 8),
      let earliest = DayKey(year: year, month: 1, day: 21)
    else { return nil }
    let month = lastMoon(before: moment(solstice.advanced(by: 1), hours: 8) - 1e-6, phase: 0)
    let found = day(moon(month.number + 2, phase: 0), hours: 8)
    // There may be a leap month in between.
    return found < earliest ? day(moon(month.number + 3, phase: 0), hours: 8) : found
  }

  /// Returns Diwali, the day on which the new moon's day of the Hindu calendar includes an evening
  /// in India.
  static func diwali(_ year: Int) -> DayKey? {
    guard (1600...2600).contains(year), let last = DayKey(year: year, month: 11, day: 16) else {
      return nil
    }
    let new = lastMoon(before: moment(last, hours: 5.5), phase: 0).at
    return day(new - 19.5 / 24, hours: 5.5)
  }

  /// Returns Holi, the day after the evening of the full moon before the Hindu new year.
  static func holi(_ year: Int) -> DayKey? {
    guard (1600...2600).contains(year), let last = DayKey(year: year, month: 3, day: 30) else {
      return nil
    }
    let full = lastMoon(before: moment(last, hours: 5.5), phase: 0.5).at
    return day(full + 9.0 / 24, hours: 5.5)
  }

  enum Turn: Int, Sendable { case spring, summer, autumn, winter }

  /// Returns the day of an equinox or a solstice, accurate to about a quarter of an hour.
  ///
  /// See Meeus, chapter 27; the periodic terms aren't used.
  static func solarDay(_ year: Int, _ turn: Turn, hours: Double = 0) -> DayKey? {
    guard (1000...3000).contains(year) else { return nil }
    let y = (Double(year) - 2000) / 1000
    let table: [(Double, Double, Double)] = [
      (2_451_623.80984, 365_242.37404, 0.05169), (2_451_716.56767, 365_241.62603, 0.00325),
      (2_451_810.21715, 365_242.01767, -0.11575), (2_451_900.05952, 365_242.74049, -0.06223),
    ]
    let (start, rate, bend) = table[turn.rawValue]
    return day(start + rate * y + bend * y * y - 2_451_545, hours: hours)
  }
}
