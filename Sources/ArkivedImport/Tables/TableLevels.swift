/// The values of a column of moods or energy, which count from 1 to 5 in an archive.
struct TableLevels {
  private var levels = 0
  private var higher = 0

  /// True if some values are from 1 to 5.
  var hasAny: Bool { levels > 0 }

  /// True if more than a tenth of the values are above 5, so the column has a scale of its own, such
  /// as one up to ten.
  var areOthers: Bool { higher * 10 > levels + higher }

  mutating func take(_ text: String) {
    guard let value = Double(text.replacing(",", with: ".")) else { return }
    if value > 5 {
      higher += 1
    } else if Int(text).map({ (1...5).contains($0) }) ?? false {
      levels += 1
    }
  }
}
