import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("What insights compute is right")
struct InsightMathTests {
  @Test("A streak goes on until a whole day has passed without it")
  func runs() {
    let gone = DayRuns([1, 2, 3, 5, 6], today: 8)
    #expect(gone.longest == 3 && gone.longestEnd == 3 && gone.current == 0)
    #expect(DayRuns([1, 2, 3, 5, 6], today: 7).current == 2)
    #expect(DayRuns([1, 2, 3, 5, 6], today: 6).current == 2)
    #expect(DayRuns([4], today: 4).longest == 1)
    let none = DayRuns([Int](), today: 4)
    #expect(none.longest == 0 && none.current == 0 && none.longestEnd == nil)
    // Of equally long runs the first is told.
    #expect(DayRuns([-2, -1, 3, 4], today: 99).longestEnd == -1)
  }

  @Test("The line of least squares goes through points that lie on one, and between others")
  func trend() throws {
    let exact = try #require(LeastSquares([(0, 1), (1, 3), (2, 5)]))
    #expect(exact.slope == 2 && exact.intercept == 1 && exact.value(at: 10) == 21)
    let between = try #require(LeastSquares([(0, 0), (1, 2), (2, 1), (3, 3)]))
    #expect(abs(between.slope - 0.8) < 1e-12 && abs(between.intercept - 0.3) < 1e-12)
    #expect(LeastSquares([(1, 1), (1, 2)]) == nil)
    #expect(LeastSquares([(0, 4)]) == nil)
    #expect(LeastSquares([(0, 1), (1, .nan), (2, .infinity)]) == nil)
  }

  @Test("Spearman’s correlation looks at ranks alone, and equal numbers share theirs")
  func spearman() throws {
    #expect(RankCorrelation.ranks([10, 20, 20, 5]) == [2, 3.5, 3.5, 1])
    #expect(RankCorrelation.spearman([1, 2, 3, 4], [1, 10, 100, 1_000]) == 1)
    #expect(RankCorrelation.spearman([1, 2, 3, 4], [9, 7, 5, 1]) == -1)
    // With ties: ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
    let tied = try #require(RankCorrelation.spearman([1, 2, 2, 3], [1, 2, 3, 4]))
    #expect(abs(tied - 4.5 / (4.5 * 5).squareRoot()) < 1e-12)
    #expect(RankCorrelation.spearman([1, 1, 1], [1, 2, 3]) == nil)
    #expect(RankCorrelation.spearman([1], [1]) == nil)
    #expect(RankCorrelation.spearman([1, 2], [1]) == nil)
  }

  @Test("A difference of means tells both groups, and nothing where one is empty")
  func difference() throws {
    let means = try #require(MeanDifference(with: (2, 9), all: (6, 21)))
    #expect(means.meanWith == 4.5 && means.meanWithout == 3 && means.difference == 1.5)
    #expect(means.countWith == 2 && means.countWithout == 4)
    #expect(MeanDifference(with: (0, 0), all: (6, 21)) == nil)
    #expect(MeanDifference(with: (6, 21), all: (6, 21)) == nil)
  }

