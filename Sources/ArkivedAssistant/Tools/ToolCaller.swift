package import ArkivedCore
package import Foundation

/// The caller of a tool.
///
/// Every caller can only read, add and propose; deleting or overwriting waits for the owner.
package enum ToolCaller: Hashable, Sendable {
  /// The owner, at the terminal or with the owner's own token.
  case owner
  /// A program with an agent's token, or a client of `arkived mcp`, with its assigned name.
  case agent(String)
  /// The assistant, in a conversation.
  case assistant(thread: UUID?)

  /// The author of its changes.
  package var author: Author {
    switch self {
    case .owner: .owner
    case .agent(let name): .agent(name)
    case .assistant: .assistant
    }
  }

  /// The source of the entries that it creates.
  package var source: ActivitySource { self == .owner ? .manual : .assistant }

  /// Returns the source of an entry; only the owner can claim that it was typed.
  package func source(insteadOf told: ActivitySource) -> ActivitySource {
    told == .manual ? source : told
  }
}
