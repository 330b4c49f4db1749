import Foundation

/// Where a workout led: where it began, how far it went, and its simplified line.
struct HealthRoute: Hashable {
  var lat: Double
  var lon: Double
  var metres: Double
  /// A line for each part between pauses.
  var lines: [[GeoPoint]]

  /// Adds up the way between points.
  struct Line {
    private var first: (lat: Double, lon: Double)?
    private var last: (lat: Double, lon: Double)?
    private var metres = 0.0
    private var parts: [[GeoPoint]] = []
    /// Whether the present part is drawn; those beyond the limit are not.
    private var isDrawn = true
    private var count = 0

    /// Two weeks of a point each second; nobody's watch lasts longer.
    private static let pointLimit = 1_200_000
    private static let partLimit = 500

    /// Takes the next point; one that lies nowhere on Earth is passed over.
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

    /// What follows is not joined with what came before.
    mutating func lift() { last = nil }

    var route: HealthRoute? {
      first.map { first in
        HealthRoute(
          lat: first.lat, lon: first.lon, metres: metres,
          lines: parts.map(PathLine.simplified).filter { $0.count > 1 })
      }
    }

    /// On a sphere of the Earth's mean radius (haversine).
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

/// Reads the GPX of a workout's route.
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
  /// The way up to there counts.
  func lost(line: Int, byte: Int, reason: String) {}
}