  @Test("Tables are CSV: quoted where they must be, and no formula for a spreadsheet")
  func csv() {
    let table = InsightTable(
      [.init("name", "Name"), .init("value", "Value", unit: "km"), .init("day", "Day")],
      [
        .init([.text("a \"b\", c"), .number(-1.5), .day(.earliest)]),
        .init([.text("=1+1"), .empty, .empty]), .init([.text("plain"), .count(1_204), .empty]),
        .init([.text(" ＝1+1"), .empty, .empty]),
      ])
    #expect(
      table.csv
        == "Name,Value (km),Day\r\n\"a \"\"b\"\", c\",-1.5,0001-01-01\r\n'=1+1,,\r\nplain,1204,\r\n"
        + "' ＝1+1,,\r\n"
    )
  }

  @Test(
    "What is no argument is refused by its name",
    arguments: [
      ("habits", "span", "31"), ("habits", "from", "yesterday"), ("habits", "span", "days"),
      ("year", "year", "26"), ("year", "of", "sleep"), ("time", "by", "minutes"),
      ("measures", "by", "hour"), ("mood", "of", "steps"), ("compare", "a", "2026-13"),
      ("compare", "b", "2026-03-02..2026-03-01"),
    ])
  func refusals(topic: String, name: String, value: String) throws {
    let topic = try #require(InsightTopic(rawValue: topic))
    let today = try #require(DayKey("2026-03-14"))
    do throws(FieldError) {
      _ = try InsightQuestion(topic, today: today) { $0 == name ? value : nil }
      Issue.record("\(name)=\(value) was taken")
    } catch {
      #expect(error.field == name)
    }
  }

  @Test("Levels of a year’s counts hold about as many days each")
  func levels() {
    #expect(InsightWork.bounds([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) == [1, 3, 5, 7, 9])
    #expect(InsightWork.bounds([2, 2, 2]) == [2])
    #expect(InsightWork.bounds([]) == [1])
  }

  @Test("A map of places on both sides of 180° is narrow")
  func dateLine() throws {
    let map = try #require(
      InsightWork.map([
        .init(name: "Suva", latitude: -18, longitude: 178.4, entries: 3),
        .init(name: "Apia", latitude: -13.8, longitude: -171.8, entries: 1),
      ]))
    #expect(map.longitudes.upperBound - map.longitudes.lowerBound < 15)
    #expect(map.spots.map(\.longitude) == [178.4, 188.2])
  }
}

@Suite("Insights of a life")
struct InsightsTests {
  /// A life written line by line, seen from 14 March 2026.
  private struct Life {
    private var lines: [String] = []

    mutating func add(
      _ text: String, on day: DayKey, minutes: Double? = nil, tags: [String] = [],
      people: [String] = [], kind: String = "personal", place: String? = nil,
      at spot: (Double, Double)? = nil, measured: [String: Double] = [:], from start: String? = nil
    ) {
      var amounts = JSONObject()
      for (unit, amount) in measured { amounts[unit] = JSON(amount) }
      let line: JSON = [
        "type": "activity", "dayKey": JSON(day), "timeZone": "UTC", "text": .string(text),
        "kind": .string(kind), "tags": JSON(tags), "people": JSON(people),
        "locationLabel": JSON(place), "lat": JSON(spot?.0), "lon": JSON(spot?.1),
        "durationMinutes": JSON(minutes), "measurements": .object(amounts),
        "startAt": JSON(start),
      ]
      lines.append(line.text())
    }

    mutating func say(_ day: DayKey, mood: Int? = nil, sleep: Double? = nil) {
      if let mood {
        let line: JSON = ["type": "day", "dayKey": JSON(day), "mood": JSON(mood)]
        lines.append(line.text())
      }
      if let sleep {
        let line: JSON = [
          "type": "metric", "dayKey": JSON(day), "metric": "sleepMinutes", "unit": "min",
          "value": JSON(sleep),
        ]
        lines.append(line.text())
      }
    }

