public import Foundation

/// One run of an importer: its source, the entries it imported, and those it skipped with the
/// reasons.
public struct ImportRun: Hashable, Sendable, Identifiable {
  /// A warning about the input of a run.
  public struct Warning: Hashable, Sendable {
    /// The file and the position in it.
    public var place: String
    /// The message.
    public var message: String

    /// Creates a warning.
    public init(place: String, message: String) {
      self.place = place
      self.message = message
    }
  }

  /// The ID, which can be used to undo the run.
  public var id: UUID
  /// The name of the format that was read.
  public var format: String
  /// The file or folder as given.
  public var source: String
  /// The time at which it began.
  public var startedAt: Instant
  /// The time at which it ended.
  public var finishedAt: Instant
  /// The number of new entries of each type.
  public var created: [String: Int]
  /// The number of existing entries that changed.
  public var updated: Int
  /// The number of existing entries that stayed the same.
  public var unchanged: Int
  /// The number of entries that could not be imported.
  public var skipped: Int
  /// The first of the warnings; `skipped` counts all skipped entries.
  public var warnings: [Warning]
  /// True if the run was undone.
  public var isUndone: Bool

  /// Creates the record of a run.
  public init(
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
