import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Links, captions, weather and coordinates at the terminal")
struct AttachCommandTests {
  @Test func aLinkIsAttachedCaptionedFoundAndTakenOff() throws {
    let arkived = try Program()
    let id = try #require(
      try arkived("add", "planned the tour", "--json").json["created"]?["id"]?.string)
    let made = try arkived(
      "attach", id, "https://example.org/tour", "--caption", "Zugspitze", "--json")
    #expect(made.status == 0, "\(made.talk)")
    let link = try #require(made.json["created"]?.array?.first)
    #expect(link["type"] == "link" && link["externalURL"] == "https://example.org/tour")
    let found = try arkived("search", "zugspitze", "--json").json["results"]?.array
    #expect(found?.isEmpty == false)
    let attachment = try #require(link["id"]?.string)
    let changed = try arkived("attach", attachment, "--caption", "Watzmann", "--json")
    #expect(changed.json["updated"]?["caption"] == "Watzmann")
    #expect(try arkived("attach", id).output.contains("Watzmann (example.org)"))
    #expect(try arkived("attach", attachment, "--remove").status == 0)
    #expect(try arkived("attach", id, "--json").json["attachments"]?.array?.isEmpty == true)
    #expect(try arkived("attach", id, "javascript:alert(1)").status == 66)
    #expect(try arkived("attach", "today", "https://example.org/day").status == 0)
    #expect(try arkived("day").output.contains("[1 attached]"))
  }

  @Test func coordinatesAreRecordedOnlyOnceSwitchedOn() throws {
    let arkived = try Program()
    let refused = try arkived("add", "walk", "--here", "-33.86,151.21")
    #expect(refused.status == 77 && refused.talk.contains("arkived settings recordsPlace on"))
    #expect(try arkived("today", "--json").json["activities"]?.array?.isEmpty == true)
    #expect(try arkived("settings", "recordsPlace", "on").status == 0)
    #expect(try arkived("add", "walk", "--here", "91,0").status == 65)
    let added = try arkived("add", "walk", "--here", "-33.86,151.21", "--json").json["created"]
    #expect(added?["lat"] == -33.86 && added?["lon"] == 151.21)
    let id = try #require(added?["id"]?.string)
    let bare = try arkived("edit", id, "--coordinates", "", "--json").json["updated"]
    #expect(bare?["lat"] == .null && bare?["lon"] == .null)
    #expect(try arkived("settings", "recordsPlace", "maybe").status == 65)
    #expect(try arkived("settings", "--json").json["settings"]?["recordsPlace"] == true)
  }

  @Test func weatherIsWrittenByHand() throws {
    let arkived = try Program()
    let added = try arkived("add", "walk", "--weather", "fog, -2 °C", "--json").json["created"]
    #expect(added?["weather"]?["conditions"] == "fog")
    #expect(added?["weather"]?["temperatureCelsius"] == -2)
    #expect(try arkived("note", "--weather", "light rain, 12 °C").status == 0)
    #expect(try arkived("day", "today").output.contains("light rain, 12 °C"))
    #expect(try arkived("note", "--weather", "400 °C").status == 65)
  }
}
