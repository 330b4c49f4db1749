import CTexts
import Foundation

/// The texts of a language by their English ones.
package struct Catalogue: Sendable {
  /// The forms of each text: one, or as many as the language has for numbers of things.
  private let forms: [String: [String]]
  private let language: Language

  /// - Throws: `PortableObjectError` for a file that is no catalogue.
  package init(_ language: Language, parsing text: String) throws(PortableObjectError) {
    self.language = language
    var forms: [String: [String]] = [:]
    for entry in try PortableObject(parsing: text).entries where entry.isUsable {
      forms[entry.key] = entry.forms
    }
    self.forms = forms
  }

  /// The catalogue of a language; nil for English, which stands in the sources.
  package static func of(_ language: Language) -> Catalogue? {
    language.code == "de" ? german : nil
  }

  // What is wrong with a catalogue is found by the tests; a program goes on in English.
  private static let german = try? Catalogue(.german, parsing: source(of: .german))

  /// The file of a language; empty for English.
  package static func source(of language: Language) -> String {
    language.code == "de" ? String(ctx_german()) : ""
  }

  /// The sentence for a text, with its places still open.
  ///
  /// - Parameter count: the number that it is about, if it is about one.
  package func pattern(_ key: String, count: Int?) -> String? {
    guard let forms = forms[key] else { return nil }
    guard let count else { return forms.first }
    let index = language.pluralForm(count)
    return forms.indices.contains(index) ? forms[index] : forms.last
  }
}
