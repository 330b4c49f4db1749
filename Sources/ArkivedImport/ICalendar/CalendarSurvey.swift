import ArkivedCore
import Foundation

/// The facts about a whole file that are needed before its first event is passed on.
///
/// They are the time zones, the overridden occurrences of recurring events, and which version of
/// each event counts. The survey stores eight bytes for every event, and slightly more for every
/// override.
struct CalendarSurvey {
  /// A RECURRENCE-ID as written in the file.
  struct OverrideMark: Hashable {
    let property: [UInt8]
    let calendar: Int
  }

  private(set) var zones: CalendarZones
  /// The calendar objects whose METHOD cancels their events.
  private(set) var cancelledCalendars: Set<Int> = []
  private var overrides: [Int: [OverrideMark]] = [:]
  /// The series that were cancelled as a whole.
  private var cancelledSeries: [Int: Rank] = [:]
  /// The ordinal of the event that counts, for IDs that occur more than once.
  private var winners: [Int: (rank: Rank, ordinal: Int)] = [:]

  /// The precedence among versions of an event.
  struct Rank: Comparable {
    let sequence: Int
    let lastModified: String

    init(_ component: CalendarComponent) {
      sequence = component.value(of: .sequence).flatMap { Int($0) } ?? 0
      lastModified = component.value(of: .lastModified) ?? ""
    }

    static func < (left: Rank, right: Rank) -> Bool {
      (left.sequence, left.lastModified) < (right.sequence, right.lastModified)
    }
  }

  /// Surveys a file.
  ///
  /// - Throws: Any error from reading the file.
  init(_ url: URL, home: Zone, now: Instant) throws {
    zones = CalendarZones(home: home, now: now)
    var identities: [Int] = []
    var scanner = try CalendarScanner(url)
    defer { scanner.close() }
    while let item = try scanner.next() {
      switch item {
      case .broken: break
      case .calendarProperty(let name, let value):
        let calendar = max(0, scanner.calendarCount - 1)
        if name == "X-WR-TIMEZONE" {
          zones.setZone(named: value, ofCalendar: calendar)
        } else if value.uppercased() == "CANCEL" {
          cancelledCalendars.insert(calendar)
        }
      case .component(var component):
        if component.kind == .timeZone {
          component.repairText()
          zones.define(component)
        } else if let identity = Self.identity(of: component) {
          identities.append(identity)
          note(component)
          noteStatus(component)
        }
      }
    }
    identities.sort()
    var repeated: Set<Int> = []
    for (first, second) in zip(identities, identities.dropFirst()) where first == second {
      repeated.insert(first)
    }
    identities = []
    if !repeated.isEmpty { try findWinners(url, among: repeated) }
  }

  private mutating func note(_ component: CalendarComponent) {
    guard let uid = Self.uidBytes(of: component),
      let line = component.lines.first(where: { $0.property == .recurrenceID })
    else { return }
    let mark = OverrideMark(
      property: Array(component.bytes(of: line)), calendar: component.calendar)
    overrides[uid.hashValue, default: []].append(mark)
  }

  private mutating func noteStatus(_ component: CalendarComponent) {
    guard component.kind == .event, let uid = Self.uidBytes(of: component)?.hashValue,
      component.value(of: .recurrenceID) == nil
    else { return }
    if component.value(of: .status)?.uppercased() == "CANCELLED" {
      cancelledSeries[uid] = max(Rank(component), cancelledSeries[uid] ?? Rank(component))
    } else if let rank = cancelledSeries[uid], rank < Rank(component) {
      cancelledSeries[uid] = nil
    }
  }

  /// Returns true if an overriding occurrence belongs to a series that was cancelled as a whole.
  func isOfCancelledSeries(_ component: CalendarComponent) -> Bool {
    guard !cancelledSeries.isEmpty, component.value(of: .recurrenceID) != nil,
      let uid = Self.uidBytes(of: component), let rank = cancelledSeries[uid.hashValue]
    else { return false }
    return Rank(component) <= rank
  }

  private mutating func findWinners(_ url: URL, among repeated: Set<Int>) throws {
    var scanner = try CalendarScanner(url)
    defer { scanner.close() }
    var ordinal = 0
    while let item = try scanner.next() {
      guard case .component(let component) = item, component.kind != .timeZone else { continue }
      defer { ordinal += 1 }
      guard let identity = Self.identity(of: component), repeated.contains(identity) else {
        continue
      }
      let rank = Rank(component)
      if let known = winners[identity], rank <= known.rank { continue }
      winners[identity] = (rank, ordinal)
    }
  }

  /// Returns true if another version of an event replaces it; `ordinal` is the number of events and
  /// journal entries before it in the file.
  func isSuperseded(_ component: CalendarComponent, ordinal: Int) -> Bool {
    guard !winners.isEmpty, let identity = Self.identity(of: component),
      let winner = winners[identity]
    else { return false }
    return winner.ordinal != ordinal
  }

  /// Returns the occurrences of a recurring event that the file overrides.
  func overrides(of component: CalendarComponent) -> [OverrideMark] {
    guard !overrides.isEmpty, let uid = Self.uidBytes(of: component) else { return [] }
    return overrides[uid.hashValue] ?? []
  }

  private static func uidBytes(of component: CalendarComponent) -> ArraySlice<UInt8>? {
    guard let line = component.lines.first(where: { $0.property == .uid }) else { return nil }
    let bytes = component.bytes(of: line)
    guard let start = CalendarText.valueStart(bytes) else { return nil }
    let value = CalendarText.trimmed(bytes[start...])
    return value.isEmpty ? nil : value
  }

  /// Returns a number that identifies an event by UID and RECURRENCE-ID within this run, or nil
  /// without a UID.
  private static func identity(of component: CalendarComponent) -> Int? {
    guard let uid = uidBytes(of: component) else { return nil }
    var hasher = Hasher()
    hasher.combine(component.kind == .journal)
    hasher.combine(component.kind == .task)
    hasher.combine(uid)
    if let line = component.lines.first(where: { $0.property == .recurrenceID }) {
      let bytes = component.bytes(of: line)
      if let start = CalendarText.valueStart(bytes) {
        hasher.combine(CalendarText.trimmed(bytes[start...]))
      }
    }
    return hasher.finalize()
  }
}
