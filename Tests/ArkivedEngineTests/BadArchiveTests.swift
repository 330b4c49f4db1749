import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

/// What may come in a zip archive, under another name, or as half a database.
@Suite("Zip archives that mean harm, and files of other names", .timeLimit(.minutes(20)))
struct BadArchiveTests {
  /// A sound archive of a format: its files.
  struct Sample: CustomTestStringConvertible, Sendable {
    var format: String
    var files: [String: String]

    var testDescription: String { format }

    static let journal = """
      {"metadata":{"version":"1.0"},"entries":[{"uuid":"2F8DDCA258634D9994DF3A4FEE328035",
      "creationDate":"2026-03-03T11:48:50Z","text":"By the sea"}]}
      """
    static let ride = """
      <gpx version="1.1"><trk><name>Ride</name><trkseg>
      <trkpt lat="50.05" lon="14.34"><time>2026-03-03T09:00:00Z</time></trkpt>
      <trkpt lat="50.07" lon="14.34"><time>2026-03-03T09:10:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    static let records = """
      {"locations":[
      {"latitudeE7":500506312,"longitudeE7":143439906,"accuracy":9,"timestamp":"2026-03-03T09:00:00Z"},
      {"latitudeE7":500506400,"longitudeE7":143439906,"accuracy":9,"timestamp":"2026-03-03T09:20:00Z"}]}
      """
    static let health = """
      <HealthData locale="en_GB"><Workout workoutActivityType="HKWorkoutActivityTypeRunning"
      duration="30" durationUnit="min" sourceName="Watch" startDate="2026-03-03 07:00:00 +0100"
      endDate="2026-03-03 07:30:00 +0100"/></HealthData>
      """
    static let habits = """
      Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
      001,Wake,YES_NO,Did you?,,1,1,#FFF,,,,false

