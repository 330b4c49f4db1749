import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("arkived sql")
struct QueryCommandTests {
  private let arkived: Program

  init() throws {
    arkived = try Program()
    #expect(try arkived("add", "run 5 km, \"slow\" #sport", "--json").status == 0)
    #expect(try arkived("add", "read", "--json").status == 0)
  }

  @Test func rowsComeInEveryForm() throws {
    let query = "SELECT text, dayKey FROM activities ORDER BY createdAt, text"
    let document = try arkived("sql", query, "--json").json
    #expect(document["columns"] == ["text", "dayKey"])
    #expect(document["rows"]?.array?.count == 2)
    let csv = try arkived("sql", query, "--format", "csv").output
    #expect(csv.hasPrefix("text,dayKey\n") && csv.contains("\"\"slow\"\""), "\(csv)")
    let lines = try arkived("sql", query, "--format", "jsonl").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(try JSON(parsing: String(lines.first ?? ""))["dayKey"] == "2026-03-14")
    let text = try arkived("sql", query)
    #expect(text.output.hasPrefix("text") && text.talk.contains("2 rows"), "\(text.output)")
    #expect(try arkived("sql", query, "--format", "markdown").output.contains("| --- | --- |"))
    let twice = try arkived("sql", "SELECT 1 AS a, 2 AS a", "--format", "jsonl").output
    #expect(twice == "{\"a\":1,\"a_2\":2}\n")
  }

  @Test func tablesHoldNoFormula() throws {
    let query = "SELECT '=1+1' AS \"=a\", ' @x' AS b, -5 AS c, '-5' AS d, NULL AS e"
    let table = try arkived("sql", query, "--format", "csv")
    #expect(table.output == "'=a,b,c,d,e\n'=1+1,' @x,-5,'-5,\n")
  }

  @Test func aQueryTakesValuesAndComesFromAPipe() throws {
    let counted = try arkived(
      "sql", "SELECT count(*) FROM taggings WHERE tag = ?", "sport", "--json")
    #expect(counted.json["rows"] == [[1]])
    let piped = try arkived("sql", "-", "--json", input: Data("SELECT 7;\n".utf8))
    #expect(piped.json["rows"] == [[7]])
  }

  @Test func withoutAQueryTheViewsAreListed() throws {
    let listed = try arkived("sql")
    #expect(listed.status == 0 && listed.output.contains("personal_values"))
    #expect(try arkived("sql", "--json").json["views"]?.array?.isEmpty == false)
  }

  @Test func whatIsWrongHasItsExitCodeAndOneDocument() throws {
    let cases: [(String, Int32)] = [
      ("SELECT FROM", 65), ("SELECT nothing FROM activities", 65), ("DELETE FROM activities", 77),
      ("SELECT token_hash FROM web_sessions", 77),
    ]
    for (query, status) in cases {
      let result = try arkived("sql", query, "--json")
      #expect(result.status == status, "\(query) \(result.talk)")
      #expect(result.json["error"] != nil, "\(result.output)")
    }
    // A row that fails leaves no half of a document.
    let broken = try arkived(
      "sql", "SELECT json_extract(text, '$') FROM activities", "--json")
    #expect(broken.status == 65 && broken.json["error"] != nil, "\(broken.output)")
  }
}
