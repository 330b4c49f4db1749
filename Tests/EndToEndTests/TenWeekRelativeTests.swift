import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// A file that is shared with the older relative, whose Python is played by `Tests/TenWeek/relative.py`.
@Suite("The older relative at the command line")
struct TenWeekRelativeTests {
  private let arkived: Program
  private let file: String

  init() throws {
    arkived = try Program()
    file = arkived.folder.url.appendingPathComponent("goals.db").path
    #expect(
      try arkived(
        "goal", "create", "Run", "--unit", "km", "--target", "120", "--from", "2026-02-01", "--to",
        "2026-04-11", "--weeks", "10"
      ).status == 0)
    #expect(
      try arkived("term", "create", "Spring", "--from", "2026-02-01", "--to", "2026-04-11").status
        == 0)
    #expect(try arkived("term", "add-goal", "1", "Run").status == 0)
    #expect(try arkived("value", "create", "Health").status == 0)
    let run = try arkived(
      "action", "create", "yesterday at 7am: ran by the river", "--measure", "km=5")
    #expect(run.status == 0, "\(run.talk)")
    #expect(try arkived("export", "--format", "tenweek", "-o", file).status == 0)
  }

  private func relative(_ arguments: String..., in other: String? = nil) throws -> JSON {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("TenWeek/relative.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script.path, other ?? file] + arguments
    let said = Pipe()
    process.standardOutput = said
    try process.run()
    let answer = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSON(parsing: answer)
  }

  private func sync() throws -> JSON {
    let result = try arkived("sync", "--json")
    #expect(result.status == 0, "\(result.talk)")
    return try #require(result.json["syncs"]?.array?.first)
  }

  private func goals() throws -> [JSON] {
    try arkived("goal", "list", "--json").json["goals"]?.array ?? []
  }

  private func id(_ title: String) throws -> String {
    let goal = try goals().first { $0["title"]?.string == title }
    return try #require(goal?["id"]?.string)
  }

  @Test func theRelativeReadsMatchesAndListsWhatIsWritten() throws {
    let seen = try relative("look")
    #expect(seen["matches"] == [["ran by the river", "Run"]])
    let term = try #require(seen["terms"]?.array?.first)
    #expect(term["isActive"] == true)
    #expect(term["goals"] == ["Run"])
    #expect(term["overlapping"] == ["Run"])
    #expect(term["actions"] == ["ran by the river"])
    #expect(seen["values"] == 1)
  }

  @Test func whatTheRelativeSavesIsChangedAndNotDoubled() throws {
    #expect(try arkived("sync", "link", file).status == 0)
    _ = try sync()
    let run = try id("Run")
    #expect(try relative("save", "goals", run, "Run far")["saved"] == "changed")
    #expect(try relative("look")["goals"] == 1)
    #expect(try sync()["pulled"]?["changed"] == 1)
    #expect(try goals().map { $0["title"]?.string } == ["Run far"])
    #expect(try arkived("history", "--json").output.contains("Synced with goals.db"))
    #expect(try relative("delete", "goals", run)["deleted"] == 1)
    #expect(try sync()["pulled"]?["deleted"] == 1)
    #expect(try goals().isEmpty)
  }

  @Test func anOrdinaryGoalComesInWithItsTermAndAimsAtNothingYet() throws {
    #expect(try arkived("sync", "link", file).status == 0)
    _ = try sync()
    let term = try #require(
      try arkived("term", "list", "--json").json["terms"]?.array?.first?["id"]?.string)
    _ = try relative("add-goal", "0e9dbd0e-7b1c-4f0a-9e0c-2a3b4c5d6e7f", "Call home more", term)
    let report = try sync()
    #expect(report["pulled"]?["new"] == 2, "\(report)")
    let goal = try #require(try goals().first { $0["title"]?.string == "Call home more" })
    #expect(goal["measurementTarget"] ?? .null == .null)
    #expect(try arkived("term", "show", "1").output.contains("Call home more"))
    // What it aims at is told later, here, and the relative gets it.
    #expect(
      try arkived("goal", "edit", "Call home more", "--unit", "calls", "--target", "20").status == 0
    )
    #expect(try sync()["pushed"]?["changed"] == 1)
    #expect(try relative("look")["goals"] == 2)
  }

  @Test func backAndForthNothingIsDoubledOrLost() throws {
    #expect(try arkived("sync", "link", file).status == 0)
    _ = try sync()
    let run = try id("Run")
    // More by hand: ARKIVED_TEST_ROUNDS=1000.
    let rounds = ProcessInfo.processInfo.environment["ARKIVED_TEST_ROUNDS"].flatMap(Int.init) ?? 8
    for round in 1...rounds {
      #expect(try relative("save", "goals", run, "Run \(round) there")["saved"] == "changed")
      #expect(try sync()["pulled"]?["changed"] == 1)
      #expect(
        try arkived("goal", "edit", run, "--title", "Run \(round) here").status == 0)
      #expect(try sync()["pushed"]?["changed"] == 1)
      // A question there goes on here, in the same session.
      let said = try relative("say", "Question \(round)", "Yes", "1")
      #expect(try sync()["pulled"]?["new"] == 1)
      #expect(try arkived("ask", "--continue", "how often did I run?").status == 0)
      #expect(try sync()["pushed"]?["new"] == 1)
      let key = try #require(said["said"]?.string)
      _ = try relative("correct", key, "Answer \(round)")
      #expect(try sync()["pulled"]?["changed"] == 1)
      let seen = try relative("look")
      #expect(seen["matches"] == [["ran by the river", .string("Run \(round) here")]])
      #expect(seen["goals"] == 1 && seen["actions"] == 1)
      #expect(seen["talk"]?.object?.members.count == 1)
      #expect(seen["talk"]?["1"]?.array?.count == round * 2)
    }
    #expect(try goals().count == 1)
    #expect(try sync()["pushed"]?.object?.isEmpty ?? true)
  }

  /// More by hand: ARKIVED_TEST_ROWS=1000000.
  @Test func manyOldVersionsAreSyncedAndExportedInBoundedMemory() throws {
    let rows =
      ProcessInfo.processInfo.environment["ARKIVED_TEST_ROWS"].flatMap(Int.init) ?? 20_000
    #expect(try arkived("sync", "link", file).status == 0)
    _ = try sync()
    let before = try relative("look")["archive"]?.int ?? 0
    #expect(try relative("age", "\(rows)")["aged"] == JSON(rows))
    let first = try measured("sync", "--json")
    let report = try #require(first.answer["syncs"]?.array?.first)
    #expect(report["pulled"]?["history"] == JSON(rows), "\(report)")
    #expect(report["pulled"]?["new"] == JSON(rows / 20) && report["warnings"] == [])
    let second = try measured("sync", "--json")
    let quiet = try #require(second.answer["syncs"]?.array?.first)
    #expect(quiet["pulled"] == [:] && quiet["pushed"] == [:], "\(quiet)")
    let copy = file + ".copy"
    let third = try measured("export", "--format", "tenweek", "-o", copy, "--json")
    #expect(try relative("look")["archive"] == JSON(before + rows))
    #expect(try relative("look", in: copy)["archive"] == relative("look")["archive"])
    #expect(try relative("look", in: copy)["talk"] == relative("look")["talk"])
    let peaks = [first, second, third].map(\.megabytes)
    #expect(peaks.allSatisfy { $0 < 90 }, "\(peaks) MB")
  }

  /// Runs the program to its end, and asks the system for the most memory that it had.
  private func measured(_ arguments: String...) throws -> (answer: JSON, megabytes: Int) {
    let script = """
      import resource, subprocess, sys
      done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
      peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
      sys.stdout.write(f"{done.returncode} {peak}\\n" + done.stdout.decode())
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, Program.executable.path] + arguments
    process.environment = arkived.environment
    let said = Pipe()
    process.standardOutput = said
    try process.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = (lines.first ?? "").split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 2 && numbers[0] == 0, "\(text)")
    return ((try? JSON(parsing: String(lines[1]))) ?? .null, numbers[1])
  }

  @Test func conversationsGoBothWaysAndDeletionsToo() throws {
    #expect(try arkived("ask", "--keep", "how often did I run?").status == 0)
    #expect(try arkived("sync", "link", file).status == 0)
    #expect(try sync()["pushed"]?["new"] == 1)
    #expect(
      try relative("look")["talk"]?["1"]?.array?.first?.array?.first == "how often did I run?")
    let said = try #require(try relative("say", "Why?", "Because.")["said"]?.string)
    #expect(try sync()["pulled"]?["new"] == 1)
    #expect(try relative("look")["talk"]?["2"] == [["Why?", "Because."]])
    #expect(try relative("delete", "conversation_history", said)["deleted"] == 1)
    #expect(try sync()["pulled"]?["deleted"] == 1)
    let lines = file + ".jsonl"
    #expect(try arkived("export", "--format", "jsonl", "-o", lines).status == 0)
    let threads = try String(contentsOfFile: lines, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("\"type\":\"thread\"") }
    #expect(threads.count == 1)
    let report = try sync()
    #expect(report["pulled"]?.object?.isEmpty ?? true)
    #expect(report["pushed"]?.object?.isEmpty ?? true)
  }

  @Test func theRelativeReadsOnBesideTheZonesOfActions() throws {
    let walk = try arkived(
      "action", "create", "yesterday at 7am: walked in Kyoto", "--measure", "km=2",
      environment: ["ARKIVED_TIME_ZONE": "Asia/Tokyo"])
    #expect(walk.status == 0, "\(walk.talk)")
    #expect(
      try arkived("export", "--format", "tenweek", "-o", file, "--force").status == 0)
    let seen = try relative("look")
    #expect(seen["actions"] == 2 && seen["goals"] == 1)
    #expect(
      seen["matches"]?.array?.contains(["walked in Kyoto", "Run"]) == true, "\(seen.text())")
    // Another archive gets the zone with it, and the relative's own writing is not hindered.
    _ = try relative("save", "goals", try id("Run"), "Run far")
    let other = file + ".archive"
    #expect(try arkived("import", file, "--archive", other).status == 0)
    let lines = file + ".jsonl"
    #expect(
      try arkived("export", "--format", "jsonl", "-o", lines, "--archive", other).status == 0)
    let text = try String(contentsOfFile: lines, encoding: .utf8)
    let walked = try #require(
      text.split(separator: "\n").first { $0.contains("walked in Kyoto") && $0.contains("startAt") }
    )
    let entry = try JSON(parsing: Data(walked.utf8))
    #expect(entry["timeZone"] == "Asia/Tokyo")
    #expect(entry["startAt"] == "2026-03-13T22:00:00Z")
    #expect(text.contains("Run far"))
  }
}
