import Foundation
import Testing

@testable import ArkivedCore

/// Keeps the texts of the catalogue as plain as they are; `PlainWords/forbidden.txt` lists what no
/// text may hold.
///
/// Sentences that only former versions wrote are not looked at.
@Suite("Plain words") struct PlainWordsTests {
  private let entries: [PortableObject.Entry]

  init() throws { entries = try Self.presentEntries() }

  @Test func noTextHasAForbiddenShape() throws {
    let shape = try Self.forbiddenShape()
    for text in entries.flatMap(Self.texts) {
      guard let found = Self.match(of: shape, in: text) else { continue }
      Issue.record("“\(text)” has the forbidden shape “\(found)”")
    }
  }

  @Test func noSentenceHasMoreThan25Words() {
    for text in entries.flatMap(Self.texts) where !Self.hasExamples(text) {
      for sentence in Self.sentences(in: text) where Self.wordCount(of: sentence) > 25 {
        Issue.record("\(Self.wordCount(of: sentence)) words: “\(sentence)”")
      }
    }
  }

  @Test func oneGermanSentenceHasOneEnglishWording() {
    var wordings: [[String]: Set<String>] = [:]
    for entry in entries {
      let wording = Self.wording(of: entry.key)
      guard wording.split(separator: " ").count(where: { $0 != "#" }) > 2 else { continue }
      wordings[entry.forms, default: []].insert(wording)
    }
    for (german, english) in wordings where english.count > 1 {
      Issue.record("“\(german[0])” translates \(english.sorted())")
    }
  }

  @Test func everyNameOfTheGlossaryIsUsedInBothLanguages() throws {
    let english = entries.flatMap { [$0.key, $0.plural ?? ""] }.joined(separator: "\n").lowercased()
    let german = entries.flatMap(\.forms).joined(separator: "\n").lowercased()
    let names = try Self.glossary()
    try #require(names.count > 60)
    for (name, translation) in names {
      #expect(english.contains(name.lowercased()), "“\(name)” is in no English text")
      #expect(german.contains(translation.lowercased()), "“\(translation)” is in no German text")
    }
  }

  /// In a shell, an unquoted “#” begins a comment, and an apostrophe a quotation.
  @Test func everyExampleOfACommandCanBeTypedInAShell() {
    var count = 0
    for line in entries.flatMap(Self.texts).flatMap({ $0.split(separator: "\n") }) {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard line.hasPrefix("arkived ") else { continue }
      count += 1
      #expect(Self.isShellSafe(line), "\(line)")
    }
    #expect(count > 300)
  }

  @Test func theChecksFindWhatTheyLookFor() throws {
    let shape = try Self.forbiddenShape()
    func isForbidden(_ text: String) -> Bool { Self.match(of: shape, in: text) != nil }
    for text in [
      "It is no file", "made Anew", "Did you mean #x?.", "priority 3 = Rang 3", "Open the door",
    ] { #expect(isForbidden(text), "\(text)") }
    for text in ["There is no {1}.", "{1} is no longer linked.", "Did you mean #x?", "ein Drang"] {
      #expect(!isForbidden(text), "\(text)")
    }
    let long = Array(repeating: "word", count: 26).joined(separator: " ")
    #expect(Self.sentences(in: "One. Two: \(long)").map(Self.wordCount) == [1, 1, 26])
    #expect(Self.wording(of: "“{1}” were there.") == Self.wording(of: "{1} was there"))
    for example in ["arkived tea at Joe's", "arkived tea #late", "arkived tea 'at nine   now"] {
      #expect(!Self.isShellSafe(example), "\(example)")
    }
    for example in ["arkived \"tea at Joe's #late\"", "arkived tea   Joe's", "arkived tea # now"] {
      #expect(Self.isShellSafe(example), "\(example)")
    }
  }

  // MARK: Texts

  /// Returns the names of the glossary in English and German, without the verb of an expression.
  private static func glossary() throws -> [(String, String)] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/Glossary.md").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    let current = text.components(separatedBy: "## Names being replaced")[0]
    return current.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Name |") }
      .flatMap { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let names = cells[0].components(separatedBy: ", ")
        let translations = cells[1].components(separatedBy: ", ")
        return Array(zip(names, translations))
      }
  }

  private static let legacyHeading = "## As versions before 2027 wrote it"

  /// Returns the entries of the German catalogue whose English text the program still says.
  private static func presentEntries() throws -> [PortableObject.Entry] {
    let parts = KeptSentences.otherRooms.components(separatedBy: legacyHeading)
    try #require(parts.count == 2)
    func keys(_ table: String) -> Set<String> {
      Set(KeptSentences.lines(table).map { String($0).replacing("*}", with: "}") })
    }
    let legacy = keys(parts[1]).subtracting(keys(parts[0]))
    let source = Catalogue.source(of: .german)
    let lines = source.components(separatedBy: "\n")
    return try PortableObject(parsing: source).entries.filter { entry in
      guard legacy.contains(entry.key) else { return true }
      // The comments before the entry name the files that say it.
      let places = lines[..<(entry.line - 1)].reversed().prefix { $0.hasPrefix("#: ") }
      return Array(places) != ["#: kept.txt"]
    }
  }

  /// Returns one expression for all shapes of the file.
  ///
  /// Swift's own know no look-behind.
  private static func forbiddenShape() throws -> NSRegularExpression {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "PlainWords/forbidden.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    try #require(lines.count > 10)
    return try NSRegularExpression(
      pattern: lines.joined(separator: "|"), options: .caseInsensitive)
  }

  private static func match(of shape: NSRegularExpression, in text: String) -> Substring? {
    shape.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
      .flatMap { Range($0.range, in: text) }.map { text[$0] }
  }

  private static func texts(_ entry: PortableObject.Entry) -> [String] {
    [entry.key] + [entry.plural].compactMap(\.self) + entry.forms
  }

  /// Returns whether a shell passes on all words of an example, which ends before an explanation
  /// in a second column.
  private static func isShellSafe(_ example: String) -> Bool {
    let end = example.firstRange(of: "   ")?.lowerBound ?? example.endIndex
    var quote: Character?
    var (isWordStart, isMark) = (true, false)
    for character in example[..<end] {
      if isMark, character.isLetter { return false }
      isMark = false
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#", isWordStart {
        isMark = true
      }
      isWordStart = character == " "
    }
    return quote == nil
  }

  /// Returns whether a text is a help page, with examples in columns.
  private static func hasExamples(_ text: String) -> Bool {
    text.contains("\n") || text.contains("  ")
  }

  private static func sentences(in text: String) -> [Substring] {
    text.split(separator: /[.!?:;][”“"’)]*\s+/)
  }

  private static func wordCount(of sentence: some StringProtocol) -> Int {
    sentence.split(whereSeparator: \.isWhitespace)
      .count { $0.contains { $0.isLetter || $0.isNumber } }
  }

  /// Returns the words of a text alone, in lower case, with “#” for what is put in.
  ///
  /// Forms for one and for several things count as the same wording.
  private static func wording(of text: String) -> String {
    text.replacing(/\{\w+\}/, with: "#").lowercased()
      .split { !$0.isLetter && !$0.isNumber && $0 != "#" }
      .map { ["is", "are", "was", "were"].contains($0) ? "be" : $0 }
      .joined(separator: " ")
  }
}
