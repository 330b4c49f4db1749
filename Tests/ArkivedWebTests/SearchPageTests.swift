import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The search page")
struct SearchPageTests {
  private static let canary = "<img src=x onerror=alert(1)>"

  private func web() throws -> WebTest {
    let web = try WebTest()
    try web.test.add(
      "climbed to the castle", on: "2026-02-10", tags: ["trip"], people: ["Alex Kim"])
    try web.test.add("castle again", on: "2026-03-01", from: "10:30")
    try web.test.add("lunch below the castle", on: "2026-02-10", tags: ["food"])
    return web
  }

  private func results(_ line: String, _ client: WebClient, _ cookie: String) async throws -> String
  {
    let answer = try await client.get(
      "/search/results?query=\(URLText.escaped(line))", cookie: cookie)
    #expect(answer.status == 200)
    return answer.text
  }

  @Test("gives its results alone while somebody types")
  func givesItsResultsAlone() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let text = try await results("castle tag:trip", client, cookie)
      #expect(text.hasPrefix("<div class=\"found\"") && !text.contains("<html"))
      #expect(text.contains("<mark>castle</mark>"))
      #expect(text.contains("matched: castle · tag: trip"))
      #expect(text.contains("data-spoken=\"1 entry\""))
      #expect(text.contains("data-title=\"Search: castle tag:trip\""))
      let page = try await client.get("/search?query=castle+tag%3Atrip", cookie: cookie)
      #expect(page.text.contains("id=\"found\"") && page.text.contains("<mark>castle</mark>"))
    }
  }

  @Test("shows a day once, where its first entry stands, with all of its entries")
  func showsADayOnce() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let text = try await results("castle", client, cookie)
      let days = text.matches(of: #/id="day-([0-9-]+)"/#).map { String($0.1) }
      #expect(days.count == 2 && Set(days) == ["2026-02-10", "2026-03-01"])
      #expect(text.contains("data-spoken=\"3 entries\""))
      #expect(text.contains("10:30"))
    }
  }

  @Test(
    "tells the times of entries as their day does, with words and without",
    arguments: [
      "fair", "tag:fair",
    ])
  func tellsTimesAsTheDayDoes(line: String) async throws {
    let web = try WebTest()
    let (archive, zone) = (web.test.archive, web.test.zone)
    var whole = try web.test.activity("the fair", on: "2026-02-20", from: "00:00", tags: ["fair"])
    whole.endAt = zone.start(of: whole.dayKey.advanced(by: 2))
    var visit = try web.test.activity(
      "visited the fair", on: "2026-02-20", from: "05:00", tags: ["fair"])
    visit.dayPeriod = .morning
    var night = try web.test.activity(
      "slept at the fair", on: "2026-02-19", from: "23:10", tags: ["fair"])
    night.dayKey = night.dayKey.advanced(by: 1)
    for entry in [whole, visit, night] { try archive.add(entry) }
    try await web.run { client in
      let cookie = try await client.signIn()
      let text = try await results(line, client, cookie)
      for time in ["all day", "morning", "2026-02-19 23:10"] {
        #expect(text.contains(">\(time)</time>"), "\(time) \(text)")
      }
      #expect(!text.contains(">00:00</time>") && !text.contains(">05:00</time>"))
    }
  }

  @Test("says how far the indexes are, on the page and to programs, and is silent when all is done")
  func saysHowFarTheIndexesAre() async throws {
    let web = try web()
    let status = web.app.indexStatus
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/search/index"
      var line = try await client.get(path, cookie: cookie).text
      #expect(line.contains("data-active=\"false\" hidden"))
      status.change {
        $0.progress = IndexProgress(stage: .meaning, done: 250, total: 1_000, seconds: 10)
      }
      line = try await client.get(path, cookie: cookie).text
      #expect(line.contains("250 of 1000 · 30 seconds left"))
      #expect(line.contains("data-active=\"true\"") && line.contains("value=\"25\""))
      let page = try await client.get("/search", cookie: cookie)
      #expect(page.text.contains("250 of 1000 · 30 seconds left"))
      let told = try await client.ask(.get, "/api/v1/index").json["index"]
      #expect(told?["stage"] == "meaning" && told?["secondsLeft"] == 30)
      status.change {
        $0.progress = nil
        $0.absence = "Search by meaning is off: \(Self.canary)."
      }
      line = try await client.get(path, cookie: cookie).text
      #expect(line.contains("Search by meaning is off: &lt;img") && !line.contains(Self.canary))
    }
  }

  @Test("is for the owner only")
  func isForTheOwnerOnly() async throws {
    try await web().run { client in
      for path in ["/search/results?query=castle", "/api/v1/complete?query=tag:"] {
        let answer = try await client.send(.get, path)
        #expect(answer.status == 401)
      }
    }
  }

  @Test("says what it understood and what it could not use")
  func saysWhatItUnderstood() async throws {
    try await web().run { client in
      let cookie = try await client.signIn()
      let text = try await results("castle tag:tri from:february on:xyzzy", client, cookie)
      #expect(text.contains("tag:tri: trip"))
      #expect(text.contains("from february: since 1 February 2026"))
      #expect(text.contains("isn’t a time."))
      #expect(try await results("tag:", client, cookie).contains("How to write a search"))
      #expect(try await results("", client, cookie).contains("How to write a search"))
      let none = try await results("castle tag:zebra", client, cookie)
      #expect(none.contains("Nothing found") && none.contains("No tag named"))
      let wrong = try await client.get("/search/results?query=a&from=never", cookie: cookie)
      #expect(wrong.status == 200 && wrong.text.contains("id=\"query-error\""))
    }
  }

  @Test("names and links an entry that was found by its place")
  func namesWhatWasFoundByItsPlace() async throws {
    let web = try web()
    var choir = try web.test.activity("choir & <tea>")
    choir.locationLabel = "the parish hall"
    try web.test.archive.add(choir)
    let link = "/day/\(choir.dayKey)#activity-\(choir.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let text = try await results("parish", client, cookie)
      #expect(
        text.contains(
          "<bdi class=\"hit-title\">choir &amp; &lt;tea&gt;</bdi> "
            + "<bdi>the <mark>parish</mark> hall</bdi></a>"))
      // The browser scrolls to the place and marks it.
      #expect(text.contains("href=\"\(link):~:text="))
      let found = try await client.ask(.get, "/api/v1/search?query=parish").json["results"]
      #expect(found?.array?.first?["title"] == "choir & <tea>")
      #expect(found?.array?.first?["snippet"] == "the parish hall")
    }
  }

  @Test("offers the line that was probably meant")
  func offersTheLineThatWasMeant() throws {
    let html = try Pages().html(
      "found",
      [
        "hasSearched": true, "resultLine": "No entry", "suggestion": "tag:a <castle>",
        "suggestionHref": "/search?query=tag%3Aa%20castle",
      ])
    #expect(
      html.contains(
        "Did you mean <a href=\"/search?query=tag%3Aa%20castle\" dir=\"auto\">"
          + "tag:a &lt;castle&gt;</a>?"))
  }

  @Test("keeps every filter in the links to more results and to the line that was meant")
  func keepsEveryFilter() async throws {
    let web = try WebTest()
    for number in 0..<40 {
      try web.test.add("castle number \(number)", on: "2026-02-10", tags: ["trip", "old"])
      try web.test.add("castle alone \(number)", on: "2026-02-10", tags: ["trip"])
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let filters = "tag=trip&tag=old&from=2026-02-01"
      let page = try await client.get(
        "/search/results?query=castle&\(filters)", cookie: cookie
      ).text.replacing("&amp;", with: "&")
      let more = try #require(page.firstMatch(of: #/href="(/search\?[^"]*offset=30)"/#)).1
      let rest = try await client.get(String(more), cookie: cookie).text
      #expect(rest.contains("castle</mark> number") && !rest.contains("castle</mark> alone"))
      let meant = try await client.get(
        "/search/results?query=castel&\(filters)", cookie: cookie
      ).text.replacing("&amp;", with: "&")
      let link = try #require(meant.firstMatch(of: #/href="(/search\?query=castle[^"]*)"/#)).1
      for filter in ["tag=trip", "tag=old", "from=2026-02-01"] {
        #expect(more.contains(filter) && link.contains(filter))
      }
    }
  }

  @Test("ends a long snippet where it is cut, and cuts no character")
  func endsALongSnippet() {
    let text = String(repeating: "long ", count: 250) + "castle again"
    let cut = HTMLText.marked(Snippet(text: text, highlights: [1_250..<1_256]))
    #expect(cut.hasSuffix("long…</bdi>") && !cut.contains("castle") && !cut.contains("<mark>"))
    let whole = String(repeating: "x", count: 1_000)
    #expect(HTMLText.marked(Snippet(text: whole)) == "<bdi>\(whole)</bdi>")
    let family = "👨‍👩‍👧‍👦"
    for limit in 20..<30 {
      let clipped = ClippedText.of(String(repeating: family, count: 9), limit: limit)
      #expect(Set(clipped).subtracting("…") == [Character(family)])
    }
  }

  @Test("writes hostile names, lines and texts as text")
  func writesHostileTextAsText() async throws {
    let web = try web()
    let canary = Self.canary
    try web.test.add(
      "castle \(canary)", tags: [canary, "\"><b>"], people: ["Eve \(canary)"])
    try await web.run { client in
      let cookie = try await client.signIn()
      for line in [
        "castle", canary, "tag:\"\(canary)\"", "tag:<", "person:eve", "person:ev", "from:\(canary)",
        "castle person:\"Eve \(canary)\"", "tag:\"\"><script>\"", "#<b>", "\"'><script>",
      ] {
        let text = try await results(line, client, cookie)
        #expect(!text.contains("<img") && !text.contains("<script") && !text.contains("<b>"))
        let page = try await client.get(
          "/search?query=\(URLText.escaped(line))", cookie: cookie)
        #expect(page.status == 200 && !page.text.contains("<img"))
        #expect(!page.text.contains("<b>"))
      }
      let offers = try await client.ask(.get, "/api/v1/complete?query=tag%3A%3C")
      #expect(offers.headers[.contentType]?.hasPrefix("application/json") == true)
      #expect(offers.json["completions"]?.array?.first?["label"]?.string == canary)
    }
  }

  @Test("leads to the passage of a note, and to short entries themselves")
  func leadsToPassages() async throws {
    let web = try web()
    let filler = Array(repeating: "Tea and post in the morning.", count: 40)
    let text = (filler + ["A **well-known** falcon sat on the ruined tower until dusk."] + filler)
      .joined(separator: "\n\n")
    let note = try web.test.archive.create(
      Note(
        id: web.test.archive.identities.next(), title: "March", text: text,
        createdAt: web.test.clock.now, updatedAt: web.test.clock.now)
    ).value
    try await web.run { client in
      let cookie = try await client.signIn()
      let found = try await results("falcon", client, cookie)
      let link = try #require(found.firstMatch(of: #/href="([^"]*:~:text=[^"]*)"/#)).1
      #expect(link.hasPrefix("/notes/\(note.id.uuidString)#:~:text="))
      let ends = try #require(link.split(separator: "=").last).split(separator: ",")
      #expect(ends.count == 2 && ends.allSatisfy { !$0.contains("-") && !$0.contains("*") })
      let castle = try await results("castle", client, cookie)
      #expect(!castle.contains(":~:text="))
    }
  }

  @Test("completes a line for programs too")
  func completesALine() async throws {
    try await web().run { client in
      let answer = try await client.ask(
        .get, "/api/v1/complete?query=%C3%A9%20tag%3Atr%20castle&cursor=8")
      #expect(answer.status == 200)
      #expect(
        answer.json["completions"] == [
          ["kind": "tag", "text": "trip", "label": "trip", "range": [6, 8], "count": 1]
        ])
      let people = try await client.ask(.get, "/api/v1/complete?query=%40kim")
      let person = people.json["completions"]?.array?.first
      #expect(person?["text"] == "@\"Alex Kim\"" && person?["kind"] == "person")
      let nothing = try await client.ask(.get, "/api/v1/complete")
      #expect(nothing.status == 200 && nothing.json["completions"] == [])
      let wrong = try await client.ask(.get, "/api/v1/complete?query=a&cursor=x")
      #expect(wrong.status == 400)
      let found = try await client.ask(.get, "/api/v1/search?query=castle+%23trip&to=2026-02-28")
      #expect(found.json["results"]?.array?.count == 1)
      #expect(found.json["notes"] == [] && found.json["suggestion"] == .null)
    }
  }
}
