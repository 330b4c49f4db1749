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

  /// Returns the key at the beginning of a line, without parsing the line.
  ///
  /// - Returns: nil if the line isn't a change, or if its key has escaped characters.
  static func key(ofLine line: Substring) -> ReplicaKey? {
    let quote = UInt8(ascii: "\"")
    let parts = line.utf8.split(separator: quote, maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].elementsEqual("[".utf8), parts[2].elementsEqual(",".utf8),
      parts[4].first == UInt8(ascii: ","),
      ![parts[1], parts[3]].contains(where: { $0.contains(UInt8(ascii: "\\")) })
    else { return nil }
    return ReplicaKey(type: String(Substring(parts[1])), id: String(Substring(parts[3])))
  }

  /// - Throws: `FieldError`, `JSONSyntaxError`.
  package init(line: some Collection<UInt8>) throws {
    guard let parts = try JSON(parsing: line).array, parts.count == 3, let type = parts[0].string,
      let id = parts[1].string, !type.isEmpty, !id.isEmpty
    else { throw FieldError("change", "isn’t an entity with its state") }
    self.init(key: ReplicaKey(type: type, id: id), state: try ReplicaState(parts[2]))
  }
}
