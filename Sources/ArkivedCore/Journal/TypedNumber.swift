/// Numbers as people type them in a language: “1,500.5”, in German “1.500,5”.
package enum TypedNumber {
  /// The sign that groups thousands does so before exactly three digits; any other is a decimal sign,
  /// as is the language's own.
  ///
  /// - Returns: nil for what is no number.
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

  /// A number written with a point, as it is typed in a language.
  package static func shown(_ plain: String, in language: Language = .current) -> String {
    language.decimalSign == "." ? plain : plain.replacing(".", with: language.decimalSign)
  }
}

extension UnitTable {
  /// The name under which amounts are stored of a unit that is typed in a language: “Stunden” are hours.
  /// The name itself where the language has no name of its own for a unit.
  package func typedName(_ name: String, in language: Language = .current) -> String {
    TimeWording.of(language)?.units[name.lowercased()].map(canonicalName) ?? name
  }
}
