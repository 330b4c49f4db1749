package import ArkivedCore
import Foundation

/// The responses of a chat server that speaks OpenAI's protocol, on top of an `EmbeddingServer`
/// with a different address.
package enum ChatScript {
  /// A tool call as a model writes it.
  package struct Call: Sendable {
    package var name: String
    package var arguments: String

    package init(_ name: String, _ arguments: JSON) {
      self.init(name, text: arguments.text())
    }

    /// Creates a call.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - text: the arguments, which don't have to be JSON.
    package init(_ name: String, text: String) {
      self.name = name
      arguments = text
    }
  }

  /// Responds with a text, word by word, and with tool calls.
  package static func says(
    _ text: String, calls: [Call] = [], finish: String? = nil
  ) -> EmbeddingServer.Reply {
    .answer(
      headers: ["Content-Type": "text/event-stream"], body: stream(text, calls, finish: finish))
  }

  /// Returns the events of a response.
  package static func stream(_ text: String, _ calls: [Call] = [], finish: String? = nil) -> String
  {
    var events: [JSON] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      events.append(["content": .string((word.offset == 0 ? "" : " ") + word.element)])
    }
    for (index, call) in calls.enumerated() {
      let half = call.arguments.index(
        call.arguments.startIndex, offsetBy: call.arguments.count / 2)
      events.append([
        "tool_calls": [
          [
            "index": JSON(index), "id": .string("c\(index)"), "type": "function",
            "function": [
              "name": .string(call.name), "arguments": .string(String(call.arguments[..<half])),
            ],
          ]
        ]
      ])
      events.append([
        "tool_calls": [
          [
            "index": JSON(index),
            "function": ["arguments": .string(String(call.arguments[half...]))],
          ]
        ]
      ])
    }
    let reason = finish ?? (calls.isEmpty ? "stop" : "tool_calls")
    let pieces = events.map { delta -> JSON in ["choices": [["index": 0, "delta": delta]]] }
    let end: JSON = [
      "choices": [["index": 0, "delta": [:], "finish_reason": .string(reason)]],
      "usage": ["completion_tokens": JSON(events.count)],
    ]
    return (pieces + [end]).map { "data: \($0.text())\n\n" }.joined() + "data: [DONE]\n\n"
  }
}

extension EmbeddingServer {
  package var chatURL: String { "http://127.0.0.1:\(port)/v1/chat/completions" }
}

extension EmbeddingServer.Request {
  package var messages: [JSON] { body["messages"]?.array ?? [] }
  /// The tool results so far.
  package var toolResults: [String] {
    messages.filter { $0["role"]?.string == "tool" }.compactMap { $0["content"]?.string }
  }
  package var toolNames: [String] {
    (body["tools"]?.array ?? []).compactMap { $0["function"]?["name"]?.string }
  }
}
