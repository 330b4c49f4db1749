import ArkivedCore
import ArkivedTestSupport
import Foundation

/// Runs the real program on a fixed clock, in Berlin, with an archive of its own.
struct Program: Sendable {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Result: Sendable {
    var status: Int32
    var output: String
    var talk: String

    var json: JSON { (try? JSON(parsing: output)) ?? .null }
  }

  var archive: String { folder.url.appendingPathComponent("archive").path }

  /// The program, which the build puts beside the tests.
  static var executable: URL {
    let places = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    let candidates = places.flatMap { place in
      [place, place.deletingLastPathComponent()].map { $0.appendingPathComponent("arkived") }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? candidates[0]
  }

  var environment: [String: String] {
    [
      "ARKIVED_HOME": archive, "ARKIVED_NOW": "2026-03-14T20:00:00Z",
      "ARKIVED_TIME_ZONE": "Europe/Berlin", "HOME": folder.url.path, "NO_COLOR": "1",
      "ARKIVED_MODEL": folder.url.appendingPathComponent("no-model").path,
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  /// Runs the program to its end.
  func callAsFunction(
    _ arguments: String..., input: Data = Data(), environment more: [String: String] = [:]
  ) throws -> Result {
    try run(arguments, input: input, environment: more)
  }

  func run(
    _ arguments: [String], input: Data = Data(), environment more: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.environment = environment.merging(more) { $1 }
    process.currentDirectoryURL = folder.url
    let outputFile = folder.url.appendingPathComponent("out-\(UUID().uuidString)")
    let talkFile = folder.url.appendingPathComponent("err-\(UUID().uuidString)")
    let inputFile = try folder.file("in-\(UUID().uuidString)", input)
    for file in [outputFile, talkFile] {
      try Data().write(to: file)
    }
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: talkFile)
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      talk: String(decoding: try Data(contentsOf: talkFile), as: UTF8.self))
  }
}
