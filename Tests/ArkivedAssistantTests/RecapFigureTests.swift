import ArkivedCore
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
}
