import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// The archive's moment is Saturday, 14 March 2026, 21:00 in Berlin.
@Suite("When somebody was met")
struct MeetingQuestionTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func person(
    _ name: String, email: String? = nil, aliases: [String] = []
  ) throws -> Person {
    try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: name, email: email, aliases: aliases,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @discardableResult
  private func meeting(
    _ title: String, on day: String, from start: String? = "10:00", zone: String? = nil,
    isAllDay: Bool = false, with people: [Person], replies: [AttendanceReply] = []
  ) throws -> MeetingEntry {
    var activity = try test.activity(title, on: day, from: start)
    if let zone = zone.flatMap({ Zone($0) }) {
      activity.timeZone = zone.identifier
      activity.startAt = start.flatMap { ISODateTime("\(day)T\($0)") }
        .map { zone.instant(of: $0.wall) }
    }
    let id = test.archive.identities.next()
    return try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString, isAllDay: isAllDay,
          attendances: people.enumerated().map { index, one in
            Attendance(
              name: one.displayName, address: one.email, personID: one.id,
              reply: index < replies.count ? replies[index] : .accepted)
          }, createdAt: test.clock.now, updatedAt: test.clock.now), activity: activity)
    ).value
  }

  private func ask(_ question: String) throws -> Answer {
    try AskEngine(archive: test.archive, zone: test.zone).answer(question)
  }

  @Test(arguments: [
    "when did I last meet Mei?", "When have I last met Mei?", "when did Mei and I last meet?",
    "when was the last time I met Mei?", "when was my last meeting with Mei",
  ])
  func aMeetingProvesItHoweverItIsAsked(question: String) throws {
    let mei = try person("Mei Ito")
    let held = try meeting("Planning", on: "2026-03-10", with: [mei])
    try test.add("read a letter from Mei Ito", on: "2026-03-12", people: ["Mei Ito"])
    let answer = try ask(question)
    #expect(answer.kind == "last" && answer.values == ["2026-03-10"], "\(answer.sentence)")
    #expect(answer.citations.map(\.id) == [held.activity.id] && answer.citationCount == 1)
  }

  @Test func aMeetingOfAWholeDayProvesItToo() throws {
    let mei = try person("Mei Ito")
    try meeting("Offsite", on: "2026-03-10", from: "00:00", isAllDay: true, with: [mei])
    try test.add("read a letter from Mei Ito", on: "2026-03-12", people: ["Mei Ito"])
    let answer = try ask("when did I last meet Mei?")
    #expect(answer.values == ["2026-03-10"] && !answer.sentence.contains("00:00"))
  }

  @Test func ofTwoOnOneDayItIsTheLaterByTheClock() throws {
    let mei = try person("Mei Ito")
    try meeting("Morning", on: "2026-03-13", from: "09:00", with: [mei])
    try meeting("Evening", on: "2026-03-13", from: "18:00", with: [mei])
    try meeting("Tonight", on: "2026-03-14", from: "23:00", with: [mei])
    #expect(try ask("when did I last meet Mei?").sentence.contains("“Evening”"))
    #expect(try ask("when did I first meet Mei?").sentence.contains("“Morning”"))
    // In Tokyo it is the 15th already, and that one has begun.
    try meeting("Call", on: "2026-03-15", from: "04:30", zone: "Asia/Tokyo", with: [mei])
    #expect(try ask("when did I last meet Mei?").sentence.contains("“Call”"))
  }

  @Test func aLaterEntryOfTheJournalIsTold() throws {
    let mei = try person("Mei Ito")
    try meeting("Planning", on: "2026-03-10", with: [mei])
    #expect(try !ask("when did I last meet Mei?").sentence.contains("Your journal"))
    try test.add("soup at the harbour", on: "2026-03-12", people: ["Mei Ito"])
    let answer = try ask("when did I last meet Mei?")
    #expect(answer.values == ["2026-03-10"])
    #expect(answer.sentence.contains("Your journal mentions Mei Ito later"), "\(answer.sentence)")
    #expect(try !ask("when was my last meeting with Mei").sentence.contains("Your journal"))
  }

  @Test func whatTheOwnerDeclinedIsNoMeeting() throws {
    let me = try person("Kim Owner", aliases: ["me"])
    let mei = try person("Mei Ito")
    try meeting("Held", on: "2026-03-09", with: [me, mei])
    try meeting("Declined", on: "2026-03-12", with: [me, mei], replies: [.declined])
    #expect(try ask("when did I last meet Mei?").values == ["2026-03-09"])
    try meeting("Refused", on: "2026-03-18", with: [me, mei], replies: [.declined])
    try meeting("Coming", on: "2026-03-20", with: [me, mei])
    let count = try ask("how many meetings did I have this year")
    #expect(count.values == [1] && count.citationCount == 1, "\(count.sentence)")
    #expect(count.sentence.hasSuffix("1 more is planned."), "\(count.sentence)")
    #expect(try ask("how many meetings in March").values == [1])
    #expect(try ask("when was my last meeting?").values == ["2026-03-09"])
    #expect(try ask("when do I next meet Mei?").values == ["2026-03-20"])
  }

  @Test(arguments: [
    "what meetings do I have?", "which meetings did I have?", "how many meetings in March",
  ])
  func theSentenceNamesTheFirstMeetingsHoweverFewAreCited(question: String) throws {
    for day in ["2026-03-11", "2026-03-12", "2026-03-16", "2026-03-17"] {
      try meeting("On \(day)", on: day, with: [])
    }
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    let whole = try engine.answer(question)
    #expect(whole.citationCount == 2 && whole.sentence.contains("; "), "\(whole.sentence)")
    for (limit, offset) in [(0, 0), (1, 0), (1, 1)] {
      let part = try engine.answer(question, citationLimit: limit, citationOffset: offset)
      #expect(part.sentence == whole.sentence && part.citations.count == limit)
    }
  }

  @Test func theLastMeetingIsTheLatestByTime() throws {
    try meeting("Here", on: "2026-03-14", with: [])
    // In Berlin, at 20:00 on the 14th.
    try meeting("There", on: "2026-03-15", from: "08:00", zone: "Pacific/Auckland", with: [])
    try meeting("Tomorrow", on: "2026-03-15", with: [])
    #expect(try ask("when was my last meeting?").values == ["2026-03-15"])
    #expect(try ask("when was my first meeting?").values == ["2026-03-14"])
  }

  @Test func aMeetingElsewhereIsToldByTheClockThere() throws {
    let mei = try person("Mei Ito")
    try meeting("Call", on: "2026-03-20", from: "06:00", zone: "Asia/Tokyo", with: [mei])
    let next = try ask("when do I next meet Mei?")
    #expect(next.sentence.contains("Friday, 20 March 2026 at 06:00"), "\(next.sentence)")
  }

  @Test func twoOfOneNameAreToldApartAndAskedAbout() throws {
    let one = try person("Priya", email: "priya@example.org")
    let other = try person("Priya")
    try meeting("Pricing", on: "2026-03-09", with: [one])
    try meeting("Choir", on: "2026-03-11", with: [other])
    let both = try ask("when did I last meet Priya?")
    #expect(both.kind == "list" && Set(both.values) == ["2026-03-09", "2026-03-11"])
    #expect(both.sentence.contains("could be one of 2"))
    #expect(both.sentence.contains("Priya <priya@example.org> last on Monday, 9 March 2026"))
    #expect(both.sentence.contains("Priya (no address, "))
    #expect(try ask("when did I last meet priya@example.org?").values == ["2026-03-09"])
    let promised = try ask("what does Priya owe me?")
    #expect(promised.kind == "none" && promised.citations.isEmpty)
    #expect(promised.sentence.contains("could be any of these: Priya"))
    let ahead = try ask("when do I next meet Priya?")
    #expect(ahead.kind == "none" && ahead.sentence.contains("Ask again"))
  }

  @Test func daysInSentencesAreWrittenAsTheReaderWritesThem() throws {
    let mei = try person("Mei Ito")
    try meeting("Planning", on: "2026-03-10", with: [mei])
    try test.archive.create(
      Note(
        id: test.archive.identities.next(),
        text: "- [ ] send the draft by 2 March 2026\n\nDecided: grey slates",
        createdAt: test.clock.now, updatedAt: test.clock.now))
    let questions = [
      "when did I last meet Mei?", "what do I owe others?", "what did we decide about slates?",
    ]
    let english = try questions.map { try ask($0).sentence }
    #expect(english[0].hasPrefix("You last met Mei Ito on Tuesday, 10 March 2026 at 10:00"))
    #expect(english[1].contains(", overdue since 2 March 2026"), "\(english[1])")
    #expect(english[2].contains("14 March 2026: “grey slates”"), "\(english[2])")
    let german = try ShownDates.speaking(.german) { try questions.map { try ask($0).sentence } }
    #expect(german[0].contains("Dienstag, 10. März 2026"), "\(german[0])")
    #expect(german[1].contains("überfällig seit 2. März 2026"), "\(german[1])")
    for sentence in english + german {
      #expect(!sentence.contains(/\d{4}-\d\d-\d\d/), "\(sentence)")
    }
  }

  @Test func openPromisesAreCountedInWholeSentences() throws {
    #expect(
      try ask("what do I owe others?").sentence
        == "You have no open promises. Promises are the open checkboxes in your notes.")
    func note(_ text: String) throws {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), text: text, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    try note("- [ ] send the draft")
    let one = try ask("what do I owe others?").sentence
    #expect(one.hasPrefix("You have 1 open promise. ") && one.contains("send the draft"))
    try note("- [ ] call the bank")
    #expect(try ask("what do I owe others?").sentence.hasPrefix("You have 2 open promises. "))
  }

  @Test func whatWasIsOverByToday() throws {
    let mei = try person("Mei Ito")
    try meeting("Planning", on: "2026-03-10", with: [mei])
    try meeting("Review", on: "2026-03-20", with: [mei])
    for question in ["how many meetings did I have this year", "how many meetings in March"] {
      let answer = try ask(question)
      #expect(answer.values == [1] && answer.citationCount == 1, "\(answer.sentence)")
      #expect(answer.sentence.hasSuffix("1 more is planned."), "\(answer.sentence)")
    }
  }

  @Test func whatIsOnlyPlannedIsToldWhereNothingWas() throws {
    let mei = try person("Mei Ito")
    try meeting("Review", on: "2026-03-20", with: [mei])
    let answer = try ask("how many meetings did I have with Mei this year?")
    #expect(
      answer.kind == "none" && answer.sentence.hasSuffix(" 1 is planned."), "\(answer.sentence)")
  }

  @Test func aMeetingInAnotherZoneIsToldByTheClockThere() throws {
    let mei = try person("Mei Ito")
    try meeting("Review", on: "2026-03-15", from: "22:00", with: [mei])
    // In Berlin, at 21:30 on the 15th.
    let call = try meeting(
      "Call", on: "2026-03-16", from: "09:30", zone: "Pacific/Auckland", with: [mei])
    for question in ["when is my next meeting?", "when do I next meet Mei?"] {
      let sentence = try ask(question).sentence
      #expect(sentence.contains("16 March 2026 at 09:30 (Auckland)"), "\(sentence)")
    }
    #expect(try ask("when is my next meeting?").citations.map(\.id) == [call.activity.id])
    // At 1:00 on the 15th in Berlin, it is the 14th in Honolulu.
    test.clock.set(try #require(Instant("2026-03-15T00:00:00Z")))
    let swim = try meeting(
      "Swim", on: "2026-03-14", from: "20:00", zone: "Pacific/Honolulu", with: [mei])
    #expect(try ask("when is my next meeting?").citations.map(\.id) == [swim.activity.id])
  }

  @Test func meetingsNeedNotBeCalledSo() throws {
    let mei = try person("Mei Ito")
    let held = try meeting("Planning", on: "2026-03-10", with: [mei])
    let ahead = try meeting("Review", on: "2026-03-20", with: [mei])
    let on = try ask("did I have a meeting on 10 March 2026")
    #expect(on.citations.map(\.id) == [held.activity.id], "\(on.sentence)")
    #expect(try ask("did I have a meeting on 11 March 2026").kind == "none")
    let last = try ask("when was my last meeting?")
    #expect(last.kind == "last" && last.values == ["2026-03-10"])
    let next = try ask("when is my next meeting?")
    #expect(next.citations.map(\.id) == [ahead.activity.id], "\(next.sentence)")
  }
}
