import Foundation

/// Measurements as a person writes them into one field: “5 km, 300 kcal”.
package enum MeasureText {
  /// Reads amounts with their units, separated by commas or semicolons that stand before a space,
  /// or by line breaks. An empty text is no measurement.
  ///
  /// - Throws: `FieldError` for what is no amount with a unit.
  package static func read(_ text: String) throws(FieldError) -> [String: Double] {
    var amounts: [String: Double] = [:]
    let parts =
      text.replacingOccurrences(of: ", ", with: "\n").replacingOccurrences(of: ";", with: "\n")
      .split(whereSeparator: \.isNewline)
    for part in parts {
      let words = part.trimmingCharacters(in: CharacterSet(charactersIn: " \t,"))
      guard !words.isEmpty else { continue }
      let digits = words.prefix { $0.isASCII && ($0.isNumber || ".,-".contains($0)) }
      let unit = words.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
      guard !digits.isEmpty, !unit.isEmpty, let amount = number(String(digits)) else {
        throw FieldError(
          "measurements", "holds \(FieldError.shown(words)); write an amount and a unit: 5 km")
      }
      amounts[UnitTable.standard.canonicalName(unit), default: 0] += amount
    }
    return amounts
  }

  /// “5 km, 300 kcal”, by unit.
  package static func write(_ measurements: [String: Double]) -> String {
    measurements.sorted { $0.key < $1.key }
      .map { "\(AmountText.plain($0.value)) \($0.key)" }.joined(separator: ", ")
  }

  /// A comma before exactly three digits groups thousands; any other is a decimal comma.
  private static func number(_ text: String) -> Double? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped =
      groups.count > 1 && groups.dropFirst().allSatisfy { $0.prefix { $0 != "." }.count == 3 }
    let plain =
      isGrouped
      ? text.replacingOccurrences(of: ",", with: "") : text.replacingOccurrences(of: ",", with: ".")
    return Double(plain)
  }
}
