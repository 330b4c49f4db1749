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
}
