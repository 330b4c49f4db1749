import ArkivedCore
import Testing

@testable import ArkivedAssistant

/// Questions that limit entries by the clock, an amount, money or who was there.
///
/// Asked on Thursday, 10 April 2025 in London.
@Suite("Questions with limits")
struct LimitedQuestionTests {
  private let engine: TimelineEngine

  init() throws {
    let zone = try #require(Zone("Europe/London"))
    let runs: [(start: String, km: Double)] = [
      ("2025-03-01T06:30:00Z", 5), ("2025-03-02T07:30:00Z", 8), ("2025-03-03T08:00:00Z", 10),
      ("2025-03-04T19:15:00Z", 12),
    ]
    var lines: [JSON] = runs.map { start, km in
      [
        "type": "activity", "startAt": .string(start), "timeZone": "Europe/London",
        "text": "run in the park", "tags": ["run"], "measurements": ["km": .number(km)],
        "durationMinutes": .number(km * 6),
      ]
    }
    let dinners: [(day: String, people: [String], euros: Double)] = [
      ("2025-03-01", ["Priya Nair"], 20), ("2025-03-05", ["Priya Nair", "Tom Hale"], 45.5),
      ("2025-04-09", ["Tom Hale"], 31),
    ]
    for name in ["Priya Nair", "Tom Hale"] {
      lines.append(["type": "person", "name": .string(name)])
    }
    for dinner in dinners {
      lines.append([
        "type": "activity", "startAt": .string(dinner.day + "T20:30:00Z"),
        "timeZone": "Europe/London", "text": "dinner", "tags": ["dinner"],
        "people": .array(dinner.people.map { .string($0) }),
        "measurements": ["EUR": .number(dinner.euros)], "durationMinutes": 120,
      ])
    }
    for day in ["2025-03-01", "2025-04-09"] {
      lines.append([
        "type": "activity", "startAt": .string(day + "T06:00:00Z"), "timeZone": "Europe/London",
        "text": "weighed in", "tags": ["weight"],
        "measurements": ["kg": .number(day == "2025-03-01" ? 80 : 78)],
      ])
    }
    engine = TimelineEngine(
      timeline: MemoryTimeline(
        jsonLines: lines.map { $0.text() }.joined(separator: "\n"), zone: zone), zone: zone)
  }

  private func ask(_ question: String) throws -> TimelineAnswer {
    engine.answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }

  @Test(
    "A time of the clock limits hours, not days",
    arguments: [
      ("how many runs before 7:30 am in 2025", 1.0), ("how often did I run after 7:30", 3.0),
      ("how often did I run between 7 and 9 am", 2.0), ("how many dinners after 6 pm", 3.0),
      ("how many runs before noon", 3.0),
    ])
  func clock(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test("An hour of a day leaves the day as it is")
  func clockOfDay() throws {
    let evening = try ask("what did I do after 7pm on 1 March 2025")
    #expect(evening.citations.map(\.text) == ["dinner"], "\(evening.sentence)")
    let morning = try ask("what did I do before 8 am yesterday")
    #expect(morning.citations.map(\.text) == ["weighed in"], "\(morning.sentence)")
    #expect(morning.sentence.contains("between 0:00 and 8:00"))
  }

  @Test("A part of a day is not all of it, and at a moment counts what goes on")
  func partsOfDays() throws {
    for question in ["what did I do yesterday evening", "what did I do last night"] {
      let answer = try ask(question)
      #expect(answer.citations.map(\.text) == ["dinner"], "\(question): \(answer.sentence)")
    }
    let morning = try ask("what did I do yesterday morning")
    #expect(morning.citations.map(\.text) == ["weighed in"], "\(morning.sentence)")
    #expect(try ask("did I weigh myself yesterday evening").kind == "none")
    let going = try ask("what was I doing at 10 pm on 1 March 2025")
    #expect(going.citations.map(\.text) == ["dinner"], "\(going.sentence)")
    #expect(try ask("how often did I run at 7:30").values.first?.double == 1)
  }

  @Test(
    "Amounts may lie between two or be exact",
    arguments: [
      ("how many runs between 5 and 10 km", 3.0), ("how many runs of 8 km", 1.0),
      ("how many runs of exactly 10 km", 1.0), ("how many runs of 10 km or more", 2.0),
      ("how many dinners cost more than 30 euros", 2.0),
    ])
  func amounts(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(
      answer.kind == "count" && answer.values.first?.double == value,
      "\(question): \(answer.sentence)")
  }

  @Test(
    "A limit on how often something happened is used or named as unused",
    arguments: [
      ("in which weeks of 2025 did I run at most twice", "at most twice"),
      ("in which weeks of 2025 did I run no more than twice", "no more than twice"),
      ("did I run more than three times in March 2025", "more than three times"),
      ("weeks with fewer than 3 dinners in 2025", "fewer than 3"),
      ("who did I have dinner with only once in 2025", "only once"),
      ("when did I hardly run in March 2025", "hardly"),
    ])
  func counts(question: String, words: String) throws {
    let answer = try ask(question)
    #expect(answer.ignored.contains("“\(words)”"), "\(question): \(answer.ignored)")
    #expect(answer.kind != "most", "\(question): \(answer.sentence)")
  }

  @Test(
    "The other reader’s answers name such limits too, in both languages",
    arguments: [
      ("In welchen Wochen bin ich höchstens zweimal gelaufen?", ["höchstens zweimal"]),
      ("Wo war ich 2024 nicht mehr als 3 mal?", ["nicht mehr als 3 mal"]),
      ("Wann habe ich kaum geschlafen?", ["kaum"]), ("Where was I only once?", ["only once"]),
      ("In welchen Wochen bin ich mindestens einmal gelaufen?", []),
      ("Wie oft bin ich mehr als 5 km gelaufen?", []),
    ] as [(String, [String])])
  func otherLimits(question: String, words: [String]) {
    #expect(CountLimits.unused(in: question) == words)
  }

  @Test("The sentence says what was not used and what is uncertain")
  func doubts() {
    var answer = TimelineAnswer(
      sentence: "2 entries.", kind: "count", question: AskQuestion(text: "q"),
      ignored: ["“at most twice”", "whether you meant something else"],
      uncertain: ["whether you meant something else"])
    answer.tellDoubts()
    #expect(
      answer.sentence
        == "2 entries. Not used: “at most twice”. Not certain: whether you meant something else.")
  }

