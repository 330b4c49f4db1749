package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

/// Export as an iCalendar file, and export of places for maps.
extension ExportJob {
  /// Writes every activity that has a time, which includes every meeting, as an event (RFC 5545).
  ///
  /// - Returns: the number of events written; `leftOut` stays empty because an activity without a
  ///   time is not an event.
  package func writeCalendar(
    of span: DayFilter = DayFilter(), to file: URL, replaces: Bool = false
  ) throws -> Summary {
    try claimFile(file, mark: "PRODID:\(EventText.producer)", replaces: replaces)
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    return try Self.writeText(to: file) { put in
      var summary = Summary()
      summary.files = 1
      var events = EventText()
      try put(EventText.head)
      try forEachDay(of: span) { day in
        let meetings = Dictionary(
          day.meetings.map { ($0.activity.id, $0.meeting) }
        ) { first, _ in first }
        for activity in day.activities {
          guard let event = events.event(activity, meetings[activity.id]) else { continue }
          try put(event)
          summary.entries += 1
        }
      }
      try put(events.zoneComponents())
      try put(EventText.tail)
      return summary
    }
  }

  /// Writes every activity with coordinates as a waypoint, each day's places in chronological order
  /// as a route, and recorded paths as tracks (GPX 1.1, topografix.com/GPX/1/1).
  package func writeGPX(
    of span: DayFilter = DayFilter(), to file: URL, replaces: Bool = false
  ) throws -> Summary {
    try claimFile(file, mark: "<gpx version=\"1.1\" creator=\"Arkived\"", replaces: replaces)
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    return try Self.writeText(to: file) { put in
      var summary = Summary()
      summary.files = 1
      try put(PlaceText.head)
      try forEachDay(of: span) { day in
        for activity in day.activities {
          guard let point = PlaceText.point("wpt", activity) else { continue }
          try put(point)
          summary.entries += 1
        }
      }
      // The format requires all waypoints before the first route, and all routes before the first
      // track.
      try forEachDay(of: span) { day in try put(PlaceText.route(day)) }
      try forEachDay(of: span) { day in
        for activity in day.activities {
          for attachment in activity.attachments where WayFile.isWay(attachment) {
            guard let content = try? archive.content(of: attachment) else {
              summary.missingFiles.append(attachment.relativePath ?? "")
              continue
            }
            try put(PlaceText.track(activity, WayFile.lines(content)))
          }
        }
      }
      try put(PlaceText.tail)
      return summary
    }
  }
}

/// A writer of places as GPX.
private enum PlaceText {
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Arkived" xmlns="http://www.topografix.com/GPX/1/1">

    """
  static let tail = "</gpx>\n"

  /// Returns a point element; nil without coordinates.
  static func point(_ element: String, _ activity: Activity) -> String? {
    guard let lat = activity.lat, let lon = activity.lon else { return nil }
    var text = "<\(element) lat=\"\(degrees(lat))\" lon=\"\(degrees(lon))\">"
    if let start = activity.startAt { text += "<time>\(start)</time>" }
    text += "<name>\(escaped(activity.locationLabel ?? activity.text))</name>"
    if element == "wpt" {
      if activity.locationLabel != nil { text += "<desc>\(escaped(activity.text))</desc>" }
      text += "<type>\(escaped(activity.kind.rawValue))</type>"
    }
    return text + "</\(element)>\n"
  }

  /// Returns a day's route; empty if fewer than two places have a time.
  static func route(_ day: Day) -> String {
    let points = day.activities.filter { $0.startAt != nil }.compactMap { point("rtept", $0) }
    guard points.count > 1 else { return "" }
    return "<rte><name>\(day.dayKey)</name>\n\(points.joined())</rte>\n"
  }

  /// Returns the track of an activity; empty if it has no line.
  static func track(_ activity: Activity, _ lines: [[WayFile.Point]]) -> String {
    guard !lines.isEmpty else { return "" }
    let parts = lines.map { line in
      let points = line.map { "<trkpt lat=\"\(degrees($0.lat))\" lon=\"\(degrees($0.lon))\"/>\n" }
      return "<trkseg>\n\(points.joined())</trkseg>\n"
    }
    return "<trk><name>\(escaped(activity.text))</name>"
      + "<type>\(escaped(activity.kind.rawValue))</type>\n\(parts.joined())</trk>\n"
  }

  /// Returns a plain decimal number, because the format doesn't allow exponents.
  ///
  /// Seven decimal places correspond to about a centimetre.
  private static func degrees(_ value: Double) -> String { String(format: "%.7f", value) }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\t", "\n", "\r": result += " "
      // XML doesn't allow these characters, escaped or not.
      case "\u{FFFE}", "\u{FFFF}": break
      default: if scalar.value >= 0x20 { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
