import ArkivedCore
import Foundation

/// Imports the points of OwnTracks: the recorder's files (`2024-03.rec`: a time, a type and a JSON
/// object per line, separated by tabs or spaces), its JSON (`ocat --format json`: an object with `data`, or a
/// list), and one JSON object per line, as the apps send them over HTTP.
///
/// Source of the format: owntracks.org/booklet/tech/json and the recorder's own documentation.
package struct OwnTracksImporter: Importer {
  package let format = "owntracks"
  package let keepsPlaces = true
  package let keepsZones = true
  static let provider = "owntracks"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    guard text.contains("\"_type\"") else { return false }
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[": return text.contains("\"tst\"") || text.contains("\"encrypted\"")
    default:
      // The recorder writes tabs; copies of its files may have spaces instead.
      let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
      let parts = line.prefix { $0 != "{" }.split { $0 == "\t" || $0 == " " }
      return (1...3).contains(parts.count) && Instant(String(parts[0])) != nil && line.contains("{")
    }
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    // The first file of a run imports all of them, because a way may go on in the next.
    guard context.notes.isFirst("\(format) logs") else { return }
    let streams = PointStreams(context.files.isEmpty ? [file] : context.files)
    var before: OwnTracksReader?
    var refusals: [ImportRefusal] = []
    for (index, part) in streams.parts.enumerated() {
      var reader =
        before ?? OwnTracksReader(file: part.file, context: context, sink: sink)
      before = nil
      reader.goOn(with: part.file)
      var isRefused = false
      do {
        if try Self.isDocument(part.file) {
          try reader.readDocument()
        } else {
          try reader.readLines()
        }
        try reader.finishFile()
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
        isRefused = true
      }
      if streams.goesOn(after: index, latest: reader.latest) {
        before = reader
      } else if !isRefused || reader.latest != nil {
        try reader.finish()
      }
    }
    try PointStreams.report(refusals, of: streams.parts.count, into: sink)
  }

  /// Returns true if the whole file is one JSON value, because its first line alone isn't an object
  /// with a type.
  private static func isDocument(_ file: ImportFile) throws -> Bool {
    let text = HeadText.of(try ZipMembers.head(of: file))
    switch text.first(where: { !$0.isWhitespace }) {
    case "[": return true
    case "{":
      let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
      // A line truncated by the head is one of several lines if its type comes first.
      guard let json = try? JSON(parsing: String(line)) else {
        return !line.hasPrefix("{\"_type\"")
      }
      return json["_type"] == nil
    default: return false
    }
  }
}

