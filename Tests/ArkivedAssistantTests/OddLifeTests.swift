import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Testing

/// Lives and questions that are not what one expects.
@Suite("Asking about odd lives")
struct OddLifeTests {
  private func ask(_ question: String, _ test: TestArchive) throws -> Answer {
    try AskEngine(archive: test.archive, zone: test.zone).answer(question)
  }

  @Test("A journey of more nights than there are is told of and computed with nowhere")
  func hugeNumbers() throws {
    let test = try TestArchive()
    try test.add("Flew to Lisbon for 9223372036854775807 nights", on: "2026-02-01", kind: .travel)
    try test.add("Drove to Porto for 9223372036854775807 weeks", on: "2026-02-02", kind: .travel)
    for question in ["longest trip", "where did I travel", "what did I do in Lisbon"] {
      #expect(try !ask(question, test).sentence.isEmpty)
    }
  }

  @Test(
    "What a text tells of amounts is read as it is meant",
    arguments: [
      ("ran 2,75 km", "how many km did I run?", 2.75),
      ("ran 1,200 m", "how many m did I run?", 1200),
      ("slept 7h 59m", "how many minutes did I sleep?", 479),
      ("slept 7 h 30 m", "how many minutes did I sleep?", 450),
      ("slept 1h30m", "how many minutes did I sleep?", 90),
      ("talked to nan for 20 minutes", "how many minutes did I talk?", 20),
    ])
  func amounts(text: String, question: String, value: Double) throws {
    let test = try TestArchive()
    try test.add(text, on: "2026-03-10")
    #expect(try ask(question, test).values.first?.double == value, "\(text)")
  }

  @Test("The hours of whole days aren’t added to the time that was spent")
  func wholeDays() throws {
    let test = try TestArchive()
    var congress = try test.activity("talked at the congress", on: "2026-03-11", from: "00:00")
    var fair = try test.activity("fair", on: "2026-03-08", from: "00:00", tags: ["fair"])
    congress.endAt = test.zone.start(of: congress.dayKey.advanced(by: 1))
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    for entry in [congress, fair] { _ = try test.archive.add(entry) }
    let question = "how many minutes did I talk?"
    #expect(try ask(question, test).values == [1440])
    try test.add("talked to nan", on: "2026-03-10", from: "10:00", to: "10:20")
    #expect(try ask(question, test).values == [20])
    #expect(try ask("hours of talking by month", test).values == [0.333])
    try test.add("dinner", on: "2026-03-09", from: "19:00", to: "20:30", tags: ["dinner"])
    let most = try ask("what did I spend the most time on in March 2026", test)
    #expect(most.values == ["dinner"], "\(most.sentence)")
  }

  @Test("A rank beyond what there is isn’t answered with something else")
  func ranksBeyond() throws {
    let test = try TestArchive()
    try test.add("ran 5 km", on: "2026-03-12", tags: ["run"], measurements: ["km": 5])
    try test.add("ran 7 km", on: "2026-03-13", tags: ["run"], measurements: ["km": 7])
    #expect(try ask("second longest run", test).values == [5])
    let third = try ask("third longest run", test)
    #expect(third.kind == "none", "\(third.sentence)")
    #expect(third.sentence.contains("only 2 different amounts"), "\(third.sentence)")
  }

  @Test("Readings of entries, such as a heart rate, have a mean and no sum")
  func readings() throws {
    let test = try TestArchive()
    for (day, rate) in [("2026-02-10", 150.0), ("2026-03-10", 130.0), ("2026-03-12", 140.0)] {
      try test.add("ran home", on: day, tags: ["run"], measurements: ["bpm": rate])
    }
    let march = try ask("what was my heart rate in March 2026?", test)
    #expect(march.values == [135] && march.kind == "average", "\(march.sentence)")
    #expect(try ask("heart rate by month", test).values == [150, 135])
    let most = try ask("which month had the highest heart rate?", test)
    #expect(most.values == ["February 2026"], "\(most.sentence)")
  }

  @Test("Where one was on a day is told by a stay that began before it")
  func longStays() throws {
    let test = try TestArchive()
    let start = try #require(Instant("2026-02-01T09:00:00Z"))
    _ = try test.archive.add(
      Activity(
        id: test.archive.identities.next(), dayKey: test.zone.dayKey(at: start), startAt: start,
        endAt: start.adding(seconds: 2 * 86_400), timeZone: test.zone.identifier, kind: .travel,
        text: "At the cabin", locationLabel: "Cabin", createdAt: test.clock.now,
        updatedAt: test.clock.now))
    try test.add("Booked two weeks in Crete", on: "2026-02-10", from: "10:00", kind: .travel)
    #expect(try ask("where was I on 2 February 2026?", test).values == ["Cabin"])
    #expect(try ask("where was I on 3 February 2026?", test).values == ["Cabin"])
    #expect(try ask("where was I on 4 February 2026?", test).citations.isEmpty)
    #expect(try ask("where was I on 12 February 2026?", test).citations.isEmpty)
  }

  @Test("Amounts beyond all measure make no sum")
  func endlessAmounts() throws {
    let test = try TestArchive()
    try test.add("lifted", on: "2026-03-10", measurements: ["kg": 1e308])
    try test.add("lifted", on: "2026-03-11", measurements: ["kg": 1e308])
    try test.add("lifted", on: "2026-03-12", measurements: ["kg": 50])
    #expect(try ask("how many kg did I lift?", test).values == [50])
  }

  @Test(
    "A time that is left out, or is none, is refused rather than turned into another question",
    arguments: [
      "how often did I run not in 2025", "runs except on mondays",
      "how often did I run not on weekends",
      "how often did I run excluding march", "did I run on 31/02/2025", "did I run on 2025-02-30",
      "how often did I run in week 99 of 2025", "how often did I run in 9999",
      "did I see May in May",
    ])
  func impossibleTimes(question: String) throws {
    let test = try TestArchive()
    try test.add("ran home", on: "2025-05-12")
    try test.add("ran home", on: "2026-03-02")
    let answer = try ask(question, test)
    #expect(answer.kind == "none" && answer.citationCount == 0, "\(question): \(answer.sentence)")
  }

  @Test("Initials and little words in names take no part of a question")
  func littleNames() throws {
    let test = try TestArchive()
    for name in ["I. Newton", "A. Kowalski", "The Millers", "An Tran", "My Nguyen"] {
      try test.add("tea", on: "2026-02-01", people: [name])
    }
    for _ in 0..<3 { try test.add("ran with the dog", on: "2026-03-02") }
    #expect(try ask("how often did I run?", test).values == [3])
    #expect(try ask("how often did I run with the dog?", test).values == [3])
    #expect(try ask("how often did I run with my dog?", test).values == [3])
  }

  @Test("An entry of another century does not cut off this one")
  func centuries() throws {
    let test = try TestArchive()
    try test.add("photo of the house", on: "1900-01-01")
    try test.add("photo of the garden", on: "2025-06-01")
    try test.add("photo of the cat", on: "2026-02-01")
    let answer = try ask("how many photos by year?", test)
    #expect(answer.values.count == 127 && answer.values.suffix(2) == [1, 1])
    let without = try ask("on how many days did I not take a photo?", test)
    #expect((without.values.first?.double ?? 0) > 46_000)
  }

  @Test("The last word of a long note is found")
  func longNotes() throws {
    let test = try TestArchive()
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-10"))) {
      $0.note = String(repeating: "It rained and rained. ", count: 2_000) + "I met a hedgehog."
    }
    #expect(try ask("when did I meet a hedgehog?", test).citationCount == 1)
  }
}
