import Foundation

/// A text of a face that keeps its English sentence and what stands in it apart, so that it can be
/// said in another language.
///
/// The English sentence is the key of the catalogues, with `{1}`, `{2}` where something is put in:
/// `said("Show the \(count) before")` is looked up as "Show the {1} before". A text that no
/// catalogue knows is said in English.
package struct Phrase: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The sentence, or the one about a single thing.
  package let key: String
  /// The sentence about several things, and how many there are.
  private let plural: Plural?
  private let arguments: [String]

  private struct Plural: Hashable, Sendable {
    var key: String
    var count: Int
  }

  package init(stringLiteral value: String) {
    (key, plural, arguments) = (value, nil, [])
  }

  package init(stringInterpolation: StringInterpolation) {
    (key, plural, arguments) = (stringInterpolation.key, nil, stringInterpolation.arguments)
  }

  /// A sentence about a number of things: `Phrase(count, one: "\(count) entry", other: "\(count)
  /// entries")`. What is put into the first must be put into the second at the same places.
  package init(_ count: Int, one: Phrase, other: Phrase) {
    key = one.key
    plural = Plural(key: other.key, count: count)
    arguments =
      other.arguments.count >= one.arguments.count ? other.arguments : one.arguments
  }

  /// A sentence whose form is known only when the program runs.
  init(key: String, arguments: [String]) {
    (self.key, plural, self.arguments) = (key, nil, arguments)
  }

  /// A number of things that are called the same in every sentence: "3 days".
  ///
  /// - Parameters:
  ///   - one: what one of them is called in English, a constant.
  ///   - many: what several of them are called.
  package init(counting count: Int, one: String, many: String) {
    key = "{1} " + one
    plural = Plural(key: "{1} " + many, count: count)
    arguments = [AmountText.grouped(count)]
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

  /// The text in a language.
  package func text(in language: Language = .current) -> String {
    let pattern =
      Catalogue.of(language)?.pattern(key, count: plural?.count)
      ?? plural.map { Language.english.pluralForm($0.count) == 0 ? key : $0.key } ?? key
    return arguments.isEmpty ? pattern : filled(pattern)
  }

  /// Puts the arguments into their places; what they hold is not looked through again.
  private func filled(_ pattern: String) -> String {
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

/// A text in the language of the work at hand.
package func said(_ phrase: Phrase) -> String { phrase.text() }

/// A text in a language.
package func said(_ phrase: Phrase, in language: Language) -> String {
  phrase.text(in: language)
}

/// A sentence about a number of things in the language of the work at hand.
package func said(_ count: Int, one: Phrase, other: Phrase) -> String {
  Phrase(count, one: one, other: other).text()
}

/// A constant text of the program in the language of the work at hand, looked up whole: for labels
/// that are kept in tables. What is no constant stays as it is.
package func saidWhole(_ text: String) -> String {
  Catalogue.of(.current)?.pattern(text, count: nil) ?? text
}
