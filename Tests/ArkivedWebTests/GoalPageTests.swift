import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages of goals")
struct GoalPageTests {
  private static let canary =
    "<script>alert(1)</script>\"\u{301} onmouseover='x' {{text}} </textarea>"

  private func goal(
    _ test: TestArchive, _ title: String = "Run 120 km", unit: String? = "km",
    target: Double? = 120, from: String? = "2026-01-01", to: String? = "2026-06-30",
    hints: String? = nil
  ) throws -> Goal {
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: title, measurementUnit: unit,
        measurementTarget: target, startDate: from.flatMap(DayKey.init),
        targetDate: to.flatMap(DayKey.init), howGoalIsActionable: hints,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  private func undoPath(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output))
  }

  @Test func anEmptyArchiveSaysHowToBegin() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      for (path, words) in [
        ("/goals", "No goals yet"), ("/values", "No values yet"), ("/terms", "No terms yet"),
        ("/actions", "No actions yet"), ("/goals/review", "Nothing waits"),
        ("/life", "when you were born"), ("/goals/new", "What do you want to reach?"),
        ("/values/new", "What moves you?"), ("/terms/new", "First day"),
        ("/actions/new", "What did you do?"),
      ] {
        let page = try await web.get(path, cookie: cookie)
        #expect(page.status == 200 && page.text.contains(words), "\(path)")
        #expect(page.text.contains("href=\"/goals\" aria-current=\"page\""), "\(path)")
      }
    }
  }

  @Test func aGoalIsSetShownChangedDeletedAndTakenBack() async throws {
    let web = try WebTest()
    try web.test.add("ran by the river", measurements: ["km": 43.5])
    try await web.run { client in
      let cookie = try await client.signIn()
      var form = [
        "title": "Run 120 km", "goalType": "SmartGoal", "measurementTarget": "120",
        "measurementUnit": "km", "startDate": "2026-01-01", "targetDate": "2026-06-30",
        "keywords": "run, jog", "units": "", "howGoalIsRelevant": "To be well\r\nand glad",
      ]
      let made = try await client.post("/goals", form, cookie: cookie)
      #expect(made.status == 303)
      let place = try #require(made.headers[.location])
      let page = try await client.get(place, cookie: cookie)
      #expect(page.text.contains("Added the goal “Run 120 km”"))
      #expect(page.text.contains("43.5 of 120 km"))
      #expect(page.text.contains("km measured, says “run”"))
      let goal = try #require(try web.test.archive.goals().first)
      let hints = #"{"units":[],"keywords":["run","jog"]}"#
      #expect(goal.howGoalIsActionable == hints)
      #expect(goal.howGoalIsRelevant == "To be well\nand glad")
      let path = "/goals/\(goal.id.uuidString)"
      #expect(try await client.get("/goals", cookie: cookie).text.contains("43.5 of 120 km"))
      form["measurementTarget"] = "1,500.5"
      form["version"] = EntityTag.text(goal.updatedAt)
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      #expect(try web.test.archive.goals().first?.measurementTarget == 1500.5)
      let late = try await client.post(path, form, cookie: cookie)
      #expect(late.status == 412 && late.text.contains("changed elsewhere"))
      let gone = try await client.post("\(path)/delete", [:], cookie: cookie)
      #expect(gone.status == 303 && gone.headers[.location]?.hasPrefix("/goals?change=") == true)
      #expect(try web.test.archive.goals().isEmpty)
      let list = try await client.get(try #require(gone.headers[.location]), cookie: cookie)
      let undone = try await client.post(
        try undoPath(list.text), ["back": "/goals"], cookie: cookie)
      #expect(undone.headers[.location]?.hasPrefix("/goals?change=") == true)
      #expect(try web.test.archive.goals().first?.measurementTarget == 1500.5)
      #expect(try await client.get(path, cookie: cookie).text.contains("Earlier versions"))
    }
  }

  @Test func undoingLeadsOnlyToPlacesOfThisApp() async throws {
    let web = try WebTest()
    for place in ["https://evil.example/", "//evil.example", "/\\evil.example", "goals"] {
      let saved = try web.test.archive.create(
        PersonalValue(
          id: web.test.archive.identities.next(), title: "Health", createdAt: web.test.clock.now,
          updatedAt: web.test.clock.now))
      let change = try #require(saved.change)
      try await web.run { client in
        let cookie = try await client.signIn()
        let answer = try await client.post(
          "/changes/\(change.id.uuidString)/undo", ["back": place], cookie: cookie)
        #expect(answer.headers[.location]?.hasPrefix("/day/") == true, "\(place)")
      }
    }
  }

  @Test func whatDoesNotFitStandsAtItsFieldAndNothingTypedIsLost() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let whole = [
        "title": "Write a book", "goalType": "Goal", "measurementTarget": "300",
        "measurementUnit": "pages", "notes": "kept <b>here</b>",
      ]
      for (field, value, words) in [
        ("title", "  ", "is empty"), ("measurementTarget", "many", "must be a number"),
        ("measurementTarget", "-3", "greater than 0"),
        ("measurementTarget", "1e308", "at most"), ("measurementTarget", "nan", "a number"),
        ("measurementUnit", "", "needs a unit"), ("targetDate", "2026-02-30", "must be a day"),
        ("expectedTermLength", "1.5", "whole number"), ("goalType", "SmartGoal", "is missing"),
        ("goalType", "Milestone", "reached on a day"),
      ] {
        let answer = try await client.post(
          "/goals", whole.merging([field: value]) { $1 }, cookie: cookie)
        #expect(answer.status == 422, "\(field) \(value)")
        #expect(answer.text.contains(words), "\(field) \(value)")
        #expect(answer.text.contains("kept &lt;b&gt;here&lt;/b&gt;"), "\(field)")
        #expect(answer.text.contains("aria-invalid=\"true\""), "\(field) \(value)")
      }
      let terms = ["termNumber": "1", "startDate": "2026-03-10", "targetDate": "2026-03-01"]
      #expect(try await client.post("/terms", terms, cookie: cookie).status == 422)
      let value = try await client.post(
        "/values", ["title": "Health", "priority": "101"], cookie: cookie)
      #expect(value.status == 422 && value.text.contains("value=\"101\""))
      let action = try await client.post(
        "/actions", ["text": "ran", "day": "2026-03-14", "amount2": "5", "unit2": ""],
        cookie: cookie)
      #expect(action.status == 422 && action.text.contains("Unit 2 is missing"))
      let life = try await client.post("/life", ["birthDate": "2027-01-01"], cookie: cookie)
      #expect(life.status == 422 && life.text.contains("must not lie ahead"))
      #expect(try web.test.archive.goals().isEmpty && web.test.archive.values().isEmpty)
    }
  }

  @Test func hintsThatCannotBeReadStayUntilOthersAreTyped() async throws {
    let web = try WebTest()
    let broken = try goal(web.test, hints: "every run")
    let rich = try goal(
      web.test, "Yoga", unit: "minutes", hints: #"{"keywords":["yoga"],"color":"blue"}"#)
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/goals/\(broken.id.uuidString)"
      #expect(try await client.get(path, cookie: cookie).text.contains("What counts is not used"))
      #expect(try await client.get("\(path)/edit", cookie: cookie).text.contains("every run"))
      let form = [
        "title": "Run far", "goalType": "Goal", "measurementTarget": "120",
        "measurementUnit": "km",
      ]
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      #expect(try web.test.archive.goal(named: "Run far").howGoalIsActionable == "every run")
      _ = try await client.post(
        "/goals/\(rich.id.uuidString)",
        ["title": "Yoga", "measurementUnit": "minutes", "keywords": "yoga, asana"], cookie: cookie)
      let hints = #"{"keywords":["yoga","asana"],"color":"blue","units":[]}"#
      #expect(try web.test.archive.goal(named: "Yoga").howGoalIsActionable == hints)
    }
  }

  @Test func valuesAreAlignedWithGoalsFromBothSidesAndOthersStay() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    let read = try goal(web.test, "Read", unit: "pages", target: 900)
    let now = web.test.clock.now
    let values = try ["Health", "Calm"].map { title in
      try web.test.archive.create(
        PersonalValue(
          id: web.test.archive.identities.next(), title: title, createdAt: now, updatedAt: now)
      ).value
    }
    let (health, calm) = (values[0].id.uuidString, values[1].id.uuidString)
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/goals/\(run.id.uuidString)"
      let saved = try await client.post(
        "\(path)/values",
        ["listed": "\(health) \(calm)", "chosen": health, "strength-\(health)": "8"],
        cookie: cookie)
      #expect(saved.status == 303)
      #expect(try web.test.archive.alignments().map(\.strength) == [8])
      #expect(try await client.get("/values", cookie: cookie).text.contains("Run 120 km"))
      // From the value's side, with only the other goal in the list.
      _ = try await client.post(
        "/values/\(health)/goals", ["listed": read.id.uuidString, "chosen": read.id.uuidString],
        cookie: cookie)
      #expect(try web.test.archive.alignments().count == 2)
      let same = try await client.post(
        "/values/\(health)/goals", ["listed": read.id.uuidString, "chosen": read.id.uuidString],
        cookie: cookie)
      #expect(same.headers[.location] == "/values/\(health)")
      _ = try await client.post(
        "\(path)/values", ["listed": "\(health) \(calm)"], cookie: cookie)
      #expect(try web.test.archive.alignments().map(\.goalID) == [read.id])
      let wrong = try await client.post(
        "\(path)/values", ["listed": health, "chosen": health, "strength-\(health)": "11"],
        cookie: cookie)
      #expect(wrong.status == 422)
    }
  }

  @Test func aTermIsReviewedCommittedToReorderedAndReflectedOn() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    let read = try goal(web.test, "Read", unit: "pages", target: 900)
    try web.test.add("ran", on: "2026-03-10", measurements: ["km": 9])
    try web.test.add("baked", on: "2026-03-11", measurements: ["kg": 2])
    try await web.run { client in
      let cookie = try await client.signIn()
      let made = try await client.post(
        "/terms", ["termNumber": "1", "startDate": "2026-02-01", "theme": "Spring"],
        cookie: cookie)
      let term = try #require(try web.test.archive.terms().first)
      #expect(made.status == 303 && term.targetDate.description == "2026-04-12")
      let path = "/terms/\(term.id.uuidString)"
      for goal in [run, read, run] {
        let answer = try await client.post(
          "\(path)/goals", ["goal": goal.id.uuidString], cookie: cookie)
        #expect(answer.status == 303)
      }
      #expect(try web.test.archive.assignments().map(\.goalID) == [run.id, read.id])
      _ = try await client.post(
        "\(path)/goals/\(read.id.uuidString)/move", ["direction": "up"], cookie: cookie)
      #expect(try web.test.archive.assignments().map(\.goalID) == [read.id, run.id])
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("In this term: 9 km, 1 action"))
      #expect(page.text.contains("baked") && page.text.contains("neglected"))
      let version = EntityTag.text(try web.test.archive.terms().first?.updatedAt)
      _ = try await client.post(
        "\(path)/reflection", ["reflection": "It went well", "version": version], cookie: cookie)
      #expect(try web.test.archive.terms().first?.reflection == "It went well")
      let late = try await client.post(
        "\(path)/reflection", ["reflection": "Typed late", "version": version], cookie: cookie)
      #expect(late.status == 412 && late.text.contains("Typed late"))
      _ = try await client.post(
        "\(path)/goals/\(read.id.uuidString)/remove", [:], cookie: cookie)
      #expect(try web.test.archive.assignments().map(\.goalID) == [run.id])
      let again = try await client.post(
        "/terms", ["termNumber": "1", "startDate": "2026-09-01"], cookie: cookie)
      #expect(again.status == 422 && again.text.contains("another term has it already"))
      let other = try await client.post(
        "/terms", ["termNumber": "2", "startDate": "2026-04-01"], cookie: cookie)
      let overlapping = try await client.get(
        try #require(other.headers[.location]), cookie: cookie)
      #expect(overlapping.text.contains("This term overlaps Term 1: Spring"))
      let list = try await client.get("/terms", cookie: cookie)
      #expect(list.text.contains("term-line") && list.text.contains("32 days left") == false)
    }
  }

  @Test func anActionIsLoggedWithItsMeasurementsAndSaysWhatItCountsToward() async throws {
    let web = try WebTest()
    _ = try goal(web.test)
    try web.test.add("ran before", on: "2026-03-10", measurements: ["km": 38.5])
    try await web.run { client in
      let cookie = try await client.signIn()
      let preview = try await client.get(
        "/goals/preview?text=ran&day=2026-03-14&km=5", cookie: cookie)
      #expect(preview.text.contains("43.5 of 120 km"))
      let nothing = try await client.get(
        "/goals/preview?text=ran&amount1=5&unit1=pages", cookie: cookie)
      #expect(nothing.status == 200 && nothing.text.isEmpty)
      let form = [
        "idempotencyKey": "k", "text": "ran by the lake", "day": "2026-03-14", "amount1": "5",
        "unit1": "km",
        "amount3": "0,001", "unit3": "kg", "start": "7:30", "end": "8:00", "tags": "#sport",
      ]
      let made = try await client.post("/actions", form, cookie: cookie)
      #expect(made.status == 303)
      let filter = ActionFilter(searchText: "lake")
      let action = try #require(try web.test.archive.actions(filter).first)
      #expect(action.measurements == ["km": 5, "kg": 0.001] && action.tags == ["sport"])
      let list = try await client.get(try #require(made.headers[.location]), cookie: cookie)
      #expect(list.text.contains("Saved: ran by the lake") && list.text.contains("43.5 of 120 km"))
      // The form sent twice is one action; what was changed in it since is another.
      #expect(try await client.post("/actions", form, cookie: cookie).status == 303)
      #expect(try web.test.archive.counts().activities == 2)
      let other = form.merging(["text": "walked", "amount1": ""]) { $1 }
      let wrong = try await client.post("/actions", other, cookie: cookie)
      #expect(wrong.status == 422)
      let further = other.merging(["unit1": ""]) { $1 }
      #expect(try await client.post("/actions", further, cookie: cookie).status == 303)
      #expect(try web.test.archive.counts().activities == 3)
      let added = try await client.post(
        "/day/2026-03-14/activities", ["line": "ran 6.5 km"], cookie: cookie)
      let location = try #require(added.headers[.location])
      let day = try await client.get(String(location.prefix { $0 != "#" }), cookie: cookie)
      #expect(day.text.contains("Counts toward") && day.text.contains("50 of 120 km"))
    }
  }

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
      #expect(missing.status == 422 && missing.text.contains("measures no laps"))
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
      #expect(try await client.get("/goals", cookie: cookie).text.contains("5 matches wait"))
      let page = try await client.get("/goals/review", cookie: cookie)
      #expect(page.text.contains("60 % sure") && page.text.contains("Confirm all 5"))
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
        try web.test.archive.progress(of: [run], today: run.startDate ?? .earliest)[run.id]?
          .total == 15)
      let late = try await client.post(
        "/goals/review", ["match": UUID().uuidString, "decision": "refuse"], cookie: cookie)
      #expect(late.status == 409 && late.text.contains("not there any more"))
      let wrong = try await client.post(
        "/goals/review", ["match": first, "decision": "maybe"], cookie: cookie)
      #expect(wrong.status == 400)
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
      for (birth, years) in [("0001-01-01", "0.01"), ("2026-03-14", "150")] {
        _ = try await client.post(
          "/life", ["birthDate": birth, "expectedYears": years], cookie: cookie)
        #expect(try await client.get("/life", cookie: cookie).status == 200)
      }
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
    #expect(GoalWords.percent(99.99) == "99 %" && GoalWords.percent(0.2) == "under 1 %")
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
