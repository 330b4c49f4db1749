import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Hummingbird
import Synchronization

/// Serves the sample life in addition to the owner's archive: in memory, on a separate port, until
/// the server stops.
final class SampleDesk: Sendable {
  enum Standing: Sendable {
    case closed, filling
    case open(Door)
    case failed(String)
  }

  private struct State: Sendable {
    var standing = Standing.closed
    /// Counts openings, so a slow one that was closed in the meantime doesn't open after all.
    var turn = 0
    var server: Task<Void, Never>?
  }

  private let clock: any ArchiveClock
  private let state = Mutex(State())

  init(clock: any ArchiveClock) { self.clock = clock }

  var standing: Standing { state.withLock { $0.standing } }

  /// Fills and serves the sample life, unless that has already begun.
  ///
  /// - Parameters:
  ///   - zone: the time zone of the sample life.
  ///   - home: the address of the owner's archive, for links back to it.
  func open(zone: Zone, from home: String) {
    let turn = state.withLock { state -> Int? in
      switch state.standing {
      case .filling, .open: return nil
      case .closed, .failed: break
      }
      state.standing = .filling
      state.turn += 1
      return state.turn
    }
    guard let turn else { return }
    let thread = Thread { [self] in
      do {
        let archive = try Archive(at: .memory, clock: clock)
        _ = try SampleJob(archive: archive).run(through: zone.dayKey(at: clock.now))
        try serve(archive, zone, from: home, turn: turn)
      } catch {
        fail(error, turn)
      }
    }
    thread.qualityOfService = .utility
    thread.start()
  }

  private func fail(_ error: any Error, _ turn: Int) {
    state.withLock { state in
      if state.turn == turn { state.standing = .failed(WebFailure(error).detail) }
    }
  }

  private func serve(_ archive: Archive, _ zone: Zone, from home: String, turn: Int) throws {
    let door = try Door(archive: archive)
    var app = WebApp(archive: archive, zone: zone, door: door)
    app.sampleHome = home
    let limits = ServerLimits()
    let connections = ConnectionRegistry(limits)
    let server = AppServer(
      responder: try app.router().buildResponder(), server: limits.server(.http, connections),
      connections: connections, configuration: limits.configuration(port: 0),
      logger: ServerLog.logger(),
      onServerRunning: { [self] channel in
        door.open(port: channel.localAddress?.port ?? 0)
        state.withLock { state in
          if state.turn == turn { state.standing = .open(door) }
        }
      })
    state.withLock { state in
      guard state.turn == turn else { return }
      state.server = Task.detached { [self] in
        do { try await server.run() } catch { fail(error, turn) }
      }
    }
  }

  /// Stops serving; nothing that was written there is kept.
  func close() {
    state.withLock { state in
      state.turn += 1
      state.standing = .closed
      state.server?.cancel()
      state.server = nil
    }
  }
}
