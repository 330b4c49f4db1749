import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Takeout's points next to its monthly files.
@Suite("Google’s monthly files")
struct GoogleMonthTests {
  /// An hour at one place on each of some days of May 2024.
  private static func records(_ days: [Int]) -> String {
    let points = days.flatMap { day in
      stride(from: 0, through: 60, by: 10).map { minute in
        let stamp = MorningWalk.stamp((day - 3) * 1_440 + minute)
        return "{\"latitudeE7\":500506000,\"longitudeE7\":143440000,\"timestamp\":\"\(stamp)\"}"
      }
    }
    return "{\"locations\":[\(points.joined(separator: ","))]}"
  }

  private static let month = """
    {"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":500506000,"longitudeE7":143440000,
    "name":"Library"},"duration":{"startTimestamp":"2024-05-03T20:00:00Z",
    "endTimestamp":"2024-05-04T06:00:00Z"}}}]}
    """

  @Test func daysThatTheMonthlyFilesLackComeFromThePoints() throws {
    let sink = try ServiceReading.read(
      GoogleImporter(),
      [
        ("Records.json", Self.records([3, 4, 5, 20])),
        ("Semantic Location History/2024/2024_MAY.json", Self.month),
      ])
    #expect(sink.activities.map(\.dayKey.description) == ["2024-05-05", "2024-05-20"])
    #expect(
      sink.diagnostics.map(\.message).contains { $0.hasPrefix("skipped 2 days that the monthly") })
  }

  @Test func aZipArchiveIsReadLikeItsFolder() throws {
    let zip = TestZip([
      ("Takeout/Location History/Records.json", Data(Self.records([3, 5]).utf8)),
      (
        "Takeout/Location History/Semantic Location History/2024/2024_MAY.json",
        Data(Self.month.utf8)
      ),
    ])
    let folder = try TemporaryFolder()
    let url = try folder.file("takeout.zip", try zip.data())
    let sink = try PlaceReading.read(GoogleImporter(), url, in: folder)
    #expect(Set(sink.activities.map(\.dayKey.description)) == ["2024-05-03", "2024-05-05"])
    #expect(sink.texts.contains("At Library"))
  }
}
