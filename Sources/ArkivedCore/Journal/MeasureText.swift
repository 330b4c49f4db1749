import Foundation

/// Measurements as a person writes them into one field: “5 km, 300 kcal”.
package enum MeasureText {
  /// Reads amounts with their units, separated by commas or semicolons that stand before a space,
  /// or by line breaks. An empty text is no measurement.
  ///
  /// - Parameters:
  ///   - language: in which it is typed.
  ///   - units: the known ones, with those of goals.
  /// - Throws: `FieldError` for what is no amount with a unit.
  package static func read(
    _ text: String, in language: Language = .english, units: UnitTable = .standard
  ) throws(FieldError) -> [String: Double] {
    var amounts: [String: Double] = [:]
    let parts =
      text.replacingOccurrences(of: ", ", with: "\n").replacingOccurrences(of: ";", with: "\n")
      .split(whereSeparator: \.isNewline)
    for part in parts {
      let words = part.trimmingCharacters(in: CharacterSet(charactersIn: " \t,"))
      guard !words.isEmpty else { continue }
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

  /// “5 km, 300 kcal”, by unit, as `read` takes it.
  package static func write(
    _ measurements: [String: Double], in language: Language = .english
  ) -> String {
    measurements.sorted { $0.key < $1.key }
      .map { "\(TypedNumber.shown(AmountText.plain($0.value), in: language)) \($0.key)" }
      .joined(separator: ", ")
  }
}
