import ArkivedCore
import ArkivedImport
import Foundation
import Synchronization

/// The squares of a world map with coasts, lakes, borders and the names of countries.
///
/// A coarse map is part of the program (`world.map`). A fine one is stored next to the list of
/// towns once it has been fetched (`detail.map`). `Scripts/world_map.py` creates both from shapes
/// of Natural Earth, which are in the public domain, and describes the format.
struct MapTiles: Sendable {
  private struct Square: Hashable {
    var zoom: UInt8
    var x: UInt16
    var y: UInt16
  }

  /// The zoom levels of the squares: the first two are in the program.
  static let coarse = [0, 2]
  static let fine = 5
  /// The zoom level under which a file stores the names of countries.
  private static let names: UInt8 = 255
  private static let magic = Array("ARKMAP1\n".utf8)
  private static let sizeLimit = 64 << 20

  private let content: Data
  private let places: [Square: Range<Int>]

  /// Opens a map.
  ///
  /// - Returns: nil if the content isn't a complete one.
  init?(_ content: Data) {
    let content = Data(content)
    guard content.starts(with: Self.magic), content.count >= 12, content.count <= Self.sizeLimit
    else { return nil }
    func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Int {
      var value = 0
      for index in (0..<MemoryLayout<Value>.size).reversed() {
        value = value << 8 | Int(content[offset + index])
      }
      return value
    }
    let count = number(8, UInt32.self)
    guard content.count >= 12 + count * 13 else { return nil }
    var places: [Square: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 12 + index * 13
      let start = number(entry + 5, UInt32.self)
      let end = start + number(entry + 9, UInt32.self)
      guard end <= content.count else { return nil }
      let square = Square(
        zoom: content[entry], x: UInt16(number(entry + 1, UInt16.self)),
        y: UInt16(number(entry + 3, UInt16.self)))
      places[square] = start..<end
    }
    (self.content, self.places) = (content, places)
  }

  /// The map in the program.
  static let world = MapTiles(Data(WebFiles.content("world.map")))

  /// Returns a square, which is empty where there is only sea.
  func square(zoom: Int, x: Int, y: Int) -> Data {
    guard let zoom = UInt8(exactly: zoom), let x = UInt16(exactly: x), let y = UInt16(exactly: y),
      let place = places[Square(zoom: zoom, x: x, y: y)]
    else { return Data() }
    return content.subdata(in: place)
  }

  /// A country's name at its place.
  struct Name: Hashable, Sendable {
    /// The zoom level from which it is shown.
    var zoom: Double
    var latitude: Double
    var longitude: Double
    var text: String
  }

  /// Returns the names of countries in a language.
  func countries(in language: Language) -> [Name] {
    let place = places[Square(zoom: Self.names, x: 0, y: 0)] ?? 0..<0
    return String(decoding: content[place], as: UTF8.self).split(separator: "\n").compactMap {
      line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 5, let zoom = Double(fields[0]), let longitude = Double(fields[1]),
        let latitude = Double(fields[2])
      else { return nil }
      return Name(
        zoom: zoom, latitude: latitude, longitude: longitude,
        text: String(fields[language == .english ? 3 : 4]))
    }
  }

  // MARK: The fine map

  private static let present = Mutex<(mark: String, map: MapTiles?)?>(nil)

  /// Returns the fine map that was downloaded to this computer, if any, and a text that changes
  /// with it.
  ///
  /// It is read once, and again if the file is replaced.
  static func detail(in folder: URL = PlaceNames.folder()) -> (map: MapTiles, mark: String)? {
    let file = folder.appendingPathComponent("detail.map")
    guard let found = try? FileManager.default.attributesOfItem(atPath: file.path),
      let size = found[.size] as? NSNumber, let written = found[.modificationDate] as? Date
    else { return nil }
    let mark = "\(size)-\(Int(written.timeIntervalSince1970 * 1_000))"
    return present.withLock { present in
      if present?.mark != file.path + mark {
        let map = (try? Data(contentsOf: file)).flatMap { MapTiles($0) }
        present = (file.path + mark, map)
      }
      return present?.map.map { ($0, mark) }
    }
  }
}
