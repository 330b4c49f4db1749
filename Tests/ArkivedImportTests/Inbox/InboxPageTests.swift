import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Pages of Markdown in an inbox")
struct InboxPageTests {
  private let berlin: Zone
  private let now: Instant

  init() throws {
    berlin = try #require(Zone("Europe/Berlin"))
    now = try #require(Instant("2026-03-14T20:00:00Z"))
  }

  private func page(_ text: String, _ name: String = "Idea.md") -> InboxPage {
    let time = InboxTime(fileName: name, changed: now, now: now, home: berlin)
    return InboxPage(text, named: InboxName(name), time: time, home: berlin, now: now)
  }

  @Test func aTimeThatCannotBeReadStaysInThePage() {
    let strange = page("---\ndate: some day in March\nmood: 4\n---\n# Sea\n\nCold.")
    #expect(strange.text.contains("date: some day in March") && strange.time.origin == .change)
    #expect(page("---\ntime: 18:22\n---\n# Sea\n\nCold.").text.contains("time: 18:22"))
    let read = page("---\ndate: 2026-03-05\ntime: 18:22\ncreated: 2026-03-04\n---\n# Sea\n\nCold.")
    #expect(read.text == "Cold.")
  }

  @Test func aPageOfLineEndsIsReadAsFastAsAnother() {
    let blank = String(repeating: "\n", count: 300_000)
    let read = page(blank + "# Sea" + blank + "Cold." + blank)
    #expect(read.title == "Sea" && read.text == "Cold.")
  }

  @Test func theHeadTellsWhen() {
    let whole = page(
      "---\ndate: 2026-03-05T18:22:11+01:00\ntags: [sea, walk]\n---\n# By the sea\n\nCold.")
    #expect(whole.time.instant == Instant("2026-03-05T17:22:11Z") && whole.time.origin == .page)
    #expect(whole.title == "By the sea" && whole.text == "Cold." && whole.tags == ["sea", "walk"])
    let local = page("---\ncreated: 2026-03-05 18:22\n---\nCold.")
    #expect(local.time.instant == Instant("2026-03-05T17:22:00Z") && local.title == "Idea")
    let day = page("---\ndate: 2026-03-05\ntime: 18:22\n---\nCold.")
    #expect(day.time.instant == Instant("2026-03-05T17:22:00Z"))
    let alone = page("---\ndate: 2026-03-05\n---\nCold.")
    #expect(alone.time.day == DayKey("2026-03-05") && alone.time.instant == nil)
  }

  @Test func whatTheHeadSaysBesidesIsNotLost() {
    let page = self.page("---\nmood: 4\nweather: sun\nauthor: Sam\n---\nCold.")
    #expect(page.text.hasPrefix("Cold.\n\n"))
    for line in ["mood: 4", "weather: sun", "author: Sam"] { #expect(page.text.contains(line)) }
  }

  @Test func aSingleLineIsOneAsItIsTyped() {
    #expect(page("\nlunch with Sam #food\n").line == "lunch with Sam #food")
    #expect(page("# Lunch").line == nil && page("a\nb").line == nil)
    #expect(page("---\ntags: a\n---\nlunch").line == nil)
  }

  @Test func aPageNamedByItsDayIsOfTheDay() {
    let page = self.page("A quiet day.\n\nReally.", "2026-03-05.md")
    #expect(page.isOfDay && page.title == nil && page.time.day == DayKey("2026-03-05"))
  }
}
