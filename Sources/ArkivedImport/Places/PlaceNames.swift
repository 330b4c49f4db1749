import ArkivedCore
package import Foundation
import Synchronization

/// Names of places from a list of towns and villages with coordinates and populations that the
/// owner downloaded (`Scripts/fetch_places.py`: GeoNames, CC BY 4.0), without any network requests.
///
/// A town's radius depends on its population: 300 m times the square root of the number of
/// thousands, and at least a kilometre. If several towns include a point, the one whose centre is
/// nearest relative to its radius wins; a point outside all of them is near the one with the
/// nearest edge, within 25 km.
package final class PlaceNames: Sendable {
  /// The name of an area.
  struct Area: Hashable, Sendable {
    var name: String
    /// True if the point is only near it.
    var isNear: Bool

    var text: String { "\(isNear ? "Near" : "In") \(name)" }
    var label: String { isNear ? "near \(name)" : name }
  }

  private enum Reading: Sendable {
    case ahead
    case done(TownMap?)
  }

  /// An identifier that changes with the list.
  package let mark: String
  private let file: URL
  private let reading = Mutex(Reading.ahead)
  /// The numbers of the towns by their inhabitants, in descending order; sorted when first needed.
  private let largest = Mutex<[Int32]>([])

  /// Creates the names from a list with one line each of latitude, longitude, population and name,
  /// separated by tabs; the list is read at the first lookup.
  ///
  /// - Returns: nil if the file doesn't exist.
  package init?(at file: URL) {
    guard let mark = Self.mark(of: file) else { return nil }
    (self.mark, self.file) = (mark, file)
  }

  /// The path of the list.
  package var path: String { file.path }

  /// Returns the name of a point's area, or nil if it is far from everything.
  func area(of point: GeoPoint) -> Area? { map?.area(of: point) }

  private var map: TownMap? {
    reading.withLock { reading -> TownMap? in
      if case .done(let map) = reading { return map }
      let map = TownMap(file)
      reading = .done(map)
      return map
    }
  }

  /// A town on a map.
  package struct Town: Hashable, Sendable {
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let people: Double
  }

  /// Returns the towns with the most inhabitants, in descending order.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of towns.
  ///   - isWithin: returns true for the latitude and longitude of towns to include.
  /// - Returns: the towns; empty if the file of places is missing.
  package func towns(
    limit: Int, where isWithin: (Double, Double) -> Bool
  ) -> [Town] {
    guard let map else { return [] }
    let order = largest.withLock { largest in
      if largest.isEmpty { largest = map.byPeople }
      return largest
    }
    var towns: [Town] = []
    for index in order where towns.count < limit {
      let town = map.town(Int(index))
      if isWithin(town.point.lat, town.point.lon) {
        towns.append(
          Town(
            name: map.name(of: town), latitude: town.point.lat, longitude: town.point.lon,
            people: town.people))
      }
    }
    return towns
  }

  private static func mark(of file: URL) -> String? {
    guard let found = try? FileManager.default.attributesOfItem(atPath: file.path),
      found[.type] as? FileAttributeType == .typeRegular, let size = found[.size] as? NSNumber,
      let written = found[.modificationDate] as? Date
    else { return nil }
    return "\(size) \(written.timeIntervalSince1970)"
  }

  // MARK: This computer's list

  private static let present = Mutex<PlaceNames?>(nil)

  /// Returns the list downloaded to this computer, or nil if there is none.
  ///
  /// It is read once, and again if the file is replaced.
  ///
  /// - Parameter environment: `ARKIVED_PLACES` gives the folder; without it, it is `arkived/places`
  ///   in `XDG_DATA_HOME`, or else in `~/.local/share`.
  /// - Returns: the list.
  package static func installed(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> PlaceNames? {
    let found = PlaceNames(at: folder(environment).appendingPathComponent("places.tsv"))
    return present.withLock { present -> PlaceNames? in
      if present?.mark != found?.mark || present?.file != found?.file { present = found }
      return present
    }
  }

  /// Returns the folder of the list and the map.
  package static func folder(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let named = environment["ARKIVED_PLACES"], !named.isEmpty {
      return URL(fileURLWithPath: HomeFolder.expandingTilde(named), isDirectory: true)
    }
    let home = HomeFolder.url()
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? home.appendingPathComponent(".local/share")
    return data.appendingPathComponent("arkived/places", isDirectory: true)
  }
}

/// A map of towns by position.
private struct TownMap: Sendable {
  struct Town: Sendable {
    var point: GeoPoint
    var people: Double
    /// The radius in metres.
    var reach: Double
    /// The range of its name in the list.
    var name: Range<Int>
  }

  /// The size limit of a list, in bytes.
  private static let sizeLimit = 128 << 20
  private static let countLimit = 2_000_000
  private static let nearLimit = 25_000.0
  /// The distance in metres beyond which no town matters, from the radius of the largest cities and
  /// the limit for being near.
  private static let farLimit = 40_000.0
  /// The ten-millionths of a degree in a cell: half a degree, 55 km from south to north.
  private static let cellSize = 5_000_000
  private static let cellsAround = 720

  private let bytes: [UInt8]
  private let towns: [Town]
  private let cells: [Int: [Int]]

  /// Reads a list, skipping lines that can't be parsed.
  ///
  /// - Returns: nil if no line can be parsed.
  init?(_ file: URL) {
    guard let content = try? Data(contentsOf: file), content.count <= Self.sizeLimit else {
      return nil
    }
    let bytes = [UInt8](content)
    var towns: [Town] = []
    var cells: [Int: [Int]] = [:]
    var start = 0
    while start < bytes.count, towns.count < Self.countLimit {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if let town = Self.town(bytes[start..<end]) {
        cells[Self.cell(Self.row(town.point), Self.column(town.point)), default: []]
          .append(towns.count)
        towns.append(town)
      }
      start = end + 1
    }
    guard !towns.isEmpty else { return nil }
    (self.bytes, self.towns, self.cells) = (bytes, towns, cells)
  }

  private static func town(_ line: ArraySlice<UInt8>) -> Town? {
    let fields = line.split(
      separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, !fields[3].isEmpty, fields[3].count <= 400,
      let lat = Double(String(decoding: fields[0], as: UTF8.self)),
      let lon = Double(String(decoding: fields[1], as: UTF8.self)),
      let people = Double(String(decoding: fields[2], as: UTF8.self)), people.isFinite,
      let point = GeoPoint(lat: lat, lon: lon)
    else { return nil }
    let reach = 300 * (max(0, people) / 1_000).squareRoot()
    return Town(
      point: point, people: people, reach: min(max(1_000, reach), farLimit - nearLimit),
      name: fields[3].startIndex..<fields[3].endIndex)
  }

  // MARK: Cells

  private static func row(_ point: GeoPoint) -> Int {
    (Int(point.latE7) + 900_000_000) / cellSize
  }

  private static func column(_ point: GeoPoint) -> Int {
    (Int(point.lonE7) + 1_800_000_000) / cellSize
  }

  private static func cell(_ row: Int, _ column: Int) -> Int {
    // Columns wrap around the Earth.
    row * cellsAround + (column + cellsAround) % cellsAround
  }

  func area(of point: GeoPoint) -> PlaceNames.Area? {
    // Meridians converge toward the poles.
    let width = max(0.02, cos(point.lat * Double.pi / 180)) * 55_000
    let span = min(Int((Self.farLimit / width).rounded(.up)), 60)
    let (row, column) = (Self.row(point), Self.column(point))
    var within: (town: Town, share: Double)?
    var near: (town: Town, metres: Double)?
    for north in (row - 1)...(row + 1) {
      for east in (column - span)...(column + span) {
        for index in cells[Self.cell(north, east)] ?? [] {
          let town = towns[index]
          let metres = town.point.metres(to: point)
          guard metres <= Self.farLimit else { continue }
          let share = metres / town.reach
          if share < (within?.share ?? 1) { within = (town, share) }
          let rest = metres - town.reach
          if rest < (near?.metres ?? Self.nearLimit) { near = (town, rest) }
        }
      }
    }
    if let town = within?.town { return PlaceNames.Area(name: name(of: town), isNear: false) }
    return (near?.town).map { PlaceNames.Area(name: name(of: $0), isNear: true) }
  }

  func town(_ index: Int) -> Town { towns[index] }

  /// The numbers of the towns by their inhabitants, in descending order.
  var byPeople: [Int32] {
    towns.indices.sorted { (towns[$0].people, $1) > (towns[$1].people, $0) }.map { Int32($0) }
  }

  func name(of town: Town) -> String { String(decoding: bytes[town.name], as: UTF8.self) }
}
