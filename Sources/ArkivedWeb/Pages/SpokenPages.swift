import ArkivedCore
import Foundation
import Synchronization

/// The templates and the scripts' texts in languages other than English, each created on first use.
final class SpokenPages: Sendable {
  struct Spoken: Sendable {
    let templates: PageTemplates
    /// A JSON object for the element `page-words`, keyed by the English texts.
    let scriptWords: String
  }

  private static let known = Mutex<[Language: Spoken]>([:])

  /// Returns the translation for a language.
  ///
  /// - Returns: nil for English, the original language.
  func spoken(_ language: Language) -> Spoken? {
    guard let catalogue = Catalogue.of(language) else { return nil }
    if let spoken = Self.known.withLock({ $0[language] }) { return spoken }
    let spoken = Spoken(
      templates: PageTemplates { catalogue.pattern($0, count: nil) },
      scriptWords: Self.scriptWords(catalogue))
    Self.known.withLock { $0[language] = spoken }
    return spoken
  }

  /// Returns the translations of `word("…")` in the catalogue's language, as the text of an element
  /// of a page.
  static func scriptWords(_ catalogue: Catalogue) -> String {
    var object = JSONObject()
    for key in scriptTexts {
      if let words = catalogue.pattern(key, count: nil) { object[key] = .string(words) }
    }
    // Within an element, nothing may look like its end.
    return JSON.object(object).text().replacing("<", with: "\\u003c")
  }

  /// The texts that the scripts use: the arguments of `word("…")`.
  static var scriptTexts: Set<String> {
    var texts: Set<String> = []
    for asset in Asset.all where asset.name.hasSuffix(".js") {
      var rest = String(decoding: asset.content, as: UTF8.self)[...]
      while let call = rest.firstRange(of: "word(\"") {
        rest = rest[call.upperBound...]
        guard let end = rest.firstIndex(of: "\"") else { break }
        texts.insert(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return texts
  }
}
