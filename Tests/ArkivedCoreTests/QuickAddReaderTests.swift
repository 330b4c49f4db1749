import ArkivedCore
import Testing

enum QuickAddTable {
  static let people = [
    KnownPerson(name: "Sam Lee"), KnownPerson(name: "Priya Nair", aliases: ["Pri"]),
    KnownPerson(name: "Alex Kim"), KnownPerson(name: "Alex Moss"), KnownPerson(name: "Will Stone"),
    KnownPerson(name: "Mum"),
  ]

  static func reader(
    people: [KnownPerson] = people, language: Language = .english
  ) throws -> QuickAddReader {
    QuickAddReader(
      now: try #require(Instant("2026-11-21T09:00:00Z")),
      zone: try #require(Zone("Europe/Berlin")), knownPeople: people, dateOrder: .dayFirst,
      language: language)
  }

  static func text(_ reading: QuickAddReading) -> String {
    var parts = [reading.text]
    if reading.dayKey != DayKey("2026-11-21") { parts.append("day \(reading.dayKey)") }
    if let start = reading.start {
      let mark = start.day == reading.dayKey ? "" : "\(start.day) "
      let end = reading.end.map { end in
        let days = start.day.distance(to: end.day)
        return "-\(end.clockText)" + (days == 0 ? "" : "+\(days)")
      }
      parts.append("at \(mark)\(start.clockText)\(end ?? "")")
    } else if let end = reading.end {
      parts.append("until \(end.day == reading.dayKey ? "" : "\(end.day) ")\(end.clockText)")
    }
    if let minutes = reading.durationMinutes { parts.append("for \(AmountText.plain(minutes))") }
    if let kind = reading.kind { parts.append("kind \(kind)") }
    if !reading.tags.isEmpty { parts.append("tags " + reading.tags.joined(separator: ",")) }
    if !reading.people.isEmpty { parts.append("people " + reading.people.joined(separator: ",")) }
    for (unit, amount) in reading.measurements.sorted(by: { $0.key < $1.key }) {
      parts.append("\(AmountText.plain(amount)) \(unit)")
    }
    if let place = reading.place { parts.append("place \(place)") }
    return parts.joined(separator: " | ")
  }

  /// Compares each line of a table with what is read.
  static func check(
    _ table: String, language: Language = .english,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let reader = try QuickAddTable.reader(language: language)
    for row in table.split(separator: "\n") {
      let parts = row.split(separator: " => ").map(String.init)
      let line = try #require(parts.first)
      let outcome: String
      do {
        let reading = try reader.read(line)
        outcome = text(reading)
        #expect(reading.typedText == line, sourceLocation: location)
      } catch {
        outcome = "error: \(error)"
      }
      #expect(outcome == parts.last, "in: \(line)", sourceLocation: location)
    }
  }
}

