package import ArkivedCore

/// A request to run a tool, by a model or a program.
package struct ToolCall: Hashable, Sendable {
  /// The identifier chosen by the caller, which the answer repeats.
  package var id: String
  package var name: String
  package var arguments: JSONObject

  package init(id: String, name: String, arguments: JSONObject = [:]) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }

  /// Parses `{"id","name","arguments"}`; only the name is required.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - place: the identifier to use if it is missing.
  /// - Throws: `FieldError` that names the invalid member.
  package init(_ object: JSONObject, id place: String = "call") throws(FieldError) {
    var fields = FieldReader(object)
    id = try fields.string("id") ?? place
    name = try fields.required("name")
    arguments = try fields.object("arguments") ?? [:]
    try fields.refuseUnknown()
  }

  package var json: JSON {
    ["id": .string(id), "name": .string(name), "arguments": .object(arguments)]
  }
}

/// The reason that a tool did not carry out a call.
package struct ToolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's code, for programs.
  package struct Code: OpenString {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let unknownTool: Code = "unknownTool"
    /// An argument is unknown, missing, of the wrong type or out of range.
    package static let invalidArgument: Code = "invalidArgument"
    package static let notFound: Code = "notFound"
    /// The entry has changed in the meantime.
    package static let conflict: Code = "conflict"
    /// The caller isn't allowed to do this.
    package static let refused: Code = "refused"
    package static let busy: Code = "busy"
    package static let failed: Code = "failed"
  }

  package var code: Code
  /// A sentence with the problem and the remedy.
  package var message: String
  /// The argument that caused the error.
  package var argument: String?

  package init(_ code: Code, _ message: String, argument: String? = nil) {
    self.code = code
    self.message = message
    self.argument = argument
  }

  package var description: String { message }

  package var json: JSON {
    var object: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
    if let argument { object["argument"] = .string(argument) }
    return .object(object)
  }
}

/// The result of a call.
package struct ToolAnswer: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    case result(JSON)
    case error(ToolError)
  }

  /// The ID of the call.
  package var toolCallID: String
  package var name: String
  package var outcome: Outcome

  package init(to call: ToolCall, _ outcome: Outcome) {
    toolCallID = call.id
    name = call.name
    self.outcome = outcome
  }

  package var result: JSON? { if case .result(let json) = outcome { json } else { nil } }
  package var error: ToolError? { if case .error(let error) = outcome { error } else { nil } }

  /// The act that is waiting for the owner's confirmation, if the call requested one.
  package var pending: JSON? { result?["pending"] }

  /// The answer as `{"toolCallId","name","result"}`, or with `error` instead of `result`.
  package var json: JSON {
    var object: JSONObject = ["toolCallId": .string(toolCallID), "name": .string(name)]
    switch outcome {
    case .result(let json): object["result"] = json
    case .error(let error): object["error"] = error.json
    }
    return .object(object)
  }

  /// Parses an answer written by `json`.
  package init(_ object: JSONObject) throws(FieldError) {
    var fields = FieldReader(object)
    toolCallID = try fields.required("toolCallId")
    name = try fields.required("name")
    if let told = try fields.object("error") {
      var inner = FieldReader(told)
      outcome = .error(
        ToolError(
          ToolError.Code(rawValue: try inner.required("code")), try inner.required("message"),
          argument: try inner.string("argument")))
    } else if let result = fields.value("result") {
      outcome = .result(result)
    } else {
      throw FieldError("result", "is missing")
    }
    try fields.refuseUnknown()
  }
}
