import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Queries in SQL")
struct QueryTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func rows(_ query: String, _ values: String...) throws -> [[JSON]] {
    var rows: [[JSON]] = []
    try test.archive.query(query, values: values, columns: { _ in }, row: { rows.append($0) })
    return rows
  }

  private func problem(_ query: String, _ values: String...) throws -> QueryError {
    let found = #expect(throws: QueryError.self) {
      try test.archive.query(query, values: values, columns: { _ in }, row: { _ in })
    }
    return try #require(found)
  }

  private func fill() throws {
    try test.add(
      "ran with Sam", on: "2026-03-13", from: "07:00", to: "08:30", tags: ["sport"],
      people: ["Sam"], kind: .health, measurements: ["km": 12.5])
    try test.add("read", on: "2026-03-14", kind: .learning)
  }

  @Test func everyViewIsReadAndTold() throws {
    try fill()
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Documentation/Views.md")
    let told = try String(contentsOf: file, encoding: .utf8)
    for view in QueryView.all {
      var names: [String] = []
      try test.archive.query("SELECT * FROM \(view.name)", columns: { names = $0 }, row: { _ in })
      #expect(names == view.columns.map(\.name), "\(view.name)")
      let columns = names.map { "`\($0)`" }.joined(separator: ", ")
      #expect(told.contains("| `\(view.name)` | \(view.about) | \(columns) |"), "\(view.name)")
      #expect(try rows("SELECT count(*) FROM \(view.name)").count == 1)
    }
    #expect(Set(QueryView.all.map(\.name)).count == QueryView.all.count)
  }

  @Test func valuesAreThoseOfTheArchive() throws {
    try fill()
    #expect(
      try rows(
        "SELECT dayKey, startAt, startLocal, endLocal, durationMinutes, kind FROM activities")
        == [
          [
            "2026-03-13", "2026-03-13T06:00:00Z", "2026-03-13T07:00:00", "2026-03-13T08:30:00",
            90, "health",
          ],
          ["2026-03-14", .null, .null, .null, .null, "learning"],
        ])
    #expect(
      try rows(
        """
        SELECT t.tag, m.name, x.unit, x.amount FROM activities a
        JOIN taggings t ON t.activityId = a.id JOIN mentions m ON m.activityId = a.id
        JOIN measurements x ON x.activityId = a.id
        """) == [["sport", "Sam", "km", .number(12.5)]])
    #expect(
      try rows("SELECT j.value FROM json_each('[1,2]') AS j") == [[.integer(1)], [.integer(2)]])
    #expect(try rows("SELECT x'00FF'") == [["00ff"]])
  }

  @Test func valuesStandForQuestionMarks() throws {
    try fill()
    #expect(
      try rows("SELECT text FROM activities WHERE durationMinutes > ? AND kind = ?", "60", "health")
        == [["ran with Sam"]])
    #expect(try rows("SELECT text FROM activities WHERE text = ?", "'; DROP TABLE days") == [])
    #expect(try problem("SELECT ?").description.contains("Placeholders in the query: 1"))
    #expect(try problem("SELECT 1", "2").reason == .wrong)
  }

  @Test func whatWasDeletedOrTakenBackIsSeenInVersionsAlone() throws {
    let entry = try test.add("a secret walk")
    _ = try test.archive.deleteActivities([entry.id])
    #expect(try rows("SELECT * FROM activities") == [])
    #expect(
      try rows("SELECT json_extract(record, '$.text'), reason FROM versions")
        == [["a secret walk", "delete"]])
  }

  @Test(arguments: [
    "DELETE FROM activities", "UPDATE days SET note = ''", "INSERT INTO days VALUES (1)",
    "DROP VIEW days", "CREATE TABLE x (a)", "PRAGMA user_version = 9", "ATTACH 'x.db' AS x",
    "VACUUM INTO 'elsewhere.sqlite'", "BEGIN", "SELECT token_hash FROM web_sessions",
    "SELECT text FROM activity_rows", "SELECT * FROM main.activities",
    "SELECT * FROM sqlite_schema",
    "SELECT load_extension('x')", "-- a comment\n DELETE FROM days", "SELECT * FROM agent_tokens",
  ])
  func whatWritesOrReadsOtherTablesIsRefused(query: String) throws {
    try fill()
    let before = try test.archive.changes().count
    let error = try problem(query)
    #expect(error.reason == .refused || error.description.contains("no such"), "\(error)")
    #expect(try rows("SELECT count(*) FROM activities") == [[.integer(2)]])
    #expect(try test.archive.changes().count == before)
  }

  @Test(arguments: [
    // Only counted.
    "SELECT count(*) FROM agent_tokens", "SELECT 1 FROM settings",
    "SELECT count(*) FROM sqlite_master",
    "SELECT count(*) FROM main.search_words_data", "SELECT 1 FROM temp.sqlite_temp_schema",
    "SELECT EXISTS (SELECT 1 FROM web_sessions)", "SELECT name FROM sqlite_temp_master",
    "SELECT count(*) FROM SQLITE_SCHEMA", "SELECT count(*) FROM sqlite_sequence",
    // Behind a name of the query's own.
    "WITH activities AS (SELECT * FROM settings) SELECT * FROM activities",
    "WITH persons AS (SELECT token_hash FROM agent_tokens) SELECT * FROM persons",
    "WITH activities AS (SELECT text FROM activity_rows) SELECT * FROM activities",
    "WITH RECURSIVE days(a) AS (SELECT value FROM settings UNION ALL SELECT a FROM days) "
      + "SELECT * FROM days",
    "SELECT * FROM (WITH days AS (SELECT name FROM settings) SELECT * FROM days)",
    "SELECT * FROM (SELECT * FROM sync_links) AS activities",
    "SELECT (SELECT value FROM settings LIMIT 1)",
    "SELECT text FROM activities WHERE EXISTS (SELECT 1 FROM settings WHERE value > '')",
    "SELECT text FROM activities ORDER BY (SELECT count(*) FROM pending_acts)",
    "SELECT id FROM days UNION ALL SELECT name FROM settings",
    "SELECT d.id FROM days AS d JOIN settings AS s ON s.name = d.id",
    // Written in other ways.
    "SELECT * FROM \"settings\"", "SELECT * FROM [settings]", "SELECT * FROM `settings`",
    "SELECT * FROM main . \"settings\"", "SELECT * FROM SETTINGS", "SELECT * FROM/**/settings",
    "SELECT * FROM main.persons", "SELECT * FROM persons", "EXPLAIN SELECT * FROM settings",
    "EXPLAIN QUERY PLAN SELECT * FROM settings", "VALUES ((SELECT value FROM settings))",
    // By SQLite's own functions.
    "SELECT * FROM pragma_table_info('settings')", "SELECT * FROM pragma_table_list",
    "SELECT count(*) FROM pragma_database_list", "SELECT * FROM pragma_user_version",
    "SELECT fts3_tokenizer('simple')",
    "SELECT * FROM search_words WHERE search_words MATCH 'ran'",
    "SELECT count(*) FROM search_words",
    "EXPLAIN ATTACH ':memory:' AS other", "EXPLAIN PRAGMA table_info(settings)",
    "WITH x AS (SELECT 1) UPDATE settings SET value = ''",
    "WITH x AS (SELECT 1) INSERT INTO agent_tokens SELECT * FROM x",
  ])
  func whatIsNotDocumentedCannotBeReadByAnyTrick(query: String) throws {
    try fill()
    let error = try problem(query)
    #expect(
      error.reason == .refused || error.description.contains("no such"), "\(query): \(error)")
  }

  @Test func aRefusalNamesTheTableAndSaysWhatToDo() throws {
    let error = try problem("WITH days AS (SELECT * FROM settings) SELECT * FROM days")
    #expect(error.reason == .refused)
    #expect(
      error.description
        == "“settings” isn’t a view that queries can read. Run arkived sql for the list.")
  }

  @Test func aQueryMayStillNameItsOwnTablesAsItLikes() throws {
    try fill()
    for query in [
      "WITH settings AS (SELECT text FROM activities) SELECT count(*) FROM settings",
      "SELECT count(*) FROM ACTIVITIES", "SELECT count(*) FROM temp.activities",
      "SELECT count(*) FROM (SELECT * FROM activities AS settings)",
      "SELECT sum(1) FROM activities, json_each('[1]')",
    ] {
      #expect(try rows(query) == [[.integer(2)]], "\(query)")
    }
    #expect(
      try rows(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) "
          + "SELECT max(x) FROM n") == [[.integer(3)]])
    #expect(
      try rows("WITH days AS (SELECT text FROM activities) SELECT 1 FROM days")
        == [[.integer(1)], [.integer(1)]])
  }

  @Test(arguments: [
    ("", "empty"), ("  -- nothing\n", "empty"), ("SELECT FROM", "character"),
    ("SELECT * FROM nowhere", "no such table"), ("SELECT 1; SELECT 2", "one at a time"),
    ("SELECT 1\u{0}", "NUL"), ("SELECT json_extract('{', '$.a')", "malformed JSON"),
    ("WITH x AS (SELECT 1) DELETE FROM days", ""),
  ])
  func whatIsWrongIsNamed(query: String, word: String) throws {
    let error = try problem(query)
    #expect(word.isEmpty || error.description.contains(word), "\(error)")
  }

  @Test func theZonesOfTheWorldAndTheEndsOfTimeDoNotCrashIt() throws {
    #expect(
      try rows("SELECT local_time(0, 'Asia/Kathmandu'), local_time(0, 'No/Where')")
        == [["1970-01-01T05:30:00", .null]])
    #expect(
      try rows("SELECT local_time(9223372036854775807, 'UTC'), local_time('x', 'UTC')")
        == [[.null, .null]])
  }
}
