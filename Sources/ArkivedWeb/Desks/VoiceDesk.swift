import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import Synchronization

/// Transcribes recordings while the server runs, one after another.
final class VoiceDesk: Sendable {
  /// The state of a recording's transcription.
  enum Standing: Hashable, Sendable {
    case waiting
    /// Transcription in progress, with the share that is done; 0 if unknown.
    case working(Double)
    case done
    /// A recording without speech.
    case silent
    /// A failed transcription, with the reason as a sentence.
    case failed(String)

    var isAtWork: Bool {
      switch self {
      case .waiting, .working: true
      case .done, .silent, .failed: false
      }
    }
  }

  private struct State: Sendable {
    var standings: [UUID: Standing] = [:]
    /// The recordings waiting in line.
    var line: [UUID] = []
    var isWorking = false
  }

  private let archive: Archive
  private let state = Mutex(State())

  /// The maximum number of waiting recordings.
  private static let limit = 100

  init(archive: Archive) { self.archive = archive }

  /// Returns the transcriber, or nil if none is available.
  ///
  /// - Throws: `FieldError` if the settings can't be read.
  func transcriber() throws -> (any Transcriber)? {
    try archive.home.flatMap { try Transcribers.configured(in: $0) }
  }

  /// True if recordings can be transcribed; unreadable settings are reported at the first
  /// transcription.
  var isReady: Bool {
    do {
      return try transcriber() != nil
    } catch {
      return true
    }
  }

  /// True while a recording is being transcribed or waits for it.
  var isWorking: Bool { state.withLock { $0.isWorking } }

  func standing(_ recording: UUID) -> Standing? { state.withLock { $0.standings[recording] } }

  var standings: [UUID: Standing] { state.withLock { $0.standings } }

  /// Queues a recording for transcription, unless it is already queued.
  ///
  /// - Throws: `ArchiveError` if the recording doesn't exist, no transcriber is available, or too
  ///   many are waiting; `FieldError`.
  func give(_ id: UUID) throws {
    _ = try VoiceNotes(archive: archive).recording(id)
    guard try transcriber() != nil else {
      throw ArchiveError.refused(
        "Transcription isn’t set up yet. Run arkived assistant voice fetch, or add a server under "
          + "Settings, Assistant.")
    }
    let isFirst = try state.withLock { state in
      guard state.standings[id]?.isAtWork != true else { return false }
      guard state.line.count < Self.limit else {
        throw ArchiveError.refused("Too many recordings are waiting already. Try again later.")
      }
      state.standings[id] = .waiting
      state.line.append(id)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isFirst { Task.detached(priority: .utility) { [self] in await work() } }
  }

  private func work() async {
    while let id = next() {
      state.withLock { $0.standings[id] = .working(0) }
      let standing = await write(down: id)
      state.withLock { $0.standings[id] = standing }
    }
  }

  private func next() -> UUID? {
    state.withLock { state in
      guard !state.line.isEmpty else {
        state.isWorking = false
        return nil
      }
      return state.line.removeFirst()
    }
  }

  private func write(down id: UUID) async -> Standing {
    do {
      let notes = VoiceNotes(archive: archive)
      let (recording, found) = try await offServer {
        (try notes.recording(id), try self.transcriber())
      }
      guard let transcriber = found else {
        return .failed("Transcription isn’t set up at the moment.")
      }
      let written = try await notes.write(down: recording, by: transcriber) { [self] share in
        state.withLock { $0.standings[id] = .working(share) }
      }
      return written.text.isEmpty ? .silent : .done
    } catch let error as ModelError {
      return .failed(error.description)
    } catch let error as TranscriptionFailure {
      return .failed(error.description)
    } catch {
      return .failed(WebFailure(error).detail)
    }
  }
}
