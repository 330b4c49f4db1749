import ArkivedCore
import Foundation
import Testing

@testable import ArkivedAssistant

/// A small life, written line by line.
private struct Life {
  private var lines: [String] = []

  mutating func add(
    _ text: String, on day: DayKey, at time: String? = nil, tags: [String] = [],
    people: [String] = [], place: String? = nil, measured: [String: Double] = [:]
  ) {
    var amounts = JSONObject()
    for (unit, amount) in measured { amounts[unit] = JSON(amount) }
    let line: JSON = [
      "type": "activity", "dayKey": JSON(day), "id": .string(UUID().uuidString),
      "startAt": JSON(time.map { "\(day)T\($0):00Z" }), "timeZone": "UTC", "text": .string(text),
      "kind": "personal", "tags": JSON(tags), "people": JSON(people),
      "locationLabel": JSON(place), "measurements": .object(amounts),
    ]
    lines.append(line.text())
  }

  mutating func note(_ text: String?, on day: DayKey, mood: Int? = nil) {
    let line: JSON = [
      "type": "day", "dayKey": JSON(day), "note": JSON(text), "mood": JSON(mood),
      "id": .string(UUID().uuidString),
    ]
    lines.append(line.text())
  }

  mutating func metric(_ name: String, _ value: Double, on day: DayKey) {
    let line: JSON = [
      "type": "metric", "dayKey": JSON(day), "metric": .string(name), "unit": "count",
      "value": JSON(value),
    ]
    lines.append(line.text())
  }

  func recap(of span: RecapSpan, now: String = "2026-06-01T09:00:00Z") throws -> Recap {
    let timeline = MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: .utc)
    let now = try #require(Instant(now))
    return RecapEngine(timeline: timeline, zone: .utc).recap(of: span, now: now)
  }
}

private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

extension Recap {
  fileprivate func figure(_ label: String) -> Figure? {
    statements.flatMap(\.figures).first { $0.label == label }
  }
}

@Suite("Recaps say what happened, against the usual, and cite it")
struct RecapTests {
  @Test("A day is measured against the same weekday, and its parts are told in order")
  func weekday() throws {
    var life = Life()
    let tuesday = try day("2025-05-27")
    for week in 1...13 {
      for count in 0..<(week.isMultiple(of: 2) ? 3 : 2) {
        life.add("chores \(count)", on: tuesday.advanced(by: -7 * week))
      }
      life.add("a Monday", on: tuesday.advanced(by: -7 * week - 1))
    }
    for (text, time) in [("swim", "07:30"), ("soup", "12:15"), ("film", "20:00"), ("tea", "21:00")]
    {
      life.add(text, on: tuesday, at: time)
    }
    let recap = try life.recap(of: .day(tuesday))
    #expect(recap.title == "Tuesday, 27 May 2025")
    #expect(recap.figure("entries")?.value == 4)
    #expect(recap.figure("entries")?.usual == 2)
    #expect(recap.text.hasPrefix("Four entries, about twice the usual two on a Tuesday"))
    #expect(recap.text.contains("In the morning: “swim”. In the afternoon: “soup”."))
    #expect(recap.text.contains("In the evening: “film” and “tea”."))
  }

  @Test("A week is measured against the median of the twelve before, not their mean")
  func week() throws {
    var life = Life()
    let monday = try day("2025-05-26")
    for week in 1...12 {
      let km: Double = week == 12 ? 500 : 20
      life.add("ride", on: monday.advanced(by: -7 * week), tags: ["cycling"], measured: ["km": km])
    }
    life.add("ride", on: monday, tags: ["cycling"], measured: ["km": 25])
    life.add("ride", on: monday.advanced(by: 3), tags: ["cycling"], measured: ["km": 15])
    let recap = try life.recap(of: .week(monday.advanced(by: 4)))
    let figure = try #require(recap.figure("cycling"))
    #expect(figure.value == 40)
    #expect(figure.usual == 20)
    #expect(figure.unit == "km")
    #expect(recap.text.contains("Cycling: 40 km in two entries, about twice the usual 20"))
  }

  @Test("One of a unit is in the singular")
  func singular() throws {
    var life = Life()
    let here = try day("2025-05-27")
    life.add("read", on: here, tags: ["reading"], measured: ["chapters": 1])
    #expect(try life.recap(of: .day(here)).text.contains("Reading: 1 chapter."))
  }

