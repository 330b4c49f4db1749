import ArkivedCore
import Foundation

/// What a number is measured against.
struct Usual: Hashable, Sendable {
  var value: Double
  /// "median of the 12 weeks before".
  var basis: String
  /// How a sentence speaks of it, with a place for the amount: "the usual", "the … of 2023".
  var before: String
  var after: String

  /// "the usual 48", "the 48 of 2023".
  func phrase(_ amount: String) -> String { "\(before) \(amount)\(after)" }

  /// The middle value, or the mean of the middle two; nil of nothing.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// What kind of number is compared, which decides the words.
  enum Sense {
    /// Things that are counted: more, fewer.
    case many
    /// Amounts that add up: more, less.
    case much
    /// Levels: above, below.
    case level
  }

  /// How a value stands to this, as the end of a clause: "about twice the usual 48".
  func comparison(of value: Double, unit: String?, _ sense: Sense = .much) -> String {
    let told = phrase(amount(unit, sense))
    let isUsual = after.isEmpty || before == "the usual"
    let inYear = after.replacing(" of ", with: " in ")
    guard self.value > 0 else {
      return isUsual ? "where there is usually none" : "where there was none\(inYear)"
    }
    if RecapText.amount(value, unit) == RecapText.amount(self.value, unit) {
      return isUsual ? "as usual\(after.replacing(" of a ", with: " on a "))" : "as\(inYear)"
    }
    let ratio = value / self.value
    // "Twice the usual one" says more than two entries can.
    if sense == .many, max(value, self.value) < 4 {
      return "\(ratio > 1 ? "more" : "fewer") than \(told)"
    }
    if sense == .level {
      switch ratio {
      case 0.97..<1.03: return "close to \(told)"
      case 1.25...: return "well above \(told)"
      case ..<0.8: return "well below \(told)"
      default: return ratio > 1 ? "above \(told)" : "below \(told)"
      }
    }
    switch ratio {
    case 3.25...: return "far more than \(told)"
    case 2.75..<3.25: return "about three times \(told)"
    case 1.85..<2.2: return "about twice \(told)"
    case 1.5...: return "well above \(told)"
    case 1.08...: return "more than \(told)"
    case 0.92..<1.08: return "close to \(told)"
    case 0.45..<0.55: return "about half of \(told)"
    case ..<0.45: return "far below \(told)"
    default: return "\(sense == .many ? "fewer" : "less") than \(told)"
    }
  }

  /// Counted things are told in whole numbers: "seven or eight".
  private func amount(_ unit: String?, _ sense: Sense) -> String {
    guard sense == .many, value >= 0.5, value < 1e15 else {
      // The unit was just named with the value itself.
      let rough = value >= 20 ? value.rounded() : value
      let isSpelt = unit.map(RecapText.isWord) ?? false
      return RecapText.amount(rough, isSpelt ? nil : unit)
    }
    let whole = Int(value)
    if value != value.rounded(), whole >= 1, whole < 12 {
      return "\(RecapText.number(whole)) or \(RecapText.number(whole + 1))"
    }
    return RecapText.number(Int(value.rounded()))
  }
}
