import ArkivedCore
import Foundation
import Testing

/// The clock and the zone of the tables of readings.
enum TimeTable {
  static func reader(
    _ now: String = "2026-11-21T09:00:00Z", dateOrder: DateOrder = .dayFirst,
    firstWeekday: Weekday = .monday
  ) throws -> TimeReader {
    TimeReader(
      now: try #require(Instant(now)), zone: try #require(Zone("Europe/Berlin")),
      dateOrder: dateOrder, firstWeekday: firstWeekday)
  }

  /// Returns the matches one after another, each with its words, start, end and grain.
  static func text(_ matches: [TimeMatch]) -> String {
    matches.map { "[\($0.text)] \(text($0.start)) .. \(text($0.end)) \($0.grain)" }
      .joined(separator: "; ")
  }

  static func text(_ wall: WallTime?) -> String {
    guard let wall else { return "open" }
    if wall.secondOfDay == 0 { return "\(wall.day)" }
    return wall.second == 0 ? "\(wall.day)T\(wall.clockText)" : "\(wall)"
  }

  /// Compares each line of a table with what is read.
  static func check(_ table: String, _ location: SourceLocation = #_sourceLocation) throws {
    let reader = try TimeTable.reader()
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: " => ").map(String.init)
      let phrase = try #require(parts.first)
      #expect(
        text(reader.matches(in: phrase)) == (parts.count > 1 ? parts[1] : ""),
        "in: \(phrase)", sourceLocation: location)
    }
  }
}

@Suite struct TimeReaderSilenceTests {
  @Test func findsNothingWhereThereIsNoTime() throws {
    let lines = """
      May I have the salt
      may I go
      I may go
      second helping of soup
      sun cream
      march through the woods
      we march on
      a fall down the stairs
      spring onions
      we sat in the garden
      wed in Rome
      august company
      in august company
      lunch with April
      called June
      met May for coffee
      with Summer
      April Smith came by
      5 km
      number 7
      chapter 12
      page 1984
      room 2019
      score 12:30
      won 3:2
      John 3:16
      ran 5k in 25:30
      for 45 min
      two weeks of holiday
      ran for 3 days
      flight 2019
      paid 2000 euros
      2000 steps
      after 2000 steps
      the march of the penguins
      in the sun
      version 1.2.3
      192.168.1.12
      https://example.com/2019/03/14/monday
      mail me@monday.com
      IMG_20190314.jpg
      #friday
      @april
      the end
      every monday
      on mondays
      Christmas tree
      Easter eggs
      at 7 places
      from 9 to 10 people
      between 3 and 5 people
      in 3 steps
      the first one
      the second one
      on the third floor
      on the 3rd floor
      50% of the time
      he fell and we fell
      the last minute
      last but not least
      at last
      in time
      once upon a time
      I am 30
      aged 30
      in my 30s
      5:30/km
      pace 5:30 min/km
      a quarter of the cake
      half an hour
      quarter of an hour
      good morning
      morning run
      evening class
      bought 3 eggs
      $2019
      €2019
      model 2019-X
      1/2 cup
      3/4 of it
      from the sun to the moon
      mar the finish
      dec the halls
      jan came
      mon ami
      to be decided
      next to me
      this may take long
      this sun is hot
      you may march
      the fall of Rome
      before the fall
      the secondary school
      summer job
      spring cleaning
      winter coat
      no time at all
      24/7
      4 x 400 m
      10 reps 3 sets
      size 42
      at 5 Main Street
      10 to 15 people
      day 3
      season 2 episode 5
      on tuesdays
      one monday
      every other monday
      3 eggs at 2 euros
      he may be late
      in English
      at Sam's
      the may pole
      route 66
      bus 42
      chapter 5 verse 3
      a 3/4 cup
      ratio 16:9
      1.5.2
      0.25
      call 555-1234
      +49 170 1234567
      iPhone 15
      Windows 95
      Boeing 747
      100 m in 12.5 s
      the sitting room
      jan and piet
      marching on
      mayor
      decent
      sunny
      monochrome
      We may have found a flat. It has 3 rooms on the second floor, 84 m2, for 1200 euros.
      Chapter 3, verses 4 to 6, then pages 12-15.
      It was -3 degrees, 20% rain.
      The sun sat low over the hills; wed to the idea.
      One day I will go. Some day. The next day we left.
      Two years later we married, three months after the move.
      It took 3 hours and 20 minutes. Finished in 2:45:10.
      the may bank holiday weekend
      early bird, late fee, mid level, end of story
      last chance, next door, this way, past tense, current account
      Spring framework, Fall Guy, Winter soldier
      Between 5 and 10 people came after 8.
      since I was five
      until we meet again
      before long, after all, by now, so far
      half of the month
      On the one hand
      In second place
      weeks 10 to 12 of 2026
      """.split(separator: "\n")
    let reader = try TimeTable.reader()
    #expect(lines.count >= 100)
    for line in lines {
      let found = reader.matches(in: String(line)).map(\.text)
      #expect(found.isEmpty, "in: \(line)")
    }
  }
}

