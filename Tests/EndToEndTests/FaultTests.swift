import ArkivedTestSupport
import Foundation
import Testing

@Suite("Faults in the midst of writing")
struct FaultTests {
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Faults/faults.py")

  /// What builds the library that makes the faults.
  static var hasCompiler: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { folder in
      ["clang", "gcc", "cc"].contains {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
      }
    }
  }

  @Test(.enabled(if: hasCompiler, "A C compiler is missing: clang, gcc or cc"))
  func whatWasAcknowledgedOutlivesKillsFailingDisksAndPowerFailures() throws {
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [Self.script.path, Program.executable.path, "--kills", "200"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder.url.path, "PYTHONDONTWRITEBYTECODE": "1",
    ]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOf: log, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(said)")
  }
}
