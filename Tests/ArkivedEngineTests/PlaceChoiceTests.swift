import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("What imports keep of places")
struct PlaceChoiceTests {
  private let test: TestArchive
  private let table: URL

  init() throws {
    test = try TestArchive()
    table = try test.folder.file(
      "walks.csv",
      Data(
        """
        Date,Title,Place,Lat,Lon
        2026-03-10,Walk,Letna,50.0965,14.4160
        2026-03-11,Rest,,,

        """.utf8))
  }

  private func job(_ places: PlaceChoice?) -> ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, places: places)
  }

  private func run(_ places: PlaceChoice?) throws -> ImportRun {
    try #require(try job(places).run(table).first)
  }

  private func walk() throws -> Activity {
    let found = try test.day("2026-03-10").activities
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test func withoutAnAnswerCoordinatesStayOutAndTheRunSaysSo() throws {
    let run = try run(nil)
    #expect(run.created == ["activity": 2])
    #expect(
      run.warnings.contains { $0.message.hasPrefix("1 entry was imported without its coordinates") }
    )
    #expect(try walk().lat == nil && walk().lon == nil && walk().locationLabel == "Letna")
  }

  @Test func anotherAnswerNeitherDoublesNorLosesAnything() throws {
    _ = try run(PlaceChoice.none)
    #expect(try walk().locationLabel == nil && walk().lat == nil)
    let named = try run(.names)
    #expect(named.created.isEmpty && named.updated == 1)
    #expect(try walk().locationLabel == "Letna" && walk().lat == nil)
    let kept = try run(.keep)
    #expect(kept.created.isEmpty && kept.updated == 1)
    #expect(try walk().lat == 50.0965 && walk().lon == 14.416)
    let less = try run(PlaceChoice.none)
    #expect(less.created.isEmpty && less.updated == 0 && less.unchanged == 2)
    #expect(try walk().lat == 50.0965 && walk().locationLabel == "Letna")
    #expect(try run(.keep).updated == 0)
  }

  @Test func aChangedSourceDoesNotTakeThePlaceAway() throws {
    _ = try run(.keep)
    try Data(
      """
      Date,Title,Place,Lat,Lon
      2026-03-10,Walk,Letna Park,50.0965,14.4160
      2026-03-11,Rest,,,

      """.utf8
    ).write(to: table)
    #expect(try run(.names).updated == 1)
    #expect(try walk().locationLabel == "Letna Park" && walk().lat == 50.0965)
  }

  @Test func theForecastCountsWhatHasCoordinates() throws {
    let forecast = try #require(try job(nil).forecast(table).runs.first)
    #expect(forecast.placed == 1 && forecast.places == .names)
    #expect(forecast.json["withCoordinates"] == 1 && forecast.json["places"] == "names")
    #expect(try job(.keep).forecast(table).runs.first?.places == .keep)
  }

  @Test func namingALocationHistoryIsTheYesUnlessToldOtherwise() throws {
    let track = try test.folder.file(
      "walk.gpx",
      Data(
        """
        <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
        <trk><name>Round</name><trkseg>
        <trkpt lat="47.1" lon="8.1"><time>2026-03-03T09:00:00Z</time></trkpt>
        <trkpt lat="47.15" lon="8.2"><time>2026-03-03T09:15:00Z</time></trkpt>
        <trkpt lat="47.2" lon="8.1"><time>2026-03-03T09:30:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """.utf8))
    _ = try job(.names).run(track)
    let bare = try #require(try test.day("2026-03-03").activities.first)
    #expect(bare.lat == nil && bare.attachments.isEmpty)
    let run = try #require(try job(nil).run(track).first)
    #expect(run.created.isEmpty && run.updated == 1)
    let found = try test.day("2026-03-03").activities
    #expect(found.count == 1 && found.first?.attachments.isEmpty == false)
  }

  @Test func daysGetTheirWeatherFromATable() throws {
    let weather = try test.folder.file(
      "weather.csv", Data("Date,Weather,Temperature\n2026-03-12,light rain,7.5\n".utf8))
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-12"))) { $0.note = "At home." }
    _ = try job(nil).run(weather)
    let day = try #require(try test.day("2026-03-12").entry)
    #expect(day.weather == Weather(conditions: "light rain", temperatureCelsius: 7.5))
    #expect(day.note == "At home.")
  }
}
