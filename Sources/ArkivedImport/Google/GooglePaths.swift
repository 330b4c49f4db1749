import ArkivedCore

/// The points of the paths in a phone's export, which stand apart from the ways that they belong to:
/// `timelinePath[{point, time}]` (Android), or with `durationMinutesOffsetFromStartTime` (iOS, where
/// they come behind everything else, so that time goes backwards).
struct GooglePaths {
  /// More points are not kept; ways beyond have no line.
  private static let limit = 2_000_000

  /// Phones write a point every few minutes of a way, in milliseconds.
  private static let longestPause: Int64 = 5_400_000

  private var points: [TrackPoint] = []

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, home: HomeZones) {
    guard points.count < Self.limit, Self.isPath(bytes), let json = try? JSON(parsing: bytes),
      let path = json["timelinePath"]?.array
    else { return }
    let start = json["startTime"]?.string.flatMap { PlaceTime($0, home: home) }?.instant
    for item in path {
      guard let place = GoogleSegments.point(item["point"]) else { continue }
      let time: Instant?
      if let text = item["time"]?.string {
        time = PlaceTime(text, home: home)?.instant
      } else if let minutes = GoogleSegments.number(item["durationMinutesOffsetFromStartTime"]),
        abs(minutes) < 1e7
      {
        time = start?.adding(seconds: Int(minutes * 60))
      } else {
        time = nil
      }
      guard let time else { continue }
      points.append(TrackPoint(place, time: time.milliseconds))
    }
  }

  private static func isPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var members = JSONMembers(bytes)
    while let member = members.next() {
      if bytes.holds("timelinePath", at: member.key) { return true }
    }
    return false
  }

  mutating func finish() { points.sort { $0.time < $1.time } }

  /// The runs of points that lie in none of some spans, by time; a longer pause parts them.
  ///
  /// - Parameter spans: milliseconds since 1970, in any order.
  func runs(outside spans: [ClosedRange<Int64>]) -> [ArraySlice<TrackPoint>] {
    let spans = spans.sorted { $0.lowerBound < $1.lowerBound }
    var runs: [Range<Int>] = []
    var next = 0
    // The end of what the spans before have covered.
    var coveredTo = Int64.min
    for index in points.indices {
      let time = points[index].time
      let before = coveredTo
      while next < spans.count, spans[next].lowerBound <= time {
        coveredTo = max(coveredTo, spans[next].upperBound)
        next += 1
      }
      guard time > coveredTo else { continue }
      if let last = runs.last, last.upperBound == index, before == coveredTo,
        time - points[index - 1].time <= Self.longestPause
      {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    return runs.map { points[$0] }
  }

  /// The places between two moments, both included.
  func places(from start: Instant, to end: Instant) -> [GeoPoint] {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time < start.milliseconds { low = middle + 1 } else { high = middle }
    }
    return points[low...].prefix { $0.time <= end.milliseconds }.map(\.place)
  }
}
