import ArkivedCore

/// The points of the paths in a phone's export, which are separate from the journeys they belong
/// to.
///
/// They are `timelinePath[{point, time}]` (Android), or have `durationMinutesOffsetFromStartTime`
/// (iOS, where they come after everything else, so times go backwards).
struct GooglePaths {
  /// The maximum number of points; journeys beyond it have no line.
  private static let limit = 2_000_000

  /// The longest pause between points of a path in milliseconds; phones write one every few
  /// minutes.
  private static let longestPause: Int64 = 5_400_000

  private var points: [TrackPoint] = []

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, home: HomeZones) {
    guard points.count < Self.limit, Self.isPath(bytes), let json = try? JSON(parsing: bytes),
      let path = json["timelinePath"]?.array
    else { return }
    let begin = json["startTime"]?.string
    let start = begin.flatMap { PlaceTime($0, home: home) }?.instant
    let minutesEast = GoogleSegments.number(json["startTimeTimezoneUtcOffsetMinutes"])
    let offset =
      minutesEast.flatMap { abs($0) <= 14 * 60 ? Int($0) * 60 : nil }
      ?? begin.flatMap(FeatureTime.offset)
    for item in path {
      guard let place = GoogleSegments.point(item["point"]) else { continue }
      let time: Instant?
      var own = offset
      if let text = item["time"]?.string {
        time = PlaceTime(text, home: home)?.instant
        own = FeatureTime.offset(text) ?? offset
      } else if let minutes = GoogleSegments.number(item["durationMinutesOffsetFromStartTime"]),
        abs(minutes) < 1e7
      {
        time = start?.adding(seconds: Int(minutes * 60))
      } else {
        time = nil
      }
      guard let time else { continue }
      var point = TrackPoint(place, time: time.milliseconds)
      point.offset = own
      points.append(point)
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

  /// Returns the runs of points outside the given spans in order of time, split at long pauses.
  ///
  /// - Parameter spans: milliseconds since 1970, in any order.
  /// - Returns: the runs.
  func runs(outside spans: [ClosedRange<Int64>]) -> [ArraySlice<TrackPoint>] {
    let spans = spans.sorted { $0.lowerBound < $1.lowerBound }
    var runs: [Range<Int>] = []
    var next = 0
    // The end of the time covered by the preceding spans.
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

  /// Returns the places between two moments, both included.
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
