import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// ActivityWatch's export as its server of version 0.13 writes it: events from the newest on.
@Suite("ActivityWatch")
struct ActivityWatchTests {
  private let importer = ActivityWatchImporter()

  private static func event(_ start: String, _ minutes: Double, _ data: String) -> String {
    "{\"id\":1,\"timestamp\":\"2024-05-03T\(start):00.000000+00:00\",\"duration\":\(minutes * 60),"
      + "\"data\":{\(data)}}"
  }

  private static func bucket(_ id: String, _ type: String, _ events: [String]) -> String {
    "\"\(id)\":{\"id\":\"\(id)\",\"created\":\"2020-01-01T00:00:00\",\"name\":null,"
      + "\"type\":\"\(type)\",\"client\":\"\(id.prefix(14))\",\"hostname\":\"laptop\",\"data\":{},"
      + "\"events\":[\(events.reversed().joined(separator: ","))]}"
  }

  private static let presence = bucket(
    "aw-watcher-afk_laptop", "afkstatus",
    [
      event("08:00", 60, "\"status\":\"not-afk\""), event("09:00", 30, "\"status\":\"afk\""),
      event("09:30", 30, "\"status\":\"not-afk\""),
    ])
  private static let web = bucket(
    "aw-watcher-web-firefox", "web.tab.current",
    [
      event("08:20", 8, "\"url\":\"https://www.github.com/x\",\"title\":\"x\",\"incognito\":false"),
      event("08:28", 2, "\"url\":\"https://secret.example/\",\"incognito\":true"),
    ])
  private static let windows = bucket(
    "aw-watcher-window_laptop", "currentwindow",
    [
      event("08:00", 20, "\"app\":\"Code.exe\",\"title\":\"main.swift\""),
      event("08:20", 10, "\"app\":\"firefox\",\"title\":\"x\""),
      event("08:30", 40, "\"app\":\"Code.exe\",\"title\":\"main.swift\""),
      event("09:30", 3, "\"app\":\"firefox\",\"title\":\"y\""),
      event("09:33", 7, "\"app\":\"Slack\",\"title\":\"\""),
    ])

  static func export(_ buckets: [String]) -> String {
    "{\"buckets\": {\(buckets.joined(separator: ","))}}"
  }

  static var whole: String { export([presence, web, windows]) }

  @Test func usesBecomeSessionsWithoutTheTimeAway() throws {
    let sink = try PlaceReading.read(importer, Self.whole)
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.texts == ["Code", "firefox", "Slack"])
    #expect(sink.times == ["10:00–11:00", "10:20–10:30", "11:33–11:40"])
    #expect(sink.activities.map(\.durationMinutes) == [50, 10, 7])
    #expect(sink.activities.map(\.description) == ["main.swift 50 min", "github.com 8 min", nil])
    #expect(sink.activities.allSatisfy { $0.source == .activityWatchImport })
    let metric = try #require(sink.metrics.first)
    #expect(sink.metrics.count == 1 && metric.metric == "screenMinutes" && metric.value == 70)
    #expect(metric.dayKey.description == "2024-05-03")
  }

  @Test func theOrderOfBucketsAndEventsDoesNotMatterNorWhetherTheyAreAList() throws {
    let whole = try PlaceReading.read(importer, Self.whole).identities
    let turned = Self.export([Self.windows, Self.web, Self.presence])
    #expect(try PlaceReading.read(importer, turned).identities == whole)
    let list = [Self.windows, Self.web, Self.presence].map { bucket in
      String(bucket.drop { $0 != "{" })
    }
    let older = "{\"buckets\": [\(list.joined(separator: ","))]}"
    #expect(try PlaceReading.read(importer, older).identities == whole)
  }

  @Test func aBucketAloneCountsAllUseAndSaysSo() throws {
    let sink = try PlaceReading.read(importer, Self.export([Self.windows]), name: "b.json")
    #expect(sink.metrics.first?.value == 80)
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("so all use is counted") })
  }

  @Test func useAcrossMidnightCountsForBothDays() throws {
    let night = Self.bucket(
      "aw-watcher-window_laptop", "currentwindow",
      [Self.event("21:30", 60, "\"app\":\"Film\",\"title\":\"\"")])
    let sink = try PlaceReading.read(importer, Self.export([night]))
    #expect(sink.activities.map(\.dayKey.description) == ["2024-05-03", "2024-05-04"])
    #expect(sink.metrics.map(\.value) == [30, 30])
  }

  @Test func oddEventsAreToldAndTheOthersComeIn() throws {
    let odd = Self.whole.replacingOccurrences(
      of:
        "\"currentwindow\",\"client\":\"aw-watcher-win\",\"hostname\":\"laptop\",\"data\":{},\"events\":[",
      with: """
        "currentwindow","client":"aw-watcher-win","hostname":"laptop","data":{},"events":[
        {"timestamp":"yesterday","duration":1,"data":{}}, 5,
        {"timestamp":"2024-05-03T08:00:00Z","duration":-1,"data":{"app":"x"}},
        {"timestamp":"2024-05-03T08:00:00Z","duration":10,"data":{}}, {"timestamp":},
        """)
    let sink = try PlaceReading.read(importer, odd, name: "a.json")
    #expect(sink.texts == ["Code", "firefox", "Slack"])
    #expect(sink.skipped.count == 4)
    #expect(sink.skipped.allSatisfy { $0.place.hasPrefix("a.json byte ") })
  }

  @Test func itIsToldFromItsBeginning() {
    #expect(PlaceReading.recognises(importer, Self.whole))
    for text in ["", "{}", "{\"buckets\": 3}", "[{\"buckets\"", "{\"entries\":[]}"] {
      #expect(!PlaceReading.recognises(importer, text))
    }
  }
}
