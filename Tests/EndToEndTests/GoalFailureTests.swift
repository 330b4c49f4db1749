import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Goals at the command line: matches, history, wrong input")
struct GoalFailureTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  @discardableResult
  private func json(_ arguments: String...) throws -> JSON {
    let result = try arkived.run(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments) \(result.talk)")
    return result.json
  }

  private func makeWaiting() throws {
    try json("goal", "create", "Out", "--unit", "km", "--target", "100")
    for amount in 1...4 {
      try json("action", "create", "stroll \(amount)", "--measure", "distance_km=\(amount)")
    }
  }

  private var total: Double {
    get throws { try json("goal", "progress", "out")["progress"]?["total"]?.double ?? -1 }
  }

  @Test func matchesAreDecidedKeyByKey() throws {
    try makeWaiting()
    // All are of one day; the order is that of the list.
    let first = try json("match", "review", "--list")["matches"]?.array ?? []
    #expect(first.count == 4)
    let amounts = first.compactMap { $0["match"]?["contribution"]?.double }
    let review = try arkived.atTerminal(["match", "review"], typing: "ynu?q")
    #expect(review.status == 0 && review.screen.contains("1 of 4"), "\(review.screen)")
    #expect(review.screen.contains("undone") && review.screen.contains("1 decided"))
    #expect(try total == amounts[0])
    let rest = try arkived.atTerminal(["match", "review"], typing: "na")
    #expect(rest.screen.contains("confirmed 2"), "\(rest.screen)")
    #expect(try total == amounts.reduce(0, +) - amounts[1])
    #expect(try json("match", "review")["waiting"] == 0)
    #expect(try arkived.atTerminal(["match"], typing: "").screen.contains("Nothing to review"))
  }

  @Test func aTerminalWithoutKeysTakesLines() throws {
    try makeWaiting()
    let review = try arkived.atTerminal(
      ["match", "review"], typing: "y\nno\nq\n", environment: ["TERM": "dumb"])
    #expect(review.status == 0 && review.screen.contains("2 decided"), "\(review.screen)")
    #expect(try json("match", "review")["waiting"] == 2)
  }

  @Test func scriptsDecideByIdentity() throws {
    try makeWaiting()
    let listed = try arkived("match", "review")
    #expect(listed.status == 0 && listed.output.split(separator: "\n").count == 4)
    let ids = (try json("match", "review")["matches"]?.array ?? [])
      .compactMap { $0["match"]?["id"]?.string }
    #expect(try json("match", "confirm", String(ids[0].prefix(8)))["confirmed"]?.array?.count == 1)
    #expect(try json("match", "reject", ids[1])["rejected"]?.array?.count == 1)
    #expect(try json("match", "review")["waiting"] == 2)
    #expect(try json("match", "confirm", "--goal", "out")["confirmed"]?.array?.count == 2)
    #expect(try arkived("match", "confirm", "ABCDEF12").status == 66)
    #expect(try arkived("match", "confirm").status == 64)
    let report = try json("match", "infer", "--goal", "out", "--from", "2026-03-01")
    #expect(report["analysed"] == 4 && report["added"] == 0 && report["removed"] == 0)
  }

  @Test func aMatchIsDecidedFromItsAction() throws {
    try makeWaiting()
    let action = try #require(
      try json("action", "list", "--search", "stroll 3")["actions"]?.array?.first?["id"]?.string)
    try json("action", "goals", action, "--confirm", "out")
    #expect(try total == 3)
    try json("action", "goals", action, "--reject", "out")
    #expect(try total == 0)
    #expect(try arkived("action", "goals", action).output.contains("rejected"))
    try json("goal", "create", "Other")
    #expect(try arkived("action", "goals", action, "--confirm", "other").status == 66)
    #expect(try arkived("action", "goals", action, "--add", "x", "--remove", "y").status == 64)
  }

  @Test func theHistoryKnowsGoalsValuesAndTerms() throws {
    try json("goal", "create", "Run 120 km")
    try json("value", "create", "Health")
    try json("term", "create", "Spring")
    try json("goal", "edit", "run", "--target", "150", "--title", "Run 150 km")
    try json("value", "edit", "health", "--priority", "7")
    try json("term", "edit", "1", "--theme", "Summer")
    #expect(try arkived("history", "run").output.contains("Run 120 km"))
    #expect(try arkived("history", "term", "1").output.contains("Term 1: Spring"))
    #expect(try arkived("history", "diff", "health").output == "priority: 40 → 7\n")
    let changes = try json("history", "diff", "run")
    #expect(
      changes["changes"] == [
        ["field": "title", "before": "Run 120 km", "after": "Run 150 km"],
        ["field": "measurementTarget", "before": 120, "after": 150],
      ])
    #expect(changes["to"]?["present"] == true)
    let id = try #require(try json("goal", "show", "run")["goal"]?["id"]?.string)
    #expect(try json("history", String(id.prefix(8)))["versions"]?.array?.count == 1)
    let version = try #require(
      try json("history", "run")["versions"]?.array?.first?["id"]?.string)
    #expect(try arkived("history", "restore", version).status == 0)
    #expect(try json("goal", "show", "run")["goal"]?["measurementTarget"] == 120)
    #expect(
      try json("history", "diff", version, "now")["changes"]?.array?.isEmpty == true)
    // Deleted, it is still known by its title.
    try json("goal", "delete", "run", "--yes")
    let old = try #require(
      try json("history", "Run 120 km")["versions"]?.array?.first?["id"]?.string)
    #expect(try arkived("history", "diff", old).status == 66)
    #expect(try arkived("history", "restore", old).status == 0)
    #expect(try json("goal", "show", "run")["goal"]?["measurementTarget"] == 120)
    #expect(try arkived("history", "no such thing").status == 66)
  }

  @Test func wrongInputNamesItsField() throws {
    try json("goal", "create", "Run fast")
    try json("goal", "create", "Run far")
    try json("term", "create", "--number", "1")
    let add = ["goal", "create", "Bad"]
    let cases: [([String], Int32, String)] = [
      (add + ["--target", "-3", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "0", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "nan", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "inf", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "1e308", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "many", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--target", "5"], 65, "measurementUnit"),
      (add + ["--from", "2026-04-01", "--to", "2026-04-01"], 65, "targetDate"),
      (add + ["--from", "2026-04-01", "--to", "2026-03-01"], 65, "targetDate"),
      (
        add + ["--type", "Milestone", "--from", "2026-01-01", "--to", "2026-04-01"], 65, "startDate"
      ),
      (add + ["--type", "Milestone"], 65, "targetDate"),
      (add + ["--type", "SmartGoal", "--unit", "km"], 65, "measurementTarget"),
      (add + ["--weeks", "x"], 65, "expectedTermLength"),
      (add + ["--weeks", "-1"], 65, "expectedTermLength"),
      (add + ["--to", "gibberish"], 64, "--to"), (add + ["--value", "nothing"], 66, "nothing"),
      (add + ["--term", "77"], 66, "77"),
      (add + ["--actionable", "{}", "--keyword", "x"], 64, "--actionable"),
      (["goal", "create", " "], 65, "title"), (["goal", "create"], 64, "title"),
      (["goal", "edit", "run fast"], 64, "--target"), (["goal", "show", "run"], 64, "Run far"),
      (["goal", "show", "swim"], 66, "swim"), (["goal", "progress", "swim"], 66, "swim"),
      (["goal", "delete", "run far"], 77, "--yes"), (["goal", "frobnicate"], 64, "frobnicate"),
      (["value", "create", "V", "--priority", "0"], 65, "priority"),
      (["value", "create", "V", "--priority", "101"], 65, "priority"),
      (["value", "show", "none"], 66, "none"),
      (["value", "goals", "none", "--add", "x"], 66, "none"),
      (["term", "create", "--number", "1"], 65, "termNumber"),
      (["term", "create", "--number", "-1"], 65, "termNumber"),
      (["term", "create", "--from", "2026-04-01", "--to", "2026-03-01"], 65, "targetDate"),
      (["term", "add-goal", "1", "swim"], 66, "swim"), (["term", "show", "last"], 66, "before"),
      (["term", "list", "--status", "odd"], 64, "--status"),
      (["action", "create", "x", "--measure", "km=-1"], 65, "measurements"),
      (["action", "create", "x", "--measure", "km=nan"], 65, "measurements"),
      (["action", "create", "x", "--minutes", "-1"], 65, "durationMinutes"),
      (["action", "create", "x", "--amount", "1"], 64, "--goal"),
      (["action", "create", "x", "--goal", "run far", "--amount", "1e308"], 65, "contribution"),
      (["action", "create", "x", "--goal", "run far", "--amount", "-1"], 65, "contribution"),
      (["action", "create", "x", "--goal", "swim"], 66, "swim"),
      (["action", "list", "--linked", "--unlinked"], 64, "--unlinked"),
      (["action", "list", "--limit", "-1"], 64, "--limit"),
      (["action", "edit", "ABCDEF", "--text", "x"], 66, "ABCDEF"),
      (["match", "infer", "--goal", "swim"], 66, "swim"),
    ]
    for (arguments, status, part) in cases {
      let result = try arkived.run(arguments)
      #expect(result.status == status, "\(arguments) \(result.status) \(result.talk)")
      #expect(result.talk.contains(part), "\(arguments) \(result.talk)")
      #expect(!result.talk.contains("Fatal"), "\(arguments)")
    }
    #expect(try json("goal")["goals"]?.array?.count == 2)
    #expect(try json("action")["count"] == 0 && json("value")["values"]?.array?.isEmpty == true)
  }

  @Test func hintsThatCannotBeReadAreWarnedOf() throws {
    let made = try arkived(
      "goal", "create", "Run", "--unit", "km", "--actionable", "{oops", "--json")
    #expect(made.status == 0 && made.talk.contains("howGoalIsActionable"))
    #expect(made.json["warnings"]?.array?.count == 1)
    #expect(try arkived("match", "infer").talk.contains("Warning: Run"))
  }

  @Test func textOfAGoalCannotDriveTheTerminal() throws {
    try json("goal", "create", "a\u{1B}]0;evil\u{7}b\nc")
    for command in [["goal"], ["progress"], ["goal", "show", "evil"]] {
      let shown = try arkived.run(command).output
      #expect(shown.contains("evil") && !shown.contains("\u{1B}") && !shown.contains("\u{7}"))
    }
  }
}
