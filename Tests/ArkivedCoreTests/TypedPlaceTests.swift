import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Weather, degrees and links as they are typed")
struct TypedPlaceTests {
  @Test func weatherIsReadAndWrittenBack() throws {
    let weather = try #require(try Weather.typed("light rain, 12,5 °C, 80 %, 20 km/h"))
    #expect(
      weather
        == Weather(
          conditions: "light rain", temperatureCelsius: 12.5, humidityPercent: 80,
          windSpeedKph: 20))
    #expect(try Weather.typed(weather.typedText) == weather)
    #expect(try Weather.typed("-3°C, snow")?.temperatureCelsius == -3)
    #expect(try Weather.typed("68 °F")?.temperatureCelsius == 20)
    #expect(try Weather.typed("fog, then sun")?.conditions == "fog, then sun")
    #expect(try Weather.typed("  ") == nil)
    for wrong in ["300 °C", "120 %", "9 °C, 10 °C", String(repeating: "w", count: 300)] {
      #expect(throws: FieldError.self, "\(wrong)") { try Weather.typed(wrong) }
    }
  }

  @Test func degreesAreReadInDecimalFormsAndRangesAreKept() throws {
    let place = try PlaceCoordinates.read("50.0875,14.4213", field: "here")
    #expect(place.lat == 50.0875 && place.lon == 14.4213)
    for text in ["50.0875, 14.4213", "50,0875; 14,4213", "50,0875 14,4213", "50.0875°, 14.4213°"] {
      #expect(try PlaceCoordinates.read(text, field: "here") == place, "\(text)")
    }
    #expect(try PlaceCoordinates.read("-33.86,151.21", field: "here").lat == -33.86)
    for wrong in ["", "50", "91,0", "0,181", "nan,1", "1e1,2", "north,east", "1,2,3"] {
      let error = #expect(throws: FieldError.self, "\(wrong)") {
        try PlaceCoordinates.read(wrong, field: "here")
      }
      #expect(error?.field == "here")
    }
  }

  @Test func aLinkIsAnAddressOfTheWeb() throws {
    let now = try #require(Instant("2026-03-14T20:00:00Z"))
    let link = try Attachment(
      id: UUID(), link: " https://example.org/a?b=1 ", caption: " A page ", at: now)
    #expect(link.type == .link && link.externalURL == "https://example.org/a?b=1")
    #expect(link.caption == "A page" && link.linkHost == "example.org")
    for wrong in [
      "example.org", "javascript:alert(1)", "https://", "https://a b.example", "file:///a",
    ] {
      #expect(throws: FieldError.self, "\(wrong)") { try Attachment.webAddress(wrong) }
    }
  }

  @Test func theHostOfALinkIsTheOneThatABrowserOpens() throws {
    let now = try #require(Instant("2026-03-14T20:00:00Z"))
    for address in [
      "https://there.example/", "https://there.example\\@shown.example/",
      "https:\\\\there.example\\shown.example", "https:there.example/", "https:///there.example/",
      "https://there.exam\tple/", "https://shown.example@there.example/",
      "HTTPS://there.example:443/", "https://there.example?@shown.example",
    ] {
      let link = Attachment(
        id: UUID(), type: .link, caption: "A page", externalURL: address, createdAt: now,
        updatedAt: now)
      #expect(link.linkHost == "there.example", "\(address)")
    }
  }
}
