import ArkivedCore
import Foundation

/// Reads one KML file, element by element.
final class KMLReader: XMLTextEvents {
  /// The elements that are read; all others are `other`.
  private enum Element: String {
    case kml, Document, Folder, Placemark, name, description, address, phoneNumber
    case TimeStamp, TimeSpan, when, begin, end
    case Point, LineString, LinearRing, Polygon, outerBoundaryIs, innerBoundaryIs, MultiGeometry
    case coordinates, Track, MultiTrack, coord
    case ExtendedData, Data, value, SchemaData, SimpleData, SimpleArrayData, NetworkLink, other
  }

  /// A longer text is cut.
  private static let textLimit = 64 << 10
  /// The maximum number of times in a track before its first place.
  private static let waitingLimit = 2_000_000
  /// The time of a track point whose place has not been read yet.
  private struct Time {
    var milliseconds: Int64?
    var offset: Int?
    var isBad = false
  }

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var stream: XMLStream?
  private var features: MapFeatures
  private var stack: [Element] = []
  private var words: [UInt8] = []
  private var loss: Diagnostic?
  private var isKML = false
  private var links = 0

  // The current feature.
  private var placemark: MapFeature?
  private var stamp: FeatureTime.Written?
  private var begin: FeatureTime.Written?
  private var finish: FeatureTime.Written?
  private var fields = FeatureFields()
  private var fieldName = ""
  private var coordinates = KMLCoordinates()

