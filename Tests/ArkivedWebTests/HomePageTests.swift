import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Hummingbird
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Today as a home, the first run, the palette, and promises that are let go")
struct HomePageTests: MeetingTesting, GoalPageTesting {
  // MARK: Beside the day

  @Test func todayHasWhatComesNextBesideIt() async throws {
    let web = try WebTest()
    let next = try meeting(
      web.test, "Pricing <b>", on: "2026-03-15", from: "09:00", to: "09:30", with: ["Priya Nair"])
    _ = try note(
      web.test,
      """
      - [ ] send the draft by 2026-03-16
      - [ ] long ago by 2025-01-01
      - [ ] far away by 2026-09-01
      - [x] done by 2026-03-15
      - [ ] @Priya pay by 2026-03-15
      """)
    let goal = try goal(web.test)
    try web.test.add("castle", on: "2025-03-14")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/", cookie: cookie).text
      let home = try #require(page.firstMatch(of: #/(?s)<aside class="home".*</aside>/#)).output
      #expect(home.contains("March 2026") && home.contains("href=\"/day/2026-03-02\""))
      #expect(home.contains("Pricing &lt;b&gt;") && home.contains("tomorrow"))
      #expect(home.contains("href=\"/meetings/\(next.id.uuidString)/brief\""))
      #expect(home.contains("send the draft"))
      for absent in ["long ago", "far away", "done by", "pay by"] {
        #expect(!home.contains(absent), "\(absent)")
      }
      #expect(home.contains("/goals/\(goal.id.uuidString)") && home.contains("castle"))

      let other = try await client.get("/day/2026-03-13", cookie: cookie).text
      #expect(other.contains("March 2026") && !other.contains("id=\"home-next\""))
      #expect(!other.contains("home-goals"))
    }
  }

  @Test func theMonthBesideADayIsThatOfTheDay() async throws {
    let web = try WebTest()
    try web.test.add("castle", on: "2024-02-29")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/day/2024-02-29", cookie: cookie).text
      #expect(page.contains("February 2024"))
      #expect(page.contains("is-open\" href=\"/day/2024-02-29\""))
      for day in ["0001-01-01", "9999-12-31"] {
        #expect(try await client.get("/day/\(day)", cookie: cookie).status == 200, "\(day)")
      }
    }
  }

  // MARK: The first run

  @Test func anEmptyArchiveGreetsWithThreeWaysToBegin() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/", cookie: cookie).text
      for words in [
        "Welcome to Arkived", "Write your first line", "/settings/imports/services",
        "7am: ran 5 km",
        "action=\"/welcome/sample\"", "Your days follow the time zone Berlin",
      ] { #expect(page.contains(words), "\(words)") }
      let made = try await client.post("/welcome/language", ["language": "de"], cookie: cookie)
      #expect(made.headers[.location] == "/")
      #expect(try await client.get("/", cookie: cookie).text.contains("Willkommen bei Arkived"))
      let odd = try await client.post("/welcome/language", ["language": "xx"], cookie: cookie)
      #expect(odd.status == 422 || odd.status == 400)
      try web.test.add("walked", on: "2026-03-10")
      #expect(try await !client.get("/", cookie: cookie).text.contains("Willkommen"))
    }
  }

  @Test func theSampleLifeIsShownBesideTheArchive() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let early = try await client.get("/welcome/sample/enter", cookie: cookie)
      #expect(early.headers[.location] == "/welcome/sample")
      let begun = try await client.post("/welcome/sample", [:], cookie: cookie)
      #expect(begun.headers[.location] == "/welcome/sample")
      var page = ""
      while !page.contains("sample-enter") {
        page = try await client.get("/welcome/sample", cookie: cookie).text
        #expect(!page.contains("field-error"), "\(page)")
        if page.contains("field-error") { return }
        try await Task.sleep(for: .milliseconds(100))
      }
      let enter = try await client.get("/welcome/sample/enter", cookie: cookie)
      let login = try #require(enter.headers[.location].flatMap { URLComponents(string: $0) })
      let port = try #require(login.port)
      #expect(port != client.port)
      guard case .open(let door) = web.app.sampleDesk.standing else {
        Issue.record("The sample life isn't open.")
        return
      }
      let sample = WebClient(port: port, door: door)
      let shown = try await sample.get("/", cookie: try await sample.signIn()).text
      #expect(shown.contains("You’re viewing the sample life") && shown.contains(client.origin))
      #expect(!shown.contains("Welcome to Arkived"))
      #expect(try web.test.archive.isEmpty())
      #expect(try await client.post("/welcome/sample/close", [:], cookie: cookie).status == 303)
      #expect(
        try await client.get("/welcome/sample", cookie: cookie).text
          .contains("Open the sample life"))
    }
  }

  @Test func aBackupIsSuggestedAfterTenEntriesUntilItIsDismissed() async throws {
    let web = try WebTest()
    for number in 1...9 { try web.test.add("walk \(number)", on: "2026-03-10") }
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await !client.get("/", cookie: cookie).text.contains("backup-hint"))
      try web.test.add("walk 10", on: "2026-03-10")
      #expect(try await client.get("/", cookie: cookie).text.contains("backup-hint"))
      #expect(
        try await !client.get("/day/2026-03-10", cookie: cookie).text.contains("backup-hint"))
      let odd = try await client.post("/hints/other/dismiss", [:], cookie: cookie)
      #expect(odd.status == 422 || odd.status == 400)
      #expect(try await client.post("/hints/backup/dismiss", [:], cookie: cookie).status == 303)
      #expect(try await !client.get("/", cookie: cookie).text.contains("backup-hint"))
      #expect(try web.test.archive.isDismissed(.backup))
    }
  }

  // MARK: The palette

  @Test(arguments: [
    ("go to 5 May 2023", "/day/2023-05-05"), ("2024-02-29", "/day/2024-02-29"),
    ("yesterday", "/day/2026-03-13"), ("March 2020", "/calendar?of=month&day=2020-03-01"),
    ("2019", "/calendar?of=year&day=2019-01-01"), ("new goal", "/goals/new"),
    ("back up", "/settings/backup"), ("calendar", "/calendar"), ("priya", "/people/PRIYA"),
    ("run 120", "/goals/GOAL"), ("xyzzy", "/search?query=xyzzy"), ("%_'", "/search?query=%25_%27"),
  ])
  func thePaletteLeadsToWhatIsMeant(query: String, target: String) async throws {
    let web = try WebTest()
    _ = try meeting(web.test, with: ["Priya Nair"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.get("/go?q=\(URLText.escaped(query))&go=1", cookie: cookie)
      var wanted = target
      if target.hasSuffix("PRIYA") {
        _ = try await client.post("/people", ["name": "Priya Nair"], cookie: cookie)
        let id = try person(web.test, named: "Priya Nair")
        wanted = "/people/\(id.uuidString)"
      } else if target.hasSuffix("GOAL") {
        wanted = "/goals/\(try goal(web.test, "Run 120 km").id.uuidString)"
      }
      let again = try await client.get("/go?q=\(URLText.escaped(query))&go=1", cookie: cookie)
      #expect(answer.status == 303 && again.status == 303)
      #expect(again.headers[.location] == wanted)
    }
  }

  @Test func thePaletteIsAPageOfItsOwnInTheReadersLanguage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let all = try await client.get("/go", cookie: cookie).text
      #expect(all.contains("id=\"go-results\"") && all.contains("href=\"/goals/new\""))
      let headers = ["Cookie": cookie, "Accept-Language": "de"]
      let german = try await client.send(.get, "/go?q=5.%20Mai%202023", headers).text
      #expect(german.contains("Freitag, 5. Mai 2023") && german.contains("/day/2023-05-05"))
      let named = try await client.send(.get, "/go?q=sicher", headers).text
      #expect(named.contains("href=\"/settings/backup\""))
      let hostile = try await client.get("/go?q=%3Cscript%3Ealert(1)%3C/script%3E", cookie: cookie)
      #expect(hostile.status == 200 && !hostile.text.contains("<script>alert"))
      #expect(
        try await client.get("/go?q=\(String(repeating: "a", count: 5_000))", cookie: cookie)
          .status == 200)
    }
  }

  @Test func everyDestinationOpens() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let today = try #require(DayKey("2026-03-14"))
      for one in Destination.all(today: today) {
        let path = String(one.href.prefix { $0 != "#" })
        let status = try await client.get(path, cookie: cookie).status
        #expect(status == 200 || status == 303, "\(path)")
      }
    }
  }

  /// The pages that the palette doesn't list, with the reason.
  private static let unlistedPages = [
    "/brief": "leads to the brief of the next meeting",
    "/brief/next": "leads to the brief of the next meeting",
    "/capture": "the window of the bookmark",
    "/day": "leads to a typed date", "/day/kept": "a list for the service worker",
    "/design": "for those who build pages",
    "/events": "a stream", "/go": "the palette itself", "/goals/preview": "a part of a form",
    "/linked": "needs a name", "/linked/from": "needs something that is linked to",
    "/map/days": "a part of the map", "/map/names": "a part of the map",
    "/map/towns": "a part of the map", "/more": "the rest of a phone's bar",
    "/photos/part": "a part of the album", "/search/index": "a part of the search",
    "/search/results": "a part of the search", "/settings/phone/certificate": "a file",
    "/settings/storage/export": "a file", "/welcome/sample/enter": "leads into the sample life",
  ]

  @Test func thePaletteListsEveryPage() async throws {
    let web = try WebTest()
    let today = try #require(DayKey("2026-03-14"))
    let listed = Set(
      Destination.all(today: today).map { one in String(one.href.prefix { !"?#".contains($0) }) })
    let pages = try web.app.router().routes.filter { $0.method == .get }.map(\.path.description)
      .filter { path in
        // Identities stand for what only one page shows, and full stops for files.
        !path.contains { ":{.".contains($0) }
          && !["/api/", "/assets", "/login", "/mcp"].contains { path.hasPrefix($0) }
      }
    #expect(pages.count > 60)
    for page in pages where Self.unlistedPages[page] == nil {
      #expect(listed.contains(page), "\(page)")
    }
    for page in Self.unlistedPages.keys {
      #expect(pages.contains(page) && !listed.contains(page), "\(page)")
    }
  }

  // MARK: Promises

  @Test func promisesOverdueForLongAreLetGoTogetherAndComeBack() async throws {
    let web = try WebTest()
    let first = try note(
      web.test, "- [ ] ring by 2019-01-09\r\n- [ ] @Priya pay by 2020-02-02\nrest <b>")
    let second = try note(
      web.test, "- [ ] write by 2025-07-31\n- [ ] recent by 2026-03-01\n- [ ] open")
    try await web.run { client in
      let cookie = try await client.signIn()
      let board = try await client.get("/promises", cookie: cookie).text
      #expect(board.contains("3 promises have been overdue for more than two months"))
      // Only what is overdue for a short time is shown as urgent.
      #expect(board.contains("is-late\">was due 1 March") && board.contains("1 overdue"))
      #expect(!board.contains("is-late\">was due 9 January"))
      let values = board.matches(of: #/name="promise" value="([^"]+\/[^"]+)" checked/#)
        .map { String($0.1) }
      #expect(values.count == 3)
      // What is chosen stays with its promise while the page is updated.
      #expect(board.contains("action=\"/promises/let-go\" data-keep>"))
      let body = values.map { "promise=\(URLText.escaped($0))" }.joined(separator: "&")
      let headers = [
        "Cookie": cookie, "Origin": client.origin,
        "Content-Type": "application/x-www-form-urlencoded",
      ]
      let done = try await client.send(.post, "/promises/let-go", headers, body: body)
      let page = try await client.get(try #require(done.headers[.location]), cookie: cookie).text
      #expect(page.contains("Let go of 3 promises") && !page.contains("id=\"let-go\""))
      #expect(
        try web.test.archive.note(first.id)?.text
          == "- [-] ring by 2019-01-09\r\n- [-] @Priya pay by 2020-02-02\nrest <b>")
      #expect(try web.test.archive.note(second.id)?.text.contains("- [ ] recent") == true)
      // A page of yesterday changes nothing.
      let late = try await client.send(.post, "/promises/let-go", headers, body: body)
      #expect(late.headers[.location] == "/promises")
      #expect(
        try await client.send(.post, "/promises/let-go", headers, body: "promise=x/y").status
          == 303)
      _ = try await client.post(try undoPath(page), [:], cookie: cookie)
      #expect(try web.test.archive.note(first.id)?.text == first.text)
      #expect(try web.test.archive.note(second.id)?.text == second.text)
    }
  }

  // MARK: Small things

  @Test func aSearchFoldsItsFiltersAndSaysNothingOfItsSpeed() async throws {
    let web = try WebTest()
    try web.test.add("castle", on: "2026-03-10")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/search?query=castle", cookie: cookie).text
      #expect(page.contains("1 entry") && !page.contains(" ms<"))
      #expect(!page.contains("<details class=\"filters\" open"))
      let filtered = try await client.get("/search?query=castle&kind=work", cookie: cookie).text
      #expect(filtered.contains("<details class=\"filters\" open"))
    }
  }
}
