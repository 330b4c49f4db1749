import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Names of files in an inbox")
struct InboxNameTests {
  private let berlin: Zone
  private let now: Instant
  private let changed: Instant

  init() throws {
    berlin = try #require(Zone("Europe/Berlin"))
    now = try #require(Instant("2026-03-14T20:00:00Z"))
    changed = try #require(Instant("2026-03-10T10:00:00Z"))
  }

  private func time(_ name: String) -> InboxTime {
    InboxTime(fileName: name, changed: changed, now: now, home: berlin)
  }

  /// Temporary names of Syncthing, Nextcloud, browsers, editors and systems.
  @Test(arguments: [
    ".syncthing.note.txt.tmp", "~syncthing~note.txt.tmp", ".~note.txt", "note.txt.part",
    "film.mp4.crdownload", "note.tmp", ".DS_Store", ".photo.jpg.icloud", "note.txt~", "#note.txt#",
    "Thumbs.db", "desktop.ini", "._note.txt", "note.txt.filepart",
  ])
  func ofOtherProgramsArePassedOver(_ name: String) {
    #expect(InboxName(name).isPassing)
  }

  @Test(arguments: ["note.txt", "partial eclipse.md", "IMG_1.HEIC", "a", "tmp.txt"])
  func ofPeopleAreNot(_ name: String) {
    #expect(!InboxName(name).isPassing)
  }

  @Test(arguments: [
    ("Plan.sync-conflict-20260305-182211-ABCDEF7.txt", "Plan.txt"),
    ("Plan (conflicted copy 2026-03-05 182211).md", "Plan.md"),
    ("Plan (Sam's conflicted copy 2026-03-05).txt", "Plan.txt"),
    ("Plan_conflict-20260305-182211.txt", "Plan.txt"),
  ])
  func ofCopiesInConflictTellTheirOriginal(_ name: String, _ original: String) {
    #expect(InboxName(name).conflictOf == original)
  }

  @Test(arguments: ["Plan (2).txt", "About a conflict-free day.txt", "conflicted copy.txt"])
  func ofOthersTellNone(_ name: String) {
    #expect(InboxName(name).conflictOf == nil)
  }

  @Test(arguments: [
    ("2026-03-05 18.22.11.jpg", "2026-03-05T17:22:11Z"),
    ("IMG_20260305_182211.jpg", "2026-03-05T17:22:11Z"),
    ("PXL_20260305_172211123.jpg", "2026-03-05T17:22:11Z"),
    ("Recording_20260305_182211.m4a", "2026-03-05T17:22:11Z"),
    ("2026-03-05 18.22.txt", "2026-03-05T17:22:00Z"),
    ("2026-03-05T1822 idea.txt", "2026-03-05T17:22:00Z"),
    ("note 20260305-1822.md", "2026-03-05T17:22:00Z"),
    ("WhatsApp Audio 2026-03-05 at 18.22.11.opus", "2026-03-05T17:22:11Z"),
    ("1772731331000.jpg", "2026-03-05T17:22:11Z"),
  ])
  func tellATime(_ name: String, _ expected: String) throws {
    let time = self.time(name)
    #expect(time.instant == Instant(expected) && time.origin == .name)
    #expect(time.day == DayKey("2026-03-05"))
  }

  @Test func ofADayTellTheDayAlone() {
    let time = self.time("2026-03-05 Walk.txt")
    #expect(time.day == DayKey("2026-03-05") && time.instant == nil && time.origin == .name)
  }

  @Test(arguments: ["Voice 001.m4a", "note.txt", "2031-01-01.txt", "12345678.txt"])
  func thatTellNoneLeaveItToTheFile(_ name: String) {
    let time = self.time(name)
    #expect(time.instant == changed && time.origin == .change)
  }

  @Test func aFileFromTheFutureIsOfNow() throws {
    let later = try #require(Instant("2027-01-01T00:00:00Z"))
    let time = InboxTime(fileName: "note.txt", changed: later, now: now, home: berlin)
    #expect(time.instant == now)
  }

  @Test func contentSaysWhatAFileIsBeforeItsName() {
    func kind(_ name: String, _ head: String) -> InboxName.Kind {
      InboxName(name).kind(head: Data(head.utf8))
    }
    #expect(kind("a.txt", "tea") == .text && kind("a", "tea") == .text)
    #expect(kind("a.md", "# Tea") == .page)
    #expect(kind("a.txt", "BEGIN:VCALENDAR\r\n") == .calendar)
    #expect(kind("a.txt", "GIF89a") == .picture)
    #expect(kind("a.m4a", "\0\0\0\u{18}ftypmp42") == .sound)
    #expect(kind("a.mp4", "\0\0\0\u{18}ftypmp42") == .picture)
    #expect(kind("a.opus", "OggS") == .sound && kind("IMG_1.xmp", "<x:xmpmeta>") == .beside)
    for (name, head) in [("a.docx", "PK\u{3}\u{4}"), ("a.txt", "a\0b"), ("a.txt", "")] {
      guard case .other = kind(name, head) else {
        Issue.record("\(name) is taken for something")
        continue
      }
    }
  }

  @Test(
    arguments: [
      ("Voice 001.m4a", nil), ("Recording_20260305_182211.m4a", nil), ("New Recording 3.m4a", nil),
      ("Interview_with Sam.m4a", "Interview with Sam"),
    ] as [(String, String?)])
  func aRecordingIsCalledWhatItsNameSays(_ name: String, _ title: String?) {
    #expect(InboxName(name).soundTitle == title)
  }

  @Test func textIsReadInItsEncoding() {
    #expect(InboxText.read(Data("caf\u{E9}\r\nb".utf8))?.text == "café\nb")
    #expect(InboxText.read(Data([0xEF, 0xBB, 0xBF, 0x61]))?.text == "a")
    #expect(InboxText.read(Data([0x63, 0x61, 0x66, 0xE9]))?.text == "café")
    #expect(InboxText.read(Data([0xFF, 0xFE, 0x61, 0, 0x62, 0]))?.text == "ab")
    #expect(InboxText.read(Data([0x61, 0, 0x62])) == nil)
  }
}