@Suite struct TimeReaderBehaviourTests {
  @Test func ordersFiguresAsTold() throws {
    let day = try TimeTable.reader().matches(in: "3/4/2026").first
    let month = try TimeTable.reader(dateOrder: .monthFirst).matches(in: "3/4/2026").first
    #expect(day?.singleDay == DayKey("2026-04-03"))
    #expect(month?.singleDay == DayKey("2026-03-04"))
    // Dots are European, whatever the order of slashes.
    let dotted = try TimeTable.reader(dateOrder: .monthFirst).matches(in: "3.4.2026").first
    #expect(dotted?.singleDay == DayKey("2026-04-03"))
  }

  @Test func beginsWeeksOnTheToldDay() throws {
    let reader = try TimeTable.reader(firstWeekday: .sunday)
    let lastWeek = reader.matches(in: "last week").first
    #expect(
      lastWeek?.days
        == DayKey("2026-11-08").flatMap { first in
          DayKey("2026-11-14").map { first...$0 }
        })
    #expect(reader.matches(in: "this sunday").first?.singleDay == DayKey("2026-11-15"))
    #expect(reader.matches(in: "monday last week").first?.singleDay == DayKey("2026-11-09"))
  }

  @Test(arguments: [
    ("2026-11-16T09:00:00Z", "monday", "2026-11-16"),
    ("2026-11-16T09:00:00Z", "last monday", "2026-11-09"),
    ("2026-11-17T09:00:00Z", "monday", "2026-11-16"),
    ("2026-11-22T09:00:00Z", "last weekend", "2026-11-14"),
    ("2026-11-20T09:00:00Z", "the weekend", "2026-11-14"),
    ("2026-11-20T09:00:00Z", "this weekend", "2026-11-21"),
    ("2026-03-01T09:00:00Z", "march", "2026-03-01"),
    ("2026-02-28T09:00:00Z", "march", "2025-03-01"),
    ("2026-03-31T09:00:00Z", "last month", "2026-02-01"),
    ("2026-03-31T09:00:00Z", "a month ago", "2026-02-28"),
    ("2026-01-02T09:00:00Z", "last week", "2025-12-22"),
    ("2026-01-02T09:00:00Z", "yesterday", "2026-01-01"),
    ("2026-01-15T09:00:00Z", "this winter", "2025-12-01"),
    ("2026-01-15T09:00:00Z", "last winter", "2024-12-01"),
    ("2026-12-25T09:00:00Z", "christmas", "2026-12-25"),
    ("2026-12-25T09:00:00Z", "last christmas", "2025-12-25"),
    ("2026-12-24T09:00:00Z", "christmas", "2025-12-25"),
    ("2024-02-29T09:00:00Z", "a year ago", "2023-02-28"),
    ("2025-06-01T09:00:00Z", "29 february", "2024-02-29"),
    ("2026-11-20T23:30:00Z", "today", "2026-11-21"),
  ])
  func looksBackFromItsNow(now: String, phrase: String, start: String) throws {
    let match = try TimeTable.reader(now).matches(in: phrase).first
    #expect(match?.start?.day == DayKey(start), "\(phrase) at \(now)")
    #expect(match?.text == phrase)
  }

  @Test func widensVaguePointsToTheirUnit() throws {
    let reader = try TimeTable.reader()
    func widened(_ phrase: String) -> String? {
      reader.matches(in: phrase).first.map {
        let days = $0.widenedDays()
        return "\(days.lowerBound)..\(days.upperBound)"
      }
    }
    #expect(widened("two weeks ago") == "2026-11-02..2026-11-08")
    #expect(widened("a month ago") == "2026-10-01..2026-10-31")
    #expect(widened("three years ago") == "2023-01-01..2023-12-31")
    #expect(widened("three days ago") == "2026-11-18..2026-11-18")
    #expect(widened("last week") == "2026-11-09..2026-11-15")
  }

  @Test func tellsItsDays() throws {
    let reader = try TimeTable.reader()
    let open = try #require(reader.matches(in: "after 2017").first)
    #expect(open.days.upperBound == .latest)
    #expect(open.isWholeDays)
    let clock = try #require(reader.matches(in: "yesterday at 7am").first)
    #expect(clock.singleDay == DayKey("2026-11-20"))
    #expect(!clock.isWholeDays)
    let night = try #require(reader.matches(in: "22:00-02:00").first)
    #expect(night.singleDay == nil)
    #expect(reader.matches(in: "until 2017").first?.days.lowerBound == .earliest)
  }

  @Test func rangesStandForTheirText() throws {
    let text = "Ünï 👩‍👩‍👧 yesterday at 7am — and since Easter, מחר, on 3 march"
    let matches = try TimeTable.reader().matches(in: text)
    #expect(matches.map(\.text) == ["yesterday at 7am", "since Easter", "on 3 march"])
    #expect(matches.allSatisfy { String(text[$0.range]) == $0.text })
  }

  @Test func takesNoDateThatIsInNoCalendar() throws {
    for phrase in [
      "31 february", "30 february 2024", "2026-02-30", "29 february 2025", "32 march",
      "31.4.2026", "31/9/2026", "2026-13-01", "the 31st of april",
    ] {
      #expect(try TimeTable.reader().matches(in: phrase).isEmpty, "in: \(phrase)")
    }
  }

  @Test func readsNothingFromContradictions() throws {
    for phrase in ["between May 2019 and April 2018", "from 2021 to 2019", "13:15-12:30"] {
      #expect(try TimeTable.reader().matches(in: phrase).isEmpty, "in: \(phrase)")
    }
  }
}

