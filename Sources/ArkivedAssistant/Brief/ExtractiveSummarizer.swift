package import ArkivedCore
import Foundation

/// A summarizer that quotes the most informative sentences: those whose words are frequent in the
/// text, that name something, and that mention the subject.
package struct ExtractiveSummarizer: Summarizer {
  package init() {}

  package func summary(
    of note: Note, about subject: String, limit: Int
  ) -> [(line: Int, text: String)] {
    let sentences = sentences(of: note.text)
    guard sentences.count > limit else { return sentences.map { ($0.line, $0.text) } }
    var counts: [String: Int] = [:]
    for sentence in sentences { for word in Set(sentence.words) { counts[word, default: 0] += 1 } }
    let wanted = Set(ExtractiveSummarizer.words(of: subject))
    let scored = sentences.enumerated().map { index, sentence -> (index: Int, score: Double) in
      let words = Set(sentence.words)
      guard words.count > 1 else { return (index, 0) }
      let weight = words.reduce(0.0) { $0 + Double(min(counts[$1] ?? 0, 5) - 1) }
      var score = weight / Double(words.count).squareRoot()
      score += 2 * Double(words.intersection(wanted).count)
      if sentence.text.contains(where: \.isNumber) { score += 0.5 }
      // The first sentence usually states the topic.
      if index == 0 { score += 1 }
      return (index, score)
    }
    let best = scored.sorted { ($0.score, -$0.index) > ($1.score, -$1.index) }.prefix(limit)
    return best.map(\.index).sorted().map { (sentences[$0].line, sentences[$0].text) }
  }

  private struct Sentence {
    var line: Int
    var text: String
    var words: [String]
  }

  /// Returns the sentences of lines other than headings and promises, which are listed separately.
  private func sentences(of text: String) -> [Sentence] {
    var sentences: [Sentence] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let bare = line.drop { $0 == " " || $0 == "\t" }
      guard bare.first != "#", MarkdownText.item(bare).flatMap(MarkdownText.task) == nil else {
        continue
      }
      let plain = MarkdownText.plain(String(line))
      for part in ExtractiveSummarizer.parts(of: plain) {
        let words = ExtractiveSummarizer.words(of: part)
        guard words.count > 1, sentences.count < 2_000 else { continue }
        sentences.append(Sentence(line: number, text: String(part.prefix(300)), words: words))
      }
    }
    return sentences
  }

  /// Splits a line into sentences, which end with a full stop, a question mark or an exclamation
  /// mark before a space.
  private static func parts(of line: String) -> [String] {
    var parts: [String] = []
    var part = ""
    for character in line {
      if character.isWhitespace, let last = part.last, ".!?".contains(last) {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [part]).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func words(of text: String) -> [String] {
    NameFolding.loose(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter { $0.count > 3 }
  }
}
