import ArkivedCore
import Testing

@Suite("Spans of the calendar, and how the owner wants days and times shown")
struct CalendarSpanTests {
  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  @Test func spansHaveTheirDays() throws {
    let day = try day("2026-03-14")
    #expect(CalendarSpan.week(day).days().description == "2026-03-09...2026-03-15")
    #expect(
      CalendarSpan.week(day).days(firstWeekday: .sunday).description == "2026-03-08...2026-03-14")
    #expect(CalendarSpan.month(day).days().description == "2026-03-01...2026-03-31")
    #expect(CalendarSpan.year(day).days().description == "2026-01-01...2026-12-31")
    #expect(CalendarSpan.years(day).days().description == "2015-01-01...2026-12-31")
    #expect(CalendarSpan(unit: "decade", around: day) == nil)
  }

  @Test func spansMoveAndEndWithTheCalendar() throws {
    let day = try day("2026-01-31")
    #expect(CalendarSpan.month(day).moved(by: 1)?.days().lowerBound == (try self.day("2026-02-01")))
    #expect(
      CalendarSpan.month(day).moved(by: -1)?.days().lowerBound == (try self.day("2025-12-01")))
    #expect(
      CalendarSpan.years(day).moved(by: -1)?.days().upperBound == (try self.day("2014-12-31")))
    for unit in CalendarSpan.units {
      let first = try #require(CalendarSpan(unit: unit, around: .earliest))
      let last = try #require(CalendarSpan(unit: unit, around: .latest))
      #expect(first.moved(by: -1) == nil && last.moved(by: 1) == nil, "\(unit)")
      #expect(first.days().lowerBound == .earliest && last.days().upperBound == .latest, "\(unit)")
    }
  }

  @Test(arguments: Weekday.allCases)
  func theWeeksOfAMonthHoldEachOfItsDaysOnceUnderItsWeekday(first: Weekday) throws {
    let columns = CalendarSpan.weekdays(from: first)
    #expect(Set(columns).count == 7 && columns.first == first)
    for text in ["2026-02-01", "2024-02-29", "2026-03-14", "9999-12-31", "0001-01-01"] {
      let day = try day(text)
      let weeks = CalendarSpan.weeks(ofMonth: day, firstWeekday: first)
      #expect(weeks.allSatisfy { $0.count == 7 })
      let days = weeks.joined().compactMap(\.self)
      #expect(days == Array(CalendarSpan.month(day).days()))
      for week in weeks {
        for (column, day) in zip(columns, week) {
          #expect(day.map { $0.weekday == column } ?? true)
        }
      }
    }
  }

  @Test func daysAndTimesAreShownAsTheOwnerWants() throws {
    let day = try day("2026-11-06")
    let times = [(0, "00:05"), (12, "12:05"), (17, "17:05")].map { hour, text in
      (WallTime(day: day, secondOfDay: hour * 3600 + 300), text)
    }
    #expect(times.allSatisfy { $0.0.shownClock == $0.1 })
    #expect(day.shownName == "6 November 2026")
    var preferences = Preferences()
    (preferences.clock, preferences.dateOrder) = (.hours12, .monthDay)
    ShownDates.$preferences.withValue(preferences) {
      #expect(times.map(\.0.shownClock) == ["12:05 am", "12:05 pm", "5:05 pm"])
      #expect(times.map(\.0.clockText) == ["00:05", "12:05", "17:05"])
      #expect(day.shownName == "November 6, 2026")
    }
  }

  @Test func preferencesComeBackAsTheyWereAndUnknownOnesDoNoHarm() throws {
    var preferences = Preferences()
    (preferences.theme, preferences.zoom, preferences.firstWeekday) = (.dark, 150, .sunday)
    #expect(Preferences(preferences.json) == preferences)
    #expect(Preferences(["theme": "neon", "zoom": 7, "firstWeekday": 1]) == Preferences())
    for (name, value) in [
      ("theme", "neon" as JSON), ("zoom", 101), ("zoom", "100"), ("clock", ""), ("density", 3),
      ("firstWeekday", "Mittwoch"),
    ] {
      var object = JSONObject()
      object[name] = value
      var fields = FieldReader(object)
      let error = #expect(throws: FieldError.self) { try preferences.take(&fields) }
      #expect(error?.field == name)
    }
  }
}
