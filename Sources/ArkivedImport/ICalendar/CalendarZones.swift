import ArkivedCore
import Foundation

/// The rules for converting times with a TZID.
struct CalendarZone {
  private enum Rules {
    case known(Zone)
    /// The file's own VTIMEZONE, and the zones that entries may use instead, best first.
    case own(OwnZone, substitutes: [Zone])
  }

  private let rules: Rules

  init(_ zone: Zone) { rules = .known(zone) }

  init(_ zone: OwnZone, substitutes: [Zone]) { rules = .own(zone, substitutes: substitutes) }

  /// Converts local time like `Zone.instant(of:)`, including gaps and repeated times.
  func instant(of wall: WallTime) -> Instant {
    switch rules {
    case .known(let zone): zone.instant(of: wall)
    case .own(let zone, _): zone.instant(of: wall)
    }
  }

  func wallTime(at instant: Instant) -> WallTime {
    switch rules {
    case .known(let zone): zone.wallTime(at: instant)
    case .own(let zone, _): WallTime(utc: instant.adding(seconds: zone.offset(at: instant)))
    }
  }

  /// Returns an IANA zone whose clocks agree with this one's at an instant, preferring one that
  /// agrees in all seasons around it.
  func label(at instant: Instant) -> Zone {
    switch rules {
    case .known(let zone): return zone
    case .own(let zone, let substitutes):
      let seasons = [0, -91, 91, 182].map { instant.adding(seconds: $0 * 86_400) }
      let offsets = seasons.map { zone.offset(at: $0) }
      func agrees(_ candidate: Zone, _ count: Int) -> Bool {
        zip(seasons, offsets).prefix(count).allSatisfy { candidate.offset(at: $0) == $1 }
      }
      return substitutes.first { agrees($0, seasons.count) }
        ?? substitutes.first { agrees($0, 1) } ?? .utc
    }
  }
}

/// Resolves the TZIDs in the calendar objects of a file.
///
/// In this order: an IANA name; a Windows name; an IANA name at the end of a global identifier such
/// as `/mozilla.org/20050126_1/Europe/Berlin` or `posix/Europe/Berlin`; the place named in the
/// file's VTIMEZONE (`X-LIC-LOCATION`); the VTIMEZONE's rules; without a VTIMEZONE, a name that
/// describes a zone.
struct CalendarZones {
  let home: Zone
  private let now: Instant
  /// The VTIMEZONEs by TZID, each with the first calendar object that contains it.
  private var definitions: [String: [CalendarComponent]] = [:]
  private var calendarZones: [Int: Zone] = [:]
  private var cache: [String: CalendarZone] = [:]
  private var named: [String: Zone?] = [:]

  init(home: Zone, now: Instant) {
    self.home = home
    self.now = now
  }

  /// Stores a VTIMEZONE unless its name is sufficient or it equals the preceding one.
  mutating func define(_ component: CalendarComponent) {
    guard let id = component.value(of: .zoneID).map(Self.bare), Self.zone(named: id) == nil else {
      return
    }
    guard definitions[id]?.last?.text != component.text else { return }
    definitions[id, default: []].append(component)
  }

  /// Stores a calendar object's X-WR-TIMEZONE.
  mutating func setZone(named name: String, ofCalendar index: Int) {
    if let zone = Self.zone(named: Self.bare(name)) { calendarZones[index] = zone }
  }

  /// Returns the zone that a calendar object gives for UTC times, or else the home zone.
  func display(inCalendar index: Int) -> Zone { calendarZones[index] ?? home }

  /// Returns the zone of a TZID, or nil if neither this machine nor the file knows it.
  mutating func zone(_ id: String, inCalendar index: Int) -> CalendarZone? {
    let id = Self.bare(id)
    let zone: Zone?
    if let known = named[id] {
      zone = known
    } else {
      zone = Self.zone(named: id)
      named[id] = .some(zone)
    }
    if let zone { return CalendarZone(zone) }
    guard let candidates = definitions[id],
      let definition = candidates.last(where: { $0.calendar <= index }) ?? candidates.first
    else {
      return DescribedZone.zone(id, usual: [display(inCalendar: index), home])
        .map { CalendarZone($0) }
    }
    let key = "\(definition.calendar) \(definition.number) \(id)"
    if let cached = cache[key] { return cached }
    let found: CalendarZone
    if let place = definition.value(of: .zoneLocation), let zone = Self.zone(named: place) {
      found = CalendarZone(zone)
    } else if let observances = LibicalReader.observances(of: definition) {
      let own = OwnZone(observances, now: now)
      found = CalendarZone(
        own, substitutes: [home, display(inCalendar: index)] + WindowsZones.wholeWorld)
    } else {
      return nil
    }
    cache[key] = found
    return found
  }

