package import Foundation

/// A service that transcribes recordings: a server that the owner chose, or the helper on this
/// computer.
///
/// It is optional.
package protocol Transcriber: Sendable {
  /// The display name: “tiny.en on this computer”.
  var name: String { get }

  /// Returns the transcript of a recording; empty if nothing is said.
  ///
  /// - Parameters:
  ///   - recording: the file.
  ///   - name: the file's name, whose extension indicates its format.
  ///   - progress: receives the completed share, from 0 to 1, if it is known.
  /// - Returns: the transcript.
  /// - Throws: `ModelError` if the server fails, `TranscriptionFailure` if the helper on this computer
  ///   does, `CancellationError` if the task is cancelled.
  func text(
    of recording: URL, name: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String
}

/// The reason that a recording wasn't transcribed.
package struct TranscriptionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason as a complete sentence.
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// The choice of transcriber in an archive.
package enum Transcribers {
  /// Returns the server that the owner chose, otherwise the helper if it is installed, otherwise
  /// nil.
  ///
  /// - Parameters:
  ///   - folder: the archive's folder.
  ///   - environment: the environment variables.
  /// - Returns: the transcriber.
  /// - Throws: `FieldError` if the settings can't be read.
  package static func configured(
    in folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> (any Transcriber)? {
    if let settings = try ModelSettings.read(in: folder, for: .voice, environment: environment) {
      return TranscriptionClient(settings)
    }
    return WhisperTranscriber(environment: environment)
  }
}
