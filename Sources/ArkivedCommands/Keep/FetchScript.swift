import ArkivedCore
import ArkivedEngine
import Foundation

/// The scripts that download components not included in the program.
///
/// They run only when the owner asks for it.
enum FetchScript: String {
  /// The weights of the model for searching by meaning.
  case model = "fetch_model.py"
  /// The transcription of recordings.
  case voice = "fetch_voice.py"
  /// The names of places.
  case places = "fetch_places.py"

  /// Downloads missing components; silent if there are none.
  ///
  /// - Throws: `CommandFailure` if the script, Python or the download is unavailable.
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
    // It determines the choice of the model for meaning.
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
