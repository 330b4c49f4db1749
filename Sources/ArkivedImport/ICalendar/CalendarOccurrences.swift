import ArkivedCore
import Foundation

/// A single time at which an event takes place.
struct CalendarOccurrence {
  /// The start as given by DTSTART, the rule or RDATE.
  let start: CalendarTime
  let startAt: Instant
  /// An end that applies to this occurrence alone.
  let end: CalendarEnd?
}

/// Finds the occurrences of a recurring event: DTSTART and the additions of RRULE and RDATE,
/// without those removed by EXDATE and overriding events.
///
/// DTSTART always counts as the first occurrence, even if the rule doesn't produce it (RFC 5545
/// §3.8.5.3). Rules follow the clocks of the event's zone, so a meeting keeps its hour when the
/// clocks change.
struct CalendarOccurrences {
  let fields: EventFields
  let start: CalendarTime
  /// The zone of `start`; the home zone for whole days.
  let zone: CalendarZone
  /// The earliest start of a wanted occurrence; nil for no limit.
  let windowStart: Instant?
  /// The latest start of a wanted occurrence.
  let windowEnd: Instant
  let limit: Int
  let seconds: Double

  enum Cut {
    case limit, deadline
  }

  /// The reason why occurrences before the window's end are missing, if any are.
  private(set) var cut: Cut?
  /// True if there may be more after the window.
  private(set) var goesOn = false
  private(set) var found: [CalendarOccurrence] = []

  init(
    fields: EventFields, start: CalendarTime, zone: CalendarZone, windowStart: Instant? = nil,
    windowEnd: Instant, limit: Int, seconds: Double
  ) {
    self.fields = fields
    self.start = start
    self.zone = zone
    self.windowStart = windowStart
    self.windowEnd = windowEnd
    self.limit = max(1, limit)
    self.seconds = seconds
  }

  /// The times excluded from an event.
  struct Exclusions {
    var instants: Set<Instant> = []
    var days: Set<DayKey> = []
    /// Local times, used when either side gives no zone.
    var walls: Set<WallTime> = []

    func contain(_ time: CalendarTime, at instant: Instant) -> Bool {
      days.contains(time.wall.day) || instants.contains(instant) || walls.contains(time.wall)
    }
  }

  /// Finds the occurrences; `resolve` returns the zone of a time that has its own.
  mutating func find(
    without exclusions: Exclusions, resolve: (CalendarTime) -> CalendarZone
  ) {
    let first = windowStart.map { zone.wallTime(at: $0) }
    let last = zone.wallTime(at: windowEnd)
    let isWanted = start.wall <= last && first.map { start.wall >= $0 } ?? true
    var walls: [WallTime] = isWanted ? [start.wall] : []
    if start.wall > last { goesOn = true }
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    for rule in fields.rules where !rule.isForeign && cut == nil {
      expand(rule, first: first, last: last, deadline: deadline, into: &walls)
    }
    for wall in walls {
      var time = start
      time.wall = wall
      add(time, end: nil, zone: zone, without: exclusions)
    }
    for date in fields.recurrenceDates {
      let zone = resolve(date.start)
      var time = date.start
      time.isDate = time.isDate || start.isDate
      if start.isDate { time.wall = WallTime(day: time.wall.day, secondOfDay: 0) }
      let instant = zone.instant(of: time.wall)
      guard instant <= windowEnd else {
        goesOn = true
        continue
      }
      if let windowStart, instant < windowStart { continue }
      add(time, end: date.end, zone: zone, without: exclusions)
    }
    sort()
  }

  private mutating func expand(
    _ rule: RecurrenceRule, first: WallTime?, last: WallTime,
    deadline: ContinuousClock.Instant, into walls: inout [WallTime]
  ) {
    var rule = rule
    var end = last
    let until = rule.until.map(self.until)
    if let until { end = min(end, until) }
    var steps = 0
    func isInTime() -> Bool {
      steps += 1
      return steps & 63 != 0 || ContinuousClock.now < deadline
    }
    if let count = rule.count, !producesStart(rule, isInTime) {
      guard count > 1 else { return }
      rule.count = count - 1
    }
    // One more than the limit shows that there are more.
    let room = limit + 1
    let expansion = RecurrenceExpansion(rule, start: start.wall, first: first, last: end)
    let ending = expansion.forEach(while: isInTime) { wall in
      if wall != start.wall { walls.append(wall) }
      return walls.count < room && isInTime()
    }
    if ending != .counted, until.map({ $0 > last }) ?? true { goesOn = true }
    if walls.count > limit {
      walls.removeLast(walls.count - limit)
      cut = .limit
    } else if ending == .interrupted || ContinuousClock.now >= deadline {
      cut = .deadline
    }
  }

  private func producesStart(_ rule: RecurrenceRule, _ isInTime: () -> Bool) -> Bool {
    var produces = false
    let expansion = RecurrenceExpansion(rule, start: start.wall, last: start.wall)
    _ = expansion.forEach(while: isInTime) { wall in
      produces = wall == start.wall
      return false
    }
    return produces
  }

  /// Returns UNTIL on the event's clock; a day is inclusive.
  private func until(_ until: CalendarTime) -> WallTime {
    if start.isDate || until.isDate { return WallTime(day: until.wall.day, secondOfDay: 86_399) }
    guard until.isUTC else { return until.wall }
    return zone.wallTime(at: Zone.utc.instant(of: until.wall))
  }

  private mutating func add(
    _ time: CalendarTime, end: CalendarEnd?, zone: CalendarZone, without exclusions: Exclusions
  ) {
    guard found.count < limit else {
      cut = cut ?? .limit
      return
    }
    let instant = zone.instant(of: time.wall)
    guard !exclusions.contain(time, at: instant) else { return }
    found.append(CalendarOccurrence(start: time, startAt: instant, end: end))
  }

  /// Sorts by time and removes duplicates; a period wins because it has its own end.
  private mutating func sort() {
    found.sort {
      ($0.startAt, $0.end == nil ? 1 : 0) < ($1.startAt, $1.end == nil ? 1 : 0)
    }
    var previous: Instant?
    found.removeAll { occurrence in
      defer { previous = occurrence.startAt }
      return occurrence.startAt == previous
    }
  }
}
