import Foundation
import Synchronization

/// An IANA time zone with this computer's rules for it.
public struct Zone: Hashable, Sendable, CustomStringConvertible {
  /// The IANA name.
  public let identifier: String
  private let rules: TimeZone

  /// Coordinated universal time.
  public static let utc = Zone(rules: .gmt, identifier: "UTC")

  private init(rules: TimeZone, identifier: String) {
    self.rules = rules
    self.identifier = identifier
  }

  /// Creates a zone from an IANA name such as "Europe/Rome", or returns nil if this machine has no
  /// rules for it.
  public init?(_ identifier: String) {
    if identifier == "UTC" || identifier == "Etc/UTC" || identifier == "GMT" {
      self.init(rules: .gmt, identifier: identifier)
      return
    }
    if let known = Zone.known.withLock({ $0[identifier] }) {
      self = known
      return
    }
    // Foundation would also accept abbreviations ("EST") and offsets ("GMT+2"), which are not
    // places.
    guard identifier.contains("/") || Zone.namesWithoutRegion.contains(identifier),
      identifier.utf8.count <= 64,
      identifier.utf8.allSatisfy({ byte in
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x30...0x39).contains(byte) || [0x2F, 0x5F, 0x2D, 0x2B].contains(byte)
      }), let rules = TimeZone(identifier: identifier)
    else { return nil }
    self.init(rules: rules, identifier: identifier)
    let zone = self
    Zone.known.withLock { $0[identifier] = zone }
  }

  /// The zones created before: there are only a few hundred, and creating one reads its rules.
  private static let known = Mutex<[String: Zone]>([:])

  /// The names of the IANA database without a slash (its file "backward").
  private static let namesWithoutRegion: Set<String> = [
    "Cuba", "Egypt", "Eire", "GB", "GB-Eire", "Greenwich", "Hongkong", "Iceland", "Iran", "Israel",
    "Jamaica", "Japan", "Kwajalein", "Libya", "NZ", "NZ-CHAT", "Navajo", "PRC", "Poland",
    "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "Universal", "W-SU", "Zulu", "CET",
    "EET", "MET", "WET",
  ]

  /// The time zone of the system Arkived runs on.
  public static var system: Zone {
    Zone(TimeZone.current.identifier) ?? .utc
  }

  /// The IANA name.
  public var description: String { identifier }

  /// Returns the offset at an instant, in seconds east of UTC.
  public func offset(at instant: Instant) -> Int { rules.secondsFromGMT(for: instant.date) }

  /// Returns the wall time of clocks in this zone at an instant.
  package func wallTime(at instant: Instant) -> WallTime {
    WallTime(utc: instant.adding(seconds: offset(at: instant)))
  }

  /// Returns the local calendar day of an instant.
  public func dayKey(at instant: Instant) -> DayKey { wallTime(at: instant).day }

  /// Returns the instant at which clocks in this zone show a wall time.
  ///
  /// For a time that occurs twice (clocks set back), the result is the first. A time that is
  /// skipped (clocks set forward) moves by the length of the gap, as required by RFC 5545 §3.3.5;
  /// this also applies to a whole skipped day.
  package func instant(of wall: WallTime) -> Instant {
    let guess = Instant(milliseconds: wall.milliseconds)
    // The offsets well before and after cover every change near the wall time.
    let before = offset(at: guess.adding(seconds: -26 * 3600))
    let after = offset(at: guess.adding(seconds: 26 * 3600))
    for candidate in [before, after]
    where offset(at: guess.adding(seconds: -candidate)) == candidate {
      return guess.adding(seconds: -candidate)
    }
    let near = offset(at: guess.adding(seconds: -before))
    if offset(at: guess.adding(seconds: -near)) == near { return guess.adding(seconds: -near) }
    return guess.adding(seconds: -before)
  }

  /// Returns the instants at which clocks in this zone show two wall times.
  ///
  /// A start that is skipped moves by the length of the gap, perhaps past the end; the end then
  /// stays as far behind it as by the clock.
  package func instants(
    from start: WallTime, to end: WallTime
  ) -> (start: Instant, end: Instant) {
    let (first, last) = (instant(of: start), instant(of: end))
    guard last < first, start <= end else { return (first, last) }
    let seconds = Int((end.milliseconds - start.milliseconds) / 1000)
    return (first, first.adding(seconds: seconds))
  }

  /// Returns the first instant of a local day: midnight, or the first instant after a gap at
  /// midnight.
  ///
  /// For a day that the zone skipped entirely, this is the instant of the change.
  public func start(of day: DayKey) -> Instant {
    let midnight = WallTime(day: day, secondOfDay: 0)
    let resolved = instant(of: midnight)
    guard wallTime(at: resolved) != midnight else { return resolved }
    // In a gap, the change is the last instant before which clocks showed an earlier time.
    var low = resolved.adding(seconds: -26 * 3600).milliseconds
    var high = resolved.milliseconds
    while high - low > 1 {
      let middle = (low + high) / 2
      if wallTime(at: Instant(milliseconds: middle)) < midnight {
        low = middle
      } else {
        high = middle
      }
    }
    return Instant(milliseconds: high)
  }
}
