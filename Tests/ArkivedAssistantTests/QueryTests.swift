import ArkivedCore
import Testing

@testable import ArkivedAssistant

@Suite("Queries against a count by hand")
struct QueryTests {
  let life: RandomLife

  init() throws { life = try RandomLife(seed: 20_260_314) }

  private typealias Entry = RandomLife.Entry

  private func count(_ holds: (Entry) -> Bool) -> Double {
    Double(life.entries.filter(holds).count)
  }

  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> DayKey {
    try #require(DayKey(year: year, month: month, day: day))
  }

  private func isNear(_ left: Double?, _ right: Double) -> Bool {
    left.map { abs($0 - right) < 1e-6 * max(1, abs(right)) } ?? false
  }

  // MARK: Predicates

  @Test func eachConditionChoosesWhatFulfilsIt() throws {
    let july = try day(2024, 7, 1)...day(2024, 7, 31)
    let cases: [(String, (Entry) -> Bool)] = [
      ("{}", { _ in true }),
      (#"{"tag":"Rowing"}"#, { $0.tag == "rowing" }),
      (##"{"tag":"#rowing","time":"2025"}"##, { $0.tag == "rowing" && $0.day.year == 2025 }),
      (#"{"days":{"from":"2024-07-01","to":"2024-07-31"}}"#, { july.contains($0.day) }),
      (#"{"time":"july 2024"}"#, { july.contains($0.day) }),
      (
        #"{"days":{"from":"2025-11-11"},"weekday":["saturday","sunday"]}"#,
        { "\($0.day)" >= "2025-11-11" && [.saturday, .sunday].contains($0.day.weekday) }
      ),
      (#"{"hours":{"from":"06:00","to":"12:00"}}"#, { (360..<720).contains($0.minute) }),
      (#"{"hours":{"from":"22:00","to":"05:00"}}"#, { $0.minute >= 1_320 || $0.minute < 300 }),
      (#"{"season":["winter"]}"#, { [12, 1, 2].contains($0.day.month) }),
      (#"{"month":[3,10]}"#, { [3, 10].contains($0.day.month) }),
      (#"{"person":"mira holt"}"#, { $0.people.contains("Mira Holt") }),
      (#"{"person":"Tomas"}"#, { $0.people.contains { $0.hasPrefix("Tomas") } }),
      (#"{"alone":true}"#, { $0.people.isEmpty }), (#"{"alone":false}"#, { !$0.people.isEmpty }),
      (#"{"place":"pier"}"#, { $0.place == "North Pier" }),
      (#"{"kind":"leisure"}"#, { $0.tag == "sky" }),
      (#"{"amount":{"unit":"km","min":5,"max":10}}"#, { (5...10).contains($0.km ?? 0) }),
      (#"{"amount":{"unit":"m","min":5000}}"#, { $0.km ?? 0 >= 5 }),
      (#"{"mood":{"min":4}}"#, { life.moods[$0.day] ?? 0 >= 4 }),
      (#"{"metric":{"name":"Steps","max":5000}}"#, { life.steps[$0.day] ?? .infinity <= 5_000 }),
      (#"{"text":"old bicycle"}"#, { $0.tag == "repair" }),
      (#"{"text":"bicycle old"}"#, { _ in false }),
      (#"{"text":"stole the"}"#, { $0.note != nil }),
      (#"{"concept":"rye bread"}"#, { $0.tag == "baking" }),
      (#"{"concept":"the gull"}"#, { $0.note != nil }),
      (
        #"{"any":[{"tag":"sky"},{"all":[{"tag":"baking"},{"not":{"person":"Mira Holt"}}]}]}"#,
        { $0.tag == "sky" || $0.tag == "baking" && !$0.people.contains("Mira Holt") }
      ),
    ]
    for (predicate, holds) in cases {
      let counted = try life.value(#"{"source":{"entries":\#(predicate)},"fold":"count"}"#)
      #expect(counted == count(holds), "\(predicate)")
    }
  }

  @Test func aDayFulfilsAConditionItselfOrByOneOfItsEntries() throws {
    let rowing = Set(life.entries.filter { $0.tag == "rowing" }.map(\.day))
    let baking = Set(life.entries.filter { $0.tag == "baking" }.map(\.day))
    func counted(_ predicate: String) throws -> Int? {
      try life.value(#"{"source":{"days":\#(predicate)},"fold":"count"}"#).map { Int($0) }
    }
    #expect(try counted(#"{"tag":"rowing"}"#) == rowing.count)
    #expect(
      try counted(#"{"tag":"rowing","not":{"tag":"baking"}}"#) == rowing.subtracting(baking).count)
    let march = Set(try day(2025, 3, 1)...day(2025, 3, 31))
    #expect(
      try counted(#"{"not":{"tag":"rowing"},"time":"march 2025"}"#)
        == march.subtracting(rowing).count)
    #expect(
      try counted(#"{"mood":{"min":5},"tag":"rowing"}"#)
        == rowing.filter { life.moods[$0] == 5 }.count)
  }

  // MARK: Sources

  @Test func sourcesAreCombined() throws {
    let rowing = life.entries.filter { $0.tag == "rowing" }
    let rowed = Set(rowing.map(\.day))
    let baking = #"{"entries":{"tag":"baking"}}"#
    let rowings = #"{"entries":{"tag":"rowing"}}"#
    func counted(_ source: String) throws -> Double? {
      try life.value(#"{"source":\#(source),"fold":"count"}"#)
    }
    #expect(
      try counted(#"{"onDays":{"source":\#(baking),"of":\#(rowings),"from":1}}"#)
        == count { $0.tag == "baking" && rowed.contains($0.day.advanced(by: -1)) })
    #expect(
      try counted(#"{"onDays":{"source":\#(baking),"of":\#(rowings),"from":-2,"to":0}}"#)
        == count { entry in
          entry.tag == "baking" && (0...2).contains { rowed.contains(entry.day.advanced(by: $0)) }
        })
    let sky = life.entries.filter { $0.tag == "sky" && $0.day.year == 2024 }
    let span = try #require(sky.first).day...(try #require(sky.last)).day
    let skies = #"{"entries":{"tag":"sky","time":"2024"}}"#
    #expect(
      try counted(#"{"between":{"source":\#(baking),"start":\#(skies),"end":\#(skies)}}"#)
        == count { $0.tag == "baking" && span.contains($0.day) })
    let mira = #"{"entries":{"person":"Mira Holt"}}"#
    #expect(
      try counted(#"{"minus":{"source":\#(rowings),"without":\#(mira)}}"#)
        == count { $0.tag == "rowing" && !$0.people.contains("Mira Holt") })
    #expect(
      try counted(#"{"union":[\#(rowings),\#(mira),\#(skies)]}"#)
        == count {
          $0.tag == "rowing" || $0.people.contains("Mira Holt")
            || $0.tag == "sky" && $0.day.year == 2024
        })
    let summer = #"{"days":{"time":"2025","season":["summer"]}}"#
    let warm = #"{"days":{"time":"2024"}}"#
    #expect(try counted(#"{"union":[\#(summer),\#(warm)]}"#) == 366 + 92)
    #expect(try counted(#"{"minus":{"source":\#(warm),"without":\#(summer)}}"#) == 366)
  }

  // MARK: Figures

  @Test func figuresAreExact() throws {
    let km = life.entries.compactMap(\.km).sorted()
    func figure(_ fold: String, _ more: String = "") throws -> Double? {
      try life.value(#"{"source":{"entries":{}},"fold":"\#(fold)","unit":"km"\#(more)}"#)
    }
    let middle = (km[(km.count - 1) / 2] + km[km.count / 2]) / 2
    #expect(isNear(try figure("sum"), km.reduce(0, +)))
    #expect(isNear(try figure("mean"), km.reduce(0, +) / Double(km.count)))
    #expect(isNear(try figure("median"), middle))
    #expect(try figure("highest") == km.last && (try figure("lowest")) == km.first)
    let second = Set(km).sorted(by: >)[1]
    let outcome = try life.run(
      #"{"source":{"entries":{}},"fold":"highest","unit":"km","rank":2,"target":"day"}"#)
    #expect(outcome.rows.first?.value == .number(second))
    #expect(outcome.rowCount == km.filter { $0 == second }.count)
    #expect(outcome.citationCount == outcome.rowCount && outcome.measured == km.count)
    let steps = Array(life.steps.values)
    let mean = try life.value(#"{"source":{"metric":{"name":"steps"}},"fold":"mean"}"#)
    #expect(isNear(mean, steps.reduce(0, +) / Double(steps.count)))
    let low = try life.value(
      #"{"source":{"metric":{"name":"mood","where":{"tag":"sky"}}},"fold":"mean"}"#)
    let skies = Set(life.entries.filter { $0.tag == "sky" }.map(\.day)).compactMap {
      life.moods[$0]
    }
    #expect(isNear(low, Double(skies.reduce(0, +)) / Double(skies.count)))
    #expect(
      try life.value(#"{"source":{"entries":{}},"fold":"distinct","target":"place"}"#) == 3)
    #expect(
      try life.value(#"{"source":{"entries":{}},"fold":"count","target":"day"}"#)
        == Double(Set(life.entries.map(\.day)).count))
  }

  @Test func groupsAreFiguresOfTheirOwn() throws {
    let months = Dictionary(grouping: life.entries) { String("\($0.day)".prefix(7)) }
    let sums = try life.run(
      #"{"source":{"entries":{}},"fold":"sum","unit":"km","group":"month","limit":100}"#)
    #expect(sums.rows.compactMap(\.key) == months.keys.sorted())
    for row in sums.rows {
      let own = months[row.key ?? ""]?.compactMap(\.km).reduce(0, +)
      #expect(isNear(row.value.number, own ?? -1), "\(row.key ?? "")")
    }
    var people: [String: Int] = [:]
    for name in life.entries.flatMap(\.people) { people[name, default: 0] += 1 }
    let most = people.max { $0.value < $1.value }
    let met = try life.run(
      #"{"source":{"entries":{}},"fold":"count","group":"person","limit":1}"#)
    #expect(met.rows.first?.key == most?.key)
    #expect(met.rows.first?.value == .number(Double(most?.value ?? 0)))
    #expect(met.rowCount == 3 && met.citationCount == most?.value)
    let weekdays = try life.run(
      #"{"source":{"entries":{}},"fold":"distinct","target":"place","group":"weekday"}"#)
    #expect(weekdays.rows.map(\.key).first == "monday" && weekdays.rows.count == 7)
    let hours = try life.run(
      #"{"source":{"entries":{}},"fold":"count","group":"hour","order":"oldest","limit":24}"#)
    for row in hours.rows {
      let hour = Int(row.key ?? "")
      #expect(row.value == .number(count { $0.minute / 60 == hour }))
    }
    let names = try life.run(#"{"source":{"entries":{}},"target":"person"}"#)
    #expect(names.rows.first?.value == .text(most?.key ?? ""))
  }

  // MARK: Time

  @Test func edgesListsAndSpansOfTime() throws {
    let rowing = life.entries.filter { $0.tag == "rowing" }
    func run(_ rest: String) throws -> QueryOutcome {
      try life.run(#"{"source":{"entries":{"tag":"rowing"}},\#(rest)}"#)
    }
    let (first, last) = (try #require(rowing.first), try #require(rowing.last))
    #expect(try run(#""fold":"first","target":"day""#).rows.first?.value == .day(first.day))
    #expect(try run(#""fold":"last","target":"day""#).rows.first?.value == .day(last.day))
    #expect(
      try run(#""fold":"nth","rank":7,"target":"day""#).rows.first?.value == .day(rowing[6].day))
    let placed = rowing.first { $0.place != nil }?.place ?? ""
    #expect(try run(#""fold":"first","target":"place""#).rows.first?.value == .text(placed))
    let newest = try run(#""order":"newest","limit":3,"citations":2"#)
    #expect(newest.rows.map(\.days?.lowerBound) == rowing.suffix(3).reversed().map(\.day))
    #expect(newest.rowCount == rowing.count && newest.cited.count == 2)
    let far = try run(#""order":"most","unit":"km","limit":4"#)
    #expect(
      far.rows.map(\.value.number) == rowing.compactMap(\.km).sorted(by: >).prefix(4).map { $0 })
    let span = try run(#""fold":"span""#)
    #expect(span.rows.first?.value == .number(Double(first.day.distance(to: last.day) + 1)))
    let days = Set(rowing.map(\.day)).sorted()
    let gap = zip(days, days.dropFirst()).map { $0.distance(to: $1) }.max() ?? 0
    #expect(try run(#""fold":"gap""#).rows.first?.value == .number(Double(gap)))
    var runs: [[DayKey]] = []
    for day in days {
      if let before = runs.last?.last, before.distance(to: day) == 1 {
        runs[runs.count - 1].append(day)
      } else {
        runs.append([day])
      }
    }
    let longest = runs.map(\.count).max() ?? 0
    #expect(try run(#""fold":"run""#).rows.first?.value == .number(Double(longest)))
    let weeks = Set(days.map { $0.startOfWeek().daysSinceEpoch / 7 }).sorted()
    var (inARow, most) = (0, 0)
    for (index, week) in weeks.enumerated() {
      inARow = index > 0 && weeks[index - 1] == week - 1 ? inARow + 1 : 1
      most = max(most, inARow)
    }
    #expect(
      try run(#""fold":"run","group":"week""#).rows.first?.value == .number(Double(most)))
    #expect(
      try run(#""fold":"count","target":"timeSpan""#).rows.first?.value
        == .number(Double(runs.count)))
    let spans = try run(#""target":"timeSpan","order":"most","limit":2"#)
    #expect(spans.rows.first?.value == .number(Double(longest)) && spans.rowCount == runs.count)
    #expect(try run(#""target":"yesNo""#).rows.first?.value == .flag(true))
  }

  @Test func aTrendIsTheLineOfLeastSquares() throws {
    let months = (0..<24).map { month in
      count { ($0.day.year - 2024) * 12 + $0.day.month - 1 == month && $0.tag == "rowing" }
    }
    let (meanX, meanY) = (11.5, months.reduce(0, +) / 24)
    let shared = months.enumerated().reduce(0) {
      $0 + (Double($1.offset) - meanX) * ($1.element - meanY)
    }
    let spread = (0..<24).reduce(0) { $0 + (Double($1) - meanX) * (Double($1) - meanX) }
    let trend = try life.run(
      #"{"source":{"entries":{"tag":"rowing"}},"fold":"trend","group":"month"}"#)
    #expect(isNear(trend.rows.first?.value.number, shared / spread))
  }

  @Test func twoSidesAreComparedAndShared() throws {
    let sides = #""source":{"entries":{"tag":"rowing"}},"against":{"entries":{"tag":"baking"}}"#
    let (one, other) = (count { $0.tag == "rowing" }, count { $0.tag == "baking" })
    let compared = try life.run(#"{\#(sides),"fold":"compare"}"#)
    #expect(compared.rows.map(\.value.number) == [one, other, one - other])
    let summed = try life.run(#"{\#(sides),"fold":"compare","by":"sum","unit":"km"}"#)
    let km = life.entries.filter { $0.tag == "rowing" }.compactMap(\.km).reduce(0, +)
    #expect(isNear(summed.rows.first?.value.number, km))
    let share = try life.run(
      #"{"source":{"entries":{"tag":"sky"}},"against":{"entries":{}},"fold":"share"}"#)
    #expect(
      isNear(
        share.rows.first?.value.number,
        100 * count { $0.tag == "sky" } / Double(life.entries.count)))
  }

  // MARK: Doubts

  @Test func whatTheArchiveDoesNotKnowIsSaidOnce() throws {
    let unknown = try life.run(#"{"source":{"entries":{"tag":"chess"}},"fold":"count"}"#)
    #expect(unknown.caveats == ["No entry has the tag “chess”."])
    let two = try life.run(#"{"source":{"entries":{"person":"Tomas"}},"fold":"count"}"#)
    #expect(two.caveats.count == 1)
    #expect(two.caveats.first?.contains("Tomas Berg") == true)
    let nothing = try life.run(#"{"source":{"entries":{"concept":"zeppelin"}},"fold":"count"}"#)
    #expect(nothing.groundings.first?.manner == .nothing && nothing.itemCount == 0)
    let some = try life.run(#"{"source":{"entries":{}},"fold":"sum","unit":"km"}"#)
    #expect(some.caveats.first?.hasPrefix("An amount is given in only ") == true)
  }

  @Test func aQueryEndsWhenItIsCancelled() throws {
    #expect(throws: CancellationError.self) {
      try life.run(#"{"source":{"entries":{}},"fold":"count"}"#) { throw CancellationError() }
    }
  }

  // MARK: Words

  @Test(arguments: [
    (
      #"{"source":{"entries":{"tag":"chess"}}}"#, "No entry has the tag “chess”.",
      "Kein Eintrag hat das Schlagwort „chess“."
    ),
    (#"{"source":{"days":{"time":"2024"}},"fold":"count"}"#, "366 days.", "366 Tage."),
    (#"{"source":{"days":{"time":"2024-02-29"}},"target":"yesNo"}"#, "Yes, 1 day.", "Ja, 1 Tag."),
    (
      #"{"source":{"days":{"time":"2024"}},"fold":"run"}"#,
      "Longest streak: 366 days, from 1 January 2024 to 31 December 2024.",
      "Längste Serie: 366 Tage, vom 1. Januar 2024 bis zum 31. Dezember 2024."
    ),
    (
      #"{"source":{"days":{"time":"february 2024"}},"fold":"count","group":"month"}"#,
      "February 2024: 29.", "Februar 2024: 29."
    ),
    (
      #"{"source":{"days":{"time":"2024-02-29"}},"fold":"first","target":"day"}"#,
      "29 February 2024.", "29. Februar 2024."
    ),
    (
      #"{"source":{"days":{"time":"february 2024"}},"against":{"days":{"time":"march 2024"}},"fold":"compare"}"#,
      "29 days compared with 31 days, a difference of 2 days.",
      "29 Tage gegenüber 31 Tage: 2 Tage weniger."
    ),
    (
      #"{"source":{"days":{"time":"june 2025"}},"against":{"days":{"time":"2025"}},"fold":"share"}"#,
      "8.2%: 30 days out of 365.", "8,2 %: 30 Tage von 365."
    ),
  ])
  func answersAreWordedInBothLanguages(_ query: String, _ english: String, _ german: String) throws
  {
    let outcome = try ShownDates.speaking(.english) {
      let outcome = try life.run(query)
      #expect(QueryRealizer(outcome).text == english)
      return outcome
    }
    let told = try ShownDates.speaking(.german) { QueryRealizer(try life.run(query)).text }
    #expect(told == german)
    #expect(outcome.caveats.count <= 1)
  }
}
