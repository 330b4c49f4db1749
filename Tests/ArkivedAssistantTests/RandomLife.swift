import ArkivedCore
import Testing

@testable import ArkivedAssistant

/// A seeded life of two years: a timeline, and the same entries as plain values to count by hand.
struct RandomLife {
  struct Entry: Hashable {
    var day: DayKey
    var minute: Int
    var text: String
    var tag: String
    var people: [String]
    var place: String?
    var km: Double?
    var note: String?
  }

  private(set) var entries: [Entry] = []
  private(set) var moods: [DayKey: Int] = [:]
  private(set) var steps: [DayKey: Double] = [:]
  let timeline: MemoryTimeline
  let zone = Zone.utc

  static let today = DayKey(year: 2025, month: 12, day: 31) ?? .latest

  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func happens(_ perCent: Int) -> Bool {
      Int.random(in: 0..<100, using: &self) < perCent
    }
  }

  private static let doings = [
    ("rowed across the harbour", "rowing"), ("baked rye bread", "baking"),
    ("fixed the old bicycle", "repair"), ("watched the eclipse", "sky"),
  ]

  init(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var lines: [JSON] = ["Mira Holt", "Tomas Lind", "Tomas Berg"].map {
      ["type": "person", "name": .string($0)]
    }
    let first = try #require(DayKey(year: 2024, month: 1, day: 1))
    for day in first...Self.today {
      // The first day too, from which days are counted.
      if chance.happens(60) || day == first {
        moods[day] = Int.random(in: 1...5, using: &chance)
        lines.append(["type": "day", "dayKey": JSON(day), "mood": JSON(moods[day])])
      }
      if chance.happens(70) {
        steps[day] = Double(Int.random(in: 1_000...20_000, using: &chance))
        lines.append([
          "type": "metric", "dayKey": JSON(day), "metric": "steps", "unit": "steps",
          "value": JSON(steps[day]),
        ])
      }
      var minute = 0
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        minute += Int.random(in: 30...450, using: &chance)
        let (text, tag) = chance.pick(Self.doings)
        var entry = Entry(day: day, minute: minute, text: text, tag: tag, people: [])
        if chance.happens(50) { entry.people.append(chance.pick(["Mira Holt", "Tomas Lind"])) }
        if chance.happens(20) { entry.people.append("Tomas Berg") }
        if chance.happens(60) {
          entry.place = chance.pick(["Harbour", "North Pier", "Workshop"])
        }
        if chance.happens(40) { entry.km = Double(Int.random(in: 1...80, using: &chance)) / 4 }
        if chance.happens(10) { entry.note = "a gull stole the sandwich" }
        entries.append(entry)
      }
    }
    for entry in entries {
      let clock = "\(entry.minute / 60 + 100):\(entry.minute % 60 + 100)".split(separator: ":")
      let time = clock.map { $0.dropFirst() }.joined(separator: ":")
      var line: JSONObject = [
        "type": "activity", "startAt": .string("\(entry.day)T\(time):00Z"), "timeZone": "UTC",
        "text": .string(entry.text), "tags": [.string(entry.tag)], "people": JSON(entry.people),
        "kind": entry.tag == "sky" ? "leisure" : "work",
      ]
      if let place = entry.place { line["locationLabel"] = .string(place) }
      if let km = entry.km { line["measurements"] = ["km": JSON(km)] }
      if let note = entry.note { line["notes"] = .string(note) }
      lines.append(.object(line))
    }
    timeline = MemoryTimeline(
      jsonLines: lines.map { $0.text() }.joined(separator: "\n"), zone: .utc)
  }

  /// No records, which need an archive.
  private struct NoRecords: QueryRecords {
    func records(_ kind: Query.ItemKind) -> [QueryRecord] { [] }
    func rows(from source: String) -> Set<Int64> { [] }
  }

  func query(_ text: String) throws -> Query {
    let now = zone.start(of: Self.today)
    return try QueryDecoder(reader: TimeReader(now: now, zone: zone)).query(JSON(parsing: text))
  }

  func run(_ text: String, check: @escaping () throws -> Void = {}) throws -> QueryOutcome {
    let selector = QuerySelector(
      timeline.table, today: Self.today, records: NoRecords(), grounder: WordGrounder(),
      check: check)
    return try QueryExecutor(selector: selector, check: check).outcome(of: try query(text))
  }

  func value(_ text: String) throws -> Double? { try run(text).rows.first?.value.number }
}
