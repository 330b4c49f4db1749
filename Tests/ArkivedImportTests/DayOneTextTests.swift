import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite("Day One: text")
struct DayOneTextTests {
  private func read(_ text: String) throws -> (title: String, notes: String?) {
    let entry = try DayOneReading.text(text)
    return (entry.text, entry.notes)
  }

  @Test(
    arguments: [
      ("# A heading\n\nThe rest\nof it", "A heading", "The rest\nof it"),
      ("###### Small ######\n\nRest", "Small", "Rest"),
      ("\n \n\u{200B}\nFirst words\n\n\nRest\n\n", "First words", "Rest"),
      ("One line", "One line", nil),
      ("**All of it bold**\nRest", "All of it bold", "Rest"),
      ("Some **bold** words\nRest", "Some **bold** words", "Rest"),
      ("Underlined\n==========\n\nRest", "Underlined", "Rest"),
      ("#tag is no heading\nRest", "#tag is no heading", "Rest"),
      ("---\n\nAfter a rule\n\nRest", "After a rule", "---\n\nRest"),
      ("Windows\r\n\r\nRest\r\nof it", "Windows", "Rest\r\nof it"),
      ("Soft\u{2028}break", "Soft", "break"),
      ("<https://example.org/a>\nRest", "https://example.org/a", "Rest"),
    ] as [(String, String, String?)])
  func theFirstLineWithWordsNamesTheEntry(text: String, title: String, notes: String?) throws {
    let read = try read(text)
    #expect(read.title == title)
    #expect(read.notes.map { Array($0.utf8) } == notes.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("- [ ] Milk\n- [x] Bread", "Milk"),
    ("1. First\n2. Second", "First"),
    ("> To be or not\n> to be", "To be or not"),
    ("```\nlet x = 1\n```\n\nCode", "let x = 1"),
    ("[Sam’s page](https://sam.example/)\n\nRest", "Sam’s page"),
    ("| a | b |\n| - | - |\n| 1 | 2 |", "a | b |"),
  ])
  func whereTheTitleDoesNotSayAllOfItsLineTheNotesKeepIt(text: String, title: String) throws {
    let read = try read(text)
    #expect(read.title == title)
    #expect(read.notes == text)
  }

  @Test func aLongFirstLineIsCutAtAWordAndKeptWhole() throws {
    let line = String(repeating: "Many words make a long line. ", count: 12)
      .trimmingCharacters(in: .whitespaces)
    let read = try read(line)
    #expect(read.title.count <= 200 && read.title.count > 150)
    #expect(read.title.hasSuffix("…"))
    #expect(line.hasPrefix(String(read.title.dropLast()) + " "))
    #expect(read.notes == line)
    let exact = String(repeating: "abcd ", count: 40).dropLast() + "x"
    #expect(exact.count == 200)
    #expect(try self.read(String(exact)).title == exact)
    #expect(try self.read(String(exact)).notes == nil)
    let script = String(repeating: "日", count: 300)
    #expect(try self.read(script).title == String(repeating: "日", count: 199) + "…")
    #expect(try self.read(script).notes == script)
  }

  @Test(arguments: [
    // As Day One for macOS 1570 wrote "This-text-is-hyphenated" and "(in parentheses)".
    (#"This\-text\-is\-hyphenated"#, "This-text-is-hyphenated"),
    (#"\(This text is in parentheses\)"#, "(This text is in parentheses)"),
    (#"Well\.\.\. No\! 5 \* 3 \+ 1 \= 16"#, "Well... No! 5 * 3 + 1 = 16"),
    (##"snake\_case \#tag C\# a \| b \~5"##, "snake_case #tag C# a | b ~5"),
    (#"\[in brackets\] \{x\} \"q\" \<3 a \> b & c"#, #"[in brackets] {x} "q" <3 a > b & c"#),
    // No escapes: what follows is no punctuation.
    (#"C:\Users\me\n"#, #"C:\Users\me\n"#),
    // Code says what it says.
    (#"`a\.b` and \.c"#, #"`a\.b` and .c"#),
    (#"[a\.b](https://e.org/a\_b\)c)"#, #"[a.b](https://e.org/a\_b\)c)"#),
  ])
  func backslashesBeforePunctuationGo(text: String, expected: String) throws {
    #expect(try read("Title\n\n" + text).notes == expected)
  }

  @Test(arguments: [
    ##"\# No heading"##, #"\- no list"#, #"1\. no list"#, #"\> no quote"#, #"\*no emphasis\*"#,
    #"\`no code\`"#, #"\[no link\](https://e.org)"#, #"\<b>no tag\</b>"#, #"\&amp; no entity"#,
    #"\~\~not struck\~\~"#, #"- \[ ] no box"#, #"\\. a backslash before a point"#,
  ])
  func backslashesThatKeepMarksFromMeaningSomethingStay(text: String) throws {
    #expect(try read("Title\n\n" + text).notes == text)
    // As a title it is plain text, where nothing means anything.
    #expect(try !read(text).title.hasPrefix("\\") || text.hasPrefix(#"\\"#))
  }

  @Test func codeBlocksAreKeptByteForByte() throws {
    let code = "```\na\\.b \\# c\n![](dayone-moment://X)\n```"
    #expect(try read("Title\n\n\(code)\n\nEnd\\.").notes == "\(code)\n\nEnd.")
  }

  @Test func hostileLinesAreReadInOneGo() throws {
    // With a search to the end at every mark, each of these would take minutes.
    for part in ["`", "](", "<a", #"\["#, #"\."#, "![", "](dayone-", #"\`"#, "[", "`` `"] {
      let line = String(repeating: part, count: 10_000)
      let read = try read("Title\n\n" + line)
      #expect(read.title == "Title")
      #expect(read.notes?.utf8.count ?? 0 >= 10_000)
    }
  }

  @Test func whatStandsForAnObjectAndNULAreNoWords() throws {
    let read = try read("Tea\0 starts\n\n\u{FFFC}a cup")
    #expect(read.title == "Tea starts" && read.notes == "a cup")
  }
}
