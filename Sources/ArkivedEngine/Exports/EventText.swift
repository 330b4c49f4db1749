import ArkivedCore
import Foundation

/// A writer of entries as events of an iCalendar file (RFC 5545).
struct EventText {
  static let head =
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(producer)", "CALSCALE:GREGORIAN"]
    .map { $0 + "\r\n" }.joined()
  static let tail = "END:VCALENDAR\r\n"
  static let producer = "-//Arkived//Arkived export//EN"

  /// The zones whose rules the file has to include, with the range of moments at which each is
  /// used.
  private(set) var zones: [Zone: ClosedRange<Instant>] = [:]

  /// Returns the event of an activity with a time.
  ///
  /// - Parameters:
  ///   - activity: the entry.
  ///   - meeting: the meeting that the activity represents, if any.
  /// - Returns: nil without a time.
  mutating func event(_ activity: Activity, _ meeting: Meeting?) -> String? {
    guard let startAt = activity.clockStart else { return nil }
    var lines = ["BEGIN:VEVENT", "UID:\(Self.escaped(Self.identifier(activity, meeting)))"]
    lines.append("DTSTAMP:\(Self.utc(activity.updatedAt))")
    lines.append("CREATED:\(Self.utc(activity.createdAt))")
    lines.append("LAST-MODIFIED:\(Self.utc(activity.updatedAt))")
    lines += times(activity, startAt, isAllDay: meeting?.isAllDay ?? activity.isAllDay)
    lines.append("SUMMARY:\(Self.escaped(activity.text))")
    let words = [activity.description, activity.notes].compactMap { $0 }.filter { !$0.isEmpty }
    if !words.isEmpty {
      lines.append("DESCRIPTION:\(Self.escaped(words.joined(separator: "\n\n")))")
    }
    if let place = activity.locationLabel { lines.append("LOCATION:\(Self.escaped(place))") }
    if let lat = activity.lat, let lon = activity.lon {
      lines.append("GEO:\(Self.degrees(lat));\(Self.degrees(lon))")
    }
    if !activity.tags.isEmpty {
      lines.append("CATEGORIES:\(activity.tags.map(Self.escaped).joined(separator: ","))")
    }
    lines += Self.people(activity, meeting)
    lines.append("STATUS:\(Self.status(meeting))")
    // A finished activity doesn't block the time for invitations.
    if meeting == nil { lines.append("TRANSP:TRANSPARENT") }
    lines.append("END:VEVENT")
    return lines.map(Self.folded).joined()
  }

  /// Returns the definitions of the events' zones, for the end of the file.
  func zoneComponents() -> String {
    zones.sorted { $0.key.identifier < $1.key.identifier }
      .map { ZoneText(zone: $0.key, span: $0.value).text }.joined()
  }

  // MARK: Parts

  /// Returns the calendar's own identifier if the event came from one, so the calendar recognises
  /// it.
  private static func identifier(_ activity: Activity, _ meeting: Meeting?) -> String {
    meeting?.eventIdentifier
      ?? activity.externalRefs.first { $0.provider == "calendar" }?.externalID
      ?? "\(activity.id.uuidString)@arkived"
  }

  private mutating func times(
    _ activity: Activity, _ startAt: Instant, isAllDay: Bool
  ) -> [String] {
    let zone = activity.zone
    if isAllDay {
      let last = activity.endAt.map { zone.dayKey(at: $0) }
      let end = max(last ?? activity.dayKey, activity.dayKey.advanced(by: 1))
      return [
        "DTSTART;VALUE=DATE:\(Self.basic(activity.dayKey))",
        "DTEND;VALUE=DATE:\(Self.basic(end))",
      ]
    }
    var lines = [time("DTSTART", startAt, zone)]
    // An end must come after the start; a moment has no end.
    if let endAt = activity.endAt, startAt.seconds(to: endAt) > 0 {
      lines.append(time("DTEND", endAt, zone))
    }
    return lines
  }

  private mutating func time(_ name: String, _ instant: Instant, _ zone: Zone) -> String {
    guard !["UTC", "GMT", "Etc/UTC"].contains(zone.identifier) else {
      return "\(name):\(Self.utc(instant))"
    }
    let wall = zone.wallTime(at: instant)
    // When clocks show a time twice, a local time means the first.
    guard zone.instant(of: wall).seconds(to: instant) == 0 else {
      return "\(name):\(Self.utc(instant))"
    }
    let before = zones[zone] ?? instant...instant
    zones[zone] = min(before.lowerBound, instant)...max(before.upperBound, instant)
    return "\(name);TZID=\(zone.identifier):\(Self.basic(wall))"
  }

