/// Numbers as people type them in a language: “1,500.5”, or “1.500,5” in German.
package enum TypedNumber {
  /// Reads a number.
  ///
  /// The language's thousands separator groups only if exactly three digits follow; otherwise it is
  /// a decimal sign, as the language's own decimal sign is.
  ///
  /// - Returns: nil for a text that is not a number.
  package static func read(_ text: String, in language: Language = .current) -> Double? {
    let (group, decimal) = (language.groupSign, language.decimalSign)
    let parts = text.split(separator: group, omittingEmptySubsequences: false)
    let isGrouped =
      parts.count > 1 && parts.first?.isEmpty == false && parts.first != "0"
      && parts.dropFirst().allSatisfy { part in
        part.prefix { String($0) != decimal }.count == 3
      }
    let plain = text.replacing(group, with: isGrouped ? "" : ".").replacing(decimal, with: ".")
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a number written with a decimal point in the notation of a language.
  package static func shown(_ plain: String, in language: Language = .current) -> String {
    language.decimalSign == "." ? plain : plain.replacing(".", with: language.decimalSign)
  }
}

extension UnitTable {
  /// Returns the stored name of a unit typed in a language: “Stunden” becomes hours.
  ///
  /// A name without a translation is returned unchanged.
  package func typedName(_ name: String, in language: Language = .current) -> String {
    TimeWording.of(language)?.units[name.lowercased()].map(canonicalName) ?? name
  }
}
