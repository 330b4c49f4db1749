import Foundation

/// Measurements as a person types them into one field: “5 km, 300 kcal”.
package enum MeasureText {
  /// Reads amounts with their units.
  ///
  /// They are separated by line breaks, semicolons, or commas followed by a space. An empty text
  /// means no measurements.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: the language it is typed in.
  ///   - units: the known units, including those of goals.
  ///   - old: the measurements that `write` showed before the text was edited; a part that is still
  ///     as shown keeps its exact amount and its unit, of which the text may say less.
  /// - Returns: the amounts by unit.
  /// - Throws: `FieldError` for a part that is not an amount with a unit.
  package static func read(
    _ text: String, in language: Language = .english, units: UnitTable = .standard,
    keeping old: [String: Double] = [:]
  ) throws(FieldError) -> [String: Double] {
    var amounts: [String: Double] = [:]
    var shown: [String: (unit: String, amount: Double)] = [:]
    for (unit, amount) in old { shown[write([unit: amount], in: language)] = (unit, amount) }
    let parts =
      text.replacingOccurrences(of: ", ", with: "\n").replacingOccurrences(of: ";", with: "\n")
      .split(whereSeparator: \.isNewline)
    for part in parts {
      let words = part.trimmingCharacters(in: CharacterSet(charactersIn: " \t,"))
      guard !words.isEmpty else { continue }
      if let same = shown.removeValue(forKey: words) {
        amounts[same.unit, default: 0] += same.amount
        continue
      }
      let digits = words.prefix { $0.isASCII && ($0.isNumber || ".,-".contains($0)) }
      let unit = words.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
      guard !digits.isEmpty, !unit.isEmpty,
        let amount = TypedNumber.read(String(digits), in: language)
      else {
        throw FieldError(
          "measurements", "contains \(FieldError.shown(words)). Enter an amount and a unit: 5 km")
      }
      let name = units.typedName(unit, in: language)
      amounts[units.canonicalName(name), default: 0] += amount
    }
    return amounts
  }

  /// Returns measurements as a text that `read` accepts, ordered by unit: “5 km, 300 kcal”.
  package static func write(
    _ measurements: [String: Double], in language: Language = .english
  ) -> String {
    measurements.sorted { $0.key < $1.key }
      .map { "\(TypedNumber.shown(AmountText.plain($0.value), in: language)) \($0.key)" }
      .joined(separator: ", ")
  }
}
