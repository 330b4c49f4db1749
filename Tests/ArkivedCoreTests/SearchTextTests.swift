import ArkivedCore
import Foundation
import Testing

@Suite("Queries, snippets and spans")
struct SearchTextTests {
  @Test func aQueryLineHasWordsPhrasesPrefixesPartsAndExclusions() {
    let query = WordQuery("soup \"half marathon\" -injury run* *berg* -\"bad knee\"")
    #expect(
      query.terms == [
        .init(text: "soup"), .init(text: "half marathon", form: .phrase),
        .init(text: "injury", isExcluded: true), .init(text: "run", form: .prefix),
        .init(text: "berg", form: .inside),
        .init(text: "bad knee", form: .phrase, isExcluded: true),
      ])
  }

  @Test(arguments: ["", "   ", "\"", "\"\"", "-", "--", "*", "**", "()[]{}", "AND", "!?", "\0"])
  func halfTypedOperatorsAreNoTermsOrPlainWords(line: String) {
    #expect(WordQuery(line).terms.count <= 1)
  }

  @Test func aPastedPageIsSearchedByItsFirstWords() {
    let page = String(repeating: "word ", count: 100_000)
    #expect(WordQuery(page).terms.count == WordQuery.termLimit)
  }

  @Test func textOfScriptsWithoutSpacesIsSplitAndJoinedAgain() {
    let text = "am 3日本語テキスト gelesen, ไทย 한국어 é\u{1F}\u{2}"
    let spaced = Segmentation.spaced(text)
    #expect(spaced.contains("\u{1F}日\u{1F}\u{1F}本\u{1F}"))
    #expect(Segmentation.joined(spaced) == "am 3日本語テキスト gelesen, ไทย 한국어 é")
    #expect(Segmentation.spaced("plain text") == "plain text")
  }

  @Test(arguments: ["йод", "ψωμί", "がぎ", "한국", "é"])
  func decomposedTextIsSplitAsComposedText(text: String) {
    let parts = text.decomposedStringWithCanonicalMapping
    #expect(Array(parts.utf8) != Array(text.utf8))
    #expect(Array(Segmentation.spaced(parts).utf8) == Array(Segmentation.spaced(text).utf8))
  }

  @Test(arguments: [
    ("Ran", ["run", "ran"]), ("Straße", ["straße", "strasse"]),
    ("Fussball", ["fussball", "fußball"]),
    ("tea", ["tea"]),
    (
      "strassenschluss",
      ["strassenschluss", "strassenschluß", "straßenschluss", "straßenschluß"]
    ),
  ])
  func aSearchKnowsTheSpellingsOfAWord(word: String, spellings: [String]) {
    #expect(WordForms.english.searched(for: word) == spellings)
  }

  @Test func marksBecomeHighlightsAndNeighboursJoin() {
    let snippet = Snippet(marked: "in \u{1F}\u{2}日\u{3}\u{1F}\u{1F}\u{2}本\u{3}\u{1F} a\u{2}b\u{3}")
    #expect(snippet.text == "in 日本 ab")
    #expect(snippet.highlights == [3..<5, 7..<8])
    #expect(snippet.pieces.map(\.text) == ["in ", "日本", " a", "b"])
  }

  @Test func aHighlightIncludesTheSignsOfItsLastLetter() {
    let thai = Snippet(marked: "\u{2}\u{0E14}\u{3}\u{1F}\u{1F}\u{0E35}\u{1F}\u{1F}\u{0E21}")
    #expect(thai.highlights == [0..<2])
    let hindi = Snippet(marked: "\u{2}\u{0928}\u{0926}\u{3}\u{0940} \u{0915}\u{0940}")
    #expect(hindi.highlights == [0..<3])
    #expect(Snippet(marked: "\u{2}a\u{3} \u{301}b").highlights == [0..<1])
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-31", "March 2026"), ("2026-03-08", "2026-03-14", "8–14 March 2026"),
    ("2026-01-01", "2026-12-31", "2026"), ("2019-01-01", "2021-12-31", "2019–2021"),
    ("2026-02-28", "2026-03-03", "28 February – 3 March 2026"),
    ("2026-03-14", "2026-03-14", "14 March 2026"),
    ("2018-01-01", "9999-12-31", "since 1 January 2018"),
    ("2025-12-30", "2026-01-02", "30 December 2025 – 2 January 2026"),
    ("2026-01-01", "2026-03-31", "January–March 2026"),
  ])
  func spansReadAsAPersonWouldSayThem(from: String, to: String, text: String) throws {
    let span = try #require(DayKey(from))...(try #require(DayKey(to)))
    #expect(SpanText.days(span) == text)
  }

  @Test func aWordInALongTextIsShownWithItsSurroundings() throws {
    let filler = String(repeating: "über ", count: 100)
    let text = filler + "kept Running home" + filler
    let marked = try #require(LongText.surroundings(of: ["runs", "running"], in: text))
    let snippet = Snippet(marked: marked)
    #expect(snippet.pieces.filter(\.isHighlighted).map(\.text) == ["Running"])
    #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…"))
    #expect(!snippet.text.contains("\u{FFFD}"))
    #expect(LongText.surroundings(of: ["zebra", ""], in: text) == nil)
  }

  @Test(arguments: [
    ("京都", "私は京都で寺を見た", "京都"), ("ärger", "viel Ärger im Büro", "Ärger"),
    ("Öl", "kein öl mehr", "öl"), ("реки", "Ребёнок вдоль Реки", "Реки"),
  ])
  func aWordOfAnyScriptIsMarkedInALongText(word: String, line: String, found: String) throws {
    let filler = String(repeating: "lorem 日 ", count: 100)
    let text = Segmentation.spaced(filler + line + " " + filler)
    let marked = try #require(LongText.surroundings(of: [word], in: text))
    #expect(Snippet(marked: marked).pieces.filter(\.isHighlighted).map(\.text) == [found])
    let all = Snippet(marked: LongText.marked([word], in: Segmentation.spaced(line)))
    #expect(all.text == line && all.pieces.filter(\.isHighlighted).map(\.text) == [found])
  }

  @Test func noCharacterIsCutAroundAWord() throws {
    for count in 200..<206 {
      let filler = String(repeating: "👨‍👩‍👧‍👦", count: count) + String(repeating: " ", count: count - 200)
      let text = filler + " castle " + filler
      let marked = try #require(LongText.surroundings(of: ["castle"], in: text))
      #expect(Set(Snippet(marked: marked).text).subtracting(" …castle") == ["👨‍👩‍👧‍👦"])
    }
  }
}
