import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The inbox folder")
struct InboxTests {
  private let test: TestArchive
  private let box: InboxBox

  init() throws {
    test = try TestArchive()
    box = try InboxBox(test)
  }

  private func activities(_ day: String) throws -> [Activity] { try test.day(day).activities }

  @Test func aTextIsALineOfItsTime() throws {
    try box.drop("a.txt", "lunch with @Sam 12:30-13:15 #friends\n")
    try box.drop("b.txt", "coffee", changed: "2026-03-14T17:22:11Z")
    try box.drop("2026-03-05 18.22.11.txt", "tea")
    try box.drop("2026-03-06.txt", "yesterday: dentist")
    let account = try box.look()
    #expect(account.taken.count == 4 && account.failed.isEmpty && account.left.isEmpty)
    let today = try activities("2026-03-14")
    #expect(Set(today.map(\.text)) == ["lunch with Sam", "coffee"])
    #expect(today.allSatisfy { $0.source == .inbox && $0.externalRefs.first?.provider == "inbox" })
    let lunch = try #require(today.first { $0.tags == ["friends"] })
    #expect(lunch.startAt == Instant("2026-03-14T11:30:00Z") && lunch.people.first?.name == "Sam")
    #expect(today.first { $0.text == "coffee" }?.startAt == Instant("2026-03-14T17:22:11Z"))
    // A day that a line names is seen from the day of its file.
    let fifth = try activities("2026-03-05")
    #expect(Set(fifth.map(\.text)) == ["tea", "dentist"])
    #expect(fifth.first { $0.text == "tea" }?.startAt == Instant("2026-03-05T17:22:11Z"))
    #expect(box.names() == ["done"] && box.names("done").count == 4)
    let run = try #require(try test.archive.importRuns().first)
    #expect(run.format == "inbox" && run.created == ["activity": 4])
  }

  @Test func aNameInALineMeansWhomItMeansInATypedOne() throws {
    try test.add("tea", people: ["Sam Miller", "Alex Kim", "Alex Berg"])
    try box.drop("a.txt", "lunch with @Sam and @Alex")
    #expect(try box.look().taken == ["a.txt"])
    let lunch = try #require(try activities("2026-03-14").first { $0.text.hasPrefix("lunch") })
    #expect(lunch.people.first { $0.name == "Sam Miller" }?.personID != nil)
    // Who of two is meant is not guessed, and no third is made.
    #expect(lunch.people.first { $0.name == "Alex" }.map { $0.personID == nil } == true)
  }

  @Test func linesAreReadInTheLanguageAtHand() throws {
    try box.drop("2026-03-06.txt", "gestern um halb acht: 5,5 km gelaufen")
    try box.drop("2026-03-07.txt", "9.30 Uhr Arzt\n14 Uhr Kaffee\n")
    let account = try ShownDates.speaking(.german) { try box.look() }
    #expect(account.taken.count == 2 && account.failed.isEmpty)
    let run = try #require(try activities("2026-03-05").first)
    #expect(run.text == "5,5 km gelaufen" && run.measurements == ["km": 5.5])
    #expect(run.startAt == Instant("2026-03-05T06:30:00Z"))
    #expect(Set(try activities("2026-03-07").map(\.text)) == ["Arzt", "Kaffee"])
  }

