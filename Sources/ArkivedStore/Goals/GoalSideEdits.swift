package import ArkivedCore
package import Foundation

/// What is added, changed and removed on the goals side in one change.
package struct GoalSideEdits: Sendable {
  /// In an order in which each stands on those before it.
  package var added: [any RecordedEntity] = []
  /// The whole entities as they shall be.
  package var changed: [any RecordedEntity] = []
  package var removed: [any RecordedEntity] = []
  /// Goals that are committed to in terms, behind the last of each.
  package var committed: [(goal: UUID, term: UUID)] = []

  package init() {}

  package var isEmpty: Bool {
    added.isEmpty && changed.isEmpty && removed.isEmpty && committed.isEmpty
  }
}

extension Archive {
  /// Writes several entities of the goals side: all of them, as one change that is undone at once,
  /// or none.
  ///
  /// - Returns: nil when there is nothing to write.
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
        entity.updatedAt = max(
          scope.now, Instant(milliseconds: entity.updatedAt.milliseconds + 1))
        try scope.update(entity, reason: .update)
      }
    }.change
  }
}
