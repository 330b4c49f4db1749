import ArkivedCore
package import Foundation
import Synchronization

/// Words with the same or nearly the same meaning, so that a search finds entries in other words.
///
/// `Scripts/make_thesaurus.py` writes its two files from Debian's packages `wordnet-base` and
/// `mythes-de` and describes their format.
package struct RelatedWords: Sendable {
  /// A word or a phrase of two words.
  package struct Word: Equatable {
    package var text: String
    /// How close its meaning is, from 0 to 1.
    package var closeness: Double
  }

  private let english: SortedWordFile
  private let german: SortedWordFile

  private static let head = "#! Arkived related words 1,"

  /// Opens the lists in a folder; nil if they are missing, or were written for another version.
  package init?(in folder: URL) {
    func file(_ name: String) -> SortedWordFile? {
      SortedWordFile(folder.appendingPathComponent(name), head: Self.head)
    }
    guard let english = file("english-related.tsv"), let german = file("german-related.tsv")
    else { return nil }
    (self.english, self.german) = (english, german)
  }

  /// The lists of the current task, in place of the installed ones.
  @TaskLocal package static var used: RelatedWords?

  private static let opened = Mutex<(folder: URL, words: RelatedWords?)?>(nil)

  /// Returns the lists installed on this computer, if any.
  ///
  /// They are opened only once per folder.
  static func installed() -> RelatedWords? {
    let folder = BilingualDictionary.folder()
    return opened.withLock { opened in
      if let opened, opened.folder == folder { return opened.words }
      let words = RelatedWords(in: folder)
      opened = (folder, words)
      return words
    }
  }

  /// Returns the related words of a word in any of its forms, nearest first.
  ///
  /// - Parameters:
  ///   - word: the word, in any case.
  ///   - isGerman: true if it may be German.
  /// - Returns: the related words; none if the word is unknown.
  package func words(relatedTo word: String, isGerman: Bool) -> [Word] {
    let word = word.lowercased()
    var found = Self.first(Self.englishBases(of: word), in: english)
    if isGerman {
      let known = Set(found.map(\.text))
      found += Self.first(Self.germanBases(of: word), in: german).filter {
        !known.contains($0.text)
      }
      found.sort { $0.closeness > $1.closeness }
    }
    return found
  }

  /// Returns true for a word of the language in any of its forms.
  package func knows(_ word: String) -> Bool {
    let word = word.lowercased()
    return !Self.first(Self.englishBases(of: word), in: english).isEmpty
      || !Self.first(Self.germanBases(of: word), in: german).isEmpty
  }

  private static func first(_ bases: [String], in file: SortedWordFile) -> [Word] {
    for base in bases {
      let fields = file.fields(of: base)
      guard !fields.isEmpty else { continue }
      let others = fields.compactMap { field -> Word? in
        guard let digit = field.first?.wholeNumberValue else { return nil }
        return Word(text: String(field.dropFirst(2)), closeness: Double(digit) / 10)
      }
      return base == bases.first ? others : [Word(text: base, closeness: 1)] + others
    }
    return []
  }

  /// The endings of English words, each with the ending that the base form has instead.
  private static let englishEndings = [
    ("ies", "y"), ("ied", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""),
    ("ing", "e"),
    ("ing", ""), ("er", "e"), ("er", ""), ("est", ""), ("ly", ""),
  ]
  private static let germanEndings = [
    ("en", ""), ("e", ""), ("n", ""), ("s", ""), ("er", ""), ("es", ""), ("em", ""), ("t", "en"),
    ("te", "en"),
    ("st", "en"), ("e", "en"),
  ]

  private static func englishBases(of word: String) -> [String] {
    var bases = [word]
    if let base = WordForms.english.forms(of: word).first, base != word {
      bases.insert(base, at: 1)
    }
    bases += stripped(word, englishEndings)
    // “running” doubles the last letter of its base.
    for ending in ["ing", "ed"] where word.hasSuffix(ending) {
      let base = Array(word.dropLast(ending.count))
      if base.count > 2, base[base.count - 1] == base[base.count - 2] {
        bases.append(String(base.dropLast()))
      }
    }
    return bases
  }

  private static func germanBases(of word: String) -> [String] {
    var bases = [word] + stripped(word, germanEndings)
    if word.hasPrefix("ge") {
      // A participle: “gekauft”.
      bases += stripped(String(word.dropFirst(2)), germanEndings)
    }
    return bases
  }

  private static func stripped(_ word: String, _ endings: [(String, String)]) -> [String] {
    endings.compactMap { ending, instead in
      guard word.hasSuffix(ending), word.count >= ending.count + 3 else { return nil }
      return word.dropLast(ending.count) + instead
    }
  }
}
