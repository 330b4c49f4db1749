import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// What an export tells twice, and exports under other names, for every format that is text.
@Suite("Exports that tell of one thing twice", .timeLimit(.minutes(20)))
struct DoubledEntryTests {
  /// An export with one entry, once and twice: its files by their names.
  struct Sample: CustomTestStringConvertible, Sendable {
    var format: String
    var once: [String: String]
    var twice: [String: String]
    /// Whether entries have an identity; else two that are the same may be two.
    var hasIdentity = true

    var testDescription: String { format }

    /// Creates a format from the file's beginning, the entry, what stands between two, and the end.
    init(
      _ format: String, _ name: String, _ parts: (String, String, String, String),
      hasIdentity: Bool = true
    ) {
      self.format = format
      once = [name: parts.0 + parts.1 + parts.3]
      twice = [name: parts.0 + parts.1 + parts.2 + parts.1 + parts.3]
      self.hasIdentity = hasIdentity
    }

    init(_ format: String, once: [String: String], twice: [String: String]) {
      (self.format, self.once, self.twice) = (format, once, twice)
    }

    private static let habits = BadArchiveTests.Sample.habits
    private static let marks = "Date,Value,Notes\n"
    private static let mark = "2026-03-03,YES_MANUAL,\n"

    static let all = [
      Sample(
        "dayone", "Journal.json",
        (
          #"{"metadata":{"version":"1.0"},"entries":["#,
          #"{"uuid":"2F8DDCA258634D9994DF3A4FEE328035","creationDate":"2026-03-03T11:48:50Z","text":"By the sea"}"#,
          ",", "]}"
        )),
      Sample(
        "jsonl", "life.jsonl",
        (
          "",
          #"{"type":"activity","id":"AAAAAAAA-0000-4000-8000-000000000009","text":"tea","dayKey":"2026-03-03"}"#,
          "\n", "\n"
        )),
      Sample(
        "gpx", "ride.gpx",
        (
          "<gpx version=\"1.1\">",
          """
          <trk><name>Ride</name><trkseg>
          <trkpt lat="50.05" lon="14.34"><time>2026-03-03T09:00:00Z</time></trkpt>
          <trkpt lat="50.07" lon="14.34"><time>2026-03-03T09:10:00Z</time></trkpt></trkseg></trk>
          """, "\n", "</gpx>"
        )),
      Sample(
        "google", "Timeline.json",
        (
          #"{"semanticSegments":["#,
          #"{"startTime":"2026-03-03T09:00:00.000+01:00","endTime":"2026-03-03T10:00:00.000+01:00","visit":{"hierarchyLevel":0,"topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"50.05°, 14.34°"}}}}"#,
          ",", "]}"
        )),
      Sample(
        "owntracks", "2026-03.rec",
        (
          "",
          """
          2026-03-03T09:00:00Z\t*\t{"_type":"location","tst":1772528400,"lat":50.05,"lon":14.34,"acc":9}
          2026-03-03T09:20:00Z\t*\t{"_type":"location","tst":1772529600,"lat":50.05,"lon":14.34,"acc":9}
          """, "\n", "\n"
        )),
      Sample(
        "kml", "trip.kml",
        (
          "<kml>",
          """
          <Placemark><name>Hut</name><TimeStamp><when>2026-03-03</when></TimeStamp><Point>
          <coordinates>14.3,50.1</coordinates></Point></Placemark>
          """, "\n", "</kml>"
        )),
      Sample(
        "geojson", "trip.geojson",
        (
          "{\"type\":\"FeatureCollection\",\"features\":[",
          "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[14.3,50.1]},"
            + "\"properties\":{\"name\":\"Hut\",\"time\":\"2026-03-03T09:00:00Z\"}}", ",", "]}"
        )),
      Sample(
        "tcx", "run.tcx",
        (
          "<TrainingCenterDatabase><Activities>",
          """
          <Activity Sport="Running"><Lap StartTime="2026-03-03T09:00:00Z"><TotalTimeSeconds>600
          </TotalTimeSeconds><DistanceMeters>2000</DistanceMeters></Lap></Activity>
          """, "\n", "</Activities></TrainingCenterDatabase>"
        )),
      Sample(
        "activitywatch", "export.json",
        (
          #"{"buckets":{"w":{"id":"w","type":"currentwindow","hostname":"a","events":["#,
          #"{"timestamp":"2026-03-03T09:00:00.5+00:00","duration":1600.5,"data":{"app":"firefox","title":"Café"}}"#,
          ",", "]}}}"
        )),
      Sample(
        "applehealth", "export.xml",
        (
          #"<HealthData locale="en_GB">"#,
          """
          <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30"
          durationUnit="min" sourceName="Watch" startDate="2026-03-03 07:00:00 +0100"
          endDate="2026-03-03 07:30:00 +0100"/>
          """, "\n", "</HealthData>"
        )),
      Sample("csv", "table.csv", ("ID,Date,Title\n", "7,2026-03-03,Tea", "\n", "\n")),
      Sample(
        "ics", "a.ics",
        (
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\n",
          "BEGIN:VEVENT\r\nUID:1@x\r\nDTSTART:20260303T090000Z\r\nDTEND:20260303T100000Z\r\n"
            + "SUMMARY:Tea\r\nEND:VEVENT\r\n", "", "END:VCALENDAR\r\n"
        )),
      Sample(
        "loop", once: ["Habits.csv": habits, "001 Wake/Checkmarks.csv": marks + mark],
        twice: ["Habits.csv": habits, "001 Wake/Checkmarks.csv": marks + mark + mark]),
      Sample(
        "markdown", once: ["a/2026-03-03.md": "By the sea\n"],
        twice: ["a/2026-03-03.md": "By the sea\n", "b/2026-03-03.md": "By the sea\n"]),
      Sample(
        "jrnl", "journal.txt", ("", "[2026-03-03 09:00] Tea.\nWith milk.\n", "\n", ""),
        hasIdentity: false),
      Sample(
        "daylio", "daylio.csv",
        (
          "full_date,date,weekday,time,mood,activities,note_title,note\n",
          "2026-03-03,March 3,Tuesday,18:50,good,walk,A day,fine", "\n", "\n"
        ), hasIdentity: false),
      Sample(
        "toggl", "toggl.csv",
        (
          "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,"
            + "End time,Duration,Tags\n",
          "Ann,a@x.org,,House,,paint,No,2026-03-03,09:00:00,2026-03-03,10:00:00,01:00:00,home",
          "\n",
          "\n"
        ), hasIdentity: false),
    ]
  }