      """

    /// Base64 of a list with one entry.
    static let backup =
      "eyJjdXN0b21Nb29kcyI6W10sImRheUVudHJpZXMiOlt7InllYXIiOjIwMjYsIm1vbnRoIjoyLCJkYXki"
      + "OjMsImhvdXIiOjEsIm1pbnV0ZSI6MH1dfQ==\n"

    static let all = [
      Sample(
        format: "daylio",
        files: [
          "backup.daylio": backup,
          "assets/photos/2026/3/d41d8cd98f00b204e9800998ecf8427e": "no photo",
        ]),
      Sample(format: "dayone", files: ["Journal.json": journal]),
      Sample(format: "gpx", files: ["a/ride.gpx": ride]),
      Sample(format: "google", files: ["Takeout/Location History/Records.json": records]),
      Sample(format: "applehealth", files: ["apple_health_export/export.xml": health]),
      Sample(
        format: "loop",
        files: [
          "Habits.csv": habits, "001 Wake/Checkmarks.csv": "Date,Value,Notes\n2026-03-03,2,\n",
        ]),
      Sample(
        format: "markdown",
        files: ["vault/.obsidian/app.json": "{}", "vault/2026-03-03.md": "A day by the sea\n"]),
      Sample(
        format: "jsonl",
        files: [
          "mixed/life.jsonl": #"{"type":"activity","text":"tea","dayKey":"2026-03-03"}"# + "\n",
          "mixed/readme.txt": "hello",
        ]),
    ]

    func zip(_ change: (inout TestZip) -> Void = { _ in }) throws -> Data {
      var zip = TestZip()
      for (name, text) in files.sorted(by: { $0.key < $1.key }) { zip.add(name, Data(text.utf8)) }
      change(&zip)
      return try zip.data()
    }
  }

  private func formats(_ test: TestArchive, _ name: String, _ content: Data) throws -> [String] {
    let file = try test.folder.file(name, content)
    do {
      let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
      #expect(runs.allSatisfy { !$0.created.isEmpty || !$0.warnings.isEmpty || $0.unchanged > 0 })
      return runs.map(\.format)
    } catch let refusal as ImportRefusal {
      #expect(!refusal.message.isEmpty && !refusal.place.isEmpty)
      return []
    } catch let error as ArchiveError {
      #expect(!error.description.isEmpty)
      return []
    }
  }

  @Test(arguments: Sample.all)
  func namesAndLinksThatLeadElsewhereWriteAndReadNothingThere(sample: Sample) throws {
    let test = try TestArchive()
    #expect(try formats(test, "sound.zip", sample.zip()) == [sample.format])
    let secret = try test.folder.file("secret.md", "the secret words")
    let evil = test.folder.url.appendingPathComponent("evil.md").path
    let content = try sample.zip { zip in
      for name in [evil, "../../../evil.md", "a/../../evil.md", "..\\evil.md"] {
        zip.add(name, Data("evil".utf8))
      }
      zip.addLink("photos/2026-03-04.md", to: secret.path)
      zip.addLink("2026-03-05.md", to: "../secret.md")
    }
    #expect(try formats(test, "evil.zip", content).allSatisfy { $0 == sample.format })
    let told = try test.archive.importRuns().flatMap(\.warnings).map(\.message)
    #expect(told.contains { $0.contains("files with unsafe names") })
    #expect(told.contains("a link in the archive; skipped. More links: 1"))
    #expect(!FileManager.default.fileExists(atPath: evil))
    let lines = try ExportJob(archive: test.archive).lines()
    #expect(!lines.contains { $0.contains("secret words") || $0.contains("evil") })
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test(arguments: Sample.all)
  func anEncryptedArchiveIsRefusedAndANestedOneIsFoundOrNamed(sample: Sample) throws {
    let test = try TestArchive()
    let locked = try sample.zip { $0.password = "secret" }
    #expect(try formats(test, "locked.zip", locked).isEmpty)
    #expect(try test.archive.counts().activities == 0)
    var nested = try sample.zip()
    for depth in 1...4 {
      nested = try TestZip([("deep \(depth).zip", nested), ("note.txt", Data("x".utf8))]).data()
      let found = try formats(test, "nested.zip", nested)
      if depth == 1 { #expect(found == [sample.format]) }
      if depth == 4 { #expect(found.isEmpty) }
      #expect(found.allSatisfy { $0 == sample.format })
    }
  }

  @Test(arguments: Sample.all)
  func anArchiveCutOffAnywhereIsReadAsFarAsItGoesOrRefused(sample: Sample) throws {
    let test = try TestArchive()
    let whole = try sample.zip()
    for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 24)) {
      #expect(
        try formats(test, "cut.zip", whole.prefix(length)).allSatisfy { $0 == sample.format },
        "\(length)")
    }
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func whatGrowsBeyondReasonIsLeftOut() throws {
    let test = try TestArchive()
    // 96 MB of nothing take some hundred kilobytes.
    let zeros = Data(count: 96 << 20)
    let zip = try TestZip([("a/2026-03-03.md", zeros), ("a/life.csv", zeros)]).data()
    #expect(zip.count < 1 << 20)
    #expect(try formats(test, "bomb.zip", zip).isEmpty)
    #expect(try test.archive.counts().activities == 0)
  }

  @Test(arguments: ["x.bin", "x.txt", "x.jpg", "x.ics", "x.jsonl", "x.md", "x"])
  func contentTellsTheFormatAndANameThatLiesDoesNoHarm(name: String) throws {
    let test = try TestArchive()
    for sample in Sample.all where sample.files.count == 1 {
      let text = try #require(sample.files.values.first)
      let found = try formats(test, name, Data(text.utf8))
      // Lines and events by name are asked for what they are called.
      #expect(found.allSatisfy { $0 == sample.format }, "\(sample.format) as \(name): \(found)")
    }
  }

  @Test func aDatabaseCutAnywhereIsRefusedOrReadAsFarAsItGoes() throws {
    let test = try TestArchive()
    let database = try TenWeekDatabase.filled(test.folder)
    try database.queue.close()
    let whole = try Data(contentsOf: database.url)
    for length in stride(from: 0, to: whole.count, by: max(512, whole.count / 40)) {
      _ = try formats(test, "cut \(length).db", whole.prefix(length))
    }
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }
}
