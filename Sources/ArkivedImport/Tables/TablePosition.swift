import ArkivedCore
import Foundation

/// Reads latitudes and longitudes as location loggers write them: in degrees, in ten-millionths of a
/// degree (`525200000`), in degrees and minutes, with a minus sign or with N, S, E and W.
struct TablePosition {
  enum Axis { case latitude, longitude }

  private let latitudes: [Column]
  private let longitudes: [Column]

  private struct Column {
    var index: Int
    var isE7: Bool
    /// The column with the letter of the hemisphere, if it stands apart.
    var side: Int?
  }

  init(_ mapping: TableMapping) {
    let names = mapping.columns.map(\.name)
    func columns(_ field: TableField, _ axis: Axis) -> [Column] {
      mapping.indices(field).map { index in
        Column(
          index: index, isE7: Self.isE7(names[index]),
          side: names.indices.first { Self.isSide(names[$0], of: axis) })
      }
    }
    latitudes = columns(.lat, .latitude)
    longitudes = columns(.lon, .longitude)
  }

  /// Returns a row's coordinates as they are written; nil if one is missing.
  func written(in row: CSVTable.Row) -> (lat: String, lon: String)? {
    guard let lat = latitudes.lazy.compactMap({ row.value(at: $0.index) }).first,
      let lon = longitudes.lazy.compactMap({ row.value(at: $0.index) }).first
    else { return nil }
    return (lat, lon)
  }

  /// Returns a row's degrees north and east, or nil if it has none or invalid ones.
  func degrees(in row: CSVTable.Row) -> (lat: Double, lon: Double)? {
    func degrees(_ columns: [Column], _ axis: Axis) -> Double? {
      for column in columns {
        guard let text = row.value(at: column.index) else { continue }
        let side = column.side.flatMap { row.value(at: $0) } ?? ""
        return Self.degrees(text + side, axis, isE7: column.isE7)
      }
      return nil
    }
    guard let north = degrees(latitudes, .latitude), let east = degrees(longitudes, .longitude)
    else { return nil }
    return (north, east)
  }

  // MARK: Columns

  /// Returns the axis that a column's name gives: `lat`, `latitudeE7`, `LATITUDE N/S`, `gps_lon`.
  static func axis(of name: String) -> Axis? {
    var words = words(name)
    words.removeAll { additions.contains($0) }
    guard words.count == 1 else { return nil }
    if ["lat", "latitude", "breitengrad", "breite"].contains(words[0]) { return .latitude }
    let longitudes = ["lon", "lng", "long", "longitude", "langengrad", "lange"]
    guard longitudes.contains(words[0]) else { return nil }
    // `Länge` alone is a length.
    return words[0] == "lange" && TableUnits.words(of: name).count == 1 ? nil : .longitude
  }

  private static func isE7(_ name: String) -> Bool { words(name).contains("e7") }

  /// Returns the words of a name, with `e7` apart: `latitudeE7`, `latitudee7`, `late7`.
  private static func words(_ name: String) -> [String] {
    TableUnits.words(of: name).flatMap { word in
      word.count > 2 && word.hasSuffix("e7") ? [String(word.dropLast(2)), "e7"] : [word]
    }
  }

  private static let additions: Set<String> = [
    "e7", "n", "s", "e", "w", "ns", "ew", "deg", "degree", "degrees", "dd", "wgs84", "gps", "geo",
    "location", "position", "coordinate", "coordinates", "point", "decimal", "grad",
  ]

  /// Returns true if a column only has the letters of a hemisphere.
  private static func isSide(_ name: String, of axis: Axis) -> Bool {
    let word = NameFolding.loose(name).filter { $0.isLetter || $0 == "/" }
    return axis == .latitude
      ? ["n/s", "ns", "northsouth"].contains(word) : ["e/w", "ew", "eastwest"].contains(word)
  }

  // MARK: Values

  /// Returns true if a value is a coordinate.
  static func isCoordinate(_ text: String, _ axis: Axis) -> Bool {
    degrees(text, axis, isE7: false) != nil
  }

  /// Parses a coordinate.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - axis: the axis, which determines the letters and the range.
  ///   - isE7: true if the number is in ten-millionths of a degree.
  /// - Returns: the degrees north or east, or nil if it isn't a coordinate.
  static func degrees(_ text: String, _ axis: Axis, isE7: Bool) -> Double? {
    let letters: (Character, Character) = axis == .latitude ? ("N", "S") : ("E", "W")
    var rest = text.uppercased().trimmingCharacters(in: .whitespaces)
    // Germans write O for the east.
    if axis == .longitude { rest = rest.replacing("O", with: "E") }
    var sign: Double?
    if let last = rest.last, last == letters.0 || last == letters.1 {
      sign = last == letters.1 ? -1 : 1
      rest.removeLast()
    } else if let first = rest.first, first == letters.0 || first == letters.1 {
      sign = first == letters.1 ? -1 : 1
      rest.removeFirst()
    }
    rest = rest.trimmingCharacters(in: .whitespaces)
    guard let number = plain(rest) ?? sexagesimal(rest) else { return nil }
    // A hemisphere and a minus sign contradict each other.
    guard sign == nil || number >= 0 else { return nil }
    let isWhole = number == number.rounded() && abs(number) > 1_000_000
    let degrees = (isE7 || isWhole ? number / 1e7 : number) * (sign ?? 1)
    return abs(degrees) <= (axis == .latitude ? 90 : 180) ? degrees : nil
  }

  private static func plain(_ text: String) -> Double? {
    guard !text.contains("'") else { return nil }
    return TableNumbers.degrees(text.hasSuffix("°") ? String(text.dropLast()) : text)
  }

  /// Parses `52°31'12.5"`, or `52°31.2083'`.
  private static func sexagesimal(_ text: String) -> Double? {
    guard text.contains("°") else { return nil }
    let parts = text.split { "°'’′\"”″".contains($0) || $0.isWhitespace }.map {
      $0.replacing(",", with: ".")
    }
    guard (1...3).contains(parts.count) else { return nil }
    let numbers = parts.compactMap { part in
      part.allSatisfy { ("0"..."9").contains($0) || $0 == "." || $0 == "-" } ? Double(part) : nil
    }
    guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    let size = zip(numbers, [1.0, 60, 3_600]).reduce(0) { $0 + abs($1.0) / $1.1 }
    return parts[0].hasPrefix("-") ? -size : size
  }
}
