import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// More rows of the relative's archive and its conversations than are looked at together.
@Suite("Ten Week databases: more rows than fit in a batch")
struct TenWeekManyRowsTests {
  private static let rows = 1_300
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase.filled(test.folder)
    try database.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO archive SELECT CASE i % 4
          WHEN 0 THEN printf('88888888-8888-4888-9888-%012X', i)
          WHEN 1 THEN printf('88888888-8888-4888-9888-%012x', i)
          WHEN 2 THEN printf('8888888888884888a888%012x', i)
          ELSE printf('{88888888-8888-4888-B888-%012X}', i) END,
        iif(i % 3, 'goals', 'conversation_history'),
        iif(i % 3, '\(TenWeekDatabase.other)', 'gone ' || i),
        '{"friendly_name":"Read ' || i || '","id":"\(TenWeekDatabase.other)","log_time":"2025-10-01"}',
        'update', '2025-10-03 10:00:00', 'user', NULL FROM n;
      INSERT INTO archive VALUES (NULL, 'goals', NULL, '{}', 'update', '2025-10-03', NULL, NULL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
      INSERT INTO conversation_history SELECT CASE i % 2
          WHEN 0 THEN printf('99999999-9999-4999-8999-%012x', i) ELSE CAST(i AS TEXT) END,
        10 + i / 100, 'Question ' || i, 'Answer ' || i,
        printf('2025-11-%02d 10:%02d:%02d.000', 1 + i / 100, i % 100 / 60, i % 60), NULL FROM n;
      """)
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
  }

  @discardableResult
  private func sync(
    _ test: TestArchive, fewRows: Int, allowsDeletions: Bool = false
  ) throws -> SyncReport {
    test.clock.advance(seconds: 60)
    var job = SyncJob(archive: test.archive, homeZone: test.zone)
    job.fewRows = fewRows
    return try job.run(
      try #require(try test.archive.syncLinks().first), allowsDeletions: allowsDeletions)
  }

  private func said(_ test: TestArchive) throws -> [String] {
    try test.archive.all(ConversationMessage.self).map(\.text).sorted()
  }

  private func export(_ test: TestArchive, _ name: String) throws -> TenWeekDatabase {
    let file = test.folder.url.appendingPathComponent(name)
    _ = try ExportJob(archive: test.archive)
      .writeTenWeek(to: file, variant: .plain, homeZone: test.zone)
    return try TenWeekDatabase(file)
  }

  private func talk(_ database: TenWeekDatabase) throws -> [String?] {
    try database.texts(
      "SELECT id || session_id || prompt || response FROM conversation_history ORDER BY rowid")
  }

  @Test(arguments: [2_000_000, 0])
  func allOfThemComeInGoOutAndComeBackAsTheyWere(fewRows: Int) throws {
    let report = try sync(test, fewRows: fewRows)
    // Old versions of conversations that have no UUID are history too.
    #expect(report.pulled["history"] == Self.rows + 1)
    #expect(report.warnings.map(\.place) == ["archive row \(Self.rows + 2)"])
    #expect(try said(test).count == Self.rows * 2 + 2)
    let file = try Data(contentsOf: database.url)
    for fewRows in [0, 2_000_000] {
      let again = try sync(test, fewRows: fewRows)
      #expect(again.isQuiet && again.conflicts.isEmpty)
    }
    #expect(try Data(contentsOf: database.url) == file)
    let copy = try export(test, "copy.db")
    #expect(try talk(copy) == talk(database))
    // The copy also has the old version of a match that was found here.
    let theirs = try database.dump("archive").filter { !$0.hasPrefix("id=null") }
    let known = Set(theirs)
    #expect(try copy.dump("archive").filter(known.contains) == theirs)
    // Another archive gets the same from the copy, and gives it on.
    let other = try TestArchive()
    _ = try SyncJob(archive: other.archive, homeZone: other.zone).link(copy.url)
    try sync(other, fewRows: fewRows)
    #expect(try said(other) == said(test))
    #expect(try sync(other, fewRows: fewRows).isQuiet)
    let third = try export(other, "third.db")
    #expect(try talk(third) == talk(database))
    #expect(try third.dump("archive") == copy.dump("archive"))
    // Taken back, all of it is gone.
    let change = try #require(try archive.changes().first { $0.action == "sync" })
    _ = try archive.undo(change.id)
    #expect(try said(test).isEmpty)
    #expect(try archive.all(Goal.self).isEmpty)
  }

  @Test(arguments: [2_000_000, 0])
  func changesFarBehindGoBothWays(fewRows: Int) throws {
    try sync(test, fewRows: fewRows)
    let messages = try archive.all(ConversationMessage.self)
    let last = try #require(messages.first { $0.text == "Answer \(Self.rows)" })
    let gone = messages.filter { $0.text.hasSuffix(" 1100") }
    #expect(gone.count == 2)
    test.clock.advance(seconds: 60)
    for message in gone.reversed() { try archive.delete(ConversationMessage.self, message.id) }
    try database.run(
      """
      UPDATE conversation_history SET response = 'Another' WHERE prompt = 'Question \(Self.rows)';
      DELETE FROM conversation_history WHERE prompt = 'Question 900';
      INSERT INTO archive VALUES ('88888888-8888-4888-8888-999999999999', 'conversation_history',
        '99999999999949998999000000000384', '{}', 'delete', '2026-03-15 10:00:00', 'user', NULL);
      """)
    let report = try sync(test, fewRows: fewRows)
    #expect(report.pulled["changed"] == 1 && report.pulled["deleted"] == 1, "\(report)")
    #expect(report.pushed == ["deleted": 1])
    #expect(try archive.messages([last.id])[last.id]?.text == "Another")
    #expect(try said(test).count == Self.rows * 2 - 2)
    #expect(
      try database.texts(
        "SELECT id FROM conversation_history WHERE prompt IN ('Question 900', 'Question 1100')"
      ).isEmpty)
    #expect(try sync(test, fewRows: fewRows).isQuiet)
    #expect(try talk(export(test, "copy.db")) == talk(database))
  }
}
