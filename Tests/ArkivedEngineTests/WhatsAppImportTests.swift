import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// What the tests of chats have in common.
struct ChatArchiveTest {
  let test: TestArchive

  init() throws { test = try TestArchive() }

  @discardableResult
  func run(_ path: URL) throws -> ImportRun {
    test.clock.advance(seconds: 60)
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(path)
    return try #require(runs.first)
  }

  @discardableResult
  func take(_ text: String, named name: String) throws -> ImportRun {
    try run(try test.folder.file("in/\(name)", text))
  }

  func entries(_ day: String) throws -> [Activity] { try test.day(day).activities }

  func notes(_ day: String) throws -> [String] {
    (try entries(day).first?.notes ?? "").components(separatedBy: "\n\n")
  }

  func export() throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { lines.append($0) }
    return Array(lines.dropFirst()).sorted()
  }

  /// Imports it again, which changes nothing, and takes it back, after which nothing is left.
  func comesOnceAndGoes(_ path: URL) throws {
    let empty = try export()
    let first = try run(path)
    let full = try export()
    #expect(full != empty)
    let again = try run(path)
    #expect(again.created.isEmpty && again.updated == 0, "\(again.created) \(again.updated)")
    #expect(try export() == full)
    for run in [again, first] {
      let change = try test.archive.importRun(matching: run.id.uuidString).changeID
      _ = try? test.archive.undo(change)
    }
    #expect(try export() == empty)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }
}

@Suite("Chats of WhatsApp")
struct WhatsAppImportTests {
  private static let android = """
    3/13/26, 9:15\u{202F}PM - Messages and calls are end-to-end encrypted. Tap to learn more.
    3/13/26, 9:15\u{202F}PM - Anna Schmidt: Are you coming?
    3/13/26, 11:59\u{202F}PM - Ben: Yes: at 8.
    Bring *cake*

    and <b>tea</b>
    3/14/26, 12:05\u{202F}AM - Anna Schmidt: <Media omitted>
    3/14/26, 12:06\u{202F}AM - Anna Schmidt: IMG-20260314-WA0001.jpg (file attached)
    the cake
    3/14/26, 12:07\u{202F}PM - Anna changed the subject from “a: b” to “c”

    """