  private static func people(_ activity: Activity, _ meeting: Meeting?) -> [String] {
    guard let meeting else {
      return activity.people.map { "ATTENDEE;CN=\(parameter($0.name)):invalid:nomail" }
    }
    return meeting.attendances.flatMap { one -> [String] in
      let address = one.address.map { "mailto:\(word($0))" } ?? "invalid:nomail"
      let name = "CN=\(parameter(one.name))"
      let attendee =
        "ATTENDEE;\(name);ROLE=\(role(one.role));PARTSTAT=\(reply(one.reply)):\(address)"
      return one.isOrganizer ? ["ORGANIZER;\(name):\(address)", attendee] : [attendee]
    }
  }

  private static func role(_ role: AttendanceRole) -> String {
    switch role {
    case .chair: "CHAIR"
    case .optional: "OPT-PARTICIPANT"
    case .informed: "NON-PARTICIPANT"
    default: "REQ-PARTICIPANT"
    }
  }

  private static func reply(_ reply: AttendanceReply) -> String {
    switch reply {
    case .accepted: "ACCEPTED"
    case .declined: "DECLINED"
    case .tentative: "TENTATIVE"
    case .delegated: "DELEGATED"
    default: "NEEDS-ACTION"
    }
  }

  private static func status(_ meeting: Meeting?) -> String {
    guard let meeting else { return "CONFIRMED" }
    guard meeting.counts else { return "CANCELLED" }
    return meeting.status == .tentative ? "TENTATIVE" : "CONFIRMED"
  }

  // MARK: Texts

  static func utc(_ instant: Instant) -> String { basic(WallTime(utc: instant)) + "Z" }

  static func basic(_ wall: WallTime) -> String {
    wall.description.filter { $0 != "-" && $0 != ":" }
  }

  private static func basic(_ day: DayKey) -> String { day.description.filter { $0 != "-" } }

  /// Returns a coordinate with six decimal places, as RFC 5545 §3.8.1.6 requires.
  private static func degrees(_ value: Double) -> String { String(format: "%.6f", value) }

  /// Returns a TEXT value (§3.3.11).
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.replacingOccurrences(of: "\r\n", with: "\n").unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\\(scalar)"
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result += "\\n"
      case "\t": result += "\t"
      default:
        if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }

  /// Returns a quoted parameter value, with quotes and line breaks encoded as in RFC 6868.
  private static func parameter(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "^": result += "^^"
      case "\"": result += "^'"
      case "\n", "\r": result += " "
      default:
        if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
      }
    }
    return "\"\(result)\""
  }

  /// Returns an address as part of a URI, without spaces and line breaks.
  private static func word(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F && $0 != "\"" }))
  }

  /// Returns a content line with its line break, folded to at most 75 bytes (§3.1) without
  /// splitting a character.
  static func folded(_ line: String) -> String {
    var result = ""
    var count = 0
    for scalar in line.unicodeScalars {
      let length = String(scalar).utf8.count
      if count + length > 75 {
        result += "\r\n "
        count = 1
      }
      result.unicodeScalars.append(scalar)
      count += length
    }
    return result + "\r\n"
  }
}

/// A writer of a zone's rules over some time, as a VTIMEZONE with one observance for each change.
struct ZoneText {
  let zone: Zone
  let span: ClosedRange<Instant>

  var text: String {
    let start = span.lowerBound.adding(seconds: -366 * 86_400)
    let end = span.upperBound.adding(seconds: 366 * 86_400)
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.identifier)"]
    lines += observance(at: start, from: zone.offset(at: start))
    var moment = start
    var offset = zone.offset(at: start)
    while moment < end {
      // No zone changes its clocks forwards and back within a week.
      let next = min(moment.adding(seconds: 7 * 86_400), end)
      let later = zone.offset(at: next)
      if later != offset {
        lines += observance(at: change(after: moment, before: next, from: offset), from: offset)
        offset = later
      }
      moment = next
    }
    lines.append("END:VTIMEZONE")
    return lines.map(EventText.folded).joined()
  }

  /// Returns the first second with a different offset.
  private func change(after low: Instant, before high: Instant, from offset: Int) -> Instant {
    var (low, high) = (low.milliseconds / 1_000, high.milliseconds / 1_000)
    while high - low > 1 {
      let middle = (low + high) / 2
      if zone.offset(at: Instant(milliseconds: middle * 1_000)) == offset {
        low = middle
      } else {
        high = middle
      }
    }
    return Instant(milliseconds: high * 1_000)
  }

  private func observance(at instant: Instant, from before: Int) -> [String] {
    let after = zone.offset(at: instant)
    let kind = after > before ? "DAYLIGHT" : "STANDARD"
    return [
      "BEGIN:\(kind)",
      "DTSTART:\(EventText.basic(WallTime(utc: instant.adding(seconds: before))))",
      "TZOFFSETFROM:\(Self.offset(before))", "TZOFFSETTO:\(Self.offset(after))", "END:\(kind)",
    ]
  }

  /// Returns an offset such as `+0100`, with seconds for old zones that have them.
  private static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return (seconds < 0 ? "-" : "+") + two(size / 3_600) + two(size / 60 % 60)
      + (size % 60 == 0 ? "" : two(size % 60))
  }
}
