import ArkivedCore
import Foundation

/// Reads one file of GeoJSON, feature by feature.
struct GeoJSONReader {
  /// The maximum size of a feature; a larger one can't be a person's track and would take too much
  /// memory.
  private static let featureLimit = 16 << 20
  private static let lineLimit = 16 << 20

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let isOfLines: Bool
  private var features: MapFeatures
  /// True if a list of features or a feature was found.
  private var isFound = false
  private var others = 0

  /// Creates a reader, which may continue the log of the file before.
  init(
    file: ImportFile, context: ImportContext, sink: any ImportSink,
    before: MapFeatures.OpenLog? = nil
  ) {
    self.init(file: file, context: context, sink: sink, isOfLines: false)
    if let before { features.goOn(from: before) }
  }

  /// The log so far; nil if there is none.
  var openLog: MapFeatures.OpenLog? { features.openLog }

  private init(
    file: ImportFile, context: ImportContext, sink: any ImportSink, isOfLines: Bool
  ) {
    (self.file, self.context, self.sink) = (file, context, sink)
    self.isOfLines = isOfLines
    features = MapFeatures(
      file: file, context: context, provider: GeoJSONImporter.provider, sink: sink,
      mark: isOfLines ? ":" : " byte ")
  }

  // MARK: Files

  mutating func readLines() throws {
    let before = openLog
    self = GeoJSONReader(file: file, context: context, sink: sink, isOfLines: true)
    if let before { features.goOn(from: before) }
    var bytes = try TextBytes(file.url)
    defer { bytes.close() }
    var number = 0
    var reached = 0
    var line: [UInt8] = []
    while true {
      line.removeAll(keepingCapacity: true)
      var isTooLong = false
      guard try bytes.readLine(into: &line, limit: Self.lineLimit, tooLong: &isTooLong) else {
        break
      }
      number += 1
      reached += line.count + 1
      if number.isMultiple(of: 256) { sink.reach(reached) }
      guard !isTooLong else {
        skip("skipped a line longer than 16 MiB", at: number)
        continue
      }
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let start = line.firstIndex(of: UInt8(ascii: "{")) else {
        skip("skipped a line without a JSON object", at: number)
        continue
      }
      try take(line[start...], at: number)
    }
  }

  mutating func readDocument() throws {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var reader = self
    defer { self = reader }
    do {
      // Values may follow each other on the same line.
      repeat {
        if try stream.kind() == .array {
          reader.isFound = true
          try reader.takeElements(&stream)
        } else {
          try reader.takeRoot(&stream)
        }
      } while try !stream.isAtEnd()
    } catch let error as JSONStreamError {
      let place = "\(file.name) byte \(error.offset)"
      guard reader.isFound else {
        throw ImportRefusal(place: place, message: "this isn’t GeoJSON: \(error.message)")
      }
      sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: "\(error.message); the file is damaged or cut off, and points may be missing"))
    }
  }

  private mutating func takeElements(_ stream: inout JSONStream) throws {
    var reader = self
    defer { self = reader }
    try stream.elements { stream in
      let offset = stream.offset
      if let bytes = try stream.bytes(), bytes.count <= Self.featureLimit {
        try reader.take(bytes[...], at: offset)
      } else {
        reader.skip("skipped a feature larger than 16 MiB", at: offset)
      }
      reader.sink.reach(stream.offset)
    }
  }

  /// Takes a document: a collection, an Overland message, or a single feature.
  private mutating func takeRoot(_ stream: inout JSONStream) throws {
    let start = stream.offset
    var members = JSONObject()
    var reader = self
    defer { self = reader }
    try stream.members { key, stream in
      let isList = try stream.kind() == .array
      if isList, key == "features" || key == "locations" {
        reader.isFound = true
        try reader.takeElements(&stream)
      } else if ["type", "geometry", "properties", "when", "coordinates", "geometries"]
        .contains(key)
      {
        if let bytes = try stream.bytes(), bytes.count <= Self.featureLimit,
          let value = try? JSON(parsing: bytes)
        {
          members[key] = value
        }
      } else {
        try stream.skip()
      }
    }
    switch members["type"]?.string {
    case "FeatureCollection"?, nil: break
    case _?:
      try reader.take(.object(members), at: start)
    }
  }

  private func skip(_ message: String, at place: Int) {
    sink.diagnose(Diagnostic(.skipped, place: features.spot(place), message: message))
  }

  // MARK: Features

  private mutating func take(_ bytes: ArraySlice<UInt8>, at place: Int) throws {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      return skip("skipped: not valid JSON: \(error)", at: place)
    }
    guard json.object != nil else {
      return skip("skipped: must be an object, not \(json.typeName)", at: place)
    }
    try take(json, at: place)
  }

  private mutating func take(_ json: JSON, at place: Int) throws {
    // Overland's format, or a collection on a separate line.
    if let list = (json["locations"] ?? json["features"])?.array {
      isFound = true
      for feature in list where feature.object != nil { try take(feature, at: place) }
      return
    }
    guard let type = json["type"]?.string else {
      others += 1
      return
    }
    isFound = true
    let isFeature = type == "Feature"
    let geometry = GeoJSONGeometry(isFeature ? json["geometry"] : json)
    let properties = json["properties"] ?? .null
    if isFeature, try takePosition(geometry, properties, at: place) { return }
    var reader = GeoJSONFeature(context: context, line: place)
    let (feature, track) = reader.read(geometry, properties, when: json["when"])
    for problem in reader.problems {
      features.tell(problem.written, problem.message, at: place)
    }
    if let track { return try features.take(track) }
    if properties["type"]?.string == "trip", feature.time?.end != nil {
      return try features.takeTrip(feature)
    }
    try features.take(feature)
  }

  /// Takes a log position in few steps, because there may be millions.
  ///
  /// - Returns: false if it isn't a log position.
  private mutating func takePosition(
    _ geometry: GeoJSONGeometry, _ properties: JSON, at place: Int
  ) throws -> Bool {
    guard let point = geometry.point, geometry.isPoint,
      let accuracy = properties["horizontal_accuracy"] ?? properties["accuracy"]
        ?? properties["battery_level"] ?? properties["motion"] ?? properties["time_long"],
      properties["name"] == nil, properties["start"] == nil,
      let time = GeoJSONFeature.moment(
        properties["timestamp"] ?? properties["time"] ?? properties["time_long"], context.zones)
    else { return false }
    var feature = MapFeature()
    feature.point = point
    feature.time = time
    feature.line = place
    feature.isLogged = true
    let metres =
      properties["horizontal_accuracy"] != nil || properties["accuracy"] != nil
      ? GoogleSegments.number(accuracy) ?? 0 : 0
    feature.accuracy = UInt16(min(max(metres, 0), 65_535))
    feature.mode = GeoJSONFeature.mode(properties)
    feature.device =
      (properties["device_id"] ?? properties["tracker_id"] ?? properties["tid"])?.string ?? ""
    feature.description = properties["description"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    try features.take(feature)
    return true
  }

  // MARK: Finishing

  /// Takes the places whose kind isn't decided yet.
  ///
  /// - Throws: `ImportRefusal` if no feature was found.
  mutating func settle() throws {
    guard isFound else {
      throw ImportRefusal(
        place: file.name, message: "this isn’t GeoJSON: no features found")
    }
    try features.settleRest()
  }

  /// - Parameter goesOn: true if the next file continues the log.
  /// - Throws: any error that the sink throws.
  mutating func finish(goesOn: Bool) throws {
    try features.finish(goesOn: goesOn)
    if others > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped \(others) objects that aren’t features"))
    }
  }
}
