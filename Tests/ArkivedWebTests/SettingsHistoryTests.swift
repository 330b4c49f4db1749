import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The history in the settings")
struct SettingsHistoryTests {
  @Test func changesAreListedFilteredAndTakenBack() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    try web.test.add("tea", on: "2026-03-12")
    web.test.clock.advance(seconds: 86_400)
    try web.test.add("coffee")
    let change = try #require(try archive.changes().first)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/history", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("Added “tea”") && page.text.contains("Added “coffee”"))
      #expect(page.text.contains("href=\"/day/2026-03-12\"") && page.text.contains("1 item"))
      let one = try await client.get("/settings/history?day=2026-03-14&by=owner", cookie: cookie)
      #expect(one.text.contains("Added “tea”") && !one.text.contains("Added “coffee”"))
      let aligned = try await client.get("/settings/history?action=align", cookie: cookie)
      #expect(aligned.text.contains(">Values linked</option>"))
      let none = try await client.get("/settings/history?by=assistant", cookie: cookie)
      #expect(none.text.contains("No matching changes."))
      let wrong = try await client.get("/settings/history?day=2026-13-40", cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("“2026-13-40” isn’t a valid day"))
      let path = "/settings/history/\(change.id.uuidString)"
      let undone = try await client.post(
        "\(path)/undo", ["back": "/settings/history?by=owner"], cookie: cookie)
      let next = try #require(undone.headers[.location])
      #expect(next.hasPrefix("/settings/history?by=owner&change="))
      let told = try await client.get(next, cookie: cookie)
      #expect(told.text.contains("Undid: Added “coffee”.") && told.text.contains(">Redo</button>"))
      #expect(told.text.contains("badge-warning\">Undone</span>"))
      let twice = try await client.post(
        "\(path)/undo", ["back": "/settings/history"], cookie: cookie)
      #expect(twice.status == 409 && twice.text.contains("This change was already undone"))
      #expect(twice.text.contains("Added “tea”"))
      let away = try await client.post(
        "/settings/history/\(UUID().uuidString)/undo", ["back": "//evil.example"], cookie: cookie)
      #expect(away.status == 404)
    }
    #expect(try archive.counts().activities == 1)
  }

  @Test func aChangeShowsItsWordsBeforeAndAfter() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let entry = try web.test.add("tea with <b>Sam</b>", tags: ["one"])
    let saved = try archive.updateActivity(entry.id) {
      $0.text = "green tea with <b>Alex</b>"
      $0.tags = []
    }
    let change = try #require(saved.change)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/history/\(change.id.uuidString)", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("tea with <del>&lt;b&gt;Sam&lt;/b&gt;</del>"))
      #expect(page.text.contains("<ins>green </ins>tea with <ins>&lt;b&gt;Alex&lt;/b&gt;</ins>"))
      #expect(page.text.contains("<dt>Tags</dt>") && page.text.contains("Entry, changed"))
      #expect(page.text.contains("Restore"))
      let version = try #require(
        page.text.firstMatch(of: #/\/history\/[0-9A-F-]+\/restore/#)?.output)
      let restored = try await client.post(
        String(version), ["back": "/settings/history/\(change.id.uuidString)"], cookie: cookie)
      #expect(restored.status == 303)
      let gone = try await client.get("/settings/history/\(UUID().uuidString)", cookie: cookie)
      #expect(gone.status == 404)
    }
    #expect(try archive.activity(entry.id)?.text == "tea with <b>Sam</b>")
  }

  /// Every kind that has a page of its own: what leads from there to an old version and back.
  @Test func anOldVersionOfEverythingIsComparedAndRestoredFromItsPage() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let now = web.test.clock.now
    func next() -> UUID { archive.identities.next() }
    var paths: [String] = []
    let goal = try archive.create(
      Goal(id: next(), title: "first one", createdAt: now, updatedAt: now)
    ).value
    _ = try archive.update(Goal.self, goal.id) { $0.title = "second one" }
    paths.append("/goals/\(goal.id.uuidString)")
    let value = try archive.create(
      PersonalValue(id: next(), title: "first one", createdAt: now, updatedAt: now)
    ).value
    _ = try archive.update(PersonalValue.self, value.id) { $0.title = "second one" }
    paths.append("/values/\(value.id.uuidString)")
    let person = try archive.create(
      Person(id: next(), name: "first one", createdAt: now, updatedAt: now)
    ).value
    _ = try archive.updatePerson(person.id) { $0.name = "second one" }
    paths.append("/people/\(person.id.uuidString)")
    let note = try archive.create(
      Note(id: next(), title: "first one", text: "x", createdAt: now, updatedAt: now)
    ).value
    _ = try archive.updateNote(note.id) { $0.title = "second one" }
    paths.append("/notes/\(note.id.uuidString)")
    try web.test.add("tea", tags: ["first-one"])
    let tag = try #require(try archive.tags().first?.tag)
    _ = try archive.editTag(tag.id) { $0.name = "second-one" }
    paths.append("/settings/tags/\(tag.id.uuidString)")
    let pages = paths
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in pages {
        let page = try await client.get(path, cookie: cookie)
        let link = try #require(
          page.text.firstMatch(of: #/\/history\/[0-9A-F-]{36}/#)?.output, "\(path)")
        let old = try await client.get(String(link), cookie: cookie)
        #expect(old.status == 200 && old.text.contains("Since then"), "\(path)")
        #expect(old.text.contains("<del>first") && old.text.contains("<ins>second"))
        #expect(old.text.contains("href=\"\(path)\""), "\(path)")
        let back = try await client.post(
          "\(link)/restore", ["back": path], cookie: cookie)
        #expect(back.headers[.location]?.hasPrefix("\(path)?change=") == true, "\(path)")
        let same = try await client.get(String(link), cookie: cookie)
        #expect(same.text.contains("Nothing shown here has changed."), "\(path)")
      }
    }
    #expect(try archive.entity(Goal.self, goal.id)?.title == "first one")
  }

  @Test func wordsAreComparedOneByOne() {
    func told(_ before: String, _ after: String) -> String {
      let difference = WordDifference(before, after)
      func text(_ pieces: [WordDifference.Piece], _ marks: (String, String)) -> String {
        pieces.map { $0.isOwn ? marks.0 + $0.text + marks.1 : $0.text }.joined()
      }
      return text(difference.before, ("[", "]")) + "|" + text(difference.after, ("{", "}"))
    }
    #expect(told("a b c", "a x c") == "a [b] c|a {x} c")
    #expect(told("same", "same") == "same|same")
    #expect(told("", "new") == "|{new}")
    #expect(told("one two", "three four") == "[one two]|{three four}")
    let long = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
    let other = (0..<3_000).map { "v\($0)" }.joined(separator: " ")
    #expect(told("a \(long) z", "a \(other) z") == "a [\(long)] z|a {\(other)} z")
    #expect(FieldLabel.of("howGoalIsRelevant") == "Why it matters")
    #expect(FieldLabel.of("someOtherField") == "Some other field")
  }

  @Test func fieldsAndCodesAreShownInTheWordsOfThePages() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let now = web.test.clock.now
    var entry = try web.test.activity("ran", on: "2026-03-14", people: ["Ada"], kind: .health)
    entry.source = .calendarImport
    try archive.add(entry)
    let saved = try archive.updateActivity(entry.id) {
      $0.kind = .work
      $0.people = [Mention(name: "Ada"), Mention(name: "Bob")]
    }
    let goal = try archive.create(
      Goal(
        id: archive.identities.next(), title: "Run", goalType: .milestone,
        targetDate: DayKey("2026-05-01"), createdAt: now, updatedAt: now)
    ).value
    let changed = try archive.update(Goal.self, goal.id) {
      $0.measurementTarget = 100
      $0.measurementUnit = "km"
      $0.goalType = .goal
    }
    let added = try #require(archive.changes().last { $0.action == "add" })
    let (edit, other) = (try #require(saved.change), try #require(changed.change))
    let old = try #require(try archive.oldVersions(of: entry.id, limit: 1).first)
    let path = "/activities/\(entry.id.uuidString)/edit"
    try await web.run { client in
      let cookie = try await client.signIn()
      func page(_ id: UUID) async throws -> String {
        try await client.get("/settings/history/\(id.uuidString)", cookie: cookie).text
      }
      let first = try await page(added.id)
      #expect(first.contains("<dt>Source</dt>") && first.contains("Calendar"))
      #expect(!first.contains("calendarImport") && !first.contains("<dt>Mentions</dt>"))
      let second = try await page(edit.id)
      #expect(second.contains("<del>Health</del>") && second.contains("<ins>Work</ins>"))
      #expect(second.contains("<dt>People</dt>") && !second.contains("<dt>Mentions</dt>"))
      let third = try await page(other.id)
      #expect(third.contains("<dt>Target</dt>") && third.contains("<del>Milestone</del>"))
      let read = try await client.get("/history/\(old.id.uuidString)", cookie: cookie).text
      #expect(read.contains("Kind: Health") && !read.contains("kind: health"))
      let form = try await client.get(path, cookie: cookie)
      #expect(!form.text.contains(">/day/2026-03-14#activity-"))
    }
  }

  @Test func aLongTextIsShownWhereItChanges() async throws {
    let web = try WebTest()
    let day = try #require(DayKey("2026-03-14"))
    let words = String(repeating: "word ", count: 8_000)
    _ = try web.test.archive.updateDay(day) { $0.note = words + "old end" }
    let saved = try web.test.archive.updateDay(day) { $0.note = words + "new end" }
    let change = try #require(saved.change)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/history/\(change.id.uuidString)", cookie: cookie)
      #expect(page.text.contains("<del>old</del> end") && page.text.contains("<ins>new</ins> end"))
      #expect(page.text.utf8.count < 30_000)
    }
  }
}
