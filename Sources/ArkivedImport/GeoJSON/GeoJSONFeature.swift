import ArkivedCore

/// The places of a geometry (RFC 7946, section 3.1).
struct GeoJSONGeometry {
  /// A position: its place, height and, in a fourth number that some programs add, time.
  struct Position {
    var place: GeoPoint?
    var height: Float?
    var time: Instant?
  }

  /// The first place that it marks, or the centre of an area.
  private(set) var point: GeoPoint?
  private(set) var isPoint = false
  private(set) var lines: [[Position]] = []
  /// The places of a `MultiPoint`, which are marks and not the corners of a line.
  private(set) var marks: [Position] = []
  /// The number of positions that aren't places on Earth.
  private(set) var bad = 0
  private(set) var firstBad = ""

  init(_ json: JSON?) {
    if let json { take(json, depth: 0) }
  }

  private mutating func take(_ json: JSON, depth: Int) {
    let coordinates = json["coordinates"]
    switch json["type"]?.string {
    case "Point":
      isPoint = lines.isEmpty
      point = point ?? coordinates.flatMap { position($0).place }
    case "MultiPoint":
      marks += (coordinates?.array ?? []).map { position($0) }
      point = point ?? marks.lazy.compactMap(\.place).first
    case "LineString": takeLine(coordinates)
    case "MultiLineString":
      for line in coordinates?.array ?? [] { takeLine(line) }
    case "Polygon": takeArea(coordinates)
    case "MultiPolygon": takeArea(coordinates?.array?.first)
    case "GeometryCollection":
      guard depth < 4 else { return }
      for part in json["geometries"]?.array ?? [] { take(part, depth: depth + 1) }
    default: break
    }
  }

  private mutating func takeLine(_ json: JSON?) {
    let line = (json?.array ?? []).map { position($0) }
    if !line.isEmpty { lines.append(line) }
  }

  private mutating func takeArea(_ json: JSON?) {
    let corners = (json?.array?.first?.array ?? []).compactMap { position($0).place }
    point = point ?? PointDays.middle(corners.map { TrackPoint($0, time: 0) }[...])
  }

  /// Reads a position, whose numbers some programs write in quotes.
  private mutating func position(_ json: JSON) -> Position {
    let numbers = json.array ?? []
    var position = Position()
    if numbers.count >= 2, let lon = GoogleSegments.number(numbers[0]),
      let lat = GoogleSegments.number(numbers[1])
    {
      position.place = GeoPoint(lat: lat, lon: lon)
    }
    if position.place == nil {
      if bad == 0 { firstBad = json.text() }
      bad += 1
    }
    if numbers.count >= 3, let height = GoogleSegments.number(numbers[2]) {
      position.height = Float(height)
    }
    if numbers.count >= 4, let time = GoogleSegments.number(numbers[3]) {
      position.time = FeatureTime.moment(time)
    }
    return position
  }
}

/// Reads a feature as a place, a path or a track.
struct GeoJSONFeature {
  let context: ImportContext
  /// The number of its line, or the offset of its byte.
  let line: Int
  /// Fields that can't be used, with the reason.
  private(set) var problems: [(written: FeatureTime.Written, message: String)] = []

  init(context: ImportContext, line: Int) { (self.context, self.line) = (context, line) }

  /// Returns the feature of a geometry and its properties, and its track if it has times; some
  /// programs store the time in `when`.
  mutating func read(
    _ geometry: GeoJSONGeometry, _ properties: JSON, when: JSON?
  ) -> (MapFeature, RecordedTrack?) {
    var feature = MapFeature()
    feature.line = line
    feature.point = geometry.point
    feature.lines = geometry.lines.map { $0.compactMap(\.place) }
    if geometry.bad > 0 {
      let message =
        "skipped \(geometry.bad) points without valid coordinates, such as "
        + "\(FieldError.shown(geometry.firstBad))"
      problems.append((FeatureTime.Written(field: "coordinates", text: ""), message))
    }
    let track = track(geometry, properties)
    var fields = FeatureFields()
    for (name, value) in properties.object?.members ?? [] {
      // The values of single points belong to the track.
      if track != nil, Self.pointFields.contains(name), value.string == nil { continue }
      add(name, value, to: &fields, depth: 0)
    }
    if let object = when?.object {
      for (name, value) in object.members { add(name, value, to: &fields, depth: 1) }
    } else if let when {
      add("when", when, to: &fields, depth: 1)
    }
    describe(&feature, &fields, isTrip: properties["type"]?.string == "trip")
    let others = geometry.marks.compactMap(\.place).filter { $0 != feature.point }
    if track == nil, let more = Self.words(about: others) {
      feature.notes = [feature.notes, more].compactMap { $0 }.joined(separator: "\n")
    }
    guard var track else { return (feature, nil) }
    track.line = line
    track.name = feature.name
    track.details = feature.description
    track.remark = feature.notes
    track.mode = feature.mode
    return (feature, track)
  }

  /// Returns a line about the further places of a feature with several; nil if there are none.
  private static func words(about places: [GeoPoint]) -> String? {
    guard !places.isEmpty else { return nil }
    let shown = places.prefix(20).map(\.text).joined(separator: "; ")
    return "More places: \(shown)" + (places.count > 20 ? " and \(places.count - 20) more" : "")
  }

