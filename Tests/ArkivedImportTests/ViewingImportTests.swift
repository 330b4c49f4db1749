import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Viewing histories")
struct ViewingImportTests {
  private static let header =
    "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,"
    + "Bookmark,Latest Bookmark,Country\n"

  private static func netflix(
    _ text: String, name: String = "NetflixViewingHistory.csv"
  ) throws -> PlaceSink {
    try TableReading.read(text, name: name, by: ViewingImporter(.netflix))
  }

  private static func youtube(_ text: String) throws -> PlaceSink {
    try TableReading.read(text, name: "watch-history.json", by: ViewingImporter(.youtube))
  }

  @Test func viewingsOfNetflixHaveTheirTimesAndProfiles() throws {
    let sink = try Self.netflix(
      Self.header
        + "Ann,2026-02-10 23:30:00,00:41:13,,\"Show: Season 1: Pilot (Episode 1)\",,TV,x,x,DE (Germany)\n"
        + "Ann,2026-02-10 19:30:00,00:01:30,,Show: Season 1 (Trailer),TRAILER,TV,x,x,DE (Germany)\n"
        + "Ann,2026-02-10 19:29:00,00:00:14,Autoplayed: user action: None; ,Film,,TV,x,x,DE (Germany)\n"
        + "Bob,2026-02-09 19:00:00,01:50:00,,Film,,TV,x,Not latest view,DE (Germany)\n"
        + "Bob,yesterday,01:50:00,,Film,,TV,x,x,DE (Germany)\n")
    #expect(sink.texts == ["Watched Show: Season 1: Pilot (Episode 1)", "Watched Film"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2026-02-11", "2026-02-09"])
    #expect(sink.times == ["00:30–01:11", "20:00–21:50"])
    #expect(sink.activities.map(\.description) == ["Profile: Ann", "Profile: Bob"])
    #expect(sink.skipped.map(\.place) == ["NetflixViewingHistory.csv:6 field “Start Time”"])
    let notes = sink.diagnostics.filter { $0.severity == .note }.map(\.message)
    #expect(notes.count == 3 && notes[0] == "skipped trailers and previews: 1")
    #expect(notes[1] == "skipped videos played for less than a minute: 1")
    #expect(notes[2].contains("Ann (1), Bob (1)"))
  }

  @Test(arguments: [
    (["3/25/25", "3/4/25"], ["2025-03-25", "2025-03-04"]),
    (["25/03/2025", "04/03/2025"], ["2025-03-25", "2025-03-04"]),
    (["25.03.25", "04.03.25"], ["2025-03-25", "2025-03-04"]),
    (["2025-03-25", "2025-03-04"], ["2025-03-25", "2025-03-04"]),
    // Nothing beyond the twelfth, but the latest is first.
    (["4/2/25", "3/11/25", "2/12/25"], ["2025-04-02", "2025-03-11", "2025-02-12"]),
    (["02/04/25", "11/03/25", "12/02/25"], ["2025-04-02", "2025-03-11", "2025-02-12"]),
  ])
  func theOrderOfDatesIsThatOfTheColumn(written: [String], days: [String]) throws {
    let rows = written.enumerated().map { "\"Film \($0.offset)\",\"\($0.element)\"\n" }
    let sink = try Self.netflix("Title,Date\n" + rows.joined())
    #expect(sink.activities.map { "\($0.dayKey)" } == days)
    #expect(sink.diagnostics.isEmpty)
  }

  @Test func anOrderThatNothingShowsIsTold() throws {
    let sink = try Self.netflix("Title,Date\nFilm,3/4/25\nFilm,3/4/25\n")
    #expect(sink.activities.count == 2 && Set(sink.identities).count == 2)
    #expect(sink.diagnostics.count == 1)
    #expect(sink.diagnostics.first?.message.contains("day or the month") == true)
  }