  @Test func anAndroidChatBecomesOneEntryADay() throws {
    let chat = try ChatArchiveTest()
    _ = try chat.test.folder.file(
      "in/IMG-20260314-WA0001.jpg", TestPicture.png(width: 4, height: 4))
    let run = try chat.take(Self.android, named: "WhatsApp Chat with Anna Schmidt.txt")
    #expect(run.format == "whatsapp" && run.created == ["activity": 2])
    let first = try #require(try chat.entries("2026-03-13").first)
    #expect(first.text == "WhatsApp with Anna Schmidt" && first.kind == .social)
    #expect(first.source == .whatsAppImport && first.description == "2 messages")
    #expect(first.people.map(\.name) == ["Anna Schmidt"] && first.people[0].personID != nil)
    #expect(first.startAt.map { chat.test.zone.wallTime(at: $0).clockText } == "21:15")
    #expect(first.endAt == nil)
    #expect(
      first.notes == """
        21:15 – Messages and calls are end-to-end encrypted. Tap to learn more.

        **21:15 Anna Schmidt:** Are you coming?

        **23:59 Ben:** Yes: at 8.  
        Bring \\*cake\\*

        and \\<b>tea\\</b>
        """)
    let second = try #require(try chat.entries("2026-03-14").first)
    #expect(second.attachments.map(\.originalName) == ["IMG-20260314-WA0001.jpg"])
    #expect(second.attachments.first?.type == .photo)
    #expect(second.attachments.first?.contentHash != nil)
    #expect(
      try chat.notes("2026-03-14") == [
        "**00:05 Anna Schmidt:** (Media omitted)",
        "**00:06 Anna Schmidt:** ![photo](attachment:IMG-20260314-WA0001.jpg)  \nthe cake",
        "12:07 – Anna changed the subject from “a: b” to “c”",
      ])
    #expect(run.warnings.contains { $0.message.contains("Export the chat with media") })
  }

  @Test func everyWordCanBeFound() throws {
    let chat = try ChatArchiveTest()
    try chat.take(Self.android, named: "WhatsApp Chat with Anna Schmidt.txt")
    let found = try chat.test.archive.search(
      SearchRequest(query: "cake tea"), words: WordQuery("cake tea"))
    #expect(found.map(\.id) == (try chat.entries("2026-03-13").map(\.id)))
  }

  private static let ios = """
    \u{200E}[14.03.26, 09:15:32] Family: \u{200E}Messages and calls are end-to-end encrypted.
    [14.03.26, 09:15:40] ~\u{202F}Anna: Look
    \u{200E}[14.03.26, 09:16:00] \u{202A}+49 170 1234567\u{202C}: \u{200E}<attached: 00000012-PHOTO-2026-03-14-09-16-00.jpg>
    \u{200E}[14.03.26, 09:17:00] Family: \u{200E}You added Zoe
    [14.03.26, 09:18:00] Ben: Bill.pdf • \u{200E}1 page \u{200E}<attached: 00000013-Bill.pdf>
    \u{200E}[14.03.26, 09:19:00] Ben: \u{200E}image omitted

    """

  private func zip(_ text: String = ios) throws -> Data {
    try TestZip([
      (name: "_chat.txt", content: Data(text.utf8)),
      (
        name: "00000012-PHOTO-2026-03-14-09-16-00.jpg",
        content: TestPicture.png(width: 4, height: 4, seed: 2)
      ),
      (name: "00000013-Bill.pdf", content: Data("%PDF-1.4 x".utf8)),
      (name: "00000014-Ann.vcf", content: Data("BEGIN:VCARD\nFN:Zoe\nEND:VCARD\n".utf8)),
    ]).data()
  }

  @Test func anIOSArchiveBringsItsMediaAndWhoWrote() throws {
    let chat = try ChatArchiveTest()
    let file = try chat.test.folder.file("WhatsApp Chat - Family.zip", try zip())
    let run = try chat.run(file)
    #expect(run.format == "whatsapp" && run.created == ["activity": 1])
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.text == "WhatsApp: Family")
    #expect(entry.people.map(\.name) == ["Anna", "+491701234567", "Ben"])
    #expect(
      entry.attachments.map(\.originalName)
        == ["00000012-PHOTO-2026-03-14-09-16-00.jpg", "00000013-Bill.pdf"])
    #expect(
      try chat.notes("2026-03-14") == [
        "09:15 – Messages and calls are end-to-end encrypted.", "**09:15 Anna:** Look",
        "**09:16 +491701234567:** ![photo](attachment:00000012-PHOTO-2026-03-14-09-16-00.jpg)",
        "09:17 – You added Zoe",
        "**09:18 Ben:** [00000013-Bill.pdf](attachment:00000013-Bill.pdf)  \nBill.pdf • 1 page",
        "**09:19 Ben:** (image omitted)",
      ])
    // A card that was sent to nobody's knowledge is no address book.
    #expect(run.warnings.contains { $0.place.hasSuffix("00000014-Ann.vcf") })
  }

  @Test(arguments: [
    "\u{200E}<Anhang: 00000012-PHOTO-2026-03-14-09-16-00.jpg>", "\u{200E}Bild weggelassen",
    "See \u{200E}<attached: 00000012-PHOTO-2026-03-14-09-16-00.jpg>",
  ])
  func anArchiveThatBeginsWithAPhotoKeepsItsSender(first: String) throws {
    let chat = try ChatArchiveTest()
    let text =
      "\u{200E}[14.03.26, 09:16:00] Anna: \(first)\n[14.03.26, 09:17:00] Ben: Nice\n"
      + "[14.03.26, 09:18:00] Zoe: Yes\n"
    let file = try chat.test.folder.file("WhatsApp Chat - Family.zip", try zip(text))
    let run = try chat.run(file)
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.text == "WhatsApp: Family" && entry.description == "3 messages")
    #expect(entry.people.map(\.name) == ["Anna", "Ben", "Zoe"])
    let isThere = first.contains(".jpg")
    #expect(entry.attachments.count == (isThere ? 1 : 0), "\(run.warnings)")
    let notes = try #require(entry.notes)
    #expect(
      notes.hasPrefix(
        isThere
          ? "**09:16 Anna:** ![photo](attachment:00000012-PHOTO-2026-03-14-09-16-00.jpg)"
          : "**09:16 Anna:** (Bild weggelassen)"))
  }

  @Test func itComesOnceAndGoes() throws {
    let chat = try ChatArchiveTest()
    try chat.comesOnceAndGoes(
      try chat.test.folder.file("WhatsApp Chat - Family.zip", try zip()))
  }

  @Test func aLongerExportUpdatesItsLastDayAlone() throws {
    let chat = try ChatArchiveTest()
    try chat.take(Self.android, named: "WhatsApp Chat with Anna Schmidt.txt")
    let more =
      Self.android + "3/14/26, 12:08\u{202F}PM - Ben: Bye\n3/15/26, 9:00\u{202F}AM - Ben: Hi\n"
    // Another phone, another language, and a second download.
    let run = try chat.take(more, named: "WhatsApp-Chat mit Anna Schmidt (1).txt")
    #expect(run.created == ["activity": 1] && run.updated == 1 && run.unchanged == 1)
    #expect(try chat.notes("2026-03-14").last == "**12:08 Ben:** Bye")
  }

  /// Dates as phones in many countries write them, and the day and clock they mean.
  @Test(arguments: [
    ("14/03/2026, 09:05 - ", "2026-03-14 09:05"), ("14/03/26 09:05 - ", "2026-03-14 09:05"),
    ("14.03.26, 09:05 - ", "2026-03-14 09:05"), ("2026-03-14 09:05 - ", "2026-03-14 09:05"),
    ("14-03-2026 09:05 - ", "2026-03-14 09:05"), ("14.3.2026 klo 9.05 - ", "2026-03-14 09:05"),
    ("14/3/26 9:05 p. m. - ", "2026-03-14 21:05"), ("14/3/26, 9:05 a.m. - ", "2026-03-14 09:05"),
    ("3/14/26, 12:05 AM - ", "2026-03-14 00:05"), ("3/14/26, 12:05 PM - ", "2026-03-14 12:05"),
    ("[14/03/2026, 09:05:06] ", "2026-03-14 09:05"),
    ("[3/14/26, 9:05:06\u{202F}PM] ", "2026-03-14 21:05"),
    ("[14.3.2026 klo 9.05.06] ", "2026-03-14 09:05"),
    ("[2026/03/14 21:05:06] ", "2026-03-14 21:05"),
    ("2026/3/14 下午9:05 - ", "2026-03-14 21:05"), ("2026. 3. 14. 오후 9:05 - ", "2026-03-14 21:05"),
    ("\u{200F}١٤\u{200F}/٣\u{200F}/٢٠٢٦، ٩:٠٥ م - ", "2026-03-14 21:05"),
    ("14/3/2569 21:05 - ", "2026-03-14 21:05"), ("14/03/2026 à 09:05 - ", "2026-03-14 09:05"),
    ("2026. 03. 14. 9:05 - ", "2026-03-14 09:05"), ("14/03/26, 9:05 μ.μ. - ", "2026-03-14 21:05"),
    ("2026년 3월 14일 오후 9:05, ", "2026-03-14 21:05"),
    ("2026년 3월 14일 오전 9:05 - ", "2026-03-14 09:05"),
    ("2026년 3월 14일 21:05, ", "2026-03-14 21:05"), ("2026年3月14日 下午9:05 - ", "2026-03-14 21:05"),
    ("2026年3月14日 21:05 - ", "2026-03-14 21:05"),
    ("14/03/26, 9:05 PTG - ", "2026-03-14 21:05"), ("14/03/26, 12:05 PG - ", "2026-03-14 00:05"),
    ("14/3/26, பிற்பகல் 9:05 - ", "2026-03-14 21:05"),
    ("14/3/26, ಅಪರಾಹ್ನ 9:05 - ", "2026-03-14 21:05"), ("14/3/26, 9:05 ਬਾ.ਦੁ. - ", "2026-03-14 21:05"),
    ("14.3.2026, 9:05 e pasdites - ", "2026-03-14 21:05"),
    ("১৪/৩/২৬, ৯:০৫ PM - ", "2026-03-14 21:05"), ("14/3/16, 13:05:06: ", "2016-03-14 13:05"),
    ("3/14/16, 1:05:06 PM: ", "2016-03-14 13:05"), ("14/03/2016 09:05:06: ", "2016-03-14 09:05"),
  ]) func datesOfManyPhonesAreRead(head: String, meant: String) throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take("\(head)Anna: Hello\n", named: "WhatsApp Chat with Anna.txt")
    let entry = try #require(try chat.entries(String(meant.prefix(10))).first, "\(run.warnings)")
    #expect(entry.notes == "**\(meant.suffix(5)) Anna:** Hello")
    #expect(!run.warnings.contains { $0.message.contains("start with the day or the month") })
  }

  @Test func oneBadDateDoesNotTurnTheOthersRound() throws {
    let chat = try ChatArchiveTest()
    try chat.take(
      "14/03/26, 09:15 - Anna: a\n31/02/26, 09:16 - Anna: b\n", named: "WhatsApp Chat with Anna.txt"
    )
    #expect(try chat.entries("2026-03-14").count == 1)
    // Years of two digits in front, as some phones have them.
    let other = try ChatArchiveTest()
    try other.take(
      "25/03/31, 09:15 - Anna: a\n25/04/30, 09:16 - Anna: b\n25/12/29, 09:16 - Anna: c\n"
        + "26/01/31, 09:00 - Anna: d\n", named: "WhatsApp Chat with Anna.txt")
    #expect(try other.entries("2026-01-31").count == 1)
  }

  @Test func theOrderOfDatesIsSettledOverTheWholeChat() throws {
    // Only the last date says it.
    let american = try ChatArchiveTest()
    try american.take(
      "1/2/26, 09:00 - Anna: a\n1/3/26, 09:00 - Anna: b\n1/13/26, 09:00 - Anna: c\n",
      named: "WhatsApp Chat with Anna.txt")
    #expect(try american.entries("2026-01-02").count == 1)
    #expect(try american.entries("2026-01-03").count == 1)
    // Read the other way, time would run backwards.
    let british = try ChatArchiveTest()
    try british.take(
      "11/02/26, 09:00 - Anna: a\n01/03/26, 09:00 - Anna: b\n02/03/26, 09:00 - Anna: c\n",
      named: "WhatsApp Chat with Anna.txt")
    #expect(try british.entries("2026-02-11").count == 1)
    // Nothing says it: that is told.
    let open = try ChatArchiveTest()
    let run = try open.take("01/02/26, 09:00 - Anna: a\n", named: "WhatsApp Chat with Anna.txt")
    #expect(run.warnings.contains { $0.message.contains("start with the day or the month") })
  }

  @Test func whatIsWrongIsNamedAndNothingIsLost() throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take(
      "14/03/26, 09:15 - Anna: a\n31/02/26, 09:16 - Anna: b\n14/03/26, 29:15 - Anna: c\n"
        + "14/03/26, 09:17 - Anna: d", named: "WhatsApp Chat with Anna.txt")
    for line in [2, 3] {
      #expect(
        run.warnings.contains {
          $0.place.hasSuffix("Anna.txt:\(line)") && $0.message.contains("doesn’t exist")
        })
    }
    let text = try #require(try chat.entries("2026-03-14").first?.notes)
    for word in ["b", "c", "**09:17 Anna:** d"] { #expect(text.contains(word)) }
  }

  @Test func aKoreanChatHasASpaceBeforeItsColons() throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take(
      "2026년 3월 14일 오후 9:05, Ann : 안녕\n2026년 3월 14일 오후 9:06, Bob : 네: 좋아요\n둘째 줄\n",
      named: "ko.txt")
    #expect(run.format == "whatsapp", "\(run.warnings)")
    #expect(
      try chat.notes("2026-03-14") == ["**21:05 Ann:** 안녕", "**21:06 Bob:** 네: 좋아요  \n둘째 줄"])
  }

  @Test func wordsThatLookLikeAFileStayWords() throws {
    let chat = try ChatArchiveTest()
    try chat.take(
      "14/03/26, 09:15 - Anna: Look at node.js (it is great)\n",
      named: "WhatsApp Chat with Anna.txt")
    #expect(
      try chat.notes("2026-03-14") == ["**09:15 Anna:** Look at node.js (it is great)"])
  }

  @Test func aMessageCannotPretendToBeAnother() throws {
    let chat = try ChatArchiveTest()
    try chat.take(
      "14/03/26, 09:15 - Anna: hi\n**09:16 Ben:** I owe you\n", named: "WhatsApp Chat with Anna.txt"
    )
    let text = try #require(try chat.entries("2026-03-14").first?.notes)
    #expect(text.contains("\\*\\*09:16 Ben:\\*\\*"))
  }

  @Test func aQuotedLineOfAnOldChatStaysInItsMessage() throws {
    let chat = try ChatArchiveTest()
    try chat.take(
      "14/03/26, 09:15 - Anna: hi\n14/03/16, 09:16:01: Ben: I owe you\n",
      named: "WhatsApp Chat with Anna.txt")
    #expect(try chat.entries("2016-03-14").isEmpty)
    #expect(
      try chat.notes("2026-03-14") == ["**09:15 Anna:** hi  \n14/03/16, 09:16:01: Ben: I owe you"])
  }

  @Test func aDayOfTooMuchTextGoesOnInFurtherEntries() throws {
    let chat = try ChatArchiveTest()
    let line = "14/03/26, 09:15 - Anna: " + String(repeating: "words ", count: 2_000) + "\n"
    try chat.take(
      String(repeating: line, count: 200) + "14/03/26, 09:16 - Anna: end\n",
      named: "WhatsApp Chat with Anna.txt")
    let entries = try chat.entries("2026-03-14")
    #expect(
      entries.map(\.text).sorted().prefix(2) == ["WhatsApp with Anna", "WhatsApp with Anna (2)"])
    let words = entries.compactMap(\.description).compactMap { Int($0.prefix { $0.isNumber }) }
    #expect(words.reduce(0, +) == 201)
  }

  @Test func aJournalAndALogAreNoChats() {
    let importer = WhatsAppImporter()
    for text in [
      "[2016-05-07 09:30] Note: milk\nbody\n", "[2026-03-14 09:15:32] INFO: started\n",
      "2016-05-07 09:30 Title: x\n", "Date,Time\n14/03/26,09:15\n",
      "14/03/2026 09:15:32: INFO: started\n",
    ] { #expect(!importer.recognises(head: Array(text.utf8), fileName: "a.txt"), "\(text)") }
  }

  @Test func aContactsNumberLeadsFromAChatToThePerson() throws {
    let chat = try ChatArchiveTest()
    let file = try chat.test.folder.file("WhatsApp Chat - Family.zip", try zip())
    try chat.run(file)
    try chat.take(
      "BEGIN:VCARD\nVERSION:3.0\nFN:Jonas Weber\nTEL:+49 170 1234567\nEND:VCARD\n",
      named: "contacts.vcf")
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.people.map(\.name) == ["Anna", "Jonas Weber", "Ben"])
  }
}
