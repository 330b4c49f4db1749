import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages of insights")
struct InsightsPageTests {
  private static let topics = ["year", "habits", "time", "measures", "places", "mood", "compare"]

  private func path(_ topic: String) -> String {
    topic == "year" ? "/insights" : "/insights/\(topic)"
  }

  /// Sixty days until 14 March 2026, each with a run, a meeting with times, and every second a mood.
  private func web() throws -> WebTest {
    let web = try WebTest()
    let today = try #require(DayKey("2026-03-14"))
    for back in 0..<60 {
      let day = today.advanced(by: -back)
      var run = try web.test.activity(
        "ran", on: day.description, from: "07:00", to: "07:30", tags: ["sport"],
        people: back % 3 == 0 ? ["Ada"] : [], kind: .health, measurements: ["km": 5])
      run.locationLabel = back % 2 == 0 ? "Canal" : "Park"
      run.lat = 52.5 + Double(back % 2) / 10
      run.lon = 13.4
      try web.test.archive.add(run)
      _ = try web.test.archive.updateDay(day) { $0.mood = back % 5 + 1 }
    }
    return web
  }

  @Test("Every topic is a page under the tabs, with a named chart, its table and its files")
  func pages() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      for topic in Self.topics {
        let query = topic == "habits" || topic == "time" ? "?span=90" : ""
        let page = try await client.get(path(topic) + query, cookie: cookie)
        #expect(page.status == 200, "\(topic)")
        #expect(page.text.contains("aria-label=\"Insights\""), "\(topic)")
        #expect(page.text.contains("<svg class=\"ins-svg"), "\(topic)")
        #expect(page.text.contains("<table"), "\(topic)")
        #expect(page.text.contains("href=\"/recap\""), "\(topic)")
        #expect(!page.text.contains("style="), "\(topic)")
        if topic == "places" {
          #expect(page.text.contains("<time datetime=\"2026-03-14\">14 March 2026</time>"))
        }
        // The one link to a table's file of each section.
        #expect(page.text.contains("/insights/\(topic).csv?"), "\(topic)")
      }
      let recap = try await client.get("/recap", cookie: cookie)
      #expect(recap.text.contains("href=\"/insights/habits\""))
      #expect(recap.text.contains("href=\"/recap\" aria-current=\"page\""))
    }
  }

  @Test("Each day of the year is a link with its name and value")
  func yearLinks() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/insights", cookie: cookie)
      #expect(
        page.text.contains("<a href=\"/day/2026-03-14\" aria-label=\"14 March 2026: mood 1\">"))
      // A picture of links is no image.
      #expect(page.text.contains("role=\"group\""))
      let entries = try await client.get("/insights?of=entries&year=2026", cookie: cookie)
      #expect(entries.text.contains("aria-label=\"14 March 2026: 1 entry\""))
    }
  }

  @Test("Tables and charts are saved as files that need nothing else")
  func files() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let table = try await client.get(
        "/insights/habits.csv?span=90&section=habits", cookie: cookie)
      #expect(table.status == 200)
      #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
      #expect(
        table.headers[.contentDisposition] == "attachment; filename=\"arkived-habits-habits.csv\"")
      #expect(table.text.contains("\r\nsport,60,"))
      for topic in Self.topics {
        let chart = try await client.get("/insights/\(topic).svg", cookie: cookie)
        #expect(chart.status == 200, "\(topic)")
        #expect(chart.headers[.contentType] == "image/svg+xml")
        #expect(chart.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(!chart.text.contains("class="), "\(topic)")
        #expect(!chart.text.contains("<a "), "\(topic)")
        let parser = XMLShape(chart.text)
        #expect(parser.isWhole, "\(topic)")
      }
      let wrong = try await client.get("/insights/habits.csv?section=nothing", cookie: cookie)
      #expect(wrong.status == 400 && wrong.text.contains("section"))
    }
  }

  @Test("The API tells the same as documents, and names what it cannot take")
  func documents() async throws {
    let web = try web()
    try await web.run { client in
      for topic in Self.topics {
        let answer = try await client.ask(.get, "/api/v1/insights/\(topic)")
        #expect(answer.status == 200 && answer.json["topic"]?.string == topic)
        #expect(answer.json["sections"]?.array?.isEmpty == false, "\(topic)")
      }
      let time = try await client.ask(.get, "/api/v1/insights/time?span=30")
      let tags = time.json["sections"]?.array?.first { $0["key"] == "tags" }
      #expect(tags?["rows"]?.array?.first?["hours"] == 15)
      for (query, field) in [
        ("habits?span=31", "span"), ("habits?of=mood", "of"), ("measures?of=unit:furlong", "of"),
        ("year?year=26", "year"), ("compare?a=x", "a"), ("places?from=2026-02-30", "from"),
        ("time?span=30&from=2026-01-01", "span"),
      ] {
        let wrong = try await client.ask(.get, "/api/v1/insights/\(query)")
        #expect(wrong.status == 400, "\(query) \(wrong.text)")
        #expect(wrong.json["field"]?.string == field, "\(query) \(wrong.text)")
      }
    }
  }

  @Test("A page with a wrong argument says which, and one of no days is calm")
  func edges() async throws {
    let web = try web()
    let bare = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let wrong = try await client.get("/insights/habits?span=31", cookie: cookie)
      #expect(wrong.status == 400 && wrong.text.contains("span"))
      // A form sends the days of its hidden fields along.
      let form = try await client.get(
        "/insights/habits?span=90&from=2026-03-01&to=2026-03-02", cookie: cookie)
      #expect(form.status == 200 && form.text.contains("the last 90 days"))
      let own = try await client.get(
        "/insights/habits?span=days&from=2026-03-01&to=2026-03-02", cookie: cookie)
      #expect(own.status == 200 && own.text.contains("name=\"from\" value=\"2026-03-01\""))
      for query in ["year=0001", "year=9999", "year=2024"] {
        #expect(try await client.get("/insights?\(query)", cookie: cookie).status == 200)
      }
    }
    try await bare.run { client in
      let cookie = try await client.signIn()
      for topic in Self.topics {
        let page = try await client.get(path(topic), cookie: cookie)
        #expect(page.status == 200 && page.text.contains("Nothing recorded yet"), "\(topic)")
        let file = try await client.get("/insights/\(topic).csv", cookie: cookie)
        #expect(file.status == 404, "\(topic)")
      }
    }
  }

  @Test("Names cannot run on these pages, nor in their files")
  func hostileNames() async throws {
    let web = try WebTest()
    let canary = "<script>alert(1)</script>\"'&"
    var entry = try web.test.activity(
      "x", on: "2026-03-10", from: "07:00", to: "08:00", tags: ["<b>tag"],
      people: ["Eve <script>alert(2)</script>"])
    entry.locationLabel = canary
    entry.lat = 1
    entry.lon = 2
    try web.test.archive.add(entry)
    try await web.run { client in
      let cookie = try await client.signIn()
      for topic in Self.topics {
        let text = try await client.get(path(topic), cookie: cookie).text
        #expect(!text.contains("<script>alert") && !text.contains("<b>tag"), "\(topic)")
      }
      for topic in ["habits", "time", "places"] {
        let text = try await client.get("/insights/\(topic).svg", cookie: cookie).text
        #expect(!text.contains("<script>") && !text.contains("<b>"), "\(topic)")
        #expect(XMLShape(text).isWhole, "\(topic)")
      }
    }
  }
}

/// Whether a text is well-formed XML, as far as its elements close.
private struct XMLShape {
  var isWhole: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var isFine = true
    for match in text.matches(of: #/<(/?)([A-Za-z]+)[^<>]*?(/?)>/#) {
      let (_, end, name, alone) = match.output
      if !end.isEmpty {
        if open.popLast() != name { isFine = false }
      } else if alone.isEmpty {
        open.append(name)
      }
    }
    let rest = text.replacing(#/<[^<>]*>/#, with: "")
    isWhole = isFine && open.isEmpty && !rest.contains("<") && !rest.contains(">")
  }
}
