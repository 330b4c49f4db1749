import Foundation

/// Time zones after a time of day: "15:00 UTC", "3pm ET", "9:30 Tokyo time", "14:00 UTC+2".
extension TimeGrammar {
  /// Returns a clock span with the time zone that follows it, if there is one.
  func zoned(_ span: ClockSpan, _ next: Int) -> Parsed<ClockSpan> {
    var span = span
    let start = isSign(next, "(") ? next + 1 : next
    guard let (name, end) = zoneName(start) ?? attachedOffset(next) else { return (span, next) }
    switch name {
    case .offset(let seconds): span.offset = seconds
    case .zone(let zone): span.zone = zone
    }
    return (span, start > next && isSign(end, ")") ? end + 1 : end)
  }

  enum ZoneName {
    /// In seconds east of UTC.
    case offset(Int)
    case zone(Zone)
  }

  private func zoneName(_ index: Int) -> Parsed<ZoneName>? {
    guard let token = token(index), token.kind == .word else { return nil }
    if token.text == "utc" || token.text == "gmt",
      let (offset, end) = signedOffset(index + 1)
    {
      return (.offset(offset), end)
    }
    if let seconds = ZoneWords.offsets[token.text], isZoneWord(token, at: index) {
      return (.offset(seconds), skippingTime(index + 1))
    }
    if token.isUppercased, let name = ZoneWords.regions[token.text], let zone = Zone(name) {
      return (.zone(zone), skippingTime(index + 1))
    }
    return pathZone(index) ?? placeZone(index)
  }

  private func skippingTime(_ index: Int) -> Int { skipping("time", at: index) }

  /// Returns true if an abbreviation is written as one: "z" right after its number, "IST" in
  /// capitals.
  private func isZoneWord(_ token: TimeToken, at index: Int) -> Bool {
    if token.text.count == 1 { return token.isCapitalised && isAttached(index) }
    return token.isUppercased || ZoneWords.anyCase.contains(token.text)
  }

  /// Reads "+2", "-05:00" or "+0530" right after the word before.
  private func signedOffset(_ index: Int, isApart: Bool = false) -> Parsed<Int>? {
    guard isSign(index, "+") || isSign(index, "-"), isApart || isAttached(index),
      isAttached(index + 1),
      let hours = token(index + 1), hours.kind == .number, hours.value >= 0
    else { return nil }
    let sign = isSign(index, "+") ? 1 : -1
    switch hours.digits {
    case 4:
      guard hours.value <= 1400, hours.value % 100 < 60 else { return nil }
      return (sign * (hours.value / 100 * 3600 + hours.value % 100 * 60), index + 2)
    case 1...2 where hours.value <= 14:
      if isSign(index + 2, ":"), isAttached(index + 2), let minutes = token(index + 3),
        minutes.digits == 2, minutes.value < 60, isAttached(index + 3)
      {
        return (sign * (hours.value * 3600 + minutes.value * 60), index + 4)
      }
      return (sign * hours.value * 3600, index + 2)
    default: return nil
    }
  }

  /// Reads "15:00+02:00", or "15:00:00 +0100" as in mail headers; an offset without a name requires
  /// its minutes.
  private func attachedOffset(_ index: Int) -> Parsed<ZoneName>? {
    // A dash right after the time would join two times: "15:00-17:00".
    let isMail = !isAttached(index) && token(index + 1)?.digits == 4 && isSign(index - 4, ":")
    guard isMail || isSign(index, "+") && isAttached(index),
      let (offset, end) = signedOffset(index, isApart: isMail),
      end == index + 4 || token(index + 1)?.digits == 4
    else { return nil }
    return (.offset(offset), end)
  }

  /// Reads "Europe/Rome".
  private func pathZone(_ index: Int) -> Parsed<ZoneName>? {
    guard let token = token(index), token.isCapitalised, isSign(index + 1, "/"),
      isAttached(index + 1), isAttached(index + 2), let city = self.token(index + 2),
      city.kind == .word
    else { return nil }
    let name = [token.text, city.text].map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return Zone(name.joined(separator: "/")).map { (.zone($0), index + 3) }
  }

  /// Reads "Tokyo time", "New York time", "Eastern Time", "Central European Summer Time".
  private func placeZone(_ index: Int) -> Parsed<ZoneName>? {
    guard isCapitalised(index) else { return nil }
    var words: [String] = []
    for place in index..<index + 4 {
      if isWord(place, "time"), let name = ZoneWords.places[words.joined(separator: " ")],
        let zone = Zone(name)
      {
        return (.zone(zone), place + 1)
      }
      guard !word(place).isEmpty else { return nil }
      words.append(word(place))
    }
    return nil
  }
}

