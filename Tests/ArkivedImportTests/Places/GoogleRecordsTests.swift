import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// `Records.json` of Takeout, as it was written from 2022 to 2024, and as before.
@Suite("Google's points")
struct GoogleRecordsTests {
  private let importer = GoogleImporter()

  /// Returns the records of points, with milliseconds in quotes as before 2022 if `isOld` is true.
  private func records(_ points: [MorningWalk.Point], isOld: Bool = false) -> String {
    let list = points.map { point -> String in
      let stamp = MorningWalk.stamp(point.minute)
      let time =
        isOld
        ? "\"timestampMs\": \"\(stamp.milliseconds)\"" : "\"timestamp\": \"\(stamp)\""
      return """
        {
            "latitudeE7": \(Int(point.lat * 1e7)), "longitudeE7": \(Int(point.lon * 1e7)),
            "accuracy": 20, "activity": [{"activity": [
              {"type": "\(point.isWalk ? "WALKING" : "STILL")", "confidence": 90},
              {"type": "IN_VEHICLE", "confidence": 10}], "timestamp": "\(stamp)"}],
            "source": "WIFI", "deviceTag": -577382, \(time)
          }
        """
    }
    return "{\n  \"locations\": [\(list.joined(separator: ", "))]\n}\n"
  }

  @Test func pointsBecomeStaysAndAWayWithALine() throws {
    let sink = try PlaceReading.read(importer, records(MorningWalk.points()), name: "Records.json")
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    let activities = sink.activities
    #expect(activities.map(\.kind) == [.travel, .travel, .travel])
    #expect(activities.allSatisfy { $0.source == .locationImport })
    #expect(sink.texts[0].hasPrefix("At 50.050") && sink.texts[1] == "Walked 1.4 km")
    #expect(abs((activities[0].lat ?? 0) - 50.0506) < 0.001)
    #expect(abs((activities[1].measurements["km"] ?? 0) - 1.417) < 0.005)
    #expect(activities.map(\.attachments.count) == [0, 1, 0])
    let line = try sink.line(of: 1)
    #expect(line["type"]?.string == "LineString" && line["coordinates"]?.array?.count == 3)
  }

  @Test func theOlderFormGivesTheSame() throws {
    let new = try PlaceReading.read(importer, records(MorningWalk.points()))
    let old = try PlaceReading.read(importer, records(MorningWalk.points(), isOld: true))
    #expect(old.identities == new.identities && old.texts == new.texts)
  }

  @Test func theNewestFirstGivesTheSame() throws {
    let forward = try PlaceReading.read(importer, records(MorningWalk.points()))
    let back = try PlaceReading.read(importer, records(MorningWalk.points().reversed()))
    #expect(back.identities == forward.identities)
  }

  @Test func negativeDegreesThatLostTheirSignAreMended() throws {
    let points = MorningWalk.points(lat: 51.5, lon: -0.2)
    var text = records(points)
    for point in points {
      let lon = Int(point.lon * 1e7)
      text = text.replacingOccurrences(
        of: "\"longitudeE7\": \(lon),", with: "\"longitudeE7\": \(lon + (1 << 32)),")
    }
    let sink = try PlaceReading.read(importer, text)
    #expect(sink.activities.count == 3)
    #expect(abs((sink.activities[0].lon ?? 0) + 0.2) < 0.01)
    #expect(sink.texts[0].hasSuffix("° W"))
  }

  @Test func oddRecordsAreCountedAndTheOthersComeIn() throws {
    let good = records(MorningWalk.points())
    let text = good.replacingOccurrences(
      of: "\"locations\": [",
      with: """
        "locations": [{"timestamp": "2024-05-03T06:00:00Z"}, 7, {"latitudeE7": 1, "longitudeE7": },
        {"latitudeE7": 500506000, "longitudeE7": 143440000, "timestamp": "yesterday"},
        {"latitudeE7": 5e17, "longitudeE7": 1, "timestamp": "2024-05-03T06:00:00Z"},
        {"latitudeE7": 500506000, "longitudeE7": 143440000, "accuracy": 5000,
         "timestamp": "2024-05-03T06:30:00Z"},
        {"latitudeE7": 100506000, "longitudeE7": 143440000, "accuracy": 10,
         "timestamp": "2024-05-03T06:31:00Z"},
        """)
    let sink = try PlaceReading.read(importer, text, name: "Records.json")
    #expect(sink.texts.count == 3 && sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    #expect(sink.diagnostics.map(\.place).contains { $0.hasPrefix("Records.json byte ") })
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("2 points that aren’t valid") })
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("a time before 1990: 1") })
  }

  @Test func aTabletAtHomeDoesNotTurnAWalkIntoAZigzag() throws {
    let tablet = stride(from: 62, through: 74, by: 2).map {
      MorningWalk.Point(minute: $0, lat: 50.0506, lon: 14.344, isWalk: false)
    }
    let walk = records(MorningWalk.points())
    let other = records(tablet).replacingOccurrences(of: "-577382", with: "12")
    let both = String(walk.dropLast(4)) + ", " + String(other.drop { $0 != "[" }.dropFirst())
    let sink = try PlaceReading.read(importer, both)
    #expect(sink.skipped.isEmpty && sink.texts.contains("Walked 1.4 km"))
  }

  @Test func daysOfManyYearsInAnyOrderAreWorkedOutByThemselves() throws {
    var lines: [String] = []
    for day in 0..<400 {
      for minute in stride(from: 0, to: 600, by: 10) {
        let stamp = MorningWalk.stamp(day * 1_440 + minute)
        lines.append(
          "{\"latitudeE7\":500506000,\"longitudeE7\":143440000,\"timestamp\":\"\(stamp)\"}")
      }
    }
    let text = "{\"locations\":[" + lines.reversed().joined(separator: ",") + "]}"
    let sink = try PlaceReading.read(importer, text)
    #expect(sink.activities.count == 400 && sink.diagnostics.isEmpty)
    #expect(Set(sink.activities.map(\.dayKey)).count == 400)
  }
}
