package import ArkivedCore
import Foundation

/// A part that Arkived works without and that isn't included in the program.
///
/// A script downloads it, and only when the owner asks for it.
package enum OptionalPart: String, CaseIterable, Sendable {
  /// The weights of the model for searching by meaning.
  case meaning
  /// The transcription of recordings.
  case transcription
  /// The names of places.
  case places

  private var script: String {
    switch self {
    case .meaning: "fetch_model.py"
    case .transcription: "fetch_voice.py"
    case .places: "fetch_places.py"
    }
  }

  /// The reason why a part can't be downloaded on this computer, as a sentence.
  package struct Unavailable: Error {
    package let reason: String
  }

  /// Returns the command that downloads the part; it does nothing if the part is already there.
  ///
  /// - Parameters:
  ///   - environment: the variables of this process.
  ///   - language: determines the choice of the model for meaning.
  /// - Returns: the program with its arguments, and its environment. It reports on its standard
  ///   error, each line after “arkived: ”.
  /// - Throws: `Unavailable` if the script or Python is missing.
  package func download(
    _ environment: [String: String], language: Language
  ) throws(Unavailable) -> (arguments: [String], environment: [String: String]) {
    guard let script = OwnProgram.script(script) else {
      throw Unavailable(
        reason: said(
          """
          \(script) isn’t part of this installation. Get it from the Scripts folder of Arkived’s \
          source code and run it with python3.
          """))
    }
    guard let python = OwnProgram.path(of: "python3", environment) else {
      throw Unavailable(
        reason: said(
          "The download needs Python, which isn’t installed. Install python3 and python3-pip."))
    }
    let speaking = ["ARKIVED_SPEAKER": "arkived", "ARKIVED_LANGUAGE": language.code]
    return ([python, "-B", script.path], environment.merging(speaking) { $1 })
  }
}