  @Test func severalLinesAreEntriesWhereEachBeginsAsOne() throws {
    try box.drop("log.txt", "- 09:00 coffee\n- [x] called Sam\n\n- 12:30-13:15 lunch #food\n")
    try box.drop("times.txt", "09:00 swim\n10:15 bakery\n")
    try box.drop("letter.txt", "Walked home\nIt was cold.\n\nVery.\n")
    #expect(try box.look().taken.count == 3)
    let today = try activities("2026-03-14")
    #expect(
      Set(today.map(\.text)) == ["coffee", "called Sam", "lunch", "swim", "bakery", "Walked home"])
    #expect(today.first { $0.text == "Walked home" }?.notes == "It was cold.\n\nVery.")
  }

  @Test func markdownBecomesNotesAndDays() throws {
    try box.drop(
      "Sea.md", "---\ndate: 2026-03-05\ntags: [walk]\n---\n# By the sea\n\nCold, with @Sam.")
    try box.drop("2026-03-06.md", "A quiet day.\n\nReally.")
    try box.drop("line.md", "ran 5 km")
    #expect(try box.look().taken.count == 3)
    let note = try #require(try test.archive.notes(NoteFilter()).first)
    #expect(
      note.title == "By the sea" && note.dayKey == DayKey("2026-03-05") && note.tags == ["walk"])
    #expect(try test.day("2026-03-06").entry?.note == "A quiet day.\n\nReally.")
    #expect(try activities("2026-03-14").map(\.text) == ["ran 5 km"])
    // What a day has is the owner's; a further page stands beside it.
    try box.drop("2026-03-06.md", "Another text.\n\nOf the same day.")
    #expect(try box.look().taken.count == 1)
    #expect(try test.day("2026-03-06").entry?.note == "A quiet day.\n\nReally.")
    #expect(try test.archive.notes(NoteFilter()).count == 2)
    #expect(box.names("done").contains("2026-03-06 (2).md"))
  }

  @Test func aDayKeepsTheTagsOfItsFrontMatterThatItsTextLacks() throws {
    try box.drop(
      "2026-03-06.md", "---\ntags: [art, Tea, deep work]\n---\nWith #artists.\n\nAnd #tea.")
    #expect(try box.look().taken.count == 1)
    #expect(
      try test.day("2026-03-06").entry?.note
        == "With #artists.\n\nAnd #tea.\n\n#art #deep_work")
  }

  @Test func ofTwoPagesOfADayThatCameTogetherTheSecondStandsBesideIt() throws {
    try box.drop("2026-03-06.markdown", "In the evening.\n\nRain.")
    try box.drop("2026-03-06.md", "A quiet day.\n\nReally.")
    let account = try box.look()
    #expect(account.taken.count == 2 && account.failed.isEmpty)
    let notes = try test.archive.notes(NoteFilter()).map(\.text)
    let day = try #require(try test.day("2026-03-06").entry)
    #expect(Set(notes + [day.note]).count == 2)
  }

  @Test func aRecordingIsAVoiceNoteOnce() throws {
    let sound = Data("RIFF\u{10}\0\0\0WAVEfmt ".utf8) + Data(repeating: 7, count: 3_000_000)
    try box.drop("Recording_20260305_182211.wav", sound)
    #expect(try box.look().taken.count == 1)
    let voice = try #require(try activities("2026-03-05").first)
    #expect(voice.text == "Voice note" && voice.startAt == Instant("2026-03-05T17:22:11Z"))
    let file = try #require(voice.attachments.first)
    #expect(file.type == .audioNote && file.byteCount == sound.count)
    let kept = try #require(test.archive.file(of: file))
    #expect(try Data(contentsOf: kept) == sound)
    try box.drop("the same again.wav", sound)
    let again = try box.look()
    #expect(again.known.map(\.name) == ["the same again.wav"] && again.taken.isEmpty)
    #expect(try activities("2026-03-14").isEmpty && box.names() == ["done"])
    #expect(
      !FileManager.default.fileExists(
        atPath: test.folder.url.appendingPathComponent("archive/inbox-work").path))
  }

  @Test func photosComeInByTheTimeOfTheirNameOrFile() throws {
    try box.drop("IMG_20260305_182211.png", TestPicture.png(width: 8, height: 8, seed: 1))
    try box.drop("a.png", TestPicture.png(width: 8, height: 8, seed: 2))
    try box.drop("a.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>")
    try box.drop("b.aae", "adjustments")
    let account = try box.look()
    #expect(account.taken.count == 3 && account.left.map(\.name) == ["b.aae"])
    let photo = try #require(try activities("2026-03-05").first)
    #expect(photo.startAt == Instant("2026-03-05T17:22:11Z") && photo.attachments.count == 1)
    #expect(try activities("2026-03-14").first?.startAt == Instant("2026-03-14T17:00:00Z"))
  }

  @Test func photosAreNamedByTheirTownWhereAListIsAtHand() throws {
    let list = try test.folder.file("places.tsv", "52.5\t13.4\t150000\tKreuzberg\n")
    try box.drop("a.png", TestPicture.png(width: 8, height: 8))
    try box.drop(
      "a.xmp",
      """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:Description exif:GPSLatitude="52,30.0N"
      exif:GPSLongitude="13,24.0E" exif:DateTimeOriginal="2026-03-14T17:00:00"/></x:xmpmeta>
      """)
    var job = InboxJob(
      archive: test.archive, homeZone: test.zone, folder: box.url,
      stillness: InboxStillness(rest: 0))
    job.placeNames = PlaceNames(at: list)
    #expect(try job.run().taken.count == 2)
    #expect(try activities("2026-03-14").first?.locationLabel == "Kreuzberg")
  }

  @Test func calendarsComeInAndBrokenOnesDoNot() throws {
    try box.drop(
      "dentist.ics",
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      BEGIN:VEVENT\r
      UID:1@test\r
      DTSTART:20260312T090000Z\r
      DTEND:20260312T093000Z\r
      SUMMARY:Dentist\r
      END:VEVENT\r
      END:VCALENDAR\r

      """)
    try box.drop("broken.ics", "this isn’t a calendar")
    try box.drop("tea.txt", "tea")
    let account = try box.look()
    #expect(Set(account.taken) == ["dentist.ics", "tea.txt"])
    #expect(account.failed.map(\.name) == ["broken.ics"])
    #expect(try activities("2026-03-12").map(\.text) == ["Dentist"])
  }

  @Test func whatCannotComeInLiesAsideWithItsReason() throws {
    try box.drop("letter.docx", Data([0x50, 0x4B, 3, 4, 1]))
    try box.drop("empty.txt", "")
    try box.drop("tag.txt", "#friends")
    try box.drop("log.txt", "- tea\n- 31 february: skiing\n")
    let account = try box.look()
    #expect(account.failed.count == 4 && account.runs.isEmpty && account.taken.isEmpty)
    #expect(box.names("failed").count == 8)
    let reason = try box.text("failed/log.txt.reason.txt")
    #expect(reason.contains("line 2") && reason.contains("31 february"))
    #expect(try box.text("failed/letter.docx.reason.txt").contains("arkived import"))
    #expect(try box.text("failed/tag.txt") == "#friends")
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func theReasonBesideAFileIsToldInTheLanguageAtHandAndKeptInEnglish() throws {
    try box.drop("empty.txt", "")
    try box.drop("log.txt", "- tea\n- 31 february: skiing\n")
    let account = try ShownDates.speaking(.german) { try box.look() }
    #expect(account.failed.map(\.reason).contains("it’s empty"))
    let reason = try box.text("failed/log.txt.reason.txt")
    #expect(reason.hasPrefix("log.txt wurde nicht hinzugefügt: Zeile 2: Das Datum „31 february“"))
    #expect(reason.contains("14. März 2026"), "\(reason)")
    let lines = ShownDates.speaking(.german) { account.lines }
    #expect(
      lines.first == "2 Dateien konnten nicht hinzugefügt werden. Sie liegen jetzt in failed:")
    #expect(lines.contains("  empty.txt: es ist leer"))
  }

  @Test func aHugeRecordingIsPutAsideWithoutBeingCopied() throws {
    let head = Data("RIFF\u{10}\0\0\0WAVEfmt ".utf8)
    let handle = try FileHandle(forWritingTo: try box.drop("Recording 1.wav", head))
    // Where a file may have holes it takes no room.
    try handle.truncate(atOffset: 10 << 30)
    try handle.close()
    let account = try box.look()
    #expect(account.failed.first?.reason.contains("larger than 2 GiB") == true)
    #expect(box.names("failed") == ["Recording 1.wav", "Recording 1.wav.reason.txt"])
    #expect(try account.taken.isEmpty && test.archive.counts().activities == 0)
  }

  @Test func aHugeTextIsPutAsideWithoutBeingRead() throws {
    let file = try box.drop("huge.txt", String(repeating: "a", count: 8_192))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 10 << 30)
    try handle.close()
    let account = try box.look()
    #expect(account.failed.first?.reason.contains("larger than 4 MiB") == true)
  }
}

/// An inbox and what lies in it.
struct InboxBox {
  let url: URL
  let test: TestArchive

  init(_ test: TestArchive) throws {
    self.test = test
    url = test.folder.url.appendingPathComponent("box")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  @discardableResult
  func drop(
    _ name: String, _ content: Data, changed: String = "2026-03-14T17:00:00Z"
  ) throws -> URL {
    let file = url.appendingPathComponent(name)
    try content.write(to: file)
    try touch(file, changed)
    return file
  }

  @discardableResult
  func drop(
    _ name: String, _ content: String, changed: String = "2026-03-14T17:00:00Z"
  ) throws -> URL {
    try drop(name, Data(content.utf8), changed: changed)
  }

  func touch(_ file: URL, _ changed: String) throws {
    let time = try #require(Instant(changed))
    let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }

  /// Looks into the inbox, where a file must be still for `rest` seconds.
  func look(rest: Double = 0) throws -> InboxAccount {
    try InboxJob(
      archive: test.archive, homeZone: test.zone, folder: url,
      stillness: InboxStillness(rest: rest)
    ).run()
  }

  func names(_ shelf: String = "") -> [String] {
    let folder = shelf.isEmpty ? url : url.appendingPathComponent(shelf)
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }
}
