import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import Foundation
import Synchronization

/// Downloads the optional parts that the owner asks for, while the server runs.
final class PartDesk: Sendable {
  typealias Command = (arguments: [String], environment: [String: String])

  enum Standing: Hashable, Sendable {
    case working
    case done
    case cancelled
    /// The download took too long and was stopped.
    case late
    /// A failed download, with the last message of the script.
    case failed(String)
  }

  private struct State: Sendable {
    var standings: [OptionalPart: Standing] = [:]
    var cancelled: Set<OptionalPart> = []
    var isStopping = false
  }

  private let command: @Sendable (OptionalPart, Language) throws -> Command
  private let state = Mutex(State())
  /// Long enough for 150 MB over a slow connection.
  private static let limit = Duration.seconds(3600)

  /// Creates the object.
  ///
  /// - Parameter command: returns the command that downloads a part.
  init(
    command: @escaping @Sendable (OptionalPart, Language) throws -> Command = {
      try $0.download(ProcessInfo.processInfo.environment, language: $1)
    }
  ) {
    self.command = command
  }

  func standing(_ part: OptionalPart) -> Standing? { state.withLock { $0.standings[part] } }

  var isWorking: Bool { state.withLock { $0.standings.values.contains(.working) } }

  /// Downloads a part, unless it is already being downloaded.
  ///
  /// - Throws: `OptionalPart.Unavailable` if it can't be downloaded on this computer.
  func start(_ part: OptionalPart, language: Language) throws {
    let command = try command(part, language)
    let isFirst = state.withLock { state in
      guard state.standings[part] != .working, !state.isStopping else { return false }
      state.standings[part] = .working
      state.cancelled.remove(part)
      return true
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      let standing = run(part, command)
      state.withLock { $0.standings[part] = standing }
    }
    thread.qualityOfService = .utility
    thread.start()
  }

  /// Ends a download; partial downloads are removed when the part is downloaded the next time.
  func cancel(_ part: OptionalPart) { state.withLock { _ = $0.cancelled.insert(part) } }

  /// Ends all downloads, and starts no more.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.cancelled.formUnion(OptionalPart.allCases)
    }
  }

  private func run(_ part: OptionalPart, _ command: Command) -> Standing {
    var last = ""
    do {
      let process = BoundedProcess(
        arguments: command.arguments, environment: command.environment, limit: Self.limit,
        outputLimit: 1 << 20, hearsErrors: true)
      let ending = try process.run(
        isCancelled: { self.state.withLock { $0.cancelled.contains(part) } },
        heard: { line in
          let told = line.trimmingPrefix("arkived: ").trimmingCharacters(in: .whitespaces)
          if !told.isEmpty { last = ClippedText.of(told, limit: 300) }
        })
      switch ending {
      case .exited(0): return .done
      case .cancelled: return .cancelled
      case .late: return .late
      case .exited, .killed, .talkative: return .failed(last)
      }
    } catch {
      return .failed("\(error)")
    }
  }
}
