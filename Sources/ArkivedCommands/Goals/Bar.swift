/// Shares as rows of blocks.
enum Bar {
  /// Formats a share with a mark at the expected position: `████████░░░│░░`.
  ///
  /// A small share never looks empty, and an almost complete one never looks full.
  static func line(_ share: Double, mark: Double? = nil, width: Int) -> String {
    let width = max(1, width)
    let filled = cells(share, of: width)
    let place = mark.flatMap { $0.isFinite ? min(width - 1, cells($0, of: width)) : nil }
    return (0..<width).map { cell in
      cell == place ? "│" : cell < filled ? "█" : "░"
    }.joined()
  }

  /// Formats an amount relative to the largest one, without a background: `███`.
  static func column(_ amount: Double, of largest: Double, width: Int) -> String {
    guard largest > 0 else { return "" }
    return String(repeating: "█", count: cells(amount / largest, of: max(1, width)))
  }

  private static func cells(_ share: Double, of width: Int) -> Int {
    guard share.isFinite, share > 0 else { return 0 }
    guard share < 1 else { return width }
    return min(max(1, width - 1), max(1, Int((share * Double(width)).rounded(.down))))
  }
}
