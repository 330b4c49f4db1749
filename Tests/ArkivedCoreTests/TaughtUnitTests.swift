import Foundation
import Testing

@testable import ArkivedCore

@Suite("Units that goals teach")
struct TaughtUnitTests {
  private func measured(
    _ line: String, by units: [String], in language: Language = .english
  ) throws -> [String: Double] {
    let reader = QuickAddReader(
      now: try #require(Instant("2026-03-14T10:00:00Z")), zone: .utc,
      units: UnitTable.standard.teaching(units, in: language), language: language)
    return try reader.read(line).measurements
  }

  @Test(arguments: [
    ("sold 5 jars", "jars", ["jars": 5.0]), ("sold 1 jar", "jars", ["jars": 1]),
    ("sold 1 JAR", "Jars", ["Jars": 1]), ("sold 2 jars", "jar", ["jar": 2]),
    ("sold 2000 jars", "jars", ["jars": 2000]), ("picked 3 berries", "berry", ["berry": 3]),
    ("baked 4 loaves", "loaf", ["loaf": 4]), ("packed 2 boxes", "box", ["box": 2]),
    ("2 crêpes eaten", "Crepe", ["Crepe": 2]),
    ("did 5 yoga minutes", "yoga minutes", ["yoga minutes": 5]),
    ("fasted 3 days", "days", ["days": 3]),
    // What only looks alike is none.
    ("met 5 friends", "jars", [:]), ("5 jarring moments", "jars", [:]),
    ("5 care packages", "cars", [:]), ("3 days ago: fasted", "days", [:]),
    // Known units stay what they are.
    ("ran 20 m", "m", ["m": 20]), ("20 min yoga", "m", ["minutes": 20]),
    ("drank 2 glasses", "glass", ["glasses": 2]), ("read 3 pages", "Page", ["pages": 3]),
  ])
  func areReadInLines(line: String, unit: String, expected: [String: Double]) throws {
    #expect(try measured(line, by: [unit]) == expected, "\(line)")
  }

  @Test(arguments: [
    ("1 Brot gebacken", "Brote", ["Brote": 1.0]), ("3 Brote gebacken", "brot", ["brot": 3]),
    ("2 Töpfe getöpfert", "Topf", ["Topf": 2]), ("fünf Töpfe getöpfert", "Topf", ["Topf": 5]),
    ("12 Karten geschrieben", "Karte", ["Karte": 12]), ("1 Gast bewirtet", "Gäste", ["Gäste": 1]),
    ("5 Gäste bewirtet", "Gäste", ["Gäste": 5]), ("5 Gläser verkauft", "Gläser", ["glasses": 5]),
    ("4 Läuferinnen getroffen", "Läuferin", ["Läuferin": 4]), ("5 Freunde getroffen", "Topf", [:]),
  ])
  func areReadInGerman(line: String, unit: String, expected: [String: Double]) throws {
    #expect(try measured(line, by: [unit], in: .german) == expected, "\(line)")
  }

  @Test func withoutAGoalALineStaysAsItIs() throws {
    #expect(try measured("sold 5 jars", by: []).isEmpty)
    #expect(try measured("5 Töpfe getöpfert", by: [], in: .german).isEmpty)
  }

  @Test func theFirstOfTwoSpellingsGivesTheName() {
    let table = UnitTable.standard.teaching(["jars", "Jar", "JARS"])
    #expect(table.canonicalName("jar") == "jars" && table.isSame("Jars", "jar"))
    #expect(table.unit(named: "boxes") == nil && !table.isKnown("jars") && table.isKnown("km"))
  }

  @Test(arguments: [
    ("jars", "jar", 2.0), ("Jar", "jars", 2), ("Gläser", "Glas", 2), ("Gläser", "glasses", 2),
    ("Bücher", "Buch", 2), ("Äpfel", "apfel", 2), ("Stunden", "minutes", 2.0 / 60),
  ])
  func aGoalKnowsItsOwnUnit(unit: String, name: String, amount: Double) throws {
    let goal = Goal(
      id: UUID(), title: "goal", measurementUnit: unit, measurementTarget: 100,
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
    let facts = ActionFacts(
      day: try #require(DayKey("2026-03-14")), measurements: [(unit: name, amount: 2)],
      duration: nil, texts: [])
    let found = try #require(GoalMatcher(goal).match(facts))
    #expect(abs(found.contribution - amount) < 1e-9 && found.confidence == 0.8)
  }

  @Test func metresTurnIntoNothingElse() throws {
    let goal = Goal(
      id: UUID(), title: "goal", measurementUnit: "m", measurementTarget: 20,
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
    let facts = ActionFacts(
      day: try #require(DayKey("2026-03-14")), measurements: [(unit: "minutes", amount: 20)],
      duration: 20, texts: [])
    #expect(GoalMatcher(goal).match(facts) == nil)
  }
}
