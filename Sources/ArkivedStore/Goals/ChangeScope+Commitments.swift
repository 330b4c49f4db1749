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
  ///   - goals: the IDs of the goals, each once.
  ///   - term: the ID of the term.
  ///   - order: the position of the first from 1, even if it is already committed to; the goals of
  ///     the term are numbered again. A position after the last is the end. Nil puts new ones at the
  ///     end and leaves the others.
  /// - Returns: those that are new or were moved.
  /// - Throws: `ArchiveError.notFound` if the term or a goal doesn't exist; `FieldError` for a
  ///   position that isn't one.
  package func commit(
    to goals: [UUID], inTerm term: UUID, order: Int? = nil
  ) throws -> [TermGoalAssignment] {
    let present = try assignments(ofTerm: term)
    func link(_ goal: UUID, at place: Int) -> TermGoalAssignment {
      if let known = present.first(where: { $0.goalID == goal }) { return known }
      return TermGoalAssignment(
        id: identities.next(), termID: term, goalID: goal,
        order: min(place, TermGoalAssignment.lastPlace), createdAt: now, updatedAt: now)
    }
    guard let order else {
      let first = (present.map(\.order).max() ?? 0) + 1
      let new = goals.filter { goal in !present.contains { $0.goalID == goal } }
      return try new.enumerated().map { index, goal in
        let made = link(goal, at: first + index)
        try insertEntity(made)
        return made
      }
    }
    guard (0...TermGoalAssignment.lastPlace).contains(order) else {
      throw FieldError(
        "order", "is \(order), but must be between 0 and \(TermGoalAssignment.lastPlace)")
    }
    var list = present.filter { !goals.contains($0.goalID) }
    let place = min(max(order, 1), list.count + 1) - 1
    list.insert(contentsOf: goals.map { link($0, at: order) }, at: place)
    let isRenumbered = list.enumerated().contains { index, link in
      goals.contains(link.goalID) && link.order != index + 1
    }
    guard isRenumbered || list.map(\.id) != present.map(\.id) else { return [] }
    let known = Set(present.map(\.id))
    var written: [TermGoalAssignment] = []
    for (index, link) in list.enumerated() {
      var link = link
      let isNew = !known.contains(link.id)
      if isNew || link.order != index + 1 {
        link.order = index + 1
        if isNew {
          try insertEntity(link)
        } else {
          link.updatedAt = max(now, Instant(milliseconds: link.updatedAt.milliseconds + 1))
          try updateEntity(link)
        }
      }
      if goals.contains(link.goalID) { written.append(link) }
    }
    return written
  }
}