  private func put(_ files: [String: String], in test: TestArchive, under name: String) throws
    -> URL
  {
    for (path, text) in files { _ = try test.folder.file("\(name)/\(path)", text) }
    return test.folder.url.appendingPathComponent(name)
  }

  private func job(_ test: TestArchive) -> ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
  }

  @Test(arguments: Sample.all)
  func whatIsToldTwiceComesInOnceAndStaysAsItIs(sample: Sample) throws {
    let (first, second) = (try TestArchive(), try TestArchive())
    let once = try job(first).run(try put(sample.once, in: first, under: "in"))
    let folder = try put(sample.twice, in: second, under: "in")
    let twice = try job(second).run(folder)
    #expect(once.map(\.format) == [sample.format] && twice.map(\.format) == [sample.format])
    let (one, two) = (once.first?.created ?? [:], twice.first?.created ?? [:])
    #expect(!one.isEmpty)
    if sample.hasIdentity { #expect(two == one) } else { #expect(two.keys == one.keys) }
    let third = try TestArchive()
    let foreseen = try job(third).forecast(folder).runs.map(\.created)
    #expect(try foreseen == twice.map(\.created) && third.archive.counts().activities == 0)
    let again = try job(second).run(folder)
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }

  @Test(arguments: Sample.all.filter { $0.once.count == 1 })
  func aNameThatLiesBringsNothingOfAnotherFormat(sample: Sample) throws {
    let text = try #require(sample.once.values.first)
    for name in ["x.bin", "x.txt", "x.jpg", "x.ics", "x.jsonl", "x.md", "x.zip", "x.db", "x"] {
      let test = try TestArchive()
      let file = try test.folder.file(name, text)
      do {
        let runs = try job(test).run(file)
        #expect(
          runs.allSatisfy { $0.format == sample.format || $0.created.isEmpty },
          "\(name): \(runs.map(\.format))")
      } catch let refusal as ImportRefusal {
        #expect(!refusal.message.isEmpty && !refusal.place.isEmpty)
        #expect(try test.archive.counts().activities == 0)
      }
    }
  }
}
