package import ArkivedCore
import Foundation

/// The plane of a map: Web Mercator, as a square with coordinates from 0 to 1, from west to east
/// and from north to south.
package enum MapPlane {
  /// The latitude at which the square ends.
  package static let latitudeLimit = 85.0511287798066
  /// The zoom levels; a world at level z is 256 · 2^z points wide.
  package static let zooms = 0...18

  package static func x(_ longitude: Double) -> Double { longitude / 360 + 0.5 }

  package static func y(_ latitude: Double) -> Double {
    let sine = sin(min(max(latitude, -latitudeLimit), latitudeLimit) * .pi / 180)
    return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
  }

  package static func longitude(_ x: Double) -> Double { (x - 0.5) * 360 }

  package static func latitude(_ y: Double) -> Double {
    atan(sinh((0.5 - y) * 2 * .pi)) * 180 / .pi
  }

  /// Returns the number of points that a world is wide.
  package static func side(zoom: Int) -> Double { 256 * Double(1 << zoom) }
}

/// A part of a map between two meridians and two parallels.
package struct MapBox: Hashable, Sendable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  /// Creates a box; if it crosses 180°, its western edge is east of its eastern one.
  package init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  package static let world = MapBox(west: -180, south: -90, east: 180, north: 90)

  /// Reads the arguments `west`, `south`, `east` and `north`, all or none of which are given.
  ///
  /// - Returns: the whole world if none is given.
  /// - Throws: `FieldError` that names the argument.
  package init(_ argument: (String) -> String?) throws(FieldError) {
    let names = ["west", "south", "east", "north"]
    let given = names.map(argument)
    guard given.contains(where: { $0 != nil }) else {
      self = .world
      return
    }
    var values: [Double] = []
    for (name, text) in zip(names, given) {
      guard let text else {
        throw FieldError(name, "is missing; an area needs west, south, east and north")
      }
      let limit = name == "west" || name == "east" ? 180.0 : 90
      guard let value = Double(text), value.isFinite, abs(value) <= limit else {
        throw FieldError(
          name,
          "is \(FieldError.shown(text)), but must be degrees from -\(Int(limit)) to \(Int(limit))")
      }
      values.append(value)
    }
    guard values[1] <= values[3] else {
      throw FieldError("south", "is north of north")
    }
    self.init(west: values[0], south: values[1], east: values[2], north: values[3])
  }

  package func contains(latitude: Double, longitude: Double) -> Bool {
    guard latitude >= south, latitude <= north else { return false }
    return west <= east
      ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  }

  /// The box as JSON.
  package var json: JSON {
    [
      "west": JSON(west), "south": JSON(south), "east": JSON(east), "north": JSON(north),
    ]
  }
}
