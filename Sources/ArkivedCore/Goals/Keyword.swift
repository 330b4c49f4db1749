import Foundation

/// A word or phrase to look up in a text, in any of its regular and irregular forms.
package struct Keyword: Hashable, Sendable {
  /// A word of a text, prepared for comparison.
  package struct Word: Hashable, Sendable {
    /// In lower case and without accents.
    let text: String
    let stem: String

    init(_ text: String) {
      self.text = text
      stem = Keyword.stem(text)
    }
  }

  package let text: String
  private let words: [(word: Word, forms: Set<String>)]

  package init(_ text: String) {
    self.text = text
    words = Keyword.words(of: text).map { ($0, Set(WordForms.english.forms(of: $0.text))) }
  }

  /// True if it contains nothing that could be found.
  package var isEmpty: Bool { words.isEmpty }

  package static func == (left: Keyword, right: Keyword) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Returns the words of a text.
  ///
  /// In scripts without spaces between words, each character is a word.
  package static func words(of text: String) -> [Word] {
    NameFolding.loose(Segmentation.spaced(text)).split(whereSeparator: {
      !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’"
    }).map { word in
      let isPossessive = word.hasSuffix("'s") || word.hasSuffix("’s")
      return Word(String(isPossessive ? word.dropLast(2) : word))
    }
  }

  /// Returns true if a word of a text may be the keyword's first word.
  func begins(with word: Word) -> Bool { !words.isEmpty && isForm(word, at: 0) }

  /// Returns true if the keyword occurs in the words of a text.
  package func stands(in text: [Word]) -> Bool {
    guard !words.isEmpty, text.count >= words.count else { return false }
    return (0...(text.count - words.count)).contains { start in
      words.indices.allSatisfy { isForm(text[start + $0], at: $0) }
    }
  }

  /// Returns true if a word is the keyword's word at an index or one of its forms: "runs",
  /// "running" and "ran" for "run".
  private func isForm(_ word: Word, at index: Int) -> Bool {
    let (own, forms) = words[index]
    if word.text == own.text { return true }
    guard word.text.utf8.count > 2, own.text.utf8.count > 1 else { return false }
    return word.stem == own.stem || forms.contains(word.text)
  }

  /// Returns a word without the endings of the plural, the third person, -ed and -ing.
  ///
  /// Two words with the same stem are forms of one word.
  private static func stem(_ word: String) -> String {
    var stem = word
    func drop(_ ending: String, keeping least: Int = 3) -> Bool {
      guard stem.hasSuffix(ending), stem.count - ending.count >= least else { return false }
      stem.removeLast(ending.count)
      return true
    }
    if drop("ies", keeping: 2) || drop("ied", keeping: 2) { return stem + "i" }
    if drop("ing") || drop("ed") {
      // "planned" becomes "plan", but "passed" becomes "pass".
      let end = Array(stem.suffix(2))
      if end.count == 2, end[0] == end[1], !["l", "s", "z", "e"].contains(end[0]) {
        stem.removeLast()
      }
    } else if drop("sses") {
      stem += "ss"
    } else if stem.hasSuffix("ches") || stem.hasSuffix("shes") || stem.hasSuffix("xes") {
      stem.removeLast(2)
    } else if !stem.hasSuffix("ss"), !stem.hasSuffix("us"), !stem.hasSuffix("is") {
      _ = drop("s", keeping: 2)
    }
    // Without the last letter, "meditate" matches "meditating" and "study" matches "studies".
    if stem.count > 3, stem.hasSuffix("e") { stem.removeLast() }
    if stem.count > 2, stem.hasSuffix("y") { stem = stem.dropLast() + "i" }
    return stem
  }
}