/// The names of time zones as people write them after a time.
enum ZoneWords {
  /// The offsets, in seconds east of UTC, of abbreviations with a single meaning.
  ///
  /// IST is India's; CST and BST are the American and the British one.
  static let offsets: [String: Int] = [
    "utc": 0, "gmt": 0, "z": 0, "zulu": 0, "wet": 0, "bst": 3600, "west": 3600, "cet": 3600,
    "cest": 7200, "mez": 3600, "mesz": 7200, "eet": 7200, "eest": 10_800, "msk": 10_800,
    "est": -18_000, "edt": -14_400, "cst": -21_600, "cdt": -18_000, "mst": -25_200,
    "mdt": -21_600, "pst": -28_800, "pdt": -25_200, "akst": -32_400, "akdt": -28_800,
    "hst": -36_000, "ast": -14_400, "adt": -10_800, "nst": -12_600, "ndt": -9000, "brt": -10_800,
    "art": -10_800, "clt": -14_400, "sast": 7200, "wat": 3600, "eat": 10_800, "trt": 10_800,
    "gst": 14_400, "pkt": 18_000, "ist": 19_800, "npt": 20_700, "ict": 25_200, "wib": 25_200,
    "sgt": 28_800, "hkt": 28_800, "awst": 28_800, "jst": 32_400, "kst": 32_400, "acst": 34_200,
    "acdt": 37_800, "aest": 36_000, "aedt": 39_600, "nzst": 43_200, "nzdt": 46_800,
  ]

  /// Abbreviations that are not words and may therefore be written in lower case.
  static let anyCase: Set<String> = [
    "utc", "gmt", "cet", "cest", "edt", "pst", "pdt", "cdt", "jst", "bst", "aest", "aedt", "zulu",
  ]

  /// Abbreviations whose offset changes with the season.
  static let regions: [String: String] = [
    "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver",
    "pt": "America/Los_Angeles", "nzt": "Pacific/Auckland", "aet": "Australia/Sydney",
  ]

  /// Time zones by the names used before "time": the cities of the zone database and a few more.
  static let places: [String: String] = {
    var places: [String: String] = [:]
    for identifier in TimeZone.knownTimeZoneIdentifiers {
      guard let city = identifier.split(separator: "/").last, identifier.contains("/") else {
        continue
      }
      places[city.lowercased().replacing("_", with: " ")] = identifier
    }
    let more: [(String, String)] = [
      ("America/New_York", "eastern|us eastern|washington|boston|philadelphia|miami|atlanta"),
      ("America/New_York", "east coast|eastern standard|eastern daylight"),
      ("America/Chicago", "central|us central|houston|dallas|austin"),
      ("America/Denver", "mountain|us mountain"),
      ("America/Los_Angeles", "pacific|us pacific|west coast|san francisco|seattle|california"),
      ("America/Los_Angeles", "las vegas|san diego|portland|pacific standard|pacific daylight"),
      ("Europe/London", "uk|british|british summer|england|edinburgh|manchester"),
      ("Europe/Berlin", "central european|central european summer|german|munich|hamburg"),
      ("Europe/Berlin", "frankfurt|cologne"), ("Europe/Rome", "milan|italian|naples"),
      ("Europe/Paris", "french|lyon"), ("Europe/Zurich", "geneva|swiss|bern|basel"),
      ("Europe/Madrid", "barcelona|spanish"), ("Europe/Lisbon", "porto"),
      ("Europe/Kyiv", "kiev"), ("Asia/Kolkata", "india|indian|mumbai|delhi|new delhi|bangalore"),
      ("Asia/Shanghai", "china|beijing|shenzhen"), ("Asia/Tokyo", "japan|osaka|kyoto"),
      ("Asia/Seoul", "korea"), ("Asia/Dubai", "abu dhabi"), ("Asia/Jerusalem", "tel aviv|israel"),
      ("Asia/Ho_Chi_Minh", "hanoi"), ("Australia/Sydney", "canberra|australian eastern"),
      ("America/Toronto", "ottawa|montreal"), ("America/Sao_Paulo", "rio|brazil"),
      ("Pacific/Auckland", "wellington|new zealand"), ("Africa/Johannesburg", "cape town"),
    ]
    for (identifier, names) in more {
      for name in names.split(separator: "|") { places[String(name)] = identifier }
    }
    return places
  }()
}
