package import ArkivedCore
import Foundation

/// A position as a Dawarich server describes it.
///
/// Source of the shape: `Api::PointSerializer` of Dawarich 0.18 to 1.3; coordinates are text, the
/// time is in seconds since 1970.
package struct DawarichPoint: Sendable {
  /// In seconds since 1970.
  package let time: Int
  /// The position as a feature of GeoJSON on one line, as in Dawarich's own export; nil without a
  /// place on Earth.
  package let line: String?

  /// The fields that the importer of its export reads.
  private static let fields = ["tracker_id", "device_id", "motion", "activity", "battery"]
  private static let fieldLimit = 500
  /// The times that can be written with a year of four digits.
  private static let times = 0...253_402_300_799

  /// Reads a position.
  ///
  /// - Returns: nil without a time.
  package init?(_ json: JSON) {
    let written = json["timestamp"]
    guard let time = written?.int ?? written?.string.flatMap({ Int($0) }),
      Self.times.contains(time)
    else { return nil }
    self.time = time
    guard let lat = Self.number(json["latitude"]), let lon = Self.number(json["longitude"]),
      GeoPoint(lat: lat, lon: lon) != nil
    else {
      line = nil
      return
    }
    var properties: JSONObject = [
      "timestamp": JSON(time),
      // Even an unknown accuracy marks a position of a log.
      "accuracy": JSON(Self.number(json["accuracy"])),
    ]
    for field in Self.fields {
      guard let value = json[field], value != .null, value.text().utf8.count <= Self.fieldLimit
      else { continue }
      properties[field] = value
    }
    let feature: JSON = [
      "type": "Feature",
      "geometry": ["type": "Point", "coordinates": [JSON(lon), JSON(lat)]],
      "properties": .object(properties),
    ]
    line = feature.text()
  }

  private static func number(_ json: JSON?) -> Double? {
    guard let number = json?.double ?? json?.string.flatMap({ Double($0) }), number.isFinite else {
      return nil
    }
    return number
  }
}
