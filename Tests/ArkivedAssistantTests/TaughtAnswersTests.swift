import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

/// What stands behind the network: grounding, best entries, values and refusals, on a shepherd's life.
@Suite("Taught answers")
struct TaughtAnswersTests {
  let test: TestArchive

  init() throws {
    test = try TestArchive()
    try test.add("sheared eleven ewes", on: "2026-01-08", tags: ["sheep"], people: ["Odile"])
    try test.add("sheared nine ewes", on: "2026-01-15", tags: ["sheep"])
    try test.add("lambing course at the mart, with Odile", on: "2026-01-20", people: ["Odile"])
    try test.add("broke the gatepost with the tractor", on: "2026-01-28")
    try test.add("sold the old ram to Benno for 180 €", on: "2026-02-02", people: ["Benno"])
    try test.add("knitted a grey scarf", on: "2026-02-05")
    try test.add("knitted a grey scarf with Odile", on: "2026-02-09", people: ["Odile"])
    try test.add("knitted mittens", on: "2026-02-12")
    try test.add(
      "the vet weighed the pup: 4 kg", on: "2026-02-16", measurements: ["kg": 4])
    try test.add("walked 6 km to the mill", on: "2026-02-20", measurements: ["km": 6])
    try test.add("walked 12 km to the lighthouse", on: "2026-02-27", measurements: ["km": 12])
  }

  private func timeline() throws -> TableTimeline {
    try ArchiveTimelines(test.archive).timeline().table
  }

  private func maker(_ language: Language = .english) throws -> ConceptClauses {
    ConceptClauses(
      timeline: try timeline(), lexicon: .shared, wording: QuestionWording.of(language))
  }

  private func answer(_ question: String) throws -> TimelineAnswer {
    let answers = TaughtAnswers(
      archive: test.archive, zone: test.zone, timelines: ArchiveTimelines(test.archive),
      now: test.clock.now, typed: .english)
    return try #require(try answers.answer(question) { _, _ in }).computed
  }

  // MARK: Never wrong without a sign

  @Test(arguments: [
    "When did I break my arm?", "How often did I go skiing?", "How many zithers did I tune?",
    "When did I knit a jumper for Ferdinand?", "Wie oft war ich beim Yoga?",
  ])
  func whatNoEntryTellsIsNotAnswered(_ question: String) throws {
    let told = try answer(question)
    #expect(told.kind == "none" && told.values.isEmpty, "\(told.sentence)")
  }

  @Test func aRefusalSaysWhatWasLookedForAndWhatIsNearest() throws {
    let told = try answer("When did I break my arm?")
    #expect(told.sentence.contains("arm"))
    #expect(told.sentence.contains("gatepost"), "\(told.sentence)")
  }

  @Test func ratesAndUsualTimesAreThoseOfAllItemsThoughFewAreCited() throws {
    for (day, time) in [("2026-03-01", "06:00"), ("2026-03-08", "07:00"), ("2026-03-10", "11:00")] {
      try test.add("fed the lambs", on: day, from: time, tags: ["lambs"])
    }
    let answers = TaughtAnswers(
      archive: test.archive, zone: test.zone, timelines: ArchiveTimelines(test.archive),
      now: test.clock.now, typed: .english)
    let selector = QuerySelector(
      try timeline(), today: test.zone.dayKey(at: test.clock.now),
      records: ArchiveRecords(archive: test.archive, zone: test.zone), grounder: WordGrounder(),
      check: {})
    let executor = QueryExecutor(selector: selector, check: {})
    let reading = TaughtReading(candidates: [], people: [], words: [])
    func told(_ query: Query, _ telling: ReadQuery.Telling) throws -> JSON? {
      try answers.told(
        ReadQuery(query: query, telling: telling), executor.outcome(of: query), reading, selector)?
        .computed.values.first
    }
    var count = Query(.entries(.tag("lambs")), .count)
    count.citations = 1
    let perWeek = try #require(try told(count, .rate(.week))?.double)
    #expect(abs(perWeek - 2.1) < 0.01, "\(perWeek)")
    var list = Query(.entries(.tag("lambs")), .list)
    list.limit = 1
    #expect(try told(list, .usualClock)?.string?.hasPrefix("08:00") == true)
    #expect(try told(list, .earliestClock)?.string?.hasPrefix("06:00") == true)
    #expect(try told(list, .latestClock)?.string?.hasPrefix("11:00") == true)
  }

