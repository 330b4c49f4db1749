import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The calendar, settings, and the rooms of the app")
struct CalendarPageTests {
  private func web() throws -> WebTest {
    let web = try WebTest()
    try web.test.add("climbed the tower", on: "2026-03-12", from: "10:00", to: "11:30")
    try web.test.add("<b>soup</b>", on: "2026-03-12")
    _ = try web.test.archive.updateDay(try #require(DayKey("2026-03-12"))) {
      ($0.title, $0.mood) = ("<i>Tower</i>", 5)
    }
    return web
  }

  @Test func aMonthShowsItsDaysWithWhatTheyHold() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/calendar", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("Thursday 12 March 2026: 2 entries, mood 5 of 5"))
      #expect(page.text.contains("&lt;i&gt;Tower&lt;/i&gt;") && !page.text.contains("<i>Tower"))
      #expect(page.text.components(separatedBy: "href=\"/day/2026-03-").count == 32)
      #expect(page.text.contains("aria-current=\"date\""))
      #expect(page.text.contains("/calendar?of=month&amp;day=2026-02-01"))
    }
  }

  @Test(arguments: ["week", "month", "year", "years"])
  func everySpanIsAPageWhereverInTheCalendar(unit: String) async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      for day in ["0001-01-01", "2026-03-12", "2024-02-29", "9999-12-31"] {
        for view in ["entries", "mood", "energy"] {
          let page = try await client.get(
            "/calendar?of=\(unit)&day=\(day)&show=\(view)", cookie: cookie)
          #expect(page.status == 200, "\(unit) \(day) \(view)")
          #expect(page.text.contains("aria-current=\"true\""))
        }
      }
    }
  }

  @Test func aYearIsAPosterOnAPageAndAsAFile() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let year = try await client.get("/calendar?of=year&show=mood", cookie: cookie).text
      #expect(year.contains("/calendar/poster?day=2026-03-14&amp;show=mood"))
      let years = try await client.get("/calendar?of=years&show=mood", cookie: cookie).text
      #expect(years.contains("mood 5, 1 day") && !years.contains("mood 5, 1 days"))
      let page = try await client.get("/calendar/poster?day=2026-03-12", cookie: cookie).text
      #expect(page.contains("2 entries · 1 day with entries · average mood 5"))
      #expect(page.contains("12 March: &lt;i&gt;Tower&lt;/i&gt;") && !page.contains("<i>Tower"))
      let file = try await client.get(
        "/calendar/poster.svg?day=2026-03-12&show=mood", cookie: cookie)
      #expect(file.headers[.contentType] == "image/svg+xml")
      #expect(file.text.hasPrefix("<svg xmlns=") && file.text.hasSuffix("</svg>"))
      // The one day with a mood is the darkest.
      #expect(file.text.components(separatedBy: "fill=\"#0a4f4c\"").count == 2)
      for day in ["0001-01-01", "9999-12-31"] {
        #expect(
          try await client.get("/calendar/poster?day=\(day)", cookie: cookie).status == 200)
      }
      #expect(try await client.get("/calendar/poster?show=x", cookie: cookie).status == 400)
    }
  }

  @Test func aDayWithOnlyANoteIsNoDayWithEntriesOnThePoster() async throws {
    let web = try web()
    _ = try web.test.archive.updateDay(try #require(DayKey("2026-02-01"))) { $0.note = "Rain." }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/calendar/poster?day=2026-03-12", cookie: cookie).text
      #expect(page.contains("2 entries · 1 day with entries · average mood 5"))
    }
  }

  @Test func aWeekShowsTheEntriesOfItsDays() async throws {
    let web = try web()
    for number in 0..<10 { try web.test.add("walk \(number)", on: "2026-03-11") }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/calendar?of=week&day=2026-03-14", cookie: cookie)
      #expect(page.text.contains("10:00–11:30") && page.text.contains("climbed the tower"))
      #expect(page.text.contains("&lt;b&gt;soup&lt;/b&gt;") && page.text.contains("2 more"))
    }
  }

  /// Stores a file and attaches it to a day's note.
  private func attach(
    _ name: String, _ bytes: [UInt8], to day: String, in web: WebTest
  ) throws -> ArkivedCore.Attachment {
    let archive = web.test.archive
    let content = Data(bytes)
    let media = MediaType(sniffing: content, fileName: name)
    let stored = try archive.store(
      content,
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: media.attachmentType, mediaType: media.name,
        originalName: name, createdAt: archive.clock.now, updatedAt: archive.clock.now))
    _ = try archive.attach([stored], to: .day(try #require(DayKey(day))))
    return stored
  }

  @Test func picturesStandInTheMonthAndTheWeekAsThumbnails() async throws {
    let web = try web()
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    let first = try attach("\"><b>tower.jpg", jpeg + [1], to: "2026-03-12", in: web)
    let second = try attach("square.jpg", jpeg + [2], to: "2026-03-12", in: web)
    // A camera's own format, which browsers do not show, a large one, and what is no picture.
    let heic = try attach("x.heic", Array("....ftypheic".utf8), to: "2026-03-11", in: web)
    let large = try attach(
      "large.jpg", jpeg + [UInt8](repeating: 0, count: EntryFiles.wholePictureLimit),
      to: "2026-03-10", in: web)
    let text = try attach("words.txt", Array("words".utf8), to: "2026-03-09", in: web)
    try await web.run { client in
      let cookie = try await client.signIn()
      func image(_ attachment: ArkivedCore.Attachment) -> String {
        "src=\"/attachments/\(attachment.id.uuidString)/thumbnail?size=small\""
      }
      let month = try await client.get("/calendar?day=2026-03-01", cookie: cookie).text
      #expect(month.contains("<img class=\"day-picture\" \(image(first))"))
      #expect(month.contains("alt=\"\" width=\"40\" height=\"40\" loading=\"lazy\""))
      let week = try await client.get("/calendar?of=week&day=2026-03-12", cookie: cookie).text
      #expect(week.contains(image(first)) && week.contains(image(second)))
      #expect(week.contains("alt=\"square.jpg\"") && !week.contains("<b>tower"))
      let year = try await client.get("/calendar?of=year&day=2026-03-12", cookie: cookie).text
      #expect(!year.contains("<img"))
      for page in [month, week] {
        #expect(page.contains(image(heic)) && page.contains(image(large)))
        #expect(!page.contains(image(text)))
      }
      #expect(!month.contains(image(second)))
      #expect(month.contains("Tuesday 10 March 2026: 1 photo"))
    }
  }

  @Test func daysAreSavedAsAZipOfMarkdown() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      for page in ["/day/2026-03-12", "/calendar", "/calendar?of=year"] {
        let text = try await client.get(page, cookie: cookie).text
        #expect(text.contains("href=\"/export/markdown.zip?from=2026-"), "\(page)")
      }
      let empty = try await client.get("/day/2026-03-01", cookie: cookie).text
      #expect(!empty.contains("markdown.zip"))
      let saved = try await client.get(
        "/export/markdown.zip?from=2026-03-01&to=2026-03-31", cookie: cookie)
      #expect(saved.status == 200 && saved.headers[.contentType] == "application/zip")
      #expect(
        saved.headers[.contentDisposition]
          == "attachment; filename=\"arkived-2026-03-01-to-2026-03-31.zip\"")
      #expect(saved.text.contains("2026/2026-03-12.md") && saved.text.contains("climbed the tower"))
      for query in [
        "", "from=2026-03-01", "from=x&to=2026-03-01", "from=2026-03-02&to=2026-03-01",
      ] {
        let odd = try await client.get("/export/markdown.zip?\(query)", cookie: cookie)
        #expect(odd.status == 400, "\(query)")
      }
      #expect(try await client.send(.get, "/export/markdown.zip").status == 401)
    }
  }

  @Test func wrongArgumentsAreNamed() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      for (query, words) in [
        ("of=decade", "week, month, year or years"), ("day=2026-02-30", "2026-03-14"),
        ("show=weather", "entries, mood or energy"),
      ] {
        let page = try await client.get("/calendar?\(query)", cookie: cookie)
        #expect(page.status == 400 && page.text.contains(words), "\(query)")
      }
      for (query, field) in [
        ("from=x", "from"), ("from=2026-03-02&to=2026-03-01", "to"),
        ("from=1900-01-01&to=2026-03-01", "from"), ("colour=red", "colour"),
      ] {
        let answer = try await client.ask(.get, "/api/v1/days?\(query)")
        #expect(answer.status == 400 && answer.json["field"]?.string == field, "\(query)")
      }
    }
  }

  @Test func daysAreToldInShortOverTheAPI() async throws {
    try await web().run { client in
      let answer = try await client.ask(.get, "/api/v1/days?from=2026-03-01&to=2026-03-31")
      let days = try #require(answer.json["days"]?.array)
      #expect(days.count == 1 && days.first?["entryCount"] == 2)
      #expect(days.first?["dayKey"] == "2026-03-12" && days.first?["mood"] == 5)
    }
  }

  @Test func whatTheOwnerSetsChangesAllPages() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let settings = try await client.get("/settings", cookie: cookie).text
      #expect(settings.contains("Appearance"))
      #expect(settings.contains("(Europe/Berlin, UTC+1, now "), "\(settings)")
      let form = [
        "theme": "dark", "contrast": "more", "zoom": "125", "density": "compact",
        "firstWeekday": "sunday", "clock": "hours12", "dateOrder": "monthDay",
      ]
      let saved = try await client.post("/settings/appearance", form, cookie: cookie)
      #expect(saved.status == 303)
      let day = try await client.get("/day/2026-03-12", cookie: cookie).text
      for words in [
        "data-theme=\"dark\"", "data-contrast=\"more\"", "data-zoom=\"125\"",
        "data-density=\"compact\"", "10:00 am–11:30 am", "Thursday, March 12",
      ] {
        #expect(day.contains(words), "\(words)")
      }
      // Fields that a browser or a program reads keep their form.
      let entries = try await client.ask(.get, "/api/v1/days/2026-03-12").text
      #expect(!entries.contains("am–"))
      let week = try await client.get("/calendar?of=week&day=2026-03-12", cookie: cookie).text
      #expect(week.contains("2026-03-08") && !week.contains("id=\"day-2026-03-15\""))
      var wrong = form
      wrong["zoom"] = "120"
      let refused = try await client.post("/settings/appearance", wrong, cookie: cookie)
      #expect(refused.status == 422 && refused.text.contains("must be one of 80, 90"))
      #expect(try await client.ask(.get, "/api/v1/preferences").json["zoom"] == 125)
      let changed = try await client.ask(.patch, "/api/v1/preferences", ["zoom": 100])
      #expect(changed.json["zoom"] == 100 && changed.json["theme"] == "dark")
      let unknown = try await client.ask(.patch, "/api/v1/preferences", ["font": "Arial"])
      #expect(unknown.status == 422 && unknown.json["field"] == "font")
    }
  }

  @Test func everyRoomIsReachedFromEveryPage() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/", cookie: cookie).text
      let more = try await client.get("/more", cookie: cookie).text
      for section in Pages.Section.allCases {
        #expect(page.contains("href=\"\(section.tab.href)\""), "\(section)")
        let inside = try await client.get(section.tab.href, cookie: cookie)
        #expect(inside.text.contains("href=\"\(section.tab.href)\" aria-current=\"page\""))
        if !section.isMain { #expect(more.contains("href=\"\(section.tab.href)\"")) }
      }
    }
  }
}
