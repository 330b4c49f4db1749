package import ArkivedCore
import Foundation

/// A model that phrases answers and calls tools.
///
/// It is optional.
package protocol LanguageModel: Sendable {
  /// The display name: “qwen3 at http://127.0.0.1:11434/v1/chat/completions”.
  var name: String { get }

  /// Replies to a conversation.
  ///
  /// - Parameters:
  ///   - request: the conversation, and the tools that may be called.
  ///   - heard: receives the text piece by piece, as it arrives.
  /// - Returns: the reply.
  /// - Throws: `ModelError` if the server fails, `CancellationError` if the task is cancelled.
  func reply(
    to request: ModelRequest, heard: @escaping @Sendable (String) async -> Void
  ) async throws -> ModelReply
}

/// A request to a model.
package struct ModelRequest: Hashable, Sendable {
  package var messages: [ModelMessage]
  /// The tools that the model may call.
  package var tools: [ToolDescription]
  /// The JSON Schema of the reply's text; nil for free text.
  package var schema: JSON?
  /// The maximum number of tokens in the reply.
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

/// A message to or from a model.
package struct ModelMessage: Hashable, Sendable {
  package enum Role: String, Sendable {
    case system, user, assistant, tool
  }

  package var role: Role
  package var text: String
  /// The tool calls of an assistant's message.
  package var calls: [ModelCall]
  /// The call to which a tool's message responds.
  package var callID: String?

  package init(_ role: Role, _ text: String, calls: [ModelCall] = [], callID: String? = nil) {
    self.role = role
    self.text = text
    self.calls = calls
    self.callID = callID
  }
}

/// A tool call as the model wrote it, unchecked.
package struct ModelCall: Hashable, Sendable {
  package var id: String
  package var name: String
  /// The arguments, which should be a JSON object.
  package var arguments: String

  package init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// A model's reply in one turn.
package struct ModelReply: Hashable, Sendable {
  package var text: String
  package var calls: [ModelCall]
  /// The reason that the reply ended: stop, length, tool_calls; nil if the server didn't report it.
  package var finish: String?
  /// The number of tokens generated, if the server reports it.
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

/// The error when a model doesn't answer.
package struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  package var address: String
  /// The rest of a sentence about the model at the address.
  package var problem: String
  /// The text received before the error.
  package var said: String

  package init(_ address: String, problem: String, said: String = "") {
    self.address = address
    self.problem = problem
    self.said = said
  }

  package var description: String { "The language model at \(address) \(problem)." }
}
