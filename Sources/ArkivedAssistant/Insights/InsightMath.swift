/// Streaks of consecutive days among days in ascending order.
package struct DayRuns: Hashable, Sendable {
  /// The length of the longest streak, and its last day as the number of days since 1970.
  package private(set) var longest = 0
  package private(set) var longestEnd: Int?
  /// The length of the current streak; 0 if there is none.
  package private(set) var current = 0

  /// Computes the streaks of days.
  ///
  /// - Parameters:
  ///   - days: days since 1970, without duplicates, in ascending order.
  ///   - today: a streak that ends yesterday is still current, because today isn't over.
  package init(_ days: some Sequence<Int>, today: Int) {
    var length = 0
    var last: Int?
    for day in days {
      length = last == day - 1 ? length + 1 : 1
      last = day
      if length > longest { (longest, longestEnd) = (length, day) }
    }
    if let last, last == today || last == today - 1 { current = length }
  }
}

/// The least-squares line through points, which minimises the sum of squared vertical distances.
package struct LeastSquares: Hashable, Sendable {
  package let slope: Double
  package let intercept: Double
  /// The number of points.
  package let count: Int

  /// Fits a line to points.
  ///
  /// - Returns: nil if fewer than two points have different positions, or if values aren't finite.
  package init?(_ points: [(x: Double, y: Double)]) {
    let points = points.filter { $0.x.isFinite && $0.y.isFinite }
    guard points.count > 1 else { return nil }
    let n = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / n
    let meanY = points.reduce(0) { $0 + $1.y } / n
    let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    let shared = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let slope = shared / spread
    guard spread > 0, slope.isFinite else { return nil }
    self.slope = slope
    intercept = meanY - slope * meanX
    count = points.count
  }

  package func value(at x: Double) -> Double { intercept + slope * x }
}

/// Spearman's rank correlation: how closely two series rise together, from −1 to 1.
package enum RankCorrelation {
  /// Returns the rank correlation of two series.
  ///
  /// - Returns: nil if the series differ in length, have fewer than two pairs, or one of them is
  ///   constant.
  package static func spearman(_ first: [Double], _ second: [Double]) -> Double? {
    guard first.count == second.count, first.count > 1 else { return nil }
    return pearson(ranks(first), ranks(second))
  }

  /// Returns the ranks starting at 1; equal numbers share their mean rank.
  package static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
      for place in start...end { ranks[order[place]] = Double(start + end) / 2 + 1 }
      start = end + 1
    }
    return ranks
  }

  private static func pearson(_ first: [Double], _ second: [Double]) -> Double? {
    let n = Double(first.count)
    let (mean1, mean2) = (first.reduce(0, +) / n, second.reduce(0, +) / n)
    var (shared, spread1, spread2) = (0.0, 0.0, 0.0)
    for (one, other) in zip(first, second) {
      shared += (one - mean1) * (other - mean2)
      spread1 += (one - mean1) * (one - mean1)
      spread2 += (other - mean2) * (other - mean2)
    }
    guard spread1 > 0, spread2 > 0 else { return nil }
    let result = shared / (spread1 * spread2).squareRoot()
    return result.isFinite ? min(max(result, -1), 1) : nil
  }
}

/// The means of two groups of numbers, and their difference.
package struct MeanDifference: Hashable, Sendable {
  package let countWith: Int
  package let countWithout: Int
  package let meanWith: Double
  package let meanWithout: Double

  package var difference: Double { meanWith - meanWithout }

  /// Computes the means of both groups; nil if a group is empty.
  ///
  /// - Parameters:
  ///   - with: the count and sum of the first group.
  ///   - all: the count and sum of both groups together.
  package init?(with: (count: Int, sum: Double), all: (count: Int, sum: Double)) {
    guard with.count > 0, all.count > with.count else { return nil }
    countWith = with.count
    countWithout = all.count - with.count
    meanWith = with.sum / Double(countWith)
    meanWithout = (all.sum - with.sum) / Double(countWithout)
  }
}
