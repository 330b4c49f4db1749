/// The heart rates measured along a recorded track, for all formats of tracks.
struct HeartRates {
  /// Beats per minute that a body can have.
  private static let plausible = 20.0...255.0

  private var sum = 0.0
  private var count = 0
  private var highest = 0.0

  init() {}

  /// Gathers the rates of a track's points.
  init(_ points: some Sequence<RecordedTrack.Point>) {
    for point in points where point.heart > 0 { add(Double(point.heart)) }
  }

  /// Adds a rate in beats per minute; an implausible one is ignored.
  mutating func add(_ rate: Double) {
    guard Self.plausible.contains(rate) else { return }
    sum += rate
    count += 1
    highest = max(highest, rate)
  }

  var mean: Double? { count > 0 ? sum / Double(count) : nil }
  var most: Double? { count > 0 ? highest : nil }

  /// The rates as an entry's measurements.
  var measurements: [String: Double] {
    guard let mean else { return [:] }
    return ["bpm": mean.rounded(), "max bpm": highest.rounded()]
  }

  /// Returns a written rate as a point stores it; 0 if it isn't plausible.
  static func stored(_ text: String) -> UInt8 {
    guard let rate = Double(text), plausible.contains(rate) else { return 0 }
    return UInt8(rate.rounded())
  }
}
