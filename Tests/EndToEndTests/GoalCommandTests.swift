import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Goals at the command line")
struct GoalCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  /// Runs a command that must succeed and gives its document.
  @discardableResult
  private func json(_ arguments: String...) throws -> JSON {
    let result = try arkived.run(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments) \(result.talk)")
    #expect(result.json.object != nil, "\(arguments) \(result.output.prefix(200))")
    return result.json
  }

  private func identity(_ json: JSON?) throws -> String { try #require(json?["id"]?.string) }

  @Test func aGoalIsSetShownChangedAndDeleted() throws {
    let made = try arkived(
      "goal", "create", "Run 120 km", "--from", "2026-01-01", "--to", "31 march", "--type",
      "smartgoal", "--relevant", "health", "--keyword", "run", "--hint-unit", "km", "--weeks",
      "12", "--description", "Slowly.", "--notes", "In the park.")
    #expect(made.status == 0 && made.talk.contains("--target 120 --unit km"), "\(made.talk)")
    #expect(made.output.contains("Run 120 km · 0 of 120 km · 0% · 97.1 km behind"))
    let goal = try #require(try json("goal", "show", "run")["goal"])
    #expect(goal["goalType"] == "SmartGoal" && goal["measurementTarget"] == 120)
    #expect(goal["targetDate"] == "2026-03-31" && goal["expectedTermLength"] == 12)
    #expect(goal["howGoalIsActionable"] == #"{"units":["km"],"keywords":["run"]}"#)
    #expect(try json("goal")["goals"]?.array?.first?["progress"]?["target"] == 120)
    #expect(try json("goal", "list", "--search", "RUN")["goals"]?.array?.count == 1)
    #expect(try json("goal", "list", "--type", "milestone")["goals"]?.array?.count == 0)
    #expect(try json("goal", "list", "--from", "2026-04-01")["goals"]?.array?.count == 0)

    let changed = try json(
      "goal", "edit", "run", "--target", "150", "--notes", "", "--keyword", "jog")["updated"]
    #expect(changed?["measurementTarget"] == 150 && changed?["notes"] == .null)
    #expect(changed?["howGoalIsActionable"] == #"{"units":["km"],"keywords":["jog"]}"#)
    #expect(changed?["description"] == "Slowly.")
    #expect(try arkived("goal", "edit", "run", "--target", "150").talk.contains("Nothing changed"))

    let refused = try arkived("goal", "delete", "run")
    #expect(refused.status == 77 && refused.talk.contains("--yes"))
    #expect(try json("goal", "delete", "run", "--yes")["deleted"]?["title"] == "Run 120 km")
    #expect(try arkived("goal", "show", "run").status == 66)
    #expect(try arkived("undo").status == 0)
    #expect(try json("goal", "show", "run")["goal"]?["measurementTarget"] == 150)
  }

  @Test func everyFaceTellsTheSamePercentageInTheGoalsOwnUnit() throws {
    try json("goal", "create", "Sell jars", "--unit", "jars", "--target", "1000")
    let added = try arkived("sold", "995", "jars")
    #expect(added.talk.contains("counts toward Sell jars"), "\(added.talk)")
    let one = try json("action", "create", "a visitor took one", "--measure", "jar=1")
    #expect(one["created"]?["measurements"]?["jars"] == 1, "\(one.text())")
    let list = try arkived("goal").output
    #expect(list.contains("· 99%") && !list.contains("100%"), "\(list)")
    #expect(try arkived("goal", "progress", "jars").output.contains("99% ·"))
    #expect(try json("goal")["goals"]?.array?.first?["progress"]?["percent"] == 99)
    let tool = try arkived("tool", "getProgress", #"{"goal":"Sell jars"}"#, "--json")
    #expect(tool.json["result"]?["progress"]?["percent"] == 99, "\(tool.output)")
    let server = try RunningServer(arkived)
    let answer = try server.ask("GET", "/api/v1/goals?progress=true")
    #expect(answer.json["goals"]?.array?.first?["progress"]?["percent"] == 99, "\(answer.body)")
  }

  @Test func goalsAreFilteredAsOverTheAPI() throws {
    try json("goal", "create", "Hand in", "--type", "Milestone", "--to", "2026-06-30")
    try json("goal", "create", "Read", "--relevant", "calm evenings")
    func titles(_ options: String...) throws -> [String] {
      let listed = try arkived.run(["goal", "list"] + options + ["--json"]).json["goals"]?.array
      return (listed ?? []).compactMap { $0["title"]?.string }
    }
    // A milestone belongs to its day alone.
    #expect(try titles("--to", "2026-04-01") == ["Read"])
    #expect(try titles("--from", "2026-06-01", "--to", "2026-07-01") == ["Hand in", "Read"])
    #expect(try titles("--search", "CALM") == ["Read"])
    #expect(try titles("--type", "milestone", "--limit", "1") == ["Hand in"])
  }

  @Test func changedHintsKeepWhatElseTheTextHas() throws {
    try json(
      "goal", "create", "Jog", "--unit", "km", "--actionable",
      #"{"units":["km"],"keywords":["run"],"pace":"slow"}"#)
    let changed = try json("goal", "edit", "jog", "--keyword", "jog")["updated"]
    #expect(
      changed?["howGoalIsActionable"] == #"{"units":["km"],"keywords":["jog"],"pace":"slow"}"#)
    let emptied = try json("goal", "edit", "jog", "--keyword", "", "--hint-unit", "")["updated"]
    #expect(emptied?["howGoalIsActionable"] == #"{"units":[],"keywords":[],"pace":"slow"}"#)
  }

  @Test func theTotalOfAGoalsActionsIsExact() throws {
    try json("goal", "create", "Walk", "--unit", "km", "--target", "10")
    for amount in ["0.1", "0.2"] {
      try json("action", "create", "walk", "--measure", "km=\(amount)")
    }
    let actions = try json("goal", "actions", "walk")
    #expect(actions["count"] == 2 && actions["total"] == 0.3, "\(actions["total"]?.text() ?? "")")
  }

  @Test func listsTakeWhatGoalsAndActionsHave() throws {
    try json(
      "goal", "create", "Swim", "--unit", "km", "--target", "5", "--to", "2026-06-30",
      "--actionable", "every Sunday")
    try json("goal", "create", "Be kind")
    func titles(_ options: String...) throws -> [String] {
      let result = try arkived.run(["goal", "list"] + options + ["--json"])
      return result.json["goals"]?.array?.compactMap { $0["title"]?.string } ?? []
    }
    #expect(try titles("--with-dates") == ["Swim"] && titles("--without-dates") == ["Be kind"])
    #expect(try titles("--with-target") == ["Swim"] && titles("--without-target") == ["Be kind"])
    #expect(try arkived("goal", "list", "--with-dates", "--without-dates").status == 64)
    #expect(try arkived("goal", "show", "Swim").output.contains("Actionable: every Sunday"))
    try json("action", "create", "called Mum", "--minutes", "20")
    try json("action", "create", "swam", "--measure", "km=1")
    func texts(_ options: String...) throws -> [String] {
      let result = try arkived.run(["action", "list"] + options + ["--json"])
      return result.json["actions"]?.array?.compactMap { $0["text"]?.string } ?? []
    }
    #expect(try texts("--with-duration") == ["called Mum"])
    #expect(try texts("--without-duration") == ["swam"])
    #expect(try arkived("action", "list", "--with-duration", "--without-duration").status == 64)
  }

  @Test func whatIsWrittenDownSaysWhatItCountsTowards() throws {
    try json("goal", "create", "Run 120 km", "--keyword", "run")
    try json("goal", "create", "Out and about", "--unit", "km")
    let added = try arkived("ran", "5", "km")
    #expect(added.talk.contains("counts toward Run 120 km: 5 of 120 km"), "\(added.talk)")
    let made = try json("add", "ran 2 miles")
    let counts = try #require(made["countsToward"]?.array)
    #expect(counts.count == 2 && counts[0]["title"] == "Run 120 km")
    #expect(counts[0]["confidence"] == 0.9 && counts[0]["counts"] == true)
    #expect(counts[0]["unit"] == "km" && counts[0]["target"] == 120)
    #expect(abs((counts[0]["total"]?.double ?? 0) - 8.218688) < 1e-9)
    let waiting = try arkived("action", "create", "walk", "--measure", "distance_km=3")
    #expect(
      waiting.talk.contains("may count toward Out and about. To decide: `arkived match review`"))
    #expect(try json("add", "slept")["countsToward"]?.array?.isEmpty == true)
  }

  @Test func actionsAreLinkedAndTakenOff() throws {
    try json("goal", "create", "Read 12 books")
    try json("goal", "create", "Keep in touch")
    let dune = try json(
      "action", "create", "finished Dune", "--minutes", "90", "--day", "2026-03-01", "--goal",
      "read", "--amount", "1")
    #expect(dune["created"]?["dayKey"] == "2026-03-01" && dune["created"]?["durationMinutes"] == 90)
    #expect(dune["countsToward"]?.array?.first?["total"] == 1)
    let id = try identity(dune["created"])
    // Nothing is written when the amount is not known.
    let missing = try arkived("action", "create", "read a bit", "--goal", "read")
    #expect(missing.status == 65 && missing.talk.contains("--amount"), "\(missing.talk)")
    #expect(try json("action")["count"] == 1)
    let call = try identity(try json("action", "create", "called Mum")["created"])
    #expect(try json("action")["count"] == 1)
    #expect(
      try json("action", "goals", call, "--add", "keep")["goals"]?.array?.first?["contribution"]?[
        "contribution"] == 1)
    #expect(try json("action")["count"] == 2)
    #expect(try json("action", "list", "--linked", "--without")["count"] == 2)
    #expect(try json("action", "list", "--with-measurements")["count"] == 0)
    #expect(try json("action", "list", "--from", "2026-03-10")["count"] == 1)
    #expect(try json("action", "list", "--search", "dune", "--limit", "1")["count"] == 1)
    #expect(try arkived("action", "goals", call).output.contains("linked manually"))
    try json("action", "goals", call, "--remove", "keep")
    #expect(try json("action", "goals", call)["goals"]?.array?.isEmpty == true)

    let edited = try json(
      "action", "edit", id, "--measure", "pages=300", "--measure", "km=1", "--text", "read Dune")
    #expect(edited["updated"]?["measurements"] == ["pages": 300, "km": 1])
    let less = try json("action", "edit", id, "--remove-measure", "km", "--minutes", "")
    #expect(less["updated"]?["measurements"] == ["pages": 300])
    #expect(less["updated"]?["durationMinutes"] == .null)
    #expect(try arkived("action", "edit", id, "--remove-measure", "kg").status == 65)
    #expect(try json("action", "show", id)["action"]?["text"] == "read Dune")
    #expect(try json("goal", "actions", "read")["total"] == 1)
    #expect(try arkived("action", "delete", id).status == 77)
    let deleted = try json("action", "delete", id, "--yes")
    #expect(deleted["links"] == 1)
    #expect(try json("goal", "actions", "read")["total"] == 0)
    #expect(try arkived("undo").status == 0)
    #expect(try json("goal", "actions", "read")["total"] == 1)
  }

  @Test func goalsServeValuesButNotLifeAreas() throws {
    try json("value", "create", "Health", "--type", "major", "--guidance", "Move.")
    try json("value", "create", "Work", "--type", "life area", "--domain", "Job")
    let run = try json("goal", "create", "Run 120 km", "--value", "health")
    #expect(run["values"]?.array?.first?["title"] == "Health")
    #expect(run["values"]?.array?.first?["priority"] == 10)
    let list = try json("value")
    #expect(list["values"]?.array?.count == 1 && list["lifeAreas"]?.array?.count == 1)
    let refused = try arkived("value", "goals", "work", "--add", "run")
    #expect(refused.status == 65 && refused.talk.contains("where a goal belongs, not why"))
    let together = try arkived("goal", "create", "Swim", "--value", "work")
    #expect(together.status == 65)
    #expect(try json("goal")["goals"]?.array?.count == 1)
    // Adding once more changes what is there.
    let aligned = try json(
      "value", "goals", "health", "--add", "run", "--strength", "8", "--notes", "fit")
    #expect(aligned["goals"]?.array?.count == 1)
    #expect(aligned["goals"]?.array?.first?["alignment"]?["strength"] == 8)
    #expect(
      try arkived("value", "goals", "health", "--add", "run", "--strength", "11").status == 65)
    let becomes = try arkived("value", "edit", "health", "--type", "life_area")
    #expect(becomes.status == 65 && becomes.talk.contains("1 goal"))
    #expect(try json("value", "edit", "health", "--priority", "3")["updated"]?["priority"] == 3)
    #expect(try json("value", "delete", "health", "--yes")["alignments"] == 1)
    #expect(try arkived("undo").status == 0)
    #expect(try json("value", "show", "health")["goals"]?.array?.count == 1)
    try json("value", "goals", "health", "--remove", "run")
    #expect(try arkived("value", "goals", "health", "--remove", "run").status == 66)
  }

  @Test func aGoalWithItsRelationsIsOneChange() throws {
    try json("value", "create", "Health")
    try json("term", "create")
    try json("goal", "create", "Run", "--value", "health", "--term", "current")
    #expect(try json("term", "current")["goals"]?.array?.count == 1)
    #expect(try arkived("undo").status == 0)
    #expect(try json("goal")["goals"]?.array?.isEmpty == true)
    #expect(try json("term", "current")["goals"]?.array?.isEmpty == true)
  }

  @Test func aTermIsPlannedAndLookedBackOn() throws {
    let first = try json("term", "create", "Spring", "base", "--from", "2026-02-02")["created"]
    #expect(first?["termNumber"] == 1 && first?["targetDate"] == "2026-04-13")
    #expect(first?["theme"] == "Spring base" && first?["status"] == "active")
    let next = try json("term", "create")["created"]
    #expect(next?["termNumber"] == 2 && next?["startDate"] == "2026-04-14")
    let across = try arkived("term", "create", "--from", "2026-03-01", "--to", "1 april")
    #expect(across.status == 0 && across.talk.contains("overlaps with Term 1: Spring base"))
    try json("term", "delete", "3", "--yes")
    #expect(try arkived("term", "create", "--number", "1").status == 65)
    for title in ["Run 120 km", "Sleep early", "Idle"] { try json("goal", "create", title) }
    let committed = try json("term", "add-goal", "1", "run", "sleep")["goals"]?.array
    #expect(committed?.compactMap { $0["assignment"]?["order"] } == [1, 2])
    let moved = try json("term", "add-goal", "current", "idle", "--order", "0")["goals"]?.array
    #expect(moved?.first?["goal"]?["title"] == "Idle")
    try json("term", "remove-goal", "1", "idle")
    #expect(try arkived("term", "remove-goal", "1", "idle").status == 66)
    try json("add", "2026-02-10: ran 10 km")
    try json("value", "create", "Courage")
    let review = try json("term", "progress")
    #expect(review["goals"]?.array?.first?["inTerm"] == 10)
    let text = try arkived("term", "progress", "1").output
    for part in [
      "Spring base", "of the time has passed",
      "in the term: 10 km in 1 action · last on 10 February",
      "neglected for 32 days", "No goal of this term serves these values: Courage",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(
      try json("term", "edit", "1", "--reflection", "Good.")["updated"]?["reflection"] == "Good.")
    #expect(
      try arkived("term", "list", "--status", "upcoming", "--json").json["terms"]?.array?.count == 1
    )
    let deleted = try json("term", "delete", "1", "--yes")
    #expect(deleted["commitments"] == 2)
    #expect(try arkived("undo").status == 0)
    #expect(try json("term", "show", "1")["goals"]?.array?.count == 2)
  }

  @Test func progressShowsWhereOneStands() throws {
    #expect(try json("progress")["goals"]?.array?.isEmpty == true)
    try json("goal", "create", "Run 120 km", "--from", "2026-01-01", "--to", "2026-03-31")
    try json("goal", "create", "Old", "--to", "2025-12-31")
    try json("add", "2026-03-02: ran 43.5 km")
    try json("lifetime", "set", "1985-06-01", "--years", "85")
    let text = try arkived("progress").output
    #expect(text.contains("░") && text.contains("│") && text.contains("36% · 43.5 of 120 km"))
    #expect(text.contains("53.6 km behind") && text.contains("weeks lived"), "\(text)")
    #expect(!text.contains("Old"))
    #expect(try arkived("progress", "--all").output.contains("Old"))
    #expect(try json("progress")["goals"]?.array?.count == 1)
    #expect(try json("progress")["lifetime"]?["weeksLived"] == 2_128)
    let one = try arkived("goal", "progress", "run", "--weeks", "3").output
    #expect(one.contains("76.5 km to go") && one.contains("2026-03-02  ██"), "\(one)")
    #expect(one.contains("--weeks 11"))
    #expect(try json("progress", "run")["progress"]?["weeks"]?.array?.count == 11)
  }

  @Test func theNewFirstDayOfAnOpenedGoalIsTheNearestOne() throws {
    try json("goal", "create", "Run 120 km", "--from", "2026-01-01", "--to", "2026-01-31")
    let file = arkived.folder.url.appendingPathComponent("run.json").path
    #expect(try arkived("goal", "pack", "run", "-o", file).status == 0)
    // Today is Saturday, 14 March.
    try json("goal", "unpack", file, "--as-new", "--from", "monday")
    let starts = try json("goal")["goals"]?.array?.compactMap { $0["startDate"]?.string }
    #expect(starts?.sorted() == ["2026-01-01", "2026-03-16"])
  }

  @Test func aLifetimeIsSetOnce() throws {
    #expect(try json("lifetime") == ["lifetime": nil])
    try json("lifetime", "set", "1", "june", "1985")
    #expect(try json("lifetime", "set", "1986-06-01")["lifetime"]?["birthDate"] == "1986-06-01")
    #expect(try json("lifetime")["lifetime"]?["expectedYears"] == 79)
    #expect(try arkived("lifetime").output.split(separator: "\n").count == 80)
    for arguments in [
      ["2030-01-01"], ["1985-06-01", "--years", "-1"], ["1985-06-01", "--years", "nan"],
    ] {
      #expect(try arkived.run(["lifetime", "set"] + arguments).status == 65)
    }
    let german = try arkived(
      "--language", "de", "lifetime", "set", "1986-06-01", "--years", "79,5")
    #expect(german.status == 0, "\(german.talk)")
    #expect(try json("lifetime")["lifetime"]?["expectedYears"] == 79.5)
    #expect(try arkived("lifetime", "delete").status == 77)
    try json("lifetime", "delete", "--yes")
    #expect(try arkived("undo").status == 0)
    #expect(try json("lifetime")["lifetime"]?["birthDate"] == "1986-06-01")
  }
}
