import ArkivedCore
import Testing

@Suite struct QuickAddUnitTests {
  private let table = UnitTable.standard

  @Test(arguments: [
    ("km", "km"), ("Kilometres", "km"), ("mile", "miles"), ("mi", "miles"), ("hr", "hours"),
    ("MIN", "minutes"), ("lbs", "lb"), ("page", "pages"), ("glass", "glasses"),
    ("pushups", "push-ups"), ("parsecs", "parsecs"),
  ])
  func namesUnitsInOneWay(name: String, canonical: String) {
    #expect(table.canonicalName(name) == canonical)
  }

  @Test(
    arguments: [
      (26.2, "miles", "km", 42.164_813), (1, "h", "min", 60), (150, "lb", "kg", 68.038_855_5),
      (2.5, "l", "ml", 2500), (90, "minutes", "hours", 1.5), (1, "kcal", "kJ", 4.184),
      (3, "feet", "m", 0.9144), (11, "stone", "kg", 69.853_224_98),
    ] as [(Double, String, String, Double)])
  func convertsWithinAKind(amount: Double, from: String, to: String, expected: Double) throws {
    let result = try #require(table.convert(amount, from: from, to: to))
    #expect(abs(result - expected) < 1e-6)
    let back = try #require(table.convert(result, from: to, to: from))
    #expect(abs(back - amount) < 1e-9 * max(1, amount))
  }

  @Test func convertsNothingElse() {
    #expect(table.convert(1, from: "km", to: "kg") == nil)
    #expect(table.convert(1, from: "pages", to: "words") == nil)
    #expect(table.convert(1, from: "parsecs", to: "km") == nil)
    #expect(table.convert(3, from: "parsecs", to: "Parsecs") == 3)
  }

  @Test func sumsWhatAUnitCanHold() throws {
    let sum = try #require(table.amount(of: "km", in: ["miles": 1, "km": 2, "kg": 70]))
    #expect(abs(sum - 3.609_344) < 1e-9)
    #expect(table.amount(of: "pages", in: ["km": 2]) == nil)
  }

  @Test(
    "Right behind hours, m is for minutes; elsewhere it is for metres",
    arguments: [
      ("slept 7h 59m", ["minutes": 479.0]), ("slept 7 h 30 m", ["minutes": 450]),
      ("slept 1h30m", ["minutes": 90]), ("swam 400 m", ["m": 400]),
      ("swam for an hour, 400 m", ["m": 400]),
    ])
  func readsMinutesBehindHours(line: String, measurements: [String: Double]) throws {
    let reader = QuickAddReader(
      now: try #require(Instant("2026-11-21T09:00:00Z")), zone: .utc)
    #expect(try reader.read(line).measurements == measurements, "\(line)")
  }

  @Test func takesFurtherUnits() throws {
    let more = table.adding([MeasureUnit("tricks", .count, singular: "trick")])
    #expect(more.unit(named: "Trick")?.name == "tricks")
    #expect(more.unit(named: "km")?.name == "km")
    let reader = QuickAddReader(
      now: try #require(Instant("2026-11-21T09:00:00Z")), zone: .utc, units: more)
    #expect(try reader.read("taught the dog 3 tricks").measurements == ["tricks": 3])
  }

  @Test func writesOneInTheSingular() {
    #expect(table.unit(named: "pages")?.text(1) == "1 page")
    #expect(table.unit(named: "pages")?.text(2) == "2 pages")
    #expect(table.unit(named: "km")?.text(5.25) == "5.25 km")
  }
}
