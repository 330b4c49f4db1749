import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

/// What questions are answered from: a file beside the archive and what has changed since.
@Suite("The timeline of an archive")
struct ArchiveTimelineTests {
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    for day in 1...9 {
      try test.add(
        "ran along the canal", on: "2026-02-0\(day)", from: "07:00", to: "07:30", tags: ["sport"],
        measurements: ["km": 5])
    }
    try test.add("soup for lunch", on: "2026-02-03", people: ["Priya Nair"])
    _ = try test.archive.updateDay(try #require(DayKey("2026-02-04"))) {
      $0.note = "The heron stood in the river."
      $0.mood = 4
    }
    return test
  }

  private func timelines(_ archive: Archive) -> ArchiveTimelines {
    ArchiveTimelines(archive, smallLimit: 0)
  }

  private func answer(
    _ question: String, _ test: TestArchive, _ timelines: ArchiveTimelines
  ) throws -> Answer {
    try AskEngine(archive: timelines.archive, zone: test.zone, timelines: timelines)
      .answer(question)
  }

  private func count(
    _ question: String, _ test: TestArchive, _ timelines: ArchiveTimelines
  ) throws -> Double? {
    try answer(question, test, timelines).values.first?.double
  }

  private func files(_ test: TestArchive) throws -> [String] {
    let folder = test.folder.url.appendingPathComponent("archive/index")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasPrefix("timeline-") }
  }

  @Test func whoWasMergedIsCountedAsTheOneTheyAre() throws {
    let test = try archive()
    func person(_ name: String) throws -> Person {
      try test.archive.create(
        Person(
          id: test.archive.identities.next(), name: name, createdAt: test.clock.now,
          updatedAt: test.clock.now)
      ).value
    }
    let (full, short) = (try person("Kim Lee"), try person("K. Lee"))
    func add(_ text: String, on day: String, with people: [Person]) throws {
      var entry = try test.activity(text, on: day)
      entry.people = people.map { Mention(name: $0.displayName, personID: $0.id) }
      _ = try test.archive.add(entry)
    }
    try add("dinner", on: "2026-02-05", with: [full])
    try add("review", on: "2026-02-06", with: [full, short])
    try add("lunch", on: "2026-02-07", with: [short])
    let timelines = timelines(test.archive)
    let often = "how often did I see Kim Lee?"
    #expect(try count(often, test, timelines) == 2)
    let merged = try test.archive.merge(short.id, into: full.id)
    #expect(try count(often, test, timelines) == 3)
    #expect(try count(often, test, self.timelines(test.archive)) == 3)
    let who = try answer("who did I see most?", test, timelines)
    #expect(who.values.map(\.string) == ["Kim Lee"])
    let today = try #require(DayKey("2026-03-14"))
    #expect(try test.archive.person(full.id, today: today)?.entryCount == 3)
    _ = try test.archive.undo(merged.change?.id)
    #expect(try count(often, test, timelines) == 2)
  }

  @Test("What is added, changed, deleted and taken back is in the very next answer")
  func changesAreSeen() throws {
    let test = try archive()
    let timelines = timelines(test.archive)
    let question = "how many times did I run in February?"
    #expect(try count(question, test, timelines) == 9)
    let more = try test.add("ran home", on: "2026-02-20")
    #expect(try count(question, test, timelines) == 10)
    _ = try test.archive.updateActivity(more.id) { $0.text = "walked home" }
    #expect(try count(question, test, timelines) == 9)
    _ = try test.archive.updateActivity(more.id) { $0.text = "ran home again" }
    let deleted = try test.archive.deleteActivities([more.id])
    #expect(try count(question, test, timelines) == 9)
    _ = try test.archive.undo(try #require(deleted.change).id)
    #expect(try count(question, test, timelines) == 10)
  }

  @Test("Tags, people, amounts, days and moods that change count at once")
  func fieldsAreSeen() throws {
    let test = try archive()
    let timelines = timelines(test.archive)
    #expect(try count("how many km did I run in February?", test, timelines) == 45)
    let entry = try test.add("ran to the sea", on: "2026-02-21", measurements: ["km": 10])
    #expect(try count("how many km did I run in February?", test, timelines) == 55)
    _ = try test.archive.updateActivity(entry.id) {
      $0.measurements = ["km": 12]
      $0.people = [Mention(name: "Priya Nair")]
      $0.dayKey = DayKey("2026-03-01") ?? $0.dayKey
      $0.tags = ["coast"]
    }
    #expect(try count("how many km did I run in February?", test, timelines) == 45)
    #expect(try count("how many km did I run in March?", test, timelines) == 12)
    #expect(try count("how often did I do something with Priya this year?", test, timelines) == 2)
    #expect(try count("how many times #coast this year?", test, timelines) == 1)
    #expect(try count("what was my average mood in February?", test, timelines) == 4)
    _ = try test.archive.updateDay(try #require(DayKey("2026-02-05"))) { $0.mood = 2 }
    #expect(try count("what was my average mood in February?", test, timelines) == 3)
  }

  @Test("Another program's file is used, and its changes too")
  func otherProgramsAreSeen() throws {
    let test = try archive()
    #expect(try count("how many times did I run?", test, timelines(test.archive)) == 9)
    let made = try files(test)
    #expect(made.count == 1)
    let other = try test.another()
    let theirs = timelines(other)
    #expect(try count("how many times did I run?", test, theirs) == 9)
    #expect(try files(test) == made)
    try test.add("ran home", on: "2026-02-20")
    #expect(try count("how many times did I run?", test, theirs) == 10)
  }

  @Test(
    "A damaged, cut off, foreign or missing file is done without and made again",
    arguments: 0..<5)
  func damageIsMended(kind: Int) throws {
    let test = try archive()
    #expect(try count("how many times did I run?", test, timelines(test.archive)) == 9)
    let name = try #require(try files(test).first)
    let file = test.folder.url.appendingPathComponent("archive/index/\(name)")
    var bytes = try Data(contentsOf: file)
    switch kind {
    case 0: try FileManager.default.removeItem(at: file)
    case 1: try bytes.prefix(bytes.count / 2).write(to: file)
    case 2: try Data("something else".utf8).write(to: file)
    case 3: try Data().write(to: file)
    default:
      // One bit of a day, which no bound would show.
      bytes[200] ^= 1
      try bytes.write(to: file)
    }
    let again = timelines(test.archive)
    #expect(try count("how many times did I run?", test, again) == 9)
    #expect(try files(test).count == 1)
    #expect(try answer("what was the heron doing?", test, again).citationCount == 1)
  }

  @Test("The file is made anew when much has changed, and the old one goes")
  func muchChanges() throws {
    let test = try archive()
    let timelines = timelines(test.archive)
    #expect(try count("how many times did I run?", test, timelines) == 9)
    let before = try files(test)
    for number in 0..<6 { try test.add("ran lap \(number)", on: "2026-03-10") }
    #expect(try count("how many times did I run?", test, timelines) == 15)
    try timelines.keep(limit: 6)
    #expect(try files(test) == before)
    try timelines.keep(limit: 5)
    let after = try files(test)
    #expect(after.count == 1 && after != before)
    #expect(try count("how many times did I run?", test, timelines) == 15)
  }

  @Test("What another program is writing beside it stays; what a killed one left goes")
  func unfinishedFiles() throws {
    let test = try archive()
    let (used, abandoned) = (
      "archive/index/.incoming-9F86D081-0000-4000-8000-000000000001",
      "archive/index/.incoming-9F86D081-0000-4000-8000-000000000002"
    )
    let kept = try test.folder.file(used, "half a word index")
    let left = try test.folder.file(abandoned, "half a timeline")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)], ofItemAtPath: left.path)
    try timelines(test.archive).keep()
    #expect(try files(test).count == 1)
    #expect(FileManager.default.fileExists(atPath: kept.path))
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test("A question isn't kept waiting by whoever makes the file beside other work")
  func questionsDoNotWait() throws {
    let test = try archive()
    for number in 0..<1_024 { try test.add("counted heron \(number)", on: "2026-03-10") }
    let timelines = timelines(test.archive)
    let answered = Mutex<Double?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    try timelines.keep {
      // The work has begun, and goes on only when the question is answered.
      Thread.detachNewThread {
        let found = try? count("how many times did I run?", test, timelines)
        answered.withLock { $0 = found }
        isAnswered.signal()
      }
      isAnswered.wait()
      return false
    }
    #expect(answered.withLock { $0 } == 9)
    #expect(try files(test).count == 1)
  }

  @Test("What is written in an activity's notes is found where nothing else tells of it")
  func notesOfActivities() throws {
    let test = try archive()
    var meeting = try test.activity("planning with the team", on: "2026-02-10")
    meeting.notes = "Tomas wants to repaint the lighthouse. Budget is open."
    _ = try test.archive.add(meeting)
    let found = try answer("when did we talk about the lighthouse?", test, timelines(test.archive))
    #expect(found.citations.map(\.id) == [meeting.id])
    #expect(found.citations.first?.type == .activity)
  }

  @Test("What a phone measures in pounds and a scale in kilograms is told in one unit")
  func figuresOfTwoUnits() throws {
    let test = try TestArchive()
    func add(_ metric: String, _ value: Double, _ unit: String, _ source: String, on day: DayKey)
      throws
    {
      _ = try test.archive.write(by: .importer, "import", "metrics") { scope in
        try scope.insert(
          DayMetric(
            id: test.archive.identities.next(), dayKey: day, metric: metric, unit: unit,
            value: value, source: source, createdAt: test.clock.now, updatedAt: test.clock.now))
      }
    }
    let (first, second) = (
      try #require(DayKey("2026-02-01")), try #require(DayKey("2026-02-02"))
    )
    try add("weight", 80, "kg", "scale", on: first)
    try add("weight", 170, "lb", "phone", on: first)
    try add("weight", 200, "lb", "phone", on: second)
    try add("steps", 9000, "steps", "phone", on: second)
    try add("bodyTemperature", 98.6, "°F", "phone", on: first)
    try add("bodyTemperature", 36, "°C", "ring", on: first)
    let units = try test.archive.metricNames(after: 0).names
    #expect(units == ["weight": "kg", "steps": "steps", "bodyTemperature": "°C"])
    let days = try test.archive.dayFigures(in: first...second, units: units).map(\.1.metrics)
    // The mean of 80 kg and 77.11 kg, and of 37 °C and 36 °C.
    #expect(days.map { $0["weight"] ?? 0 }.map { ($0 * 100).rounded() } == [7856, 9072])
    #expect(((days.first?["bodyTemperature"] ?? 0) * 100).rounded() == 3650)
    #expect(days.last?["steps"] == 9000)
  }

  @Test("Glucose is converted by what a mole of it weighs, and what can't be converted isn't told")
  func figuresOfSubstances() throws {
    let test = try TestArchive()
    let days = [try #require(DayKey("2026-02-01")), try #require(DayKey("2026-02-02"))]
    let figures = [("bloodGlucose", 90.0, 5.5), ("cholesterol", 190.0, 5.0)]
    for (metric, first, second) in figures {
      for (day, value, unit) in [(days[0], first, "mg/dL"), (days[1], second, "mmol/L")] {
        _ = try test.archive.write(by: .importer, "import", "metrics") { scope in
          try scope.insert(
            DayMetric(
              id: test.archive.identities.next(), dayKey: day, metric: metric, unit: unit,
              value: value, source: unit, createdAt: test.clock.now, updatedAt: test.clock.now))
        }
      }
    }
    let units = try test.archive.metricNames(after: 0).names
    #expect(units == ["bloodGlucose": "mmol/L", "cholesterol": "mmol/L"])
    let told = try test.archive.dayFigures(in: days[0]...days[1], units: units).map(\.1.metrics)
    #expect(told.map { (($0["bloodGlucose"] ?? 0) * 100).rounded() } == [500, 550])
    #expect(told.map { $0["cholesterol"] } == [nil, 5])
  }

  @Test(
    "Of several devices, the most steps count, the lowest pulse at rest, and the mean of readings",
    arguments: [
      ("steps", "count", [8_000.0, 9_500.0, 7_000.0], 9_500.0),
      ("sleepMinutes", "min", [400.0, 450.0], 450.0),
      ("restingHeartRate", "bpm", [58.0, 52.0, 55.0], 52.0),
      ("heartRate", "bpm", [70.0, 80.0, 90.0, 60.0], 75.0),
      ("heartRateVariability", "ms", [40.0, 60.0], 50.0),
      ("oxygenSaturation", "%", [98.0, 96.0], 97.0),
      ("weight", "kg", [80.0, 82.0], 81.0),
    ])
  func figuresOfSeveralDevices(
    metric: String, unit: String, values: [Double], expected: Double
  ) throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-02-01"))
    for (number, value) in values.enumerated() {
      _ = try test.archive.write(by: .importer, "import", "metrics") { scope in
        try scope.insert(
          DayMetric(
            id: test.archive.identities.next(), dayKey: day, metric: metric, unit: unit,
            value: value, source: "device \(number)", createdAt: test.clock.now,
            updatedAt: test.clock.now))
      }
    }
    let units = try test.archive.metricNames(after: 0).names
    let figures = try test.archive.dayFigures(in: day...day, units: units)
    #expect(figures.map { $0.1.metrics } == [[metric: expected]])
  }
}
