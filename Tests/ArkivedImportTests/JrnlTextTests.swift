import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct JrnlTextTests {
  /// As jrnl 4.6 writes it with the settings it comes with.
  private static let journal = """
    [2016-05-07 09:30:00 AM] A fine day with @Sam and foo@bar.com.
    We walked.

    [2016-05-08 07:30:15 PM] Star day #bar is long. And has two sentences. *
    - a list

     - end

    [2016-05-08 07:30:40 PM] Words alone

    """

  @Test func entriesOfVersion4ComeInWithTimeTitleBodyTagsAndStar() throws {
    let read = try JrnlReading.read(Self.journal)
    #expect(
      read.titles == [
        "A fine day with @Sam and foo@bar.com.", "Star day #bar is long. And has two sentences.",
        "Words alone",
      ])
    #expect(read.bodies == ["We walked.", "- a list\n\n - end", ""])
    #expect(
      read.walls == ["2016-05-07T09:30:00", "2016-05-08T19:30:15", "2016-05-08T19:30:40"])
    #expect(read.starts.first == "2016-05-07T07:30:00Z")
    #expect(read.activities.map(\.tags) == [["Sam"], ["bar"], []])
    #expect(read.activities.map(\.isPinned) == [false, true, false])
    #expect(read.activities.allSatisfy { $0.source == .jrnlImport && $0.people.isEmpty })
    #expect(read.activities.allSatisfy { $0.timeZone == "Europe/Rome" && $0.notes != "" })
    #expect(read.places == ["journal.txt:1", "journal.txt:4", "journal.txt:9"])
    #expect(read.problems.isEmpty)
  }

  @Test func theZoneUsedIsToldOncePerRun() throws {
    let folder = try TemporaryFolder()
    let context = try JrnlReading.context()
    let first = try folder.file("2016/05/07.txt", "[2016-05-07 09:30] A\n")
    let second = try folder.file("2016/05/08.txt", "[2016-05-08 09:30] B\n")
    let told = try [
      JrnlReading.read(first, name: "2016/05/07.txt", context: context),
      JrnlReading.read(second, name: "2016/05/08.txt", context: context),
    ].flatMap(\.diagnostics)
    #expect(told.count == 1)
    #expect(told.first?.severity == .note)
    #expect(told.first?.message.contains("Europe/Rome") == true)
  }

  /// jrnl 4.6: the title is the first line; only an entry of one line without an end, as before a
  /// header that follows at once, is cut after its first sentence.
  @Test func titlesEndWhereJrnlEndsThem() throws {
    let read = try JrnlReading.read(
      "[2016-05-07 09:30] One. Two\n[2016-05-07 09:31] Three! Four\n\n"
        + "[2016-05-07 09:32] (Was it “good?”) Yes\n[2016-05-07 09:33] 今日は寒い。明日も\n"
        + "[2016-05-07 09:34] No end here, v1.2\n[2016-05-07 09:35] Last. One")
    #expect(
      read.titles == [
        "One.", "Three! Four", "(Was it “good?”)", "今日は寒い。", "No end here, v1.2", "Last.",
      ])
    #expect(read.bodies == ["Two", "", "Yes", "明日も", "", "One"])
  }

  @Test func anEntryWithoutATitleTakesItsFirstLine() throws {
    let read = try JrnlReading.read(
      "[2016-05-07 09:30] \n\nBody text\nmore\n\n[2016-05-07 09:31]    Spaced\n    code\nend\n\n"
        + "[2016-05-07 09:32] *\nStarred\nbody\n")
    #expect(read.titles == ["Body text", "Spaced", "Starred"])
    #expect(read.bodies == ["more", "    code\nend", "body"])
    #expect(read.activities.map(\.isPinned) == [false, false, true])
  }

  @Test func anEntryWithoutWordsIsLeftOutAndNamed() throws {
    let read = try JrnlReading.read("[2016-05-07 09:30] A\n\n[2016-05-07 09:31] \n\n \n")
    #expect(read.titles == ["A"])
    #expect(
      read.problems == [
        Diagnostic(
          .skipped, place: "journal.txt:3", message: "skipped: the entry has no text")
      ])
  }

  @Test(arguments: [
    ("Great *", "Great"), ("* Great *", "Great"), ("*Great day *", "Great day"),
    ("Best.*", "Best."), ("Best.* *", "Best."), ("**Bold** start *", "**Bold** start"),
    ("This is *important*", "This is *important*"), ("a * b *", "a * b"),
  ])
  func aLineThatEndsWithAStarIsStarredAndMarkdownStays(line: String, title: String) throws {
    let read = try JrnlReading.read("[2016-05-07 09:30] \(line)\nbody\n")
    #expect(read.titles == [title])
    #expect(read.activities.map(\.isPinned) == [true])
    let plain = try JrnlReading.read("[2016-05-07 09:30] *Not* starred here\n")
    #expect(plain.activities.map(\.isPinned) == [false])
  }

  /// jrnl splits at such lines too, whichever format its dates have; a space must follow.
  @Test func aBodyLineThatLooksLikeADateBeginsAnEntryAsInJrnl() throws {
    let read = try JrnlReading.read(
      """
      [2016-05-07 09:30] A
      [x] done
      [1.2.3] Version
      [Note 5] words
       [2016-05-07 09:31] quoted
      [2016-05-08] B
      [2016-05-09 10:00]
      [7 May 2016 11:00] C

      """)
    #expect(read.titles == ["A", "B", "C"])
    #expect(
      read.bodies == [
        "[x] done\n[1.2.3] Version\n[Note 5] words\n [2016-05-07 09:31] quoted",
        "[2016-05-09 10:00]", "",
      ])
    #expect(read.walls == ["2016-05-07T09:30:00", "2016-05-08", "2016-05-07T11:00:00"])
    #expect(read.problems.map(\.place) == ["journal.txt:7"])
  }

  @Test func linesBeforeTheFirstEntryAreNamed() throws {
    let read = try JrnlReading.read("\nMy life\n\nand more\n[2016-05-07 09:30] A\n", name: "a.jrnl")
    #expect(read.titles == ["A"])
    #expect(read.problems.map(\.place) == ["a.jrnl:2"])
    #expect(read.problems.first?.severity == .skipped)
    #expect(read.problems.first?.message.contains("2 lines before the first entry") == true)
  }

  @Test func tagsAreReadAsJrnlReadsThem() throws {
    let read = try JrnlReading.read(
      "[2016-05-07 09:30] a @Sam, @x/y-z+# #12 foo@bar.c (@paren) @é @a.b @sam *\n"
        + "#deep-work http://x.y/#frag # heading ## more @\n@_under @e\u{301}t\u{e9} @日本\n")
    #expect(
      read.activities.map(\.tags) == [
        ["Sam", "x/y-z", "12", "é", "a", "deep-work", "_under", "e\u{301}té", "日本"]
      ])
    #expect(read.titles.first?.contains("@Sam, @x/y-z+# #12") == true)
  }

  @Test func aTagTooLongToBeOneStaysAWord() throws {
    let word = "@" + String(repeating: "x", count: 300)
    let read = try JrnlReading.read("[2016-05-07 09:30] A \(word) @ok\n")
    #expect(read.activities.map(\.tags) == [["ok"]])
    #expect(read.titles == ["A \(word) @ok"])
  }

  @Test func windowsLineEndsAndMarksAreTaken() throws {
    let text = "[2016-05-07 09:30] Grüße *\nZeile eins\n\nZeile zwei\n\n[2016-05-07 09:31] B\n"
    let plain = try JrnlReading.read(text)
    let windows = text.replacingOccurrences(of: "\n", with: "\r\n")
    var little = Data([0xFF, 0xFE])
    for unit in windows.utf16 { little.append(contentsOf: [UInt8(unit & 255), UInt8(unit >> 8)]) }
    for data in [Data(windows.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(windows.utf8), little] {
      let read = try JrnlReading.read(data)
      #expect(JrnlReading.recognises(Array(data), "journal.txt"))
      #expect(read.titles == ["Grüße", "B"])
      #expect(read.bodies == ["Zeile eins\n\nZeile zwei", ""])
      #expect(read.hashes == plain.hashes && read.identifiers == plain.identifiers)
    }
  }

  @Test func anEntryThatIsNotUTF8IsReadAsWindows1252AndNamed() throws {
    let data =
      Data("[2016-05-07 09:30] Gr".utf8) + Data([0xFC, 0xDF, 0x65, 0x20, 0x80])
      + Data("\n\n[2016-05-07 09:31] Grüße\n".utf8)
    let read = try JrnlReading.read(data)
    #expect(read.titles == ["Grüße €", "Grüße"])
    #expect(read.problems.map(\.place) == ["journal.txt:1"])
    #expect(read.problems.first?.severity == .note)
  }

  @Test func nulIsTakenOutAndTold() throws {
    let read = try JrnlReading.read("[2016-05-07 09:30] A\u{0}B\nbo\u{0}dy\n")
    #expect(read.titles == ["AB"])
    #expect(read.bodies == ["body"])
    #expect(read.problems.map(\.place) == ["journal.txt:1"])
    for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
  }

  @Test func everyCutOfAJournalComesInOrIsRefusedWithItsPlace() throws {
    let bytes = Array(Self.journal.utf8)
    for count in 0...bytes.count {
      do {
        let read = try JrnlReading.read(Data(bytes[..<count]))
        for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
      } catch let refusal as ImportRefusal {
        #expect(refusal.place == "journal.txt:1")
      }
    }
  }
}
