import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Questions about goals, values, terms, notes, decisions, plans and recaps.
///
/// The archive's moment is Saturday, 14 March 2026, 21:00 in Berlin.
@Suite("Questions beside the entries")
struct LibraryQuestionTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func ask(_ question: String, _ language: Language = .english) throws -> Answer {
    try AskEngine(archive: test.archive, zone: test.zone, typed: language).answer(question)
  }

  private var id: UUID { test.archive.identities.next() }

  @discardableResult
  private func goal(
    _ title: String, _ unit: String, _ target: Double, from start: String = "2026-01-01",
    to end: String = "2026-12-31", done: [(String, Double)] = []
  ) throws -> Goal {
    let goal = try test.archive.create(
      Goal(
        id: id, title: title, logTime: test.clock.now, goalType: .goal,
        measurementUnit: unit, measurementTarget: target, startDate: DayKey(start),
        targetDate: DayKey(end), createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    for (day, amount) in done {
      let action = try test.add("counted", on: day, measurements: [unit: amount])
      try test.archive.link(action: action.id, goal: goal.id, amount: amount)
    }
    return goal
  }

  private func person(_ name: String) throws -> Person {
    try test.archive.create(
      Person(id: id, name: name, createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @discardableResult
  private func meeting(
    _ title: String, on day: String, with people: [Person] = [], purpose: String? = nil,
    outcomes: String? = nil, status: MeetingStatus = .confirmed
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: "10:00", to: "11:00")
    let meetingID = id
    return try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: meetingID, activityID: activity.id, eventIdentifier: meetingID.uuidString,
          purpose: purpose, outcomes: outcomes, status: status,
          attendances: people.map {
            Attendance(name: $0.displayName, personID: $0.id, reply: .accepted)
          }, createdAt: test.clock.now, updatedAt: test.clock.now), activity: activity)
    ).value
  }

  @discardableResult
  private func note(_ text: String, title: String? = nil) throws -> Note {
    try test.archive.create(
      Note(id: id, title: title, text: text, createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  // MARK: Goals

  @Test(arguments: [
    "did I reach my goal Paddle 9 km?", "Have I reached the goal “Paddle 9 km”",
    "did I hit my paddle target?", "Have I achieved my goal to paddle 9 km?",
  ])
  func aReachedGoalIsReached(question: String) throws {
    let goal = try goal("Paddle 9 km", "km", 9, done: [("2026-02-01", 4), ("2026-02-03", 5)])
    let answer = try ask(question)
    #expect(answer.sentence.hasPrefix("Yes:"), "\(answer.sentence)")
    #expect(answer.values == ["2026-02-03"] && answer.citationCount == 3)
    #expect(answer.citations.first?.id == goal.id && answer.citations.first?.type == .goal)
  }

  @Test func whatIsPlannedForAGoalProvesNothing() throws {
    let goal = try goal(
      "Paddle 9 km", "km", 9, done: [("2026-02-01", 4), ("2026-03-15", 1), ("2026-06-01", 8)])
    let answer = try ask("how am I doing with my goal Paddle 9 km?")
    #expect(answer.values == [5] && answer.citationCount == 3, "\(answer.sentence)")
    #expect(answer.citations.first?.id == goal.id)
    #expect(
      answer.citations.dropFirst().map(\.dayKey.description) == ["2026-03-15", "2026-02-01"])
  }

  @Test(arguments: [
    "am I near my 4,000 stitches?", "how am I doing with the stitches",
    "how far am I with my goal Knit 4000 stitches", "Am I on track with stitches?",
  ])
  func progressIsTold(question: String) throws {
    let goal = try goal("Knit 4000 stitches", "stitches", 4_000, done: [("2026-02-01", 1_000)])
    let answer = try ask(question)
    #expect(answer.kind == "list" && answer.values == [1_000], "\(answer.sentence)")
    #expect(answer.citations.first?.id == goal.id)
  }

  @Test func whatIsNoGoalIsRefusedByName() throws {
    try goal("Paddle 9 km", "km", 9)
    for question in [
      "did I reach my goal Climb Everest?", "how am I doing with my goal Climb Everest",
    ] {
      let answer = try ask(question)
      #expect(answer.kind == "none" && answer.citations.isEmpty)
      #expect(answer.sentence.contains("Climb Everest"), "\(answer.sentence)")
    }
    #expect(try ask("how many goals did I score in 2024?").citations.isEmpty)
    #expect(try ask("did I reach my goal Paddle 9 km?").sentence.hasPrefix("No:"))
  }

  @Test(arguments: ["what are my goals", "Which goals do I have?", "show me my goals"])
  func goalsAreListed(question: String) throws {
    try goal("Paddle 9 km", "km", 9)
    try goal("Old one", "km", 9, from: "2025-01-01", to: "2025-02-01")
    let answer = try ask(question)
    #expect(answer.values == ["Paddle 9 km"], "\(answer.sentence)")
    #expect(answer.citations.map(\.type) == [.goal])
  }

  // MARK: Notes and decisions

  @Test(arguments: [
    "what do my notes say about shutters?", "Do I have notes on shutters?",
    "which notes mention the shutters", "anything in my notes about shutters?",
  ])
  func notesAnswer(question: String) throws {
    let note = try note("The shutters want two coats of oil.", title: "House")
    try self.note("Nothing of the kind.", title: "Other")
    let answer = try ask(question)
    #expect(answer.citations.map(\.id) == [note.id], "\(answer.sentence)")
  }

  @Test func purposesAndOutcomesAreNotes() throws {
    let ida = try person("Ida Holm")
    let held = try meeting(
      "Roof", on: "2026-03-02", with: [ida], purpose: "Choose the slates",
      outcomes: "Decided: grey slates")
    #expect(
      try ask("what do my notes say about slates?").citations.map(\.id) == [held.activity.id])
    for question in [
      "what did we decide about slates with Ida?", "what was decided on the slates",
      "What did we agree on with Ida Holm?",
    ] {
      let answer = try ask(question)
      #expect(answer.sentence.contains("grey slates"), "\(answer.sentence)")
      #expect(answer.citations.map(\.id) == [held.activity.id])
    }
    #expect(
      try ask("what was the purpose of my last meeting with Ida").sentence
        .contains("Choose the slates"))
  }

  @Test func whatNoNoteSaysIsRefusedByName() throws {
    try note("The shutters want two coats of oil.")
    let answer = try ask("what do my notes say about volcanoes?")
    #expect(answer.kind == "none" && answer.sentence.contains("volcanoes"), "\(answer.sentence)")
    let stranger = try ask("what did we decide about oil with Quentin?")
    #expect(stranger.kind == "none" && stranger.sentence.contains("Quentin"))
  }

  // MARK: What lies ahead

  @Test(arguments: [
    "when is my next meeting", "What is my next appointment?", "what's next on my calendar",
  ])
  func theNextMeetingIsNoCancelledOne(question: String) throws {
    try meeting("Called off", on: "2026-03-15", status: .cancelled)
    try meeting("Held already", on: "2026-03-14")
    let next = try meeting("Tasting", on: "2026-03-17")
    let answer = try ask(question)
    #expect(answer.citations.map(\.id) == [next.activity.id], "\(answer.sentence)")
    #expect(answer.values == ["2026-03-17"])
  }

  @Test(arguments: [
    "what have I got on next week", "what am I doing next week?", "what's planned next week",
    "Do I have anything next week?",
  ])
  func plansAreTold(question: String) throws {
    try meeting("Called off", on: "2026-03-17", status: .cancelled)
    let tasting = try meeting("Tasting", on: "2026-03-17")
    let dentist = try test.add("dentist", on: "2026-03-18", from: "09:00")
    let answer = try ask(question)
    #expect(answer.citations.map(\.id) == [tasting.activity.id, dentist.id], "\(answer.sentence)")
  }

  @Test func plansAreThoseOfTheDaysToCome() throws {
    try meeting("Over", on: "2026-03-11")
    let coming = try meeting("Coming", on: "2026-03-17")
    let answer = try ask("which meetings in March?")
    #expect(answer.citations.map(\.id) == [coming.activity.id])
    #expect(answer.sentence.hasPrefix("14–31 March 2026: "), "\(answer.sentence)")
  }

  @Test func whatBeganEarlierHasNoTimeOfALaterDay() throws {
    let offsite = try meeting("Offsite", on: "2026-03-13")
    _ = try test.archive.updateMeeting(offsite.id) { entry in
      entry.activity.endAt = Instant("2026-03-15T17:00:00Z")
    }
    let answer = try ask("what is planned tomorrow?")
    #expect(answer.sentence.contains("Offsite"), "\(answer.sentence)")
    #expect(!answer.sentence.contains("10:00"), "\(answer.sentence)")
  }

  @Test func nothingPlannedIsSaid() throws {
    try meeting("Called off", on: "2026-03-15", status: .cancelled)
    let answer = try ask("do I have anything tomorrow?")
    #expect(answer.kind == "none", "\(answer.sentence)")
    #expect(answer.sentence == "No, nothing is planned: Sunday, 15 March 2026.")
    #expect(try ask("What did I do tomorrow?").citations.isEmpty)
  }

  @Test func theLastDayOfAGoalKeepsNobodyBusy() throws {
    try goal("Read the atlas", "pages", 300, to: "2026-03-15")
    #expect(try ask("what is planned tomorrow?").sentence.contains("Read the atlas"))
    let free = try ask("am I free tomorrow?")
    #expect(
      free.kind == "none" && free.sentence.hasPrefix("Yes, nothing is planned"), "\(free.sentence)")
    let busy = try ask("am I busy tomorrow?")
    #expect(
      busy.kind == "none" && busy.sentence.hasPrefix("No, nothing is planned"), "\(busy.sentence)")
    let dentist = try test.add("dentist", on: "2026-03-15", from: "09:00")
    let answer = try ask("am I free tomorrow?")
    #expect(answer.sentence.hasPrefix("No:"), "\(answer.sentence)")
    #expect(answer.citations.map(\.id) == [dentist.id])
  }

  @Test func aPlannedMeetingWasNotHad() throws {
    let ida = try person("Ida Holm")
    try meeting("Tasting", on: "2026-03-17", with: [ida])
    let answer = try ask("how many meetings did I have with Ida this year?")
    #expect(answer.kind == "none" && answer.citations.isEmpty, "\(answer.sentence)")
  }

  @Test func plansAreWithThoseWhoCome() throws {
    let (ida, mei) = (try person("Ida Holm"), try person("Mei Ito"))
    let tasting = try meeting("Tasting", on: "2026-03-17", with: [ida, mei])
    _ = try test.archive.updateMeeting(tasting.id) { entry in
      entry.meeting.attendances[1].reply = .declined
    }
    let answer = try ask("what's planned next week with Ida?")
    #expect(answer.citations.map(\.id) == [tasting.activity.id], "\(answer.sentence)")
    let declined = try ask("what's planned next week with Mei?")
    #expect(declined.citations.isEmpty, "\(declined.sentence)")
  }

  // MARK: Terms, values, recaps, sums

  @Test func termsAndValues() throws {
    let term = try test.archive.create(
      Term(
        id: id, termNumber: 3, startDate: try #require(DayKey("2026-02-02")),
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    for question in ["when does my term end", "When is this term over?"] {
      let answer = try ask(question)
      #expect(answer.values == [JSON(term.targetDate)], "\(answer.sentence)")
      #expect(answer.citations.map(\.id) == [term.id])
    }
    let listed = try ShownDates.speaking(.german) { try ask("list the terms") }
    #expect(listed.sentence.contains("Abschnitt 3"), "\(listed.sentence)")
    #expect(listed.citations.map(\.title) == ["Abschnitt 3"])
    #expect(try ask("list the terms").sentence.contains("Term 3"))
    #expect(try ask("what are my values?").kind == "none")
    let value = try test.archive.create(
      PersonalValue(
        id: id, title: "Patience", logTime: test.clock.now, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    for question in ["what matters to me", "What are my values?", "what is important to me?"] {
      #expect(try ask(question).citations.map(\.id) == [value.id])
    }
  }

  @Test(arguments: [
    "summarize last week", "Give me a recap of last week", "what was last week like?",
    "Sum up last week in two sentences",
  ])
  func aWeekIsSummedUp(question: String) throws {
    let entry = try test.add("mended the gate", on: "2026-03-04")
    try test.add("much later", on: "2026-03-13")
    let answer = try ask(question)
    #expect(answer.citations.map(\.id) == [entry.id], "\(answer.sentence)")
  }

  @Test(arguments: [
    ("summarize last weekend", Language.english), ("give me a recap of last weekend", .english),
    ("what was last weekend like?", .english),
    ("Fasse das letzte Wochenende zusammen", .german),
  ])
  func aWeekendIsSummedUpDayByDay(question: String, language: Language) throws {
    let saturday = try test.add("mended the gate", on: "2026-03-07")
    let sunday = try test.add("baked bread", on: "2026-03-08")
    try test.add("wrote letters", on: "2026-03-06")
    try test.add("paid the rent", on: "2026-03-09")
    let answer = try ask(question, language)
    #expect(answer.citations.map(\.id) == [saturday.id, sunday.id], "\(answer.sentence)")
    #expect(answer.sentence.split(separator: "\n").count == 2)
  }

  @Test func unitsThatGoalsTaughtAreSummedByAnyOfTheirForms() throws {
    // Written before the goal that teaches the unit.
    try test.add("sold 20 jars", on: "2026-02-12")
    try test.add("sold 2 jars at the door", on: "2026-03-02")
    _ = try goal("Sell jars", "jars", 100)
    try test.add("sold 5 jars at the market", on: "2026-03-10", measurements: ["jars": 5])
    try test.add("sold one to Anna", on: "2026-03-11", measurements: ["jars": 1])
    try test.add("sold some", on: "2026-03-12", measurements: ["jars": 7])
    try test.add("washed 30 jars", on: "2026-03-13", measurements: ["jars": 30])
    let answer = try ask("how many jars did I sell this month?")
    #expect(answer.kind == "sum" && answer.unit == "jars", "\(answer.sentence)")
    #expect(answer.values == [15], "\(answer.sentence)")
    #expect(try ask("how many jars did I sell this year").values == [35])
    let most = try ask("on which day did I sell the most jars this month?")
    #expect(most.sentence.contains("12 March") && most.sentence.contains("7 jars"), "\(most)")
    // A question that asks for no amount is about the thing.
    try test.add("sold the car", on: "2026-03-13")
    let times = try ask("how many times did I sell jars this month?")
    #expect(times.values == [2], "\(times.sentence)")
  }

  @Test func germanUnitsAreSummedByAnyOfTheirForms() throws {
    _ = try goal("Krüge verkaufen", "Krüge", 100)
    try test.add("5 Krüge auf dem Markt verkauft", on: "2026-03-10", measurements: ["Krüge": 5])
    try test.add("1 Krug an Anna verkauft", on: "2026-03-11", measurements: ["Krüge": 1])
    try test.add("2 Krüge verkauft", on: "2026-02-11", measurements: ["Krüge": 2])
    let answer = try ask("Wie viele Krüge habe ich diesen Monat verkauft?", .german)
    #expect(answer.values == [6], "\(answer.sentence)")
    // A unit that the table has is asked for by its German name.
    try test.add("3 Gläser Honig verkauft", on: "2026-03-10", measurements: ["glasses": 3])
    try test.add("1 Glas Honig verkauft", on: "2026-03-12", measurements: ["glasses": 1])
    let glasses = try ask("Wie viele Gläser habe ich diesen Monat verkauft?", .german)
    #expect(glasses.values == [4], "\(glasses.sentence)")
  }

  @Test func amountsAreSummed() throws {
    for (day, kg) in [("2025-06-01", 3.0), ("2025-07-01", 4.5), ("2025-08-01", 2)] {
      try test.add("harvested honey", on: day, measurements: ["kg": kg])
    }
    for question in ["how much honey did I harvest in total", "how much honey have I harvested?"] {
      let answer = try ask(question)
      #expect(answer.kind == "sum" && answer.unit == "kg", "\(answer.sentence)")
      #expect(answer.values == [9.5] && answer.citationCount == 3)
    }
  }

  @Test func germanAsksTheSame() throws {
    let goal = try goal("9 km paddeln", "km", 9, done: [("2026-02-01", 9)])
    let next = try meeting("Verkostung", on: "2026-03-17")
    let note = try note("Die Fensterläden brauchen Öl.", title: "Haus")
    #expect(try ask("Was sind meine Ziele?", .german).citations.map(\.id) == [goal.id])
    #expect(
      try ask("Habe ich mein Ziel 9 km paddeln erreicht?", .german).values == ["2026-02-01"])
    for question in ["Wann ist mein nächstes Treffen?", "Was steht nächste Woche an?"] {
      #expect(try ask(question, .german).citations.map(\.id) == [next.activity.id])
    }
    #expect(
      try ask("Was sagen meine Notizen über Fensterläden?", .german).citations.map(\.id)
        == [note.id])
  }
}