  @Test("What a limit leaves as it is isn’t named, and an amount isn’t one")
  func plainLimits() throws {
    for question in [
      "in how many weeks of 2025 did I run at least once", "how many runs of at least 10 km",
      "how many runs of at most 8 km",
    ] {
      let ignored = try ask(question).ignored
      #expect(!ignored.contains { $0.contains("at least") || $0.contains("at most") }, "\(ignored)")
    }
  }

  @Test("Anything but a run leaves the runs out, and not a single one asks for any")
  func exceptions() throws {
    let other = try ask("what did I do on 1 March 2025, anything but run?")
    #expect(!other.citations.contains { $0.text.hasPrefix("run") }, "\(other.sentence)")
    #expect(!other.citations.isEmpty, "\(other.sentence)")
    let none = try ask("was there not a single run in March 2025?")
    #expect(none.citations.allSatisfy { $0.text.hasPrefix("run") } && !none.citations.isEmpty)
  }

  @Test("Money is told by whatever unit of it entries have, and by none of time")
  func money() throws {
    let sum = try ask("how much did I spend on dinner in 2025")
    #expect(sum.values.first?.double == 96.5 && sum.unit == "EUR", "\(sum.sentence)")
    #expect(try ask("most expensive dinner").values.first?.double == 45.5)
    let poor = try SmallLife([("2025-03-01", "Dinner for two hours", "dinner")])
    for question in ["how much did I spend on dinner", "most expensive dinner"] {
      #expect(try poor.ask(question).kind == "none", "\(question)")
    }
  }

  @Test("Sums of money have all currencies, unless the question names one")
  func currencies() throws {
    let spent: [(text: String, unit: String, amount: Double)] = [
      ("paid for a bagel", "$", 4), ("paid for the train", "$", 20), ("paid for a tram", "€", 3.5),
      ("paid for soup in the dollar café", "¥", 900),
    ]
    let lines = spent.map { text, unit, amount in
      let line: JSON = [
        "type": "activity", "startAt": "2025-03-01T12:00:00Z", "timeZone": "Europe/London",
        "text": .string(text), "measurements": .object([unit: .number(amount)]),
      ]
      return line.text()
    }.joined(separator: "\n")
    let zone = try #require(Zone("Europe/London"))
    let engine = TimelineEngine(
      timeline: MemoryTimeline(jsonLines: lines, zone: zone), zone: zone)
    let now = try #require(Instant("2025-04-10T09:00:00Z"))
    let all = engine.answer("how much money did I spend in March 2025?", now: now)
    #expect(all.values.first?.double == 24 && all.unit == "$", "\(all.sentence)")
    #expect(all.sentence.contains("3.5 €") && all.sentence.contains("900 ¥"), "\(all.sentence)")
    #expect(all.citations.count == 4)
    for (question, unit, amount) in [
      ("how many euros did I spend in March 2025?", "€", 3.5),
      ("how much did I spend on the tram?", "€", 3.5),
      ("how much did I spend on soup?", "¥", 900), ("how many yen did I spend?", "¥", 900),
      ("how much did I spend at the dollar café?", "¥", 900),
    ] {
      let answer = engine.answer(question, now: now)
      #expect(answer.values.first?.double == amount, "\(question): \(answer.sentence)")
      #expect(answer.unit == unit, "\(question): \(answer.sentence)")
    }
    let none = engine.answer("how many pounds did I spend in March 2025?", now: now)
    #expect(none.kind == "none", "\(none.sentence)")
  }

