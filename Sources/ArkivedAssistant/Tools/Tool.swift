import ArkivedCore

/// A row of the table of tools.
struct Tool: Sendable {
  /// What a tool may do.
  enum Effect: Sendable {
    case reads
    /// Adds something, which undo takes away.
    case adds
    /// May delete or overwrite, which waits for the owner's yes.
    case proposes
  }

  /// A member of the result.
  struct Output: Sendable {
    var name: String
    var type: String
    var summary: String
    /// Whether it is there every time.
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
  /// The schema of arguments that the tool checks itself, where parameters can't tell them.
  var ownSchema: JSON?
  var outputs: [Output] = []
  var run: @Sendable (ToolWork) throws -> JSON

  var description: ToolDescription {
    ToolDescription(
      name: name, title: title, summary: summary,
      schema: ownSchema ?? ToolParameter.schema(of: parameters), resultSchema: resultSchema,
      isReadOnly: effect == .reads, isDestructive: effect == .proposes,
      isIdempotent: effect != .adds)
  }

  /// - Throws: `ToolError` for the first argument that does not fit.
  func checked(_ object: JSONObject) throws(ToolError) -> ToolArguments {
    guard ownSchema == nil else { return ToolArguments(unchecked: object) }
    return try ToolArguments(object, of: parameters, tool: name)
  }

  /// What waits stands in `pending`, in place of the rest.
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
        "description": "What waits for the owner's yes; nothing was changed yet.",
      ]
    }
    let certain = effect == .proposes ? [] : outputs.filter(\.isCertain).map(\.name)
    return ["type": "object", "properties": .object(properties), "required": JSON(certain)]
  }
}

/// One call at work: what it was asked, by whom, and on which archive.
struct ToolWork {
  let box: ToolBox
  let caller: ToolCaller
  let tool: String
  let arguments: ToolArguments
  /// Told while entries have to be read first, how many were and how many there are at most.
  let progress: (Int, Int) -> Void
}
