import ArkivedCore
import Foundation

/// The scripts that fetch what does not come with the program. They run where the owner asks for it, and
/// at no other time.
enum FetchScript: String {
  /// The weights of the model that reads for meaning.
  case model = "fetch_model.py"
  /// What writes down recordings.
  case voice = "fetch_voice.py"
  /// What places are called.
  case places = "fetch_places.py"

  /// Fetches what is missing; silent where all is there.
  ///
  /// - Throws: `CommandFailure` where the script, Python or what it fetches cannot be had.
  func run() throws {
    guard let script = OwnProgram.script(rawValue) else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          \(rawValue) isn’t part of this installation. Get it from the Scripts folder of Arkived’s \
          source code and run it with python3.
          """))
    }
    var environment = ProcessInfo.processInfo.environment
    guard let python = OwnProgram.path(of: "python3", environment) else {
      throw CommandFailure(
        .unavailable,
        said("The download needs Python, which isn’t installed. Install python3 and python3-pip."))
    }
    environment["ARKIVED_SPEAKER"] = "arkived"
    // The model for meaning is chosen by it.
    environment["ARKIVED_LANGUAGE"] = Language.current.code
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-B", script.path]
    process.environment = environment
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
