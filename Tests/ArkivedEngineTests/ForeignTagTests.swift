import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tags that come from other programs")
struct ForeignTagTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func stored() throws -> [[String]] {
    let hits = try test.archive.search(
      SearchRequest(query: ""), words: WordQuery(""), types: [.activity], order: .oldest)
    return try test.archive.activities(hits.map(\.id)).map { $0.tags.sorted() }
  }

  private static let given = ["#home", " home ", "##Work", "#", "", "#HOME"]

  @Test func theyLoseTheirSignBlanksAndDoubles() throws {
    let first = try run(test, ScriptedImporter(records: scripted(3, tags: Self.given)))
    #expect(first.created == ["activity": 3] && first.warnings.isEmpty)
    #expect(try stored() == Array(repeating: ["Work", "home"], count: 3))
    for _ in 0..<2 {
      let again = try run(test, ScriptedImporter(records: scripted(3, tags: Self.given)))
      #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 3)
    }
    #expect(try test.archive.counts().activities == 3)
  }

  @Test func oneThatItsOwnerRenamedKeepsItsNewName() throws {
    try run(test, ScriptedImporter(records: scripted(1, tags: ["home"])))
    _ = try test.archive.renameTag(try test.archive.tag(named: "home").id, to: "house")
    let changed = scripted(1, text: "changed", tags: ["home", "new"])
    #expect(try run(test, ScriptedImporter(records: changed)).updated == 1)
    #expect(try stored() == [["house", "new"]])
    #expect(try test.archive.tagSummaries(order: .name).map(\.tag.name) == ["house", "new"])
  }

  /// Before, they were kept as they were written, as those of an archive's own lines still are.
  @Test func whatCameInWithTheSignBeforeIsKnown() throws {
    let records = scripted(2, tags: ["#home"])
    let own = ScriptedImporter(records: { context in
      try records(context).map { record in
        var record = record
        record.hasOwnIdentity = true
        return record
      }
    })
    #expect(try run(test, own).created == ["activity": 2])
    #expect(try stored() == [["#home"], ["#home"]])
    let again = try run(test, ScriptedImporter(records: records))
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    // One that changed at its source comes with clean tags, once.
    let changed = scripted(2, text: "changed", tags: ["#home"])
    #expect(try run(test, ScriptedImporter(records: changed)).updated == 2)
    #expect(try stored() == [["home"], ["home"]])
    #expect(try run(test, ScriptedImporter(records: changed)).unchanged == 2)
  }

  @Test(arguments: [
    (
      "Journal.json",
      """
      {"metadata": {"version": "1.0"}, "entries": [{"uuid": "2F8DDCA258634D9994DF3A4FEE328035",
       "creationDate": "2026-03-10T11:48:50Z", "text": "tea", "tags": ["#home", " Home", "Work "]}]}
      """
    ),
    (
      "daylio_export.csv",
      """
      full_date,date,weekday,time,mood,activities,note_title,note
      2026-03-10,March 10,Tuesday,6:50 pm,good,"#home | Home | #Work","tea",""

      """
    ),
    (
      "toggl.csv",
      """
      User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
      Ann,a@x.org,,#home,,tea,No,2026-03-10,09:00:00,2026-03-10,10:00:00,01:00:00,"home, #Work"

      """
    ),
    (
      "lines.jsonl",
      ##"{"type":"activity","text":"tea","dayKey":"2026-03-10","tags":["#home","Home","# Work"]}"##
        + "\n"
    ),
  ])
  func everyFormatIsReadSo(name: String, content: String) throws {
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    _ = try job.run(try test.folder.file(name, content))
    let tags = try #require(try stored().first)
    #expect(tags.map { $0.lowercased() }.sorted() == ["home", "work"], "\(name)")
    // The same content in another file is known.
    let again = try #require(try job.run(try test.folder.file("again/\(name)", content)).first)
    #expect(again.created.isEmpty && again.updated == 0, "\(name)")
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func anArchivesOwnLinesStayAsTheyAre() throws {
    let line =
      ##"{"type":"activity","id":"2F8DDCA2-5863-4D99-94DF-3A4FEE328035","text":"tea","dayKey":"##
      + ##""2026-03-10","tags":["#home","Work"]}"## + "\n"
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(try test.folder.file("own.jsonl", line))
    #expect(try stored() == [["#home", "Work"]])
  }
}
