import ArkivedCore
import ArkivedEngine
import Foundation

extension OptionalPart {
  /// Downloads the part if it is missing; silent if it isn't.
  ///
  /// - Throws: `CommandFailure` if the script, Python or the download is unavailable.
  func fetch() throws {
    let environment = ProcessInfo.processInfo.environment
    let command: (arguments: [String], environment: [String: String])
    do {
      command = try download(environment, language: Language.current)
    } catch {
      throw CommandFailure(.unavailable, error.reason)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command.arguments[0])
    process.arguments = Array(command.arguments.dropFirst())
    process.environment = command.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let status = ExitStatus(rawValue: process.terminationStatus) ?? .failed
      throw CommandFailure(status, said("Download failed. Nothing else was changed."))
    }
  }
}
