import ArkivedCore
import Testing

@testable import ArkivedAssistant

/// Moods, steps and sleep of a March, with few entries: most days tell a figure and nothing else.
///
/// Asked on Thursday, 10 April 2025 in London.
@Suite("Questions that the figures of days answer")
struct DayFigureTests {
  private let engine: TimelineEngine

  init() throws {
    let zone = try #require(Zone("Europe/London"))
    var lines: [JSON] = []
    // Moods of 1 to 6, 10 and 11 March; of three days no entry tells.
    for (day, mood) in [(1, 2), (2, 4), (3, 5), (4, 5), (5, 3), (6, 1), (10, 5), (11, 4)] {
      lines.append(["type": "day", "dayKey": .string(Self.day(day)), "mood": .integer(Int64(mood))])
    }
    for (day, steps) in [(1, 4000), (2, 12_000), (3, 9000), (4, 11_000), (10, 20_000), (11, 3000)] {
      lines.append(Self.metric("steps", "count", steps, on: Self.day(day)))
    }
    lines.append(Self.metric("weight", "kg", 80, on: "2025-02-01"))
    lines.append(Self.metric("weight", "kg", 82, on: "2025-02-02"))
    for (day, value) in [("2025-02-01", 4), ("2025-02-02", 6)] {
      lines.append(Self.metric("walkingSpeed", "km/h", value, on: day))
      lines.append(Self.metric("bodyMassIndex", "count", 20 + value, on: day))
      lines.append(Self.metric("waistCircumference", "cm", 90 + value, on: day))
      lines.append(Self.metric("environmentalNoise", "dB", 60 + value, on: day))
    }
    lines.append(Self.metric("steps", "count", 15_000, on: "2025-04-09"))
    lines.append(Self.metric("sleepMinutes", "min", 300, on: "2025-04-09"))
    lines.append(Self.metric("sleepMinutes", "min", 500, on: "2025-04-10"))
    for day in [2, 4, 10] {
      lines.append([
        "type": "activity", "dayKey": .string(Self.day(day)), "text": "ran by the river",
        "tags": ["run"],
      ])
    }
    lines.append([
      "type": "activity", "dayKey": .string(Self.day(1)), "text": "planted beans",
      "tags": ["garden"],
    ])
    engine = TimelineEngine(
      timeline: MemoryTimeline(
        jsonLines: lines.map { $0.text() }.joined(separator: "\n"), zone: zone), zone: zone)
  }

  private static func day(_ day: Int) -> String { "2025-03-\(day < 10 ? "0" : "")\(day)" }

  private static func metric(_ name: String, _ unit: String, _ value: Int, on day: String) -> JSON {
    [
      "type": "metric", "dayKey": .string(day), "metric": .string(name), "unit": .string(unit),
      "value": .integer(Int64(value)),
    ]
  }

  private func ask(_ question: String) throws -> TimelineAnswer {
    engine.answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }

  @Test("Levels, large numbers and lists are written as in a sentence")
  func sentences() throws {
    let mean = try ask("average mood in March 2025").sentence
    #expect(mean.hasPrefix("Mood 3.63 on average"), "\(mean)")
    let best = try ask("what was my highest mood in March 2025?").sentence
    #expect(
      best.hasPrefix("Mood 5 on 3 March 2025, 4 March 2025 and 10 March 2025"), "\(best)")
    let steps = try ask("how many steps did I walk in March 2025?").sentence
    #expect(steps.hasPrefix("59,000 steps"), "\(steps)")
    let rate = try ask("how often did I run per month in March 2025?").sentence
    #expect(!rate.contains(" 1 month"), "\(rate)")
    let joined = try ask("average mood on days with running").sentence
    #expect(!joined.contains("with “with"), "\(joined)")
  }

  @Test(
    "Days of which no entry tells count like others",
    arguments: [
      ("average mood on days without a run", 3.0), ("average steps on days I ran", 14_333.3333),
      ("average mood on the day after I ran", 4.0), ("average mood on days after a run", 4.0),
      ("average steps on days before a run", 6500.0),
    ])
  func silentDays(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test("What the figures of days answer can’t have been said in other words")
  func figuresAreNoWords() throws {
    let runs = try ask("how often did I run")
    #expect(OtherWords.mayLack(runs))
    for question in ["how many days was my mood 5", "average mood in March 2025"] {
      var figure = try ask(question)
      figure.citations = runs.citations
      #expect(figure.kind != "none" && !OtherWords.mayLack(figure), "\(figure.sentence)")
    }
  }

  @Test(
    "Days are chosen by their own figures",
    arguments: [
      ("how often did I run when my mood was 5", 2.0),
      ("average mood on days with more than 10000 steps", 4.6667),
      ("total steps on days with mood 5", 40_000.0),
    ])
  func chosenDays(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test(
    "Rows, gaps and the time since are those of the days that tell the figure",
    arguments: [
      ("longest streak of days with mood", 6.0), ("longest gap without a mood", 4.0),
      ("how long since my mood was 5", 31.0), ("how many days in a row was my mood 5", 2.0),
    ])
  func course(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(
      answer.values.first?.double == value && answer.unit == "days",
      "\(question): \(answer.sentence)")
  }

  @Test("Days without a figure are no streak of the days that have one")
  func streaksWithoutAFigure() throws {
    #expect(try ask("longest streak without a mood").kind == "none")
  }

  @Test(
    "Days with a mood are those that the rest of the question allows",
    arguments: [
      ("how often was my mood 5 on Mondays", 2.0),
      ("how often was my mood 5 on the day after I ran", 1.0),
      ("on how many days did I not have a mood of 5", 5.0),
      ("on how many days with mood 5 did I walk more than 9000 steps", 2.0),
    ])
  func ratedDays(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test("A limit of the mood doesn't take the place of another one")
  func oneLimit() throws {
    let answer = try ask("on how many days with a mood above 3 did I walk more than 9000 steps")
    #expect(answer.kind == "none" && answer.sentence.contains("one limit"), "\(answer.sentence)")
  }

  @Test("A yes or no is that of the figure")
  func yesOrNo() throws {
    let yes = try ask("did I walk more than 10000 steps yesterday")
    #expect(yes.sentence.hasPrefix("Yes") && yes.values.first?.double == 15_000)
    let no = try ask("did I walk more than 20000 steps yesterday")
    #expect(no.sentence.hasPrefix("No") && no.values.first?.double == 15_000)
    #expect(try ask("did I walk more than 15000 steps in March 2025").sentence.hasPrefix("Yes"))
  }

  @Test(
    "What a question says of amounts is not dropped",
    arguments: [
      ("how often was my mood 4 or 5", 5.0), ("second most steps in a day", 15_000.0),
      ("second most steps in a week", 20_000.0),
      ("which days did I sleep less than 5 hours and 30 minutes", 1.0),
      ("on how many days in March 2025 did I not walk more than 10000 steps", 3.0),
    ])
  func amounts(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test("The month with the second most is not the one with the most")
  func monthOfRank() throws {
    #expect(try ask("which month had the most steps").labels == ["2025-03"])
    let second = try ask("which month had the second most steps")
    #expect(second.labels == ["2025-04"], "\(second.sentence)")
    #expect(try ask("which month had the third most steps").kind == "none")
  }

  /// Asks about other figures than those of the suite.
  private func ask(_ question: String, of lines: [JSON]) throws -> TimelineAnswer {
    let zone = try #require(Zone("Europe/London"))
    let text = lines.map { $0.text() }.joined(separator: "\n")
    return TimelineEngine(timeline: MemoryTimeline(jsonLines: text, zone: zone), zone: zone)
      .answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }

  @Test("Of very many days with the highest level, the first ones are named")
  func manyDays() throws {
    let lines = (1...12).map { day -> JSON in
      ["type": "day", "dayKey": .string(Self.day(day)), "mood": 5]
    }
    let best = try ask("what was my highest mood in March 2025?", of: lines)
    #expect(
      best.sentence.contains("7 March 2025, 8 March 2025 and 4 more"), "\(best.sentence)")
  }

  @Test("The month that isn't over, and the one in which the figures begin, isn't the least")
  func leastMonth() throws {
    let steps = [("01-05", 1000), ("02-05", 7000), ("03-05", 8000), ("04-05", 2000)]
    let lines = steps.map { Self.metric("steps", "count", $1, on: "2025-\($0)") }
    let least = try ask("which month had the fewest steps", of: lines)
    #expect(least.labels == ["2025-02"], "\(least.sentence)")
    // The only whole month is not the least of anything.
    let few = try ask("which month had the fewest steps", of: Array(lines.suffix(2)))
    #expect(few.labels == ["2025-04"], "\(few.sentence)")
  }

  @Test(
    "Nor is it the month with the fewest entries",
    arguments: ["which month had the fewest runs", "in which month did I run the fewest km"])
  func leastMonthOfEntries(question: String) throws {
    let days = ["01-20", "02-05", "02-06", "02-07", "03-05", "03-06", "04-05"]
    let lines = days.map { day -> JSON in
      [
        "type": "activity", "dayKey": .string("2025-\(day)"), "text": "ran home", "tags": ["run"],
        "measurements": ["km": 5],
      ]
    }
    let least = try ask(question, of: lines)
    #expect(least.values == ["March 2025"], "\(least.sentence)")
  }

  @Test("Any sleep is compared by its nights, of which one month has more than the other")
  func comparedSleep() throws {
    let nights = [("02-05", 90), ("03-05", 60), ("03-06", 60)]
    let answer = try ask(
      "did I have more deep sleep in February 2025 or March 2025",
      of: nights.map { Self.metric("deepSleepMinutes", "min", $1, on: "2025-\($0)") })
    #expect(answer.values.compactMap(\.double) == [90, 60], "\(answer.sentence)")
  }

  @Test("Days are asked for, and no sum is told")
  func daysAndNoSum() throws {
    #expect(try ask("how many days did I not sleep 8 hours").kind == "none")
  }

  @Test("A night's sleep is that of the day of waking")
  func lastNight() throws {
    #expect(try ask("how much did I sleep last night").values.first?.double == 500)
    #expect(try ask("how much did I sleep yesterday").values.first?.double == 300)
    #expect(
      try ask("how much did I sleep per night in April 2025").values.first?.double == 400)
  }

  @Test("The most in a week is that of a whole week")
  func weeks() throws {
    // 3 to 9 March have 20,000 steps, 10 to 16 March 23,000.
    let most = try ask("most steps in a week")
    #expect(most.values.first?.double == 23_000 && most.sentence.contains("week"))
    let mean = try ask("average weekly steps in March 2025")
    #expect(mean.values.first?.double == 19_666.6667, "\(mean.sentence)")
  }

  @Test("Readings such as a weight have a mean, and no sum")
  func levels() throws {
    let answer = try ask("what was my weight in February 2025")
    #expect(
      answer.kind == "average" && answer.values.first?.double == 81, "\(answer.sentence)")
    #expect(try ask("how many steps in March 2025").kind == "sum")
    let others: [(String, Double)] = [
      ("walking speed", 5), ("body mass index", 25), ("waist circumference", 95),
      ("environmental noise", 65),
    ]
    for (name, value) in others {
      let answer = try ask("what was my \(name) in February 2025")
      #expect(
        answer.kind == "average" && answer.values.first?.double == value, "\(answer.sentence)")
    }
  }

  @Test("A month without a mood is not the worse one")
  func comparedWithNothing() throws {
    let answer = try ask("was my mood better in February 2025 or March 2025")
    #expect(answer.kind == "none" && answer.values.isEmpty, "\(answer.sentence)")
  }

  @Test("A day without a mood has no mean, which would be 0")
  func meansOfGroups() throws {
    let answer = try ask("average mood by day in March")
    #expect(answer.kind == "average")
    #expect(answer.values.compactMap(\.double) == [2, 4, 5, 5, 3, 1, 5, 4], "\(answer.sentence)")
    #expect(answer.labels.count == 8)
  }
}