  @Test("The hours of whole days don’t decide what most time was spent on")
  func whatTookMostTime() throws {
    var fair = try test.activity("fair", on: "2026-03-08", from: "00:00", tags: ["out"])
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    _ = try test.archive.add(fair)
    let answers = TaughtAnswers(
      archive: test.archive, zone: test.zone, timelines: ArchiveTimelines(test.archive),
      now: test.clock.now, typed: .english)
    var query = Query(.entries(.tag("out")), .sum)
    (query.unit, query.group, query.order) = ("min", .thing, .most)
    func amounts() throws -> [Double?] {
      let selector = QuerySelector(
        try timeline(), today: test.zone.dayKey(at: test.clock.now),
        records: ArchiveRecords(archive: test.archive, zone: test.zone), grounder: WordGrounder(),
        check: {})
      let reading = TaughtReading(candidates: [], people: [], words: [])
      return try answers.things(query, QueryExecutor(selector: selector, check: {}), reading)
        .rows.map(\.value.number)
    }
    #expect(try amounts() == [1_440])
    try test.add("dinner", on: "2026-03-09", from: "19:00", to: "20:30", tags: ["out"])
    #expect(try amounts() == [90])
  }

  @Test("What the sentence says already isn’t said again as unused")
  func caveatsAreToldOnce() throws {
    try test.add("fed the lambs", on: "2026-03-01", from: "06:00", tags: ["lambs"])
    let answers = TaughtAnswers(
      archive: test.archive, zone: test.zone, timelines: ArchiveTimelines(test.archive),
      now: test.clock.now, typed: .english)
    let selector = QuerySelector(
      try timeline(), today: test.zone.dayKey(at: test.clock.now),
      records: ArchiveRecords(archive: test.archive, zone: test.zone), grounder: WordGrounder(),
      check: {})
    let query = Query(.entries(.tag("lambs")), .list)
    var outcome = try QueryExecutor(selector: selector, check: {}).outcome(of: query)
    let caveat = "The closest matches in meaning are used."
    outcome.groundings = [ConceptGrounding(phrase: "flock", manner: .meaning)]
    outcome.caveats = [caveat]
    let reading = TaughtReading(candidates: [], people: [], words: [])
    for telling in [ReadQuery.Telling.plain, .usualClock] {
      let read = ReadQuery(query: query, telling: telling)
      var told = try #require(try answers.told(read, outcome, reading, selector)?.computed)
      told.tellDoubts()
      #expect(told.ignored.contains(caveat))
      #expect(told.sentence.components(separatedBy: caveat).count == 2, "\(told.sentence)")
      #expect(!told.sentence.contains("Not used"), "\(told.sentence)")
    }
  }

  @Test("A German question that finds nothing isn't refused word by word as an English one")
  func germanRefusal() throws {
    try test.add("fed the lambs", on: "2026-03-01", from: "06:00")
    let engine = AskEngine(archive: test.archive, zone: test.zone, typed: .german)
    for question in [
      "Wie viel hat mich das neue Nachtlager fürs Kreuz gekostet?",
      "Warum musste Knödel nochmal unters Messer?",
    ] {
      let answer = try engine.answer(question)
      #expect(answer.computed.kind == "none", "\(answer.computed.sentence)")
      for word in ["“Wie”", "“hat”", "“das”", "“Warum”", "“musste”"] {
        #expect(!answer.computed.sentence.contains(word), "\(answer.computed.sentence)")
      }
    }
  }

