import Foundation

/// The terms of a search line: those that must occur and those that must not.
///
/// `"two words"` is a phrase, `-word` excludes, `word*` finds longer words with this beginning,
/// `*part*` finds parts of words. Any text is a valid query; meaningless parts are skipped.
package struct WordQuery: Hashable, Sendable {
  package struct Term: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
      case word, phrase, prefix, inside
    }

    package var text: String
    package var form: Form
    package var isExcluded: Bool

    package init(text: String, form: Form = .word, isExcluded: Bool = false) {
      self.text = text
      self.form = form
      self.isExcluded = isExcluded
    }
  }

  /// The largest number of terms; a pasted page is searched by its first words.
  package static let termLimit = 64

  package var terms: [Term]

  package init(terms: [Term]) { self.terms = Array(terms.prefix(WordQuery.termLimit)) }

  package init(_ line: String) {
    var terms: [Term] = []
    var rest = line.prefix(20_000)[...]
    while terms.count < WordQuery.termLimit {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first else { break }
      var isExcluded = false
      if first == "-", let next = rest.dropFirst().first, !next.isWhitespace, next != "-" {
        isExcluded = true
        rest = rest.dropFirst()
      }
      if let quote = rest.first, let closing = WordQuery.quotes[quote] {
        let inner = rest.dropFirst()
        let content = inner.prefix { $0 != closing }
        rest = inner.dropFirst(content.count + 1)
        terms.append(Term(text: String(content), form: .phrase, isExcluded: isExcluded))
        continue
      }
      let word = rest.prefix { !$0.isWhitespace && $0 != "\"" }
      rest = rest.dropFirst(word.count)
      terms.append(WordQuery.term(of: word, isExcluded: isExcluded))
    }
    self.init(terms: terms.filter { WordQuery.hasContent($0.text) })
  }

  private static let quotes: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»"]

  private static func term(of word: Substring, isExcluded: Bool) -> Term {
    let begins = word.hasPrefix("*")
    let ends = word.hasSuffix("*")
    let bare = word.drop { $0 == "*" }.prefix { $0 != "*" }
    let form: Term.Form = begins ? .inside : ends ? .prefix : .word
    return Term(text: String(bare), form: form, isExcluded: isExcluded)
  }

  /// Returns true if a tokenizer would find anything to search for in a text.
  package static func hasContent(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .privateUse:
        true
      default: false
      }
    }
  }

  /// The terms that a result must contain.
  package var wanted: [Term] { terms.filter { !$0.isExcluded } }
  package var excluded: [Term] { terms.filter(\.isExcluded) }
}
