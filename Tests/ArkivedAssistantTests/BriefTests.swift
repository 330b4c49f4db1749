import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Briefs and questions about meetings")
struct BriefTests {
  private let test: TestArchive
  private let me: UUID
  private let priya: UUID
  private let jonas: UUID

  init() throws {
    let test = try TestArchive()
    self.test = test
    func person(_ name: String, _ aliases: [String] = []) throws -> UUID {
      try test.archive.create(
        Person(
          id: test.archive.identities.next(), name: name, aliases: aliases,
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value.id
    }
    me = try person("Kim Owner", ["me"])
    priya = try person("Priya Nair")
    jonas = try person("Jonas Weber")
  }

  @discardableResult
  private func meeting(
    _ title: String, on day: String, from start: String? = "10:00", to end: String? = "11:00",
    with people: [UUID], outcomes: String? = nil, note: String? = nil
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: start, to: end)
    let id = test.archive.identities.next()
    let names = try test.archive.people(people)
    let entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString, outcomes: outcomes,
        attendances: names.map {
          Attendance(name: $0.displayName, personID: $0.id, reply: .accepted)
        }, createdAt: test.clock.now, updatedAt: test.clock.now), activity: activity)
    let saved = try test.archive.create(entry).value
    if let note {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), text: note, meetingID: saved.id,
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    return saved
  }

  private func brief(_ entry: MeetingEntry) throws -> Brief {
    try BriefEngine(
      archive: test.archive, zone: test.zone,
      retriever: SearchRetriever(HybridSearch(archive: test.archive, zone: test.zone))
    ).brief(of: entry)
  }

  private func anna(_ name: String, _ address: String) throws -> UUID {
    try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: name, email: address, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
  }

  @Test func aBriefIsAboutWhoComesAndNotAboutANamesake() throws {
    let krause = try anna("Anna Krause", "anna.krause@example.org")
    let berg = try anna("Anna Berg", "anna.berg@example.org")
    for day in 1...12 {
      try test.add(
        "coffee with Anna about the heating", on: "2026-02-\(day < 10 ? "0" : "")\(day)",
        people: ["Anna Krause"])
    }
    var linked = try test.activity("coffee with Anna Krause about chess", on: "2026-02-20")
    linked.people = [Mention(name: "Anna Krause", personID: krause)]
    try test.archive.add(linked)
    try meeting(
      "Coffee with Anna and Jonas", on: "2026-02-21", with: [krause],
      note: "Anna wants coffee at the Orion from now on.")
    var other = try test.activity("coffee with Anna about sailing", on: "2026-01-05")
    other.people = [Mention(name: "Anna Berg", personID: berg)]
    try test.archive.add(other)
    let entry = try meeting("Coffee with Anna", on: "2026-03-20", with: [berg])
    let brief = try brief(entry)
    #expect(brief.attendees.map(\.summary?.id) == [berg])
    let told = brief.notes.map(\.text)
    #expect(told.contains { $0.contains("sailing") }, "\(told)")
    #expect(
      !told.contains { text in
        ["chess", "Orion", "Krause"].contains(where: text.contains)
      }, "\(told)")
  }

  @Test(
    "The time since a meeting is told in whole months and years",
    arguments: [
      ("2026-01-15", "8 weeks ago"), ("2026-01-14", "2 months ago"),
      ("2024-03-20", "23 months ago"), ("2024-03-14", "2 years ago"),
      ("2016-03-16", "9 years ago"), ("2016-03-14", "10 years ago"),
    ])
  func timeSinceAMeeting(day: String, told: String) throws {
    try meeting("Old talk", on: day, with: [me, jonas])
    let brief = try brief(try meeting("Talk", on: "2026-03-20", with: [me, jonas]))
    let why = brief.past.map(\.why)
    #expect(why.count == 1 && why.allSatisfy { $0.contains(", \(told) (") }, "\(why)")
  }

  @Test func whoOfSeveralIsMetNextIsTheOneWhoComes() throws {
    _ = try anna("Anna Krause", "anna.krause@example.org")
    let berg = try anna("Anna Berg", "anna.berg@example.org")
    try meeting("Coffee", on: "2026-03-20", with: [berg])
    let answer = try AskEngine(archive: test.archive, zone: test.zone)
      .answer("When do I next meet Anna?")
    #expect(answer.sentence.contains("Anna Berg"), "\(answer.sentence)")
    #expect(answer.citations.map(\.dayKey.description) == ["2026-03-20"])
  }

  @Test func aBriefHoldsWhatIsOpenAndTheRightPastMeetings() throws {
    try meeting("Old talk", on: "2025-01-10", with: [me, jonas])
    let last = try meeting(
      "Pricing", on: "2026-03-09", with: [me, priya], outcomes: "Decided: three prices",
      note:
        "## Decisions\n- Ask the supplier\n\n- [ ] @Priya send the draft by Friday\n- [ ] @me book the room\n- [x] @Priya call Jonas"
    )
    try meeting("Elsewhere", on: "2026-03-10", with: [me, jonas], note: "- [ ] @Jonas paint it")
    try test.add("coffee with Priya Nair", on: "2026-03-12", people: ["Priya Nair"])
    let next = try meeting("Pricing II", on: "2026-03-16", with: [me, priya])
    let brief = try brief(next)
    #expect(brief.attendees.map(\.attendance.name) == ["Priya Nair"])
    #expect(brief.past.map(\.entry.id) == [last.id])
    #expect(brief.promises.map(\.promise.text) == ["send the draft by Friday", "book the room"])
    #expect(brief.promises.first?.promise.due == DayKey("2026-03-13"))
    #expect(brief.decisions.map(\.text) == ["three prices", "Ask the supplier"])
    #expect(brief.changes.contains { $0.text.contains("coffee with Priya") })
    #expect(brief.attendees.first?.lines.first?.text == "Met once, 5 days ago.")
    #expect(brief.questions.count == 4)
    // No line without a source that is there.
    let sources =
      (brief.attendees.flatMap(\.lines) + brief.past.flatMap(\.lines) + brief.decisions
      + brief.notes + brief.changes + brief.questions).map(\.source)
    for source in sources {
      switch source.kind {
      case .meeting: #expect(try test.archive.meeting(source.id) != nil)
      case .note: #expect(try test.archive.note(source.id) != nil)
      case .activity: #expect(try test.archive.activity(source.id) != nil)
      case .person: #expect(try !test.archive.people([source.id]).isEmpty)
      case .day: #expect(source.day != nil)
      }
    }
  }

  @Test func aBriefOfStrangersSaysSo() throws {
    let entry = try meeting("First talk", on: "2026-03-16", with: [me, jonas])
    let brief = try brief(entry)
    #expect(brief.past.isEmpty && brief.promises.isEmpty)
    #expect(
      brief.attendees.first?.lines.map(\.text) == ["You haven’t had a meeting together yet."])
  }

  @Test(arguments: [
    ("what do I owe to others?", "book the room"),
    ("what have I promised to Priya?", "book the room"),
    ("what does Priya owe me?", "send the draft by Friday"),
    ("what did Priya promise?", "send the draft by Friday"),
    ("what did we decide about suppliers with Priya?", "Ask the supplier"),
    ("what did we agree on?", "Ask the supplier"),
  ])
  func questionsAreAnsweredFromNotes(question: String, text: String) throws {
    try meeting(
      "Pricing", on: "2026-03-09", with: [me, priya],
      note:
        "## Decisions\n- Ask the supplier\n\n- [ ] @Priya send the draft by Friday\n- [ ] @me book the room"
    )
    let answer = try AskEngine(archive: test.archive, zone: test.zone).answer(question)
    #expect(answer.kind == "list" && answer.sentence.contains(text))
    #expect(answer.citations.map(\.type) == [.note] && answer.citationCount == 1)
  }

  @Test func aMeetingThatTellsOnlyItsDayCountsFromTheNextDayOn() throws {
    try meeting("Walk", on: "2026-03-10", from: nil, to: nil, with: [me, priya])
    let sameDay = try meeting("Talk", on: "2026-03-10", with: [me, priya])
    let later = try meeting("Pricing", on: "2026-03-12", with: [me, priya])
    #expect(try brief(sameDay).past.isEmpty)
    #expect(Set(try brief(later).past.map(\.entry.title)) == ["Walk", "Talk"])
    let lines = try brief(later).attendees.flatMap(\.lines).map(\.text)
    #expect(lines.contains { $0.hasPrefix("Met 2 times") }, "\(lines)")
  }

  @Test func theLastMeetingIsOneThatHasBegun() throws {
    try meeting("Pricing", on: "2026-03-09", with: [me, priya])
    try meeting("Later", on: "2026-03-20", with: [me, priya])
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    let answer = try engine.answer("when did I last meet Priya?")
    #expect(answer.values == [.string("2026-03-09")] && answer.kind == "last")
    // Who is in no meeting is looked for in the journal.
    try test.add("lunch with Jonas Weber", on: "2026-03-11", people: ["Jonas Weber"])
    #expect(try engine.answer("when did I last meet Jonas?").sentence.contains("11 March 2026"))
  }

  @Test(arguments: [
    ("which meetings do I have tomorrow?", "list", ["Later"]),
    ("how many meetings did I have with Priya in March?", "count", ["1"]),
    ("how many meetings do I have with Priya in March?", "count", ["2"]),
    ("how many meetings did I have in 2025?", "none", []),
    ("when do I next meet Priya?", "when", ["2026-03-15"]),
  ])
  func theAgendaIsTold(question: String, kind: String, values: [String]) throws {
    try meeting("Pricing", on: "2026-03-09", with: [me, priya])
    try meeting("Later", on: "2026-03-15", with: [me, priya])
    try meeting("Elsewhere", on: "2026-03-10", with: [me, jonas])
    let answer = try AskEngine(archive: test.archive, zone: test.zone).answer(question)
    #expect(answer.kind == kind)
    #expect(answer.values.map { $0.string ?? $0.text() } == values)
    #expect(answer.citations.count == answer.citationCount)
  }

  @Test func whoDeclinedIsInvitedAndTheOwnerIsNoNews() throws {
    try meeting("Review", on: "2026-03-02", with: [me, priya, jonas])
    let next = try meeting("Review", on: "2026-03-16", with: [priya, jonas])
    let saved = try test.archive.updateMeeting(next.id) { entry in
      for index in entry.meeting.attendances.indices
      where entry.meeting.attendances[index].personID == jonas {
        entry.meeting.attendances[index].reply = .declined
      }
    }.value
    #expect(
      try brief(saved).changes.map(\.text) == [
        "Jonas Weber was there last time but has declined."
      ])
  }

  @Test func nothingIsInvented() throws {
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    for question in ["what do I owe to others?", "what did we decide about pizza?"] {
      let answer = try engine.answer(question)
      #expect(answer.kind == "none" && answer.citations.isEmpty)
    }
  }
}
