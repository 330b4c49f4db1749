import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("The form for the goals of a value")
struct GoalAlignmentTests {
  @Test func aFormKeepsWhatAnotherWriterChangedMeanwhile() throws {
    let test = try TestArchive()
    let (archive, now) = (test.archive, test.clock.now)
    let value = try archive.create(
      PersonalValue(id: UUID(), title: "Health", createdAt: now, updatedAt: now)
    ).value
    let goals = try ["Run", "Swim", "Row"].map { title in
      try archive.create(Goal(id: UUID(), title: title, createdAt: now, updatedAt: now)).value
    }
    func align(_ goal: Goal) throws -> GoalValueAlignment {
      try archive.create(
        GoalValueAlignment(
          id: UUID(), goalID: goal.id, valueID: value.id, strength: 1, createdAt: now,
          updatedAt: now)
      ).value
    }
    let read = try goals.prefix(2).map(align)
    _ = try archive.update(GoalValueAlignment.self, read[0].id) { $0.notes = "since May" }
    _ = try archive.delete(GoalValueAlignment.self, read[1].id)
    let added = try align(goals[2])
    let chosen: [UUID: Int?] = [goals[0].id: 2, goals[2].id: 3]
    _ = try GoalLinkPageController.align(
      archive, (listed: Set(goals.map(\.id)), chosen: chosen), of: read, other: \.goalID,
      type: .goal, "Changed the goals"
    ) { (goal: $0, value: value.id) }
    let left = try archive.alignments()
    #expect(Set(left.map(\.id)) == [read[0].id, added.id])
    let first = left.first { $0.id == read[0].id }
    #expect(first?.strength == 2 && first?.notes == "since May")
  }
}