  // The current track.
  private var track = RecordedTrack()
  private var hasTrack = false
  private var times: [Time] = []
  private var nextTime = 0
  private var lostTimes = 0
  private var span: ClosedRange<Int64>?
  private var isHistory = false
  /// The array of sensor values being read, and the sum and number of its valid values.
  private var sensor = ""
  private var heart = (sum: 0.0, count: 0, most: 0.0)

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    features = MapFeatures(
      file: file, context: context, provider: KMLImporter.provider, sink: sink)
  }

  /// - Throws: `ImportRefusal` if it isn't KML, and errors from the sink.
  func read() throws {
    let stream = XMLStream(self, root: "kml")
    self.stream = stream
    defer { self.stream = nil }
    let end = try XMLDocument.read(file, by: stream, into: sink) { loss != nil }
    loss = loss ?? end
    guard isKML else {
      throw ImportRefusal(
        place: loss?.place ?? file.name,
        message: "this isn’t KML: " + (loss?.message ?? "the kml element is missing"))
    }
    if let loss {
      // The unfinished feature is kept as far as it was read.
      if hasTrack { try endPlacemark() }
      sink.diagnose(
        Diagnostic(
          .skipped, place: loss.place,
          message: "\(loss.message); the file is damaged or cut off, and was read up to here. "
            + "Export it again"))
    }
    try features.finish()
    tellRest()
  }

  private func tellRest() {
    if lostTimes > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message:
            "skipped times in a track because more than two million come before its first place: "
            + "\(lostTimes)"))
    }
    if links > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "\(links) links to other maps weren’t followed. Export those maps separately"))
    }
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    let element = Element(rawValue: XMLDocument.local(name)) ?? .other
    let parent = stack.last
    stack.append(element)
    words.removeAll(keepingCapacity: true)
    let line = stream?.line ?? 0
    switch element {
    case .kml: isKML = true
    // A feature that a tour changes is defined elsewhere.
    case .Placemark: if attributes["targetId"] == nil { beginPlacemark(line) }
    case .coordinates: coordinates = KMLCoordinates()
    case .Track where placemark != nil:
      hasTrack = true
      track.line = track.line == 0 ? line : track.line
      track.beginSegment()
      times.removeAll(keepingCapacity: true)
      nextTime = 0
    case .Data, .SimpleData: fieldName = attributes["name"] ?? ""
    case .SimpleArrayData: sensor = FeatureFields.key(attributes["name"] ?? "")
    case .NetworkLink where parent != .NetworkLink: links += 1
    default: break
    }
  }

  private func beginPlacemark(_ line: Int) {
    var feature = MapFeature()
    feature.line = line
    placemark = feature
    (stamp, begin, finish) = (nil, nil, nil)
    fields = FeatureFields()
    track = RecordedTrack()
    (hasTrack, isHistory, span) = (false, false, nil)
    heart = (0, 0, 0)
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    guard let element = stack.popLast() else { return }
    let parent = stack.last ?? .other
    switch element {
    case .Placemark:
      try endPlacemark()
    case .coordinates:
      coordinates.end()
      takeCoordinates(in: parent)
    case .Track: endTrack()
    case .when, .coord: try takeTrackPart(element, parent)
    case .name, .description, .address, .phoneNumber, .begin, .end, .value, .SimpleData:
      take(element, parent)
    default: break
    }
    words.removeAll(keepingCapacity: true)
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) {
    switch stack.last {
    case .coordinates: coordinates.take(part)
    case .name, .description, .address, .phoneNumber, .when, .begin, .end, .value, .SimpleData,
      .coord:
      if words.count + part.count <= Self.textLimit { words.append(contentsOf: part) }
    default: break
    }
  }

  func lost(line: Int, byte: Int, reason: String) {
    loss = loss ?? Diagnostic(.skipped, place: "\(file.name):\(line)", message: reason)
  }

  private var spoken: String {
    String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: Features

  private func take(_ element: Element, _ parent: Element) {
    guard placemark != nil else { return }
    let text = spoken
    switch (parent, element) {
    case (.SimpleArrayData, .value): takeSensor(text)
    case _ where text.isEmpty: break
    case (.Placemark, .name): placemark?.name = text
    case (.Placemark, .description): placemark?.description = PlainHTML.text(text)
    case (.Placemark, .address): placemark?.address = text
    case (.Placemark, .phoneNumber): fields.add("Phone", text)
    // The times of a view only determine when the map is shown.
    case (.TimeSpan, .begin) where isOwnTime:
      begin = FeatureTime.Written(field: "begin", text: text)
    case (.TimeSpan, .end) where isOwnTime:
      finish = FeatureTime.Written(field: "end", text: text)
    case (.Data, .value): fields.add(fieldName, PlainHTML.text(text))
    case (.SchemaData, .SimpleData), (.ExtendedData, .SimpleData):
      fields.add(fieldName, PlainHTML.text(text))
    default: break
    }
  }

  /// True if the time that ends now belongs to the feature itself.
  private var isOwnTime: Bool { stack.dropLast().last == .Placemark }

  private func takeCoordinates(in parent: Element) {
    guard placemark != nil else { return }
    let points = coordinates.points
    if coordinates.bad > 0, let placemark {
      features.tell(
        FeatureTime.Written(field: "coordinates", text: ""),
        "skipped \(coordinates.bad) points without valid coordinates, such as "
          + "\(FieldError.shown(coordinates.firstBad))", at: placemark.line)
    }
    if coordinates.excess > 0, let placemark {
      features.tell(
        FeatureTime.Written(field: "coordinates", text: ""),
        "skipped \(coordinates.excess) points over the limit of one million per track",
        at: placemark.line)
    }
    coordinates = KMLCoordinates()
    switch parent {
    case .Point: if placemark?.point == nil { placemark?.point = points.first }
    case .LineString, .LinearRing:
      if stack.contains(.Polygon) {
        // An area becomes a place at its centre.
        guard !stack.contains(.innerBoundaryIs), placemark?.point == nil else { return }
        let corners = points.map { TrackPoint($0, time: 0) }
        placemark?.point = PointDays.middle(corners[...])
      } else if !points.isEmpty {
        placemark?.lines.append(points)
      }
    default: break
    }
  }

  private func endPlacemark() throws {
    guard var feature = placemark else { return }
    placemark = nil
    feature.mode = fields.takeMode()
    if let mode = feature.mode, let name = feature.name, TravelMode(name) == mode {
      feature.name = nil
    }
    if hasTrack { return try endTrackFeature(feature) }
    var hasBadTime = false
    let line = feature.line
    func bad(_ written: FeatureTime.Written, _ message: String) {
      hasBadTime = true
      features.tell(written, message, at: line)
    }
    if begin != nil || finish != nil {
      feature.time = FeatureTime(from: begin, to: finish, home: context.zones, bad: bad)
    }
    if feature.time == nil, let stamp {
      feature.time = FeatureTime(from: stamp, to: nil, home: context.zones, bad: bad)
    }
    // Google's Timeline gives the distance in addition to a line of a few points.
    if !feature.lines.isEmpty, begin != nil { feature.metres = fields.takeNumber(["distance"]) }
    if feature.time == nil, !hasBadTime {
      feature.time = fields.takeTime(home: context.zones, bad: bad)
    }
    feature.hasBadTime = hasBadTime && feature.time == nil
    feature.address = feature.address ?? fields.take(["address"])?.text
    feature.isLogged = fields.areLogged
    feature.notes = fields.rest(besides: feature.description)
    try features.take(feature)
  }

  // MARK: Tracks

  private func takeTrackPart(_ element: Element, _ parent: Element) throws {
    switch (parent, element) {
    case (.TimeStamp, .when):
      if isOwnTime { stamp = FeatureTime.Written(field: "when", text: spoken) }
    case (.Track, .when):
      let text = spoken
      guard times.count - nextTime < Self.waitingLimit else {
        lostTimes += 1
        return
      }
      if nextTime > 4_096, nextTime == times.count {
        times.removeAll(keepingCapacity: true)
        nextTime = 0
      }
      let time = FeatureTime(text, home: context.zones).flatMap { $0.isWholeDay ? nil : $0 }
      times.append(
        Time(
          milliseconds: time?.start.instant.milliseconds, offset: time?.offset,
          isBad: time == nil && !text.isEmpty))
    case (.Track, .coord): try takeCoord(spoken)
    default: break
    }
  }

  /// Takes the place that belongs to the next time; an empty place means that there was no fix at
  /// that time.
  private func takeCoord(_ text: String) throws {
    guard placemark != nil else { return }
    let time = nextTime < times.count ? times[nextTime] : Time()
    nextTime += 1
    guard !text.isEmpty else { return }
    let parts = text.split { $0.isWhitespace || $0 == "," }
    var point = RecordedPoint()
    point.line = stream?.line ?? 0
    if parts.count >= 2, let lon = Double(parts[0]), let lat = Double(parts[1]) {
      point.place = GeoPoint(lat: lat, lon: lon)
    }
    if parts.count >= 3 { point.height = Float(parts[2]).flatMap { $0.isFinite ? $0 : nil } }
    point.time = time.milliseconds.map { Instant(milliseconds: $0) }
    point.offset = time.offset
    point.hasBadTime = time.isBad
    if isHistory, let place = point.place {
      if let moment = time.milliseconds {
        try features.takePosition(TrackPoint(place, time: moment))
      }
      return
    }
    features.tracks.add(point, to: &track)
    guard let moment = time.milliseconds else { return }
    let known = span ?? moment...moment
    let wider = min(known.lowerBound, moment)...max(known.upperBound, moment)
    span = wider
    if wider.upperBound - wider.lowerBound > MapFeatures.trackSpan { try beginHistory() }
  }

  /// Converts the track so far to positions of a history, which takes only the memory of a few
  /// days.
  private func beginHistory() throws {
    isHistory = true
    features.histories += 1
    for point in track.points {
      if let time = point.time { try features.takePosition(TrackPoint(point.place, time: time)) }
    }
    track.points = []
  }

  private func endTrack() {
    let left = times.count - nextTime
    if left > 0, placemark != nil {
      features.tell(
        FeatureTime.Written(field: "when", text: ""),
        "skipped times without a place in this track: \(left)", at: track.line)
    }
    times.removeAll(keepingCapacity: true)
    nextTime = 0
  }

  private func takeSensor(_ text: String) {
    guard sensor == "heartrate" || sensor == "hr", let value = Double(text),
      (20...300).contains(value)
    else { return }
    heart = (heart.sum + value, heart.count + 1, max(heart.most, value))
  }

  private func endTrackFeature(_ feature: MapFeature) throws {
    defer { track = RecordedTrack() }
    guard !isHistory else { return }
    track.name = feature.name
    track.details = feature.description
    track.remark = feature.description == nil ? fields.rest(besides: nil) : nil
    track.mode = feature.mode
    if heart.count > 0 {
      track.measurements["bpm"] = (heart.sum / Double(heart.count)).rounded()
      track.measurements["max bpm"] = heart.most.rounded()
    }
    guard !track.points.isEmpty else { return }
    try features.tracks.take(track)
  }
}
