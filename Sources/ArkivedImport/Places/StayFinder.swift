/// Separates staying from moving in the points of a day.
///
/// A stay is the longest sequence of points that lasts at least `minimum` and in which each point
/// is within `radius` of the mean of the preceding ones. A single point outside between two inside
/// is noise and remains part of the sequence. Two consecutive stays are merged if their centres are
/// within `radius` of each other and no point in between is further away than twice that. Anything
/// between stays is a journey.
struct StayFinder {
  enum Part {
    case stay(Range<Int>)
    /// A journey, including the last point of the stay before it and the first point of the stay
    /// after it.
    case way(Range<Int>)
  }

  /// The radius in metres.
  var radius = 150.0
  /// The minimum duration in milliseconds.
  var minimum: Int64 = 600_000

  /// Returns the stays and journeys.
  ///
  /// - Parameter points: points sorted by time, a second or more apart.
  /// - Returns: the stays and journeys in chronological order.
  func parts(of points: [TrackPoint]) -> [Part] {
    guard let first = points.first else { return [] }
    let plane = LocalPlane(around: first.place)
    let positions = points.map { plane.position($0.place) }
    var parts: [Part] = []
    var end = 0
    for stay in merged(stays(points, positions), positions) {
      if stay.lowerBound > end || end > 0 {
        parts.append(.way(max(0, end - 1)..<stay.lowerBound + 1))
      }
      parts.append(.stay(stay))
      end = stay.upperBound
    }
    if end < points.count { parts.append(.way(max(0, end - 1)..<points.count)) }
    return parts
  }

  private func stays(_ points: [TrackPoint], _ positions: [SIMD2<Double>]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < points.count {
      let end = end(of: positions, from: start)
      if points[end - 1].time - points[start].time >= minimum {
        found.append(start..<end)
        start = end
      } else {
        start += 1
      }
    }
    return found
  }

  /// Returns the end of the sequence of points that stay together from a start.
  private func end(of positions: [SIMD2<Double>], from start: Int) -> Int {
    var sum = positions[start]
    var count = 1.0
    var end = start + 1
    var next = end
    while next < positions.count {
      let middle = sum / count
      if (positions[next] - middle).length <= radius {
        sum += positions[next]
        count += 1
        end = next + 1
      } else if next > end || next + 1 >= positions.count
        || (positions[next + 1] - middle).length > radius
      {
        break
      }
      next += 1
    }
    return end
  }

  private func merged(_ stays: [Range<Int>], _ positions: [SIMD2<Double>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for stay in stays {
      if let last = merged.last {
        let middle = Self.middle(last, positions)
        let isNear = (Self.middle(stay, positions) - middle).length <= radius
        if isNear,
          positions[last.upperBound..<stay.lowerBound].allSatisfy({
            ($0 - middle).length <= 2 * radius
          })
        {
          merged[merged.count - 1] = last.lowerBound..<stay.upperBound
          continue
        }
      }
      merged.append(stay)
    }
    return merged
  }

  private static func middle(_ range: Range<Int>, _ positions: [SIMD2<Double>]) -> SIMD2<Double> {
    positions[range].reduce(SIMD2<Double>.zero, +) / Double(range.count)
  }
}
