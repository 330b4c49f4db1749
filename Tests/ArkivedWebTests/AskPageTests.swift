import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Asking and looking back in the web app")
struct AskPageTests {
  private func web() throws -> WebTest {
    let web = try WebTest()
    for day in ["2026-02-10", "2026-02-17", "2026-03-03"] {
      try web.test.add(
        "ran along the canal", on: day, from: "07:00", to: "07:40", tags: ["running"],
        people: ["Alex Kim"], measurements: ["km": 6])
    }
    try web.test.add("tea and talk", on: "2026-02-11", people: ["Alex Moreau"])
    return web
  }

  /// The links of a page that lead to an address beginning so.
  private func links(_ text: String, _ beginning: String) -> [String] {
    text.split(separator: "href=\"").dropFirst().compactMap { part in
      part.split(separator: "\"").first.map { String($0).replacing("&amp;", with: "&") }
    }.filter { $0.hasPrefix(beginning) }
  }

  @Test("A part that is taken away leaves the question without it, and can be taken back in")
  func partsAreTakenAway() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(
        "/ask?question=how+many+times+did+I+run+last+month", cookie: cookie)
      #expect(page.text.contains("February 2026") && page.text.contains("2 entries"))
      let without = try #require(
        links(page.text, "/ask?").first { $0.contains("without=time") })
      let wider = try await client.get(without, cookie: cookie)
      #expect(wider.text.contains("3 entries"))
      let back = try #require(links(wider.text, "/ask?").first { !$0.contains("without=") })
      #expect(try await client.get(back, cookie: cookie).text.contains("2 entries"))
    }
  }

  @Test("Where a name means several people, each is a link to the question about them alone")
  func readingsOfANameAreOffered() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(
        "/ask?question=what+did+I+do+with+Alex+last+month", cookie: cookie)
      #expect(page.text.contains("3 entries"))
      let link = try #require(links(page.text, "/ask?").first { $0.contains("Moreau") })
      let one = try await client.get(link, cookie: cookie)
      #expect(one.text.contains("1 entry") && one.text.contains("tea and talk"))
    }
  }

  @Test("The next page of an answer's entries continues where the last one ended")
  func pagesOfEntries() async throws {
    let web = try WebTest()
    let day = try #require(DayKey("2026-01-10"))
    for number in 1...40 {
      try web.test.add(
        "walked to stop \(number + 10)", on: day.advanced(by: number).description, from: "07:00",
        tags: ["walking"])
    }
    @Sendable func stops(_ page: String) -> [String] {
      page.matches(of: /stop \d\d/).map { String($0.output) }
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let first = try await client.get("/ask?question=how+many+times+did+I+walk", cookie: cookie)
      #expect(first.text.contains("1–30 of 40"))
      let more = try #require(links(first.text, "/ask?").first { $0.contains("after=") })
      for day in ["2026-01-02", "2026-03-02"] {
        try web.test.add("walked to stop 99", on: day, from: "07:00", tags: ["walking"])
      }
      let second = try await client.get(more, cookie: cookie)
      let missing = Set((1...40).map { "stop \($0 + 10)" })
        .subtracting(stops(first.text)).subtracting(stops(second.text))
      #expect(missing.isEmpty)
    }
  }

  @Test("A series is drawn as bars with their numbers beside them")
  func seriesAreDrawn() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(
        "/ask?question=how+many+km+did+I+run+by+month+this+year", cookie: cookie)
      #expect(page.text.contains("<svg class=\"bar\""))
      #expect(page.text.contains("<td class=\"tabular bar-value\">12</td>"))
      #expect(!page.text.contains("style="))
    }
  }

  @Test("The API pages through citations, leaves parts out, and names what it cannot take")
  func theAPITakesArguments() async throws {
    let web = try web()
    try await web.run { client in
      let question: JSON = "how many times did I run last month?"
      let page = try await client.ask(
        .post, "/api/v1/ask", ["question": question, "limit": 1, "offset": 1])
      #expect(page.json["citationCount"] == 2 && page.json["citations"]?.array?.count == 1)
      let parts = page.json["understood"]?["parts"]?.array ?? []
      let time = try #require(parts.first { $0["role"] == "time" }?["key"])
      let wide = try await client.ask(
        .post, "/api/v1/ask", ["question": question, "without": [time]])
      #expect(wide.json["values"] == [3])
      for (name, value) in [
        ("limit", JSON(-1)), ("limit", 1_001), ("offset", -1), ("limit", "x"), ("without", 5),
      ] {
        let wrong = try await client.ask(
          .post, "/api/v1/ask", ["question": question, name: value])
        #expect(wrong.status == 422 || wrong.status == 400, "\(name) \(value)")
        #expect(wrong.text.contains(name), "\(wrong.text)")
      }
    }
  }

  @Test("A recap is a page and a document; each statement leads to its entries")
  func recapsAreShown() async throws {
    let web = try web()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/recap?of=month&day=2026-02-14", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("February 2026"))
      #expect(links(page.text, "/day/2026-02-10#activity-").count > 0)
      #expect(links(page.text, "/recap?of=month&day=2026-01-01").count == 1)
      #expect(links(page.text, "/recap?of=month&day=2026-03-01").count == 1)
      let document = try await client.ask(.get, "/api/v1/recap?of=month&day=2026-02-14")
      #expect(document.json["from"] == "2026-02-01" && document.json["to"] == "2026-02-28")
      let statements = (document.json["sections"]?.array ?? []).flatMap {
        $0["statements"]?.array ?? []
      }
      #expect(!statements.isEmpty)
      let ids = statements.flatMap { $0["citations"]?.array ?? [] }.compactMap { $0["id"]?.string }
      #expect(!ids.isEmpty)
      for id in ids {
        #expect(try await client.ask(.get, "/api/v1/activities/\(id)").status == 200)
      }
      let thisWeek = try await client.ask(.get, "/api/v1/recap")
      #expect(thisWeek.json["unit"] == "week" && thisWeek.json["isSoFar"] == true)
    }
  }

  @Test(
    "What is no span is refused, and the edges of the calendar are shown",
    arguments: [
      ("of=decade", 400), ("day=yesterday", 400), ("of=week&day=2026-02-30", 400),
      ("of=year&day=0001-01-01", 200), ("of=week&day=9999-12-31", 200),
      ("of=day&day=2024-02-29", 200),
      ("of=month&day=2100-01-01", 200),
    ])
  func edges(query: String, status: Int) async throws {
    let web = try web()
    try await web.run { client in
      #expect(try await client.ask(.get, "/api/v1/recap?\(query)").status == status, "\(query)")
      let cookie = try await client.signIn()
      #expect(try await client.get("/recap?\(query)", cookie: cookie).status == status, "\(query)")
    }
  }

  @Test("Texts, tags and names cannot run on these pages")
  func hostileTextsAreEscaped() async throws {
    let web = try WebTest()
    let canary = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    try web.test.add(
      canary, on: "2026-03-10", tags: ["<b>tag"], people: ["Eve <script>alert(2)</script>"])
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in [
        "/recap?of=day&day=2026-03-10", "/recap?of=month&day=2026-03-10",
        "/ask?question=what+did+I+do+this+week", "/ask?question=who+did+I+see+most+this+week",
        "/ask?question=x&without=\(URLText.escaped("time:" + canary))",
      ] {
        let text = try await client.get(path, cookie: cookie).text
        #expect(!text.contains("<script>alert") && !text.contains("<img src=x"), "\(path)")
        #expect(!text.contains("<b>tag"), "\(path)")
      }
    }
  }
}
