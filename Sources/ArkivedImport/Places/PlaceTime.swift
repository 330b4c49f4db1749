import ArkivedCore

/// A moment as a location service tells it, with the zone it happened in.
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

  /// - Parameters:
  ///   - offset: seconds east of UTC that clocks showed there.
  ///   - home: the zone that is taken where clocks at home showed the same.
  init(_ instant: Instant, offset: Int, home: Zone) {
    self.instant = instant
    zone = Self.zone(offset: offset, at: instant, home: home)
    day = WallTime(utc: instant.adding(seconds: offset)).day
  }

  /// Reads an ISO 8601 time with an offset, without one (then of the home zone), or milliseconds since
  /// 1970 in digits. UTC tells when and not where: the zone is then that of home.
  ///
  /// - Parameter offset: seconds east of UTC, where the source tells them apart from the time.
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

  /// - Parameter offset: seconds east of UTC that clocks showed there, where that is known.
  init(_ instant: Instant, knownOffset offset: Int?, home: HomeZones) {
    if let offset, abs(offset) <= 14 * 3_600 {
      let then = home.zone(at: instant)
      let isThere = then.offset(at: instant) == offset
      self.init(instant, offset: offset, home: isThere ? then : home.home)
    } else {
      self.init(instant, in: home)
    }
  }

  /// Milliseconds since 1970 as a moment; nil where they are none.
  static func instant(_ milliseconds: Int64) -> Instant? {
    guard (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds)
    else { return nil }
    return Instant(milliseconds: milliseconds)
  }

  /// Zones that stand for offsets of half and quarter hours.
  static let halves = [
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Kabul", "Asia/Tehran", "Asia/Yangon",
    "Australia/Adelaide", "Australia/Darwin", "America/St_Johns", "Australia/Lord_Howe",
    "Pacific/Marquesas", "Pacific/Chatham", "Australia/Eucla",
  ]

  /// The home zone where its clocks showed that, else a zone that has the offset then.
  private static func zone(offset: Int, at instant: Instant, home: Zone) -> Zone {
    if home.offset(at: instant) == offset { return home }
    if offset == 0 { return .utc }
    guard !offset.isMultiple(of: 3_600) else {
      // The sign of these names is the other way round.
      return Zone("Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3_600)") ?? home
    }
    return halves.lazy.compactMap { Zone($0) }.first { $0.offset(at: instant) == offset } ?? home
  }
}
