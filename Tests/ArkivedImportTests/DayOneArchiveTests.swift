import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// The same numbers in every run (Knuth's MMIX generator).
private struct SteadyRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

@Suite("Day One: zip archives")
struct DayOneArchiveTests {
  private static let one = "11111111111111111111111111111111"
  private static let two = "22222222222222222222222222222222"

  private func entry(_ uuid: String, photo md5: String? = nil, _ fields: JSON = [:]) -> JSON {
    var entry = DayOneReading.entry(fields).object ?? [:]
    entry["uuid"] = .string(uuid)
    if let md5 { entry["photos"] = [DayOneReading.photo("P\(md5.prefix(1))", md5: md5)] }
    return .object(entry)
  }

  private func journal(_ entries: JSON...) -> Data { DayOneReading.journal(entries) }

  private func read(_ zip: TestZip, name: String = "export.zip") throws -> DayOneSink {
    try DayOneReading.read(try zip.data(), name: name)
  }

  /// Two journals of Day One for macOS beside the media of both, as "Export" of all journals writes.
  private var export: TestZip {
    TestZip([
      ("Journal.json", journal(entry("A", photo: Self.one), entry("B"))),
      ("Kids & Family.json", journal(entry("C", photo: Self.two, ["text": "Park"]))),
      ("photos/\(Self.one).jpeg", DayOneReading.jpeg(1)),
      ("photos/\(Self.two).jpeg", DayOneReading.jpeg(2)),
      ("photos/99999999999999999999999999999999.jpeg", DayOneReading.jpeg(9)),
    ])
  }

