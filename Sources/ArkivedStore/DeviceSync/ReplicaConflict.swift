package import ArkivedCore
import Foundation

/// A field whose version was replaced by another one.
package struct ReplicaConflict: Sendable {
  package var id: String
  package var at: Instant
  package var type: EntityType
  package var sourceID: String
  package var field: String
  package var kept: JSON
  package var gaveWay: JSON
  package var keptBy: String
  package var givenBy: String

  /// One line of the version that was replaced.
  package var summary: String {
    let text = gaveWay.string ?? (gaveWay == .null ? "–" : gaveWay.text())
    return String(text.prefix(60)).replacingOccurrences(of: "\n", with: " ")
  }

  package var json: JSON {
    [
      "id": .string(id), "at": JSON(at), "type": .string(type.rawValue),
      "sourceId": .string(sourceID), "field": .string(field), "kept": kept, "gaveWay": gaveWay,
      "keptBy": .string(keptBy), "givenBy": .string(givenBy),
    ]
  }
}