  @Test func aPlanIsNotTheEntryThatAnswers() throws {
    try test.add("climbed the crag", on: "2026-03-20")
    let today = test.zone.dayKey(at: test.clock.now)
    let singles = SingleEntryAnswers(timeline: try timeline(), today: today)
    func told(_ predicate: Query.Predicate) throws -> [JSON]? {
      let reading = TaughtReading(
        candidates: [ReadQuery(query: Query(.entries(predicate), .last))], people: [],
        words: ["climbed the crag"], target: .day)
      return try singles.covering(reading, maker())?.computed.values
    }
    #expect(try told(.all([])) == ["2026-03-20"])
    #expect(try told(.days(DayKey.earliest...today)) == nil)
  }

  // MARK: Grounding

  @Test(arguments: [("sheered", "shear"), ("mittns", "mitten"), ("tracter", "tractor")])
  func misspeltWordsAreThoseOfTheArchive(_ word: String, _ key: String) throws {
    let clause = try #require(try maker().clauses(of: word).first)
    #expect(clause.isKnown && clause.atoms.contains(.word(Lemma.key(key))), "\(clause.atoms)")
  }

  @Test func germanWordsMeanEnglishOnesOfTheArchive() throws {
    try test.add("therapy with Dr. Nolde", on: "2026-03-02")
    try test.add("climbed at the quarry", on: "2026-03-03")
    for word in ["Therapiestunde", "klettern"] {
      let clause = try #require(try maker(.german).clauses(of: word).first)
      #expect(clause.isKnown, "\(word): \(clause.atoms)")
    }
  }

  @Test func inOneLanguageWhatIsNearIsNotTheSame() throws {
    try test.add("heard a concert in the abbey", on: "2026-03-02")
    #expect(try maker().clauses(of: "opera").first?.isKnown == false)
  }

  @Test func aKindStandsForItsMembersAndAVerbInIngDoesNot() throws {
    try test.add("grilled trout", on: "2026-03-02")
    #expect(try maker().clauses(of: "fish").first?.isKnown == true)
    #expect(try maker().clauses(of: "fishing").first?.isKnown == false)
  }

  // MARK: Best entries

  @Test func theEntryThatTellsMostComesFirst() throws {
    let hits = BestEntry(maker: try maker()).find(["sold the ram"], people: [], days: nil)
    let best = try #require(hits.first)
    #expect(best.entry.text.contains("ram") && best.coverage > 0.99 && best.missing.isEmpty)
  }

  @Test func whatAnEntryDoesNotTellIsMissing() throws {
    let hits = BestEntry(maker: try maker()).find(["sold a violin"], people: [], days: nil)
    #expect(hits.first.map { $0.missing.contains("violin") && !$0.isDecisive } ?? true)
  }

  @Test func somebodyElsesEntryIsNotTheAnswer() throws {
    let hits = BestEntry(maker: try maker()).find(
      ["sold the old ram"], people: ["Odile"], days: nil)
    #expect(hits.first.map { !$0.isDecisive } ?? true)
  }

  @Test func daysBoundBestEntries() throws {
    let day = try #require(DayKey("2026-01-15"))
    let hits = BestEntry(maker: try maker()).find(["sheared ewes"], people: [], days: day...day)
    #expect(hits.map(\.entry.text) == ["sheared nine ewes"])
  }

