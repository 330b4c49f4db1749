import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Daylio's backup as its app writes it (version 15 and later): JSON in Base64 in a zip archive,
/// with photos named after their checksums.
///
/// The shape is that which daylio-scribe and dayligo describe.
@Suite("Backups of Daylio in the archive")
struct DaylioBackupTests {
  private let test: TestArchive
  private let checksum = "d41d8cd98f00b204e9800998ecf8427e"

  init() throws { test = try TestArchive() }

  private let json = """
    {"version":15,"isReminderOn":true,"customMoods":[
    {"id":1,"custom_name":"","mood_group_id":1,"mood_group_order":0,"predefined_name_id":1},
    {"id":2,"custom_name":"","mood_group_id":2,"mood_group_order":0,"predefined_name_id":2},
    {"id":6,"custom_name":"wistful","mood_group_id":4,"mood_group_order":1,"predefined_name_id":-1}],
    "tags":[{"id":3,"name":"run","state":0,"id_tag_group":1},{"id":4,"name":"friends","state":1}],
    "dayEntries":[
    {"id":9,"minute":50,"hour":18,"day":10,"month":2,"year":2026,"datetime":1773165000000,
    "timeZoneOffset":3600000,"mood":2,"note":"With \\"Sam\\"<br>and <b>cake</b>",
    "note_title":"A long run","tags":[3,4],"assets":[5,8],"isFavorite":true},
    {"id":8,"minute":58,"hour":14,"day":10,"month":2,"year":2026,"datetime":1773151080000,
    "timeZoneOffset":3600000,"mood":6,"note":"","note_title":"","tags":[],"assets":[]},
    {"id":7,"minute":0,"hour":21,"day":9,"month":2,"year":2026,"datetime":1773057600000,
    "timeZoneOffset":32400000,"mood":1,"note":"One line","tags":[3,77]}],
    "assets":[{"id":5,"checksum":"d41d8cd98f00b204e9800998ecf8427e","type":1,
    "createdAt":1773165000000,"createdAtOffset":3600000},
    {"id":8,"checksum":"0cc175b9c0f1b6a831c399e269772661","type":1,"createdAt":1773165000000}],
    "goals":[{"id":1}],"goalEntries":[{"id":1},{"id":2}]}
    """

  private func base64(_ json: String) -> Data {
    Data(json.utf8).base64EncodedData(options: [.lineLength76Characters, .endLineWithLineFeed])
  }

  private func backup(_ json: String) throws -> Data {
    try TestZip([
      ("backup.daylio", base64(json)),
      ("assets/photos/2026/3/\(checksum)", TestPicture.png(width: 8, height: 8)),
    ]).data()
  }

