/// Runs of days in a row among days in growing order.
package struct DayRuns: Hashable, Sendable {
  /// The length of the longest run, and its last day as a number of days since 1970.
  package private(set) var longest = 0
  package private(set) var longestEnd: Int?
  /// The length of the run that goes on; 0 where none does.
  package private(set) var current = 0

  /// - Parameters:
  ///   - days: days since 1970, each once, in growing order.
  ///   - today: a run that ends yesterday goes on, since today is not over.
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

/// The straight line that has the least sum of squared distances from points.
package struct LeastSquares: Hashable, Sendable {
  package let slope: Double
  package let intercept: Double
  /// How many points it was drawn through.
  package let count: Int

  /// - Returns: nil below two points of different places, and where they are no numbers.
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

/// Spearman's rank correlation: how far two rows of numbers rise together, from −1 to 1.
package enum RankCorrelation {
  /// - Returns: nil where the rows differ in length, have fewer than two pairs or one of them never
  ///   changes.
  package static func spearman(_ first: [Double], _ second: [Double]) -> Double? {
    guard first.count == second.count, first.count > 1 else { return nil }
    return pearson(ranks(first), ranks(second))
  }

  /// The ranks from 1 on; equal numbers share the mean of theirs.
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

/// The means of two groups of numbers, and how far they lie apart.
package struct MeanDifference: Hashable, Sendable {
  package let countWith: Int
  package let countWithout: Int
  package let meanWith: Double
  package let meanWithout: Double

  package var difference: Double { meanWith - meanWithout }

  /// - Parameters:
  ///   - with: how many numbers the one group has, and their sum.
  ///   - all: the same of both groups together.
  /// - Returns: nil where a group is empty.
  package init?(with: (count: Int, sum: Double), all: (count: Int, sum: Double)) {
    guard with.count > 0, all.count > with.count else { return nil }
    countWith = with.count
    countWithout = all.count - with.count
    meanWith = with.sum / Double(countWith)
    meanWithout = (all.sum - with.sum) / Double(countWithout)
  }
}
