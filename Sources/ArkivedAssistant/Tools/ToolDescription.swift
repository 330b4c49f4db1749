package import ArkivedCore

/// What is told of a tool: to models, to programs and to people.
package struct ToolDescription: Hashable, Sendable {
  package var name: String
  /// For people: "Delete an activity".
  package var title: String
  /// For models: what it does and when to use it.
  package var summary: String
  /// JSON Schema (2020-12) of the arguments.
  package var schema: JSON
  /// JSON Schema of the result.
  package var resultSchema: JSON
  /// Whether it only reads.
  package var isReadOnly: Bool
  /// Whether it may delete or overwrite; such a call waits for the owner's yes.
  package var isDestructive: Bool
  /// Whether calling it again with the same arguments changes nothing more.
  package var isIdempotent: Bool

  package var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "inputSchema": schema, "outputSchema": resultSchema,
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(isReadOnly),
        "destructiveHint": .bool(isDestructive), "idempotentHint": .bool(isIdempotent),
        "openWorldHint": false,
      ],
    ]
  }
}
