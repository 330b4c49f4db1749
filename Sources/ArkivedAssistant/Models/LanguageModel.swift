package import ArkivedCore
import Foundation

/// What phrases answers and asks for tools. There may be none.
package protocol LanguageModel: Sendable {
  /// For people: “qwen3 at http://127.0.0.1:11434/v1/chat/completions”.
  var name: String { get }

  /// Answers a talk.
  ///
  /// - Parameter heard: is told the text piece by piece, as it comes.
  /// - Throws: `ModelError`, `CancellationError`.
  func reply(
    to request: ModelRequest, heard: @escaping @Sendable (String) async -> Void
  ) async throws -> ModelReply
}

/// What a model is told.
package struct ModelRequest: Hashable, Sendable {
  package var messages: [ModelMessage]
  /// The tools that it may ask for.
  package var tools: [ToolDescription]
  /// The JSON Schema that its text has to follow; nil where it may say what it likes.
  package var schema: JSON?
  /// So many tokens at most.
  package var tokenLimit: Int

  package init(
    messages: [ModelMessage], tools: [ToolDescription] = [], schema: JSON? = nil,
    tokenLimit: Int = 1_024
  ) {
    self.messages = messages
    self.tools = tools
    self.schema = schema
    self.tokenLimit = tokenLimit
  }
}

/// One thing said to a model or by it.
package struct ModelMessage: Hashable, Sendable {
  package enum Role: String, Sendable {
    case system, user, assistant, tool
  }

  package var role: Role
  package var text: String
  /// What an assistant's message asked of tools.
  package var calls: [ModelCall]
  /// Which call a tool's message answers.
  package var callID: String?

  package init(_ role: Role, _ text: String, calls: [ModelCall] = [], callID: String? = nil) {
    self.role = role
    self.text = text
    self.calls = calls
    self.callID = callID
  }
}

/// A tool call as a model writes it; nothing of it is checked.
package struct ModelCall: Hashable, Sendable {
  package var id: String
  package var name: String
  /// Should be a JSON object.
  package var arguments: String

  package init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// What a model said in one turn.
package struct ModelReply: Hashable, Sendable {
  package var text: String
  package var calls: [ModelCall]
  /// Why it ended: stop, length, tool_calls; nil where the server did not say.
  package var finish: String?
  /// How many tokens it made, where the server counts.
  package var tokens: Int?

  package init(
    text: String, calls: [ModelCall] = [], finish: String? = nil, tokens: Int? = nil
  ) {
    self.text = text
    self.calls = calls
    self.finish = finish
    self.tokens = tokens
  }
}

/// Why a model did not answer.
package struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  package var address: String
  /// The rest of a sentence that begins with the address.
  package var problem: String
  /// What it had said until then.
  package var said: String

  package init(_ address: String, problem: String, said: String = "") {
    self.address = address
    self.problem = problem
    self.said = said
  }

  package var description: String { "The model's address, \(address), \(problem)." }
}
