import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// What the owner edited wins against importing again, also after a restore, a move or an export.
@Suite("Edits travel with backups and exports")
struct EditedHereTests {
  private static let source = [
    #"{"type":"activity","text":"stand-up","dayKey":"2026-03-01","provider":"p","externalId":"1"}"#,
    #"{"type":"activity","text":"review","dayKey":"2026-03-01","provider":"p","externalId":"2"}"#,
  ]
  private static let changed = [
    #"{"type":"activity","text":"stand-up, moved","dayKey":"2026-03-01","provider":"p","externalId":"1"}"#,
    #"{"type":"activity","text":"review, moved","dayKey":"2026-03-01","provider":"p","externalId":"2"}"#,
    #"{"type":"day","dayKey":"2026-03-02","note":"from outside"}"#,
  ]

  @discardableResult
  private func take(
    _ lines: [String], into archive: Archive, _ test: TestArchive
  ) throws -> ImportRun {
    let file = try test.folder.file("source.jsonl", lines.joined(separator: "\n"))
    test.clock.advance(seconds: 60)
    return try #require(
      try ImportJob(archive: archive, homeZone: test.zone).run(file).first)
  }

  /// An archive with two imported entries, one of which was edited, and a note by hand.
  private func edited() throws -> TestArchive {
    let test = try TestArchive()
    try take(Self.source, into: test.archive, test)
    let first = try #require(
      try test.day("2026-03-01").activities.first { $0.text == "stand-up" })
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateActivity(first.id) { $0.text = "stand-up with cake" }
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-02"))) { $0.note = "By hand." }
    return test
  }

  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    try archive.forEachEntity { type, json in lines.append("\(type) \(json.text())") }
    return lines
  }

  private func expectEditsWin(_ archive: Archive, _ test: TestArchive) throws {
    try take(Self.changed, into: archive, test)
    let day = try archive.day(try #require(DayKey("2026-03-01")))
    #expect(Set(day.activities.map(\.text)) == ["stand-up with cake", "review, moved"])
    #expect(try archive.day(try #require(DayKey("2026-03-02"))).entry?.note == "By hand.")
  }

  @Test func importingAgainLeavesThemHere() throws {
    let test = try edited()
    try expectEditsWin(test.archive, test)
  }

  @Test func importingAgainLeavesThemAfterARestore() throws {
    let (test, other) = (try edited(), try TestArchive())
    let file = test.folder.url.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    _ = try RestoreJob(archive: other.archive, homeZone: other.zone)
      .prepare(file, unlocks: []).apply()
    #expect(try lines(other.archive) == lines(test.archive))
    try expectEditsWin(other.archive, other)
  }

  @Test func importingAgainLeavesThemAfterAnExportOfAnExport() throws {
    let test = try edited()
    var archive = test.archive
    // Their folders go with them.
    var others: [TestArchive] = []
    for number in 0..<2 {
      let file = test.folder.url.appendingPathComponent("\(number)/life.jsonl")
      _ = try ExportJob(archive: archive).writeJSONLines(to: file)
      let text = try String(contentsOf: file, encoding: .utf8)
      let marked = text.split(separator: "\n").filter { $0.contains(#""editedHere":true"#) }
      #expect(marked.count == 2, "\(marked)")
      let other = try TestArchive()
      others.append(other)
      _ = try ImportJob(archive: other.archive, homeZone: other.zone).run(file)
      archive = other.archive
      if number == 1 { try expectEditsWin(archive, other) }
    }
  }

  @Test func whatAnImportAddsToThemTakesNothingFromTheirOwner() throws {
    let test = try edited()
    let entry = try #require(
      try test.day("2026-03-01").activities.first { $0.text == "stand-up with cake" })
    let run = try take(
      [
        #"""
        {"type":"attachment","activityId":"\#(entry.id)","attachmentType":"link",\#
        "externalURL":"https://example.org/cake"}
        """#,
        #"""
        {"type":"attachment","dayKey":"2026-03-02","attachmentType":"link",\#
        "externalURL":"https://example.org/hand"}
        """#,
      ], into: test.archive, test)
    #expect(run.created == ["attachment": 2], "\(run.warnings)")
    try expectEditsWin(test.archive, test)
  }

  @Test func theyAreTheOwnersAgainWhereALaterImportOfThemIsTakenBack() throws {
    let test = try TestArchive()
    func mine(_ text: String, _ time: String) -> String {
      #"""
      {"type":"activity","id":"AAAAAAAA-0000-4000-8000-0000000000F1","text":"\#(text)",\#
      "dayKey":"2026-03-01","provider":"p","externalId":"1","editedHere":true,\#
      "updatedAt":"2026-03-01T\#(time):00Z"}
      """#
    }
    try take([mine("first", "10:00")], into: test.archive, test)
    try take([mine("second", "11:00")], into: test.archive, test)
    #expect(try test.day("2026-03-01").activities.map(\.text) == ["second"])
    _ = try test.archive.undo(try #require(try test.archive.changes().first).id)
    try take(Self.changed, into: test.archive, test)
    let texts = try test.day("2026-03-01").activities.map(\.text)
    #expect(Set(texts) == ["first", "review, moved"])
  }
}
