import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Taught reader")
struct TaughtReaderTests {
  let test: TestArchive

  init() throws {
    test = try TestArchive()
    try test.add(
      "rowed on the canal", on: "2026-03-10", from: "09:00", tags: ["rowing"], people: ["Mira"],
      measurements: ["km": 6])
    try test.add(
      "rowed against the wind", on: "2026-03-12", from: "10:00", tags: ["rowing"],
      measurements: ["km": 4])
    try test.add("bought a lamp", on: "2026-02-02", from: "15:00", measurements: ["€": 40])
  }

  private func reading(_ question: String) throws -> TaughtReading {
    let timeline = try ArchiveTimelines(test.archive).timeline().table
    let lexicon = ReaderLexicon.shared
    let times = TimeReader(
      now: test.clock.now, zone: test.zone, language: lexicon.language(of: question) ?? .english)
    let tokens = QuestionTokens(question, timeline: timeline, times: times, lexicon: lexicon)
    let network = try #require(ReaderNetwork.shared)
    return try #require(
      QueryAssembler(
        network: network, lexicon: lexicon, timeline: timeline,
        today: test.zone.dayKey(at: test.clock.now)
      ).read(tokens))
  }

  private func answer(_ question: String) throws -> TimelineAnswer {
    let answers = TaughtAnswers(
      archive: test.archive, zone: test.zone, timelines: ArchiveTimelines(test.archive),
      now: test.clock.now, typed: .english)
    return try #require(try answers.answer(question) { _, _ in }).computed
  }

  @Test(arguments: [
    ("how often did I row this year?", Query.Fold.count),
    ("how many km did I row in March?", .sum),
    ("when did I last row with Mira?", .last),
    ("what was my longest rowing session?", .highest),
    ("Wie oft bin ich dieses Jahr gerudert?", .count),
    ("Wann bin ich zuletzt gerudert?", .last),
    ("Wie viel habe ich für Lampen ausgegeben?", .sum),
    ("did I row more in March or in February?", .compare),
    ("longest streak of rowing", .run),
  ])
  func aQuestionIsReadAsItsFold(_ question: String, _ fold: Query.Fold) throws {
    #expect(try reading(question).candidates.first?.query.fold == fold)
  }

  @Test func whatIsReadIsComputed() throws {
    let far = try answer("how many km did I row in March?")
    #expect(far.values == [10] && far.unit == "km")
    #expect(try answer("how often did I row with Mira?").values == [1])
    #expect(try answer("when did I last row?").values == ["2026-03-12"])
    #expect(try answer("how much did I spend on the lamp?").values == [40])
    #expect(try answer("how many zithers did I tune?").kind == "none")
  }

  @Test func whatIsPlannedHasNotHappened() throws {
    try test.add(
      "rowed to the island", on: "2026-03-20", from: "09:00", tags: ["rowing"], people: ["Mira"],
      measurements: ["km": 9])
    #expect(try answer("how many km did I row in March?").values == [10])
    #expect(try answer("how often did I row with Mira?").values == [1])
    #expect(try answer("when did I last row?").values == ["2026-03-12"])
  }

  @Test func aTimeToComeMayBeCompared() throws {
    let assembler = try assembler()
    func against(_ first: ClosedRange<DayKey>, _ second: ClosedRange<DayKey>) throws -> Query.Source
    {
      var parts = QueryAssembler.Parts()
      parts.sides = [[.days(first)], [.days(second)]]
      let made = assembler.queries(
        .compare, "entry", group: nil, order: nil, measure: "none", event: "none", isAlone: false,
        ofDays: false, parts)
      return try #require(made.first?.query.against)
    }
    let today = assembler.today
    let last = today.advanced(by: -9)...today.advanced(by: -3)
    let this = today.advanced(by: -2)...today.advanced(by: 4)
    let next = today.advanced(by: 5)...today.advanced(by: 11)
    #expect(try against(this, next) == .entries(.all([.days(next)])))
    // What is planned for this week hasn't happened.
    let lived = Query.Predicate.days(DayKey.earliest...today)
    #expect(try against(last, this) == .entries(.all([lived, .days(this)])))
  }

  private func assembler() throws -> QueryAssembler {
    QueryAssembler(
      network: try #require(ReaderNetwork.shared), lexicon: .shared,
      timeline: try ArchiveTimelines(test.archive).timeline().table,
      today: test.zone.dayKey(at: test.clock.now))
  }

  @Test func theLatestTimeIsOneTime() throws {
    let assembler = try assembler()
    let tellings: [(Query.Fold, ReadQuery.Telling)] = [
      (.highest, .latestClock), (.lowest, .earliestClock), (.mean, .usualClock), (.list, .clock),
    ]
    for (fold, telling) in tellings {
      let made = assembler.queries(
        fold, "clock", group: nil, order: nil, measure: "none", event: "none", isAlone: false,
        ofDays: false, QueryAssembler.Parts())
      #expect(made.first?.telling == telling, "\(fold)")
    }
  }

  @Test func readingsHaveAMeanAndNoSum() throws {
    let assembler = try assembler()
    var parts = QueryAssembler.Parts()
    parts.measure = "mood"
    for fold in [Query.Fold.sum, .count, .mean] {
      let made = assembler.queries(
        fold, "amount", group: nil, order: nil, measure: "unit", event: "none", isAlone: false,
        ofDays: false, parts)
      #expect(made.first?.query.source.metric == "mood" && made.first?.query.fold == .mean)
    }
    parts.measure = "bpm"
    let rate = assembler.queries(
      .sum, "amount", group: nil, order: nil, measure: "unit", event: "none", isAlone: false,
      ofDays: false, parts
    ).first?.query
    #expect(rate?.unit == "bpm" && rate?.fold == .mean)
    #expect(AmountLevel.isLevel("restingHeartRate", unit: "bpm"))
    #expect(AmountLevel.isLevel("bodyMassIndex", unit: "count"))
    #expect(!AmountLevel.isLevel("steps", unit: "count"))
    #expect(!AmountLevel.isLevel("activeEnergy", unit: "kcal"))
  }

  @Test func theSecondLongestIsNotTheLongest() throws {
    for question in ["what was my second longest rowing session?", "my second longest row in km"] {
      let told = try answer(question)
      #expect(told.values.first?.double != 6, "\(told.sentence)")
    }
  }

  // A reader whose work grows with the square of the question would take minutes.
  @Test(.timeLimit(.minutes(20))) func hostileQuestionsEndSoon() {
    let long = String(repeating: "how often did I row with Mira and then ", count: 200)
    for question in ["", " ", "???", "\u{0}", "🦄🦄", long, "#", "“", "über ", "more than 9 km over"]
    {
      _ = try? answer(question)
    }
  }

  /// What was taught names nobody and nothing of the lives that measure it.
  @Test func teachingDataNamesNothingOfTheSets() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var (capital, small): (Set<String>, Set<String>) = ([], [])
    let sets = root.appending(path: "Benchmarks/Ask")
    for name in try FileManager.default.contentsOfDirectory(atPath: sets.path)
    where name.hasSuffix(".jsonl") && !name.contains("german") {
      let text = try String(contentsOf: sets.appending(path: name), encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let question = try? JSON(parsing: String(line))["question"]?.string else { continue }
        for (index, word) in question.split(whereSeparator: { !$0.isLetter }).enumerated() {
          if word.first?.isLowercase == true {
            small.insert(String(word))
          } else if index > 0 {
            capital.insert(String(word))
          }
        }
      }
    }
    // "Max" is the maximum, to split up is no town, some words of names are common ones of either
    // language, and questions about the world name what everybody knows.
    let common: Set = [
      "Aunt", "Bach", "Chor", "Crooked", "Cup", "Easter", "English", "Frau", "Golden", "Grandpa",
      "Haus", "Heron", "Inheritance", "Italian", "Little", "Lives", "Mast", "Max", "Midwife", "Mom",
      "Monat", "Mount", "Patient", "Silence", "Split", "Uncle", "University", "World", "Zur",
      "Aldi", "Berlin", "Bob", "Denmark", "Everest", "Hamburg", "Hamlet", "Mongolia", "Paris",
      "Tokyo", "Vienna",
    ]
    let days = Set(Weekday.allCases.flatMap { [$0.name, $0.name + "s"] })
    let names = capital.filter { $0.count > 2 && !small.contains($0.lowercased()) }
      .subtracting(common).subtracting(days)
    #expect(names.count > 100)
    let folder = root.appending(path: "Training/data")
    let files =
      try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
        folder.appending(path: $0)
      } + [root.appending(path: "Sources/ArkivedAssistant/Resources/reader.txt")]
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8).lowercased()
      let words = Set(text.split(whereSeparator: { !$0.isLetter }).map(String.init))
      let found = names.filter { words.contains($0.lowercased()) }
      #expect(found.isEmpty, "\(file.lastPathComponent): \(found.sorted())")
    }
  }
}
