import ArkivedTestSupport
import Foundation
import Testing

@Suite("The server on a sample life")
struct ServeTests {
  /// The same check that `./run --check` makes.
  @Test func todayASearchAndAnAnswerAreServed() throws {
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", project.appendingPathComponent("Scripts/check_server.py").path,
      Program.executable.path,
    ]
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOf: log, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(said)")
  }

  /// A zone that is chosen on the page applies at once, at the same address, and stays.
  @Test func aChosenTimeZoneRestartsTheServerWhereItIs() throws {
    let program = try Program()
    let usual = ["ARKIVED_TIME_ZONE": "", "TZ": "UTC"]
    let server = try RunningServer(program, environment: usual)
    func page() -> String? {
      guard let answer = try? server.ask("GET", "/settings"), answer.status == 200 else {
        return nil
      }
      return answer.body
    }
    func choose(_ zone: String) throws -> PlainAnswer {
      try PlainAnswer.ask(
        port: server.port, "POST", "/settings/time-zone",
        headers: server.door.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 },
        body: "zone=\(zone)")
    }
    #expect(page()?.contains("UTC+0") == true)
    let refused = try choose("Mars")
    #expect(refused.status == 422 && refused.body.contains("Mars"))
    let answer = try choose("Tokyo")
    #expect(answer.status == 200 && answer.headers["refresh"] != nil)
    let end = ContinuousClock.now.advanced(by: .seconds(600))
    while page()?.contains("(Asia/Tokyo") != true, ContinuousClock.now < end { usleep(50_000) }
    #expect(page()?.contains("(Asia/Tokyo") == true)
    // Commands use it too; the environment comes before it.
    let noon = usual.merging(["ARKIVED_NOW": "2026-03-14T20:00:00Z"]) { $1 }
    #expect(try program("day", "--json", environment: noon).output.contains("2026-03-15"))
    #expect(
      try program("day", "--json", environment: noon.merging(["ARKIVED_TIME_ZONE": "UTC"]) { $1 })
        .output.contains("2026-03-14"))
    #expect(try server.stop(within: 600)?.status == 0)
  }
}
