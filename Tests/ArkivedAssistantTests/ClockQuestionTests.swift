import ArkivedCore
import Testing

@testable import ArkivedAssistant

/// Questions about times of the clock, of entries that have none and of nights.
///
/// Asked on Thursday, 10 April 2025 in London.
@Suite("Questions about the clock")
struct ClockQuestionTests {
  private let engine: TimelineEngine

  init() throws {
    let zone = try #require(Zone("Europe/London"))
    func entry(
      _ text: String, on day: String, _ times: JSONObject, tags: [String] = []
    ) -> String {
      var line: JSONObject = [
        "type": "activity", "dayKey": .string(day), "timeZone": "Europe/London",
        "text": .string(text), "tags": JSON(tags),
      ]
      for (name, value) in times.members { line[name] = value }
      return JSON.object(line).text()
    }
    let lines = [
      entry("dinner", on: "2025-03-01", ["startAt": "2025-03-01T20:30:00Z"], tags: ["dinner"]),
      entry(
        "dinner", on: "2025-03-02",
        ["startAt": "2025-03-02T00:00:00Z", "endAt": "2025-03-03T00:00:00Z"], tags: ["dinner"]),
      entry(
        "dinner", on: "2025-03-03",
        ["startAt": "2025-03-03T18:00:00Z", "dayPeriod": "evening"], tags: ["dinner"]),
      entry(
        "run in the park", on: "2025-03-01", ["startAt": "2025-03-01T06:30:00Z"], tags: ["run"]),
      entry(
        "run of the town", on: "2025-03-02",
        ["startAt": "2025-03-02T00:00:00Z", "endAt": "2025-03-03T00:00:00Z"], tags: ["run"]),
      entry(
        "run along the river", on: "2025-03-04", ["startAt": "2025-03-04T19:15:00Z"],
        tags: ["run"]),
      entry(
        "run to the night bus", on: "2025-03-04", ["startAt": "2025-03-05T00:30:00Z"],
        tags: ["run"]),
      entry(
        "slept there", on: "2025-03-14",
        [
          "startAt": "2025-03-13T22:00:00Z", "endAt": "2025-03-14T06:00:00Z",
          "locationLabel": "Cabin", "kind": "travel",
        ]),
    ]
    engine = TimelineEngine(
      timeline: MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: zone), zone: zone)
  }

  private func ask(_ question: String) throws -> TimelineAnswer {
    engine.answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }

  @Test(
    "No clock is told of entries of whole days and of a part of the day",
    arguments: [
      ("2 March 2025", [String]()), ("3 March 2025", []), ("1 March 2025", ["20:30"]),
    ])
  func unknownClocks(day: String, clocks: [String]) throws {
    let answer = try ask("what time did the dinner on \(day) start")
    #expect(answer.values.compactMap(\.string) == clocks, "\(answer.sentence)")
  }

  @Test("Sentences tell times in the clock format that the owner chose, and values don’t")
  func clockFormat() throws {
    var preferences = Preferences()
    preferences.clock = .hours12
    try ShownDates.$preferences.withValue(preferences) {
      let start = try ask("what time did the dinner on 1 March 2025 start")
      #expect(start.values == ["20:30"] && start.sentence.contains("8:30 pm"), "\(start.sentence)")
      let morning = try ask("how many runs before noon")
      #expect(morning.sentence.contains("and 12:00 pm"), "\(morning.sentence)")
    }
  }

  @Test("Whole days begin in no hour")
  func hours() throws {
    let morning = try ask("how many runs before noon")
    #expect(morning.citations.map(\.text).contains("run of the town") == false)
    #expect(morning.citations.map(\.text).contains("run in the park"), "\(morning.sentence)")
  }

  @Test("The last entry of a day may begin after midnight")
  func lastOfDay() throws {
    let last = try ask("when did I last run")
    #expect(last.citations.first?.text == "run to the night bus", "\(last.sentence)")
  }

  @Test("A clock of a day is also looked for in the nights before and after it")
  func nightsBeside() throws {
    let going = try ask("what was I doing at 11 pm on 13 March 2025")
    #expect(going.citations.map(\.text) == ["slept there"], "\(going.sentence)")
    let late = try ask("what did I do after 9:30 pm on 13 March 2025")
    #expect(late.citations.map(\.text) == ["slept there"], "\(late.sentence)")
    let bus = try ask("what did I do after 11 pm on 4 March 2025")
    #expect(bus.citations.map(\.text) == ["run to the night bus"], "\(bus.sentence)")
    #expect(try ask("what was I doing at 7 am on 13 March 2025").citations.isEmpty)
  }

  @Test("A night that began on the day before ends on its own day")
  func nights() throws {
    #expect(try ask("where was I on 14 March 2025").values == ["Cabin"])
    #expect(try ask("where was I on 15 March 2025").citations.isEmpty)
    let going = try ask("what was I doing at 3 am on 14 March 2025")
    #expect(going.citations.map(\.text) == ["slept there"], "\(going.sentence)")
  }
}
