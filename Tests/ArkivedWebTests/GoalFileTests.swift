import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Charts and plans of goals as files")
struct GoalFileTests {
  private func goal(_ web: WebTest, _ title: String = "Run 120 km") throws -> Goal {
    try web.test.archive.create(
      Goal(
        id: web.test.archive.identities.next(), title: title, measurementUnit: "km",
        measurementTarget: 120, startDate: DayKey("2026-03-02"),
        targetDate: DayKey("2026-06-30"), createdAt: web.test.clock.now,
        updatedAt: web.test.clock.now)
    ).value
  }

  private func form(_ name: String, _ content: String) -> (type: String, body: String) {
    (
      "multipart/form-data; boundary=b",
      "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(name)\"\r\n"
        + "Content-Type: application/json\r\n\r\n\(content)\r\n--b--\r\n"
    )
  }

  @Test func chartsAreSavedWithTheirColoursAndTheirNumbers() async throws {
    let web = try WebTest()
    let goal = try goal(web, "Run <b>120</b> km & \u{1} more")
    try web.test.add("ran", on: "2026-03-04", measurements: ["km": 12])
    try web.test.add("ran", on: "2026-03-11", measurements: ["km": 8.5])
    let birth = try #require(DayKey("1990-01-01"))
    _ = try web.test.archive.create(
      LifeTime(
        id: web.test.archive.identities.next(), birthDate: birth,
        createdAt: web.test.clock.now, updatedAt: web.test.clock.now))
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/goals/\(goal.id.uuidString)"
      let page = try await client.get(path, cookie: cookie)
      for ending in ["csv", "svg"] { #expect(page.text.contains("\(path)/progress.\(ending)")) }
      let csv = try await client.get("\(path)/progress.csv", cookie: cookie)
      #expect(csv.headers[.contentDisposition]?.contains("attachment") == true)
      #expect(
        csv.text.hasPrefix("week,amount (km),total (km),pace (km)\r\n2026-03-02,12,12,"),
        "\(csv.text)")
      #expect(csv.text.contains("2026-03-09,8.5,20.5,"))
      for file in ["\(path)/progress.svg", "/life/weeks.svg"] {
        let svg = try await client.get(file, cookie: cookie)
        #expect(svg.status == 200 && svg.headers[.contentType] == "image/svg+xml", "\(file)")
        #expect(svg.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(svg.text.contains("<style>") && !svg.text.contains("var(--"))
        // It is well-formed, whatever the goal is called.
        let parser = XMLCheck(svg.text)
        #expect(parser.problem == nil, "\(file): \(parser.problem ?? "")")
      }
      let none = try await client.get("/goals/\(UUID().uuidString)/progress.svg", cookie: cookie)
      #expect(none.status == 404)
    }
  }

  @Test func withoutAnythingDoneThereIsNoChartToSave() async throws {
    let web = try WebTest()
    let goal = try web.test.archive.create(
      Goal(
        id: web.test.archive.identities.next(), title: "Read", createdAt: web.test.clock.now,
        updatedAt: web.test.clock.now)
    ).value
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in ["/goals/\(goal.id.uuidString)/progress.svg", "/life/weeks.svg"] {
        #expect(try await client.get(path, cookie: cookie).status == 404, "\(path)")
      }
    }
  }

  @Test func aPlanIsSavedAndOpenedOnThePagesOnce() async throws {
    let (from, into) = (try WebTest(), try WebTest())
    let goal = try goal(from)
    let text = try await from.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/goals/\(goal.id.uuidString)", cookie: cookie)
      #expect(page.text.contains("Save as a goal pack"))
      return try await client.get("/goals/\(goal.id.uuidString)/pack.json", cookie: cookie).text
    }
    try await into.run { client in
      let cookie = try await client.signIn()
      func send(_ path: String, _ content: String) async throws -> WebClient.Answer {
        let (type, body) = form("plan.json", content)
        return try await client.send(
          .post, path, ["Cookie": cookie, "Origin": client.origin, "Content-Type": type],
          body: body)
      }
      #expect(
        try await client.get("/goals", cookie: cookie).text.contains("Open a goal pack from a file")
      )
      let opened = try await send("/goals/packs", text)
      let place = try #require(opened.headers[.location], "\(opened.text)")
      #expect(place.hasPrefix("/goals/\(goal.id.uuidString)?change="))
      #expect(try await client.get(place, cookie: cookie).text.contains("Opened the goal pack"))
      let again = try await send("/goals/packs", text)
      #expect(again.headers[.location] == "/goals/\(goal.id.uuidString)")
      #expect(try await send("/goals/packs?as=new", text).status == 303)
      for wrong in ["{", "[]", #"{"type":"arkived-goal-pack","version":1,"goals":[{}]}"#] {
        let refused = try await send("/goals/packs", wrong)
        #expect(refused.status == 422 && refused.text.contains("Nothing was changed"), "\(wrong)")
      }
    }
    #expect(try into.test.archive.goals().map(\.title) == ["Run 120 km", "Run 120 km"])
    #expect(try into.test.archive.changes().count == 2)
  }

  @Test func programsPackAndOpenToo() async throws {
    let web = try WebTest()
    let goal = try goal(web)
    let action = try web.test.add("ran", on: "2026-03-04", measurements: ["km": 12])
    try await web.run { client in
      let path = "/api/v1/goals/\(goal.id.uuidString)/pack"
      let bare = try await client.ask(.get, path)
      #expect(bare.json["goals"]?.array?.count == 1 && bare.json["actions"]?.array?.count ?? 0 == 0)
      let whole = try await client.ask(.get, "\(path)?actions=true")
      #expect(whole.json["actions"]?.array?.first?["id"]?.string == action.id.uuidString)
      #expect(try await client.ask(.get, "\(path)?action=true").status == 400)
      let known = try await client.ask(.post, "/api/v1/packs", bare.json)
      #expect(known.status == 200 && known.json["change"] == .null, "\(known.text)")
      let moved = "/api/v1/packs?asNew=true&from=2027-01-04"
      let new = try await client.ask(.post, moved, bare.json, ["Idempotency-Key": "k"])
      #expect(new.json["unpacked"]?["created"]?["goals"] == 1, "\(new.text)")
      let same = try await client.ask(.post, moved, bare.json, ["Idempotency-Key": "k"])
      #expect(same.text == new.text)
      #expect(try await client.ask(.post, "/api/v1/packs?from=2027-01-04", bare.json).status == 400)
      for wrong in ["asNew=yes", "asNew=1", "asNew=True"] {
        let refused = try await client.ask(.post, "/api/v1/packs?\(wrong)", bare.json)
        #expect(refused.status == 400 && refused.json["field"] == "asNew", "\(wrong)")
      }
      #expect(try await client.ask(.get, "\(path)?actions=yes").json["field"] == "actions")
      #expect(try await client.ask(.post, "/api/v1/packs", ["type": "x"]).status == 422)
      #expect(try await client.ask(.get, "/api/v1/terms/\(goal.id.uuidString)/pack").status == 404)
    }
    let goals = try web.test.archive.goals()
    #expect(goals.count == 2)
    #expect(goals.contains { $0.startDate == DayKey("2027-01-04") })
  }
}

/// Whether a text is well-formed XML, as far as the pages' drawings go.
private struct XMLCheck {
  let problem: String?

  init(_ text: String) {
    // A stack of elements is enough for what the pages draw: no comments, no sections.
    var open: [Substring] = []
    var rest = text[...]
    var problem: String?
    while let start = rest.firstIndex(of: "<"), problem == nil {
      guard let end = rest[start...].firstIndex(of: ">") else {
        problem = "a tag has no end"
        break
      }
      let tag = rest[rest.index(after: start)..<end]
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }
      if tag.hasPrefix("/") {
        if open.popLast() != name { problem = "</\(name)> closes nothing" }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
      rest = rest[rest.index(after: end)...]
    }
    if problem == nil, !open.isEmpty { problem = "\(open) stay open" }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }) {
      problem = "a control character stands in it"
    }
    self.problem = problem
  }
}
