import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

/// What tests of the pages of goals share.
protocol GoalPageTesting {}

extension GoalPageTesting {
  func goal(
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

  func undoPath(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output))
  }
}

@Suite("The pages of goals")
struct GoalPageTests: GoalPageTesting {
  @Test func anEmptyArchiveSaysHowToBegin() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      for (path, words) in [
        ("/goals", "No goals yet"), ("/values", "No values yet"), ("/terms", "No terms yet"),
        ("/actions", "No actions yet"), ("/goals/review", "Nothing to review"),
        ("/life", "Enter your birth date to see"), ("/goals/new", "What do you want to achieve?"),
        ("/values/new", "What matters to you?"), ("/terms/new", "First day"),
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
      #expect(page.text.contains("data-clears-draft=\"form\""))
      #expect(page.text.contains("43.5 of 120 km"))
      #expect(page.text.contains("amount in km, contains “run”"))
      let goal = try #require(try web.test.archive.goals().first)
      let hints = #"{"units":[],"keywords":["run","jog"]}"#
      #expect(goal.howGoalIsActionable == hints)
      #expect(goal.howGoalIsRelevant == "To be well\nand glad")
      let path = "/goals/\(goal.id.uuidString)"
      #expect(try await client.get("/goals", cookie: cookie).text.contains("43.5 of 120 km"))
      let edit = try await client.get("\(path)/edit", cookie: cookie)
      #expect(edit.text.contains("data-draft=\"form\" data-day=\"\(path)\""))
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
        ("measurementUnit", "", "A target needs a unit"),
        ("targetDate", "2026-02-30", "must be a day"),
        ("expectedTermLength", "1.5", "whole number"), ("goalType", "SmartGoal", "is missing"),
        ("goalType", "Milestone", "A milestone needs a day"),
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
      #expect(life.status == 422 && life.text.contains("but must not be in the future"))
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
      #expect(try await client.get(path, cookie: cookie).text.contains("What counts is ignored"))
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
      #expect(
        again.status == 422 && again.text.contains("but another term already has that number"))
      let other = try await client.post(
        "/terms", ["termNumber": "2", "startDate": "2026-04-01"], cookie: cookie)
      let overlapping = try await client.get(
        try #require(other.headers[.location]), cookie: cookie)
      #expect(overlapping.text.contains("This term overlaps Term 1: Spring"))
      let list = try await client.get("/terms", cookie: cookie)
      #expect(list.text.contains("term-line") && list.text.contains("32 days left") == false)
    }
  }

  @Test(arguments: [("2026-03-17", "15 km a day"), ("2026-04-04", "15 km a week")])
  func whatIsNeededIsNotMoreThanWhatRemains(end: String, needed: String) async throws {
    let web = try WebTest()
    let now = web.test.clock.now
    let goal = try web.test.archive.create(
      Goal(
        id: web.test.archive.identities.next(), title: "Run 50 km", measurementUnit: "km",
        measurementTarget: 50, startDate: DayKey("2026-03-01"), targetDate: DayKey(end),
        createdAt: now, updatedAt: now)
    ).value
    try web.test.add("ran", on: "2026-03-10", measurements: ["km": 5])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/goals/\(goal.id.uuidString)", cookie: cookie).text
      #expect(page.contains(needed))
    }
  }

  @Test func nothingMoreIsExpectedOfATermThatIsOver() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let (run, now) = (try goal(web.test), web.test.clock.now)
    let ends = [("2025-11-01", "2026-01-10"), ("2026-02-01", "2026-04-12")]
    let terms = try ends.enumerated().map { index, days -> Term in
      let term = Term(
        id: archive.identities.next(), termNumber: index + 1,
        startDate: try #require(DayKey(days.0)), targetDate: DayKey(days.1), createdAt: now,
        updatedAt: now)
      _ = try archive.create(term)
      _ = try archive.create(
        TermGoalAssignment(
          id: archive.identities.next(), termID: term.id, goalID: run.id, order: 1, createdAt: now,
          updatedAt: now))
      return term
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      for (term, isOver) in zip(terms, [true, false]) {
        let page = try await client.get("/terms/\(term.id.uuidString)", cookie: cookie).text
        #expect(page.contains("Nothing in this term"))
        #expect(page.contains("Nothing in this term yet") == !isOver)
      }
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
}
