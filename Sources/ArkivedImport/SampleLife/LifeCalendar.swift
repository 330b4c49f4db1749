import ArkivedCore

/// The facts of a day before anything has been invented for it.
struct DayFrame: Sendable {
  var day: DayKey
  /// Days since 1970-01-01.
  var number: Int
  /// The corresponding day in the eleven years for which the life's course is written.
  var course: Int
  var courseYear: Int
  var year: Int
  var month: Int
  var dayOfMonth: Int
  var weekday: Weekday
  var flags: LifeFlags
  var sky: DaySky
  var trip: TripDay?
  var holiday: String?
  /// The day of an illness, counted from 0; nil when healthy.
  var illness: Int?
  var project: WorkProject?
  var isGap: Bool
  var beats: [Beat]
  /// True if a trip begins within the next five days.
  ///
  /// Likewise, `isAfterTrip` is true if one ended within the last four.
  var isBeforeTrip: Bool
  var isAfterTrip: Bool

  var isWeekend: Bool { weekday == .saturday || weekday == .sunday }
  var isWorkday: Bool {
    !isWeekend && holiday == nil && trip == nil && illness == nil
      && !(month == 12 && dayOfMonth >= 24)
  }
}

/// The course of the life: the habits, trips, illnesses and pieces of work on each day.
///
/// The course is written for 2016 to 2026 and repeats every 4018 days, which is both eleven years
/// and whole weeks, so weekdays match in every round.
struct LifeCalendar: Sendable {
  static let courseStart = 16_801  // 2016-01-01
  static let courseDays = 4018

  let random: SampleRandom
  let material: SampleMaterial
  private let trips: [Trip]
  private let projects: [WorkProject]
  private let spans: [(flag: LifeFlags, first: Int, last: Int)]
  private let gaps: [ClosedRange<Int>]
  /// For each course day, the first course day of its trip.
  private var tripOfDay: [Int16]

  init(_ random: SampleRandom, _ material: SampleMaterial) {
    self.random = random
    self.material = material
    trips = Trip.read(SampleWords.trips)
    projects = WorkProject.read(SampleWords.projects)
    spans = LifeCalendar.ranges(SampleWords.habits).map { (.named($0.name), $0.first, $0.last) }
    gaps = LifeCalendar.ranges(SampleWords.gaps).map { $0.first...$0.last }
    tripOfDay = Array(repeating: -1, count: LifeCalendar.courseDays)
    for (number, trip) in trips.enumerated() {
      for day in trip.start..<(trip.start + trip.days) {
        let place = day - LifeCalendar.courseStart
        if tripOfDay.indices.contains(place) { tripOfDay[place] = Int16(number) }
      }
    }
  }

