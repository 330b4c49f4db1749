package import ArkivedCore
package import Foundation

/// A picture's metadata from its EXIF fields and its XMP packet.
///
/// Source of the names: EXIF 2.32 (CIPA DC-008), as libexif and libvips write them.
package struct ImageMetadata: Hashable, Sendable {
  /// The values as written, keyed by the field's EXIF name.
  package private(set) var fields: [String: String] = [:]
  /// The XMP packet, as text.
  package private(set) var packet: String?

  /// Parses the reader's answer.
  ///
  /// - Parameter answer: lines such as `exif-ifd0-Model⇥EOS R5 (EOS R5, ASCII, 7 components, 7
  ///   bytes)`, an empty line, and the packet.
  package init(answer: Data) {
    var rest = answer[...]
    while let end = rest.firstIndex(of: 0x0A), end > rest.startIndex {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[rest.index(after: end)...]
      guard let tab = line.firstIndex(of: "\t"), let dash = line[..<tab].lastIndex(of: "-") else {
        continue
      }
      let value = Self.value(String(line[line.index(after: tab)...]))
      if !value.isEmpty { fields[String(line[line.index(after: dash)..<tab])] = value }
    }
    // Without the empty line, the rest is a truncated line and not a packet.
    let packet = rest.dropFirst()
    if rest.first == 0x0A, !packet.isEmpty { self.packet = String(decoding: packet, as: UTF8.self) }
  }

  package init() {}

  /// Adds fields that the picture's own reader didn't provide.
  mutating func complete(with others: [String: String]) {
    fields.merge(others) { own, _ in own }
  }

  /// Returns the value without libvips's description: `V (V, TYPE, N components, N bytes)`.
  private static func value(_ text: String) -> String {
    guard text.hasSuffix(" bytes)") else { return trimmed(text) }
    // The description repeats the text, so equal halves show where it begins.
    var start = text.startIndex
    while let found = text.range(of: " (", range: start..<text.endIndex) {
      let value = text[..<found.lowerBound]
      let description = text[found.upperBound...]
      if description.hasPrefix("\(value), ") || !description.contains(" (") {
        return trimmed(String(value))
      }
      start = found.upperBound
    }
    return trimmed(text)
  }

  private static func trimmed(_ text: String) -> String {
    text.replacing("\0", with: "").trimmingCharacters(in: .whitespaces)
  }

  // MARK: Interpretation

  /// The time of exposure by the camera's clock.
  package var takenAt: WallTime? {
    for name in ["DateTimeOriginal", "DateTimeDigitized", "DateTime"] {
      if let wall = fields[name].flatMap(Self.wallTime) { return wall }
    }
    return nil
  }

  /// The camera clock's offset in seconds east of UTC.
  package var offset: Int? {
    for name in ["OffsetTimeOriginal", "OffsetTimeDigitized", "OffsetTime"] {
      if let offset = fields[name].flatMap(Self.offset) { return offset }
    }
    return nil
  }

  /// The time from satellites, in UTC.
  package var satelliteTime: Instant? {
    guard let stamp = fields["GPSDateStamp"], let time = fields["GPSTimeStamp"],
      let day = Self.day(stamp)
    else { return nil }
    let parts = Self.rationals(time)
    guard parts.count == 3, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    let wall = WallTime(
      day: day, hour: Int(parts[0]), minute: Int(parts[1]), second: Int(parts[2]))
    return Instant(milliseconds: wall.milliseconds)
  }

  /// The position, in degrees north and east.
  package var place: GeoPlace? {
    guard let lat = degrees("GPSLatitude", negative: "S"),
      let lon = degrees("GPSLongitude", negative: "W")
    else { return nil }
    return GeoPlace(lat: lat, lon: lon)
  }

  /// The camera, as in "Canon EOS R5"; the maker is omitted if the model includes it.
  package var camera: String? {
    guard let model = fields["Model"] else { return fields["Make"] }
    guard let make = fields["Make"]?.split(separator: " ").first,
      !model.lowercased().hasPrefix(make.lowercased())
    else { return model }
    return "\(make) \(model)"
  }

  /// The title given by the author, without the camera name that cameras write there.
  package var title: String? {
    guard let text = fields["ImageDescription"], text.count > 1 else { return nil }
    let isMachine = ["DIGITAL CAMERA", "DCIM", "SONY DSC", "DEFAULT"].contains {
      text.uppercased().contains($0)
    }
    return isMachine ? nil : text
  }

  private func degrees(_ name: String, negative: String) -> Double? {
    guard let text = fields[name] else { return nil }
    let parts = Self.rationals(text)
    guard (1...3).contains(parts.count), parts.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
      return nil
    }
    let amount = zip(parts, [1.0, 60, 3600]).reduce(0.0) { $0 + $1.0 / $1.1 }
    return fields[name + "Ref"]?.uppercased().hasPrefix(negative) == true ? -amount : amount
  }

  /// Parses "50/1 5/1 3030/100" as numbers, skipping divisions by 0.
  private static func rationals(_ text: String) -> [Double] {
    text.split(separator: " ").compactMap { part in
      let halves = part.split(separator: "/").compactMap { Double($0) }
      guard halves.count == 2, halves[1] != 0 else { return halves.count == 1 ? halves[0] : nil }
      return halves[0] / halves[1]
    }
  }

  /// Parses "2021:05:03 10:11:12"; some programs write dashes or a `T`, or omit the seconds.
  static func wallTime(_ text: String) -> WallTime? {
    guard let day = day(text) else { return nil }
    let parts = text.dropFirst(11).prefix(8).split(separator: ":").map { Int($0) }
    guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { return nil }
    let second = parts.count > 2 ? parts[2] ?? 0 : 0
    return WallTime(day: day, hour: hour, minute: minute, second: min(max(second, 0), 59))
  }

  private static func day(_ text: String) -> DayKey? {
    let digits = text.prefix(10).replacing(":", with: "-").replacing("/", with: "-")
    return DayKey(String(digits))
  }

  /// Parses "+02:00" as seconds.
  static func offset(_ text: String) -> Int? {
    if text == "Z" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number / 100 <= 14, number % 100 < 60
    else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }
}

/// A position on the Earth, other than 0, 0, which broken devices write.
package struct GeoPlace: Hashable, Sendable {
  /// Degrees north, −90 to 90.
  package let lat: Double
  /// Degrees east, −180 to 180.
  package let lon: Double

  package init?(lat: Double, lon: Double) {
    guard lat.isFinite, lon.isFinite, abs(lat) <= 90, abs(lon) <= 180, lat != 0 || lon != 0 else {
      return nil
    }
    self.lat = lat
    self.lon = lon
  }

  /// Returns the distance in metres on a sphere (haversine).
  package func distance(to other: GeoPlace) -> Double {
    let radians = Double.pi / 180
    let (north, east) = ((other.lat - lat) * radians / 2, (other.lon - lon) * radians / 2)
    let chord =
      sin(north) * sin(north)
      + cos(lat * radians) * cos(other.lat * radians) * sin(east) * sin(east)
    return 12_742_000 * asin(min(1, chord.squareRoot()))
  }
}
