import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Linked files over HTTP, and what is wrong stays in its form on pages of goals")
struct SyncAndErrorPageTests: GoalPageTesting {
  private static let nobody = "6DD0C8A4-61F7-4D12-9FC7-3E11B1E9A001"

  private func value(_ test: TestArchive, _ title: String) throws -> PersonalValue {
    try test.archive.create(
      PersonalValue(
        id: test.archive.identities.next(), title: title, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  private func term(_ test: TestArchive) throws -> Term {
    try test.archive.create(
      Term(
        id: test.archive.identities.next(), termNumber: 1,
        startDate: try #require(DayKey("2026-03-01")), createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  // MARK: Linked files

  /// An archive of 30 values, in line with a file, of which 25 were deleted since.
  private func withDeletions() throws -> WebTest {
    let web = try WebTest()
    let test = web.test
    for number in 0..<30 { _ = try value(test, "Value \(number)") }
    let file = test.folder.url.appendingPathComponent("goals.db")
    _ = try ExportJob(archive: test.archive)
      .writeTenWeek(to: file, variant: nil, homeZone: test.zone)
    let job = SyncJob(archive: test.archive, homeZone: test.zone)
    _ = try job.run(try job.link(file))
    test.clock.advance(seconds: 60)
    for value in try test.archive.values().prefix(25) {
      _ = try test.archive.delete(PersonalValue.self, value.id)
    }
    return web
  }

  @Test func aLargeDeletionIsAskedAboutOverTheAPI() async throws {
    let web = try withDeletions()
    try await web.run { client in
      let links = try await client.ask(.get, "/api/v1/syncs")
      #expect(links.json["links"]?.array?.first?["kind"] == "tenweek")
      let refused = try await client.ask(.post, "/api/v1/syncs", [:])
      #expect(refused.status == 409)
      #expect(refused.json["field"] == "allowDeletions")
      #expect(refused.json["detail"]?.string?.contains("25 of 30 values in") == true)
      #expect(try await client.ask(.post, "/api/v1/syncs", ["allow": true]).status == 422)
      #expect(try await client.ask(.post, "/api/v1/syncs", ["allowDeletions": 1]).status == 422)
      let done = try await client.ask(
        .post, "/api/v1/syncs", ["allowDeletions": true], ["Idempotency-Key": "s"])
      #expect(done.json["syncs"]?.array?.first?["pushed"] == ["deleted": 25])
      let again = try await client.ask(
        .post, "/api/v1/syncs", ["allowDeletions": true], ["Idempotency-Key": "s"])
      #expect(again.text == done.text)
    }
  }

  @Test func aLargeDeletionIsAskedAboutOnThePage() async throws {
    let web = try withDeletions()
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/goals", cookie: cookie).text.contains("href=\"/sync\""))
      let link = try #require(try web.test.archive.syncLinks().first).id.uuidString
      let shown = try await client.get("/sync", cookie: cookie)
      #expect(shown.text.contains("goals.db") && shown.text.contains("Last synced on 14 March at"))
      let refused = try await client.post("/sync", ["link": link], cookie: cookie)
      #expect(refused.status == 409 && refused.text.contains("25 of 30 values in"))
      #expect(refused.text.contains("Delete them and sync"))
      #expect(!refused.text.contains("--allow-deletions"))
      let done = try await client.post(
        "/sync", ["link": link, "allowDeletions": "yes"], cookie: cookie)
      #expect(done.status == 200 && done.text.contains("25 deleted"))
      let gone = try await client.post("/sync", ["link": Self.nobody], cookie: cookie)
      #expect(gone.status == 404 && gone.text.contains("This link no longer exists"))
      let address = try #require(try web.test.archive.syncLinks().first).address
      try web.test.archive.removeSyncLink(try #require(UUID(uuidString: link)))
      let none = try await client.get("/sync", cookie: cookie)
      #expect(none.text.contains("No file is linked") && none.text.contains("id=\"sync-link\""))
      let letter = try web.test.folder.file("letter.db", "Dear Ann")
      for (typed, words) in [
        ("goals.db", "must begin with / or ~"), ("/nowhere.db", "No file or folder found"),
        (letter.path, "This file can’t be linked"),
      ] {
        let refused = try await client.post("/sync/link", ["path": typed], cookie: cookie)
        #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
      }
      let linked = try await client.post("/sync/link", ["path": address], cookie: cookie)
      #expect(linked.status == 200 && linked.text.contains("Linked. Sync now"), "\(linked.text)")
      let again = try #require(try web.test.archive.syncLinks().first).id.uuidString
      _ = try await client.post("/sync/unlink", ["link": again], cookie: cookie)
      #expect(try web.test.archive.syncLinks().isEmpty)
      #expect(try await client.ask(.post, "/api/v1/syncs", [:]).status == 404)
    }
  }

  // MARK: Errors in their forms

  @Test func aLinkToAGoalThatIsGoneComesBackInTheForm() async throws {
    let web = try WebTest()
    _ = try goal(web.test)
    let action = try web.test.add("tea")
    let term = try term(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/actions/\(action.id.uuidString)"
      let gone = try await client.post(
        "\(path)/link", ["goal": Self.nobody, "amount": "12.5"], cookie: cookie)
      #expect(gone.status == 422 && gone.text.contains("no longer exists. Choose another"))
      #expect(gone.text.contains("value=\"12.5\""))
      #expect(gone.text.contains("autofocus aria-describedby=\"goal-error\""))
      let commit = try await client.post(
        "/terms/\(term.id.uuidString)/goals", ["goal": Self.nobody], cookie: cookie)
      #expect(commit.status == 422)
      #expect(commit.text.contains("no longer exists. Choose another"))
    }
  }

  @Test func aStrengthThatDoesNotFitComesBackWithWhatWasChosen() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    let (health, rest) = (try value(web.test, "Health"), try value(web.test, "Rest"))
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = [
        "listed": "\(health.id.uuidString) \(rest.id.uuidString)", "chosen": rest.id.uuidString,
        "strength-\(rest.id.uuidString)": "99",
      ]
      let path = "/goals/\(run.id.uuidString)/values"
      let wrong = try await client.post(path, form, cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("is “99”. Choose 1 to 10"))
      #expect(wrong.text.contains("value=\"\(rest.id.uuidString)\" checked"))
      #expect(!wrong.text.contains("value=\"\(health.id.uuidString)\" checked"))
      #expect(wrong.text.contains("data-keep open"))
      #expect(try web.test.archive.alignments().isEmpty)
      let other = try await client.post(
        "/values/\(rest.id.uuidString)/goals",
        [
          "listed": run.id.uuidString, "chosen": run.id.uuidString,
          "strength-\(run.id.uuidString)": "many",
        ], cookie: cookie)
      #expect(other.status == 422 && other.text.contains("is “many”. Choose 1 to 10"))
    }
  }

  @Test func aReflectionThatCannotBeKeptComesBackInTheForm() async throws {
    let web = try WebTest()
    let term = try term(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/terms/\(term.id.uuidString)/reflection"
      let wrong = try await client.post(
        path, ["reflection": "It went\u{0} well", "version": ""], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("id=\"reflection-error\""))
      #expect(wrong.text.contains("It went") && wrong.text.contains("autofocus"))
      #expect(try web.test.archive.entity(Term.self, term.id)?.reflection == nil)
    }
  }

  @Test func theFirstWrongFieldHasTheFocus() async throws {
    try await WebTest().run { client in
      let cookie = try await client.signIn()
      let form = ["title": "Run", "measurementTarget": "-5", "measurementUnit": "km"]
      let wrong = try await client.post("/goals", form, cookie: cookie)
      #expect(wrong.status == 422)
      #expect(wrong.text.contains("aria-invalid=\"true\" autofocus"))
      #expect(wrong.text.components(separatedBy: " autofocus").count == 2)
      // A new form is ready to be typed into.
      let new = try await client.get("/goals/new", cookie: cookie).text
      #expect(new.components(separatedBy: " autofocus").count == 2)
      #expect(new.firstMatch(of: /id="title"[^>]* autofocus/) != nil)
    }
  }

  @Test func pastGoalsStandApartOnAValuesPage() async throws {
    let web = try WebTest()
    let (now, past) = (
      try goal(web.test, "Run now"), try goal(web.test, "Ran then", to: "2026-02-01")
    )
    let health = try value(web.test, "Health")
    for goal in [now, past] {
      try web.test.archive.create(
        GoalValueAlignment(
          id: web.test.archive.identities.next(), goalID: goal.id, valueID: health.id,
          createdAt: web.test.clock.now, updatedAt: web.test.clock.now))
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/values/\(health.id.uuidString)", cookie: cookie).text
      let parts = page.components(separatedBy: "Past goals that served this value")
      #expect(parts.count == 2)
      #expect(parts[1].contains("Ran then") && !parts[1].contains("Run now"))
      let list = try await client.get("/values", cookie: cookie).text
      #expect(list.contains("Run now") && list.contains("1 past goal"))
      #expect(!list.contains("Ran then"))
    }
  }

  @Test func whatIsNotMeasuredIsTimesInWholeNumbers() throws {
    #expect(GoalWords.distance(-3.99, nil) == "4 times")
    #expect(GoalWords.distance(0.2, nil) == "1 time")
    #expect(GoalWords.distance(-3.99, "times") == "4 times")
    #expect(GoalWords.distance(-3.99, "books") == "4 books")
    #expect(GoalWords.distance(3.24, "km") == "3.2 km")
    #expect(GoalWords.distance(0.25, "km") == "0.25 km")
    #expect(GoalWords.rough(3.2666, nil) == "3.3 times" && GoalWords.rough(1, nil) == "once")
  }
}
