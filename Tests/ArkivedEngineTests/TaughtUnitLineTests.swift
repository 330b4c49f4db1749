import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Lines in the units of goals")
struct TaughtUnitLineTests {
  private func goal(_ test: TestArchive, _ title: String, _ unit: String) throws -> Goal {
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: title, measurementUnit: unit,
        measurementTarget: 100, createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @Test func aGoalTeachesItsUnitAndItsDeletionLosesNothing() throws {
    let test = try TestArchive()
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: .english)
    #expect(try entry.understand("sold 5 jars").measurements.isEmpty)
    let selling = try goal(test, "Sell jars", "jars")
    for line in ["sold 5 jars", "sold 1 jar", "met 5 friends"] {
      _ = try test.archive.add(entry.activity(from: try entry.understand(line)))
    }
    let counted = try test.archive.contributions(toGoal: selling.id, limit: 10)
    #expect(counted.map(\.contribution.contribution).sorted() == [1, 5])
    // What was measured in another form before counts as well.
    try test.add("market", measurements: ["Jar": 2])
    #expect(try test.archive.contributions(toGoal: selling.id, limit: 10).count == 3)

    try test.archive.delete(Goal.self, selling.id)
    let kept = try test.day("2026-03-14").activities.map(\.measurements)
    #expect(kept.filter { !$0.isEmpty }.count == 3 && kept.contains(["jars": 5]))
    #expect(try entry.understand("sold 5 jars").measurements.isEmpty)
  }

  @Test func aGermanLineTakesTheFormsOfItsLanguage() throws {
    let test = try TestArchive()
    _ = try goal(test, "Töpfern", "Töpfe")
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: .german)
    #expect(try entry.understand("1 Topf getöpfert").measurements == ["Töpfe": 1])
    #expect(try entry.understand("3 Töpfe getöpfert").measurements == ["Töpfe": 3])
  }

  @Test func manyGoalsDoNotSlowALineDown() throws {
    let test = try TestArchive()
    for index in 0..<200 { _ = try goal(test, "Goal \(index)", "thing number \(index)s") }
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: .english)
    let took = try ContinuousClock().measure {
      _ = try entry.understand("yesterday at 7am: ran 5 km with Tom")
    }
    #expect(took < .milliseconds(500), "\(took)")
  }
}
