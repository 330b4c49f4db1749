import ArkivedCore
import Foundation

/// Reads a single GPX file, element by element.
final class GPXReader: XMLTextEvents {
  /// The recognised elements; all others, with their contents, are `other`.
  private enum Element: String {
    case gpx, trk, trkseg, trkpt, rte, rtept, wpt, name, desc, cmt, type, time, ele, hr, other
  }

  /// The names of the heart rate in extensions: Garmin's and Strava's `hr`, and other programs'.
  private static let rates: Set<String> = ["hr", "heartrate", "heartRate", "heart_rate"]

  /// The size limit of a text in bytes; a longer one is truncated.
  private static let textLimit = 64 << 10

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var stream: XMLStream?
  private var tracks: TrackEntries
  private var stack: [Element] = []
  private var words: [UInt8] = []
  private var track = RecordedTrack()
  private var point = RecordedPoint()
  /// The fields of a waypoint.
  private var fields: [Element: String] = [:]
  private var loss: Diagnostic?
  private var isGPX = false
  /// True if Arkived wrote the file.
  ///
  /// Its routes are lines through its waypoints, and its tracks are the entries' routes without
  /// times; neither is a separate journey.
  private var isOwn = false
  /// The tracks so far, if the file is the recording of one activity.
  private var recording: RecordedTrack?

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    tracks = TrackEntries(
      file: file, context: context, provider: GPXImporter.provider, sink: sink)
  }

  /// Reads the file.
  ///
  /// - Throws: `ImportRefusal` if it isn't GPX, and any error that the sink throws.
  func read() throws {
    let stream = XMLStream(self, root: "gpx")
    self.stream = stream
    defer { self.stream = nil }
    let end = try XMLDocument.read(file, by: stream, into: sink) { loss != nil }
    loss = loss ?? end
    guard isGPX else {
      throw ImportRefusal(
        place: loss?.place ?? file.name,
        message: "not valid GPX: " + (loss?.message ?? "the gpx element is missing"))
    }
    if let loss {
      // The unfinished track is kept as far as it was read.
      if !track.points.isEmpty { try takeTrack() }
      sink.diagnose(
        Diagnostic(
          .skipped, place: loss.place,
          message: "\(loss.message). The file is damaged or cut off and was read up to here. "
            + "Export it again"))
    }
    if recording == nil { tracks.finish() } else { tracks.tellLosses() }
  }

  /// Reads all tracks of the file as the recording of one activity, which isn't split at midnight.
  ///
  /// - Returns: the points; none if the file contains no tracks.
  /// - Throws: `ImportRefusal` if it isn't GPX.
  func readRecording() throws -> RecordedTrack {
    recording = RecordedTrack()
    try read()
    return recording ?? RecordedTrack()
  }

  private func takeTrack() throws {
    if recording == nil { return try tracks.take(track) }
    if !track.isRoute { recording?.append(track) }
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    let element = element(name)
    stack.append(element)
    words.removeAll(keepingCapacity: true)
    switch element {
    case .gpx:
      isGPX = true
      isOwn = attributes["creator"] == "Arkived"
    case .trk, .rte:
      track = RecordedTrack()
      track.isRoute = element == .rte
      track.line = stream?.line ?? 0
    case .trkseg: track.beginSegment()
    case .trkpt, .rtept, .wpt:
      point = RecordedPoint()
      point.line = stream?.line ?? 0
      point.place = place(attributes)
      fields = [:]
    default: break
    }
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    guard let element = stack.popLast() else { return }
    let parent = stack.last ?? .other
    switch element {
    case .trkpt, .rtept: tracks.add(point, to: &track)
    case .wpt:
      try tracks.takeWaypoint(
        point, name: fields[.name], details: fields[.desc] ?? fields[.cmt])
    case .trk, .rte:
      if !isOwn { try takeTrack() }
      track = RecordedTrack()
    case .name, .desc, .cmt, .type, .time, .ele, .hr: take(element, in: parent)
    case .gpx, .trkseg, .other: break
    }
    words.removeAll(keepingCapacity: true)
  }

  private func take(_ element: Element, in parent: Element) {
    let text = String(decoding: words, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return }
    switch (parent, element) {
    case (.trkpt, .time), (.rtept, .time), (.wpt, .time):
      point.time = PlaceTime(text, home: context.zones)?.instant
      let offset = ISODateTime(text)?.offsetSeconds ?? 0
      point.offset = offset == 0 || abs(offset) > 14 * 3_600 ? nil : offset
      point.hasBadTime = point.time == nil
    case (.trkpt, .ele), (.rtept, .ele):
      point.height = Float(text).flatMap { $0.isFinite ? $0 : nil }
    case (_, .hr): point.heart = HeartRates.stored(text)
    case (.wpt, _): fields[element] = text
    case (.trk, .name), (.rte, .name): track.name = text
    case (.trk, .desc), (.rte, .desc): track.details = text
    case (.trk, .cmt), (.rte, .cmt): track.remark = text
    case (.trk, .type), (.rte, .type): track.type = text
    default: break
    }
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) {
    switch stack.last {
    case .name, .desc, .cmt, .type, .time, .ele, .hr:
      if words.count + part.count <= Self.textLimit { words.append(contentsOf: part) }
    default: break
    }
  }

  func lost(line: Int, byte: Int, reason: String) {
    loss = loss ?? Diagnostic(.skipped, place: "\(file.name):\(line)", message: reason)
  }

  /// Returns the element with a name, ignoring its namespace prefix.
  private func element(_ name: UnsafePointer<CChar>) -> Element {
    let local = XMLDocument.local(name)
    let element = Element(rawValue: local) ?? .other
    if element == .other || element == .hr {
      return stack.contains(.trkpt) && Self.rates.contains(local) ? .hr : .other
    }
    // The name of a link or an extension isn't the track's.
    return stack.last == .other && element != .trk && element != .rte && element != .wpt
      ? .other : element
  }

  private func place(_ attributes: XMLAttributes) -> GeoPoint? {
    guard let latitude = attributes["lat"].flatMap(Double.init),
      let longitude = attributes["lon"].flatMap(Double.init)
    else { return nil }
    return GeoPoint(lat: latitude, lon: longitude)
  }
}
