package import ArkivedCore

/// The text of a stay at a place without a name.
package enum StayText {
  /// The text of a stay at an unknown place.
  package static let unknown = "At an unknown place"
  /// The form written by versions before 2027; entries from that time keep it.
  private static let formerUnknown = "At a place that is not told"

  /// Returns true if a text describes a stay at an unknown place.
  package static func isUnknown(_ text: String) -> Bool { [unknown, formerUnknown].contains(text) }

  static func at(_ point: GeoPoint) -> String { "At \(point.text)" }

  /// Returns the text for an entry whose coordinates are to be removed, or nil if its text contains
  /// none.
  package static func withoutCoordinates(_ activity: Activity) -> String? {
    guard let lat = activity.lat, let lon = activity.lon, let point = GeoPoint(lat: lat, lon: lon),
      activity.text == at(point)
    else { return nil }
    return unknown
  }
}
