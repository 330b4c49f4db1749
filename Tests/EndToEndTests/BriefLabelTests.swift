import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Briefs of the sample life beside their labels")
struct BriefLabelTests {
  @Test func fortyBriefsHoldWhatTheirLabelsSay() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Benchmarks/Briefs/run")
    let folder = try TemporaryFolder()
    let output = folder.url.appendingPathComponent("out")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = script
    process.arguments = ["--program", Program.executable.path]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    let told = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(told)")
    #expect(told.components(separatedBy: "40 in all").count == 3, "\(told)")
  }
}
