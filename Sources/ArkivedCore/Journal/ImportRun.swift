public import Foundation

/// One run of an importer: what came in, from where, and what was left out and why.
public struct ImportRun: Hashable, Sendable, Identifiable {
  /// Something the run had to say about its input.
  public struct Warning: Hashable, Sendable {
    /// The file, and the place in it.
    public var place: String
    /// What there is to say.
    public var message: String

    /// Makes a warning.
    public init(place: String, message: String) {
      self.place = place
      self.message = message
    }
  }

  /// The identity, by which it is undone.
  public var id: UUID
  /// The name of the format that was read.
  public var format: String
  /// The file or folder as it was named.
  public var source: String
  /// When it began.
  public var startedAt: Instant
  /// When it ended.
  public var finishedAt: Instant
  /// How many entries of each type came in new.
  public var created: [String: Int]
  /// How many known entries changed.
  public var updated: Int
  /// How many entries were known and the same.
  public var unchanged: Int
  /// How many entries couldn't come in.
  public var skipped: Int
  /// The first of them; `skipped` counts all.
  public var warnings: [Warning]
  /// Whether it was taken back.
  public var isUndone: Bool

  /// Makes the account of a run.
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
