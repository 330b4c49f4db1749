import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("What a tap on a day's page does")
struct DayActionTests {
  /// The address without its fragment, which browsers keep to themselves.
  private func page(after answer: WebClient.Answer) throws -> String {
    String(try #require(answer.headers[.location]).prefix { $0 != "#" })
  }

  private func undo(in page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output))
  }

  /// The menu shows only the clock time of the end.
  @Test func aNewEndInTheMenuStaysOnTheLastDay() async throws {
    let web = try WebTest()
    let trip = try web.test.add("trip", from: "08:00", to: "10:00")
    let end = try #require(trip.endAt).adding(seconds: 2 * 86_400)
    _ = try web.test.archive.updateActivity(trip.id) { $0.endAt = end }
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/activities/\(trip.id.uuidString)/move"
      func change(_ fields: [String: String]) async throws -> Activity? {
        let answer = try await client.post(
          path, fields.merging(["day": "2026-03-14"]) { $1 }, cookie: cookie)
        #expect(answer.status == 303, "\(answer.text)")
        return try web.test.archive.activity(trip.id)
      }
      let later = try await change(["time": "08:00", "until": "11:30"])
      #expect(later?.startAt == trip.startAt && later?.endAt == end.adding(seconds: 5_400))
      let dragged = try await change(["until": "12:00"])
      #expect(dragged?.endAt == trip.startAt?.adding(seconds: 4 * 3_600))
    }
  }

  @Test func moodAndEnergyAreSetClearedAndTakenBackWithoutAScript() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/day/2026-03-14/levels"
      let set = try await client.post(path, ["mood": "4"], cookie: cookie)
      #expect(set.status == 303)
      #expect(try web.test.day("2026-03-14").entry?.mood == 4)
      let shown = try await client.get(try page(after: set), cookie: cookie).text
      #expect(shown.contains("14 March 2026: mood good."))
      // The chosen one sends nothing, which clears it.
      #expect(shown.contains(#"name="mood" value="" aria-pressed="true""#))
      #expect(shown.contains(#"name="mood" value="5" aria-pressed="false""#))
      let energy = try await client.post(path, ["energy": "2"], cookie: cookie)
      #expect(try web.test.day("2026-03-14").entry?.mood == 4)
      let back = try undo(in: try await client.get(try page(after: energy), cookie: cookie).text)
      #expect(try await client.post(back, [:], cookie: cookie).status == 303)
      #expect(try web.test.day("2026-03-14").entry?.energy == nil)
      _ = try await client.post(path, ["mood": ""], cookie: cookie)
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test("The history keeps English, and a German page shows it in German")
  func changesAreStoredInEnglishFromAGermanPage() async throws {
    let web = try WebTest()
    _ = try web.test.archive.updatePreferences { $0.language = .german }
    let walk = try web.test.add("walk", from: "10:00", to: "11:00")
    try await web.run { client in
      let cookie = try await client.signIn()
      let levels = "/day/2026-03-14/levels"
      let set = try await client.post(levels, ["mood": "4"], cookie: cookie)
      #expect(try web.test.archive.changes(limit: 1).first?.summary == "14 March 2026: mood good")
      let shown = try await client.get(try page(after: set), cookie: cookie).text
      #expect(shown.contains("14. März 2026: Stimmung gut."))
      let cleared = try await client.post(levels, ["mood": ""], cookie: cookie)
      #expect(try web.test.archive.changes(limit: 1).first?.summary == "14 March 2026: no mood")
      let empty = try await client.get(try page(after: cleared), cookie: cookie).text
      #expect(empty.contains("14. März 2026: Stimmung entfernt."))
      let move = "/activities/\(walk.id.uuidString)/move"
      _ = try await client.post(move, ["day": "2026-03-13"], cookie: cookie)
      let summary = try web.test.archive.changes(limit: 1).first?.summary
      #expect(summary == "Moved “walk” to 13 March 2026, 10:00–11:00")
    }
  }

  @Test func aChangedEndChangesTheDurationOnEveryFace() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    func run(_ text: String) throws -> Activity {
      try archive.updateActivity(try web.test.add(text, from: "07:00", to: "07:30").id) {
        $0.durationMinutes = 30
      }.value
    }
    let (formed, sent) = (try run("ran one"), try run("ran two"))
    let end = try #require(sent.endAt).adding(seconds: 1_800)
    try await web.run { client in
      let cookie = try await client.signIn()
      let id = formed.id.uuidString
      let page = try await client.post(
        "/activities/\(id)",
        ["text": "ran one", "day": "2026-03-14", "start": "07:00", "end": "08:00"], cookie: cookie)
      #expect(page.status == 303, "\(page.text)")
      #expect(try archive.activity(formed.id)?.duration == 60)
      let answer = try await client.ask(
        .patch, "/api/v1/activities/\(sent.id.uuidString)", ["endAt": JSON(end)])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(try archive.activity(sent.id)?.duration == 60)
    }
  }

  @Test(arguments: [["mood": "6"], ["energy": "low"], [:], ["note": "n"]])
  func whatIsNoMoodIsRefused(_ fields: [String: String]) async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.post("/day/2026-03-14/levels", fields, cookie: cookie)
      #expect(answer.status == 422)
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test func everyEntryHasAMenuThatWorksWithoutAScript() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk <b>", on: "2026-03-13", from: "10:00", to: "11:00")
    let path = "/activities/\(walk.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/day/2026-03-13", cookie: cookie).text
      #expect(page.contains("<details class=\"entry-menu\""))
      #expect(page.contains("aria-label=\"More: walk &lt;b&gt;\""))
      for address in ["pin", "duplicate", "delete"] {
        #expect(page.contains("\"\(path)/\(address)\""), "\(address)")
      }
      #expect(page.contains("Duplicate to today") && page.contains("value=\"10:00\""))
      let today = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(!today.contains("Duplicate to today"))
    }
  }

  @Test func anEntryIsPinnedAndUnpinned() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk", from: "10:00", to: "11:00")
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/activities/\(walk.id.uuidString)/pin"
      let pinned = try await client.post(path, ["pinned": "true"], cookie: cookie)
      #expect(pinned.status == 303)
      #expect(try web.test.archive.activity(walk.id)?.isPinned == true)
      let shown = try await client.get(try page(after: pinned), cookie: cookie).text
      #expect(shown.contains("Pinned “walk”.") && shown.contains(">Unpin<"))
      #expect(try await client.post(path, ["pinned": "perhaps"], cookie: cookie).status == 422)
      _ = try await client.post(path, ["pinned": "false"], cookie: cookie)
      #expect(try web.test.archive.activity(walk.id)?.isPinned == false)
      let nobody = "/activities/\(UUID().uuidString)/pin"
      #expect(try await client.post(nobody, [:], cookie: cookie).status == 404)
    }
  }

  @Test func aDuplicateIsAnEntryOfItsOwnAndGoesWithUndo() async throws {
    let web = try WebTest()
    var first = try web.test.activity(
      "ran", on: "2026-03-10", from: "07:00", to: "08:00", tags: ["out"], people: ["Sam Lee"],
      measurements: ["km": 5])
    first.source = .healthImport
    first.externalRefs = [
      ExternalRef(provider: "health", externalID: "1", fetchedAt: web.test.clock.now)
    ]
    try web.test.archive.add(first)
    let id = first.id
    let path = "/activities/\(id.uuidString)/duplicate"
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.post(path, ["day": "2026-03-14"], cookie: cookie)
      let copy = try #require(try web.test.day("2026-03-14").activities.first)
      #expect(copy.timeText == "07:00–08:00" && copy.tags == ["out"])
      #expect(copy.measurements == ["km": 5] && copy.people.map(\.name) == ["Sam Lee"])
      #expect(copy.source == .manual && copy.externalRefs.isEmpty && copy.id != id)
      let back = try undo(in: try await client.get(try page(after: answer), cookie: cookie).text)
      _ = try await client.post(back, [:], cookie: cookie)
      #expect(try web.test.day("2026-03-14").activities.isEmpty)
      #expect(try await client.post(path, ["day": "soon"], cookie: cookie).status == 422)
      _ = try await client.post(path, [:], cookie: cookie)
      #expect(try web.test.day("2026-03-10").activities.count == 2)
    }
  }

  @Test func anEntryMovesToAnotherTimeOrDayAndLastsAsLong() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk", from: "10:00", to: "11:30")
    let path = "/activities/\(walk.id.uuidString)/move"
    @Sendable func now() throws -> Activity { try #require(try web.test.archive.activity(walk.id)) }
    try await web.run { client in
      let cookie = try await client.signIn()
      let moved = try await client.post(
        path, ["day": "2026-03-14", "time": "15:05"], cookie: cookie)
      #expect(moved.status == 303)
      #expect(try now().timeText == "15:05–16:35")
      let shown = try await client.get(try page(after: moved), cookie: cookie).text
      #expect(shown.contains("Moved “walk” to 14 March 2026, 15:05–16:35."))
      _ = try await client.post(path, ["day": "2026-03-20", "time": ""], cookie: cookie)
      #expect(try now().dayKey.description == "2026-03-20" && now().timeText == "15:05–16:35")
      let stale = EntityTag.text(walk.updatedAt)
      let late = try await client.post(
        path, ["day": "2026-03-21", "version": stale], cookie: cookie)
      #expect(late.status == 409)
      for wrong in [["day": "x"], [:], ["day": "2026-03-14", "time": "25:00"]] {
        #expect(try await client.post(path, wrong, cookie: cookie).status == 422)
      }
      #expect(try now().dayKey.description == "2026-03-20")
    }
  }

  @Test func anEntryGetsAnotherEnd() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk", from: "22:00", to: "22:30")
    let thought = try web.test.add("thought")
    let path = "/activities/\(walk.id.uuidString)/move"
    @Sendable func now() throws -> Activity { try #require(try web.test.archive.activity(walk.id)) }
    try await web.run { client in
      let cookie = try await client.signIn()
      let before = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(before.contains("name=\"until\" value=\"22:30\""))
      let resized = try await client.post(
        path, ["day": "2026-03-14", "until": "23:15"], cookie: cookie)
      #expect(try now().timeText == "22:00–23:15" && now().duration == 75)
      let shown = try await client.get(try page(after: resized), cookie: cookie).text
      #expect(shown.contains("Changed the time of “walk” to 22:00–23:15."))
      // A time changed beside an end that is as shown moves the entry; both together set both.
      let form = ["day": "2026-03-14", "time": "20:00", "until": "23:15"]
      _ = try await client.post(path, form, cookie: cookie)
      #expect(try now().timeText == "20:00–21:15")
      _ = try await client.post(
        path, ["day": "2026-03-14", "time": "21:00", "until": "01:00"], cookie: cookie)
      #expect(try now().duration == 240)
      _ = try await client.post(path, ["day": "2026-03-14", "until": ""], cookie: cookie)
      #expect(try now().endAt == nil && now().timeText == "21:00")
      for (wrong, of) in [("soon", path), ("10:00", "/activities/\(thought.id.uuidString)/move")] {
        let answer = try await client.post(
          of, ["day": "2026-03-14", "until": wrong], cookie: cookie)
        #expect(answer.status == 422)
      }
      #expect(try web.test.archive.activity(thought.id)?.endAt == nil)
      // A part of the day is no start, but its entry can be pulled longer from where it is listed.
      _ = try web.test.archive.updateActivity(thought.id) {
        $0.startAt = Instant("2026-03-14T05:00:00Z")
        $0.dayPeriod = .morning
      }
      let of = "/activities/\(thought.id.uuidString)/move"
      var sent = ["day": "2026-03-14", "time": "", "until": "10:00"]
      #expect(try await client.post(of, sent, cookie: cookie).status == 422)
      sent["time"] = nil
      #expect(try await client.post(of, sent, cookie: cookie).status == 303)
      #expect(try web.test.archive.activity(thought.id)?.timeText == "06:00–10:00")
    }
  }

  @Test func anEntryWithoutATimeGetsOneAndAllDayBecomesAMoment() throws {
    let test = try TestArchive()
    var thought = try test.activity("thought")
    try ActivityTimes.move(&thought, to: thought.dayKey, at: "09:20")
    #expect(thought.timeText == "09:20")
    var fair = try test.activity("fair", from: "00:00")
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    #expect(fair.isAllDay)
    try ActivityTimes.move(&fair, to: fair.dayKey, at: "10:00")
    #expect(fair.timeText == "10:00")
  }

  @Test func anEntryCanLoseItsTimeAndKeepsHowLongItTook() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk", from: "10:00", to: "11:30")
    let path = "/activities/\(walk.id.uuidString)/move"
    try await web.run { client in
      let cookie = try await client.signIn()
      let before = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(before.contains("name=\"untimed\" value=\"true\">No time</button>"))
      let form = ["day": "2026-03-14", "time": "10:00", "untimed": "true"]
      let moved = try await client.post(path, form, cookie: cookie)
      let untimed = try #require(try web.test.archive.activity(walk.id))
      #expect(untimed.startAt == nil && untimed.endAt == nil && untimed.duration == 90)
      let shown = try await client.get(try page(after: moved), cookie: cookie).text
      #expect(shown.contains("Removed the time from “walk”."))
      #expect(shown.contains("Sometime that day") && !shown.contains("name=\"untimed\""))
      _ = try await client.post(try undo(in: shown), [:], cookie: cookie)
      #expect(try web.test.archive.activity(walk.id)?.timeText == "10:00–11:30")
      let odd = try await client.post(
        path, ["day": "2026-03-14", "untimed": "perhaps"], cookie: cookie)
      #expect(odd.status == 422)
    }
  }

  @Test func freeHoursAndOverlapsAreToldInWords() async throws {
    let web = try WebTest()
    try web.test.add("standup", from: "09:00", to: "10:00")
    try web.test.add("call", from: "09:30", to: "10:30")
    try web.test.add("lunch", from: "12:30", to: "13:00")
    try web.test.add("tea", from: "13:20")
    try web.test.add("walk", from: "18:00", to: "19:00")
    try web.test.add("read")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains("overlaps with <bdi>standup</bdi>"))
      #expect(page.components(separatedBy: "overlaps with").count == 2)
      #expect(page.contains(">2 h free<"))
      // How long tea took is not known.
      #expect(page.components(separatedBy: " free<").count == 2)
      #expect(page.contains("data-from=\"570\" data-to=\"630\""))
    }
  }

  @Test("An entry reaches to what the clock shows at its end, also when clocks are changed")
  func endsByTheClock() async throws {
    let web = try WebTest()
    try web.test.add("spring", on: "2026-03-29", from: "01:00", to: "04:00")
    try web.test.add("autumn", on: "2025-10-26", from: "01:00", to: "04:00")
    var late = try web.test.activity("late", from: "23:00")
    late.endAt = late.startAt?.adding(seconds: 2 * 3_600)
    try web.test.archive.add(late)
    try await web.run { client in
      let cookie = try await client.signIn()
      for day in ["2026-03-29", "2025-10-26"] {
        let page = try await client.get("/day/\(day)", cookie: cookie).text
        #expect(page.contains("data-from=\"60\" data-to=\"240\""), "\(day)")
      }
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains("data-from=\"1380\" data-to=\"1500\""))
    }
  }

  @Test func nothingIsToldFreeBeforeAnEntryOfAPartOfTheDay() async throws {
    let web = try WebTest()
    try web.test.add("lunch", from: "12:30", to: "13:00")
    var call = try web.test.activity("call", from: "18:00")
    call.dayPeriod = .evening
    try web.test.archive.add(call)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains(">evening<") && !page.contains(" free<"))
    }
  }

  @Test func theSameDayOfEarlierYearsStandsAtTheEnd() async throws {
    let web = try WebTest()
    for year in 2019...2025 { try web.test.add("spring \(year)", on: "\(year)-03-14") }
    try web.test.add("another day", on: "2025-03-15")
    _ = try web.test.archive.updateDay(try #require(DayKey("2025-03-14"))) {
      $0.note = "# The day <of>\nthe <castle>"
    }
    _ = try web.test.archive.updateDay(try #require(DayKey("2020-07-01"))) { entry in
      entry.weather = Weather(conditions: "hail")
    }
    _ = try web.test.archive.updateDay(try #require(DayKey("2019-07-01"))) { $0.mood = 4 }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains("# The day &lt;of&gt; the &lt;castle&gt;"))
      #expect(page.contains("spring 2024") && page.contains("spring 2023"))
      #expect(!page.contains("spring 2022") && page.contains("href=\"/day/2022-03-14\""))
      #expect(!page.contains("another day"))
      let first = try await client.get("/day/2019-03-14", cookie: cookie).text
      #expect(!first.contains("On this day"))
      // A day without a note and a mood has something else.
      let summer = try await client.get("/day/2026-07-01", cookie: cookie).text
      #expect(summer.contains("hail"))
      #expect(summer.components(separatedBy: "Mood and energy").count == 2)
    }
  }

  @Test func aJourneyToAnotherZoneIsToldOnTodayAlone() async throws {
    var web = try WebTest()
    web.app.systemZone = { Zone("Asia/Tokyo") }
    let away = web
    try await away.run { client in
      let cookie = try await client.signIn()
      let sentence = "time zone is now Tokyo. Arkived keeps using Berlin until you restart it"
      #expect(try await client.get("/", cookie: cookie).text.contains(sentence))
      #expect(
        try await !client.get("/day/2026-03-10", cookie: cookie).text.contains(sentence))
    }
    // Another name of the same time is no journey.
    web.app.systemZone = { Zone("Europe/Rome") }
    let near = web
    try await near.run { client in
      let cookie = try await client.signIn()
      #expect(try await !client.get("/", cookie: cookie).text.contains("time zone is now"))
    }
  }
}