  @Test func aLongTextIsQuotedByItsSentence() throws {
    let long =
      "Rain until noon, and the ewes stood under the hedge. Mended the lantern in the barn. "
      + "Soup in the evening, then early to bed."
    try test.add(long, on: "2026-03-04")
    let best = try #require(
      BestEntry(maker: try maker()).find(["mended lantern"], people: [], days: nil).first)
    #expect(best.text == "Mended the lantern in the barn.")
  }

  // MARK: Values in the entry's own words

  private func entry(_ text: String, people: [String] = []) throws -> TimelineEntry {
    try test.add(text, on: "2026-03-10", people: people)
    let condition = IndexCondition(days: try #require(DayKey("2026-03-10"))...DayKey.latest)
    return try #require(try timeline().entries(.activity, where: condition).last)
  }

  @Test func thingsAreWholeAndWithoutCompany() throws {
    var values = EntryValues(people: [], lexicon: .shared)
    #expect(
      values.things(try entry("cooked barley with mushrooms with Odile", people: ["Odile"]))
        == ["barley with mushrooms"])
    values.verbs = [Lemma.key("baked")]
    #expect(
      values.things(try entry("had Odile over and baked a rye loaf", people: ["Odile"]))
        == ["rye loaf"])
  }

  @Test func membersOfAKindAreNamedOneByOne() throws {
    var values = EntryValues(people: [], lexicon: .shared)
    values.members = ReaderLexicon.shared.members(Lemma.key("drink"))
    #expect(
      values.things(try entry("bought green tea, bread and oat milk")) == ["green tea", "oat milk"])
  }

  @Test func aPlaceEndsWhereAnotherClauseBegins() throws {
    let values = EntryValues(people: [], lexicon: .shared)
    #expect(
      values.place(try entry("bought boots in Harbour Lane and paid 60 euros")) == "Harbour Lane")
  }

  @Test func namesStandBehindCalled() throws {
    let values = EntryValues(people: [], lexicon: .shared)
    #expect(values.name(try entry("launched the boat, called Windhover, at last")) == "Windhover")
    #expect(values.name(try entry("launched the boat")) == nil)
  }

  // MARK: Spans

  private func tokens(_ text: String, _ language: Language = .english) throws -> [QuestionTokens
    .Token]
  {
    let times = TimeReader(now: test.clock.now, zone: test.zone, language: language)
    return QuestionTokens(text, timeline: try timeline(), times: times, lexicon: .shared).tokens
  }

  @Test(arguments: [
    ("rent 2024 total", Language.english), ("which sport did I do most last summer", .english),
    ("what did I get up to last weekend", .english), ("miete 2025 summe", .german),
    ("Was steht nächste Woche an?", .german),
  ])
  func timesBesideOtherWordsAreFound(_ question: String, _ language: Language) throws {
    let tokens = try tokens(question, language)
    let found = tokens.filter { if case .days = $0.content { true } else { false } }
    #expect(found.count == 1, "\(tokens.map(\.sign))")
  }

  @Test func boundsMayStandBehindTheirAmount() throws {
    for question in [
      "walks of 10 km or more", "walks of at least 10 km", "Wege von 10 km oder mehr",
    ] {
      let bounds = try tokens(question).compactMap { token -> Query.Bounds? in
        if case .amount("km", let bounds) = token.content { bounds } else { nil }
      }
      #expect(bounds == [Query.Bounds(least: 10, most: nil)], "\(question)")
    }
  }

  @Test func germanPointsSeparateThousands() throws {
    let plain = "mehr als 10000 Schritte am 10.03.2026"
    #expect(
      QuestionTokens.plain("mehr als 10.000 Schritte am 10.03.2026", in: .german) == plain)
    #expect(QuestionTokens.plain("over 1.234 km", in: .english) == "over 1.234 km")
  }

  // MARK: Whole answers

  @Test func whatWasDoneMostIsNamedByItsThing() throws {
    let told = try answer("What did I knit most often?")
    #expect(told.values == ["grey scarf"], "\(told.sentence)")
  }

  @Test func yesComesFirst() throws {
    #expect(try answer("Did I ever shear with Odile?").sentence.hasPrefix("Yes"))
  }

  @Test func aMeasureOfAnotherSortIsFound() throws {
    let told = try answer("what was my longest walk?")
    #expect(told.sentence.contains("12 km"), "\(told.sentence)")
  }

  // MARK: Events

  @Test(arguments: [
    ("What did I do the day after I sold the ram?", "dipped the flock"),
    ("What did I do two days before I sold the ram?", "cleaned the trough"),
    ("What did I do the day before I sold the ram?", "slept late"),
  ])
  func daysBesideAnEventAreCounted(_ question: String, _ expected: String) throws {
    for (day, text) in [
      ("2026-01-31", "cleaned the trough"), ("2026-02-01", "slept late"),
      ("2026-02-03", "dipped the flock"), ("2026-02-04", "rested"),
    ] { try test.add(text, on: day) }
    let told = try answer(question)
    #expect(told.values.compactMap(\.string).joined().contains(expected), "\(told.sentence)")
    #expect(told.values.count == 1, "\(told.sentence)")
  }
}
