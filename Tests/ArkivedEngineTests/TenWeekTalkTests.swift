import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Ten Week databases: conversations, kept in line")
struct TenWeekTalkTests {
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }

  /// One session of one exchange, linked and in line.
  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase.filled(test.folder)
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
    try sync()
  }

  @discardableResult
  private func sync(fewRows: Int = 2_000, allowsDeletions: Bool = false) throws -> SyncReport {
    test.clock.advance(seconds: 60)
    var job = SyncJob(archive: archive, homeZone: test.zone)
    job.fewRows = fewRows
    return try job.run(
      try #require(try archive.syncLinks().first), allowsDeletions: allowsDeletions)
  }

  private func say(
    _ question: String, _ answer: String, in thread: UUID? = nil
  ) throws {
    test.clock.advance(seconds: 60)
    _ = try archive.say(question, answered: answer, details: [:], in: thread) { _, _, _ in
      KeptAnswer(status: 201)
    }
  }

  private func threads() throws -> [ConversationThread] {
    try archive.threads().threads.map(\.thread).sorted { $0.createdAt < $1.createdAt }
  }

  /// What was said here, by thread.
  private func here() throws -> [[String]] {
    try threads().map { try archive.messages(of: $0.id).messages.map(\.text) }
  }

  private func there() throws -> [String?] {
    try database.texts(
      """
      SELECT session_id || ': ' || prompt || ' ' || response FROM conversation_history
      ORDER BY session_id, rowid
      """)
  }

  private func delete(_ key: String, at time: String = "2026-03-14T22:00:00Z") throws {
    try database.run(
      """
      DELETE FROM conversation_history WHERE id = '\(key)';
      INSERT INTO archive VALUES ('gone-\(key)', 'conversation_history', '\(key)', '{}', 'delete',
        '\(time)', 'user', NULL);
      """)
  }

  @Test(arguments: [2_000, 0])
  func whatIsSaidOnEitherSideIsSaidOnBoth(fewRows: Int) throws {
    #expect(try here() == [["How am I?", "Well."]])
    try database.run(
      """
      INSERT INTO conversation_history VALUES
        ('c2', 4, 'And now?', 'Better.', '2025-10-13T08:00:00', NULL),
        ('c3', 5, 'What next?', 'Rest.', '2025-10-14 08:00:00.125', 'mine');
      """)
    let first = try #require(try threads().first?.id)
    try say("Still?", "Still.", in: first)
    try say("Who?", "Sam.")
    let report = try sync(fewRows: fewRows)
    #expect(report.pulled["new"] == 2 && report.pushed["new"] == 2)
    #expect(report.conflicts.isEmpty && report.warnings.isEmpty)
    #expect(
      try here() == [
        ["How am I?", "Well.", "And now?", "Better.", "Still?", "Still."],
        ["What next?", "Rest."], ["Who?", "Sam."],
      ])
    #expect(
      try there() == [
        "4: How am I? Well.", "4: And now? Better.", "4: Still? Still.", "5: What next? Rest.",
        "6: Who? Sam.",
      ])
    #expect(
      try database.text("SELECT freeform_notes FROM conversation_history WHERE id = 'c3'")
        == "mine")
    let file = try Data(contentsOf: database.url)
    let changes = try archive.changes(limit: 100).count
    for fewRows in [0, 2_000] { #expect(try sync(fewRows: fewRows).isQuiet) }
    #expect(try Data(contentsOf: database.url) == file)
    #expect(try archive.changes(limit: 100).count == changes)
    // The same file read as an import doubles nothing either.
    let run = try test.importing(database)
    #expect(run.created["message"] == nil && run.created["thread"] == nil)
    #expect(try here().map(\.count) == [6, 2, 2])
  }

  @Test func theRowOfAConversationIsForgottenWithIt() throws {
    func rows() throws -> [InterchangeRow] {
      try archive.interchangeRows().filter { $0.table == "conversation_history" }
    }
    try database.run(
      """
      INSERT INTO conversation_history VALUES
        ('c2', 5, 'What next?', 'Well.', '2025-10-14T08:00:00', NULL);
      """)
    try sync()
    try test.importing(database)
    #expect(try rows().count == 2)
    let thread = try #require(try threads().first?.id)
    _ = try archive.purge(.entities([thread]))
    // A short answer may be that of another question as well.
    #expect(try rows().map(\.key) == ["c2"])
    try test.importing(database)
    #expect(try rows().map(\.key) == ["c2"] && here() == [["What next?", "Well."]])
    try sync(allowsDeletions: true)
    #expect(try there() == ["5: What next? Well."])
    #expect(try rows().map(\.key) == ["c2"] && here() == [["What next?", "Well."]])
  }

  @Test(arguments: [2_000, 0])
  func changesAndConflictsFollowTheNewer(fewRows: Int) throws {
    let thread = try #require(try threads().first?.id)
    let answer = try #require(try archive.messages(of: thread).messages.last)
    try database.run("UPDATE conversation_history SET response = 'Quite well.'")
    #expect(try sync(fewRows: fewRows).pulled["changed"] == 1)
    #expect(try here() == [["How am I?", "Quite well."]])
    #expect(try archive.history(of: answer.id).contains { $0.record["text"] == "Well." })
    test.clock.advance(seconds: 60)
    _ = try archive.update(ConversationMessage.self, answer.id) { $0.text = "Tired." }
    #expect(try sync(fewRows: fewRows).pushed["changed"] == 1)
    #expect(try there() == ["4: How am I? Tired."])
    // Both: nothing dates the change there, so that the one here is newer.
    test.clock.advance(seconds: 60)
    _ = try archive.update(ConversationMessage.self, answer.id) { $0.text = "Awake." }
    try database.run("UPDATE conversation_history SET response = 'Asleep.'")
    let report = try sync(fewRows: fewRows)
    #expect(report.conflicts.map(\.isFromHere) == [true])
    #expect(try there() == ["4: How am I? Awake."])
    #expect(try archive.history(of: answer.id).contains { $0.record["text"] == "Asleep." })
    #expect(try sync(fewRows: fewRows).isQuiet)
  }

  @Test(arguments: [2_000, 0])
  func deletionsGoBothWaysAndAreTakenBack(fewRows: Int) throws {
    try say("Who?", "Sam.")
    try sync(fewRows: fewRows)
    let own = try #require(try threads().last?.id)
    let key = try #require(
      try database.text("SELECT id FROM conversation_history WHERE prompt = 'Who?'"))
    test.clock.advance(seconds: 60)
    try delete("c1", at: test.clock.now.adding(seconds: 1).description)
    let deletion = try #require(try archive.delete(ConversationThread.self, own).change).id
    let report = try sync(fewRows: fewRows)
    #expect(report.pulled["deleted"] == 1 && report.pushed["deleted"] == 1)
    #expect(try here().isEmpty && there().isEmpty)
    #expect(
      try database.text(
        "SELECT reason FROM archive WHERE upper(source_id) = upper('\(key)')") == "delete")
    #expect(try sync(fewRows: fewRows).isQuiet)
    _ = try archive.undo()
    _ = try archive.undo(deletion)
    try sync(fewRows: fewRows)
    #expect(try Set(here()) == [["How am I?", "Well."], ["Who?", "Sam."]])
    #expect(try there().count == 2)
    #expect(try sync(fewRows: fewRows).isQuiet)
  }

  @Test func aRowThatIsGoneWithoutAWordIsWrittenBackAsItWas() throws {
    let before = try database.dump("conversation_history")
    try database.run("DELETE FROM conversation_history")
    let report = try sync()
    #expect(report.warnings.contains { $0.message.contains("row was restored") })
    #expect(try database.dump("conversation_history") == before)
    #expect(try sync().isQuiet)
  }

  @Test func mostConversationsAreNotDeletedUnasked() throws {
    for number in 10..<60 {
      try database.run(
        """
        INSERT INTO conversation_history VALUES
          ('d\(number)', \(number), 'Question \(number)', 'Answer', '2025-11-01T08:00:00', NULL)
        """)
    }
    try sync()
    for number in 10..<60 { try delete("d\(number)") }
    for fewRows in [2_000, 0] {
      #expect(throws: LargeDeletion.self) { try sync(fewRows: fewRows) }
    }
    #expect(try archive.threads().total == 51)
    #expect(try sync(allowsDeletions: true).pulled["deleted"] == 50)
    #expect(try archive.threads().total == 1)
  }

  @Test func rowsThatCannotBeReadAreToldAndStay() throws {
    try database.run(
      """
      INSERT INTO conversation_history VALUES
        ('c5', 5, 'When?', 'Never.', 'some day', NULL),
        ('c6', 5, 'a' || char(0) || 'b', 'c', '2025-11-01T08:00:00', NULL),
        ('c7', 5, CAST(x'ff' AS TEXT), 'c', '2025-11-01T08:00:00', NULL),
        ('c8', 5, x'0102', 'c', '2025-11-01T08:00:00', NULL);
      """)
    let before = try database.dump("conversation_history")
    let report = try sync()
    #expect(
      report.warnings.map(\.place) == [
        "conversation_history c5 field “created_at”", "conversation_history c6 field “prompt”",
        "conversation_history c7 field “prompt”", "conversation_history c8 field “prompt”",
      ])
    #expect(report.isQuiet)
    #expect(try database.dump("conversation_history") == before)
    try database.run(
      "UPDATE conversation_history SET created_at = '2025-11-01T08:00:00' WHERE id = 'c5'")
    #expect(try sync().pulled["new"] == 1)
  }

  @Test func conversationsThatSwiftNamedByTheirBytesAreKnown() throws {
    try database.run(
      """
      INSERT INTO conversation_history VALUES
        (x'99999999999949998999999999999991', 7, 'By bytes?', 'Yes.', '2025-11-01 08:00:00.000', NULL)
      """)
    #expect(try sync().pulled["new"] == 1)
    #expect(try sync().isQuiet)
    #expect(try here().last == ["By bytes?", "Yes."])
  }

  @Test func aThreadThatGrowsInTheFileGrowsHereAndIsNotBegunAnew() throws {
    let second = try TestArchive()
    try second.importing(database)
    let thread = try #require(try second.archive.threads().threads.first?.thread.id)
    try database.run(
      """
      INSERT INTO conversation_history VALUES
        ('c0', 4, 'Before?', 'Yes.', '2025-10-11', NULL), ('c2', 4, 'After?', 'Yes.', '2025-10-13', NULL);
      """)
    #expect(try second.importing(database).created["message"] == 4)
    #expect(try second.archive.threads().total == 1)
    #expect(
      try second.archive.messages(of: thread).messages.map(\.text) == [
        "Before?", "Yes.", "How am I?", "Well.", "After?", "Yes.",
      ])
    // Also where the row that it began with is gone.
    try database.run(
      """
      DELETE FROM conversation_history WHERE id = 'c1';
      INSERT INTO conversation_history VALUES ('c9', 4, 'On?', 'On.', '2025-10-15', NULL);
      """)
    try second.importing(database)
    #expect(try second.archive.threads().total == 1)
    #expect(try second.archive.messages(of: thread).messages.last?.text == "On.")
  }

  @Test func anExportReadAgainDoublesNoConversationOfOnesOwn() throws {
    try say("Who?", "Sam.")
    let out = test.folder.url.appendingPathComponent("out.db")
    _ = try ExportJob(archive: archive).writeTenWeek(to: out, variant: nil, homeZone: test.zone)
    let run = try ImportJob(archive: archive, homeZone: test.zone).run(out)[0]
    #expect(run.created["message"] == nil, "\(run.created)")
    #expect(try here() == [["How am I?", "Well."], ["Who?", "Sam."]])
    let again = test.folder.url.appendingPathComponent("again.db")
    _ = try ExportJob(archive: archive).writeTenWeek(to: again, variant: nil, homeZone: test.zone)
    let rows = "conversation_history"
    #expect(try TenWeekDatabase(again).dump(rows) == TenWeekDatabase(out).dump(rows))
  }
}