  private static func bare(_ id: String) -> String {
    guard let first = id.utf8.first, let last = id.utf8.last else { return id }
    guard [first, last].contains(where: { $0 == 0x22 || $0 <= 0x20 }) else { return id }
    return id.trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
  }

  /// Returns the zone that a name identifies by itself.
  static func zone(named name: String) -> Zone? {
    if let zone = Zone(name) { return zone }
    if let iana = WindowsZones.iana(name), let zone = Zone(iana) { return zone }
    // The longest tail wins: America/Argentina/Buenos_Aires before Argentina/Buenos_Aires.
    let parts = name.split(separator: "/")
    for count in [3, 2] where parts.count > count || (parts.count == count && name.first == "/") {
      if let zone = Zone(parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return nil
  }
}

/// A STANDARD or DAYLIGHT component of a VTIMEZONE (RFC 5545 §3.6.5).
struct ZoneObservance {
  /// The first onset, on the clock in use before it.
  var start: WallTime
  /// Seconds east of UTC before and from the onset.
  var offsetFrom: Int
  var offsetTo: Int
  var rules: [RecurrenceRule]
  var dates: [WallTime]
}

/// The clock changes of a VTIMEZONE.
struct OwnZone {
  private struct Change {
    /// The time of the change, on the clock in use before it.
    let wall: WallTime
    let from: Int
    let to: Int
    var instant: Instant { Instant(milliseconds: wall.milliseconds).adding(seconds: -from) }
  }

  private let changes: [Change]
  private let firstOffset: Int

  /// The limit on changes, which also bounds the time spent on a hostile zone.
  private static let changeLimit = 4_000

  init(_ observances: [ZoneObservance], now: Instant) {
    let last = WallTime(utc: now.adding(seconds: 20 * 366 * 86_400))
    var changes: [Change] = []
    for observance in observances.prefix(200) {
      var onsets = [observance.start] + observance.dates
      for rule in observance.rules.prefix(4) where !rule.isForeign {
        var end = last
        if let until = rule.until {
          end = until.isUTC ? until.wall.adding(seconds: observance.offsetFrom) : until.wall
        }
        let expansion = RecurrenceExpansion(
          rule, start: Self.recentStart(of: rule, observance.start), last: min(end, last))
        var steps = 0
        _ = expansion.forEach(
          while: {
            steps += 1
            return steps < 100_000
          },
          take: {
            onsets.append($0)
            return onsets.count < Self.changeLimit
          })
      }
      for onset in Set(onsets) {
        changes.append(Change(wall: onset, from: observance.offsetFrom, to: observance.offsetTo))
      }
    }
    changes.sort { ($0.instant, $0.from, $0.to) < ($1.instant, $1.from, $1.to) }
    self.changes = changes
    firstOffset = changes.first?.from ?? 0
  }

  /// Returns a later start for a yearly rule, because Exchange starts its rules in 1601.
  private static func recentStart(of rule: RecurrenceRule, _ start: WallTime) -> WallTime {
    guard rule.frequency == .yearly, rule.interval == 1, rule.count == nil, start.day.year < 1900,
      let day = DayKey(year: 1900, month: start.day.month, day: start.day.day)
    else { return start }
    return WallTime(day: day, secondOfDay: start.secondOfDay)
  }

  /// Returns the seconds east of UTC at an instant.
  func offset(at instant: Instant) -> Int {
    lastChange { $0.instant <= instant }?.to ?? firstOffset
  }

  func instant(of wall: WallTime) -> Instant {
    let utc = Instant(milliseconds: wall.milliseconds)
    guard let change = lastChange(where: { $0.wall <= wall }) else {
      return utc.adding(seconds: -firstOffset)
    }
    // A time in the gap when clocks go forward counts as being on the earlier clock.
    let isInGap = wall < change.wall.adding(seconds: change.to - change.from)
    return utc.adding(seconds: -(isInGap ? change.from : change.to))
  }

  /// Returns the last change that meets a condition that is true up to some change and false
  /// afterwards.
  private func lastChange(where holds: (Change) -> Bool) -> Change? {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if holds(changes[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? changes[low - 1] : nil
  }
}
