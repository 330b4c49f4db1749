import ArkivedCore

/// The ID of a request (JSON-RPC 2.0 §4; MCP doesn't allow null).
enum RPCIdentity: Hashable, Sendable {
  case text(String)
  case number(Int64)

  init?(_ json: JSON?) {
    switch json {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .number(number)
    default: return nil
    }
  }

  var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    }
  }
}

/// The error for a request without a result, with JSON-RPC's codes (§5.1).
struct RPCError: Error, Hashable, Sendable {
  var code: Int
  var message: String

  static func parse(_ message: String) -> RPCError { RPCError(code: -32700, message: message) }
  static func invalidRequest(_ message: String) -> RPCError {
    RPCError(code: -32600, message: message)
  }
  static func unknownMethod(_ name: String) -> RPCError {
    RPCError(code: -32601, message: "No method named \(FieldError.shown(name)).")
  }
  static func invalidParameters(_ message: String) -> RPCError {
    RPCError(code: -32602, message: message)
  }
  static func failed(_ message: String) -> RPCError { RPCError(code: -32603, message: message) }
  /// Returns the error for an unknown resource (MCP, server/resources, error handling).
  static func noResource(_ uri: String) -> RPCError {
    RPCError(code: -32002, message: "No resource \(FieldError.shown(uri)).")
  }

  func response(to id: RPCIdentity?) -> JSON {
    [
      "jsonrpc": "2.0", "id": id?.json ?? .null,
      "error": ["code": JSON(code), "message": .string(message)],
    ]
  }
}

/// A JSON-RPC 2.0 message.
enum RPCMessage: Sendable {
  case request(RPCIdentity, method: String, JSONObject)
  case notification(method: String, JSONObject)
  /// A response to one of our requests; nil if the other side failed.
  case response(RPCIdentity, result: JSON?)
  /// An invalid message, with the ID of its request if known.
  case broken(RPCIdentity?, RPCError)

  init(_ json: JSON) {
    guard let object = json.object else {
      self = .broken(nil, .invalidRequest("A message must be a JSON object."))
      return
    }
    let id = RPCIdentity(object["id"])
    guard object["jsonrpc"]?.string == "2.0" else {
      self = .broken(id, .invalidRequest("jsonrpc must be \"2.0\"."))
      return
    }
    guard let told = object["method"] else {
      if let id, object["result"] != nil || object["error"] != nil {
        self = .response(id, result: object["result"])
      } else {
        self = .broken(id, .invalidRequest("method is missing."))
      }
      return
    }
    guard let method = told.string else {
      self = .broken(id, .invalidRequest("method must be a string, not \(told.typeName)."))
      return
    }
    guard object["id"] == nil || id != nil else {
      self = .broken(nil, .invalidRequest("id must be a string or a whole number."))
      return
    }
    switch (object["params"], id) {
    case (.object(let parameters), let id?):
      self = .request(id, method: method, parameters)
    case (.object(let parameters), nil):
      self = .notification(method: method, parameters)
    case (nil, let id?), (.null, let id?): self = .request(id, method: method, [:])
    case (nil, nil), (.null, nil): self = .notification(method: method, [:])
    case (_, let id): self = .broken(id, .invalidParameters("params must be an object."))
    }
  }
}
