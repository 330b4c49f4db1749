import ArkivedCore
import Foundation

/// A single file of Google's location history.
struct GoogleHistory {
  /// The kind of elements in a list.
  private enum List { case points, months, segments, signals }
  /// An error that stops at a list without paths, which may be a gigabyte in size.
  private struct NoPaths: Error {}

  /// The maximum number of unread lists that are reported by name.
  private static let nameLimit = 20

  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink
  /// The days (since 1970) whose visits and journeys are in other files of the same export.
  let otherDays: Set<Int>

  /// Reads the file.
  ///
  /// - Throws: `ImportRefusal` if it isn't a location history, and any error that the sink throws.
  func read() throws {
    let (paths, hasSegments) = try collectPaths()
    var points = PointDays(
      file, context: context, provider: GoogleImporter.provider, into: sink)
    points.otherDayNumbers = otherDays
    var records = GoogleRecords(file: file, sink: sink)
    var signals = GoogleSignals(file: file, home: context.zones, sink: sink)
    var segments = GoogleSegments(file: file, context: context, sink: sink, paths: paths)
    var reached = 0
    // Where Google found visits and journeys, these contain its signals.
    let found = try walk(isTold: true, takesSignals: !hasSegments, wants: { _ in true }) {
      list, bytes, offset in
      if offset - reached > 1 << 20 {
        reached = offset
        sink.reach(offset)
      }
      switch list {
      case .points: if let point = records.point(bytes, at: offset) { try points.take(point) }
      case .months: try segments.takeObject(bytes, at: offset)
      case .segments: try segments.takeSegment(bytes, at: offset)
      case .signals: if let point = signals.point(bytes) { try points.take(point) }
      }
    }
    records.finish()
    signals.finish()
    try points.finish()
    try segments.takeLoosePaths()
    segments.finish()
    guard found else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t a Google location history: no list of locations found")
    }
    if points.entries.count + segments.count == 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "nothing to import: no visits or trips found"))
    }
  }

  /// Returns the local days (since 1970) that the visits and journeys of a monthly file cover.
  func coveredDays() -> Set<Int> {
    var days: Set<Int> = []
    _ = try? walk(isTold: false, takesSignals: false, wants: { $0 == .months }) { _, bytes, _ in
      guard let json = try? JSON(parsing: bytes) else { return }
      let duration = (json["placeVisit"] ?? json["activitySegment"])?["duration"]
      guard let start = GoogleSegments.moment(duration, "startTimestamp", context.zones) else {
        return
      }
      let end = GoogleSegments.moment(duration, "endTimestamp", context.zones) ?? start
      let (first, last) = (start.day.daysSinceEpoch, end.day.daysSinceEpoch)
      // A visit of more than a month is a fault of the file.
      if first <= last, last - first <= 31 { days.formUnion(first...last) }
    }
    return days
  }

  /// Collects the points of the paths, which phones write separately from the journeys and mostly
  /// after them.
  ///
  /// - Returns: the paths, and true if there are visits, journeys or paths.
  private func collectPaths() throws -> (paths: GooglePaths, hasSegments: Bool) {
    var paths = GooglePaths()
    var hasSegments = false
    do {
      _ = try walk(isTold: false, takesSignals: false, wants: { $0 == .segments }) { _, bytes, _ in
        hasSegments = true
        paths.take(bytes, home: context.zones)
      }
    } catch is NoPaths {}
    paths.finish()
    return (paths, hasSegments)
  }

  /// Visits the elements of the known lists.
  ///
  /// - Parameters:
  ///   - isTold: true if problems with the file are reported.
  ///   - takesSignals: true if a phone's raw signals are such a list.
  ///   - wants: returns true for lists whose elements are read.
  ///   - body: receives the list, an element and its position.
  /// - Returns: true if there was such a list.
  /// - Throws: what `body` throws, and an error if the file can't be read.
  private func walk(
    isTold: Bool, takesSignals: Bool, wants: (List) -> Bool,
    _ body: (List, UnsafeBufferPointer<UInt8>, Int) throws -> Void
  ) throws -> Bool {
    var lists: [String: List] = [
      "locations": .points, "timelineObjects": .months, "semanticSegments": .segments,
      "timelineEdits": .signals,
    ]
    if takesSignals { lists["rawSignals"] = .signals }
    var found = false
    var others: [String] = []
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    func elements(_ list: List, _ stream: inout JSONStream) throws {
      found = true
      guard wants(list) else { throw NoPaths() }
      try stream.elements { stream in
        let offset = stream.offset
        let isShort: Void? = try stream.value { try body(list, $0, offset) }
        if isShort == nil, isTold {
          tell("longer than 64 MiB; skipped", at: offset)
        }
      }
    }
    do {
      guard try stream.kind() != .array else {
        try elements(.segments, &stream)
        return found
      }
      try stream.members { key, stream in
        if let list = lists[key], try stream.kind() == .array {
          try elements(list, &stream)
        } else {
          if others.count < Self.nameLimit { others.append(FieldError.shown(key)) }
          try stream.skip()
        }
      }
      if isTold, found, !others.isEmpty {
        sink.diagnose(
          Diagnostic(
            .note, place: file.name,
            message: "\(others.joined(separator: ", ")): no visits or routes; skipped"))
      }
    } catch let error as JSONStreamError {
      guard isTold else { return found }
      guard found else {
        throw ImportRefusal(
          place: "\(file.name) byte \(error.offset)",
          message: "this isn’t a Google location history: \(error.message)")
      }
      tell(
        "\(error.message). The file is damaged or cut off, and later data may be missing. Export "
          + "it again", at: error.offset)
    }
    return found
  }

  private func tell(_ message: String, at offset: Int) {
    sink.diagnose(
      Diagnostic(.skipped, place: "\(file.name) byte \(offset)", message: message))
  }
}
