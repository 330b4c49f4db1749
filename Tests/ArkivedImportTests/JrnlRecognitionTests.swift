import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct JrnlRecognitionTests {
  @Test(arguments: [
    ("[2016-05-07 09:30] A\n", "journal.txt"), ("[2016-05-07 09:30] A\n", "life"),
    ("\n\n[2016-05-07 09:30:00 AM] A\nb\n\n[2016-05-07 09:30:00 AM] A\n", "a.txt"),
    ("[2016-05-07] A\n", "a.txt"), ("2016-05-07 09:30 A\n", "a.txt"),
    ("2016-05-07 09:30 A\n", "a.jrnl"), ("2016-05-07 09:30 A\n", "my journal"),
    ("[2016-05-07 09:30] A\n[2016-05-07 09:31] B\n[2016-05-07 09:32] C\n", "journal.txt"),
    ("\u{FEFF}[2016-05-07 09:30] A\r\n", "a.txt"), ("", "journal.txt"), ("words", "a.jrnl"),
    ("{\"tags\": {\"@a\": 1", "a.json"), ("{\"tags\": {}, \"entries\": []}", "tags.json"),
    ("{\"tags\": {}, \"entries\": [{\"title\": \"A\", \"body\": \"x", "b.json"),
    ("{\"entries\": [{\"body\": \"A\", \"date\": \"2016-05-07\"", "b.json"),
    ("{\"title\": \"A\", \"body\": \"B", "b.json"),
  ])
  func journalsAreRecognised(text: String, name: String) {
    #expect(JrnlReading.recognises(text, name))
  }

  @Test(arguments: [
    // Logs and chats.
    ("[2016-05-07 09:30:12] local.ERROR: a\n[2016-05-07 09:30:13] local.INFO: b\n", "a.txt"),
    ("[2016-05-07 09:30:12] local.ERROR: a\n", "laravel.log"),
    ("2016-05-07 09:30:12,123 INFO a\n", "a.txt"), ("2016-05-07 09:30 a\n", "a.csv"),
    ("2016-05-07 09:30 a\n2016-05-07 09:31 b\n", "a.txt"),
    ("[07.05.16, 09:30:12] Sam: hi\n[07.05.16, 09:30:40] Me: hi\n", "_chat.txt"),
    ("07.05.16, 09:30 - Sam: hi\n07.05.16, 09:31 - Me: hi\n", "chat.txt"),
    // Other texts.
    ("[2016-05-07] Release\n", "CHANGELOG.md"), ("# 2016-05-07\n\n[2016-05-07 09:30] A\n", "a.md"),
    ("words\n[2016-05-07 09:30] A\n", "a.txt"), ("[x] todo\n", "a.txt"), ("", "a.txt"),
    ("[2016-05-07 09:30]\n", "a.txt"), ("[link](2016-05-07)\n", "a.txt"),
    // Other JSON.
    ("{\"tags\": [{\"id\": 1}], \"dayEntries\": []}", "backup.json"),
    ("{\"metadata\": {\"version\": \"1.0\"}, \"entries\": [{\"uuid\": \"A\"}]}", "Journal.json"),
    ("{\"entries\": [{\"uuid\": \"A\", \"creationDate\": \"2016\"}]}", "a.json"),
    ("{\"buckets\": {}}", "a.json"), ("{\"type\": \"activity\", \"text\": \"A\"}", "a.json"),
    ("{\"tags\": {\"a\": 1}, \"entries\": []}", "a.json"), ("{\"tags\": {}, \"x\": 1}", "a.json"),
    ("[{\"title\": \"A\"}]", "a.json"), ("{", "a.json"), ("{\"title\": \"A\"}", "a.json"),
    ("BEGIN:VCALENDAR\n", "a.ics"), ("\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}", "a.txt"),
  ])
  func whatIsNoJournalIsLeftAlone(text: String, name: String) {
    #expect(!JrnlReading.recognises(text, name))
  }

  /// The first bytes of what jrnl 4.6 and jrnl 3.3 write when they encrypt.
  @Test(arguments: [
    Array("JRNLv3".utf8) + [0x00, 0x2C] + Array("eyJzYWx0IjogInh5In0=gAAAAABq".utf8),
    Array("gAAAAABqIAXbHG2gCjZ1RMbQ6xkzvS4ZZlYdSpr8dC2_-w==".utf8),
  ])
  func anEncryptedJournalIsRecognisedAndRefusedWithAWayOut(bytes: [UInt8]) throws {
    #expect(JrnlReading.recognises(bytes, "anything"))
    let refusal = #expect(throws: ImportRefusal.self) {
      try JrnlReading.read(Data(bytes), name: "anything")
    }
    #expect(refusal?.place == "anything:1")
    #expect(refusal?.message.contains("encrypted") == true)
    #expect(refusal?.message.contains("jrnl --export json") == true)
  }

  /// jrnl 1 leaves no mark: AES in CBC mode, its vector first.
  @Test func bytesNamedLikeAJournalAreRefusedWithAWayOut() throws {
    var state: UInt64 = 7
    let bytes = (0..<512).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    #expect(JrnlReading.recognises(bytes, "journal.txt"))
    #expect(!JrnlReading.recognises(bytes, "photo.txt"))
    let refusal = #expect(throws: ImportRefusal.self) { try JrnlReading.read(Data(bytes)) }
    #expect(refusal?.message.contains("jrnl 1 encrypted it") == true)
  }

  @Test(arguments: ["", "\n \n", "words\n", "[yesterday] words\n", "[09:30] A\n"])
  func aJournalWithoutEntriesIsRefused(text: String) {
    let refusal = #expect(throws: ImportRefusal.self) { try JrnlReading.read(text) }
    #expect(refusal?.place == "journal.txt:1")
  }

  @Test func aMissingFileIsRefused() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    #expect(throws: ImportRefusal.self) {
      try JrnlReading.read(url, name: "gone.txt", context: try JrnlReading.context())
    }
  }

  @Test func noHeadMakesRecognisingFail() {
    let text = Array(
      "{\"tags\": {\"@a\": 1}, \"entries\": [{\"title\": \"A\\\"\", \"body\": []}]}".utf8)
    for count in 0...text.count { _ = JrnlReading.recognises(Array(text[..<count]), "a.json") }
    for byte in UInt8.min...UInt8.max {
      for name in ["journal.txt", "a.json", "2016/05/07.txt", "", "/"] {
        _ = JrnlReading.recognises([byte, 0xFE, byte, byte], name)
        _ = JrnlReading.recognises([0x5B, byte, 0x5D, 0x20], name)
      }
    }
  }

  /// Bytes changed, put in and taken out at random, always the same way.
  @Test(arguments: [
    "[2016-05-07 09:30:00 AM] A @b ![x](y.png) *\nbody\n\n[08.05.2016 10:00] B\n| c\n",
    "2016-05-07 09:30 A *\n| body \n| more\n\n2016-05-08 10:00 \u{1B}[36m@b\u{1B}[39m\n",
    "{\"tags\": {\"@b\": 1}, \"entries\": [{\"title\": \"A @b\", \"body\": \"x\\ny\", "
      + "\"date\": \"2016-05-07\", \"time\": \"09:30\", \"tags\": [\"@b\"], \"starred\": true}]}",
  ])
  func damagedJournalsComeInOrAreRefused(text: String) throws {
    let folder = try TemporaryFolder()
    let context = try JrnlReading.context()
    var state: UInt64 = 3
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let marks = Array("[]{}\",:\\\n\r\t *@#|-/.019 \u{1B}\u{0}é".utf8)
    for round in 0..<400 {
      var bytes = Array(text.utf8)
      for _ in 0...next(4) {
        let index = next(bytes.count)
        switch next(3) {
        case 0: bytes[index] = UInt8(next(256))
        case 1: bytes.insert(marks[next(marks.count)], at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 1 + next(6)))
        }
        if bytes.isEmpty { bytes = [0x5B] }
      }
      let url = try folder.file("journal.txt", Data(bytes))
      do {
        let read = try JrnlReading.read(url, name: "journal.txt", context: context)
        for activity in read.activities {
          #expect(throws: Never.self, "round \(round)") { try activity.validate() }
        }
        #expect(Set(read.identifiers).count == read.identifiers.count)
      } catch let refusal as ImportRefusal {
        #expect(refusal.place.hasPrefix("journal.txt"), "round \(round)")
      }
    }
  }
}
