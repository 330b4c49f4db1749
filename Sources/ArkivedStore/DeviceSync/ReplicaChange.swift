import ArkivedCore

/// One entity or setting, with its changes.
package struct ReplicaChange: Hashable, Sendable {
  package var key: ReplicaKey
  package var state: ReplicaState

  package init(key: ReplicaKey, state: ReplicaState) {
    self.key = key
    self.state = state
  }

  /// One line of a segment.
  package var line: String {
    JSON.array([.string(key.type), .string(key.id), state.json]).text()
  }

  /// - Throws: `FieldError`, `JSONSyntaxError`.
  package init(line: some Collection<UInt8>) throws {
    guard let parts = try JSON(parsing: line).array, parts.count == 3, let type = parts[0].string,
      let id = parts[1].string, !type.isEmpty, !id.isEmpty
    else { throw FieldError("change", "isn’t an entity with its state") }
    self.init(key: ReplicaKey(type: type, id: id), state: try ReplicaState(parts[2]))
  }
}
