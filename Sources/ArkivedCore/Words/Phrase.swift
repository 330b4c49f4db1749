import Foundation

/// A text of a user interface that keeps its English sentence and its arguments apart for
/// translation.
///
/// The English sentence is the key in the catalogues, with `{1}`, `{2}` for the arguments:
/// `said("Show the \(count) before")` is looked up as "Show the {1} before". A text without a
/// translation is shown in English.
package struct Phrase: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The sentence, or its singular.
  package let key: String
  /// The plural sentence, with the number.
  private let plural: Plural?
  /// The arguments of the sentence, or of its singular.
  private let arguments: [String]

  private struct Plural: Hashable, Sendable {
    var key: String
    var count: Int
    var arguments: [String]
  }

  package init(stringLiteral value: String) {
    (key, plural, arguments) = (value, nil, [])
  }

  package init(stringInterpolation: StringInterpolation) {
    (key, plural, arguments) = (stringInterpolation.key, nil, stringInterpolation.arguments)
  }

  /// Creates a sentence about a number of things: `Phrase(count, one: "\(count) entry", other:
  /// "\(count) entries")`.
  ///
  /// Each has its own arguments, because a singular may do without the number. The number itself is
  /// shown in groups of three digits.
  package init(_ count: Int, one: Phrase, other: Phrase) {
    let digits = String(count)
    func grouped(_ given: [String]) -> [String] {
      count < 1_000 ? given : given.map { $0 == digits ? AmountText.grouped(count) : $0 }
    }
    key = one.key
    arguments = grouped(one.arguments)
    plural = Plural(key: other.key, count: count, arguments: grouped(other.arguments))
  }

  /// Creates a sentence whose key is known only at run time.
  init(key: String, arguments: [String]) {
    (self.key, plural, self.arguments) = (key, nil, arguments)
  }

  /// Creates a number of things with the same name in every sentence: "3 days".
  ///
  /// - Parameters:
  ///   - count: the number.
  ///   - one: the English singular, a constant.
  ///   - many: the English plural.
  package init(counting count: Int, one: String, many: String) {
    let number = [AmountText.grouped(count)]
    key = "{1} " + one
    arguments = number
    plural = Plural(key: "{1} " + many, count: count, arguments: number)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var arguments: [String] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + 3 * interpolationCount)
      arguments.reserveCapacity(interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { key += literal }

    package mutating func appendInterpolation<Value>(_ value: Value) {
      arguments.append("\(value)")
      key += "{\(arguments.count)}"
    }
  }

  /// Returns the text in a language.
  package func text(in language: Language = .current) -> String {
    let translated = Catalogue.of(language)?.pattern(key, count: plural?.count)
    guard let plural else { return Self.filled(translated ?? key, arguments) }
    let spoken = translated == nil ? Language.english : language
    return spoken.pluralForm(plural.count) == 0
      ? Self.filled(translated ?? key, arguments)
      : Self.filled(translated ?? plural.key, plural.arguments)
  }

  /// Replaces placeholders with the arguments; placeholders within arguments are not replaced.
  private static func filled(_ pattern: String, _ arguments: [String]) -> String {
    guard !arguments.isEmpty else { return pattern }
    var result = ""
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      guard let close = inside.firstIndex(of: "}"), let number = Int(inside[..<close]),
        arguments.indices.contains(number - 1)
      else {
        result.append("{")
        rest = inside
        continue
      }
      result += arguments[number - 1]
      rest = inside[inside.index(after: close)...]
    }
    return result + rest
  }
}

/// Returns a text in the current language.
package func said(_ phrase: Phrase) -> String { phrase.text() }

/// Returns a text in a language.
package func said(_ phrase: Phrase, in language: Language) -> String {
  phrase.text(in: language)
}

/// Returns a sentence about a number of things in the current language.
package func said(_ count: Int, one: Phrase, other: Phrase) -> String {
  Phrase(count, one: one, other: other).text()
}

/// Returns a constant text of the program in the current language, looked up as a whole; for labels
/// stored in tables.
///
/// Other texts are returned unchanged.
package func saidWhole(_ text: String) -> String {
  Catalogue.of(.current)?.pattern(text, count: nil) ?? text
}
