/// The wording of percentages, shared by all interfaces.
package enum PercentText {
  /// Returns a percentage truncated to a whole number; it is never rounded up, because an unreached
  /// target must not show as 100.
  ///
  /// - Parameter percent: the percentage, which may exceed 100.
  /// - Returns: the whole number.
  package static func whole(_ percent: Double) -> Int {
    let percent = GoalProgress.tidy(percent)
    return Int(min(max(percent, -largest), largest).rounded(.down))
  }

  private static let largest = 1e15

  /// Returns a percentage as text: "36%", "1,250%", or "under 1%" for small non-zero amounts.
  package static func of(_ percent: Double) -> String {
    let whole = whole(percent)
    return whole == 0 && percent > 0 ? said("under 1%") : shown(whole)
  }

  /// Returns a whole percentage as the reader's language writes it: "36%", in German "36 %".
  package static func shown(_ whole: Int) -> String {
    AmountText.grouped(whole) + Language.current.percentSign
  }
}

extension GoalProgress {
  /// The whole percentage of the target, as every interface shows it.
  package var wholePercent: Int? { percent.map(PercentText.whole) }

  /// The percentage as text, such as "36%", or nil without a target.
  package var percentText: String? { percent.map(PercentText.of) }
}
