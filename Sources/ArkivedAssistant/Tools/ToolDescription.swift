package import ArkivedCore

/// The description of a tool for models, programs and people.
package struct ToolDescription: Hashable, Sendable {
  package var name: String
  /// The display name: "Delete an activity".
  package var title: String
  /// The purpose and use of the tool, for models.
  package var summary: String
  /// The JSON Schema (2020-12) of the arguments.
  package var schema: JSON
  /// The JSON Schema of the result.
  package var resultSchema: JSON
  /// True if it only reads.
  package var isReadOnly: Bool
  /// True if it may delete or overwrite; such a call waits for the owner's confirmation.
  package var isDestructive: Bool
  /// True if repeating a call with the same arguments has no further effect.
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