  /// Parses `name YYYY-MM-DD YYYY-MM-DD`, one per line.
  private static func ranges(_ text: String) -> [(name: String, first: Int, last: Int)] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 3, let first = DayKey(words[1]), let last = DayKey(words[2]),
        first <= last
      else { return nil }
      return (words[0], first.daysSinceEpoch, last.daysSinceEpoch)
    }
  }

  /// Returns the day of the written course that corresponds to a day.
  static func course(_ number: Int) -> Int {
    let offset = (number - courseStart) % courseDays
    return courseStart + (offset >= 0 ? offset : offset + courseDays)
  }

  /// Returns the trip on a course day.
  func trip(onCourse course: Int) -> TripDay? {
    let place = course - LifeCalendar.courseStart
    guard tripOfDay.indices.contains(place), tripOfDay[place] >= 0 else { return nil }
    let trip = trips[Int(tripOfDay[place])]
    guard let destination = material.destinations[trip.destination] else { return nil }
    return TripDay(trip: trip, destination: destination, number: course - trip.start)
  }

  func frame(_ day: DayKey) -> DayFrame {
    let number = day.daysSinceEpoch
    let course = LifeCalendar.course(number)
    let (year, month, dayOfMonth) = day.civil
    let trip = trip(onCourse: course)
    var flags: LifeFlags =
      switch month {
      case 12, 1, 2: .winter
      case 3...5: .spring
      case 6...8: .summer
      default: .autumn
      }
    if month == 12, dayOfMonth < 24 { flags.formUnion(.advent) }
    for span in spans where span.first <= course && course <= span.last {
      flags.formUnion(span.flag)
    }
    let atHome = trip == nil || trip?.isFirst == true || trip?.isLast == true
    let sky = (atHome ? nil : trip).map {
      $0.destination.climate.sky(
        number, month: month, dayOfMonth: dayOfMonth, random,
        place: purposeNumber($0.destination.key))
    }
    let shown =
      sky
      ?? Climate.hamburg.sky(number, month: month, dayOfMonth: dayOfMonth, random, place: 1)
    if [.rain, .drizzle, .storm, .snow].contains(shown.kind) { flags.formUnion(.wet) }
    if shown.degrees >= 18 { flags.formUnion(.warm) }
    if shown.degrees < 8 { flags.formUnion(.cold) }
    if let trip, !trip.trip.companion.isEmpty { flags.formUnion(.company) }
    let tomorrow = day.advanced(by: 1)
    if tomorrow.weekday != .sunday,
      LifeCalendar.holiday(number + 1, tomorrow.year, tomorrow.month, tomorrow.day) == nil
    {
      flags.formUnion(.openday)
    }
    let project = projects.last { $0.start <= course && course < $0.start + $0.days }
    if project != nil { flags.formUnion(.project) }
    let beats = material.beats[course] ?? []
    return DayFrame(
      day: day, number: number, course: course, courseYear: DayKey(clamping: course).year,
      year: year, month: month, dayOfMonth: dayOfMonth, weekday: day.weekday, flags: flags,
      sky: shown, trip: trip, holiday: LifeCalendar.holiday(number, year, month, dayOfMonth),
      illness: trip == nil && beats.isEmpty ? illness(number, course, month) : nil,
      project: project,
      isGap: gaps.contains { $0.contains(course) }, beats: beats,
      isBeforeTrip: (1...5).contains { self.trip(onCourse: course + $0)?.isFirst == true },
      isAfterTrip: (1...4).contains { self.trip(onCourse: course - $0)?.isLast == true })
  }

  /// Returns the day of an illness, from 0, or nil when healthy; an occasional cold lasts three to
  /// five days, starting on some day of its week.
  private func illness(_ number: Int, _ course: Int, _ month: Int) -> Int? {
    for back in 0...4 {
      let first = number - back
      let week = (first + 3) / 7
      guard first - (week * 7 - 3) == random.index(5, 0x111, week) else { continue }
      let firstMonth = DayKey(clamping: first).month
      let chance = [11, 12, 1, 2, 3].contains(firstMonth) ? 0.09 : 0.03
      guard random.unit(0x112, week) < chance, back < 3 + random.index(3, 0x113, week),
        (0...back).allSatisfy({
          let other = course - $0
          return self.trip(onCourse: other) == nil && material.beats[other] == nil
        })
      else { continue }
      return back
    }
    return nil
  }

  /// Returns the public holiday of Hamburg or generally observed day on a date.
  static func holiday(_ number: Int, _ year: Int, _ month: Int, _ dayOfMonth: Int) -> String? {
    switch (month, dayOfMonth) {
    case (1, 1): return "New Year's Day"
    case (5, 1): return "May Day"
    case (10, 3): return "Day of German Unity"
    case (10, 31): return year >= 2018 ? "Reformation Day" : nil
    case (12, 24): return "Christmas Eve"
    case (12, 25): return "Christmas Day"
    case (12, 26): return "Boxing Day"
    case (12, 31): return "New Year's Eve"
    default: break
    }
    guard (3...6).contains(month) else { return nil }
    switch number - easter(year) {
    case -2: return "Good Friday"
    case 0: return "Easter Sunday"
    case 1: return "Easter Monday"
    case 39: return "Ascension Day"
    case 50: return "Whit Monday"
    default: return nil
    }
  }

  /// Returns Easter Sunday as days since 1970-01-01, using the anonymous Gregorian computus
  /// (Nature, 1876).
  static func easter(_ year: Int) -> Int {
    let a = year % 19
    let b = year / 100
    let c = year % 100
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let sum = h + l - 7 * m + 114
    return DayKey(year: year, month: sum / 31, day: sum % 31 + 1)?.daysSinceEpoch ?? 0
  }
}
