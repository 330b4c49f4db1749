import ArkivedCore
import Foundation
import Testing

@Suite("Birthdays and long absences")
struct PersonNudgeTests {
  private let zone: Zone

  init() throws { zone = try #require(Zone("Europe/Berlin")) }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  @Test(arguments: [
    ("14 March 1985", "14.3.1985"), ("14 March", "14.3."), ("14. März 1985", "14.3.1985"),
    ("9. Mai", "9.5."), ("March 14, 1985", "14.3.1985"), ("14th March", "14.3."),
    ("1985-03-14", "14.3.1985"), ("14.3.1985", "14.3.1985"), ("14.03.", "14.3."),
    ("29 February", "29.2."),
  ])
  func birthdaysAreReadAsTheyAreWritten(text: String, expected: String) {
    let birthday = Birthday(text)
    let found = birthday.map { "\($0.day).\($0.month).\($0.year.map { "\($0)" } ?? "")" }
    #expect(found == expected)
  }

  @Test(arguments: [
    "", "1985", "May 1985", "around 1900", "3/14/1985", "31 February", "29 February 2023", "day 14",
    "14.3", "soon",
  ])
  func whatIsNoDayIsNoBirthday(text: String) {
    #expect(Birthday(text) == nil)
  }

  @Test func birthdaysOfLeapYearsAreCelebratedEveryYear() throws {
    let birthday = try #require(Birthday("29 February 2000"))
    #expect(birthday.isCelebrated(on: try day("2026-02-28")))
    #expect(!birthday.isCelebrated(on: try day("2028-02-28")))
    #expect(birthday.isCelebrated(on: try day("2028-02-29")))
    #expect(birthday.age(on: try day("2028-02-29")) == 28)
    #expect(Birthday("29 February")?.age(on: try day("2028-02-29")) == nil)
    #expect(birthday.age(on: try day("2000-02-29")) == nil)
  }

  @Test func factsAreReadFromTheLinesOfANote() {
    let facts = PersonFacts(
      in: "Met at sea.\n- Birthday: 9 May 1990\n- Birthday present: a book\n\nDied: ")
    #expect(facts.birthday == Birthday(month: 5, day: 9, year: 1990) && !facts.hasDied)
    let german = PersonFacts(in: "**Geburtstag:** 9. Mai\n* Gestorben: 2020")
    #expect(german.birthday == Birthday(month: 5, day: 9) && german.hasDied)
    #expect(PersonFacts(in: "Her birthday: it was nice\n# 9 May").birthday == nil)
  }

  private static let absences: [(last: String, every: Int, count: Int, isLong: Bool)] = [
    // A weekly friend is missed after six weeks.
    ("2026-02-07", 7, 30, false), ("2026-01-31", 7, 30, true),
    // Somebody seen every two months, not before three.
    ("2025-12-20", 60, 6, false), ("2025-12-01", 60, 6, true),
    // A journey together, and too few days.
    ("2026-01-20", 1, 10, false), ("2025-12-01", 60, 3, false),
    // Too long ago.
    ("2025-02-01", 7, 30, false),
  ]

  @Test(arguments: absences)
  func onlyUnusualAbsencesAreLong(
    last: String, every: Int, count: Int, isLong: Bool
  ) throws {
    let end = try day(last)
    let days = (0..<count).reversed().map { end.advanced(by: -every * $0) }
    #expect(Absence.isLong(days, today: try day("2026-03-14")) == isLong)
    #expect(!Absence.isLong([], today: end))
  }

  // MARK: Rules

  private func rules(_ kind: NudgeKind) -> NudgeRules {
    var settings = NudgeSettings()
    settings.set(kind, at: NudgeSettings.usual(kind))
    settings.quiet = nil
    settings.mostADay = 20
    return NudgeRules(settings, zone: zone)
  }

  private func at(_ day: DayKey, _ hour: Int) -> Instant {
    zone.instant(of: WallTime(day: day, hour: hour))
  }

  @Test func birthdaysAreMentionedOnceOnTheirDay() throws {
    let (rules, today) = (rules(.birthday), try day("2026-03-14"))
    var facts = NudgeFacts()
    facts.birthdays = [UUID(), UUID()]
    var memory = NudgeMemory()
    #expect(rules.due(at: at(today, 7), facts, memory).isEmpty)
    let due = rules.due(at: at(today, 8), facts, memory)
    #expect(due.map(\.subject) == facts.birthdays && due.allSatisfy { $0.kind == .birthday })
    memory.note(due, at: at(today, 8))
    #expect(rules.due(at: at(today, 9), facts, memory).isEmpty)
    // Somebody who is found later that day.
    facts.birthdays.append(UUID())
    #expect(rules.due(at: at(today, 23), facts, memory).count == 1)
    #expect(rules.isStanding(try #require(memory.given.first), at: at(today, 20), facts))
    #expect(!rules.isStanding(memory.given[0], at: at(today, 20), NudgeFacts()))
    #expect(NudgeMemory(try JSON(parsing: memory.json.text())) == memory)
  }

  @Test func anAbsenceIsMentionedOnceAndOneAWeek() throws {
    let rules = rules(.notSeen)
    let (ann, ben) = (UUID(), UUID())
    var facts = NudgeFacts()
    facts.unseen = [
      .init(id: ann, lastSeen: try day("2026-01-01")),
      .init(id: ben, lastSeen: try day("2026-01-10")),
    ]
    var memory = NudgeMemory()
    var given: [String] = []
    let first = try day("2026-03-14")
    for number in 0..<200 {
      let today = first.advanced(by: number)
      // Ann is seen again in between, and then missed again.
      if number == 100 { facts.unseen[0].lastSeen = try day("2026-05-01") }
      let due = rules.due(at: at(today, 18), facts, memory)
      given += due.map { "\(number) \($0.subject == ann ? "Ann" : "Ben")" }
      memory.note(due, at: at(today, 18))
    }
    #expect(given == ["0 Ann", "7 Ben", "100 Ann"])
    let plain = Nudge(.notSeen, ann, day: first).plainWords(now: at(first, 18))
    #expect(!plain.isEmpty && !plain.contains("Ann"))
  }
}
