import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Points of OwnTracks as its recorder keeps and exports them (version 0.9) and as its apps send them.
@Suite("OwnTracks")
struct OwnTracksTests {
  private let importer = OwnTracksImporter()

  static func message(_ point: MorningWalk.Point) -> String {
    let regions = point.minute <= 60 ? ",\"inregions\":[\"home\"]" : ""
    return "{\"_type\":\"location\",\"tid\":\"jp\",\"topic\":\"owntracks/ada/phone\",\"batt\":80,"
      + "\"tst\":\(MorningWalk.stamp(point.minute).milliseconds / 1_000),\"lat\":\(point.lat),"
      + "\"lon\":\(point.lon),\"acc\":12,\"vel\":4\(regions)}"
  }

  static var recording: String {
    MorningWalk.points().map { point in
      "\(MorningWalk.stamp(point.minute))\t*                 \t\(message(point))\n"
    }.joined()
  }

  private var lines: String { MorningWalk.points().map { Self.message($0) + "\n" }.joined() }

  private var list: String {
    "[\(MorningWalk.points().map { Self.message($0) }.joined(separator: ","))]"
  }

  private var document: String { "{\"count\":30,\"data\":\(list),\"status\":200}" }

  private func check(_ sink: PlaceSink) {
    #expect(sink.texts.count == 3 && sink.texts.first == "At home")
    #expect(sink.texts.dropFirst().first == "Moved 1.4 km")
    #expect(sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    #expect(sink.activities.first?.locationLabel == "Home")
    #expect(sink.diagnostics.isEmpty)
  }

  @Test func everyFormGivesTheSame() throws {
    let spaced = Self.recording.replacing("\t", with: "  ")
    for text in [Self.recording, spaced, "\n\(spaced)", lines, document, list] {
      #expect(PlaceReading.recognises(importer, text))
      check(try PlaceReading.read(importer, text, name: "2024-05.rec"))
    }
  }

  @Test func otherFilesAreNotTaken() {
    for text in [
      "", "{}", "[]", "{\"type\":\"activity\",\"text\":\"x\"}", "2024-05-03 A day. It was good.",
      "2024-05-03T05:00:00Z I read about {\"_type\"", "Then * {\"_type\":\"location\"}",
    ] {
      #expect(!PlaceReading.recognises(importer, text))
    }
  }

  @Test func oddLinesAreToldAndTheOthersComeIn() throws {
    let odd = """
      2024-05-03T05:00:00Z\t*\tno object
      2024-05-03T05:00:00Z\tlwt\t{"_type":"lwt","tst":1714716000}
      2024-05-03T05:00:00Z\t*\t{"_type":"location","tst":1714716000,"lat":91,"lon":0}
      2024-05-03T05:00:00Z\t*\t{"_type":"location","lat":50,"lon":14}
      2024-05-03T05:00:00Z\t*\t{"_type":"location",
      2024-05-03T05:00:00Z\t*\t{"_type":"somethingNew","tst":1714716000}

      """
    let sink = try PlaceReading.read(importer, odd + Self.recording, name: "a.rec")
    #expect(sink.texts.count == 3)
    #expect(
      sink.skipped.map(\.place) == [
        "a.rec:1", "a.rec:3 field “lat”", "a.rec:4 field “tst”", "a.rec:5",
      ])
    #expect(
      sink.diagnostics.contains {
        $0.message.hasPrefix("skipped messages that aren’t locations (2)")
      }
    )
  }

  @Test func encryptedMessagesAreRefusedWithWhatToDo() {
    let text = "{\"_type\":\"encrypted\",\"data\":\"abc\"}\n"
    #expect(PlaceReading.recognises(importer, text))
    #expect(throws: ImportRefusal.self) { try PlaceReading.read(importer, text) }
  }
}
