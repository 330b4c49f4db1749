import ArkivedCore
import Foundation

/// A target stated in a goal's title: “Run 120 km”.
struct TitleTarget: Equatable {
  var amount: Double
  /// The stored name of the unit.
  var unit: String

  /// Words that make an amount a rate or a limit instead of a sum.
  private static let otherWords: Set<String> = [
    "a", "an", "per", "each", "every", "daily", "weekly", "monthly", "under", "below", "within",
    "in", "less", "max", "maximum", "am", "pro", "je", "jeden", "jede", "jedes", "täglich",
    "wöchentlich", "monatlich", "unter", "höchstens", "maximal", "binnen",
  ]

  /// Returns the only amount of a known unit in a title, unless nearby words show that it isn't a
  /// sum.
  static func read(_ title: String) -> TitleTarget? {
    let words = title.split(whereSeparator: \.isWhitespace).map(String.init)
    var found: [TitleTarget] = []
    for (index, word) in words.enumerated() {
      let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == "," || $0 == ".") }
      guard let first = digits.first, first.isNumber, let amount = number(String(digits)) else {
        continue
      }
      let behind = word.dropFirst(digits.count)
      let hasUnit = !behind.isEmpty
      let name = hasUnit ? String(behind) : index + 1 < words.count ? words[index + 1] : ""
      let isRate = name.contains("/")
      let plain = name.trimmingCharacters(in: .punctuationCharacters)
      let typed = UnitTable.standard.typedName(plain, in: TerminalLanguage.typed)
      guard let unit = UnitTable.standard.unit(named: typed) else { continue }
      let before = index > 0 ? words[index - 1].lowercased() : ""
      let next = index + (hasUnit ? 1 : 2)
      let after = next < words.count ? words[next].lowercased() : ""
      guard !isRate, !otherWords.contains(before), !otherWords.contains(after) || after == "in"
      else { return nil }
      found.append(TitleTarget(amount: amount, unit: unit.name))
    }
    guard found.count == 1, let only = found.first, only.amount > 0 else { return nil }
    return only
  }

  private static func number(_ text: String) -> Double? {
    TypedNumber.read(text, in: TerminalLanguage.typed)
  }
}
