import ArkivedCore

/// Statistics collected over items in one pass.
struct QueryTally {
  private(set) var count = 0
  private(set) var measured = 0
  private var sum = 0.0
  private var (least, most) = (Double.infinity, -Double.infinity)
  /// The values, kept only for a median.
  private var values: [Double] = []
  /// The distinct values, kept only if they are counted.
  private var different: Set<Int> = []
  private(set) var (first, last) = (Int.max, Int.min)

  mutating func add(_ day: DayKey?, _ amount: Double?, keepsValues: Bool) {
    count += 1
    if let day = day?.daysSinceEpoch { (first, last) = (min(first, day), max(last, day)) }
    guard let amount else { return }
    measured += 1
    sum += amount
    (least, most) = (min(least, amount), max(most, amount))
    if keepsValues { values.append(amount) }
  }

  mutating func add(different key: Int) { different.insert(key) }

  func value(_ fold: Query.Fold) -> Double? {
    switch fold {
    case .distinct: return Double(different.count)
    case .sum: return measured > 0 ? sum : nil
    case .mean: return measured > 0 ? sum / Double(measured) : nil
    case .median:
      let sorted = values.sorted()
      guard !sorted.isEmpty else { return nil }
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    case .highest: return measured > 0 ? most : nil
    case .lowest: return measured > 0 ? least : nil
    default: return Double(count)
    }
  }
}