  @Test("Sums of money are compared in one currency, whatever its unit is called")
  func comparedCurrencies() throws {
    let spent: [(day: String, unit: String, amount: Double)] = [
      ("2025-02-03", "EUR", 20), ("2025-02-04", "EUR", 5), ("2025-02-05", "£", 1),
      ("2025-03-03", "€", 12), ("2025-03-04", "$", 4), ("2025-03-05", "$", 4),
    ]
    let lines = spent.map { day, unit, amount in
      let line: JSON = [
        "type": "activity", "startAt": .string("\(day)T12:00:00Z"), "timeZone": "Europe/London",
        "text": "paid for soup", "measurements": .object([unit: .number(amount)]),
      ]
      return line.text()
    }.joined(separator: "\n")
    let zone = try #require(Zone("Europe/London"))
    let engine = TimelineEngine(
      timeline: MemoryTimeline(jsonLines: lines, zone: zone), zone: zone)
    let now = try #require(Instant("2025-04-10T09:00:00Z"))
    let more = engine.answer("did I spend more money in February or in March?", now: now)
    #expect(more.kind == "compare", "\(more.sentence)")
    #expect(more.values.compactMap(\.double) == [25, 12], "\(more.sentence)")
    #expect(more.unit.flatMap { TextAmounts.currency(of: $0) } == "€", "\(more.sentence)")
    #expect(more.ignored.contains { $0.contains("in other currencies") }, "\(more.ignored)")
  }

  @Test("Standing on the scales is counted, and the least weight is an amount")
  func weighing() throws {
    let count = try ask("how many times did I weigh myself in 2025")
    #expect(count.kind == "count" && count.values.first?.double == 2, "\(count.sentence)")
    let least = try ask("when did I weigh the least")
    #expect(least.values.first?.double == 78 && least.unit == "kg", "\(least.sentence)")
    #expect(try ask("how much did I weigh last time").values.first?.double == 78)
  }

  @Test("One entry's length is not the sum of all")
  func oneOfMany() throws {
    #expect(try ask("how many minutes was my longest run").values.first?.double == 72)
    let month = try ask("most runs in a month")
    #expect(month.values.compactMap(\.string) == ["March 2025"], "\(month.sentence)")
  }

  @Test("Only those who are named may be there; how many were is refused")
  func company() throws {
    #expect(try ask("how many dinners with only Priya").values.first?.double == 1)
    #expect(try ask("how many dinners with Priya").values.first?.double == 2)
    for question in [
      "how often did I have dinner with exactly one person", "dinners with more than one person",
    ] {
      #expect(try ask(question).kind == "none", "\(question)")
    }
  }

  @Test(
    "Weeks without something are counted as weeks",
    arguments: ["in how many weeks did I not run in 2025", "weeks without a run in 2025"])
  func emptyWeeks(question: String) throws {
    // Of the 15 weeks up to 10 April.
    let answer = try ask(question)
    #expect(
      answer.values.first?.double == 13 && answer.unit == "weeks", "\(answer.sentence)")
  }

  @Test(
    "What no entry can tell is refused",
    arguments: [
      "did my weight go down in 2025", "has my weight improved since March",
      "how many entries without a tag", "how much is 5 miles in km",
      "how often did I have dinner on days I ran more than 5 km and less than 12 km",
      "how many runs were longer than 5 km and shorter than 12 km in 2025",
      "how many runs in week 53 of 2024", "runs on day 366 of 2025",
    ])
  func untold(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none" && answer.citations.isEmpty, "\(question): \(answer.sentence)")
  }

  @Test("When something ended is not when it began")
  func ends() throws {
    #expect(try ask("what time did the dinner on 1 March 2025 end").kind == "none")
    let start = try ask("what time did the dinner on 1 March 2025 start")
    #expect(start.values.compactMap(\.string) == ["20:30"], "\(start.sentence)")
  }
}
