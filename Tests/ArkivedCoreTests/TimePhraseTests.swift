import ArkivedCore
import Foundation
import Testing

@Suite("The time of a filter")
struct TimePhraseTests {
  private let reader = TimeReader(
    now: Instant(milliseconds: 1_773_518_400_000), zone: Zone("Europe/Berlin") ?? .utc)

  @Test(arguments: [
    ("2026-03-01", "2026-03-01", "2026-03-01"), ("yesterday", "2026-03-13", "2026-03-13"),
    ("last year", "2025-01-01", "2025-12-31"), ("march", "2026-03-01", "2026-03-31"),
    ("since 2017", "2017-01-01", "2026-03-14"), ("the week of 3 march", "2026-03-02", "2026-03-08"),
    ("  in 2017 ", "2017-01-01", "2017-12-31"), ("two weeks ago", "2026-02-28", "2026-02-28"),
    ("from 3 march 2020 to 5 april 2020", "2020-03-03", "2020-04-05"),
    ("2026-03-13T23:30:00Z", "2026-03-14", "2026-03-14"),
  ])
  func wordsForWholeDaysIncludeTheirLastDay(text: String, first: String, last: String) throws {
    let phrase = try reader.phrase(text)
    #expect(phrase.from == TimeBound(first) && phrase.to == TimeBound(last))
  }

  @Test func wordsForHoursExcludeTheirEnd() throws {
    let phrase = try reader.phrase("yesterday at 3pm")
    #expect(phrase.from == TimeBound("2026-03-13T14:00:00Z"))
    #expect(phrase.to == TimeBound("2026-03-13T14:01:00Z"))
    let morning = try reader.phrase("this morning")
    #expect(morning.to == TimeBound("2026-03-14T11:00:00Z"))
  }

  private static let open: [(String, String?, String?)] = [
    ("before 2017", nil, "2016-12-31"), ("until march", nil, "2026-02-28"),
    ("until 10 march", nil, "2026-03-10"), ("before 10 march", nil, "2026-03-09"),
    ("by march", nil, "2026-03-31"), ("after 2017", "2018-01-01", nil),
  ]

  @Test(arguments: open)
  func anOpenSideIsRefusedAndTheOtherTaken(text: String, first: String?, last: String?) throws {
    let phrase = try reader.phrase(text)
    #expect(
      phrase.from == first.flatMap(TimeBound.init) && phrase.to == last.flatMap(TimeBound.init))
    for (side, bound) in [(TimePhrase.Side.start, first), (.end, last)] {
      if let bound {
        #expect(try reader.bound(text, side) == TimeBound(bound))
      } else {
        let error = #expect(throws: TimePhraseError.self) { try reader.bound(text, side) }
        #expect(error?.reason == .isOpen(side))
        #expect(error?.description.contains(text) == true)
      }
    }
  }

  @Test func anInstantIsAnEndAsItStands() throws {
    #expect(
      try reader.bound("2026-03-14T10:00:00+02:00", .end) == TimeBound("2026-03-14T08:00:00Z"))
  }

  @Test(arguments: ["", "gibberish", "last wek", "2026-02-30", "14", "soup"])
  func wordsThatNameNoTimeAreRefused(text: String) {
    let error = #expect(throws: TimePhraseError.self) { try reader.phrase(text) }
    #expect(error?.reason == .namesNoTime)
  }

  @Test(arguments: [
    ("soon 14 march", "14 march"), ("monday and tuesday", "monday"),
    ("yesterday maybe", "yesterday"),
  ])
  func wordsOfWhichOnlySomeAreATimeAreRefused(text: String, part: String) {
    let error = #expect(throws: TimePhraseError.self) { try reader.phrase(text) }
    #expect(error?.reason == .isReadOnlyAs(part))
  }

  @Test func onThisDayHasItsFellowsInEarlierYears() throws {
    let today = try #require(DayKey("2026-03-14"))
    let first = try #require(DayKey("2023-03-15"))
    let days = Anniversary(of: today, before: today).days(since: first)
    #expect(days.map(\.description) == ["2025-03-14", "2024-03-14"])
    let leap = try #require(DayKey("2024-02-29"))
    #expect(
      Anniversary(of: leap, before: today).days(since: try #require(DayKey("2019-01-01")))
        .map(\.description) == ["2024-02-29", "2020-02-29"])
    #expect(Anniversary(of: today, before: today).days(since: today).isEmpty)
    #expect(Anniversary(of: leap, before: today).suffix == "-02-29")
  }
}

@Suite("Tags that look alike")
struct TagLikenessTests {
  @Test(arguments: [
    ("runing", "running"), ("runnign", "running"), ("friend", "friends"), ("run", "runs"),
    ("wrok", "work"), ("presentaton", "presentation"), ("brekfst", "breakfast"),
  ])
  func aSlipOrAPluralIsNoticed(new: String, old: String) throws {
    let distance = TagLikeness(new).distance(to: TagLikeness(old))
    #expect(distance.map { (1...2).contains($0) } == (new == "brekfst" ? nil : true))
  }

  @Test(arguments: [("to-do", "todo"), ("Café", "cafe"), ("deep work", "deep_work")])
  func anotherSeparatorOrAccentIsTheSameWord(new: String, old: String) {
    #expect(TagLikeness(new).distance(to: TagLikeness(old)) == 0)
  }

  @Test(arguments: [
    ("food", "wood"), ("2025", "2026"), ("week12", "week13"), ("cat", "car"), ("work", "work"),
    ("Work", "work"), ("swim", "soup"), ("read", "bread"), ("#", "!"), ("", "work"),
  ])
  func otherWordsAreLeftAlone(new: String, old: String) {
    #expect(TagLikeness(new).distance(to: TagLikeness(old)) == nil)
  }

  @Test func veryLongNamesAreCompared() {
    let long = String(repeating: "abcdefghij", count: 1_000)
    #expect(TagLikeness(long).distance(to: TagLikeness("abc")) == nil)
  }
}