  @Test("What has too little past is not called usual or unusual")
  func littlePast() throws {
    var life = Life()
    let start = try day("2025-05-26")
    life.add("ride", on: start, tags: ["cycling"], measured: ["km": 25])
    let recap = try life.recap(of: .week(start))
    #expect(recap.figure("cycling")?.usual == nil)
    #expect(recap.figure("entries")?.usual == nil)
    #expect(!recap.text.contains("usual"))
    #expect(!recap.text.contains("first time"))
    #expect(recap.text.contains("The archive starts on 26 May 2025."))
    #expect(recap.text.contains("“ride” on Monday"))
  }

  @Test("A place comes back after years, and a person is new")
  func firsts() throws {
    var life = Life()
    life.add("the Forum", on: try day("2016-09-04"), place: "Rome")
    let here = try day("2025-03-10")
    for back in 1...100 { life.add("tea", on: here.advanced(by: -back), place: "home") }
    life.add("pizza", on: here, people: ["Giulia Ferri"], place: "Rome")
    let recap = try life.recap(of: .day(here))
    #expect(recap.text.contains("For the first time: Giulia Ferri."))
    #expect(recap.text.contains("For the first time since September 2016: Rome."))
    let days = try day("2016-09-04").distance(to: here)
    #expect(recap.figure("days since Rome")?.value == Double(days))
  }

  @Test("A streak is followed back beyond what is read for the usual")
  func streak() throws {
    var life = Life()
    let end = try day("2025-05-27")
    for back in 0..<400 { life.add("pages", on: end.advanced(by: -back), tags: ["reading"]) }
    let recap = try life.recap(of: .day(end))
    #expect(recap.figure("streak of reading")?.value == 400)
    let week = try life.recap(of: .week(end.advanced(by: 7)), now: "2025-06-08T20:00:00Z")
    #expect(week.figure("streak of reading") == nil)
  }

