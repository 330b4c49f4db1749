package import Foundation

/// One run of an importer: what came in, from where, and what was left out and why.
package struct ImportRun: Hashable, Sendable, Identifiable {
  /// Something the run had to say about its input.
  package struct Warning: Hashable, Sendable {
    package var place: String
    package var message: String

    package init(place: String, message: String) {
      self.place = place
      self.message = message
    }
  }

  package var id: UUID
  package var format: String
  /// The file or folder as it was named.
  package var source: String
  package var startedAt: Instant
  package var finishedAt: Instant
  /// How many entries of each type came in new.
  package var created: [String: Int]
  package var updated: Int
  package var unchanged: Int
  package var skipped: Int
  /// The first of them; `skipped` counts all.
  package var warnings: [Warning]
  package var isUndone: Bool

  package init(
    id: UUID, format: String, source: String, startedAt: Instant, finishedAt: Instant,
    created: [String: Int] = [:], updated: Int = 0, unchanged: Int = 0, skipped: Int = 0,
    warnings: [Warning] = [], isUndone: Bool = false
  ) {
    self.id = id
    self.format = format
    self.source = source
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.created = created
    self.updated = updated
    self.unchanged = unchanged
    self.skipped = skipped
    self.warnings = warnings
    self.isUndone = isUndone
  }

  package var json: JSON {
    var counts = JSONObject()
    for (type, count) in created.sorted(by: { $0.key < $1.key }) { counts[type] = JSON(count) }
    return [
      "id": .string(id.uuidString), "format": .string(format), "source": .string(source),
      "startedAt": JSON(startedAt), "finishedAt": JSON(finishedAt), "created": .object(counts),
      "updated": JSON(updated), "unchanged": JSON(unchanged), "skipped": JSON(skipped),
      "warnings": .array(warnings.map(\.json)), "isUndone": .bool(isUndone),
    ]
  }
}

extension ImportRun.Warning {
  package var json: JSON { ["place": .string(place), "message": .string(message)] }
}
