import ArkivedCore
package import Foundation
import Synchronization

/// A dictionary of German and English words, so that a question in one language finds entries in the
/// other.
///
/// `Scripts/make_dictionary.py` writes its two files from Debian's package `trans-de-en` and
/// describes their format. They are sorted by bytes and searched in place.
package struct BilingualDictionary: Sendable {
  /// The grammatical form of an English meaning.
  package enum Form: Character, Sendable {
    case noun = "n"
    case plural = "N"
    /// An adjective or adverb.
    case adjective = "a"
    case infinitive = "v"
    case participle = "p"
    case past = "f"
    case present = "g"

    /// True for the forms of a verb.
    package var isVerb: Bool {
      switch self {
      case .infinitive, .participle, .past, .present: true
      case .noun, .plural, .adjective: false
      }
    }
  }

  /// An English meaning of a German word.
  package struct Meaning: Sendable, Equatable {
    package var form: Form
    /// A word or a short phrase; the stem of a verb.
    package var english: String
    /// The past form of a verb; nil for other words.
    package var past: String?

    package init(form: Form, english: String, past: String? = nil) {
      (self.form, self.english, self.past) = (form, english, past)
    }
  }

  private let german: SortedWordFile
  private let english: SortedWordFile

  /// The beginning of a file's first line; another version is ignored.
  private static let head = "#! Arkived dictionary 1,"

  /// Opens the dictionary in a folder; nil if it is missing, or was written for another version.
  package init?(in folder: URL) {
    func file(_ name: String) -> SortedWordFile? {
      SortedWordFile(folder.appendingPathComponent(name), head: Self.head)
    }
    guard let german = file("german-english.tsv"), let english = file("english-german.tsv")
    else { return nil }
    (self.german, self.english) = (german, english)
  }

  // MARK: This computer's dictionary

  /// The dictionary of the current task, in place of the installed one.
  @TaskLocal package static var used: BilingualDictionary?

  private static let opened = Mutex<(folder: URL, dictionary: BilingualDictionary?)?>(nil)

  /// Returns the dictionary installed on this computer, if any.
  ///
  /// It is opened only once per folder.
  package static func installed(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> BilingualDictionary? {
    let folder = folder(environment)
    return opened.withLock { opened in
      if let opened, opened.folder == folder { return opened.dictionary }
      let dictionary = BilingualDictionary(in: folder)
      opened = (folder, dictionary)
      return dictionary
    }
  }

  /// Returns the folder named by `ARKIVED_DICTIONARY`; without it, `arkived/dictionary` in
  /// `XDG_DATA_HOME`, or else in `~/.local/share`.
  package static func folder(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let named = environment["ARKIVED_DICTIONARY"], !named.isEmpty {
      return URL(fileURLWithPath: HomeFolder.expandingTilde(named), isDirectory: true)
    }
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? HomeFolder.url().appendingPathComponent(".local/share")
    return data.appendingPathComponent("arkived/dictionary", isDirectory: true)
  }

  // MARK: Looking up

  /// Returns the English meanings of a German word in any case, the most common first; none if it is
  /// unknown.
  package func meanings(ofGerman word: String) -> [Meaning] {
    german.fields(of: word).compactMap { field in
      guard let sign = field.first, let form = Form(rawValue: sign) else { return nil }
      let parts = field.dropFirst(2).split(separator: "/", maxSplits: 1).map(String.init)
      guard let stem = parts.first else { return nil }
      return Meaning(form: form, english: stem, past: parts.dropFirst().first)
    }
  }

  /// Returns German words for an English word or phrase of two words, in lower case, the most common
  /// first; none if it is unknown.
  package func german(for phrase: String) -> [String] { english.fields(of: phrase) }
}