  private func run(_ path: URL, again: Bool = false) throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: again).run(path).first)
  }

  private func clocks(_ activities: [Activity]) -> [String] {
    activities.compactMap(\.startAt).map { test.zone.wallTime(at: $0).description }
  }

  @Test func entriesHaveTheirWordsTimesMoodsAndPhotos() throws {
    let file = try test.folder.file("backup_2026_03_14.daylio", try backup(json))
    let run = try self.run(file)
    #expect(run.format == "daylio" && run.created == ["activity": 3, "day": 2])
    let tenth = try test.day("2026-03-10")
    // 4 for good and 2 for the owner's own mood, which the CSV does not tell.
    #expect(tenth.entry?.mood == 3)
    #expect(tenth.activities.map(\.text) == ["Felt wistful", "A long run"])
    #expect(clocks(tenth.activities) == ["2026-03-10T14:58:00", "2026-03-10T18:50:00"])
    let walk = try #require(tenth.activities.last)
    #expect(walk.notes == "With \"Sam\"\nand **cake**" && walk.isPinned)
    #expect(walk.tags.sorted() == ["friends", "run"] && walk.description == "Mood: good")
    #expect(walk.attachments.map(\.mediaType) == ["image/png"])
    let photo = try #require(walk.attachments.first)
    #expect(try test.archive.content(of: photo) == TestPicture.png(width: 8, height: 8))
    // The clock in Tokyo, where the day was the same.
    let ninth = try #require(try test.day("2026-03-09").activities.first)
    #expect(ninth.text == "One line" && ninth.tags == ["run"])
    #expect(ninth.startAt == Instant(milliseconds: 1_773_057_600_000))
    #expect(run.warnings.contains { $0.message.contains("0cc175b9c0f1b6a831c399e269772661") })
    #expect(
      run.warnings.contains { $0.message.hasPrefix("skipped activities that entries mention") })
    #expect(
      run.warnings.contains { $0.message.hasPrefix("skipped goals (1) and goal check marks (2)") })
    let second = try self.run(file, again: true)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 5)
  }

  @Test func anEntryThatCameAsARowOfTheCSVIsKnown() throws {
    let rows = """
      full_date,date,weekday,time,mood,activities,note_title,note
      2026-03-10,March 10,Tuesday,18:50,good,"run | friends","A long run","With ""Sam""<br>and <b>cake</b>"
      2026-03-10,March 10,Tuesday,14:58,wistful,"","",""

      """
    _ = try self.run(try test.folder.file("daylio_export.csv", rows))
    test.clock.advance(seconds: 60)
    let run = try self.run(try test.folder.file("a.daylio", try backup(json)))
    #expect(run.created == ["activity": 1, "day": 1] && run.updated == 1)
    let tenth = try test.day("2026-03-10").activities
    #expect(tenth.count == 2 && tenth.last?.attachments.count == 1)
  }

  @Test func anUnpackedOrDecodedBackupIsRead() throws {
    _ = try test.folder.file("in/backup.daylio", base64(json))
    _ = try test.folder.file(
      "in/assets/photos/2026/3/\(checksum)", TestPicture.png(width: 8, height: 8))
    let folder = try run(test.folder.url.appendingPathComponent("in"))
    #expect(folder.format == "daylio" && folder.created == ["activity": 3, "day": 2])
    #expect(try test.day("2026-03-10").activities.last?.attachments.count == 1)
    let decoded = try run(try test.folder.file("decoded.json", json))
    #expect(decoded.format == "daylio" && decoded.created.isEmpty)
    #expect(try test.day("2026-03-10").activities.last?.attachments.count == 1)
  }

  @Test func whatIsSpoiledIsToldWithItsPlace() throws {
    let half = String(json.prefix(json.count / 2))
    // Of half of it nothing can be used.
    let cut = #expect(throws: ImportRefusal.self) {
      try run(try test.folder.file("cut.daylio", try backup(half)))
    }
    #expect(cut?.place.hasPrefix("cut.daylio/backup.daylio byte ") == true)
    var strange = TestZip([("backup.daylio", base64(json) + Data("{}".utf8))])
    let refusal = #expect(throws: ImportRefusal.self) {
      try run(try test.folder.file("strange.daylio", try strange.data()))
    }
    #expect(refusal?.place.hasPrefix("strange.daylio/backup.daylio byte ") == true)
    strange = TestZip([("backup.daylio", base64(json))])
    strange.password = "secret"
    let locked = #expect(throws: ImportRefusal.self) {
      try run(try test.folder.file("locked.daylio", try strange.data()))
    }
    #expect(locked?.message.contains("encrypted") == true)
    let odd = json.replacing("\"hour\":18", with: "\"hour\":99")
      .replacing("\"month\":2,\"year\":2026,\"datetime\":1773151080000", with: "\"month\":12")
    let spoiled = try run(try test.folder.file("odd.daylio", try backup(odd)))
    #expect(spoiled.skipped == 1)
    let place = "odd.daylio/backup.daylio entry 2 field “day”"
    #expect(spoiled.warnings.contains { $0.place == place })
    // By its instant and its offset.
    #expect(clocks(try test.day("2026-03-10").activities).contains("2026-03-10T18:50:00"))
  }
}
