import Foundation

/// A place on Earth, in ten-millionths of a degree.
struct GeoPoint: Hashable, Sendable {
  /// The latitude north, −90° to 90°.
  var latE7: Int32
  /// The longitude east, −180° to 180°.
  var lonE7: Int32

  var lat: Double { Double(latE7) / 1e7 }
  var lon: Double { Double(lonE7) / 1e7 }

  /// Creates a point from degrees.
  ///
  /// - Returns: nil if the coordinates aren't on Earth, and for 0, 0, which broken devices report.
  init?(lat: Double, lon: Double) {
    guard lat.isFinite, lon.isFinite, abs(lat) <= 90, abs(lon) <= 180, lat != 0 || lon != 0 else {
      return nil
    }
    latE7 = Int32((lat * 1e7).rounded())
    lonE7 = Int32((lon * 1e7).rounded())
  }

  /// Creates a point from Google's integers.
  ///
  /// Some of its exports store negative ones as unsigned integers, which makes them too large by
  /// 2³².
  init?(latE7: Int64, lonE7: Int64) {
    func mended(_ value: Int64, _ limit: Int64) -> Int64 {
      value > limit && value < 1 << 32 ? value - (1 << 32) : value
    }
    let (lat, lon) = (mended(latE7, 900_000_000), mended(lonE7, 1_800_000_000))
    guard abs(lat) <= 900_000_000, abs(lon) <= 1_800_000_000, lat != 0 || lon != 0 else {
      return nil
    }
    self.latE7 = Int32(lat)
    self.lonE7 = Int32(lon)
  }

  /// Parses a pair of degrees as Google's phones write it: `50.05°, 14.34°` (Android) or
  /// `geo:50.05,14.34` (iOS, and RFC 5870).
  init?(_ text: String) {
    var rest = text[...]
    if rest.lowercased().hasPrefix("geo:") { rest = rest.dropFirst(4) }
    rest = rest.prefix { $0 != ";" && $0 != "?" }
    let parts = rest.split(separator: ",").map {
      $0.filter { $0 != "°" && !$0.isWhitespace }.replacing("\u{2212}", with: "-")
    }
    // A third part is an altitude.
    guard (2...3).contains(parts.count), let lat = Double(parts[0]), let lon = Double(parts[1])
    else {
      return nil
    }
    self.init(lat: lat, lon: lon)
  }

  /// The point as text: "50.0506° N, 14.3440° E".
  var text: String {
    func degrees(_ value: Int32) -> String {
      let units = (abs(Int(value)) + 500) / 1_000
      let fraction = String(units % 10_000)
      return "\(units / 10_000).\(String(repeating: "0", count: 4 - fraction.count))\(fraction)°"
    }
    return "\(degrees(latE7)) \(latE7 < 0 ? "S" : "N"), \(degrees(lonE7)) \(lonE7 < 0 ? "W" : "E")"
  }

  /// Returns the metres along a great circle, on a sphere of the Earth's mean radius.
  func metres(to other: GeoPoint) -> Double {
    let radians = Double.pi / 180
    let (first, second) = (lat * radians, other.lat * radians)
    let north = sin((second - first) / 2)
    let east = sin((other.lon - lon) * radians / 2)
    let part = north * north + cos(first) * cos(second) * east * east
    return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
  }
}

/// A person's position at a moment.
struct TrackPoint: Sendable {
  var place: GeoPoint
  var time: Int64
  /// The accuracy in metres; 0 if unknown.
  var accuracy: UInt16 = 0
  /// The mode of transport, if the source states it.
  var mode: TravelMode?
  /// The device that recorded it, if there are several.
  var device: UInt8 = 0
  /// The number of the place's name in the reader's list; 0 for none.
  var name: UInt16 = 0
  /// Minutes east of UTC; the least number if unknown, because an optional takes more memory.
  private var minutesEast = Int16.min

  /// Seconds east of UTC on clocks at the place; nil if the source gives only UTC.
  var offset: Int? {
    get { minutesEast == .min ? nil : Int(minutesEast) * 60 }
    set { minutesEast = newValue.map { Int16(clamping: $0 / 60) } ?? .min }
  }

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - place: its coordinates.
  ///   - time: milliseconds since 1970.
  init(_ place: GeoPoint, time: Int64) {
    self.place = place
    self.time = time
  }
}

/// A flat projection around a point: metres east and north, accurate within a few hundred
/// kilometres.
struct LocalPlane {
  private let origin: GeoPoint
  private let eastMetres: Double
  /// The metres in a ten-millionth of a degree.
  private static let unit = 6_371_008.8 * Double.pi / 180 / 1e7

  init(around origin: GeoPoint) {
    self.origin = origin
    eastMetres = Self.unit * cos(origin.lat * Double.pi / 180)
  }

  func position(_ point: GeoPoint) -> SIMD2<Double> {
    var east = Double(point.lonE7) - Double(origin.lonE7)
    // The points are on either side of the date line.
    if east > 1.8e9 { east -= 3.6e9 }
    if east < -1.8e9 { east += 3.6e9 }
    return SIMD2(east * eastMetres, (Double(point.latE7) - Double(origin.latE7)) * Self.unit)
  }
}

extension SIMD2<Double> {
  var length: Double { (x * x + y * y).squareRoot() }
}
