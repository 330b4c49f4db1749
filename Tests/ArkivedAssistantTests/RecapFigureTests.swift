import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Testing

@testable import ArkivedAssistant

@Suite("Recaps of spans that aren't over claim only what is certain")
struct RecapFigureTests {
  private var lines: [String] = []

  private mutating func add(_ count: Int, on day: String) {
    for number in 0..<count {
      let line: JSON = [
        "type": "activity", "dayKey": .string(day), "timeZone": "UTC",
        "text": .string("tea \(number)"),
      ]
      lines.append(line.text())
    }
  }

  private mutating func add(_ text: String, on day: String, at start: String) {
    let line: JSON = [
      "type": "activity", "dayKey": .string(day), "startAt": .string(start), "timeZone": "UTC",
      "text": .string(text),
    ]
    lines.append(line.text())
  }

  private mutating func metric(
    _ value: Double, on day: String, _ name: String = "steps", _ unit: String = "count"
  ) {
    let line: JSON = [
      "type": "metric", "dayKey": .string(day), "metric": .string(name), "unit": .string(unit),
      "value": JSON(value),
    ]
    lines.append(line.text())
  }

  private func recap(of span: RecapSpan, now: String) throws -> Recap {
    let timeline = MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: .utc)
    return RecapEngine(timeline: timeline, zone: .utc)
      .recap(of: span, now: try #require(Instant(now)))
  }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  @Test("The month that isn't over and the archive's first can be the busiest, never the quietest")
  func months() throws {
    var life = Self()
    for (day, count) in [
      ("2025-02-20", 9), ("2025-03-10", 5), ("2025-04-10", 3), ("2025-05-10", 4),
      ("2025-06-02", 2),
    ] { life.add(count, on: day) }
    let year = RecapSpan.year(try day("2025-01-01"))
    let first = try life.recap(of: year, now: "2025-06-03T09:00:00Z").text
    #expect(
      first.contains("February was the busiest month, with nine entries, and April the quietest"))
    life.add(10, on: "2025-06-03")
    let current = try life.recap(of: year, now: "2025-06-04T09:00:00Z").text
    #expect(
      current.contains("June was the busiest month, with 12 entries, and April the quietest"))
  }

  @Test("Of several months with the same number, none is the busiest or the quietest")
  func ties() throws {
    var life = Self()
    for (day, count) in [
      ("2024-12-01", 1), ("2025-01-10", 3), ("2025-02-10", 3), ("2025-03-10", 5),
    ] { life.add(count, on: day) }
    let year = RecapSpan.year(try day("2025-01-01"))
    let text = try life.recap(of: year, now: "2025-04-02T09:00:00Z").text
    #expect(text.contains("March was the busiest month, with five entries."))
    life.add(2, on: "2025-02-11")
    let tied = try life.recap(of: year, now: "2025-04-02T09:00:00Z").text
    #expect(!tied.contains("busiest month"))
  }

  @Test("A day's figure that still grows lowers no mean")
  func metrics() throws {
    var life = Self()
    // Four Mondays and Tuesdays before, then Monday, and Tuesday's first steps.
    for date in ["04-28", "04-29", "05-05", "05-06", "05-12", "05-13", "05-19", "05-20"] {
      life.metric(8_000, on: "2025-\(date)")
      life.add(1, on: "2025-\(date)")
    }
    life.metric(8_000, on: "2025-05-26")
    life.metric(300, on: "2025-05-27")
    let week = RecapSpan.week(try day("2025-05-27"))
    let recap = try life.recap(of: week, now: "2025-05-27T08:00:00Z")
    let steps = try #require(
      recap.statements.flatMap(\.figures).first { $0.label == "steps" })
    #expect(steps.value == 8_000 && steps.usual == 8_000)
    let monday = try life.recap(of: week, now: "2025-05-26T08:00:00Z")
    let growing = monday.statements.flatMap(\.figures).first { $0.label == "steps" }
    #expect(growing?.value == 8_000 && growing?.usual == nil)
  }

  @Test("A reading and last night's sleep don't grow")
  func readings() throws {
    var life = Self()
    for date in ["04-28", "04-29", "05-05", "05-06", "05-12", "05-13", "05-19", "05-20", "05-26"] {
      life.metric(480, on: "2025-\(date)", "sleepMinutes", "min")
      life.metric(80, on: "2025-\(date)", "weight", "kg")
      life.add(1, on: "2025-\(date)")
    }
    life.metric(360, on: "2025-05-27", "sleepMinutes", "min")
    life.metric(82, on: "2025-05-27", "weight", "kg")
    let figures = try life.recap(
      of: .week(try day("2025-05-27")), now: "2025-05-27T08:00:00Z"
    ).statements.flatMap(\.figures)
    let sleep = try #require(figures.first { $0.label == "sleepMinutes" })
    #expect(sleep.value == 420 && sleep.usual == 480)
    let weight = try #require(figures.first { $0.label == "weight" })
    #expect(weight.value == 81 && weight.usual == 80)
  }

  @Test("A fever is far from the usual temperature, and a figure below zero isn't nothing")
  func temperatures() throws {
    var life = Self()
    for date in 10...26 {
      life.metric(36.6, on: "2025-05-\(date)", "bodyTemperature", "°C")
      life.metric(-0.3, on: "2025-05-\(date)", "skinDeviation", "sd")
      life.add(1, on: "2025-05-\(date)")
    }
    life.metric(38.9, on: "2025-05-27", "bodyTemperature", "°C")
    life.metric(0.4, on: "2025-05-27", "skinDeviation", "sd")
    life.metric(36.9, on: "2025-05-28", "bodyTemperature", "°C")
    life.metric(-0.3, on: "2025-05-28", "skinDeviation", "sd")
    for date in ["27", "28"] { life.add(1, on: "2025-05-\(date)") }
    func text(_ date: String) throws -> String {
      try life.recap(of: .day(try day(date)), now: "2025-06-01T09:00:00Z").text
    }
    let fever = try text("2025-05-27")
    #expect(
      fever.contains("Body temperature: 38.9 °C, well above the usual 36.6; "), "\(fever)")
    #expect(fever.contains("skin deviation: 0.4 sd, above the usual -0.3."), "\(fever)")
    let well = try text("2025-05-28")
    #expect(
      well.contains("Body temperature (36.9 °C) and skin deviation (-0.3 sd) were about the same"),
      "\(well)")
  }

  @Test("A year is held against the one before up to the same date, with and without a leap day")
  func leapYears() throws {
    var life = Self()
    life.add(1, on: "2023-01-01")
    life.add(4, on: "2023-03-02")
    life.add(1, on: "2024-01-01")
    life.add(1, on: "2024-02-29")
    life.add(3, on: "2024-03-01")
    life.add(2, on: "2025-03-01")
    func usual(on date: String) throws -> Double? {
      try life.recap(of: .year(try day(date)), now: "\(date)T20:00:00Z")
        .statements.flatMap(\.figures).first { $0.label == "entries" }?.usual
    }
    #expect(try usual(on: "2024-03-01") == 1)
    #expect(try usual(on: "2025-03-01") == 5)
  }

  @Test(
    "A night dated to the day of waking began before it, and what follows midnight ends its day")
  func neighbouringDays() throws {
    var life = Self()
    life.add("slept 7 h", on: "2025-05-27", at: "2025-05-26T23:10:00Z")
    life.add("swim", on: "2025-05-27", at: "2025-05-27T07:30:00Z")
    life.add("film", on: "2025-05-27", at: "2025-05-27T20:00:00Z")
    life.add("bar", on: "2025-05-27", at: "2025-05-28T01:30:00Z")
    let tuesday = RecapSpan.day(try day("2025-05-27"))
    let text = try life.recap(of: tuesday, now: "2025-06-01T09:00:00Z").text
    #expect(text.contains("Four entries, the first at 07:30 and the last at 01:30."))
    #expect(text.contains("After midnight: “slept 7 h”. In the morning: “swim”."))
    #expect(text.contains("In the evening: “film”. After midnight: “bar”."))
    let evening = try life.recap(of: tuesday, now: "2025-05-27T21:00:00Z").text
    #expect(evening.contains("Three entries so far, the first at 07:30 and the last at 20:00."))
    #expect(evening.contains("Still to come: at 01:30 “bar”."))
  }

  @Test("Recaps tell times in the clock format that the owner chose")
  func clockFormat() throws {
    var life = Self()
    life.add("tea", on: "2025-05-27", at: "2025-05-27T09:05:00Z")
    life.add("film", on: "2025-05-27", at: "2025-05-27T20:00:00Z")
    var preferences = Preferences()
    preferences.clock = .hours12
    let text = try ShownDates.$preferences.withValue(preferences) {
      try life.recap(
        of: .day(try day("2025-05-27")), now: "2025-06-01T12:00:00Z"
      ).text
    }
    #expect(text.contains("the first at 9:05 am and the last at 8:00 pm"), "\(text)")
  }

  @Test("No clock is told of entries of whole days and of a part of the day")
  func unknownClocks() throws {
    var life = Self()
    life.add("tea", on: "2025-05-27", at: "2025-05-27T09:00:00Z")
    let calls: [(day: String, times: JSON)] = [
      ("2025-05-27", ["startAt": "2025-05-27T18:00:00Z", "dayPeriod": "evening"]),
      ("2025-05-28", ["startAt": "2025-05-28T00:00:00Z", "endAt": "2025-05-29T00:00:00Z"]),
    ]
    for (day, times) in calls {
      var line: JSONObject = [
        "type": "activity", "dayKey": .string(day), "timeZone": "UTC", "text": "call",
      ]
      for (key, value) in times.object?.members ?? [] { line[key] = value }
      life.lines.append(JSON.object(line).text())
    }
    let tuesday = RecapSpan.day(try day("2025-05-27"))
    let noon = try life.recap(of: tuesday, now: "2025-05-27T12:00:00Z").text
    #expect(noon.contains("One entry so far, at 09:00."), "\(noon)")
    #expect(noon.contains("Still to come: “call”."), "\(noon)")
    let later = try life.recap(of: tuesday, now: "2025-06-01T12:00:00Z").text
    #expect(later.contains("Two entries.") && later.contains("In the evening: “call”."))
    let week = try life.recap(of: .week(try day("2025-05-27")), now: "2025-05-27T12:00:00Z").text
    #expect(week.contains("“call”") && !week.contains("00:00"), "\(week)")
  }

  @Test("The hours of entries of whole days aren’t time that was recorded")
  func wholeDays() throws {
    var life = Self()
    for (text, start, end) in [
      ("fair", "2025-05-27T00:00:00Z", "2025-05-28T00:00:00Z"),
      ("review", "2025-05-27T09:00:00Z", "2025-05-27T11:00:00Z"),
    ] {
      let line: JSON = [
        "type": "activity", "dayKey": "2025-05-27", "startAt": .string(start),
        "endAt": .string(end), "timeZone": "UTC", "text": .string(text), "kind": "work",
      ]
      life.lines.append(line.text())
    }
    let text = try life.recap(
      of: .week(try day("2025-05-27")), now: "2025-07-01T09:00:00Z"
    ).text
    #expect(text.contains("Going by the times recorded, work took 2 h"), "\(text)")
  }
}

@Suite("Recaps of an archive")
struct ArchiveRecapTests {
  @Test("An entry in another zone has begun once its moment has come, whatever its clock shows")
  func otherZones() throws {
    let test = try TestArchive()
    func add(_ text: String, at start: String, in zone: String) throws {
      var entry = try test.activity(text)
      entry.startAt = Instant(start)
      entry.timeZone = zone
      _ = try test.archive.add(entry)
    }
    // It is 21:00 in Berlin, 05:00 in Tokyo and 16:00 in New York.
    try add("call with Tokyo", at: "2026-03-14T14:00:00Z", in: "Asia/Tokyo")
    try add("call with New York", at: "2026-03-14T22:00:00Z", in: "America/New_York")
    let recap = try ArchiveRecap(archive: test.archive, zone: test.zone)
      .recap(of: .day(try #require(DayKey("2026-03-14")))).recap
    #expect(recap.text.hasPrefix("One entry so far, at 23:00."))
    #expect(recap.text.contains("Still to come: at 18:00 “call with New York”."))
  }
}