/// Reads a file, or several that continue each other.
struct OwnTracksReader {
  private var file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var days: PointDays
  private var names: [String: UInt16] = [:]
  private var devices: [String: UInt8] = [:]
  private var encrypted = 0
  private var messages = 0
  private var placeless = 0

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    days = PointDays(
      file, context: context, provider: OwnTracksImporter.provider, into: sink)
  }

  /// The latest time so far, in milliseconds since 1970.
  var latest: Int64? { days.latest }

  // MARK: Files

  /// Continues with the next file of a stream.
  mutating func goOn(with file: ImportFile) {
    (self.file, days.file) = (file, file)
    (encrypted, messages, placeless) = (0, 0, 0)
  }

  mutating func readLines() throws {
    var bytes = try TextBytes(file.url)
    defer { bytes.close() }
    var number = 0
    var reached = 0
    var line: [UInt8] = []
    while true {
      line.removeAll(keepingCapacity: true)
      var isTooLong = false
      guard try bytes.readLine(into: &line, limit: 1 << 20, tooLong: &isTooLong) else { return }
      number += 1
      reached += line.count + 1
      if number.isMultiple(of: 1_024) { sink.reach(reached) }
      let place = "\(file.name):\(number)"
      guard !isTooLong else {
        skip(place, "the line is longer than 1 MiB")
        continue
      }
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let start = line.firstIndex(of: UInt8(ascii: "{")) else {
        skip(place, "it contains no JSON object")
        continue
      }
      try take(line[start...], place)
    }
  }

  mutating func readDocument() throws {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var hasList = false
    var reader = self
    defer { self = reader }
    func elements(_ stream: inout JSONStream) throws {
      hasList = true
      try stream.elements { stream in
        let place = "\(reader.file.name) byte \(stream.offset)"
        if let bytes = try stream.bytes() {
          try reader.take(bytes[...], place)
        } else {
          reader.skip(place, "it is longer than 64 MiB")
        }
        reader.sink.reach(stream.offset)
      }
    }
    do {
      if try stream.kind() == .array {
        try elements(&stream)
      } else {
        try stream.members { key, stream in
          let isList = try stream.kind() == .array
          if isList, key == "data" || key == "locations" {
            try elements(&stream)
          } else {
            try stream.skip()
          }
        }
      }
    } catch let error as JSONStreamError {
      let place = "\(file.name) byte \(error.offset)"
      guard hasList else {
        throw ImportRefusal(
          place: place, message: "this isn’t an OwnTracks export: \(error.message)")
      }
      sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: "\(error.message). The file is damaged or cut off, and points may be missing"))
    }
    guard hasList else {
      throw ImportRefusal(
        place: file.name, message: "this isn’t an OwnTracks export: the list of points is missing")
    }
  }

  private func skip(_ place: String, _ message: String) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(message)"))
  }

  // MARK: Messages

  private mutating func take(_ bytes: ArraySlice<UInt8>, _ place: String) throws {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      return skip(place, "not valid JSON: \(error)")
    }
    guard json.object != nil else {
      return skip(place, "it must be an object, not \(json.typeName)")
    }
    messages += 1
    switch json["_type"]?.string ?? "location" {
    case "location": try takePoint(json, place, name: json["inregions"]?.array?.first?.string)
    case "transition":
      let isArrival = json["event"]?.string == "enter"
      try takePoint(json, place, name: isArrival ? json["desc"]?.string : nil)
    case "encrypted": encrypted += 1
    // Settings, a connection's last will, and definitions of regions have no place at a time.
    default: placeless += 1
    }
  }

  private mutating func takePoint(_ json: JSON, _ place: String, name: String?) throws {
    guard let latitude = GoogleSegments.number(json["lat"]),
      let longitude = GoogleSegments.number(json["lon"]),
      let position = GeoPoint(lat: latitude, lon: longitude)
    else { return skip("\(place) field “lat”", "it has no valid coordinates") }
    guard let stamp = GoogleSegments.number(json["tst"]), stamp > 0, stamp < 1e14 else {
      return skip("\(place) field “tst”", "it has no valid time (in seconds since 1970)")
    }
    // Some programs send milliseconds.
    var point = TrackPoint(position, time: Int64(stamp < 1e11 ? stamp * 1_000 : stamp))
    let accuracy = GoogleSegments.number(json["acc"]) ?? 0
    point.accuracy = UInt16(min(max(accuracy, 0), 65_535))
    point.mode =
      json["motionactivities"]?.array?.lazy.compactMap(\.string)
      .compactMap { TravelMode($0) }.first
    point.device = device(json["topic"]?.string ?? json["tid"]?.string ?? "")
    if let name, let line = PlaceEntries.line(name) { point.name = number(of: line) }
    try days.take(point)
  }

  private mutating func device(_ name: String) -> UInt8 {
    if let number = devices[name] { return number }
    let number = UInt8(clamping: devices.count)
    if devices.count < 255 { devices[name] = number }
    return number
  }

  private mutating func number(of region: String) -> UInt16 {
    let name = ["home", "work"].contains(region.lowercased()) ? region.capitalized : region
    if let number = names[name] { return number }
    guard days.names.count < 65_535 else { return 0 }
    days.names.append(name)
    let number = UInt16(days.names.count)
    names[name] = number
    return number
  }

  // MARK: Finishing

  /// Reports what couldn't be used in the file.
  ///
  /// - Throws: `ImportRefusal` if there were only encrypted messages or none.
  func finishFile() throws {
    guard messages > encrypted else {
      throw ImportRefusal(
        place: file.name,
        message: encrypted > 0
          ? "all \(encrypted) messages are encrypted. Have the recorder decrypt them (option "
            + "--key) and export again" : "it contains no OwnTracks messages")
    }
    if encrypted > 0 {
      skip(file.name, "\(encrypted) messages are encrypted. Have the recorder decrypt them")
    }
    if placeless > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "skipped messages that aren’t locations (\(placeless)), such as settings and "
            + "regions"))
    }
  }

  /// Passes on the stays and journeys.
  ///
  /// - Throws: any error that the sink throws.
  mutating func finish() throws {
    try days.finish()
    if days.entries.count == 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "nothing to import: no stays of at least ten minutes and no trips of at least 300 m"))
    }
  }
}
