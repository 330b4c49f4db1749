package import Foundation

/// What writes down recordings: a server that the owner chose, or the helper on this computer. There
/// may be none.
package protocol Transcriber: Sendable {
  /// For people: “tiny.en on this computer”.
  var name: String { get }

  /// What a recording says; empty where nothing is said.
  ///
  /// - Parameters:
  ///   - name: the file's, whose ending tells its format.
  ///   - progress: is told the share that is done, from 0 to 1, where it is known.
  /// - Throws: `ModelError`, `TranscriptionFailure`, `CancellationError`.
  func text(
    of recording: URL, name: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String
}

/// Why a recording was not written down.
package struct TranscriptionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A whole sentence.
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// What writes down recordings in an archive.
package enum Transcribers {
  /// The server that the owner chose, else the helper where it is installed, else nil.
  ///
  /// - Parameter folder: the archive's.
  /// - Throws: `FieldError` where the settings cannot be read.
  package static func configured(
    in folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> (any Transcriber)? {
    if let settings = try ModelSettings.read(in: folder, for: .voice, environment: environment) {
      return TranscriptionClient(settings)
    }
    return WhisperTranscriber(environment: environment)
  }
}
