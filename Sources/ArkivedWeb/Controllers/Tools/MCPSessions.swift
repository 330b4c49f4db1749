import ArkivedAssistant
import ArkivedCore
import Foundation
import Synchronization

/// The sessions of MCP clients that use HTTP, keyed by the identity that each received at the start
/// (Model Context Protocol, basic/transports, session management).
final class MCPSessions: Sendable {
  private struct Held: Sendable {
    var session: MCPSession
    var agent: String
    /// The value of the usage counter when the session was last requested.
    var used: Int
    /// The number of calls being answered as a stream.
    var streams = 0
  }

  private struct State: Sendable {
    var held: [String: Held] = [:]
    var asked = 0
  }

  private let tools: ToolBox
  private let confirming: Set<String>
  private let state = Mutex(State())

  /// The maximum number of sessions of one agent; a further one ends that agent's least recently
  /// used session, and no other agent's.
  private static let limit = 64
  private static let streamLimit = 8

  /// Creates the sessions.
  ///
  /// - Parameters:
  ///   - tools: the tools.
  ///   - confirming: the agents whose own confirmation dialogs the owner accepts.
  init(tools: ToolBox, confirming: Set<String>) {
    self.tools = tools
    self.confirming = confirming
  }

  /// Returns a new session that isn't kept yet.
  func make(for agent: String) -> MCPSession {
    MCPSession(
      tools: tools, caller: .agent(agent),
      confirming: confirming.contains(agent) ? .inClient : .elsewhere)
  }

  /// Stores a session, and returns the ID that the client uses for it.
  func keep(_ session: MCPSession, of agent: String) -> String {
    let id = UUID().uuidString
    let ended = state.withLock { state -> MCPSession? in
      state.asked += 1
      state.held[id] = Held(session: session, agent: agent, used: state.asked)
      let own = state.held.filter { $0.value.agent == agent }
      guard own.count > Self.limit, let oldest = own.min(by: { $0.value.used < $1.value.used })
      else { return nil }
      return state.held.removeValue(forKey: oldest.key)?.session
    }
    ended?.close()
    return id
  }

  /// Returns the session with an identity, or nil if this agent has none with it.
  func session(_ id: String, of agent: String) -> MCPSession? {
    state.withLock { state in
      guard state.held[id]?.agent == agent else { return nil }
      state.asked += 1
      state.held[id]?.used = state.asked
      return state.held[id]?.session
    }
  }

  /// Ends a session.
  ///
  /// - Returns: true if it existed.
  func end(_ id: String, of agent: String) -> Bool {
    let ended = state.withLock { state -> MCPSession? in
      guard state.held[id]?.agent == agent else { return nil }
      return state.held.removeValue(forKey: id)?.session
    }
    ended?.close()
    return ended != nil
  }

  /// Returns true if one more call of a session may be answered as a stream, and if so counts it.
  func beginStream(_ id: String) -> Bool {
    state.withLock { state in
      guard let held = state.held[id], held.streams < Self.streamLimit else { return false }
      state.held[id]?.streams += 1
      return true
    }
  }

  func endStream(_ id: String) {
    state.withLock { state in
      guard let held = state.held[id] else { return }
      state.held[id]?.streams = held.streams - 1
    }
  }
}
