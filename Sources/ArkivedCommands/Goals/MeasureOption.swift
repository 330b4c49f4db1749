import ArkivedCore
import Foundation

/// Measurements in options: `km=5`.
enum MeasureOption {
  /// Parses measurements.
  ///
  /// - Parameters:
  ///   - texts: the texts.
  ///   - units: the known units, including those of goals.
  /// - Returns: the amounts by unit.
  /// - Throws: `FieldError` if it isn't a unit with an amount.
  static func read(
    _ texts: [String], units: UnitTable = .standard
  ) throws -> [String: Double] {
    var amounts: [String: Double] = [:]
    for text in texts {
      guard let sign = text.lastIndex(of: "=") else {
        amounts.merge(try MeasureText.read(text, in: TerminalLanguage.typed, units: units)) { $1 }
        continue
      }
      let unit = text[..<sign].trimmingCharacters(in: .whitespaces)
      let digits = text[text.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      guard !unit.isEmpty, let amount = TypedNumber.read(digits, in: TerminalLanguage.typed),
        amount >= 0
      else {
        throw FieldError(
          "measurements",
          said(
            """
            can’t be \(FieldError.shown(text)). Give a unit and an amount of 0 or more: --measure \
            km=5
            """))
      }
      let name = units.typedName(unit, in: TerminalLanguage.typed)
      amounts[units.canonicalName(name)] = amount
    }
    return amounts
  }

  static func minutes(_ text: String) throws -> Double {
    guard let minutes = TypedNumber.read(text, in: TerminalLanguage.typed), minutes >= 0 else {
      throw FieldError(
        "durationMinutes",
        said("is \(FieldError.shown(text)), but must be a number of 0 or more (--minutes)"))
    }
    return minutes
  }

  /// Parses the amount of a link.
  static func amount(_ text: String) throws -> Double {
    guard let amount = TypedNumber.read(text, in: TerminalLanguage.typed), amount >= 0,
      amount <= Goal.largestTarget
    else {
      throw FieldError(
        "contribution",
        said(
          """
          is \(FieldError.shown(text)), but must be a number from 0 to \
          \(AmountText.plain(Goal.largestTarget)) (--amount)
          """))
    }
    return amount
  }
}