  @Test("A streak that stops in the week is told as stopped")
  func stopped() throws {
    var life = Life()
    let monday = try day("2025-05-26")
    for back in 0..<20 { life.add("pages", on: monday.advanced(by: 1 - back), tags: ["reading"]) }
    let recap = try life.recap(of: .week(monday))
    #expect(
      recap.text.contains("#reading came up 20 days in a row, ending on Tuesday.")
    )
  }

  @Test("What comes every week and is left out is missed")
  func rhythm() throws {
    var life = Life()
    let monday = try day("2025-05-26")
    for week in 1...30 {
      life.add("rehearsal", on: monday.advanced(by: -7 * week + 1), tags: ["choir"])
    }
    life.add("soup", on: monday)
    let recap = try life.recap(of: .week(monday))
    #expect(recap.text.contains("No #choir this week, after 30 weeks in a row."))
  }

  @Test("29 February remembers only leap years")
  func leapDay() throws {
    var life = Life()
    life.add("snow", on: try day("2020-02-29"))
    life.add("rain", on: try day("2023-02-28"))
    life.add("sun", on: try day("2024-02-29"))
    let recap = try life.recap(of: .day(try day("2024-02-29")))
    let past = recap.sections.filter { $0.kind == "past" }.flatMap(\.statements).map(\.sentence)
    #expect(past == ["Four years ago, on Saturday, 29 February 2020: “snow”."])
    #expect(try life.recap(of: .month(try day("2024-02-29"))).series.first?.points.count == 29)
  }

  @Test("A week over New Year belongs together")
  func newYear() throws {
    var life = Life()
    life.add("fondue", on: try day("2024-12-31"))
    life.add("walk", on: try day("2025-01-01"))
    life.add("work", on: try day("2025-01-06"))
    let recap = try life.recap(of: .week(try day("2025-01-03")))
    #expect(recap.title == "30 December 2024 – 5 January 2025")
    #expect(recap.figure("entries")?.value == 2)
    #expect(recap.series.first?.points.map(\.value) == [0, 1, 1, 0, 0, 0, 0])
  }

  @Test(
    "A span that goes on says so, is held against as many days, and keeps what is to come apart")
  func soFar() throws {
    var life = Life()
    let monday = try day("2025-05-26")
    for back in 1...84 { life.add("tea", on: monday.advanced(by: -back)) }
    for forward in 0..<7 { life.add("tea", on: monday.advanced(by: forward), at: "18:00") }
    let recap = try life.recap(of: .week(monday), now: "2025-05-28T12:00:00Z")
    #expect(recap.isSoFar)
    #expect(recap.title.hasSuffix(", so far"))
    #expect(recap.figure("entries")?.value == 2)
    #expect(recap.figure("entries")?.usual == 3)
    #expect(recap.figure("ahead")?.value == 5)
    #expect(recap.text.contains("Still to come: on Wednesday at 18:00 “tea”"))
    #expect(recap.series.first?.points.count == 3)
  }

  @Test("Where nothing is written, nothing is made up")
  func empty() throws {
    var life = Life()
    let spans: [(DayKey) -> RecapSpan] = [
      RecapSpan.day, RecapSpan.week, RecapSpan.month, RecapSpan.year,
    ]
    for span in spans {
      let recap = try life.recap(of: span(try day("2025-05-27")))
      #expect(recap.text.hasPrefix("Nothing recorded for "))
      #expect(recap.statements.count == 1)
      #expect(recap.series.isEmpty)
    }
    life.add("tea", on: try day("2025-05-26"))
    #expect(
      try life.recap(of: .day(try day("2025-05-27"))).text
        == "Nothing recorded for Tuesday, 27 May 2025.")
    #expect(
      try life.recap(of: .year(try day("2031-01-01"))).text
        == "2031 is still in the future. Nothing is recorded yet.")
    #expect(
      try life.recap(of: .day(try day("2026-06-01"))).text
        == "Nothing recorded yet for Monday, 1 June 2026.")
  }

  @Test("A day with a note alone, or numbers alone, tells these")
  func noteAlone() throws {
    var life = Life()
    life.note("# Rain\n\nIt rained. Nobody minded.", on: try day("2025-05-26"), mood: 4)
    life.metric("steps", 1, on: try day("2025-05-27"))
    let note = try life.recap(of: .day(try day("2025-05-26")))
    #expect(note.text.contains("A day note, but no entries."))
    #expect(note.text.contains("“Rain It rained. Nobody minded”"))
    #expect(note.text.contains("Mood was 4 out of 5."))
    let numbers = try life.recap(of: .day(try day("2025-05-27")))
    #expect(numbers.text.hasPrefix("Nothing recorded for Tuesday, 27 May 2025."))
    #expect(numbers.text.contains("Steps: 1."))
  }

  @Test("A day of 5,000 entries is told in a page")
  func huge() throws {
    var life = Life()
    let here = try day("2025-05-27")
    for number in 0..<5000 {
      life.add(
        "entry \(number)", on: here, tags: ["tag\(number % 300)"],
        people: ["Person \(number % 700)"],
        place: "place \(number % 900)", measured: ["unit\(number % 50)": 1])
    }
    let recap = try life.recap(of: .day(here))
    #expect(recap.text.hasPrefix("5,000 entries."))
    #expect(recap.text.contains("and 4,997 more"))
    #expect(recap.text.count < 2500)
    #expect(recap.statements.allSatisfy { $0.citations.count <= Recap.citationLimit })
    #expect(recap.statements.first?.citationCount == 5000)
  }

  @Test("Days and months before the archive begins are not called empty")
  func beginning() throws {
    var life = Life()
    for (text, count) in [
      ("2025-09-20", 2), ("2025-10-02", 5), ("2025-11-09", 3), ("2025-12-31", 4),
    ] {
      for number in 0..<count { life.add("tea \(number)", on: try day(text)) }
    }
    let text = try life.recap(of: .year(try day("2025-01-01"))).text
    #expect(text.contains("14 entries on four of 103 days"))
    #expect(
      text.contains("October was the busiest month, with five entries, and November the quietest"))
    #expect(!text.contains("January"))
  }

  @Test("Texts are quoted as data: one line, short, their own marks inside")
  func data() throws {
    var life = Life()
    let here = try day("2025-05-27")
    life.add("said \"hello\"\nand\u{7} left\u{202E}.", on: here)
    life.add(String(repeating: "long ", count: 400), on: here)
    life.add("", on: here, tags: ["silent"])
    let text = try life.recap(of: .day(here)).text
    #expect(text.contains("“said ‘hello’ and left”"))
    #expect(text.contains("long …”"))
    #expect(text.contains("an entry tagged #silent"))
    #expect(!text.contains("\u{202E}") && !text.contains("\u{7}"))
    #expect(text.count < 600)
  }

  @Test("A weight is read off, kilometres are added up")
  func levels() throws {
    var life = Life()
    for (text, kg, km) in [("2025-05-02", 70.5, 5.0), ("2025-05-20", 69.0, 5.0)] {
      life.add("weighed", on: try day(text), tags: ["weight"], measured: ["kg": kg])
      life.add("ran", on: try day(text), tags: ["running"], measured: ["km": km])
    }
    let recap = try life.recap(of: .month(try day("2025-05-10")))
    #expect(recap.text.contains("Weight went from 70.5 kg to 69 kg over two readings."))
    #expect(recap.text.contains("Running: 10 km in two entries."))
  }

  @Test("A year compares with the one before, tells its journeys, what was new and what ended")
  func year() throws {
    var life = Life()
    for month in 1...12 {
      for date in [3, 9, 15, 21, 27] {
        let old = try #require(DayKey(year: 2023, month: month, day: date))
        life.add("clay", on: old, tags: ["pottery"])
        let new = try #require(DayKey(year: 2024, month: month, day: date))
        life.add("strokes", on: new, tags: ["swimming"])
        life.note(nil, on: new, mood: month > 6 ? 4 : 2)
      }
    }
    for date in 5...11 {
      let there = try #require(DayKey(year: 2024, month: 8, day: date))
      life.add("shrine \(date)", on: there, tags: ["japan"])
    }
    let recap = try life.recap(of: .year(try day("2024-05-05")))
    #expect(recap.figure("entries")?.value == 67)
    #expect(recap.figure("entries")?.usual == 60)
    #expect(recap.text.contains("more than the 60 in 2023"))
    #expect(recap.text.contains("From 5 to 11 August: #japan, in seven entries"))
    #expect(recap.text.contains("For the first time: #swimming (60 entries) and #japan (seven)."))
    #expect(recap.text.contains("#pottery no longer came up, compared with 60 entries in 2023."))
    #expect(recap.text.contains("August was the busiest month, with 12 entries"))
    let mood = try #require(recap.series.first { $0.name == "mood" })
    #expect(
      mood.points.map(\.value) == Array(repeating: 2, count: 6) + Array(repeating: 4, count: 6))
  }

  @Test("Every span of a life can be recapped, and each number cites what it rests on")
  func everySpan() throws {
    var life = Life()
    let start = try day("2023-12-20")
    for offset in 0..<60 where offset % 7 != 3 {
      let here = start.advanced(by: offset)
      life.add(
        "thing \(offset % 5)", on: here, at: offset % 2 == 0 ? "09:30" : nil,
        tags: ["tag\(offset % 4)"], people: offset % 3 == 0 ? ["Ann Lee"] : [],
        measured: offset % 2 == 0 ? ["km": Double(offset)] : [:])
      if offset % 4 == 0 { life.note("A day. It went.", on: here, mood: 1 + offset % 5) }
    }
    let spans: [(DayKey) -> RecapSpan] = [
      RecapSpan.day, RecapSpan.week, RecapSpan.month, RecapSpan.year,
    ]
    for offset in stride(from: -8, to: 70, by: 3) {
      for span in spans {
        let recap = try life.recap(
          of: span(start.advanced(by: offset)), now: "2024-02-10T10:00:00Z")
        #expect(!recap.text.isEmpty)
        for statement in recap.statements
        where statement.figures.contains(where: { $0.value != 0 }) {
          #expect(!statement.citations.isEmpty, "\(recap.title): \(statement.sentence)")
        }
        #expect(!recap.text.contains("nan") && !recap.text.contains("–."))
      }
    }
    for edge in [DayKey.earliest, DayKey.latest] {
      for span in spans { #expect(!(try life.recap(of: span(edge)).text.isEmpty)) }
    }
  }

  @Test("The JSON has the text, the statements with citations, and the series")
  func json() throws {
    var life = Life()
    let here = try day("2025-05-27")
    life.add("tea with\nAnn", on: here, people: ["Ann Lee"])
    let json = try life.recap(of: .week(here)).json(cite)
    #expect(json["unit"]?.string == "week")
    #expect(json["from"]?.string == "2025-05-26")
    #expect(json["to"]?.string == "2025-06-01")
    #expect(json["isSoFar"]?.bool == false)
    #expect(json["text"]?.string?.contains("“tea with Ann” on Tuesday") == true)
    let sections = try #require(json["sections"]?.array)
    let citation = sections.compactMap {
      $0["statements"]?.array?.first?["citations"]?.array?.first
    }
    #expect(citation.first?["dayKey"]?.string == "2025-05-27")
    #expect(citation.first?["snippet"]?.string == "tea with\nAnn")
    #expect(json["series"]?.array?.first?["points"]?.array?.count == 7)
    let result = try life.recap(of: .day(here)).toolResult(cite)
    #expect(result["text"]?.string?.hasPrefix("One entry.") == true)
    let statements = try #require(result["statements"]?.array)
    #expect(statements.first?["section"]?.string == "overview")
    #expect(statements.allSatisfy { $0["citations"]?.array?.isEmpty == false })
  }
}

private func cite(_ entry: TimelineEntry) -> JSON {
  ["type": "activity", "dayKey": JSON(entry.day), "snippet": .string(entry.text)]
}
