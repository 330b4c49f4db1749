import ArkivedCore

/// Reads the positions among the raw signals of a phone, which Takeout writes into `Timeline
/// Edits.json` since 2024, and phones into `rawSignals`.
///
/// - Takeout: `{deviceId, rawSignal{signal{position{point{latE7, lngE7}, accuracyMm, timestamp}}}}`.
/// - Phones: `{position{LatLng, accuracyMeters, timestamp}}`.
///
/// Source of the format: files of both kinds in Dawarich's tests.
struct GoogleSignals {
  private let file: ImportFile
  private let home: HomeZones
  private let sink: any ImportSink
  private var devices: [String: UInt8] = [:]
  private var others = 0
  private var placeless = 0

  init(file: ImportFile, home: HomeZones, sink: any ImportSink) {
    (self.file, self.home, self.sink) = (file, home, sink)
  }

  /// Returns the point of a signal; nil if it isn't a position, or not a valid one.
  mutating func point(_ bytes: UnsafeBufferPointer<UInt8>) -> TrackPoint? {
    guard let json = try? JSON(parsing: bytes),
      let position = json["rawSignal"]?["signal"]?["position"] ?? json["position"],
      position.object != nil
    else {
      others += 1
      return nil
    }
    guard let place = GoogleSegments.point(position["point"]) ?? GoogleSegments.point(position)
    else {
      placeless += 1
      return nil
    }
    let time = position["timestamp"]?.string.flatMap { PlaceTime($0, home: home) }
    // An unreadable time is counted with those before 1990.
    var point = TrackPoint(place, time: time?.instant.milliseconds ?? -1)
    let metres =
      GoogleSegments.number(position["accuracyMeters"])
      ?? GoogleSegments.number(position["accuracyMm"]).map { $0 / 1_000 } ?? 0
    point.accuracy = UInt16(min(max(metres, 0), 65_535))
    point.device = number(of: ServiceValue.id(json["deviceId"]) ?? "")
    return point
  }

  private mutating func number(of device: String) -> UInt8 {
    if let number = devices[device] { return number }
    let number = UInt8(clamping: devices.count)
    if devices.count < 255 { devices[device] = number }
    return number
  }

  /// Reports the signals that couldn't be used.
  func finish() {
    if others > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "skipped signals without a position: \(others)"))
    }
    if placeless > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "\(placeless) records have no valid coordinates; skipped"
        ))
    }
  }
}
