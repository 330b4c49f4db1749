import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Testing

@testable import ArkivedAssistant

/// Entries whose clock isn't one of their day: nights dated to the day of waking, whole days, and
/// parts of a day.
///
/// Asked on Thursday, 10 April 2025 in London.
@Suite("Questions about entries that begin on another day or at no hour")
struct UnusualHourTests {
  private let engine: TimelineEngine

  init() throws {
    let zone = try #require(Zone("Europe/London"))
    let entries: [(text: String, day: String, times: JSONObject)] = [
      ("ran through the night", "2025-04-09", ["startAt": "2025-04-08T22:30:00Z"]),
      ("ran at lunch", "2025-04-09", ["startAt": "2025-04-09T11:00:00Z"]),
      (
        "regatta", "2025-04-05",
        ["startAt": "2025-04-04T23:00:00Z", "endAt": "2025-04-05T23:00:00Z"]
      ),
      ("weighed in", "2025-04-05", ["startAt": "2025-04-05T05:30:00Z"]),
      (
        "slept in the bivouac", "2025-04-03",
        ["startAt": "2025-04-02T21:00:00Z", "endAt": "2025-04-03T05:00:00Z"]
      ),
      ("choir", "2025-04-06", ["startAt": "2025-04-06T17:00:00Z", "dayPeriod": "evening"]),
    ]
    let lines = entries.map { text, day, times -> String in
      var line: JSONObject = [
        "type": "activity", "dayKey": .string(day), "timeZone": "Europe/London",
        "text": .string(text),
      ]
      for (key, value) in times.members { line[key] = value }
      return JSON.object(line).text()
    }
    engine = TimelineEngine(
      timeline: MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: zone), zone: zone)
  }

  private func ask(_ question: String) throws -> TimelineAnswer {
    engine.answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }

  @Test("A night that began the evening before isn't the last entry of its day")
  func lastOfDay() throws {
    let answer = try ask("when did I last run?")
    #expect(answer.sentence.contains("“ran at lunch”"), "\(answer.sentence)")
  }

  @Test(
    "Whole days and parts of a day have no clock time",
    arguments: [
      "what time did the regatta on 5 April 2025 start",
      "what time did the choir on 6 April 2025 start",
    ])
  func noClock(question: String) throws {
    let answer = try ask(question)
    #expect(
      answer.kind == "none" && answer.sentence.contains("no time given"), "\(answer.sentence)")
  }

  @Test("A whole day begins at no hour, and is in progress at each")
  func wholeDay() throws {
    let early = try ask("what did I do before 8 am on 5 April 2025")
    #expect(early.citations.map(\.text) == ["weighed in"], "\(early.sentence)")
    let going = try ask("what was I doing at 10 am on 5 April 2025")
    #expect(going.citations.map(\.text) == ["regatta"], "\(going.sentence)")
  }

  @Test("A moment next to midnight is that moment", arguments: ["23:55", "0:05"])
  func nextToMidnight(moment: String) throws {
    let answer = try ask("what was I doing at \(moment) on 5 April 2025")
    #expect(answer.sentence.contains("around \(moment) "), "\(answer.sentence)")
  }

  @Test("A night is in progress after midnight, and isn't one of the evening after it")
  func nights() throws {
    let night = "slept in the bivouac"
    let going = try ask("what was I doing at 2 am on 3 April 2025")
    #expect(going.citations.map(\.text) == [night], "\(going.sentence)")
    #expect(try ask("what was I doing at 2 am in April 2025").citations.map(\.text).contains(night))
    for question in [
      "what was I doing at 10 pm on 3 April 2025", "what did I do after 9 pm on 3 April 2025",
    ] {
      let answer = try ask(question)
      #expect(answer.citations.isEmpty, "\(question): \(answer.sentence)")
    }
  }

  @Test("Whole days are no hours beside entries that have a length")
  func wholeDaysAreNoHours() throws {
    let zone = try #require(Zone("Europe/London"))
    let entries = [
      ("yoga", "2025-04-01", "2025-04-01T17:00:00Z", "2025-04-01T18:30:00Z"),
      ("yoga retreat", "2025-04-02", "2025-04-01T23:00:00Z", "2025-04-03T23:00:00Z"),
    ]
    let lines = entries.map { text, day, start, end -> String in
      let line: JSON = [
        "type": "activity", "dayKey": .string(day), "timeZone": "Europe/London",
        "text": .string(text), "startAt": .string(start), "endAt": .string(end),
      ]
      return line.text()
    }
    let engine = TimelineEngine(
      timeline: MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: zone), zone: zone)
    let now = try #require(Instant("2025-04-10T09:00:00Z"))
    for (question, minutes) in [
      ("how long did I do yoga in April 2025", 90.0), ("how long was the retreat", 2_880.0),
    ] {
      let answer = engine.answer(question, now: now)
      #expect(answer.values.first?.double == minutes, "\(question): \(answer.sentence)")
    }
  }

  @Test("A stay lasts from its moment, on whichever day it is dated")
  func stays() throws {
    let test = try TestArchive()
    for (place, day, start) in [
      ("Hut", "2026-02-20", "2026-02-19T22:00:00Z"), ("Den", "2026-02-25", "2026-02-26T00:30:00Z"),
    ] {
      let begun = try #require(Instant(start))
      _ = try test.archive.add(
        Activity(
          id: test.archive.identities.next(), dayKey: try #require(DayKey(day)), startAt: begun,
          endAt: begun.adding(seconds: 8 * 3_600), timeZone: test.zone.identifier, kind: .travel,
          text: "At the \(place.lowercased())", locationLabel: place,
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    func ask(_ question: String) throws -> Answer {
      try AskEngine(archive: test.archive, zone: test.zone).answer(question)
    }
    #expect(try ask("where was I on 21 February 2026?").citations.isEmpty)
    #expect(try ask("where was I on 26 February 2026?").values == ["Den"])
  }
}
