import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Nudges in the web app", .timeLimit(.minutes(20)))
struct SettingsNudgeTests {
  private static let path = "/settings/nudges"

  private func choose(
    _ test: TestArchive, _ channels: Set<NudgeChannel> = [.today, .web]
  ) throws {
    try test.archive.updateNudgeSettings { settings in
      settings.set(.evening, at: .at(21))
      settings.channels = channels
    }
  }

  /// What the form sends: the evening note at a time, on the desktop.
  private func form(_ more: [String: String] = [:]) -> [String: String] {
    [
      "evening-on": "true", "evening": "20:30", "meeting": "10", "goal": "18:00",
      "backup": "12:00", "onThisDay": "08:00", "today": "true", "quietFrom": "22:00",
      "quietTo": "07:00", "mostADay": "2",
    ].merging(more) { $1 }
  }

  @Test func allAreOffUntilTheyAreChosenOnThePage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(Self.path, cookie: cookie)
      #expect(page.status == 200 && page.text.contains("Arkived only sends reminders"))
      for kind in NudgeKind.allCases {
        #expect(page.text.contains("name=\"\(kind.rawValue)-on\" value=\"true\">"), "\(kind)")
      }
      #expect(page.text.contains("name=\"today\" value=\"true\" checked"))
      #expect(page.text.contains("value=\"22:00\"") && page.text.contains("value=\"07:00\""))
      let saved = try await client.post(Self.path, form(), cookie: cookie)
      #expect(saved.status == 303)
      let after = try await client.get("\(Self.path)?done=saved", cookie: cookie).text
      #expect(after.contains("Saved.") && after.contains("value=\"20:30\""))
      #expect(after.contains("name=\"evening-on\" value=\"true\" checked"))
      let none = form(["quietFrom": "", "quietTo": ""])
      _ = try await client.post(Self.path, none, cookie: cookie)
    }
    let chosen = try web.test.archive.nudgeSettings()
    #expect(chosen.evening?.description == "20:30" && chosen.goal == nil && chosen.meeting == nil)
    #expect(chosen.quiet == nil && chosen.mostADay == 2 && !chosen.showsText)
  }

  private static let wrong: [([String: String], String)] = [
    (["evening": "09:00"], "before noon"), (["evening": ""], "but must be a time such as 21:00"),
    (["meeting-on": "true", "meeting": "x"], "Enter a number"),
    (["meeting-on": "true", "meeting": "500"], "must be between 1 and 120"),
    (["mostADay": "0"], "must be between 1 and 20"),
    (["quietTo": ""], "but must look like 22:00-07:00"),
    (["evening": "<b>&\""], "but must be a time such as 21:00"),
  ]

  @Test(arguments: wrong)
  func whatCannotBeIsSaidBesideItsField(wrong: [String: String], words: String) async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let refused = try await client.post(Self.path, form(wrong), cookie: cookie)
      #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
      #expect(refused.text.contains("aria-invalid") && !refused.text.contains("<b>&"))
    }
    #expect(try !web.test.archive.nudgeSettings().isOn)
  }

  @Test func aLineStandsInTodayUntilItIsPutOffOrTakenAway() async throws {
    let web = try WebTest()
    try choose(web.test)
    let desk = NudgeDesk(archive: web.test.archive, zone: web.test.zone)
    let id = try #require(try desk.giveDue().given.first?.id)
    try await web.run { client in
      let cookie = try await client.signIn()
      func today() async throws -> String {
        try await client.get("/", cookie: cookie).text
      }
      #expect(try await today().contains("The day has no note yet."))
      #expect(try await today().contains("href=\"/day/2026-03-14/note/edit\""))
      #expect(
        try await !client.get("/day/2026-03-13", cookie: cookie).text.contains("id=\"nudges\""))
      let snoozed = try await client.post("/nudges/\(id)/snooze", [:], cookie: cookie)
      #expect(snoozed.status == 303)
      #expect(try await !today().contains("id=\"nudges\""))
      web.test.clock.advance(seconds: NudgeDesk.snoozeSeconds)
      #expect(try await today().contains("id=\"nudges\""))
      _ = try await client.post("/nudges/\(id)/dismiss", [:], cookie: cookie)
      #expect(try await !today().contains("id=\"nudges\""))
      let gone = try await client.post("/nudges/nothing/dismiss", [:], cookie: cookie)
      #expect(gone.status == 404)
    }
  }

  @Test func programsReadAndOnlyTheOwnerChooses() async throws {
    let web = try WebTest()
    let token = try web.test.archive.addAgent(named: "Reader").token
    try await web.run { client in
      let path = "/api/v1/nudges"
      let changed = try await client.ask(
        .patch, path, ["evening": "21:00", "meeting": 5, "quiet": .null])
      #expect(changed.status == 200 && changed.json["settings"]?["meeting"] == 5)
      let upcoming = try await client.ask(.get, path).json["upcoming"]?.array
      #expect(upcoming?.compactMap { $0["kind"]?.string } == ["evening"])
      #expect(upcoming?.first?["at"] == "2026-03-14T20:00:00Z")
      let wrong = try await client.ask(.patch, path, ["evening": 21])
      #expect(wrong.status == 422 && wrong.json["field"] == "evening")
      let unknown = try await client.ask(.patch, path, ["pager": true])
      #expect(unknown.status == 422 && unknown.json["field"] == "pager")
      let agent = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
      #expect(try await client.send(.get, path, agent).status == 200)
      #expect(try await client.send(.patch, path, agent, body: "{}").status == 403)
      #expect(try await client.send(.post, "\(path)/test", agent).status == 403)
      let id = try #require(
        try NudgeDesk(archive: web.test.archive, zone: web.test.zone).giveDue().given.first?.id)
      #expect(try await client.send(.post, "\(path)/\(id)/dismiss", agent).status == 403)
      let standing = try await client.ask(.get, path).json["standing"]?.array
      #expect(standing?.first?["text"] == "The day has no note yet.")
      let dismissed = try await client.ask(.post, "\(path)/\(id)/dismiss")
      #expect(dismissed.status == 200 && dismissed.json["standing"] == [])
    }
  }

  @Test func openPagesHearOfANudgeThatAnotherProgramGives() async throws {
    let web = try WebTest()
    try choose(web.test)
    let other = try web.test.another()
    try await web.run { client in
      let listener = try await EventListener.open(
        port: client.port, "/api/v1/events",
        headers: ["Authorization": "Bearer \(client.door.ownerToken)"])
      _ = await listener.next(1, "today")
      #expect(try NudgeDesk(archive: other, zone: web.test.zone).giveDue().given.count == 1)
      let heard = try #require(await listener.next(1, "nudge").first)
      #expect(heard.json["id"] == "evening.2026-03-14" && heard.json["notifies"] == true)
      #expect(heard.json["title"] == "Arkived")
      #expect(heard.json["text"] == "The day has no note yet.")
    }
  }

  @Test func theServiceShowsEachOnceOnTheDesktop() async throws {
    let test = try TestArchive()
    try choose(test, [.desktop])
    _ = try test.folder.script(
      "bin/notify-send", "printf '%s\\n' \"$@\" >> \"$HOME/said\"")
    let home = test.folder.url
    func service(_ archive: Archive) -> NudgeService {
      NudgeService(
        archive: archive, zone: test.zone,
        notifier: DesktopNotifier(
          environment: ["PATH": "\(home.path)/bin", "HOME": home.path], limit: .seconds(600)))
    }
    let next = try await service(test.archive).look()
    #expect(next?.description == "2026-03-15T20:00:00Z")
    // The same service, one started anew, and one of another server.
    _ = try await service(test.archive).look()
    _ = try await service(test.another()).look()
    let said = try String(contentsOf: home.appendingPathComponent("said"), encoding: .utf8)
    #expect(said == "--app-name=Arkived\n--\nArkived\nThe day has no note yet.\n")
  }

  @Test func withoutAProgramForItANudgeIsGivenAllTheSame() async throws {
    let test = try TestArchive()
    try choose(test, [.desktop, .today])
    let service = NudgeService(
      archive: test.archive, zone: test.zone,
      notifier: DesktopNotifier(environment: ["PATH": "/nowhere"]))
    _ = try await service.look()
    let desk = NudgeDesk(archive: test.archive, zone: test.zone)
    #expect(try desk.standing().count == 1)
  }

  @Test func theFormatsOfImportsAreFoldedAndTheTabsHoldThemAll() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/imports", cookie: cookie).text
      let fold = try #require(page.range(of: "<details class=\"fold\" id=\"formats\""))
      #expect(page[fold.upperBound...].contains("journals from Day One (.zip, .json, .txt"))
      #expect(!page[..<fold.lowerBound].contains("journals from Day One"))
      for href in ["/settings/nudges", "/settings/backup", "/calendars", "/pending"] {
        #expect(page.contains("<li><a href=\"\(href)\""), "\(href)")
      }
    }
  }
}
