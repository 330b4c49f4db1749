import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages of actions, matches and a life, and what is hostile or large on pages of goals")
struct GoalSidePageTests: GoalPageTesting {
  private static let canary =
    "<script>alert(1)</script>\"\u{301} onmouseover='x' {{text}} </textarea>"

  @Test func actionsAreListedLinkedAndUnlinked() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    let swim = try goal(web.test, "Swim", unit: "laps", target: 100)
    let ran = try web.test.add("ran 100%", on: "2026-03-10", measurements: ["km": 9])
    try web.test.add("baked", on: "2026-03-11", measurements: ["kg": 2])
    try await web.run { client in
      let cookie = try await client.signIn()
      let all = try await client.get("/actions", cookie: cookie)
      #expect(all.text.contains("ran 100%") && all.text.contains("baked"))
      let linked = try await client.get("/actions?linked=yes", cookie: cookie)
      #expect(linked.text.contains("ran 100%") && !linked.text.contains("baked"))
      let free = try await client.get("/actions?linked=no&from=2026-03-01", cookie: cookie)
      #expect(!free.text.contains("ran 100%") && free.text.contains("baked"))
      let words = try await client.get("/actions?text=100%25", cookie: cookie)
      #expect(words.text.contains("ran 100%") && !words.text.contains("baked"))
      #expect(try await client.get("/actions?from=never", cookie: cookie).status == 400)
      let path = "/actions/\(ran.id.uuidString)"
      let missing = try await client.post(
        "\(path)/link", ["goal": swim.id.uuidString, "amount": ""], cookie: cookie)
      #expect(missing.status == 422 && missing.text.contains("has no measurement in laps"))
      let made = try await client.post(
        "\(path)/link", ["goal": swim.id.uuidString, "amount": "12"], cookie: cookie)
      #expect(made.status == 303)
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("+12 laps") && page.text.contains("linked by you"))
      let unlinked = try await client.post(
        "\(path)/unlink",
        ["goal": run.id.uuidString, "back": "/goals/\(run.id.uuidString)"], cookie: cookie)
      #expect(
        unlinked.headers[.location]?.hasPrefix("/goals/\(run.id.uuidString)?change=") == true)
      #expect(try web.test.archive.contributions(toGoal: run.id).isEmpty)
      let back = try await client.get(try #require(unlinked.headers[.location]), cookie: cookie)
      _ = try await client.post(try undoPath(back.text), [:], cookie: cookie)
      #expect(try web.test.archive.contributions(toGoal: run.id).count == 1)
    }
  }

  @Test func waitingMatchesAreConfirmedRefusedAndTakenBack() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    for number in 1...5 {
      try web.test.add("out \(number)", measurements: ["distance_km": Double(number)])
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/goals", cookie: cookie).text.contains("5 matches to review"))
      let page = try await client.get("/goals/review", cookie: cookie)
      #expect(page.text.contains("60% sure") && page.text.contains("Confirm all 5"))
      let waiting = try web.test.archive.waitingMatches()
      let first = waiting[0].contribution.id.uuidString
      let confirmed = try await client.post(
        "/goals/review", ["match": first, "decision": "confirm"], cookie: cookie)
      #expect(confirmed.status == 303)
      #expect(try web.test.archive.waitingMatches().count == 4)
      let after = try await client.get(
        try #require(confirmed.headers[.location]), cookie: cookie)
      let undone = try await client.post(
        try undoPath(after.text), ["back": "/goals/review"], cookie: cookie)
      #expect(undone.headers[.location]?.hasPrefix("/goals/review?change=") == true)
      #expect(try web.test.archive.waitingMatches().count == 5)
      _ = try await client.post(
        "/goals/review", ["all": run.id.uuidString, "decision": "confirm"], cookie: cookie)
      #expect(
        try web.test.archive.progress(
          of: [run], today: web.test.zone.dayKey(at: web.test.clock.now))[run.id]?.total == 15)
      let late = try await client.post(
        "/goals/review", ["match": UUID().uuidString, "decision": "reject"], cookie: cookie)
      #expect(late.status == 409 && late.text.contains("This match no longer exists"))
      let wrong = try await client.post(
        "/goals/review", ["match": first, "decision": "maybe"], cookie: cookie)
      #expect(wrong.status == 400)
    }
  }

  @Test("A row of the life in weeks is a year of life, also after many of them")
  func rowsOfALife() throws {
    let today = try #require(DayKey("2026-03-14"))
    // In rows of 52 weeks, the seventieth birthday would be far behind.
    for (birth, square) in [
      ("1956-04-14", "x=\"479\" y=\"689\""), ("1956-03-14", "x=\"-1\" y=\"699\""),
      ("2025-03-20", "x=\"509\" y=\"-1\""),
    ] {
      let life = LifeTime(
        id: UUID(), birthDate: try #require(DayKey(birth)),
        createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
      let html = LifeGrid(life: life, terms: [], today: today).html
      #expect(html.contains("<rect class=\"is-now\" \(square)"), "\(birth) \(html.suffix(200))")
    }
  }

  @Test func aLifeIsShownInWeeks() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let saved = try await client.post(
        "/life", ["birthDate": "1990-05-04", "expectedYears": ""], cookie: cookie)
      #expect(saved.status == 303)
      let page = try await client.get(try #require(saved.headers[.location]), cookie: cookie)
      #expect(page.text.contains("A life in weeks") && page.text.contains("1,871"))
      _ = try await client.post(
        "/life", ["birthDate": "1990-05-04", "expectedYears": "150"], cookie: cookie)
      #expect(try web.test.archive.lifeTime()?.expectedYears == 150)
      #expect(try await client.get("/life", cookie: cookie).status == 200)
      // Terms may lie outside the life that is expected.
      for (number, start) in [(1, "2020-01-06"), (2, "9999-01-01"), (3, "0001-01-01")] {
        try web.test.archive.create(
          Term(
            id: web.test.archive.identities.next(), termNumber: number,
            startDate: try #require(DayKey(start)), createdAt: web.test.clock.now,
            updatedAt: web.test.clock.now))
      }
      for (birth, years) in [
        ("0001-01-01", "0.01"), ("2026-03-14", "150"), ("1990-05-04", "20"),
      ] {
        _ = try await client.post(
          "/life", ["birthDate": birth, "expectedYears": years], cookie: cookie)
        #expect(try await client.get("/life", cookie: cookie).status == 200)
      }
    }
  }

  @Test func aRowOfTheLifeGridIsAYearOfLife() throws {
    let life = LifeTime(
      id: UUID(), birthDate: try #require(DayKey("1985-06-01")),
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
    for (age, day) in [(0, "1985-06-01"), (40, "2025-06-01"), (70, "2055-06-01")] {
      let grid = LifeGrid(life: life, terms: [], today: try #require(DayKey(day)))
      let now = "<rect class=\"is-now\" x=\"-1\" y=\"\(age * 10 - 1)\""
      #expect(grid.html.contains(now), "\(day)")
    }
  }

  @Test func hostileTextIsEscapedOnEveryPageOfGoals() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let now = web.test.clock.now
    let canary = Self.canary
    let bareQuote = "\"\u{301}"
    let run = try goal(web.test, canary, unit: "km", hints: "{\"units\":[\"<script>alert\"]}")
    let open = try archive.create(
      Goal(
        id: archive.identities.next(), title: canary, description: canary, notes: canary,
        goalType: .init(rawValue: canary), measurementUnit: canary, measurementTarget: 5,
        howGoalIsRelevant: canary, howGoalIsActionable: canary, createdAt: now, updatedAt: now)
    ).value
    let value = try archive.create(
      PersonalValue(
        id: archive.identities.next(), title: canary, description: canary, notes: canary,
        incentiveType: .init(rawValue: canary), lifeDomain: canary, alignmentGuidance: canary,
        createdAt: now, updatedAt: now)
    ).value
    try archive.create(
      GoalValueAlignment(
        id: archive.identities.next(), goalID: run.id, valueID: value.id, createdAt: now,
        updatedAt: now))
    let start = try #require(DayKey("2026-03-01"))
    let term = try archive.create(
      Term(
        id: archive.identities.next(), termNumber: 1, startDate: start, theme: canary,
        reflection: canary, description: canary, notes: canary, createdAt: now, updatedAt: now)
    ).value
    for goal in [run, open] {
      try archive.create(
        TermGoalAssignment(
          id: archive.identities.next(), termID: term.id, goalID: goal.id, order: 1,
          createdAt: now, updatedAt: now))
    }
    let action = try web.test.add(
      canary, tags: [canary], measurements: ["km": 3, "\(canary)_km": 4, canary: 1])
    try web.test.add(canary, measurements: ["a<script>alert km": 4])
    try archive.link(action: action.id, goal: open.id, amount: 2)
    _ = try archive.update(Goal.self, open.id) { $0.notes = "other" }
    try await web.run { client in
      let cookie = try await client.signIn()
      let run = "/goals/\(run.id.uuidString)"
      let open = "/goals/\(open.id.uuidString)"
      let value = "/values/\(value.id.uuidString)"
      let term = "/terms/\(term.id.uuidString)"
      let escaped = URLText.escaped(canary)
      for path in [
        "/goals", "/goals?show=all", run, "\(run)/edit", open, "\(open)/edit", "/goals/new",
        "/values", value, "\(value)/edit", "/terms", term, "\(term)/edit", "/actions",
        "/actions?text=\(escaped)&linked=\(escaped)", "/actions/\(action.id.uuidString)",
        "/goals/review", "/life", "/goals/preview?text=\(escaped)&km=5", "/goals/\(escaped)",
        "/actions?from=\(escaped)", "/goals?show=\(escaped)", "/goals/review?goal=\(escaped)",
      ] {
        let page = try await client.get(path, cookie: cookie)
        #expect(page.status < 500, "\(path)")
        #expect(!page.text.contains("<script>alert"), "\(path)")
        let hasBareQuote = page.text.unicodeScalars.containsRun(of: bareQuote)
        #expect(!hasBareQuote, "\(path)")
      }
      let wrong = try await client.post(
        "/goals", ["title": canary, "measurementTarget": canary, "goalType": canary],
        cookie: cookie)
      #expect(wrong.status == 422 && !wrong.text.contains("<script>alert"))
    }
  }

  @Test func aFormFromElsewhereIsRefused() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      for headers in [[:], ["Origin": "https://evil.example"]] {
        let answer = try await client.send(
          .post, "/goals/\(run.id.uuidString)/delete",
          headers.merging([
            "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
          ]) { $1 }, body: "")
        #expect(answer.status == 403)
      }
      #expect(try web.test.archive.goals().count == 1)
      for path in ["/goals", "/values", "/terms", "/actions", "/life", "/goals/review"] {
        #expect(try await client.send(.get, path).status == 401)
      }
    }
  }

  @Test func aThousandGoalsAndOddAmountsAreShownInParts() async throws {
    let web = try WebTest()
    for number in 1...130 {
      _ = try goal(web.test, "Goal \(number) " + String(repeating: "long", count: 40))
    }
    let huge = try goal(web.test, "Huge", unit: "steps", target: 1e12, to: "2026-03-20")
    let tiny = try goal(web.test, "Tiny", unit: "g", target: 0.001, to: "2026-03-19")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/goals", cookie: cookie)
      #expect(page.text.matches(of: #/<li class="goal-card"/#).count == 60)
      #expect(page.text.contains("0 of 1 trillion steps") && page.text.contains("0 of 0.001 g"))
      #expect(page.text.contains("Show 72 more goals"))
      let last = try await client.get("/goals?show=current&offset=120", cookie: cookie)
      #expect(last.text.matches(of: #/<li class="goal-card"/#).count == 12)
      for goal in [huge, tiny] {
        let one = try await client.get("/goals/\(goal.id.uuidString)", cookie: cookie)
        #expect(one.status == 200)
      }
      #expect(try await client.get("/goals/new-one", cookie: cookie).status == 400)
      #expect(try await client.get("/goals/\(UUID().uuidString)", cookie: cookie).status == 404)
    }
  }

  @Test func amountsAreReadableWhateverTheirSize() {
    for (amount, words) in [
      (0.0, "0"), (0.0004, "under 0.001"), (0.001, "0.001"), (0.125, "0.125"), (3.14159, "3.14"),
      (43.5, "43.5"), (999.96, "1000"), (1234.5, "1,235"), (9_999_999, "9,999,999"),
      (12_340_000, "12.3 million"), (5e9, "5 billion"), (1e12, "1 trillion"),
      (1e308, "over 1,000 trillion"), (-2.5, "−2.5"), (.infinity, "–"),
    ] {
      #expect(GoalWords.amount(amount) == words)
    }
    #expect(GoalWords.amount(119.98, of: 120, "km") == "119.98 of 120 km")
    #expect(GoalWords.amount(43.5, of: 120, "km") == "43.5 of 120 km")
    #expect(GoalWords.amount(120.01, of: 120, "km") == "120 of 120 km")
    for (text, number) in [
      ("12.5", 12.5), ("12,5", 12.5), ("1,500", 1500), ("1,500.25", 1500.25), ("0,001", 0.001),
      ("1 000", 1000), ("1e3", 1000),
    ] {
      #expect(FormNumber.read(text) == number, "\(text)")
    }
    for text in ["", "nan", "inf", "0x10", "five", "1e999", "--1"] {
      #expect(FormNumber.read(text) == nil, "\(text)")
    }
  }
}
