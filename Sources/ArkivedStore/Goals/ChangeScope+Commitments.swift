package import ArkivedCore
package import Foundation
import GRDB

/// Commitments to goals in a term.
///
/// They are read and written in one transaction, so two added at the same time get different
/// positions.
extension ChangeScope {
  /// Returns the commitments of a term, in its order.
  package func assignments(ofTerm id: UUID) throws -> [TermGoalAssignment] {
    try TermGoalAssignment.fetch(
      db, where: "term.id = ?", arguments: [id.uuidString], order: "it.assignment_order, it.pk")
  }

  package func isCommitted(to goal: UUID, inTerm term: UUID) throws -> Bool {
    try assignments(ofTerm: term).contains { $0.goalID == goal }
  }

  /// Commits to goals for a term, each after the previous one.
  ///
  /// - Parameters:
  ///   - goals: the IDs of the goals.
  ///   - term: the ID of the term.
  ///   - order: the position of the first, even if it is already committed to; nil puts new ones at
  ///     the end.
  /// - Returns: those that are new or were moved.
  /// - Throws: `ArchiveError.notFound` if the term or a goal doesn't exist.
  package func commit(
    to goals: [UUID], inTerm term: UUID, order: Int? = nil
  ) throws -> [TermGoalAssignment] {
    let present = try assignments(ofTerm: term)
    var place = order ?? (present.map(\.order).max() ?? 0) + 1
    var written: [TermGoalAssignment] = []
    for goal in goals {
      if var link = present.first(where: { $0.goalID == goal }) {
        guard order != nil else { continue }
        if link.order != place {
          link.order = place
          link.updatedAt = max(now, Instant(milliseconds: link.updatedAt.milliseconds + 1))
          try updateEntity(link)
          written.append(link)
        }
      } else {
        let link = TermGoalAssignment(
          id: identities.next(), termID: term, goalID: goal,
          order: min(place, TermGoalAssignment.lastPlace), createdAt: now, updatedAt: now)
        try insertEntity(link)
        written.append(link)
      }
      place += 1
    }
    return written
  }
}
