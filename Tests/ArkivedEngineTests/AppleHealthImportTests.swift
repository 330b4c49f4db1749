import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

/// Exports as iOS 17 writes them.
@Suite("Apple Health in the archive")
struct AppleHealthImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ content: Data) throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file(name, content)).first)
  }

  private func run(_ elements: String, exported: String = "2026-03-01 10:00:00 +0100") throws
    -> ImportRun
  {
    try run("export.xml", Data(export(elements, exported: exported).utf8))
  }

  private func export(_ elements: String, exported: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
    ]>
    <HealthData locale="en_GB">
     <ExportDate value="\(exported)"/>
    \(elements)</HealthData>

    """
  }

  private func steps(_ value: Int, _ clock: String) -> String {
    """
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
    startDate="2026-02-10 \(clock) +0100" endDate="2026-02-10 \(clock) +0100" value="\(value)"/>

    """
  }

  private func walk(_ kilometres: String) -> String {
    """
     <Workout workoutActivityType="HKWorkoutActivityTypeWalking" duration="30" durationUnit="min" \
    totalDistance="\(kilometres)" totalDistanceUnit="km" sourceName="Watch" \
    startDate="2026-02-10 12:00:00 +0100" endDate="2026-02-10 12:30:00 +0100"/>

    """
  }

  private let night = """
     <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
    startDate="2026-02-09 23:00:00 +0100" endDate="2026-02-10 06:30:00 +0100" \
    value="HKCategoryValueSleepAnalysisAsleepUnspecified"/>

    """

  private func day() throws -> Day { try test.day("2026-02-10") }

  /// The phone writes everything by the clock of where it exports.
  @Test func anExportThatWasMadeOnAJourneyMovesNothing() throws {
    let home = steps(500, "03:00:00") + walk("2.0")
    #expect(try run(home).created == ["activity": 1, "metric": 1])
    let away =
      home.replacing("2026-02-10 03:00:00 +0100", with: "2026-02-09 21:00:00 -0500")
      .replacing("2026-02-10 12:00:00 +0100", with: "2026-02-10 06:00:00 -0500")
      .replacing("2026-02-10 12:30:00 +0100", with: "2026-02-10 06:30:00 -0500")
    let run = try run(away, exported: "2026-03-05 04:00:00 -0500")
    #expect(run.created.isEmpty && run.updated == 0 && run.unchanged == 2)
    #expect(run.warnings.contains { $0.message.hasSuffix("so this one does too") })
  }

  @Test func aDayIsReadBackWithItsNightItsWalkAndItsNumbers() throws {
    let run = try run(steps(4_000, "09:00:00") + steps(3_000, "15:00:00") + night + walk("2.5"))
    #expect(run.format == "applehealth" && run.warnings.isEmpty)
    #expect(run.created == ["activity": 2, "metric": 2])
    let day = try day()
    #expect(day.activities.map(\.text) == ["Slept 7 h 30 min", "Walk, 2.5 km"])
    #expect(day.activities.allSatisfy { $0.source == .healthImport && $0.kind == .health })
    #expect(day.metrics.map(\.metric).sorted() == ["sleepMinutes", "steps"])
    #expect(day.metrics.map(\.value).sorted() == [450, 7_000])
  }

  @Test func theSameExportTwiceChangesNothing() throws {
    let elements = steps(4_000, "09:00:00") + night + walk("2.5")
    _ = try run(elements)
    let before = try day()
    test.clock.advance(seconds: 60)
    let second = try run(elements)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 4)
    #expect(try day() == before)
    // A later export with the same in it.
    let later = try run(elements, exported: "2026-03-02 10:00:00 +0100")
    #expect(later.created.isEmpty && later.updated == 0)
  }

  @Test func aLaterExportLetsDaysGrowAndAnOlderOneDoesNotShrinkThem() throws {
    let few = steps(4_000, "09:00:00") + walk("2.5")
    _ = try run(few)
    test.clock.advance(seconds: 60)
    let grown = try run(
      few.replacingOccurrences(of: "\"2.5\"", with: "\"2.7\"") + steps(500, "21:00:00"),
      exported: "2026-03-02 10:00:00 +0100")
    #expect(grown.created.isEmpty && grown.updated == 2)
    #expect(try day().metrics.map(\.value) == [4_500])
    #expect(try day().activities.map(\.text) == ["Walk, 2.7 km"])
    let older = try run(few)
    #expect(older.created.isEmpty && older.updated == 0)
    #expect(try day().metrics.map(\.value) == [4_500])
    #expect(try day().activities.map(\.text) == ["Walk, 2.7 km"])
  }

  @Test func whatTheOwnerChangedOrDeletedStaysSo() throws {
    _ = try run(night + walk("2.5"))
    var entries = try day().activities
    var mine = entries.removeLast()
    mine.text = "Walk with Sam"
    let changed = mine
    let gone = try #require(entries.first)
    test.clock.advance(seconds: 60)
    _ = try test.archive.write(by: .owner, "edit", "Changed") { scope in
      try scope.update(changed)
      _ = try scope.deleteActivity(gone.id)
    }
    let again = try run(night + walk("2.9"), exported: "2026-03-02 10:00:00 +0100")
    #expect(again.created.isEmpty)
    #expect(try day().activities.map(\.text) == ["Walk with Sam"])
  }

  @Test func aRunIsTakenBackWhole() throws {
    let run = try run(steps(4_000, "09:00:00") + night + walk("2.5"))
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try day().activities.isEmpty && day().metrics.isEmpty)
  }

  @Test func aZipAndTheFolderItUnpacksToAreTheSame() throws {
    let content = Data(
      export(steps(4_000, "09:00:00") + walk("2.5"), exported: "2026-03-01 10:00:00 +0100").utf8)
    let zip = TestZip([
      ("apple_health_export/export.xml", content),
      ("apple_health_export/export_cda.xml", Data("<ClinicalDocument/>".utf8)),
      ("__MACOSX/apple_health_export/._export.xml", Data([0, 5, 22, 7])),
    ])
    let first = try run("export.zip", try zip.data())
    #expect(first.created == ["activity": 1, "metric": 1] && first.warnings.isEmpty)
    _ = try test.folder.file("apple_health_export/export.xml", content)
    _ = try test.folder.file("apple_health_export/export_cda.xml", "<ClinicalDocument/>")
    _ = try test.folder.file("apple_health_export/workout-routes/route_1.gpx", "<gpx/>")
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appendingPathComponent("apple_health_export"))
    #expect(runs.map(\.format) == ["applehealth"])
    #expect(runs[0].created.isEmpty && runs[0].unchanged == 2 && runs[0].warnings.isEmpty)
  }

  @Test func aRefusedExportLeavesNothing() throws {
    let deep = steps(4_000, "09:00:00") + String(repeating: "<a>", count: 200)
    #expect(throws: ImportRefusal.self) { try run(deep) }
    #expect(try day().metrics.isEmpty)
  }

  @Test func aLongReadingTellsHowFarItIsAndCanBeBrokenOff() throws {
    // Four megabytes without an entry.
    let line =
      " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Phone\" unit=\"count\" "
    var content = line + "startDate=\"2026-02-10 09:00:00 +0100\" value=\"1\"/>\n"
    while content.utf8.count < 4 << 20 { content += content }
    let url = try test.folder.file(
      "export.xml", export(content, exported: "2026-03-01 10:00:00 +0100"))
    let reached = Mutex(0.0)
    let watch = ImportWatch(
      isCancelled: { reached.withLock { $0 > 0.2 } },
      progress: { progress in reached.withLock { $0 = max($0, progress.fraction) } })
    let job = ImportJob(archive: test.archive, homeZone: test.zone, watch: watch)
    #expect(throws: ImportCancelled.self) { try job.run(url) }
    #expect(try day().metrics.isEmpty)
  }
}
