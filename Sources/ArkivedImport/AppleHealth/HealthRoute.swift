import Foundation

/// A workout's route: its start, its distance and its simplified line.
struct HealthRoute: Hashable {
  var lat: Double
  var lon: Double
  var metres: Double
  /// The lines, one for each part between pauses.
  var lines: [[GeoPoint]]

  /// Accumulates the distance between points.
  struct Line {
    private var first: (lat: Double, lon: Double)?
    private var last: (lat: Double, lon: Double)?
    private var metres = 0.0
    private var parts: [[GeoPoint]] = []
    /// True if the current part is drawn; parts beyond the limit aren't.
    private var isDrawn = true
    private var count = 0

    /// The maximum number of points: two weeks at one per second, longer than any watch lasts.
    private static let pointLimit = 1_200_000
    private static let partLimit = 500

    /// Adds the next point; one outside the Earth's coordinates is skipped.
    mutating func add(lat: Double?, lon: Double?) {
      guard let lat, let lon, abs(lat) <= 90, abs(lon) <= 180 else { return }
      draw(lat, lon)
      if let last { metres += Self.metres(last, (lat, lon)) }
      first = first ?? (lat, lon)
      last = (lat, lon)
    }

    private mutating func draw(_ lat: Double, _ lon: Double) {
      guard count < Self.pointLimit, let point = GeoPoint(lat: lat, lon: lon) else { return }
      if last == nil || parts.isEmpty {
        isDrawn = parts.count < Self.partLimit
        if isDrawn { parts.append([]) }
      }
      guard isDrawn else { return }
      parts[parts.count - 1].append(point)
      count += 1
    }

    /// Starts a new part that isn't joined to the previous one.
    mutating func lift() { last = nil }

    var route: HealthRoute? {
      first.map { first in
        HealthRoute(
          lat: first.lat, lon: first.lon, metres: metres,
          lines: parts.map(PathLine.simplified).filter { $0.count > 1 })
      }
    }

    /// Returns the distance on a sphere of the Earth's mean radius (haversine).
    private static func metres(
      _ from: (lat: Double, lon: Double), _ to: (lat: Double, lon: Double)
    ) -> Double {
      let half = Double.pi / 360
      let height = sin((to.lat - from.lat) * half)
      let width = sin((to.lon - from.lon) * half)
      let part =
        height * height + cos(from.lat * 2 * half) * cos(to.lat * 2 * half) * width * width
      return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
    }
  }
}

/// A reader of a workout's GPX route.
final class HealthRouteReader: XMLEvents {
  private var line = HealthRoute.Line()

  var route: HealthRoute? { line.route }

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    if strcmp(name, "trkpt") == 0 {
      line.add(
        lat: HealthNumber.read(attributes["lat"]), lon: HealthNumber.read(attributes["lon"]))
    } else if strcmp(name, "trkseg") == 0 {
      line.lift()
    }
  }

  func end(_ name: UnsafePointer<CChar>) {}
  /// Does nothing, because the route up to the damage counts.
  func lost(line: Int, byte: Int, reason: String) {}
}
