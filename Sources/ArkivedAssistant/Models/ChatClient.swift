import ArkivedCore
import ArkivedSearch
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A model behind an OpenAI-compatible chat endpoint: Ollama, llama.cpp, LM Studio, vLLM and
/// others.
package struct ChatClient: LanguageModel {
  package let settings: ModelSettings
  /// The timeout for a whole answer; a server may have to load its model first.
  private let patience: Duration

  package init(_ settings: ModelSettings, patience: Duration = .seconds(240)) {
    self.settings = settings
    self.patience = patience
  }

  package var name: String { "\(settings.model) at \(settings.address.url)" }

  package func reply(
    to request: ModelRequest, heard: @escaping @Sendable (String) async -> Void
  ) async throws -> ModelReply {
    let said = SaidText()
    return try await exchange.bounded(said: { said.text }) {
      try await ask(request) { piece in
        said.take(piece)
        await heard(piece)
      }
    }
  }

  private var exchange: ModelExchange { ModelExchange(settings: settings, patience: patience) }

  private func ask(
    _ request: ModelRequest, heard: @Sendable (String) async -> Void
  ) async throws -> ModelReply {
    let response = try await exchange.send(
      body(of: request).bytes(), type: "application/json",
      accepting: "text/event-stream, application/json")
    guard response.status == .ok else {
      let shown = try await response.body.collect(upTo: 1 << 20)
      let isElsewhere = (300..<400).contains(response.status.code)
      throw ChatStream.Problem(
        text: "returned \(response.status.code)"
          + (isElsewhere
            ? " with a redirect, which Arkived doesn’t follow"
            : ": \(AddressHTTP.shown(Array(shown.readableBytesView)))"))
    }
    var stream = ChatStream()
    let type = response.headers.first(name: "Content-Type")?.lowercased() ?? ""
    if type.hasPrefix("application/json") {
      let document = try await response.body.collect(upTo: ChatStream.sizeLimit)
      try stream.takeDocument(Array(document.readableBytesView))
      if !stream.text.isEmpty { await heard(stream.text) }
    } else {
      for try await buffer in response.body {
        let piece = try stream.take(buffer.readableBytesView)
        if !piece.isEmpty { await heard(piece) }
        // A server, or a proxy in front of it, may leave the connection open.
        if stream.isDone { break }
      }
    }
    try Task.checkCancellation()
    return try stream.reply()
  }

  // MARK: Request body

  private func body(of request: ModelRequest) -> JSON {
    var object: JSONObject = [
      "model": .string(settings.model), "messages": .array(request.messages.map(Self.json)),
      "stream": true, "temperature": 0.2, "max_tokens": JSON(request.tokenLimit),
    ]
    if !request.tools.isEmpty {
      object["tools"] = .array(
        request.tools.map {
          [
            "type": "function",
            "function": [
              "name": .string($0.name), "description": .string($0.summary), "parameters": $0.schema,
            ],
          ]
        })
    }
    if let schema = request.schema {
      object["response_format"] = [
        "type": "json_schema",
        "json_schema": ["name": "answer", "strict": true, "schema": schema],
      ]
    }
    return .object(object)
  }

  private static func json(_ message: ModelMessage) -> JSON {
    var object: JSONObject = [
      "role": .string(message.role.rawValue), "content": .string(message.text),
    ]
    if !message.calls.isEmpty {
      object["tool_calls"] = .array(
        message.calls.map {
          [
            "id": .string($0.id), "type": "function",
            "function": ["name": .string($0.name), "arguments": .string($0.arguments)],
          ]
        })
    }
    if let id = message.callID { object["tool_call_id"] = .string(id) }
    return .object(object)
  }
}

/// The text received before an answer was interrupted.
private final class SaidText: Sendable {
  private let pieces = Mutex("")

  var text: String { pieces.withLock { $0 } }

  func take(_ piece: String) { pieces.withLock { $0 += piece } }
}
