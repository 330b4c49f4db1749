import ArkivedCore

/// A moment as recorded by a location service, with its zone.
struct PlaceTime {
  var instant: Instant
  var zone: Zone
  var day: DayKey

  init(_ instant: Instant, in zone: Zone) {
    self.instant = instant
    self.zone = zone
    day = zone.dayKey(at: instant)
  }

  init(_ instant: Instant, in zones: HomeZones) { self.init(instant, in: zones.zone(at: instant)) }

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - instant: the moment.
  ///   - offset: seconds east of UTC on clocks at the place.
  ///   - home: the zone to use if its clocks showed the same time.
  init(_ instant: Instant, offset: Int, home: Zone) {
    self.instant = instant
    zone = Self.zone(offset: offset, at: instant, home: home)
    day = WallTime(utc: instant.adding(seconds: offset)).day
  }

  /// Parses an ISO 8601 time with an offset, without one (read in the home zone), or milliseconds
  /// since 1970 in digits.
  ///
  /// UTC says nothing about the place, so its zone is the home zone.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - offset: seconds east of UTC, if the source states them separately from the time.
  ///   - home: the home time zones.
  init?(_ text: String, offset: Int? = nil, home: HomeZones) {
    guard let iso = ISODateTime(text) else {
      guard let milliseconds = Int64(text), let instant = Self.instant(milliseconds) else {
        return nil
      }
      self.init(instant, knownOffset: offset, home: home)
      return
    }
    guard let told = iso.offsetSeconds else {
      self.init(home.instant(of: iso.wall), in: home)
      return
    }
    let instant = Instant(milliseconds: iso.wall.milliseconds + Int64(iso.fraction))
      .adding(seconds: -told)
    self.init(instant, knownOffset: offset ?? (told == 0 ? nil : told), home: home)
  }

  /// Creates a time from an instant.
  ///
  /// - Parameters:
  ///   - instant: the moment.
  ///   - offset: seconds east of UTC on clocks at the place, if known.
  ///   - home: the home time zones.
  init(_ instant: Instant, knownOffset offset: Int?, home: HomeZones) {
    if let offset, abs(offset) <= 14 * 3_600 {
      let then = home.zone(at: instant)
      let isThere = then.offset(at: instant) == offset
      self.init(instant, offset: offset, home: isThere ? then : home.home)
    } else {
      self.init(instant, in: home)
    }
  }

  /// Returns milliseconds since 1970 as an instant, or nil if they are out of range.
  static func instant(_ milliseconds: Int64) -> Instant? {
    guard (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds)
    else { return nil }
    return Instant(milliseconds: milliseconds)
  }

  /// Zones that represent offsets of half and quarter hours.
  static let halves = [
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Kabul", "Asia/Tehran", "Asia/Yangon",
    "Australia/Adelaide", "Australia/Darwin", "America/St_Johns", "Australia/Lord_Howe",
    "Pacific/Marquesas", "Pacific/Chatham", "Australia/Eucla",
  ]

  /// Returns the home zone if it had the offset then, or else a zone that did.
  private static func zone(offset: Int, at instant: Instant, home: Zone) -> Zone {
    if home.offset(at: instant) == offset { return home }
    if offset == 0 { return .utc }
    guard !offset.isMultiple(of: 3_600) else {
      // The sign of these names is reversed.
      return Zone("Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3_600)") ?? home
    }
    return halves.lazy.compactMap { Zone($0) }.first { $0.offset(at: instant) == offset } ?? home
  }
}