  @Test func videosOfYouTubeAreReadWithoutAds() throws {
    let sink = try Self.youtube(
      """
      [{"header":"YouTube","title":"Watched How bridges stand","titleUrl":
      "https://www.youtube.com/watch?v\\u003dabc","subtitles":[{"name":"Builders","url":"u"}],
      "time":"2026-02-10T23:30:00.000Z","products":["YouTube"]},
      {"header":"YouTube","title":"Brücken angesehen","titleUrl":"https://www.youtube.com/watch?v=d",
      "time":"2026-02-10T20:30:00Z"},
      {"header":"YouTube","title":"Watched Soap","titleUrl":"https://www.youtube.com/watch?v=ad",
      "time":"2026-02-10T20:00:00Z","details":[{"name":"From Google Ads"}]},
      {"header":"YouTube","title":"Watched a video that has been removed","time":"2026-02-10T19:00:00Z"},
      {"header":"YouTube","title":"Watched https://www.youtube.com/watch?v=p","titleUrl":
      "https://www.youtube.com/watch?v=p","time":"2026-02-10T18:00:00Z"},
      {"header":"YouTube","title":"Searched for soap","titleUrl":
      "https://www.youtube.com/results?search_query=soap","time":"2026-02-10T17:00:00Z"},
      {"header":"YouTube Music","title":"Watched Aria","titleUrl":
      "https://music.youtube.com/watch?v=m","subtitles":[{"name":"Bach - Topic"}],
      "time":"2026-02-10T16:00:00Z"}]
      """)
    #expect(
      sink.texts == [
        "Watched How bridges stand", "Watched Brücken", "Watched a video", "Listened to Aria",
      ])
    #expect(sink.activities.first.map { "\($0.dayKey)" } == "2026-02-11")
    #expect(
      sink.activities.first?.description == "Builders\nhttps://www.youtube.com/watch?v=abc")
    #expect(sink.activities.last?.description == "Bach\nhttps://music.youtube.com/watch?v=m")
    #expect(
      sink.diagnostics.map(\.message) == [
        "skipped ads: 1", "skipped videos that have been removed: 1",
        "skipped searches, posts and other activity: 1",
      ])
  }

  @Test func theActivityOfOtherProductsIsNotWatched() throws {
    let sink = try Self.youtube(
      """
      [{"header":"YouTube","title":"Watched A","titleUrl":"https://www.youtube.com/watch?v=a",
      "time":"2026-02-10T20:00:00Z"},
      {"header":"Chrome","title":"Visited B","titleUrl":"https://www.youtube.com/watch?v=b",
      "time":"2026-02-10T19:00:00Z"}]
      """)
    #expect(sink.texts == ["Watched A"])
    #expect(
      sink.diagnostics.map(\.message) == ["skipped searches, posts and other activity: 1"])
  }

  @Test func youTubesPageSaysWhatToChoose() throws {
    let page = "<html><head><title>Watch history</title></head><body></body></html>"
    #expect(
      try TableReading.recognises(
        page, name: "watch-history.html", by: ViewingImporter(.youtube)))
    let refusal = #expect(throws: ImportRefusal.self) {
      try TableReading.read(page, name: "watch-history.html", by: ViewingImporter(.youtube))
    }
    #expect(refusal?.message.contains("JSON") == true)
  }

  @Test func theyAreRecognised() throws {
    let netflix = ViewingImporter(.netflix)
    #expect(try TableReading.recognises(Self.header, name: "a.csv", by: netflix))
    #expect(try TableReading.recognises("Title,Date\n", name: "Netflix1.csv", by: netflix))
    #expect(try !TableReading.recognises("Title,Date\n", name: "books.csv", by: netflix))
    let youtube = ViewingImporter(.youtube)
    let record = #"[{"header":"YouTube","title":"Watched A","time":"2026-02-10T16:00:00Z"}]"#
    #expect(try TableReading.recognises(record, name: "Verlauf.json", by: youtube))
    let other = record.replacing("YouTube", with: "Search")
    #expect(try !TableReading.recognises(other, name: "MyActivity.json", by: youtube))
  }
}
