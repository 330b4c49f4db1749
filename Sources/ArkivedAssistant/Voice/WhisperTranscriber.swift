import ArkivedCore
package import Foundation
import Synchronization

/// A transcriber on this computer: faster-whisper in its own process, as installed by `arkived
/// assistant voice fetch` and `./setup --voice`.
///
/// Before it opens the given file, the process drops the network, other processes and changing
/// files, as far as the system can (Documentation/Decisions/018).
package struct WhisperTranscriber: Transcriber {
  /// The folder with `venv/` for faster-whisper, `model/` for its weights, and `transcribe.py`.
  package let folder: URL
  private let limit: Duration

  private static let model = "model"
  private static let script = "transcribe.py"
  private static let python = "venv/bin/python"

  /// Finds the installation.
  ///
  /// - Returns: nil if it isn't installed: in the folder that `ARKIVED_VOICE` names, otherwise in
  ///   `arkived/voice` in `XDG_DATA_HOME`, otherwise in `~/.local/share` (XDG Base Directory
  ///   Specification).
  package init?(environment: [String: String], limit: Duration = .seconds(3_600)) {
    self.limit = limit
    if let named = environment["ARKIVED_VOICE"], !named.isEmpty {
      let path = HomeFolder.expandingTilde(named)
      folder = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    } else {
      let home = HomeFolder.url()
      let data =
        environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        ?? home.appendingPathComponent(".local/share")
      folder = data.appendingPathComponent("arkived/voice", isDirectory: true)
    }
    // The script is installed last, so it marks a complete installation.
    guard FileManager.default.fileExists(atPath: path(Self.script)),
      FileManager.default.isExecutableFile(atPath: path(Self.python))
    else { return nil }
  }

  package var name: String { "tiny.en on this computer" }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  package func text(
    of recording: URL, name: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> String {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // It may take minutes, which must not block a thread of the pool.
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              try run(recording, progress) { flag.isSet }
            })
        }
      }
    } onCancel: {
      flag.set()
    }
  }

  private func run(
    _ recording: URL, _ progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws -> String {
    let process = BoundedProcess(
      arguments: [
        path(Self.python), "-I", "-B", path(Self.script), path(Self.model), recording.path,
      ],
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HF_HUB_OFFLINE": "1"],
      limit: limit)
    var text: String?
    var problem: String?
    let ending: BoundedProcess.Ending
    do {
      ending = try process.run(isCancelled: isCancelled) { line in
        guard let said = try? JSON(parsing: Array(line.utf8)) else { return }
        if let share = said["progress"]?.double { progress(min(max(share, 0), 1)) }
        if let told = said["text"]?.string { text = told }
        if let told = said["error"]?.string { problem = told }
      }
    } catch let error as BoundedProcess.NotStarted {
      throw TranscriptionFailure("The transcription program couldn’t be started: \(error).")
    }
    if let text, ending == .exited(0) {
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    throw Self.failure(ending, problem)
  }

  private static func failure(_ ending: BoundedProcess.Ending, _ problem: String?) -> any Error {
    switch ending {
    case .cancelled: CancellationError()
    case .late: TranscriptionFailure("Transcription took too long and was stopped.")
    case .talkative:
      TranscriptionFailure("The transcription program wrote too much output and was stopped.")
    case .killed(let number):
      TranscriptionFailure(
        "The transcription program was stopped by the system (signal \(number)).")
    case .exited:
      TranscriptionFailure(
        problem.map { "The recording couldn’t be transcribed: \($0.prefix(300))." }
          ?? "The transcription program failed. To reinstall it, run arkived assistant voice fetch."
      )
    }
  }
}

/// A flag that informs another thread of cancellation.
private final class CancellationFlag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
