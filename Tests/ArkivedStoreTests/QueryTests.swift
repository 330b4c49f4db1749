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
    #expect(try problem("SELECT ?").description.contains("1 places"))
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
