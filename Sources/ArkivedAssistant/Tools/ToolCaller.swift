package import ArkivedCore
package import Foundation

/// Who calls a tool. Whoever it is, a tool only reads, adds and proposes; what deletes or overwrites
/// waits for the owner.
package enum ToolCaller: Hashable, Sendable {
  /// The owner, at the terminal or with the owner's own token.
  case owner
  /// A program with an agent's token, or one that talks to `arkived mcp`, by the name it was given.
  case agent(String)
  /// The assistant, in a conversation.
  case assistant(thread: UUID?)

  /// How changes that it makes are marked.
  package var author: Author {
    switch self {
    case .owner: .owner
    case .agent(let name): .agent(name)
    case .assistant: .assistant
    }
  }

  /// Where entries come from that it makes.
  package var source: ActivitySource { self == .owner ? .manual : .assistant }

  /// What only the owner types is said to be typed of nothing else.
  package func source(insteadOf told: ActivitySource) -> ActivitySource {
    told == .manual ? source : told
  }
}
