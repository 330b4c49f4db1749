import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Polarsteps in the archive")
struct PolarstepsImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func bring() throws -> [ImportRun] {
    let trip = "in/trip/japan_1"
    _ = try test.folder.file(
      "\(trip)/trip.json",
      """
      {"id":1,"name":"Japan","start_date":1772409600.0,"end_date":null,"all_steps":[
      {"id":12345,"display_name":"Kyoto at last","description":"Rain all day.\\nGood noodles.",
      "start_time":1772528400.0,"timezone_id":"Asia/Tokyo","weather_condition":"light-rain",
      "weather_temperature":11.25,
      "location":{"lat":35.0,"lon":135.75,"name":"Kyoto","detail":"Japan","country_code":"JP"}},
      {"id":12346,"display_name":"Sometime","start_time":"soon"}]}
      """)
    _ = try test.folder.file(
      "\(trip)/kyoto_12345/photos/a.png", TestPicture.png(width: 4, height: 4))
    _ = try test.folder.file(
      "\(trip)/locations.json",
      """
      {"locations":[{"lat":35.0,"lon":135.75,"time":1772500000.5},
      {"lat":35.0001,"lon":135.75,"time":1772503600},
      {"lat":35.1,"lon":135.85,"time":1772507200},{"lat":95,"lon":0,"time":1772507300}]}
      """)
    return try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appendingPathComponent("in"))
  }

  @Test func stepsComeInWithTheirPhotosAndThePointsBetween() throws {
    let runs = try bring()
    #expect(runs.map(\.format) == ["polarsteps"], "\(runs.flatMap(\.warnings))")
    let step = try #require(
      try test.day("2026-03-03").activities.first { $0.text == "Kyoto at last" })
    #expect(step.timeZone == "Asia/Tokyo" && step.notes == "Rain all day.\nGood noodles.")
    #expect(step.locationLabel == "Kyoto, Japan" && step.lat == 35)
    #expect(step.weather?.temperatureCelsius == 11.3 && step.weather?.conditions == "light rain")
    #expect(step.attachments.map(\.originalName) == ["a.png"])
    #expect(try test.day("2026-03-03").activities.count > 1)
    let warnings = runs.flatMap(\.warnings)
    #expect(warnings.contains { $0.place.hasSuffix("entry 2 field “start_time”") })
    #expect(warnings.contains { $0.message.contains("valid coordinates") })
    #expect(try bring().allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }
}
