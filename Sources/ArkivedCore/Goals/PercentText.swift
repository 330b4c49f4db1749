/// Shares in per cent, told the same on every face.
package enum PercentText {
  /// The whole per cent of a share: cut off, never rounded up, so that what isn't reached is never 100.
  ///
  /// - Parameter percent: may pass 100.
  package static func whole(_ percent: Double) -> Int {
    let percent = GoalProgress.tidy(percent)
    return Int(min(max(percent, -largest), largest).rounded(.down))
  }

  private static let largest = 1e15

  /// "36 %", "1,250 %"; something is never nothing: "under 1 %".
  package static func of(_ percent: Double) -> String {
    let whole = whole(percent)
    return whole == 0 && percent > 0 ? said("under 1 %") : "\(AmountText.grouped(whole)) %"
  }
}

extension GoalProgress {
  /// The whole per cent of the target, as every face tells it.
  package var wholePercent: Int? { percent.map(PercentText.whole) }

  /// "36 %", where there is a target.
  package var percentText: String? { percent.map(PercentText.of) }
}
