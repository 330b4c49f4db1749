package import ArkivedCore
import Foundation

/// The goals of the sample life's main character: her values, terms of ten weeks with their goals,
/// and her lifetime.
///
/// The evidence for the goals is found in the life's own entries.
package struct SampleGoals: Sendable {
  /// The first Monday, from which terms follow one another without a gap.
  private static let firstTerm = DayKey(clamping: LifeCalendar.courseStart).startOfWeek()
  /// The number of terms before the last day that are described; earlier ones were never recorded.
  private static let termCount = 6

  private let through: DayKey
  private let random: SampleRandom

  package init(through: DayKey, seed: UInt64 = 2016) {
    self.through = through
    random = SampleRandom(seed: seed)
  }

  /// Writes all records, each after those it depends on.
  package func write(now: Instant, into take: (ImportedRecord) throws -> Void) rethrows {
    for entity in entities(now: now) {
      try take(
        ImportedRecord(
          .goalSide(entity), hasOwnIdentity: true, hasOwnVersion: true, place: "sample:goals"))
    }
  }

  private enum Purpose: UInt64 {
    case value = 0x60A1, goal, term, alignment, assignment, lifeTime
  }

  private func identity(_ purpose: Purpose, _ first: Int, _ second: Int = 0) -> UUID {
    random.identity(purpose.rawValue, first, second)
  }

  private func entities(now: Instant) -> [any RecordedEntity] {
    let last = Self.firstTerm.distance(to: through) / Term.defaultDays
    let first = max(0, last - Self.termCount + 1)
    var entities: [any RecordedEntity] = values(since: instant(start(first), now))
    if let birth = DayKey(year: 1984, month: 9, day: 14) {
      let at = instant(start(first), now)
      entities.append(
        LifeTime(
          id: identity(.lifeTime, 0), birthDate: birth, expectedYears: 84, createdAt: at,
          updatedAt: at))
    }
    for number in first...last { entities += term(number, now: now) }
    entities += longGoals(now: now)
    return entities
  }

  private func start(_ number: Int) -> DayKey {
    Self.firstTerm.advanced(by: number * Term.defaultDays)
  }

  /// Returns nine in the morning of a day, or the current time if that is earlier.
  private func instant(_ day: DayKey, _ now: Instant) -> Instant {
    min(now, Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000 + 28_800_000))
  }

  // MARK: Values

  private static let values: [(String, IncentiveType, String, String, String?)] = [
    (
      "Be there for my people", .highestOrder, "Family", "Family and old friends before anything",
      nil
    ),
    (
      "A body that carries me", .major, "Health", "To go where I want under my own power",
      "By bike where a bike will do; out of doors once a day."
    ),
    (
      "Music made together", .major, "Music", "Singing with others",
      "Go to practice also when it rains; learn the alto line at home."
    ),
    ("Curiosity", .general, "Mind", "Books, museums, questions", nil),
    ("Making things by hand", .general, "Craft", "Bowls that hold soup", nil),
    ("Work", .lifeArea, "Work", "Timetables for ferries", nil),
    ("Home", .lifeArea, "Home", "The flat, the cellar, the balcony", nil),
  ]

  private func values(since at: Instant) -> [PersonalValue] {
    Self.values.enumerated().map { number, value in
      PersonalValue(
        id: identity(.value, number), title: value.0, description: value.3, logTime: at,
        incentiveType: value.1, lifeDomain: value.2, alignmentGuidance: value.4, createdAt: at,
        updatedAt: at)
    }
  }

  // MARK: Terms

  private static let themes = [
    ("Out of doors", "More kilometres than I thought; the rain held off."),
    ("Voices", "The Purcell sits. I sang the second verse by heart."),
    ("Fewer things, better made", "Two bowls came out well, one went to Mum."),
    ("Quiet evenings", "Read more, looked at the phone less. Keep that."),
    ("Back on the bike", "Slow start, good end. Book the spring tour early."),
    ("Harvest", "Finished what I began in spring; the cellar is next."),
  ]

  /// The measures of every term, whose targets change from term to term.
  private static let measured:
    [(
      title: String, unit: String, target: Double, step: Double, keywords: [String], value: Int
    )] = [
      ("Cycle", "km", 200, 20, ["cycle", "bike", "ride"], 1),
      ("Read", "pages", 900, 50, [], 3),
      ("Sing", "hours", 16, 1, ["choir"], 2),
      ("Throw pots", "hours", 12, 1, ["pottery"], 4),
      ("Ring home", "times", 8, 1, ["Mum on the phone", "call with Mum", "rang Mum"], 0),
    ]

  private func term(_ number: Int, now: Instant) -> [any RecordedEntity] {
    let start = start(number)
    let end = start.advanced(by: Term.defaultDays - 1)
    let at = instant(start, now)
    let (theme, reflection) = Self.themes[number % Self.themes.count]
    let isOver = end < through
    let written = isOver ? instant(end, now) : at
    var entities: [any RecordedEntity] = [
      Term(
        id: identity(.term, number), termNumber: number + 1, startDate: start, targetDate: end,
        theme: theme, reflection: isOver ? reflection : nil, logTime: at, createdAt: at,
        updatedAt: written)
    ]
    // Four of the five are included, so each is skipped for a term now and then.
    let leftOut = number % Self.measured.count
    var order = 0
    for (index, sort) in Self.measured.enumerated() where index != leftOut {
      order += 1
      let target = sort.target + sort.step * Double(number % 3)
      let hints = GoalHints(units: [sort.unit], keywords: sort.keywords)
      let goal = Goal(
        id: identity(.goal, number, index),
        title: "\(sort.title) \(AmountText.plain(target)) \(sort.unit)", logTime: at,
        measurementUnit: sort.unit, measurementTarget: target, startDate: start, targetDate: end,
        howGoalIsActionable: sort.keywords.isEmpty ? nil : hints.text, expectedTermLength: 10,
        createdAt: at, updatedAt: at)
      entities.append(goal)
      entities.append(alignment(goal, to: sort.value, strength: 8, at))
      entities.append(
        TermGoalAssignment(
          id: identity(.assignment, number, index), termID: identity(.term, number),
          goalID: goal.id, order: order, createdAt: at, updatedAt: at))
    }
    return entities
  }

  private func alignment(
    _ goal: Goal, to value: Int, strength: Int, _ at: Instant
  ) -> GoalValueAlignment {
    GoalValueAlignment(
      id: random.identity(
        Purpose.alignment.rawValue, Int(truncatingIfNeeded: goal.id.hashed), value),
      goalID: goal.id, valueID: identity(.value, value), strength: strength, createdAt: at,
      updatedAt: at)
  }

  // MARK: Longer than a term

  private func longGoals(now: Instant) -> [any RecordedEntity] {
    let start = through.startOfYear
    let end = start.adding(months: 12).advanced(by: -1)
    let at = instant(start, now)
    let reading = Goal(
      id: identity(.goal, -1, start.year), title: "Read 5000 pages in \(start.year)",
      description: "A book a fortnight, and not only novels", logTime: at, goalType: .smartGoal,
      measurementUnit: "pages", measurementTarget: 5_000, startDate: start, targetDate: end,
      howGoalIsRelevant: "Evenings with a book are the ones I remember.",
      howGoalIsActionable: GoalHints(units: ["pages"], keywords: []).text,
      createdAt: at, updatedAt: at)
    let milestone = Goal(
      id: identity(.goal, -2, start.year), title: "Sing the Purcell in church", logTime: at,
      goalType: .milestone, targetDate: end.advanced(by: -11), createdAt: at, updatedAt: at)
    return [
      reading, milestone, alignment(reading, to: 3, strength: 9, at),
      alignment(milestone, to: 2, strength: 10, at),
    ]
  }
}

extension UUID {
  /// The first bytes as a number, the same in every run.
  fileprivate var hashed: UInt64 {
    withUnsafeBytes(of: uuid) { bytes in bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
