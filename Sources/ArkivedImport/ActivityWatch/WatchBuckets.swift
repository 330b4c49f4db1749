import ArkivedCore
import Foundation

/// One bucket of an export, holding the events of one watcher.
struct WatchBucket {
  enum Kind {
    /// Programs and their window titles.
    case window
    /// The presence of a user at the machine.
    case presence
    /// Pages visited in a browser.
    case web
    case other
  }

  var name = ""
  var type = ""
  var host = ""

  /// The kind by the bucket's type, or by the name that the usual watchers use.
  var kind: Kind {
    switch type {
    case "currentwindow": .window
    case "afkstatus": .presence
    case "web.tab.current": .web
    case "": kindOfName
    default: .other
    }
  }

  private var kindOfName: Kind {
    if name.hasPrefix("aw-watcher-window") { return .window }
    if name.hasPrefix("aw-watcher-afk") { return .presence }
    return name.hasPrefix("aw-watcher-web") ? .web : .other
  }
}

/// A span during which something was on screen or somebody was present.
struct WatchEvent {
  /// Milliseconds since 1970.
  var start: Int64
  var end: Int64
  var data: JSON
}

/// Walks through the buckets of an export.
struct WatchBuckets {
  /// The longest event in seconds; a longer one comes from a clock that jumped.
  private static let longest: Double = 7 * 86_400

  let file: ImportFile
  let sink: any ImportSink

  /// Visits the list of events of each bucket.
  ///
  /// - Parameters:
  ///   - isTold: true if problems with the file are reported.
  ///   - body: reads the list or skips it.
  /// - Throws: `ImportRefusal` if the file isn't an export, and any error that the body throws.
  func forEach(
    isTold: Bool, _ body: (WatchBucket, inout JSONStream) throws -> Void
  ) throws {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var isFound = false
    do {
      try stream.members { key, stream in
        guard key == "buckets" else { return try stream.skip() }
        switch try stream.kind() {
        case .object:
          isFound = true
          try stream.members { name, stream in try bucket(name, &stream, body) }
        case .array:
          isFound = true
          try stream.elements { stream in try bucket("", &stream, body) }
        case .string, .other: try stream.skip()
        }
      }
    } catch let error as JSONStreamError {
      let place = "\(file.name) byte \(error.offset)"
      guard isFound else {
        throw ImportRefusal(
          place: place, message: "this isn’t an ActivityWatch export: \(error.message)")
      }
      guard isTold else { return }
      sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: "\(error.message). The file is damaged or cut off, and later data may be "
            + "missing. Export it again"))
    }
    guard isFound else {
      throw ImportRefusal(
        place: file.name, message: "this isn’t an ActivityWatch export: it has no buckets")
    }
  }

  private func bucket(
    _ name: String, _ stream: inout JSONStream,
    _ body: (WatchBucket, inout JSONStream) throws -> Void
  ) throws {
    guard try stream.kind() == .object else { return try stream.skip() }
    var bucket = WatchBucket()
    bucket.name = name
    try stream.members { key, stream in
      let kind = try stream.kind()
      switch (key, kind) {
      case ("events", .array): try body(bucket, &stream)
      case ("id", .string), ("type", .string), ("hostname", .string):
        let text = try stream.bytes().flatMap { try? JSON(parsing: $0).string } ?? ""
        switch key {
        case "type": bucket.type = text
        case "hostname": bucket.host = text
        default: if bucket.name.isEmpty { bucket.name = text }
        }
      default: try stream.skip()
      }
    }
  }

  /// Reads the list of events that starts here.
  func events(
    _ stream: inout JSONStream, _ body: (WatchEvent) throws -> Void
  ) throws {
    var reached = stream.offset
    try stream.elements { stream in
      let offset = stream.offset
      if offset - reached > 1 << 20 {
        reached = offset
        sink.reach(offset)
      }
      let found = try stream.value { self.event($0, at: offset) }
      if let found, let event = found { try body(event) }
    }
  }

  private func event(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> WatchEvent? {
    func skip(_ field: String?, _ message: String) -> WatchEvent? {
      let place = "\(file.name) byte \(offset)" + (field.map { " field “\($0)”" } ?? "")
      sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(message)"))
      return nil
    }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      return skip(nil, "not valid JSON: \(error)")
    }
    guard let text = json["timestamp"]?.string, let start = Instant(text) else {
      return skip("timestamp", "it has no valid time (such as 2024-05-03T11:22:33Z)")
    }
    guard let seconds = json["duration"]?.double, seconds >= 0, seconds <= Self.longest else {
      return skip("duration", "it has no valid duration (in seconds, at most a week)")
    }
    return WatchEvent(
      start: start.milliseconds,
      end: start.milliseconds + Int64((seconds * 1_000).rounded()),
      data: json["data"] ?? .null)
  }
}
