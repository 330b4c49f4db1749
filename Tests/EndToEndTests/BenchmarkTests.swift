import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The benchmarks still run")
struct BenchmarkTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static var programs: URL { Program.executable.deletingLastPathComponent() }

  /// Runs a program to its end; returns its exit code, what it printed, and what it complained of.
  private func run(
    _ program: URL, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> (status: Int32, output: String, complaints: String) {
    let log = try folder.file("log-\(UUID().uuidString)", "")
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: log)
    let complaints = try folder.file("complaints-\(UUID().uuidString)", "")
    process.standardError = try FileHandle(forWritingTo: complaints)
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, try String(contentsOf: log, encoding: .utf8),
      String(try String(contentsOf: complaints, encoding: .utf8).suffix(4_000))
    )
  }

  private func write(
    _ activities: Int, seed: Int = 2016, in folder: TemporaryFolder
  ) throws -> (file: URL, account: JSON) {
    let file = folder.url.appendingPathComponent("life-\(UUID().uuidString).jsonl")
    let written = try run(
      Self.programs.appendingPathComponent("lifetime"),
      ["write", file.path, "--activities", "\(activities)", "--seed", "\(seed)"], in: folder)
    #expect(written.status == 0)
    return (file, try JSON(parsing: written.output))
  }

  @Test func theLifetimesDataComesInWhole() throws {
    let arkived = try Program()
    let (file, account) = try write(2_000, in: arkived.folder)
    #expect(account["activities"] == 2_000 && account["through"] == "2025-12-31")
    let run = try #require(
      try arkived("import", file.path, "--json").json["runs"]?.array?.first)
    #expect(run["created"]?["activity"] == 2_000)
    for (kind, key) in [
      ("day", "days"), ("metric", "metrics"), ("person", "people"), ("tag", "tags"),
    ] {
      #expect(run["created"]?[kind] == account[key], "\(kind)")
    }
    #expect(run["skipped"] == 0 && run["unchanged"] == 0 && run["warnings"] == [])
    let busy = try arkived("day", "2025-12-30", "--json").json
    #expect((busy["activities"]?.array?.count ?? 0) > 30)
    #expect(try arkived("search", "lunch", "--json").json["results"]?.array?.isEmpty == false)
  }

  @Test func theSameArgumentsWriteTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let first = try Data(contentsOf: try write(500, in: folder).file)
    #expect(try Data(contentsOf: try write(500, in: folder).file) == first)
    #expect(try Data(contentsOf: try write(500, seed: 9_000, in: folder).file) != first)
    let ends = [first, try Data(contentsOf: try write(900, in: folder).file)].map { data in
      data.split(separator: 0x0A).suffix(400).map { Data($0) }
    }
    // A larger file reaches further back and ends the same.
    #expect(ends.first == ends.last)
  }

  @Test func everyPartThatNeedsNoPeerIsMeasured() throws {
    let folder = try TemporaryFolder()
    let results = folder.url.appendingPathComponent("results")
    let ran = try run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "python3", Self.project.appendingPathComponent("Benchmarks/bench.py").path, "--quick",
        "--sizes", "300", "--runs", "2", "--only", "import,today,day,ask,page,write",
        "--programs", Self.programs.path, "--cache", folder.url.appendingPathComponent("c").path,
        "--results", results.path,
      ], in: folder)
    let text = try String(
      contentsOf: results.appendingPathComponent("results.json"), encoding: .utf8)
    let measured = try JSON(parsing: text)
    // The plot needs a library that only the benchmarks' own setup installs.
    let failures = measured["failures"]?.array?.filter { $0["part"] != "plot" }
    #expect(failures == [], "\(ran.output)")
    for part in ["imports", "commands", "servers", "writes"] {
      #expect(measured[part]?.array?.isEmpty == false, "\(part)")
    }
    #expect(ran.output.contains("| day page: p99 ≤ 15 ms |"))
  }

  @Test func calendarsAndMeetingsAreMeasured() throws {
    let folder = try TemporaryFolder()
    let results = folder.url.appendingPathComponent("results")
    // Radicale comes with the packages of the tests; the other peers with the benchmark's own setup.
    let ran = try run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "/usr/bin/python3",
        Self.project.appendingPathComponent("Benchmarks/Meetings/meetings_bench.py").path,
        "--quick", "--events", "60", "--life", "300", "--runs", "1", "--without-peers",
        "--programs", Self.programs.path, "--cache", folder.url.appendingPathComponent("c").path,
        "--results", results.path,
      ], in: folder)
    let text = try String(contentsOf: results.appendingPathComponent("other.json"), encoding: .utf8)
    let measured = try JSON(parsing: text)
    for part in ["folder", "file", "caldav", "reading"] {
      #expect(measured[part]?["figures"]?.object?.isEmpty == false, "\(part): \(ran.output)")
    }
    #expect(ran.status == 0 && !ran.output.contains("## Failures"), "\(ran.output)")
    #expect(ran.output.contains("| first sync, one file: under 60 s |"))
  }

  @Test func importsOfExportsAreMeasured() throws {
    let folder = try TemporaryFolder()
    let results = folder.url.appendingPathComponent("results")
    let ran = try run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "/usr/bin/python3",
        Self.project.appendingPathComponent("Benchmarks/Imports/imports_bench.py").path,
        "--size", "500000", "--without-peers", "--programs", Self.programs.path,
        "--cache", folder.url.appendingPathComponent("c").path, "--results", results.path,
      ], in: folder)
    try #require(ran.status == 0, "\(ran.complaints)")
    let text = try String(contentsOf: results.appendingPathComponent("other.json"), encoding: .utf8)
    let figures = try JSON(parsing: text)["applehealth"]?["figures"]
    #expect(figures?["first"]?["created"]?.int ?? 0 > 20, "\(ran.output)")
    #expect(figures?["first"]?["skipped"] == 0 && figures?["again"]?["updated"] == 0)
    #expect(!ran.output.contains("## Failures"), "\(ran.output)")
  }

  @Test(
    .enabled(
      if: BrowserTests.hasBrowser, "Chromium and Selenium are missing; run ./setup --test"))
  func pagesAreMeasuredInABrowser() throws {
    let folder = try TemporaryFolder()
    let results = folder.url.appendingPathComponent("results")
    let ran = try run(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "HOME=\(folder.url.path)", "/usr/bin/python3",
        Self.project.appendingPathComponent("Benchmarks/Web/web_bench.py").path,
        "--quick", "--size", "300", "--pictures", "300", "--runs", "1",
        "--program", Self.programs.path,
        "--cache", folder.url.appendingPathComponent("c").path, "--results", results.path,
      ], in: folder)
    try #require(ran.status == 0, "\(ran.complaints)")
    let text = try String(contentsOf: results.appendingPathComponent("other.json"), encoding: .utf8)
    let measured = try JSON(parsing: text)
    for part in ["today", "add", "days", "calendar", "insights", "map", "photos", "calm"] {
      #expect(measured[part]?["figures"]?.object?.isEmpty == false, "\(part): \(ran.output)")
    }
    #expect(ran.status == 0 && !ran.output.contains("## Failures"), "\(ran.output)")
    // What does not hang on the machine's speed.
    for line in [
      "no error in the console | 0 errors | yes", "no request to another host | 0 requests | yes",
    ] { #expect(ran.output.contains(line), "\(ran.output)") }
  }
}