    func report(
      _ topic: InsightTopic, _ arguments: [String: String] = [:]
    ) throws -> InsightReport {
      let timeline = MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: .utc)
      let today = try #require(DayKey("2026-03-14"))
      let question = try InsightQuestion(topic, today: today) { arguments[$0] }
      return try InsightWork(timeline.table, question).report()
    }
  }

  private let today = DayKey("2026-03-14") ?? .earliest

  private func section(_ report: InsightReport, _ key: String) throws -> InsightReport.Section {
    try #require(report.sections.first { $0.key == key }, "\(report.statements)")
  }

  private func row(_ section: InsightReport.Section, _ name: String) throws -> [InsightValue] {
    try #require(section.table.rows.first { $0.values.first == .text(name) }).values
  }

  @Test(
    "An archive without entries is told so calmly, whatever is asked",
    arguments: InsightTopic.allCases)
  func empty(topic: InsightTopic) throws {
    let report = try Life().report(topic)
    #expect(report.sections.isEmpty)
    #expect(report.statements.count == 1 && report.statements[0].hasPrefix("Nothing recorded yet"))
  }

  @Test("Entries of days to come are no figures yet")
  func future() throws {
    var life = Life()
    life.add("flight", on: today.advanced(by: 3), tags: ["travel"])
    #expect(try life.report(.habits).sections.isEmpty)
    life.add("packing", on: today, tags: ["travel"])
    let habits = try section(life.report(.habits), "habits")
    #expect(try row(habits, "travel")[1] == .count(1))
  }

  @Test("Days of a tag count once, with the streak that goes on and the longest")
  func habits() throws {
    var life = Life()
    for back in [0, 1, 2, 10, 11, 12, 13] {
      life.add("ran", on: today.advanced(by: -back), tags: ["sport"])
      life.add("ran again", on: today.advanced(by: -back), tags: ["sport", "sport"])
    }
    let values = try row(section(life.report(.habits), "habits"), "sport")
    #expect(values[1] == .count(7))
    // Since the first day of the archive two weeks have gone.
    #expect(values[2] == .number(3.5))
    #expect(values[3] == .count(3) && values[4] == .count(4))
    #expect(values[5] == .day(today.advanced(by: -10)))
    // A span that is over has no streak now.
    life.add("ran", on: today.advanced(by: -400), tags: ["sport"])
    let past = try row(section(life.report(.habits, ["span": "2025"]), "habits"), "sport")
    #expect(past[1] == .count(1) && past[3] == .empty)
  }

  @Test("Days without a first or last one are told as a sentence")
  func openDays() throws {
    var life = Life()
    life.add("ran", on: today, tags: ["sport"])
    life.add("read", on: today.advanced(by: -40), tags: ["books"])
    func sentence(_ arguments: [String: String]) throws -> String? {
      try life.report(.time, arguments).statements.first
    }
    let since = try sentence(["from": "2026-03-01"])
    #expect(since?.hasPrefix("1 entry in the time since 1 March 2026.") == true, "\(since ?? "")")
    let until = try sentence(["to": "2026-02-28"])
    #expect(
      until?.hasPrefix("1 entry in the time until 28 February 2026.") == true, "\(until ?? "")")
    let both = try sentence(["from": "2026-03-01", "to": "2026-03-31"])
    #expect(both?.hasPrefix("1 entry in March 2026.") == true, "\(both ?? "")")
  }

  @Test("A streak that goes on longer than the period is told whole")
  func longStreak() throws {
    var life = Life()
    life.add("ran", on: today.advanced(by: -200), tags: ["sport"])
    for back in 0...120 { life.add("ran", on: today.advanced(by: -back), tags: ["sport"]) }
    let values = try row(section(life.report(.habits, ["span": "30"]), "habits"), "sport")
    #expect(values[1] == .count(30))
    #expect(values[3] == .count(121) && values[4] == .count(121) && values[5] == .day(today))
  }

  @Test("A streak that goes on after the period ends when it ended, not with the period")
  func streakAcrossNewYear() throws {
    var life = Life()
    let eve = try #require(DayKey("2025-12-31"))
    for shift in -3...5 { life.add("ran", on: eve.advanced(by: shift), tags: ["sport"]) }
    life.add("ran", on: eve.advanced(by: 7), tags: ["sport"])
    let values = try row(section(life.report(.habits, ["span": "2025"]), "habits"), "sport")
    #expect(values[1] == .count(4) && values[3] == .empty && values[4] == .count(9))
    #expect(values[5] == .day(eve.advanced(by: 5)))
  }

  @Test("A streak that goes on long after the period is told whole")
  func longStreakAfter() throws {
    var life = Life()
    let eve = try #require(DayKey("2024-12-31"))
    for shift in -1...300 { life.add("ran", on: eve.advanced(by: shift), tags: ["sport"]) }
    life.add("ran", on: eve.advanced(by: 302), tags: ["sport"])
    for shift in 0...63 { life.add("read", on: eve.advanced(by: shift), tags: ["books"]) }
    let habits = try section(life.report(.habits, ["span": "2024"]), "habits")
    let values = try row(habits, "sport")
    #expect(values[1] == .count(2) && values[4] == .count(302))
    #expect(values[5] == .day(eve.advanced(by: 300)))
    #expect(try row(habits, "books")[4] == .count(64))
  }

  @Test("Hours are those that are known; without any, entries count, and it is said")
  func time() throws {
    var life = Life()
    life.add(
      "standup", on: today, minutes: 30, tags: ["team"], people: ["Ada", "Bo"], kind: "work")
    life.add("soup", on: today)
    let report = try life.report(.time)
    #expect(report.statements.joined().contains("1 with a duration"))
    let people = try section(report, "people")
    #expect(try row(people, "Ada")[1] == .number(0.5))
    #expect(try row(people, "Bo")[1] == .number(0.5))
    #expect(report.statements.joined().contains("(0.5 hours in total)"))
    life.add("review", on: today, minutes: 30, kind: "work")
    #expect(try life.report(.time).statements.joined().contains("(1 hour in total)"))
    // Nobody spends all the hours of an entry of whole days on it.
    life.add("fair", on: today, minutes: 2_880, kind: "work", from: "2026-03-14T00:00:00Z")
    #expect(
      try life.report(.time).statements.joined().contains("2 with a duration (1 hour in total)"))
    var bare = Life()
    bare.add("soup", on: today)
    let counted = try bare.report(.time)
    #expect(counted.statements.joined().contains("None has a duration"))
    #expect(try row(section(counted, "kinds"), "Personal")[3] == .count(1))
  }

  @Test("Amounts add up by week, readings have a mean, and a trend leaves out what is not whole")
  func measures() throws {
    var life = Life()
    let monday = today.startOfWeek()
    for week in 1...10 {
      let day = monday.advanced(by: -7 * week)
      life.add("ran", on: day, measured: ["km": Double(20 - week)])
      life.add("ran", on: day.advanced(by: 6), measured: ["km": 1])
      life.say(day, sleep: 420)
    }
    life.add("ran", on: today, measured: ["km": 1])
    let report = try life.report(.measures, ["of": "unit:km", "by": "week", "span": "90"])
    let series = try section(report, "series")
    #expect(series.table.rows.last?.values[2] == .number(1))
    #expect(series.table.rows.dropLast().last?.values[2] == .number(20))
    guard case .series(let chart)? = series.chart else { throw FieldError("chart", "is none") }
    #expect(abs((chart.trend?.slope ?? 0) - 1) < 1e-9 && chart.trend?.count == 10)
    #expect(report.statements.joined().contains("least squares"))
    let sleep = try section(
      life.report(.measures, ["of": "metric:sleepMinutes", "by": "month"]), "series")
    #expect(sleep.table.columns[2].unit == "hours")
    #expect(sleep.table.rows.first?.values[2] == .number(7))
    #expect(throws: FieldError.self) { try life.report(.measures, ["of": "unit:furlong"]) }
    var ride = Life()
    for speed in [20.0, 24] { ride.add("rode", on: today, measured: ["km/h": speed]) }
    let speed = try section(
      ride.report(.measures, ["of": "unit:km/h", "by": "week"]), "series")
    #expect(speed.table.rows.last?.values[2] == .number(22))
  }

  @Test("Places are counted with where they lie; names without coordinates are a list alone")
  func places() throws {
    var life = Life()
    life.add("tea", on: today, place: "Home", at: (52.5, 13.4))
    life.add("soup", on: today.advanced(by: -1), place: "Home", at: (52.5, 13.4))
    life.add("photo", on: today, at: (48.86, 2.35))
    life.add("film", on: today, place: "Cinema")
    let report = try life.report(.places)
    let places = try section(report, "places")
    #expect(
      try row(places, "Home")
        == [.text("Home"), .count(2), .count(2), .day(today), .number(52.5), .number(13.4)])
    #expect(try row(places, "Cinema")[4] == .empty)
    #expect(try row(places, "48.86° N, 2.35° E")[1] == .count(1))
    guard case .map(let map)? = try section(report, "map").chart else {
      throw FieldError("map", "is none")
    }
    #expect(map.spots.map(\.entries) == [2, 1])
    var named = Life()
    named.add("film", on: today, place: "Cinema")
    let list = try named.report(.places)
    #expect(try section(list, "places").chart == nil)
    #expect(list.statements.joined().contains("no map"))
  }

  @Test("What goes together with mood is told from 20 days on, with how many stand behind it")
  func mood() throws {
    var life = Life()
    for back in 0..<19 { life.say(today.advanced(by: -back), mood: 3, sleep: 400) }
    let few = try life.report(.mood)
    #expect(few.sections.isEmpty && few.statements[0].contains("at least 20 days"))
    for back in 19..<60 {
      let isGood = back.isMultiple(of: 2)
      let day = today.advanced(by: -back)
      life.say(day, mood: isGood ? 5 : 1, sleep: isGood ? 480 : 360)
      if isGood { life.add("ran", on: day, tags: ["sport"], people: ["Ada"]) }
    }
    let report = try life.report(.mood)
    let sleep = try row(section(report, "measures"), "Sleep")
    #expect(sleep[2] == .count(60) && (sleep[1].number ?? 0) > 0.9)
    let sport = try row(section(report, "done"), "#sport")
    #expect(sport[3] == .count(20) && sport[5] == .count(40))
    // 21 days of 1 and 19 days of 3 without it.
    #expect(abs((sport[1].number ?? 0) - (5 - 78.0 / 40)) < 1e-9)
    #expect(report.statements.joined().contains("It doesn’t show causes"))
  }

  @Test("A month that is not over is held against as many days of the one before")
  func compare() throws {
    var life = Life()
    for back in 0..<60 {
      let day = today.advanced(by: -back)
      life.add("entry", on: day, minutes: 60, tags: ["a"], kind: "work")
      life.say(day, mood: back < 14 ? 4 : 2)
    }
    let report = try life.report(.compare)
    #expect(report.statements[0].contains("14 days of February"))
    let all = try section(report, "all")
    #expect(try row(all, "Entries").suffix(3) == [.number(14), .number(14), .number(0)])
    #expect(try row(all, "Average mood").suffix(3) == [.number(4), .number(2), .number(2)])
    let days = try life.report(.compare, ["a": "2026-03-01..2026-03-10", "b": "2026-03"])
    #expect(
      try row(section(days, "all"), "Hours recorded").suffix(3) == [
        .number(10), .number(14), .number(-4),
      ])
    let ahead = try life.report(.compare, ["a": "2027"])
    #expect(ahead.sections.isEmpty && ahead.statements[0].contains("still in the future"))
  }

  @Test("A year tells each day’s value, and days to come are left open")
  func year() throws {
    var life = Life()
    life.say(today, mood: 5)
    life.add("soup", on: today.advanced(by: -1))
    let report = try life.report(.year)
    guard case .year(let pixels)? = try section(report, "days").chart else {
      throw FieldError("chart", "is none")
    }
    #expect(pixels.name == "mood" && pixels.cells.count == 365)
    #expect(pixels.cells[72] == .init(level: 5, text: "5", words: "mood 5"))
    #expect(pixels.cells[71] == .init(level: 0, text: "", words: "no mood recorded"))
    #expect(pixels.cells[73] == nil)
    let counts = try life.report(.year, ["of": "entries"])
    guard case .year(let counted)? = try section(counts, "days").chart else {
      throw FieldError("chart", "is none")
    }
    #expect(counted.cells[71]?.words == "1 entry" && counted.legend == ["1 or more"])
  }

  @Test("An archive’s insights are those of the moment: what is added and deleted counts at once")
  func archive() throws {
    let test = try TestArchive()
    let timelines = ArchiveTimelines(test.archive, smallLimit: 0)
    let engine = InsightEngine(archive: test.archive, zone: test.zone, timelines: timelines)
    func days() throws -> InsightValue? {
      let question = try InsightQuestion(.habits, today: engine.today) { _ in nil }
      return try engine.report(question).sections.first?.table.rows.first?.values[1]
    }
    #expect(try days() == nil)
    var entry = try test.activity("ran", on: "2026-03-13", tags: ["sport"])
    entry.lat = 52.5
    entry.lon = 13.4
    try test.archive.add(entry)
    #expect(try days() == .count(1))
    let other = try test.add("ran", on: "2026-03-14", tags: ["sport"])
    #expect(try days() == .count(2))
    _ = try test.archive.deleteActivities([other.id])
    #expect(try days() == .count(1))
    let question = try InsightQuestion(.places, today: engine.today) { _ in nil }
    #expect(try engine.report(question).sections.first?.chart != nil)
  }
}