  @Test func allJournalsOfAnArchiveComeInWithTheirMedia() throws {
    let sink = try read(export)
    // A photo that no entry names is not lost without a word.
    #expect(
      sink.diagnostics.map(\.place) == [
        "export.zip/photos/99999999999999999999999999999999.jpeg"
      ])
    #expect(sink.activities.flatMap(\.externalRefs).map(\.externalID) == ["A", "B", "C"])
    #expect(sink.activities.map(\.tags) == [[], [], ["Kids & Family"]])
    #expect(try sink.contents(of: 0) == [DayOneReading.jpeg(1)])
    #expect(try sink.contents(of: 2) == [DayOneReading.jpeg(2)])
    #expect(
      sink.records.map(\.place) == [
        "export.zip/Journal.json entry 1 (uuid A)", "export.zip/Journal.json entry 2 (uuid B)",
        "export.zip/Kids & Family.json entry 1 (uuid C)",
      ])
  }

  @Test func onlyWhatEntriesNameIsUnpacked() throws {
    let sink = try read(export)
    let scratch = try #require(sink.scratch?.url)
    let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
    #expect(files.filter { $0.hasSuffix(".jpeg") }.count == 2)
    #expect(files.allSatisfy { !$0.contains("9999") })
  }

  @Test func anArchiveMayHoldAFolderAndWhatSystemsLeaveBeside() throws {
    let sink = try read(
      TestZip([
        ("My export/Journal.json", journal(entry("A", photo: Self.one))),
        ("__MACOSX/My export/._Journal.json", Data([0, 5, 22, 7])),
        ("My export/photos/\(Self.one).jpeg", DayOneReading.jpeg(1)),
        ("My export/.DS_Store", Data([0, 0, 0, 1])),
        ("My export/notes.json", Data(#"{"a":1}"#.utf8)),
      ]))
    #expect(sink.diagnostics.isEmpty)
    #expect(try sink.contents() == [DayOneReading.jpeg(1)])
  }

  @Test func sixtyFourBitArchivesAreRead() throws {
    var zip = export
    zip.isZip64 = true
    #expect(try read(zip).activities.count == 3)
  }

  @Test func namesInOtherEncodingsAreRead() throws {
    let content = journal(entry("A"))
    var marked = TestZip([("Tagebuch f\u{FC}r Ida.json", content)])
    marked.add("日記.json", journal(entry("B")))
    #expect(try read(marked).activities.map(\.tags) == [["Tagebuch für Ida"], ["日記"]])
    var unmarked = marked
    unmarked.marksUnicode = false
    #expect(try read(unmarked).activities.map(\.tags) == [["Tagebuch für Ida"], ["日記"]])
    // Code page 437, which is what an unmarked name that is no UTF-8 is written in.
    var old = TestZip()
    old.marksUnicode = false
    old.add(rawName: Array("Tagebuch f".utf8) + [0x81] + Array("r Ida.json".utf8), content)
    #expect(try read(old).activities.map(\.tags) == [["Tagebuch für Ida"]])
  }

  @Test func recognisesExportsByWhatIsInThem() throws {
    func isKnown(_ files: [(String, Data)]) throws -> Bool {
      let folder = try TemporaryFolder()
      let url = try folder.file("some.bin", try TestZip(files).data())
      return DayOneImporter().recognises(try ZipFile(url), fileName: "some.bin")
    }
    let photo = ("photos/\(Self.one).jpeg", DayOneReading.jpeg(1))
    #expect(try isKnown([("Journal.json", journal(entry("A"))), photo]))
    #expect(try isKnown([("Reise.json", journal())]))
    #expect(try !isKnown([photo]))
    #expect(try !isKnown([("data.json", Data(#"{"habits":[]}"#.utf8)), photo]))
    #expect(try !isKnown([("Habits.csv", Data("Position,Name".utf8))]))
    // A package of a program, a Takeout and a list of Arkived's own.
    #expect(try !isKnown([("package.json", Data(#"{"name":"x","version":"1"}"#.utf8))]))
    #expect(try !isKnown([("Records.json", Data(#"{"locations":[{"latitudeE7":1}]}"#.utf8))]))
    #expect(try !isKnown([("life.json", Data(#"{"type":"arkived","version":1}"#.utf8))]))
  }

  @Test(arguments: [
    (#"{"metadata":{"version":"1.0"},"entries":[]}"#, true),
    (
      "\u{FEFF}\n{ \"metadata\" : { \"version\" : \"1.0\" }, \"entries\" : [ { \"duration\" : 0,",
      true
    ),
    (#"{"entries":[{"uuid":"A","creationDate":"2021-03-03T11:48:50Z"}],"metadata":{}}"#, true),
    (#"{"metadata":{"version":"1.0"},"entries":[{"text":"a very long text that never"#, true),
    (#"{"metadata":{"version":"1.0"},"entries":[{"title":"x","body":"y"}]}"#, false),
    (#"{"tags":{},"entries":[{"title":"jrnl","body":"","date":"2021-01-01"}]}"#, false),
    (#"{"entries":[{"title":"jrnl"}]}"#, false),
    (#"{"type":"activity","text":"\"metadata\" \"entries\" \"uuid\""}"#, false),
    (#"[{"uuid":"A","creationDate":"2021"}]"#, false), ("BEGIN:VCALENDAR", false), ("", false),
    (#"{"metadata":{"version":1},"entries":"#, true), ("{", false), (#"{"metadata"#, false),
  ])
  func journalsAreToldByTheirBeginning(text: String, isJournal: Bool) {
    let head = Array(text.utf8.prefix(4096))
    #expect(DayOneImporter().recognises(head: head, fileName: "Journal.json") == isJournal)
  }

  // MARK: Hostile archives

  @Test func filesThatLeadOutAreNotReadAndNothingIsWrittenOutside() throws {
    var zip = TestZip([("Journal.json", journal(entry("A", photo: Self.one)))])
    for name in [
      "../photos/\(Self.one).jpeg", "/photos/\(Self.one).jpeg", "a/../photos/\(Self.one).jpeg",
      "C:\\photos\\\(Self.one).jpeg", "../Evil.json",
    ] {
      zip.add(name, journal(entry("EVIL")))
    }
    zip.addLink("photos/\(Self.one).jpeg", to: "/etc/passwd")
    let sink = try read(zip)
    #expect(sink.activities.count == 1 && sink.activities.first?.attachments == [])
    #expect(sink.diagnostics.contains { $0.message.contains("files with unsafe names (5)") })
    let scratch = try #require(sink.scratch?.url)
    let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
    #expect(files.filter { $0.contains(".") }.count == 1)
    let parent = scratch.deletingLastPathComponent()
    #expect(
      !FileManager.default.fileExists(atPath: parent.appendingPathComponent("Evil.json").path))
  }

  @Test func pathsOfWindowsAreRead() throws {
    let sink = try read(
      TestZip([
        ("out\\Journal.json", journal(entry("A", photo: Self.one))),
        ("out\\photos\\\(Self.one).jpeg", DayOneReading.jpeg(1)),
      ]))
    #expect(try sink.contents() == [DayOneReading.jpeg(1)])
  }

  @Test func ofTwoFilesOfOneNameTheFirstIsRead() throws {
    let sink = try read(
      TestZip([
        ("Journal.json", journal(entry("A", photo: Self.one))),
        ("photos/\(Self.one).jpeg", DayOneReading.jpeg(1)), ("Journal.json", journal(entry("B"))),
        ("photos/\(Self.one).jpeg", DayOneReading.jpeg(2)),
      ]))
    #expect(sink.activities.flatMap(\.externalRefs).map(\.externalID) == ["A"])
    #expect(try sink.contents() == [DayOneReading.jpeg(1)])
    #expect(sink.skipped.count == 1)
    #expect(sink.skipped.first?.message.contains("2 names occur twice") == true)
  }

  @Test func anEncryptedArchiveIsRefusedWithItsReason() throws {
    var zip = export
    zip.password = "secret"
    let folder = try TemporaryFolder()
    let url = try folder.file("export.zip", try zip.data())
    #expect(DayOneImporter().recognises(try ZipFile(url), fileName: "export.zip"))
    let refusal = #expect(throws: ImportRefusal.self) { try DayOneReading.read(url, in: folder) }
    #expect(refusal?.message.contains("encrypted") == true)
    #expect(refusal?.place == "export.zip/Journal.json")
  }

  @Test func anArchiveCutOffAnywhereNeverCrashesAndTellsIt() throws {
    let whole = [UInt8](try export.data())
    var read = 0
    for count in stride(from: 0, to: whole.count, by: 61) {
      do {
        let sink = try DayOneReading.read(Data(whole.prefix(count)))
        // Behind the last file there is nothing but the archive's directory.
        let isAllThere = sink.activities.count == 3 && sink.activities[2].attachments.count == 1
        #expect(isAllThere || !sink.diagnostics.isEmpty)
        read += 1
      } catch is ImportRefusal {}
    }
    // Once the first journal is whole, its entries come in whatever is missing behind it.
    #expect(read > 5)
  }

  @Test func anArchiveDamagedAnywhereNeverCrashes() throws {
    let whole = [UInt8](try export.data())
    var random = SteadyRandom(state: 7)
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<4 {
        let index = Int.random(in: 4..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        _ = try DayOneReading.read(Data(bytes))
      } catch is ImportRefusal {}
    }
  }

  @Test func aJournalDamagedAnywhereNeverCrashes() throws {
    let rich: JSON = [
      "contents": [
        ["attributes": ["line": ["listStyle": "numbered", "listIndex": 9]], "text": "One\n"],
        ["attributes": ["linkURL": "https://e.org"], "text": "page"],
        ["embeddedObjects": [["type": "photo", "identifier": "P1"]]],
      ]
    ]
    let text =
      "# A [link](https://e.org) \\# \\*x\\* `c`\n\n![](dayone-moment:/video/V1)\n```\nx\n```"
    let whole = [UInt8](
      journal(
        entry("A", photo: Self.one, ["text": .string(text), "weather": ["temperatureCelsius": 1]]),
        entry("B", photo: nil, ["text": nil, "richText": .string(rich.text())]),
        entry(
          "C", photo: nil, ["location": ["latitude": 1.5, "longitude": 2], "tags": ["x", "y"]])))
    var random = SteadyRandom(state: 11)
    let marks = Array(#"{}[]":,\0919eE-.tfn"#.utf8) + [0, 0x80, 0xFF, 0x0A]
    var entries = 0
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = marks.randomElement(using: &random) ?? 0
      }
      do {
        entries += try DayOneReading.read(Data(bytes)).activities.count
      } catch is ImportRefusal {}
    }
    // Damage to one entry costs others only where it opens or closes a string or a bracket.
    #expect(entries > 500)
  }

  @Test func aJournalCutOffInsideKeepsTheEntriesBefore() throws {
    var content = journal(entry("A"), entry("B"), entry("C"))
    content.removeLast(60)
    let sink = try DayOneReading.read(content)
    #expect(sink.activities.flatMap(\.externalRefs).map(\.externalID) == ["A", "B"])
    #expect(sink.skipped.count == 1)
    #expect(sink.skipped.first?.message.contains("cut off") == true)
    #expect(sink.skipped.first?.place.hasPrefix("Journal.json byte ") == true)
  }

  @Test func aJournalWithBrokenEntriesKeepsTheOthers() throws {
    let good = entry("A").text()
    let text = """
      {"metadata":{"version":"1.0"},"other":[1,{"a":"]"}],"entries":[\(good),
      {"uuid":"B","creationDate":"2021-03-03T11:48:50Z","text":"half \\ud83d of an emoji"},
      {"uuid":"C","creationDate":"2021-03-03T11:48:50Z","text":"a bare\tand \nend"},
      {"uuid":"D","text":nonsense},,;17 {"uuid":"E","creationDate":"2021-03-03T11:48:50Z",
      "text":"no comma"}
      {"uuid":"F","creationDate":"2021-03-03T11:48:50Z","text":"last"}],"entries":7}
      """
    let sink = try DayOneReading.read(Data(text.utf8))
    #expect(
      sink.activities.flatMap(\.externalRefs).map(\.externalID) == ["A", "B", "C", "E", "F"])
    #expect(sink.activities[1].text == "half \u{FFFD} of an emoji")
    #expect(sink.activities[2].text == "a bare\tand" && sink.activities[2].notes == "end")
    let damage = text.utf8.distance(
      from: text.startIndex, to: try #require(text.utf8.firstIndex(of: UInt8(ascii: ";"))))
    #expect(
      sink.diagnostics.map(\.place) == [
        "Journal.json entry 2 (uuid B)", "Journal.json entry 3 (uuid C)", "Journal.json entry 4",
        "Journal.json byte \(damage)",
      ])
  }

  @Test func whatIsNoJournalIsRefused() throws {
    for text in ["", "{", "[]", "{}", #"{"metadata":{}}"#, #"{"entries":3}"#, "\u{FEFF}"] {
      #expect(throws: ImportRefusal.self) { try DayOneReading.read(Data(text.utf8)) }
    }
    #expect(throws: ImportRefusal.self) { try read(TestZip([("a.txt", Data("a".utf8))])) }
    #expect(throws: ImportRefusal.self) {
      try DayOneReading.read(Data([0x50, 0x4B, 3, 4, 0, 0, 0, 0, 1, 2, 3]))
    }
  }

  @Test func anEmptyJournalIsToldAndNoError() throws {
    let sink = try DayOneReading.read(journal())
    #expect(sink.activities.isEmpty && sink.diagnostics.count == 1)
    #expect(sink.diagnostics.first?.message.contains("nothing to import") == true)
  }

  @Test func aFileLargerThanItsLimitIsNotUnpacked() throws {
    let folder = try TemporaryFolder()
    // 64 MiB of nothing are 64 KiB when packed.
    let bomb = Data(count: 64 << 20)
    let url = try folder.file("b.zip", try TestZip([("bomb", bomb), ("fine", Data([1]))]).data())
    let zip = try ZipFile(url)
    let targets = [0, 1].reduce(into: [Int: URL]()) { targets, index in
      targets[index] = folder.url.appendingPathComponent("out\(index)")
    }
    let large = try zip.unpack(targets, sizeLimit: 1 << 20, totalLimit: 1 << 30)
    #expect(large == [0: .tooLarge(1 << 20)])
    #expect(try Data(contentsOf: try #require(targets[1])) == Data([1]))
    #expect(!FileManager.default.fileExists(atPath: try #require(targets[0]).path))
    try FileManager.default.removeItem(at: try #require(targets[1]))
    let full = try zip.unpack(targets, sizeLimit: 1 << 30, totalLimit: 1 << 20)
    #expect(full == [0: .noRoom])
  }

  @Test func aFileThatSaysASmallSizeIsCountedWhileItComesOut() throws {
    var bytes = [UInt8](try TestZip([("bomb", Data(count: 4 << 20))]).data())
    // The sizes in the archive's directory, and behind the content, say 1.
    for signature in [[0x50, 0x4B, 1, 2], [0x50, 0x4B, 7, 8]] as [[UInt8]] {
      for start in bytes.indices.dropLast(30) where bytes[start...].starts(with: signature) {
        let field = start + (signature[2] == 1 ? 24 : 12)
        bytes.replaceSubrange(field..<field + 4, with: [1, 0, 0, 0])
      }
    }
    let folder = try TemporaryFolder()
    let zip = try ZipFile(try folder.file("b.zip", Data(bytes)))
    let target = folder.url.appendingPathComponent("out")
    let failures = try zip.unpack([0: target], sizeLimit: 1 << 20, totalLimit: 1 << 30)
    #expect(failures[0] != nil)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test func anEntryNestedWithoutEndIsLeftOut() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let text = """
      {"metadata":{"version":"1.0"},"entries":[{"uuid":"A","x":\(deep)},\(entry("B").text())]}
      """
    let sink = try DayOneReading.read(Data(text.utf8))
    #expect(sink.activities.count == 1 && sink.skipped.count == 1)
  }
}
