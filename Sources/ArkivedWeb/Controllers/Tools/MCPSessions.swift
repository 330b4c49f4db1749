import ArkivedAssistant
import ArkivedCore
import Foundation
import Synchronization

/// The sessions of MCP clients that speak over HTTP, by the identity that each was given when it began
/// (Model Context Protocol, basic/transports, session management).
final class MCPSessions: Sendable {
  private struct Held: Sendable {
    var session: MCPSession
    var agent: String
    /// How often the sessions were asked for until it was last.
    var used: Int
    /// Calls that are being answered as a stream.
    var streams = 0
  }

  private struct State: Sendable {
    var held: [String: Held] = [:]
    var asked = 0
  }

  private let tools: ToolBox
  private let confirming: Set<String>
  private let state = Mutex(State())

  /// The most sessions of one agent. Further ones end its own that was unused for longest, and nobody else's.
  private static let limit = 64
  private static let streamLimit = 8

  /// - Parameter confirming: the agents whose own dialogs the owner takes for theirs.
  init(tools: ToolBox, confirming: Set<String>) {
    self.tools = tools
    self.confirming = confirming
  }

  /// A session that nobody holds yet.
  func make(for agent: String) -> MCPSession {
    MCPSession(
      tools: tools, caller: .agent(agent),
      confirming: confirming.contains(agent) ? .inClient : .elsewhere)
  }

  /// Keeps a session, and returns the identity that the client names it by.
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

  /// The session of an identity; nil where this agent has none of it.
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
  /// - Returns: whether there was one.
  func end(_ id: String, of agent: String) -> Bool {
    let ended = state.withLock { state -> MCPSession? in
      guard state.held[id]?.agent == agent else { return nil }
      return state.held.removeValue(forKey: id)?.session
    }
    ended?.close()
    return ended != nil
  }

  /// Whether one more call of a session may be answered as a stream; then it is counted.
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
