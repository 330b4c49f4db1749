import ArkivedCore
import Foundation
import Testing

@Suite("Matching actions with goals")
struct GoalMatchingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var unit: String? = "km"
    var hints: String?
    var from: String?
    var to: String?
    var text = "went out"
    var tags: [String] = []
    var day = "2026-03-14"
    var measurements: [String: Double] = [:]
    var minutes: Double?
    /// Contribution and confidence; nil where nothing matches.
    var expected: (Double, Double)?

    var testDescription: String {
      "\(unit ?? "no unit") \(hints ?? "") ← \(text) \(tags) \(measurements) \(minutes ?? 0)"
    }
  }

  static let yoga = #"{"units":["minutes"],"keywords":["yoga"]}"#
  static let run = #"{"keywords":["run"]}"#

  static let cases: [Case] = [
    // Units alone.
    Case(measurements: ["km": 5], expected: (5, 0.8)),
    Case(measurements: ["kilometres": 5], expected: (5, 0.8)),
    Case(measurements: ["KM": 5], expected: (5, 0.8)),
    Case(measurements: ["miles": 10], expected: (16.09344, 0.8)),
    Case(measurements: ["m": 1500], expected: (1.5, 0.8)),
    Case(measurements: ["pages": 5], expected: nil),
    Case(measurements: [:], expected: nil),
    // The same thing in two units is one thing; the goal's own unit goes first.
    Case(measurements: ["km": 5, "miles": 3.2], expected: (5, 0.8)),
    Case(unit: "pages", measurements: ["pages": 20, "km": 5], expected: (20, 0.8)),
    // Units of the owner's own making.
    Case(unit: "kata", measurements: ["kata": 3], expected: (3, 0.8)),
    Case(unit: "Kata", measurements: ["kata": 3], expected: (3, 0.8)),
    // A part of a name only may count.
    Case(measurements: ["distance_km": 4], expected: (4, 0.6)),
    Case(measurements: ["distanceKm": 4], expected: (4, 0.6)),
    Case(measurements: ["swim miles": 1], expected: (1.609344, 0.6)),
    Case(measurements: ["kmart": 4], expected: nil),
    Case(measurements: ["distance_km": 4, "km": 5], expected: (5, 0.8)),
    // Lengths.
    Case(unit: "minutes", minutes: 45, expected: (45, 0.8)),
    Case(unit: "hours", minutes: 45, expected: (0.75, 0.8)),
    Case(unit: "minutes", measurements: ["hours": 2], expected: (120, 0.8)),
    Case(unit: "minutes", measurements: ["minutes": 30], minutes: 45, expected: (30, 0.8)),
    Case(unit: "minutes", measurements: ["km": 3], minutes: 45, expected: (45, 0.8)),
    Case(unit: "km", minutes: 45, expected: nil),
    // Days.
    Case(from: "2026-03-14", to: "2026-03-15", measurements: ["km": 1], expected: (1, 0.8)),
    Case(from: "2026-03-01", to: "2026-03-14", measurements: ["km": 1], expected: (1, 0.8)),
    Case(from: "2026-03-15", measurements: ["km": 1], expected: nil),
    Case(to: "2026-03-13", measurements: ["km": 1], expected: nil),
    Case(to: "2026-03-20", measurements: ["km": 1], expected: (1, 0.8)),
    // Hints: a unit and a word, both.
    Case(
      unit: "minutes", hints: yoga, text: "yoga class", measurements: ["minutes": 30],
      expected: (30, 0.9)),
    Case(
      unit: "minutes", hints: yoga, text: "wrote a page", measurements: ["minutes": 30],
      expected: nil),
    Case(
      unit: "minutes", hints: yoga, text: "yoga class", measurements: ["pages": 30],
      expected: nil),
    Case(
      unit: "minutes", hints: yoga, text: "evening", tags: ["Yoga"],
      measurements: ["minutes": 30], expected: (30, 0.9)),
    Case(unit: "hours", hints: yoga, text: "Yoga!", minutes: 90, expected: (1.5, 0.9)),
    Case(
      unit: "minutes", hints: yoga, text: "yoga", measurements: ["time_minutes": 30],
      expected: (30, 0.6)),
    Case(hints: run, text: "ran by the river", measurements: ["km": 5], expected: (5, 0.9)),
    Case(hints: run, text: "running late", measurements: ["km": 5], expected: (5, 0.9)),
    Case(hints: run, text: "brunch in town", measurements: ["km": 5], expected: nil),
    Case(hints: run, text: "runway walk", measurements: ["km": 5], expected: nil),
    Case(
      unit: "minutes", hints: #"{"units":["minutes"],"keywords":["deep work"]}"#,
      text: "Deep  work on the thesis", measurements: ["minutes": 50], expected: (50, 0.9)),
    Case(
      unit: "minutes", hints: #"{"units":["minutes"],"keywords":["deep work"]}"#,
      text: "work in deep snow", measurements: ["minutes": 50], expected: nil),
    Case(
      unit: "minutes", hints: #"{"units":["minutes"],"keywords":["méditer"]}"#,
      text: "MEDITER au parc", measurements: ["minutes": 50], expected: (50, 0.9)),
    Case(
      unit: "minutes", hints: #"{"units":["minutes"],"keywords":["冥想"]}"#,
      text: "早上冥想了", measurements: ["minutes": 15], expected: (15, 0.9)),
    Case(
      unit: "minutes", hints: #"{"units":["minutes"],"keywords":["studies"]}"#,
      text: "studied Italian", measurements: ["minutes": 15], expected: (15, 0.9)),
    // Units without words, and hints that are none.
    Case(
      unit: "hours", hints: #"{"units":["minutes"]}"#, measurements: ["minutes": 30],
      expected: (0.5, 0.8)),
    Case(hints: "run three times a week", measurements: ["km": 5], expected: (5, 0.8)),
    Case(hints: #"{"units":"km"}"#, measurements: ["km": 5], expected: (5, 0.8)),
    Case(hints: "[]", measurements: ["km": 5], expected: (5, 0.8)),
    // What cannot become the goal's unit does not count.
    Case(
      unit: "km", hints: #"{"units":["minutes"],"keywords":["run"]}"#, text: "run",
      measurements: ["minutes": 30], expected: nil),
    Case(
      unit: "yoga minutes", hints: yoga, text: "yoga", measurements: ["minutes": 30],
      expected: (30, 0.9)),
    // Times that something was done.
    Case(unit: "times", hints: run, text: "went for a run", expected: (1, 0.9)),
    Case(unit: "times", text: "went for a run", expected: nil),
    // A goal without a unit only takes what its owner links.
    Case(unit: nil, measurements: ["km": 5], expected: nil),
    Case(unit: nil, hints: yoga, text: "yoga", measurements: ["minutes": 5], expected: nil),
  ]

  @Test(arguments: cases)
  func oneActionOneGoal(_ given: Case) throws {
    let goal = Goal(
      id: UUID(), title: "goal", measurementUnit: given.unit,
      measurementTarget: given.unit == nil ? nil : 100, startDate: given.from.flatMap(DayKey.init),
      targetDate: given.to.flatMap(DayKey.init), howGoalIsActionable: given.hints,
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
    let facts = ActionFacts(
      day: try #require(DayKey(given.day)),
      measurements: given.measurements.sorted { $0.key < $1.key }
        .map { (unit: $0.key, amount: $0.value) },
      duration: given.minutes, texts: [given.text] + given.tags)
    let match = GoalMatcher(goal).match(facts)
    guard let (contribution, confidence) = given.expected else {
      #expect(match == nil)
      return
    }
    let found = try #require(match)
    #expect(abs(found.contribution - contribution) < 1e-9)
    #expect(found.confidence == confidence)
    // What tells candidates apart agrees with what matches.
    var many = GoalMatchers([goal])
    #expect(many.matches(facts).map(\.match) == [found])
  }

  @Test func brokenHintsAreToldOf() {
    func warnings(_ hints: String, unit: String? = "km") -> [String] {
      GoalMatcher(
        Goal(
          id: UUID(), title: "goal", measurementUnit: unit, howGoalIsActionable: hints,
          createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
      ).warnings
    }
    #expect(warnings(#"{"units":["km"],"keywords":["run"]}"#).isEmpty)
    #expect(warnings("whenever I can").count == 1)
    #expect(warnings(#"{"units":["minutes"],"keywords":["run"]}"#).count == 1)
    #expect(warnings(#"{"units":[],"keywords":[]}"#).count == 1)
    #expect(warnings(#"{"units":["km"],"keywords":["run"]}"#, unit: nil).count == 1)
    #expect(warnings(#"{"keywords":["🏃"]}"#).count == 1)
  }

  @Test func hintsAreReadAsTheyAreWritten() {
    let hints = GoalHints(units: ["km", "miles"], keywords: ["run", "“long” way"])
    #expect(GoalHints.read(hints.text) == .hints(hints))
    #expect(GoalHints.read(nil) == .absent)
    #expect(GoalHints.read("  ") == .absent)
  }
}
