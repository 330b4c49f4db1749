package import ArkivedCore
package import Foundation

/// The goals and related entities to add, change and remove in one change.
package struct GoalSideEdits: Sendable {
  /// New entities, each after the ones it depends on.
  package var added: [any RecordedEntity] = []
  /// The new state of whole entities, each with the `updatedAt` of the version it was made from.
  package var changed: [any RecordedEntity] = []
  package var removed: [any RecordedEntity] = []
  /// Goals to commit to in terms, after the last of each.
  package var committed: [(goal: UUID, term: UUID)] = []

  package init() {}

  package var isEmpty: Bool {
    added.isEmpty && changed.isEmpty && removed.isEmpty && committed.isEmpty
  }
}

extension Archive {
  /// Writes several goals and related entities, either all of them, as one change that can be
  /// undone as a whole, or none.
  ///
  /// - Returns: nil if there is nothing to write.
  /// - Throws: `ArchiveError.conflict` if one of the entities was changed since it was read,
  ///   `.notFound`, `FieldError`.
  @discardableResult
  package func apply(
    _ edits: GoalSideEdits, action: String, _ summary: String, by author: Author = .owner
  ) throws -> Change? {
    guard !edits.isEmpty else { return nil }
    return try write(by: author, action, String(summary.prefix(200))) { scope in
      for entity in edits.removed { try scope.delete(type(of: entity).entityType, entity.id) }
      for entity in edits.added { try scope.insert(entity) }
      for (goal, term) in edits.committed { _ = try scope.commit(to: [goal], inTerm: term) }
      for var entity in edits.changed {
        let type = type(of: entity)
        if let current = try scope.entity(type.entityType, entity.id) {
          try Archive.check(
            entity.updatedAt, against: current.updatedAt, "This \(type.typeName)")
        }
        entity.updatedAt = max(
          scope.now, Instant(milliseconds: entity.updatedAt.milliseconds + 1))
        try scope.update(entity, reason: .update)
      }
    }.change
  }
}
