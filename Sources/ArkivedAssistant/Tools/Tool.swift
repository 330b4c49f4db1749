import ArkivedCore

/// A row of the table of tools.
struct Tool: Sendable {
  /// The effect that a tool may have.
  enum Effect: Sendable {
    case reads
    /// An addition, which can be undone.
    case adds
    /// A deletion or replacement, which requires the owner's confirmation.
    case proposes
  }

  /// A member of a tool's result.
  struct Output: Sendable {
    var name: String
    var type: String
    var summary: String
    /// True if it is always present.
    var isCertain = true

    init(_ name: String, _ type: String, _ summary: String, isCertain: Bool = true) {
      self.name = name
      self.type = type
      self.summary = summary
      self.isCertain = isCertain
    }
  }

  var name: String
  var title: String
  var summary: String
  var effect = Effect.reads
  var parameters: [ToolParameter] = []
  /// The schema of arguments that the tool checks itself, if parameters can't express them.
  var ownSchema: JSON?
  var outputs: [Output] = []
  var run: @Sendable (ToolWork) throws -> JSON

  var description: ToolDescription {
    ToolDescription(
      name: name, title: title, summary: summary,
      schema: ownSchema ?? ToolParameter.schema(of: parameters), resultSchema: resultSchema,
      isReadOnly: effect == .reads, isDestructive: effect == .proposes,
      // A repeated proposal waits as a second one, and a repeated appendNote adds its text again.
      isIdempotent: effect == .reads)
  }

  /// Validates the arguments.
  ///
  /// - Throws: `ToolError` for the first invalid argument.
  func checked(_ object: JSONObject) throws(ToolError) -> ToolArguments {
    guard ownSchema == nil else { return ToolArguments(unchecked: object) }
    return try ToolArguments(object, of: parameters, tool: name)
  }

  /// A pending act is returned in `pending` instead of the other members.
  private var resultSchema: JSON {
    var properties = JSONObject()
    for output in outputs {
      properties[output.name] = [
        "type": output.isCertain ? .string(output.type) : [.string(output.type), "null"],
        "description": .string(output.summary),
      ]
    }
    if effect == .proposes {
      properties["pending"] = [
        "type": "object",
        "description": "The call that waits for the owner's approval. Nothing was changed yet.",
      ]
    }
    let certain = effect == .proposes ? [] : outputs.filter(\.isCertain).map(\.name)
    return ["type": "object", "properties": .object(properties), "required": JSON(certain)]
  }
}

/// A single call in progress: its arguments, the caller, and the archive.
struct ToolWork {
  let box: ToolBox
  let caller: ToolCaller
  let tool: String
  let arguments: ToolArguments
  let call: ToolCall
  /// The request; nil if it may not be repeated.
  let once: ToolRequest?
  /// Called while entries are being read for the first time, with the number read and the maximum
  /// total.
  let progress: (Int, Int) -> Void
}
