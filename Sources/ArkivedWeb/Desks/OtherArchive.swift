import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes

/// Another archive on this computer, which the owner wants to open from a page of this one.
struct OtherArchive: Sendable {
  let home: URL
  /// The program that serves it.
  var program = OwnProgram.file

  /// Starts a server for the archive unless one runs, and makes a link that signs one browser in,
  /// once.
  ///
  /// The server runs as long as this one's session, and keeps running if this one stops.
  ///
  /// - Throws: `WebFailure` if it doesn’t answer within 20 seconds.
  func open() async throws -> String {
    let home = home
    if ServerNotice.current(of: home) == nil { try start() }
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if let notice = ServerNotice.current(of: home), await notice.answers() {
        let archive = try await offServer { try Archive(at: .folder(home)) }
        do {
          return try await notice.makeLoginLink(for: archive)
        } catch let problem as NoLoginLink {
          throw WebFailure(.serviceUnavailable, "Not opened", problem.description)
        }
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw WebFailure(
      .serviceUnavailable, "Not opened",
      "The archive’s server didn’t start. Open it with: arkived serve --archive "
        + "\(Archive.shellWord(home.path)) --port 0")
  }

  private func start() throws {
    guard let program else { return }
    let process = Process()
    process.executableURL = program
    process.arguments = ["serve", "--no-login", "--port", "0", "--archive", home.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }
}