  private mutating func describe(
    _ feature: inout MapFeature, _ fields: inout FeatureFields, isTrip: Bool
  ) {
    let isSaved = fields.has("googlemapsurl")
    let isReview =
      isSaved && (fields.has("reviewtextpublished") || fields.has("fivestarratingpublished"))
    feature.mode = fields.takeMode()
    var bad: [(FeatureTime.Written, String)] = []
    feature.time = fields.takeTime(home: context.zones) { bad.append(($0, $1)) }
    if feature.time == nil, isSaved {
      feature.time = fields.take(["published"]).flatMap {
        FeatureTime(from: $0, to: nil, home: context.zones) { bad.append(($0, $1)) }
      }
    }
    problems += bad.map { (written: $0.0, message: $0.1) }
    feature.hasBadTime = feature.time == nil && !bad.isEmpty
    feature.name = fields.take(FeatureFields.names)?.text
    feature.description = fields.take(FeatureFields.descriptions).map { PlainHTML.text($0.text) }
    feature.address = fields.take(["address", "locationaddress"])?.text
    feature.isLogged = fields.areLogged
    if isTrip {
      feature.metres = fields.takeNumber(["distance"])
      feature.minutes = fields.takeNumber(["duration"]).map { ($0 / 6).rounded() / 10 }
      if let steps = fields.takeNumber(["steps"]), steps > 0 {
        feature.measurements["steps"] = steps
      }
      return
    }
    if isSaved, let name = feature.name {
      feature.text = isReview ? "Reviewed \(name)" : "Saved the place \(name)"
    }
    feature.notes = fields.rest(besides: feature.description)
  }

  /// Adds the members of an object one by one; for a list, adds those that are words or numbers.
  private func add(
    _ name: String, _ value: JSON, to fields: inout FeatureFields, depth: Int
  ) {
    switch value {
    case .null: break
    case .string(let text): fields.add(name, text)
    case .array(let list):
      let words = list.prefix(20).compactMap { $0.string }
      if !words.isEmpty, words.count == list.count {
        fields.add(name, words.joined(separator: ", "))
      }
    case .object(let object):
      guard depth == 0 else { return }
      for (inner, value) in object.members { add("\(name) \(inner)", value, to: &fields, depth: 1) }
    default: fields.add(name, value.text())
    }
  }

  // MARK: Tracks

  private static let timeLists = ["coordTimes", "times", "timestamps", "coord_times", "time"]
  private static let heartLists = ["heartRates", "heart_rates", "heart", "heartRate"]
  private static let pointFields = Set(timeLists + heartLists + ["coordinateProperties"])

  /// Returns the lines as a track if each of their points has a time.
  private mutating func track(_ geometry: GeoJSONGeometry, _ properties: JSON) -> RecordedTrack? {
    guard !geometry.lines.isEmpty || geometry.marks.count > 1 else { return nil }
    let parts = geometry.lines.isEmpty ? [geometry.marks] : geometry.lines
    let nested = properties["coordinateProperties"]
    func list(_ names: [String]) -> [JSON]? {
      names.lazy.compactMap { (properties[$0] ?? nested?[$0])?.array }.first
    }
    let times = list(Self.timeLists)
    let hasOwnTimes = parts.joined().contains { $0.time != nil }
    guard times != nil || hasOwnTimes else { return nil }
    var track = RecordedTrack()
    var position = 0
    var badTimes = 0
    var firstBad = ""
    for (number, line) in parts.enumerated() {
      track.beginSegment()
      let own = times?.indices.contains(number) == true ? times?[number].array : nil
      for (index, point) in line.enumerated() {
        let written =
          own.map { $0.indices.contains(index) ? $0[index] : .null }
          ?? times.flatMap { $0.indices.contains(position) ? $0[position] : nil }
        position += 1
        guard let place = point.place, track.points.count < TrackEntries.pointLimit else {
          continue
        }
        let time = written.flatMap { Self.moment($0, context.zones) }
        if time == nil, let written, written != .null {
          if badTimes == 0 { firstBad = written.string ?? written.text() }
          badTimes += 1
        }
        track.points.append(
          RecordedTrack.Point(
            place: place, time: (time?.start.instant ?? point.time)?.milliseconds,
            height: point.height, segment: track.segment,
            offset: time?.offset.map { Int16($0 / 60) }))
      }
    }
    if badTimes > 0 {
      let message =
        "skipped \(badTimes) invalid times, such as \(FieldError.shown(firstBad))"
      problems.append((FeatureTime.Written(field: "coordTimes", text: ""), message))
    }
    guard track.points.contains(where: { $0.time != nil }) else { return nil }
    var rates = HeartRates()
    for rate in (list(Self.heartLists) ?? []).flatMap({ $0.array ?? [$0] }) {
      if let rate = rate.double { rates.add(rate) }
    }
    track.measurements = rates.measurements
    return track
  }

  // MARK: Values

  /// Returns the time given by a text or number; nil if it gives only a day.
  static func moment(_ json: JSON?, _ zones: HomeZones) -> FeatureTime? {
    switch json {
    case .string(let text)?:
      return FeatureTime(text, home: zones).flatMap { $0.isWholeDay ? nil : $0 }
    case .integer?, .number?: return FeatureTime(json?.text() ?? "", home: zones)
    default: return nil
    }
  }

  /// Returns the mode of travel, from the lists and words that logs use.
  static func mode(_ properties: JSON) -> TravelMode? {
    for name in ["motion", "activity", "mode", "motionactivities"] {
      switch properties[name] {
      case .string(let text)?: if let mode = TravelMode(text) { return mode }
      case .array(let list)?:
        if let mode = list.lazy.compactMap(\.string).compactMap({ TravelMode($0) }).first {
          return mode
        }
      default: break
      }
    }
    return nil
  }
}
