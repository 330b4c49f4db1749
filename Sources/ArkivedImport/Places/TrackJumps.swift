/// Removes the points of a recorded track that nobody can have reached, which a receiver writes
/// while it has lost its position.
enum TrackJumps {
  /// The number of points from which a part counts as recorded elsewhere rather than as noise.
  private static let partLength = 10

  /// Consecutive points that can be reached from each other.
  private struct Run {
    var range: Range<Int>
    /// The first and the last point with a time.
    var first: Int
    var last: Int
  }

  /// Returns the points without those that are too far from the rest of the track.
  ///
  /// A long part that can't be reached from the others is kept as a segment of its own, so the step
  /// to it is neither drawn nor counted. A track in which more than a third of the points would be
  /// dropped has no reliable times and stays as it is.
  ///
  /// - Parameter points: the points in the order of the recording.
  /// - Returns: the points to use, and the number of dropped ones.
  static func removing(
    from points: [RecordedTrack.Point]
  ) -> (points: [RecordedTrack.Point], dropped: Int) {
    // Times without seconds don't show the speed within a minute.
    let isOfMinutes = points.allSatisfy { ($0.time ?? 0) % 60_000 == 0 }
    let least: Int64 = isOfMinutes ? 60_000 : 1_000
    func isReachable(_ first: Int, _ second: Int) -> Bool {
      guard let from = points[first].time, let to = points[second].time else { return true }
      let metres = points[first].place.metres(to: points[second].place)
      return metres <= PointDays.speedLimit * Double(max(least, abs(to - from))) / 1_000
    }
    let runs = runs(of: points, isReachable)
    let lengths = runs.indices.max { runs[$0].range.count < runs[$1].range.count }
    guard runs.count > 1, let main = lengths else { return (points, 0) }
    var isKept = [Bool](repeating: false, count: runs.count)
    // The parts that begin a segment.
    var isApart = isKept
    isKept[main] = true
    var last = main
    for index in runs.indices.dropFirst(main + 1) {
      let isNear = isReachable(runs[last].last, runs[index].first)
      guard isNear || runs[index].range.count >= partLength else { continue }
      (isKept[index], isApart[index]) = (true, !isNear)
      last = index
    }
    var next = main
    for index in runs.indices.prefix(main).reversed() {
      let isNear = isReachable(runs[index].last, runs[next].first)
      guard isNear || runs[index].range.count >= partLength else { continue }
      isKept[index] = true
      isApart[next] = isApart[next] || !isNear
      next = index
    }
    let kept = runs.indices.filter { isKept[$0] }
    let count = kept.reduce(0) { $0 + runs[$1].range.count }
    guard (points.count - count) * 3 <= points.count else { return (points, 0) }
    var result: [RecordedTrack.Point] = []
    result.reserveCapacity(count)
    var shift: Int32 = 0
    for index in kept {
      if isApart[index] { shift += 1 }
      for var point in points[runs[index].range] {
        point.segment &+= shift
        result.append(point)
      }
    }
    return (result, points.count - count)
  }

  /// Returns the runs of a track; a point without a time belongs to the run before it.
  private static func runs(
    of points: [RecordedTrack.Point], _ isReachable: (Int, Int) -> Bool
  ) -> [Run] {
    var runs: [Run] = []
    for index in points.indices {
      if let last = runs.last, isReachable(last.last, index) {
        runs[runs.count - 1].range = last.range.lowerBound..<(index + 1)
        guard points[index].time != nil else { continue }
        if points[last.first].time == nil { runs[runs.count - 1].first = index }
        runs[runs.count - 1].last = index
      } else {
        runs.append(Run(range: index..<(index + 1), first: index, last: index))
      }
    }
    return runs
  }

  /// Returns the report about dropped points.
  static func message(_ count: Int) -> String {
    count == 1
      ? "skipped 1 point that is too far from the others to have been reached in that time"
      : "skipped \(count) points that are too far from the others to have been reached in that time"
  }
}
