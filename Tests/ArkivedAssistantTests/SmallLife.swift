import ArkivedCore
import Testing

@testable import ArkivedAssistant

/// A small diary of sentences with a tag each, asked on a day in April 2025.
struct SmallLife {
  private let engine: TimelineEngine

  init(_ lines: [(day: String, text: String, tag: String)]) throws {
    let zone = try #require(Zone("Europe/London"))
    let text = lines.map { day, text, tag in
      let line: JSON = [
        "type": "activity", "startAt": .string(day + "T12:00:00Z"), "timeZone": "Europe/London",
        "text": .string(text), "tags": [.string(tag)],
      ]
      return line.text()
    }.joined(separator: "\n")
    engine = TimelineEngine(timeline: MemoryTimeline(jsonLines: text, zone: zone), zone: zone)
  }

  func ask(_ question: String) throws -> TimelineAnswer {
    engine.answer(question, now: try #require(Instant("2025-04-10T09:00:00Z")))
  }
}