@Suite struct TimeReaderRobustnessTests {
  /// A small fixed generator, so that a failure can be repeated.
  struct Steps: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  static let pieces = [
    "last", "the", "of", "in", "march", "may", "3", "31", "2019", "99999999999", "st", "-", "–",
    ":", "/", ".", ",", "'", "at", "from", "to", "between", "and", "week", "monday", "ago",
    "before",
    "after", "easter", "pm", "noon", "half", "past", "quarter", "s", "T", "Z", "W", "Q", "0", "00",
    "👍🏽", "שלום", "\u{0}", "\u{301}", "٣", "year", "years", "decade", "century", "since", "until",
    "early", "end", "next", "first", "9999", "0001", "+", "@", "#", "\"", "(", ")", "for", "h",
    "km", "christmas", "eid", "al", "weekend", "two", "thousand", "starting", "later", "UTC", "+2",
    "Tokyo", "time", "summers", "nights", "20260314", "eve", "hours", "mid", "or", "hundred",
    "twenties", "Ramadan", "midnight", "this", "first", "second", "days", "years", "d", "ish",
  ]

  @Test("Words that come again and again do not exhaust a small stack", .timeLimit(.minutes(20)))
  func repeatedWordsAreRead() async throws {
    let reader = try TimeTable.reader()
    var patterns =
      Self.pieces + ["late", "month", "quarter", "week", "day", "hour", "a", "an", "by"]
    patterns += patterns.flatMap {
      ["\($0) of", "the \($0)", "\($0) and", "\($0) the \($0) of the"]
    }
    let texts = patterns.map { String(repeating: $0 + " ", count: 1_500 / ($0.count + 1)) }
    await withCheckedContinuation { continuation in
      let thread = Thread {
        for text in texts { _ = reader.matches(in: text) }
        continuation.resume()
      }
      thread.stackSize = 1 << 19
      thread.start()
    }
  }

  @Test(
    "The last moments of the calendar and offsets that no clock has are no reason to stop",
    arguments: [
      "9999-12-31T23:59-23:00", "9999-12-31T23:59-99", "9999-12-31T23:59:59-9900",
      "99991231T235900Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00+14:00", "0001-01-01T00:00+99",
      "00010101T000000Z",
    ])
  func theEdgesOfTheCalendarAreRead(text: String) throws {
    for name in ["Europe/Rome", "Pacific/Kiritimati", "America/Los_Angeles", "UTC"] {
      let zone = try #require(Zone(name))
      for match in TimeReader(now: Instant(milliseconds: 0), zone: zone).matches(in: text) {
        #expect(match.range.upperBound <= text.endIndex)
      }
    }
  }

  @Test func readsAnyMixtureOfItsWords() throws {
    var steps = Steps(state: 42)
    let reader = try TimeTable.reader()
    let edge = TimeReader(
      now: .latest, zone: .utc, dateOrder: .monthFirst, firstWeekday: .sunday)
    let start = TimeReader(now: .earliest, zone: .utc)
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...9, using: &steps)).map { _ in
        (Self.pieces.randomElement(using: &steps) ?? "")
          + (Bool.random(using: &steps) ? " " : "")
      }.joined()
      for reader in [reader, edge, start] {
        var last = text.startIndex
        for match in reader.matches(in: text) {
          #expect(match.range.lowerBound >= last && !match.range.isEmpty, "in: \(text)")
          #expect(match.start != nil || match.end != nil, "in: \(text)")
          if let start = match.start, let end = match.end { #expect(start < end, "in: \(text)") }
          last = match.range.upperBound
        }
      }
    }
  }

  // A reader whose work grows with the square of the text would take hours.
  @Test(.timeLimit(.minutes(20))) func readsAMegabyteToItsEnd() throws {
    let reader = try TimeTable.reader()
    for piece in [
      "3 ", "last ", "the day before ", "monday to ", "x", "a\u{301}", "2019-", "#a ",
      "in may and ", "a week from ", "3, ", "eid ",
    ] {
      let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
      _ = reader.matches(in: text)
    }
  }
}
