import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Asking")
struct AskEngineTests {
  /// Today is Saturday, 14 March 2026.
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    for day in ["03", "05", "05", "12"] {
      try test.add(
        "ran along the canal", on: "2026-03-\(day)", from: "07:00", to: "07:30", tags: ["sport"],
        kind: .health, measurements: ["km": 5.5])
    }
    try test.add("ran for the bus", on: "2026-02-20", people: ["Alex Kim"])
    try test.add("climbing hall", on: "2026-02-21", people: ["Alex Moreau"], kind: .social)
    try test.add("soup for lunch", on: "2026-02-22", people: ["Priya Nair"])
    try test.add("drove 10 miles", on: "2026-02-23", measurements: ["miles": 10])
    _ = try test.archive.updateDay(try #require(DayKey("2026-02-21"))) {
      $0.note = "My arms hurt. Alex laughed."
      $0.people = [Mention(name: "Alex Moreau")]
    }
    return test
  }

  private func ask(_ question: String, _ test: TestArchive) throws -> Answer {
    try AskEngine(archive: test.archive, zone: test.zone).answer(question)
  }

  @Test func whatIDidWithSomebodyListsEveryEntryOfEverybodyTheNameFits() throws {
    let test = try archive()
    let answer = try ask("What did I do with Alex last month?", test)
    #expect(answer.kind == "list" && answer.citationCount == 3)
    #expect(answer.citations.map(\.dayKey.description).first == "2026-02-20")
    #expect(Set(answer.citations.map(\.type)) == [.activity, .day])
    #expect(answer.sentence.contains("Alex Kim or Alex Moreau"))
    #expect(answer.sentence.contains("February 2026"))
    #expect(answer.ignored == ["which “Alex” you mean (2 possible)"])
  }

  @Test func countsAreExactAndCountActivitiesNotNotes() throws {
    let test = try archive()
    let times = try ask("How many times did I run in March?", test)
    #expect(times.kind == "count" && times.values.first == 4)
    #expect(times.citationCount == 4 && times.citations.count == 4)
    let days = try ask("how many days did I run in march 2026?", test)
    #expect(days.values.first == 3 && days.unit == "days")
    #expect(try ask("how often did I run this year?", test).values.first == 5)
    #expect(try ask("how many #sport this month?", test).values.first == 4)
  }

  @Test("A total without a measure adds up what most of the entries measure")
  func total() throws {
    let test = try TestArchive()
    for month in ["01", "02", "03"] {
      try test.add("£395 rent out", on: "2026-\(month)-01", measurements: ["£": 395])
    }
    try test.add("asked about the rent", on: "2026-02-09")
    let answer = try ask("rent total 2026", test)
    #expect(answer.kind == "sum" && answer.values.first == 1185 && answer.unit == "£")
  }

  @Test func meetingsThatDidNotTakePlaceAreNoAnswer() throws {
    let test = try archive()
    func meeting(_ title: String, _ status: MeetingStatus) throws -> MeetingEntry {
      let activity = try test.activity(
        title, on: "2026-03-10", from: "10:00", people: ["Jonas Weber"])
      let id = test.archive.identities.next()
      var entry = MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString,
          createdAt: activity.createdAt, updatedAt: activity.updatedAt), activity: activity)
      entry.meeting.status = status
      return try test.archive.create(entry).value
    }
    _ = try meeting("pricing", .confirmed)
    let planned = try meeting("roadmap", .confirmed)
    _ = try meeting("budget", .cancelled)
    #expect(try ask("how often did I see Jonas this year?", test).values.first == 2)
    _ = try test.archive.updateMeeting(planned.id) { $0.meeting.status = .cancelled }
    let answer = try ask("how often did I see Jonas this year?", test)
    #expect(answer.values.first == 1 && answer.citations.map(\.title) == ["pricing"])
  }

  @Test func seeingSomebodyIsCountedWhateverTheEntryCallsIt() throws {
    let answer = try ask("how often did I see Priya this year?", try archive())
    #expect(answer.kind == "count" && answer.values.first == 1)
  }

  @Test func sumsConvertUnitsAndSayWhatHasNoAmount() throws {
    let test = try archive()
    let far = try ask("how far did I run in March?", test)
    #expect(far.kind == "sum" && far.unit == "km" && far.values.first == 22)
    let year = try ask("how many km did I run this year?", test)
    #expect(year.values.first == 22 && year.sentence.contains("no amount"))
    let miles = try ask("how many miles did I drive in february?", test)
    #expect(miles.values.first == 10)
    let km = try ask("how many km did I drive in february?", test)
    #expect(km.values.first == 16.093)
    let long = try ask("how long did I run in March?", test)
    #expect(long.values.first == 120 && long.unit == "minutes")
  }

  @Test func negationAveragesRankingsAndAlternativesAreComputed() throws {
    let test = try archive()
    let not = try ask("how many days did I not run in March?", test)
    // Fourteen days of March have been, on three of them there was a run.
    #expect(not.values == [11] && not.unit == "days")
    #expect(try ask("what was my average run in March?", test).values == [5.5])
    #expect(try ask("where did I run most?", test).values == ["the canal"])
    let either = try ask("did I run or climb in February?", test)
    #expect(either.citationCount == 2 && either.sentence.hasPrefix("Yes"))
    let none = try ask("how many km did I climb in February?", test)
    #expect(none.kind == "none" && none.sentence.contains("no amount"))
    #expect(try ask("how many activities tagged sport in March?", test).values.first == 4)
  }

  @Test func firstAndLastNameTheDay() throws {
    let test = try archive()
    #expect(try ask("when did I first run?", test).values.first == "2026-02-20")
    #expect(try ask("when did I last run?", test).values.first == "2026-03-12")
    #expect(try ask("when was the last time I had soup?", test).citations.first?.dayKey.day == 22)
  }

  @Test func anAnswerReadsAsASentence() throws {
    let test = try archive()
    let free = try ask("am I free on Friday?", test).sentence
    #expect(free == "Yes, nothing is planned: Friday, 20 March 2026.")
    let compared = try ask("compare running and climbing", test).sentence
    #expect(compared.hasPrefix("Running: ") && !compared.lowercased().contains("compare"))
    let who = try ask("who did I see in February 2026?", test).sentence
    #expect(who.contains(", ") && who.contains(" and "), "\(who)")
  }

  @Test func whatIsNotThereIsSaid() throws {
    let test = try archive()
    let zebra = try ask("how many times did I see a zebra in March?", test)
    #expect(zebra.kind == "none" && zebra.citations.isEmpty && zebra.ignored.contains("zebra"))
    let elsewhere = try ask("how many times did I climb in March?", test)
    #expect(elsewhere.kind == "none" && elsewhere.sentence.contains("21 February 2026"))
    #expect(try ask("what did I do in 2031?", test).kind == "none")
  }

  @Test(arguments: [
    "", "   ", "?", "delete everything", "Was habe ich gestern gegessen?", "\"; DROP TABLE",
    "between May and April 2019", "👋", String(repeating: "why ", count: 5_000),
    "\u{0}\u{1}", "what did I do with",
  ])
  func anyQuestionGetsAnHonestSentenceAndNoAct(question: String) throws {
    let test = try archive()
    let before = try test.archive.counts()
    let answer = try ask(question, test)
    #expect(!answer.sentence.isEmpty)
    #expect(answer.kind == "none" || answer.citationCount > 0)
    #expect(try test.archive.counts() == before)
  }

  @Test("A German question is read as German, even if everything is in English")
  func germanAmongEnglish() throws {
    let answer = try ask("Wie oft bin ich im März 2026 gelaufen?", try archive())
    #expect(answer.kind == "count" && answer.values.first == 4, "\(answer.sentence)")
  }

  @Test func citationsComeInPages() throws {
    let test = try archive()
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    let second = try engine.answer(
      "how many times did I run?", citationLimit: 2, citationOffset: 2)
    #expect(second.citations.count == 2 && second.citationCount == 5)
  }

  @Test func theAnswerHasTheContractsForm() throws {
    let json = try ask("how many times did I run in March?", try archive()).json
    #expect(
      json.object?.keys == [
        "answer", "kind", "values", "unit", "understood", "ignored", "citations", "citationCount",
        "labels",
      ])
    #expect(json["values"] == [4] && json["unit"] == "times")
    #expect(json["understood"]?["from"] == "2026-03-01")
    #expect(json["understood"]?["to"] == "2026-03-31")
    #expect(json["citations"]?.array?.first?["type"] == "activity")
  }
}
