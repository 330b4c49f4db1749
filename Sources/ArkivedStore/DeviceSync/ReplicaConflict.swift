package import ArkivedCore

/// A field whose version was replaced by another one.
package struct ReplicaConflict: Sendable {
  package var id: String
  package var at: Instant
  package var type: EntityType
  package var sourceID: String
  package var field: String
  /// The name of the tag or person that the field refers to.
  package var member: String?
  package var kept: JSON
  package var gaveWay: JSON
  package var keptBy: String
  package var givenBy: String

  package var json: JSON {
    [
      "id": .string(id), "at": JSON(at), "type": .string(type.rawValue),
      "sourceId": .string(sourceID), "field": .string(field), "kept": kept, "gaveWay": gaveWay,
      "keptBy": .string(keptBy), "givenBy": .string(givenBy),
    ]
  }
}
