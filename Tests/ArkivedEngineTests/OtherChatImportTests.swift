import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Chats of Telegram")
struct TelegramImportTests {
  private static let messages = #"""
    {"id": 1, "type": "service", "date": "2026-03-14T08:00:00", "date_unixtime": "1773471600",
     "actor": "Anna", "actor_id": "user7", "action": "joined_telegram", "text": ""},
    {"id": 2, "type": "message", "date": "2026-03-14T09:15:00", "date_unixtime": "1773476100",
     "from": "Anna", "from_id": "user7", "text": ["See ", {"type": "text_link", "text": "this", "href": "https://x.example/a_b"}, "\x0Band *that*"],
     "reactions": [{"type": "emoji", "count": 2, "emoji": "👍"}]},
    {"id": 3, "type": "message", "date": "2026-03-14T09:16:00", "date_unixtime": "1773476160",
     "from": "Ben", "from_id": "user1", "photo": "photos/photo_1@14-03-2026.jpg", "width": 4, "text": "cake"},
    {"id": 4, "type": "message", "date": "2026-03-14T09:17:00", "date_unixtime": "1773476220",
     "from": "Ben", "from_id": "user1", "file": "(File not included. Change data exporting settings to download.)",
     "file_name": "a.pdf", "mime_type": "application/pdf", "text": ""},
    {"id": 5, "type": "service", "date": "2026-03-14T10:00:00", "date_unixtime": "1773478800",
     "actor": "Anna", "actor_id": "user7", "action": "phone_call", "duration_seconds": 125, "text": ""},
    {"id": 6, "type": "message", "date": "2026-03-15T00:30:00", "from": "Anna", "from_id": 7,
     "media_type": "sticker", "file": "stickers/a.webp", "sticker_emoji": "😀", "text": ""}
    """#

  private static let one = #"""
    {"name": "Anna", "type": "personal_chat", "id": 7, "messages": [\#(messages)]}
    """#

  @Test func oneChatBecomesOneEntryADay() throws {
    let chat = try ChatArchiveTest()
    _ = try chat.test.folder.file(
      "in/photos/photo_1@14-03-2026.jpg", TestPicture.png(width: 4, height: 4))
    _ = try chat.test.folder.file("in/result.json", Self.one)
    let run = try chat.run(chat.test.folder.url.appendingPathComponent("in"))
    #expect(run.format == "telegram" && run.created == ["activity": 2])
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.text == "Telegram with Anna" && entry.source == .telegramImport)
    #expect(entry.people.map(\.name) == ["Anna"])
    #expect(entry.attachments.map(\.originalName) == ["photo_1@14-03-2026.jpg"])
    #expect(
      try chat.notes("2026-03-14") == [
        "08:00 – Anna joined telegram",
        "**09:15 Anna:** See this (https://x.example/a_b)and \\*that\\*  \n(👍 2)",
        "**09:16 Me:** ![photo](attachment:photo_1@14-03-2026.jpg)  \ncake",
        "**09:17 Me:** (a.pdf not exported)", "**10:00 Anna:** Call, 2 min 5 s",
      ])
    #expect(try chat.notes("2026-03-15") == ["**00:30 Anna:** (sticker 😀)"])
  }

  @Test func allChatsAreToldApart() throws {
    let chat = try ChatArchiveTest()
    let all = #"""
      {"about": "Here is the data you requested.",
       "personal_information": {"user_id": 1, "first_name": "Ben"},
       "contacts": {"about": "", "list": []},
       "chats": {"about": "", "list": [
        {"messages": [\#(Self.messages)], "name": "Anna", "type": "personal_chat", "id": 7},
        {"type": "saved_messages", "id": 1, "messages": [
          {"id": 9, "type": "message", "date_unixtime": "1773476100", "from": "Ben", "from_id": "user1", "text": "milk"}]},
        {"name": "Team", "type": "private_group", "id": 8, "messages": [
          {"id": 9, "type": "message", "date_unixtime": "1773476100", "from": "Zoe", "from_id": "user3", "text": "hi"},
          {"id": 10, "type": "message", "date_unixtime": "1773476000", "from": "Ben", "from_id": "user1", "text": "early"}]},
        {"name": "News", "type": "public_channel", "id": 9, "messages": [
          {"id": 9, "type": "message", "date_unixtime": "1773476100", "from": "News", "from_id": "channel9", "text": "now"}]}]}}
      """#
    let run = try chat.take(all, named: "result.json")
    let entries = try chat.entries("2026-03-14").sorted { $0.text < $1.text }
    #expect(
      entries.map(\.text)
        == ["Telegram with Anna", "Telegram: News", "Telegram: Saved messages", "Telegram: Team"])
    #expect(entries.map { $0.people.map(\.name) } == [["Anna"], [], [], ["Zoe"]])
    #expect(entries.last?.notes == "**09:13 Me:** early\n\n**09:15 Zoe:** hi")
    #expect(run.warnings.contains { $0.message.contains("not imported: contacts") })
  }

  @Test func deletedAccountsAreToldApartAndAddNobody() throws {
    let chat = try ChatArchiveTest()
    let group = #"""
      {"name": "Team", "type": "private_group", "id": 8, "messages": [
        {"id": 1, "type": "message", "date_unixtime": "1773476100", "from": null, "from_id": "user77", "text": "one"},
        {"id": 2, "type": "message", "date_unixtime": "1773476160", "from": "", "from_id": "user78", "text": "two"},
        {"id": 3, "type": "message", "date_unixtime": "1773476220", "from": "Zoe", "from_id": "user3", "text": "three"}]}
      """#
    try chat.take(group, named: "result.json")
    #expect(
      try chat.notes("2026-03-14") == [
        "**09:15 Deleted account 77:** one", "**09:16 Deleted account 78:** two",
        "**09:17 Zoe:** three",
      ])
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.people.map(\.name) == ["Zoe"] && entry.description == "3 messages")
    let today = try #require(DayKey("2026-03-14"))
    #expect(try chat.test.archive.people(today: today).map(\.person.name) == ["Zoe"])
  }

  @Test func itComesOnceAndGoesAlsoAsAnArchive() throws {
    let chat = try ChatArchiveTest()
    let zip = TestZip([
      (name: "ChatExport/result.json", content: Data(Self.one.utf8)),
      (
        name: "ChatExport/photos/photo_1@14-03-2026.jpg",
        content: TestPicture.png(width: 4, height: 4)
      ),
    ])
    let file = try chat.test.folder.file("export.zip", try zip.data())
    try chat.comesOnceAndGoes(file)
    #expect(try chat.run(file).format == "telegram")
    #expect(try chat.entries("2026-03-14").first?.attachments.count == 1)
  }

  @Test func aFileThatIsCutOffIsReadAsFarAsItGoes() throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take(String(Self.one.dropLast(300)), named: "result.json")
    #expect(run.warnings.contains { $0.message.contains("only part of the file could be read") })
    #expect(try chat.entries("2026-03-14").count == 1)
    let bad = try ChatArchiveTest()
    let other = try bad.take(
      Self.one.replacing("\"1773476160\"", with: "\"9999999999999999\""), named: "result.json")
    #expect(
      other.warnings.contains {
        $0.place == "result.json chat “Anna” message 3 field “date”"
          && $0.message.contains("9999999999999999")
      })
  }
}

@Suite("Text messages of SMS Backup & Restore")
struct SMSImportTests {
  private static let picture = TestPicture.png(width: 4, height: 4).base64EncodedString()
  private static let backup = """
    <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
    <!--File Created By SMS Backup & Restore v10 on 14/03/2026 "x" -->
    <?xml-stylesheet type="text/xsl" href="sms.xsl"?>
    <smses count="5" backup_date="1773518400000" type="full">
      <sms protocol="0" address="+491701234567" date="1773476100000" type="1" subject="null" body="Caf&#233; &#55357;&#56832;?&#10;*now*" contact_name="Anna" />
      <sms protocol="0" address="0170 1234567" date="1773476160000" type="2" subject="null" body='say data="QUJD" ok' contact_name="Anna" />
      <sms protocol="0" address="AMAZON" date="1773476100000" type="1" body="Your parcel" contact_name="(Unknown)" />
      <sms protocol="0" address="+491701234567" date="1773476170000" type="5" body="lost" contact_name="Anna" />
      <mms date="1773476400000" msg_box="1" address="+491701234567~+15555550100" m_type="132" sub="null" contact_name="Anna, Zoe">
        <parts>
          <part seq="-1" ct="application/smil" name="null" text="&lt;smil/&gt;" />
          <part seq="0" ct="image/png" name="null" cl="img.png" text="null" data="\(picture)" />
          <part seq="1" ct="text/plain" text="the cake" data="null" />
        </parts>
        <addrs>
          <addr address="+15555550100" type="137" charset="106" />
          <addr address="insert-address-token" type="151" charset="106" />
        </addrs>
      </mms>
    </smses>

    """

  @Test func messagesBecomeOneEntryAChatAndDay() throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take(Self.backup, named: "sms-20260314.xml")
    #expect(run.format == "sms" && run.created == ["activity": 3])
    let entries = try chat.entries("2026-03-14").sorted { $0.text < $1.text }
    #expect(entries.map(\.text) == ["SMS with Anna", "SMS: AMAZON", "SMS: Anna, Zoe"])
    #expect(entries.map { $0.people.map(\.name) } == [["Anna"], [], ["Zoe"]])
    #expect(
      entries[0].notes == """
        **09:15 Anna:** Café 😀?  
        \\*now\\*

        **09:16 Me:** say data="QUJD" ok

        **09:16 Me:** (not sent) lost
        """)
    #expect(entries[2].notes == "**09:20 Zoe:** ![photo](attachment:img.png)  \nthe cake")
    #expect(entries[2].attachments.first?.mediaType == "image/png")
    #expect(
      entries[2].attachments.first?.byteCount == TestPicture.png(width: 4, height: 4).count)
  }

  @Test func itComesOnceAndGoes() throws {
    let chat = try ChatArchiveTest()
    try chat.comesOnceAndGoes(try chat.test.folder.file("sms.xml", Self.backup))
  }

  @Test func badDatesAndBrokenPartsAreNamed() throws {
    let chat = try ChatArchiveTest()
    let run = try chat.take(
      Self.backup.replacing("1773476160000", with: "99999999999999999")
        .replacing(Self.picture, with: "!!!"), named: "sms.xml")
    #expect(
      run.warnings.contains {
        $0.place == "sms.xml:6 field “date”" && $0.message.contains("99999999999999999")
      })
    #expect(run.warnings.contains { $0.message.contains("img.png") })
    let cut = try ChatArchiveTest()
    let half = try cut.take(String(Self.backup.prefix(900)), named: "sms.xml")
    #expect(half.skipped > 0 && !half.created.isEmpty)
    let empty = try ChatArchiveTest()
    #expect(throws: ImportRefusal.self) {
      try empty.take("<smses count=\"1\"><sms addr", named: "sms.xml")
    }
  }
}

@Suite("Chats of Signal")
struct SignalImportTests {
  @Test func signalExportsFoldersAreRead() throws {
    let chat = try ChatArchiveTest()
    let lines = #"""
      {"date": "2026-03-14T09:15:32", "sender": "Anna", "body": "Are you *coming*?  ", "quote": "", "sticker": "", "reactions": [["Me", "👍"]], "attachments": []}
      {"date": "2026-03-14T09:16:00", "sender": "Me", "body": "  ", "quote": "", "sticker": "", "reactions": [], "attachments": [{"name": "my cake.png", "path": "media/my%20cake.png"}]}

      """#
    let folder = "in/Anna"
    _ = try chat.test.folder.file("\(folder)/data.json", lines)
    _ = try chat.test.folder.file(
      "\(folder)/chat.md", "[2026-03-14 09:15:32] Anna: Are you *coming*?\n")
    _ = try chat.test.folder.file("\(folder)/index.html", "<html></html>")
    _ = try chat.test.folder.file(
      "\(folder)/media/my cake.png", TestPicture.png(width: 4, height: 4))
    let run = try chat.run(chat.test.folder.url.appendingPathComponent("in"))
    #expect(run.format == "signal" && run.created == ["activity": 1] && run.skipped == 0)
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.text == "Signal with Anna" && entry.people.map(\.name) == ["Anna"])
    #expect(
      try chat.notes("2026-03-14") == [
        "**09:15 Anna:** Are you \\*coming\\*?  \n(Me: 👍)",
        "**09:16 Me:** ![photo](attachment:my%20cake.png)",
      ])
  }

  @Test func pagesAloneAreReadWithTheirMedia() throws {
    let chat = try ChatArchiveTest()
    let page = """
      [2026-03-14 09:15:32] Anna: Hello

      > quoted

      second line
      [2026-03-14, 09:16] Me: ![a.png](./media/a.png)  look

      """
    let file = try chat.test.folder.file("Anna/chat.md", page)
    _ = try chat.test.folder.file("Anna/media/a.png", TestPicture.png(width: 4, height: 4))
    try chat.comesOnceAndGoes(file)
    try chat.run(file)
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.text == "Signal with Anna" && entry.attachments.count == 1)
    #expect(try chat.notes("2026-03-14").last == "**09:16 Me:** ![photo](attachment:a.png)  \nlook")
  }

  @Test func envelopesOfSignalCLIAreRead() throws {
    let chat = try ChatArchiveTest()
    let lines = #"""
      {"envelope":{"source":"+491701234567","sourceNumber":"+491701234567","sourceUuid":"u-7","sourceName":"Anna","sourceDevice":1,"timestamp":1773476100000,"dataMessage":{"timestamp":1773476100000,"message":"Hi","attachments":[]}},"account":"+15555550100"}
      {"envelope":{"source":"+15555550100","sourceNumber":"+15555550100","sourceUuid":"u-1","timestamp":1773476160000,"syncMessage":{"sentMessage":{"destination":"+491701234567","destinationNumber":"+491701234567","timestamp":1773476160000,"message":"Hello"}}},"account":"+15555550100"}
      {"jsonrpc":"2.0","method":"receive","params":{"envelope":{"sourceUuid":"u-7","sourceNumber":"+491701234567","sourceName":"Anna","timestamp":1773476200000,"dataMessage":{"timestamp":1773476200000,"message":"all","groupInfo":{"groupId":"g=","groupName":"Team"}}}}}
      {"envelope":{"source":"+491701234567","sourceDevice":1,"timestamp":1773476300000,"receiptMessage":{"isDelivery":true}}}

      """#
    let run = try chat.take(lines, named: "signal.jsonl")
    let entries = try chat.entries("2026-03-14").sorted { $0.text < $1.text }
    #expect(entries.map(\.text) == ["Signal with Anna", "Signal: Team"])
    #expect(entries[0].notes == "**09:15 Anna:** Hi\n\n**09:16 Me:** Hello")
    #expect(run.warnings.contains { $0.message.contains("receipts") })
  }

  @Test func anOwnMessageThatWasEditedElsewhereIsRead() throws {
    let chat = try ChatArchiveTest()
    let lines = #"""
      {"envelope":{"source":"+491701234567","sourceNumber":"+491701234567","sourceUuid":"u-7","sourceName":"Anna","timestamp":1773476100000,"dataMessage":{"timestamp":1773476100000,"message":"Hi"}},"account":"+15555550100"}
      {"envelope":{"source":"+15555550100","sourceNumber":"+15555550100","sourceUuid":"u-1","timestamp":1773476160000,"syncMessage":{"sentMessage":{"destination":"+491701234567","destinationNumber":"+491701234567","editMessage":{"targetSentTimestamp":1773476150000,"dataMessage":{"timestamp":1773476160000,"message":"Hello again"}}}}},"account":"+15555550100"}

      """#
    try chat.take(lines, named: "signal.jsonl")
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(entry.notes == "**09:15 Anna:** Hi\n\n**09:16 Me:** Hello again")
  }

  @Test func framesOfABackupAreRead() throws {
    let chat = try ChatArchiveTest()
    let lines = #"""
      {"version":"1","backupTimeMs":"1773518400000"}
      {"recipient":{"id":"1","self":{}}}
      {"recipient":{"id":"2","contact":{"aci":"QUJD","e164":"491701234567","profileGivenName":"Anna","profileFamilyName":"Schmidt"}}}
      {"chat":{"id":"5","recipientId":"2"}}
      {"chatItem":{"chatId":"5","authorId":"2","dateSent":"1773476100000","incoming":{},"standardMessage":{"text":{"body":"Hi"},"reactions":[{"emoji":"👍","authorId":"1"}]}}}
      {"chatItem":{"chatId":"5","authorId":"1","dateSent":"1773476160000","outgoing":{},"standardMessage":{"text":{"body":"Hello"},"attachments":[{"pointer":{"contentType":"image/jpeg","fileName":"a.jpg"}}]}}}

      """#
    try chat.take(lines, named: "main.jsonl")
    let entry = try #require(try chat.entries("2026-03-14").first)
    #expect(
      entry.text == "Signal with Anna Schmidt" && entry.people.map(\.name) == ["Anna Schmidt"])
    #expect(
      entry.notes == "**09:15 Anna Schmidt:** Hi  \n(👍)\n\n**09:16 Me:** (a.jpg)  \nHello")
  }

  @Test func badLinesAreNamed() throws {
    let chat = try ChatArchiveTest()
    let good =
      #"{"date": "2026-03-14T09:15:32", "sender": "Anna", "body": "a", "quote": "", "reactions": [], "attachments": []}"#
    let run = try chat.take(
      "\(good)\n{broken\n\(good.replacing("09:15:32", with: "29:15:32"))\n", named: "data.json")
    #expect(run.warnings.contains { $0.place == "data.json:2" && $0.message.contains("JSON") })
    #expect(run.warnings.contains { $0.place == "data.json:3 field “date”" })
  }
}
