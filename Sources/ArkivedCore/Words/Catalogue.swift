import CTexts
import Foundation

/// The texts of a language, keyed by their English originals.
package struct Catalogue: Sendable {
  /// The forms of each text: one, or as many as the language has plural forms.
  private let forms: [String: [String]]
  private let language: Language

  /// Parses the catalogue of a language.
  ///
  /// - Throws: `PortableObjectError` if the file is not a catalogue.
  package init(_ language: Language, parsing text: String) throws(PortableObjectError) {
    self.language = language
    var forms: [String: [String]] = [:]
    for entry in try PortableObject(parsing: text).entries where entry.isUsable {
      forms[entry.key] = entry.forms
    }
    self.forms = forms
  }

  /// Returns the catalogue of a language, or nil for English, whose texts are in the sources.
  package static func of(_ language: Language) -> Catalogue? {
    language.code == "de" ? german : nil
  }

  // Tests find errors in a catalogue; if there is one, the program continues in English.
  private static let german = try? Catalogue(.german, parsing: source(of: .german))

  /// Returns the file of a language, empty for English.
  package static func source(of language: Language) -> String {
    language.code == "de" ? String(ctx_german()) : ""
  }

  /// Returns the sentence for a text, with its placeholders.
  ///
  /// - Parameters:
  ///   - key: the text in English, as it appears in the catalogue.
  ///   - count: the number the text is about, if any.
  /// - Returns: the sentence; nil if it isn't in the catalogue.
  package func pattern(_ key: String, count: Int?) -> String? {
    guard let forms = forms[key] else { return nil }
    guard let count else { return forms.first }
    let index = language.pluralForm(count)
    return forms.indices.contains(index) ? forms[index] : forms.last
  }
}
