package import ArkivedCore
package import Foundation

/// The line of a journey as imports store it with its entry: GeoJSON (RFC 7946), one line or
/// several.
package enum WayFile {
  /// A point of the line, in degrees north and east.
  package struct Point: Hashable, Sendable {
    package let lat: Double
    package let lon: Double
  }

  static let name = "track.geojson"
  static let mediaType = "application/geo+json"
  /// The size limit in bytes; no import writes a larger file.
  private static let sizeLimit = 4 << 20

  /// Returns true if an entry's file is the line of its journey.
  package static func isWay(_ attachment: Attachment) -> Bool {
    attachment.relativePath != nil
      && (attachment.mediaType == mediaType || attachment.originalName == name)
  }

  /// Returns the lines in a file's content, each of two points or more; empty if it contains
  /// anything else.
  package static func lines(_ content: Data) -> [[Point]] {
    guard content.count <= sizeLimit, let json = try? JSON(parsing: content) else { return [] }
    let lines: [JSON] =
      switch json["type"]?.string {
      case "LineString": [json["coordinates"]].compactMap(\.self)
      case "MultiLineString": json["coordinates"]?.array ?? []
      default: []
      }
    return lines.map(points).filter { $0.count > 1 }
  }

  private static func points(_ line: JSON) -> [Point] {
    (line.array ?? []).compactMap { pair in
      guard let pair = pair.array, pair.count >= 2, let lon = pair[0].double,
        let lat = pair[1].double, abs(lat) <= 90, abs(lon) <= 180
      else { return nil }
      return Point(lat: lat, lon: lon)
    }
  }
}
