import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Exports that describe an activity twice, as a summary and as a recording.
@Suite("Summaries and recordings of one activity")
struct ServiceDoublesTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, places: .keep)
  }

  private static func tcx(_ start: String) -> String {
    """
    <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(start)</Id>
    <Lap StartTime="\(start)"><TotalTimeSeconds>1800</TotalTimeSeconds>
    <DistanceMeters>5000</DistanceMeters><Calories>300</Calories></Lap>
    </Activity></Activities></TrainingCenterDatabase>
    """
  }

  private static let summaries =
    #"[{"summarizedActivitiesExport":[{"activityId":111,"name":"Morning Run","activityType":"running","beginTimestamp":1700000000000,"duration":1800000.0,"distance":500000.0}]}]"#

  @Test func garminsArchivesOfRecordingsAreNotReadAgain() throws {
    let inner = TestZip([("a_1.tcx", Data(Self.tcx("2023-11-14T22:13:20Z").utf8))])
    let files = [
      ("DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json", Data(Self.summaries.utf8)),
      (
        "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip", try inner.data()
      ),
    ]
    let zip = try test.folder.file("garmin.zip", try TestZip(files).data())
    let runs = try job.run(zip)
    #expect(runs.map(\.format) == ["garmin"], "\(runs.flatMap(\.warnings))")
    for (name, content) in files { _ = try test.folder.file("in/\(name)", content) }
    let again = try job.run(test.folder.url.appendingPathComponent("in"))
    #expect(again.allSatisfy { $0.format == "garmin" && $0.created.isEmpty })
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func googleFitsSessionsAndRecordingsAreOneEntryEach() throws {
    let session =
      #"{"fitnessActivity":"running","startTime":"2023-05-03T06:15:04Z","endTime":"2023-05-03T06:45:04Z","duration":"1800s","aggregate":[]}"#
    for (name, text) in [
      ("All Sessions/2023-05-03T08_15_04+02_00_RUNNING.json", session),
      ("Activities/2023-05-03T08_15_04+02_00_PT30M_Running.tcx", Self.tcx("2023-05-03T06:15:04Z")),
      ("Activities/2023-05-09T08_00_00+02_00_PT30M_Running.tcx", Self.tcx("2023-05-09T06:00:00Z")),
    ] {
      _ = try test.folder.file("in/Fit/\(name)", text)
    }
    let folder = test.folder.url.appendingPathComponent("in")
    let runs = try job.run(folder)
    #expect(runs.map(\.format) == ["googlefit"], "\(runs.flatMap(\.warnings))")
    let run = try #require(try test.day("2023-05-03").activities.first)
    #expect(try test.day("2023-05-03").activities.count == 1 && run.text == "Ran 5 km")
    #expect(
      run.measurements == ["km": 5, "kcal": 300] && run.externalRefs[0].provider == "googlefit")
    #expect(try test.day("2023-05-09").activities.map(\.text) == ["Ran 5 km"])
    let again = try job.run(folder)
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }
}
