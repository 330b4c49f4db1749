import ArkivedCore
import Foundation

/// The named values that a map file stores with a place or path: the properties of GeoJSON, the
/// extended data of KML.
struct FeatureFields {
  private struct Field {
    var name: String
    /// The name's letters and digits, in lower case.
    var key: String
    var text: String
  }

  /// The maximum number of values; a person's feature doesn't have more.
  private static let limit = 100
  /// A longer value is cut.
  private static let textLimit = 16 << 10

  static let begins = [
    "start", "begin", "starttime", "begintime", "startedat", "startdate", "timestart", "arrival",
    "arrivaltime", "arrivedat", "arrived",
  ]
  static let ends = [
    "end", "finish", "endtime", "endedat", "enddate", "timeend", "stop", "stoptime", "departure",
    "departuretime", "departedat", "departed",
  ]
  static let moments = [
    "time", "timestamp", "datetime", "when", "recordedat", "visitedat", "datevisited", "visited",
    "tst", "timelong", "timestampms", "date", "datum", "visitdate",
  ]
  static let names = ["name", "title", "label", "placename", "locationname", "businessname"]
  static let descriptions = ["description", "desc", "details"]
  static let modes = [
    "activity", "activitytype", "mode", "motion", "sport", "type", "category", "movement",
  ]
  static let accuracies = ["horizontalaccuracy", "accuracy", "acc", "hacc"]
  static let devices = ["deviceid", "tid", "trackerid", "device"]
  /// Values that occur only in position logs.
  private static let logged: Set<String> = [
    "horizontalaccuracy", "accuracy", "acc", "hacc", "speed", "velocity", "vel", "bearing",
    "batterylevel", "battery", "motion", "satellites", "verticalaccuracy",
  ]
  /// Values that describe how it is drawn, which aren't stored.
  private static let styles: Set<String> = [
    "markercolor", "markersize", "markersymbol", "stroke", "strokewidth", "strokeopacity", "fill",
    "fillopacity", "color", "icon", "iconcolor", "iconscale", "iconopacity", "styleurl",
    "stylehash", "stylemaphash", "visibility", "tessellate", "extrude", "altitudemode",
    "draworder", "labelscale", "labelcolor", "linecolor", "linewidth", "iconoffset",
    "iconoffsetunits", "iconsize", "gpxtype", "ogrid",
  ]

  private var fields: [Field] = []

  var isEmpty: Bool { fields.isEmpty }

  /// Returns true if the values are those of a position log.
  var areLogged: Bool { fields.contains { Self.logged.contains($0.key) } }

  static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  mutating func add(_ name: String, _ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let key = Self.key(name)
    guard !text.isEmpty, !key.isEmpty, fields.count < Self.limit, !Self.styles.contains(key) else {
      return
    }
    fields.append(
      Field(name: String(name.prefix(100)), key: key, text: String(text.prefix(Self.textLimit))))
  }

  func has(_ key: String) -> Bool { fields.contains { $0.key == key } }

  /// Removes and returns the value of the first of the given names that exists.
  mutating func take(_ keys: [String]) -> FeatureTime.Written? {
    for key in keys {
      guard let index = fields.firstIndex(where: { $0.key == key }) else { continue }
      let field = fields.remove(at: index)
      return FeatureTime.Written(field: field.name, text: field.text)
    }
    return nil
  }

  /// Removes and returns an amount; negative amounts and amounts larger than any possible
  /// measurement are left in place.
  mutating func takeNumber(_ keys: [String]) -> Double? {
    for key in keys {
      guard let index = fields.firstIndex(where: { $0.key == key }),
        let number = Double(fields[index].text), (0...1e9).contains(number)
      else { continue }
      fields.remove(at: index)
      return number
    }
    return nil
  }

  /// Removes and returns the mode of travel that one of the values contains.
  mutating func takeMode() -> TravelMode? {
    for key in Self.modes {
      guard let index = fields.firstIndex(where: { $0.key == key }) else { continue }
      if let mode = TravelMode(fields[index].text) {
        fields.remove(at: index)
        return mode
      }
    }
    return nil
  }

  /// Removes and returns its time.
  ///
  /// - Parameters:
  ///   - home: the home time zones.
  ///   - bad: takes what can't be read as a time.
  /// - Returns: the time; nil if there is none.
  mutating func takeTime(
    home: HomeZones, bad: (FeatureTime.Written, String) -> Void
  ) -> FeatureTime? {
    let begin = take(Self.begins)
    let end = take(Self.ends)
    if begin != nil || end != nil {
      if let time = FeatureTime(from: begin, to: end, home: home, bad: bad) { return time }
    }
    var first: FeatureTime.Written?
    while let moment = take(Self.moments) {
      if let time = FeatureTime(from: moment, to: nil, home: home, bad: { _, _ in }) {
        return time
      }
      first = first ?? moment
    }
    // A type of day or a name of an hour isn't a time; the content of the only field should be one.
    if let first { _ = FeatureTime(from: first, to: nil, home: home, bad: bad) }
    return nil
  }

  /// Returns the remaining values, one per line, except those that a text already contains.
  func rest(besides text: String?) -> String? {
    let lines = fields.filter { field in text.map { !$0.contains(field.text) } ?? true }
      .map { "\($0.name): \($0.text)" }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
