import ArkivedTestSupport
import Foundation
import Testing

@Suite("The examples do what they show")
struct ExampleTests {
  /// A zone in which it is about eight in the evening, so that no day ends meanwhile.
  private static var evening: String {
    let hour = Int(Date().timeIntervalSince1970) / 3_600 % 24
    let ahead = (20 - hour + 36) % 24 - 12
    // In these names the sign says how far to go to reach Greenwich.
    return ahead == 0 ? "UTC" : "Etc/GMT\(ahead > 0 ? "-" : "+")\(abs(ahead))"
  }

  @Test func firstStepsAddsSearchesAndAsks() throws {
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let process = Process()
    process.executableURL =
      Program.executable.deletingLastPathComponent().appendingPathComponent("first-steps")
    process.arguments = [folder.url.appendingPathComponent("archive").path]
    process.environment = [
      "TZ": Self.evening, "HOME": folder.url.path,
      "ARKIVED_MODEL": folder.url.appendingPathComponent("no-model").path,
    ]
    process.standardOutput = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    try #require(lines.count == 5)
    #expect(lines[0] == "Added lunch with Sam at Luigi's, 45 minutes")
    #expect(lines[1] == "Found lunch with Sam at Luigi's on today")
    #expect(lines[2].hasPrefix("Asked: 5 km") && lines[2].hasSuffix("(1 entry)"))
    #expect(lines[3].hasPrefix("Not added: The line only has tags"))
    #expect(lines[4] == #"Left: ["ran 5 km in the park"]"#)
    // The command line reads what the example wrote.
    let program = try Program()
    let day = try program(
      "day", "--json", "--archive", folder.url.appendingPathComponent("archive").path,
      environment: [
        "ARKIVED_NOW": ISO8601DateFormatter().string(from: Date()),
        "ARKIVED_TIME_ZONE": Self.evening,
      ])
    #expect(day.output.contains("ran 5 km in the park"))
  }
}