@Suite struct QuickAddReaderTests {
  @Test func readsTheLineOfTheReference() throws {
    let line = "lunch with Sam at Joe's 12:30-13:15 #friends #food @Sam"
    let reading = try QuickAddTable.reader(people: []).read(line)
    #expect(reading.text == "lunch with Sam at Joe's")
    #expect(reading.start?.description == "2026-11-21T12:30:00")
    #expect(reading.end?.description == "2026-11-21T13:15:00")
    #expect(reading.tags == ["friends", "food"])
    #expect(reading.people == ["Sam"])
    #expect(reading.place == "Joe's")
    #expect(reading.durationMinutes == nil)
    #expect(
      reading.understood.map(\.words) == [
        "at Joe's", "12:30-13:15", "#friends", "#food", "@Sam",
      ])
    #expect(reading.understood.map(\.role) == [.place, .time, .tag, .tag, .person])
    #expect(reading.understood.allSatisfy { String(line[$0.range]) == $0.words })
  }

  @Test func labelsWhatItUnderstood() throws {
    let reading = try QuickAddTable.reader().read("last sunday 23:30-00:15: ran 5 km kind:health")
    #expect(
      reading.understood.map(\.label) == [
        "Sunday, 15 November 2026", "23:30–00:15 (+1)", "5 km", "health",
      ])
    let long = try QuickAddTable.reader().read("walked for 1 hour 30 minutes")
    #expect(long.understood.map(\.label) == ["1 h 30 min"])
  }

  @Test func refusesLinesWithoutAnyWord() throws {
    let reader = try QuickAddTable.reader()
    for line in ["", "   ", "\n\t", "\u{0}\u{1}\u{7}", "\u{200B}\u{FEFF}"] {
      #expect(throws: QuickAddError.empty) { try reader.read(line) }
    }
    #expect(throws: QuickAddError.nothingDone(understood: "a day, a time and tags")) {
      try reader.read("yesterday at 7am: #run")
    }
    #expect(throws: QuickAddError.nothingDone(understood: "symbols")) { try reader.read("...") }
  }

  @Test func namesBothTimesOfAContradiction() throws {
    #expect(throws: QuickAddError.endBeforeStart(start: "15:00", end: "14:00")) {
      try QuickAddTable.reader().read("meeting from 15:00 to 14:00")
    }
  }

  @Test func knowsLinesThatBeginWithATime() throws {
    let reader = try QuickAddTable.reader()
    for line in [
      "yesterday at 7am: ran 5 km", "today: x", "12:30: lunch", "at 3pm: call", "last sunday: run",
      "2026-03-14: x", "on 31 february: x", "tonight: x", "9:00-10:00: x", "  yesterday: x",
      "2 hours ago: x", "christmas eve: x",
    ] { #expect(reader.startsWithTime(line), "in: \(line)") }
    for line in [
      "search 2019: x", "note: yesterday", "today", "yesterday ran 5 km", "last month: x",
      "2019: x",
      "", ":", "since monday: x", "until noon: x", "ran at 7am: good",
    ] { #expect(!reader.startsWithTime(line), "in: \(line)") }
  }

  @Test func readsAnyMixtureWithoutHarm() throws {
    var steps = TimeReaderRobustnessTests.Steps(state: 7)
    let pieces =
      TimeReaderRobustnessTests.pieces + [
        "@Sam", "#tag", "@\"", "kind:work", "(Work)", "5,2", "km", "for", "in", "Rome", "Sam's",
        "min",
        "1h30", "Alex", "with", "-", "5e5", "8,000", "steps",
      ]
    let reader = try QuickAddTable.reader()
    for _ in 0..<3000 {
      let line = (0..<Int.random(in: 1...10, using: &steps)).map { _ in
        (pieces.randomElement(using: &steps) ?? "") + (Bool.random(using: &steps) ? " " : "")
      }.joined()
      _ = reader.startsWithTime(line)
      guard let reading = try? reader.read(line) else { continue }
      #expect(!reading.text.isEmpty)
      #expect(reading.measurements.values.allSatisfy { $0.isFinite && $0 >= 0 }, "in: \(line)")
      if let start = reading.start, let end = reading.end { #expect(start <= end, "in: \(line)") }
      #expect(reading.understood.allSatisfy { String(line[$0.range]) == $0.words })
      for tag in reading.tags { #expect(throws: Never.self) { try Tag.validate(name: tag) } }
    }
  }

  // A reader whose work grows with the square of the text would take hours.
  @Test(.timeLimit(.minutes(20))) func readsAMegabyteToItsEnd() throws {
    let crowd = (0..<2000).map { KnownPerson(name: "Name\($0 % 50) Family\($0)") }
    let reader = try QuickAddTable.reader(people: crowd)
    for piece in [
      "word ", "#t ", "@Sam ", "12:30 #a ", "5 km ", "at Rome ", "with Name3 ", "for 3 h ", "x",
    ] {
      let line = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
      _ = try? reader.read(line)
    }
  }

  @Test func keepsTheWholeOfALongLine() throws {
    let line = "yesterday: " + String(repeating: "word ", count: 20_000) + "end"
    let reading = try QuickAddTable.reader().read(line)
    #expect(reading.dayKey == DayKey("2026-11-20"))
    #expect(reading.text.hasSuffix("word end"))
    #expect(reading.text.utf8.count == line.utf8.count - "yesterday: ".utf8.count)
  }
}
