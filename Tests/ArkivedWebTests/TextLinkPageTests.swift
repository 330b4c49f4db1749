import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Links, templates and prompts on pages")
struct TextLinkPageTests: MeetingTesting, GoalPageTesting {
  private func note(_ title: String?, _ text: String, in test: TestArchive) throws -> Note {
    let archive = test.archive
    return try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  private func person(_ name: String, in test: TestArchive) throws -> Person {
    let archive = test.archive
    return try archive.create(
      Person(
        id: archive.identities.next(), name: name, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  @Test func linksLeadToTheirPagesAndBackAndHostileOnesNowhere() async throws {
    let web = try WebTest()
    let alex = try person("Tom's <Alex>", in: web.test)
    var made = try web.test.activity("ran with [[Plan]]")
    made.notes = "see [[2024-03-05|that day]] & <b>"
    let run = made
    try web.test.archive.add(run)
    let plan = try note(
      "Plan",
      """
      [[Tom's <Alex>]], [[5 March 2024]], [[entry:\(run.id.uuidString)|*the* run]]
      [[entry:00000000-0000-4000-8000-00000000FFFF|lost <i>]] and [[Nobody "x"]]
      `[[Plan]]`

          [[Plan]]

      <p>[[Plan]]</p> [[javascript:alert(1)]] [x](arkived-link:99)
      """, in: web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/notes/\(plan.id.uuidString)", cookie: cookie)
      let text = page.text
      #expect(
        text.contains("<a href=\"/people/\(alex.id.uuidString)\">Tom's &lt;Alex&gt;</a>"))
      #expect(text.contains("<a href=\"/day/2024-03-05\">5 March 2024</a>"))
      #expect(text.contains("#activity-\(run.id.uuidString)\">*the* run</a>"))
      #expect(text.contains("<span class=\"link-gone\" title=\"deleted\"><s>lost &lt;i&gt;</s>"))
      #expect(text.contains("<a href=\"/linked?name=Nobody%20%22x%22\">Nobody &quot;x&quot;</a>"))
      #expect(text.contains("<code>[[Plan]]</code>"))
      #expect(text.contains("<pre><code>[[Plan]]\n</code></pre>"))
      #expect(text.contains("&lt;p&gt;[[Plan]]&lt;/p&gt;"))
      #expect(!text.contains("href=\"javascript:"))
      // The entry on its day links to the note, and the note says so.
      #expect(text.contains("id=\"linked-from\"") && text.contains("ran with Plan"))
      let day = try await client.get("/day/\(run.dayKey)", cookie: cookie)
      #expect(day.text.contains("<a href=\"/notes/\(plan.id.uuidString)\">Plan</a>"))
      #expect(day.text.contains("<a href=\"/day/2024-03-05\">that day</a> &amp; &lt;b&gt;"))
      let back = try await client.get("/people/\(alex.id.uuidString)", cookie: cookie)
      #expect(back.text.contains("Linked from") && back.text.contains(plan.id.uuidString))
      let entry = try await client.get("/activities/\(run.id.uuidString)/edit", cookie: cookie)
      #expect(entry.text.contains("Linked from"))
      let linked = try await client.get("/day/2024-03-05", cookie: cookie)
      #expect(linked.text.contains("Linked from <span class=\"count\">2</span>"))
      let all = try await client.get("/linked/from?day=2024-03-05", cookie: cookie)
      #expect(all.status == 200 && all.text.contains("Tuesday 5 March 2024"))
    }
  }

  @Test func aNameLeadsOnOffersAChoiceOrASearch() async throws {
    let web = try WebTest()
    let plan = try note("Plan", "a", in: web.test)
    _ = try note("Twin", "a", in: web.test)
    _ = try note("Twin", "b", in: web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let one = try await client.get("/linked?name=plan", cookie: cookie)
      #expect(one.status == 303 && one.headers[.location] == "/notes/\(plan.id.uuidString)")
      let two = try await client.get("/linked?name=twin", cookie: cookie)
      #expect(two.status == 200 && two.text.contains("This link can refer to several things."))
      let none = try await client.get("/linked?name=%3Cscript%3E", cookie: cookie)
      #expect(none.text.contains("Nothing with this name"))
      #expect(
        none.text.contains("/search?query=%3Cscript%3E") && !none.text.contains("<script>\"<"))
      #expect(try await client.get("/linked", cookie: cookie).status == 200)
      #expect(try await client.get("/linked/from?day=x", cookie: cookie).status == 400)
    }
  }

  @Test func programsCompleteLinksAndReadBacklinks() async throws {
    let web = try WebTest()
    let alex = try person("Alex Kim", in: web.test)
    let plan = try note("Alpha", "with [[Alex Kim]]", in: web.test)
    try await web.run { client in
      let found = try await client.ask(.get, "/api/v1/link-targets?query=al")
      #expect(found.status == 200)
      let offers = found.json["targets"]?.array ?? []
      #expect(offers.map { $0["type"]?.string } == ["person", "note"])
      #expect(offers.map { $0["insert"]?.string } == ["[[Alex Kim]]", "[[Alpha]]"])
      #expect(offers.first?["id"]?.string == alex.id.uuidString)
      let days = try await client.ask(
        .get, "/api/v1/link-targets?query=yesterday&types=day&limit=1")
      #expect(days.json["targets"]?.array?.first?["insert"]?.string == "[[2026-03-13]]")
      for wrong in ["types=house", "limit=0", "limit=51", "colour=red"] {
        let answer = try await client.ask(.get, "/api/v1/link-targets?query=a&\(wrong)")
        #expect(answer.status == 400, "\(wrong)")
      }
      let back = try await client.ask(.get, "/api/v1/backlinks?person=\(alex.id.uuidString)")
      #expect(back.json["count"]?.int == 1)
      #expect(back.json["links"]?.array?.first?["id"]?.string == plan.id.uuidString)
      #expect(back.json["links"]?.array?.first?["snippet"]?.string == "with Alex Kim")
      // Tools return them with what they find.
      let people = try await client.ask(.post, "/api/v1/tools/findPeople", ["query": "Alex"])
      let links = people.json["result"]?["people"]?.array?.first?["backlinks"]
      #expect(links?["count"]?.int == 1, "\(people.text)")
      #expect(links?["links"]?.array?.first?["id"]?.string == plan.id.uuidString)
      let notes = try await client.ask(.post, "/api/v1/tools/searchNotes", ["query": "Alpha"])
      let first = try #require(notes.json["result"]?["notes"]?.array?.first)
      #expect(first["id"]?.string == plan.id.uuidString && first["backlinks"] == nil)
      #expect(try await client.ask(.get, "/api/v1/backlinks").status == 400)
      #expect(
        try await client.ask(
          .get, "/api/v1/backlinks?day=2026-03-14&note=\(plan.id.uuidString)"
        ).status == 400)
    }
  }

  @Test func aTemplateBeginsAnEmptyNoteWithOneTap() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    _ = try archive.updateDay(#require(DayKey("2026-03-13"))) { $0.note = "- [ ] buy wood" }
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = [
        "name": "Saturday", "use": "day", "weekday": "saturday", "kind": "",
        "text": "# {{weekday}}\r\n<script>alert(1)</script>\r\n{{open}}",
      ]
      let made = try await client.post("/settings/templates", form, cookie: cookie)
      #expect(made.status == 303)
      let template = try #require(
        try archive.writingSettings().templates.first { $0.name == "Saturday" })
      let day = try await client.get("/day/2026-03-14", cookie: cookie)
      let first = try #require(day.text.range(of: "<bdi>Saturday</bdi>"))
      let second = try #require(day.text.range(of: "<bdi>Evening</bdi>"))
      #expect(first.lowerBound < second.lowerBound)
      #expect(!day.text.contains("id=\"prompt\""))
      let begun = try await client.post(
        "/day/2026-03-14/note/template", ["template": template.id.uuidString], cookie: cookie)
      #expect(begun.status == 303)
      let text = "# Saturday\n<script>alert(1)</script>\n- [ ] buy wood"
      #expect(try web.test.day("2026-03-14").entry?.note == text)
      let shown = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(shown.text.contains("&lt;script&gt;") && !shown.text.contains("<script>alert"))
      #expect(!shown.text.contains("id=\"start-with\""))
      // What stands there stays.
      _ = try await client.post(
        "/day/2026-03-14/note/template", ["template": "Evening"], cookie: cookie)
      #expect(try web.test.day("2026-03-14").entry?.note == text)
      let page = try await client.get(
        "/settings/templates/\(template.id.uuidString)", cookie: cookie)
      #expect(page.text.contains("Example for today") && page.text.contains("<h3>Saturday</h3>"))
      let wrong = try await client.post(
        "/settings/templates", ["name": "saturday", "text": "x"], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("name of another template"))
      let gone = try await client.post(
        "/settings/templates/\(template.id.uuidString)/delete", [:], cookie: cookie)
      #expect(gone.status == 303)
      #expect(try archive.writingSettings().templates.map(\.name) == ["Evening"])
      let list = try await client.get(try #require(gone.headers[.location]), cookie: cookie)
      #expect(list.text.contains("Deleted the template “Saturday”."))
      let undo = try #require(list.text.firstMatch(of: #/action="(\/changes\/[^"]+\/undo)"/#)).1
      let undone = try await client.post(
        String(undo), ["back": "/settings/templates"], cookie: cookie)
      #expect(undone.headers[.location]?.hasPrefix("/settings/templates?change=") == true)
      #expect(try archive.writingSettings().templates.map(\.name) == ["Evening", "Saturday"])
    }
  }

  @Test func theHistoryShowsWhatATemplateSaid() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let walk = WritingTemplate(
      id: archive.identities.next(), name: "Walk", text: "old <words>", weekdays: [.sunday])
    try archive.updateWritingSettings { try $0.keep(walk) }
    let edit = try #require(
      try archive.updateWritingSettings { settings in
        var new = walk
        new.text = "new <words>"
        try settings.keep(new)
      }.change)
    let prompts = try #require(
      try archive.updateWritingSettings { try $0.setPrompts(["Why <so>?"]) }.change)
    try await web.run { client in
      let cookie = try await client.signIn()
      let list = try await client.get("/settings/history", cookie: cookie)
      #expect(list.text.contains("Changed the template “Walk”"))
      let page = try await client.get(
        "/settings/history/\(edit.id.uuidString)", cookie: cookie)
      #expect(page.text.contains("<del>old</del>") && page.text.contains("<ins>new</ins>"))
      let versions = try await client.ask(.get, "/api/v1/history?entity=\(walk.id.uuidString)")
      let version = try #require(
        versions.json["versions"]?.array?.first?["id"]?.string, "\(versions.text)")
      let old = try await client.get("/history/\(version)", cookie: cookie)
      #expect(old.text.contains("old &lt;words&gt;") && old.text.contains("/settings/templates"))
      let back = try await client.post("/history/\(version)/restore", [:], cookie: cookie)
      #expect(back.status == 303)
      #expect(try archive.writingSettings().template(walk.id)?.text == "old <words>")
      let change = try await client.get(
        "/settings/history/\(prompts.id.uuidString)", cookie: cookie)
      #expect(change.text.contains("Why &lt;so&gt;?") && change.text.contains("Prompts"))
    }
  }

  @Test func promptsAreShownWhereTheOwnerWantsThem() async throws {
    let web = try WebTest()
    _ = try web.test.archive.updateDay(#require(DayKey("2025-03-14"))) {
      $0.note = "Started **pottery**"
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let saved = try await client.post(
        "/settings/prompts", ["prompts": "Why <so>?\r\n", "showsPrompts": "true"], cookie: cookie)
      #expect(saved.status == 303)
      let today = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(today.text.contains("id=\"prompt\"") && today.text.contains("Why &lt;so&gt;?"))
      let before = try await client.get("/day/2026-03-12", cookie: cookie)
      #expect(!before.text.contains("id=\"prompt\""))
      let past = try await client.ask(
        .put, "/api/v1/prompts", ["showsPrompts": false, "usesPast": true])
      #expect(past.json["prompt"]?.string == "A year ago: Started pottery")
      let off = try await client.ask(.put, "/api/v1/prompts", ["usesPast": false])
      #expect(off.json["prompt"] == JSON.null)
      #expect(try await client.ask(.put, "/api/v1/prompts", ["colour": "red"]).status >= 400)
    }
  }

  @Test func aNewNoteOffersItsOwnersTemplates() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let call = WritingTemplate(
      id: archive.identities.next(), name: "Call <b>", text: "With {{day}}", use: .note)
    try archive.updateWritingSettings { try $0.keep(call) }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/notes/new?day=2026-03-01", cookie: cookie)
      let href = "/notes/new?day=2026-03-01&template=\(call.id.uuidString)"
      let link = "href=\"\(href.replacing("&", with: "&amp;"))\"><bdi>Call &lt;b&gt;</bdi></a>"
      #expect(page.text.contains(link), "\(page.text)")
      // Those of days and entries are offered there.
      #expect(!page.text.contains("<bdi>Evening</bdi>"))
      let begun = try await client.get(href, cookie: cookie)
      #expect(begun.text.contains("\nWith [[2026-03-01]]</textarea>"))
      #expect(!begun.text.contains("id=\"start-with\""))
    }
  }

  /// Returns the version of the first form on a page that has one.
  private func version(on page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/name="version" value="([^"]+)"/#)).1)
  }

  @Test func aTemplateThatWasChangedElsewhereIsNotOverwritten() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let evening = try #require(try archive.writingSettings().templates.first)
    let path = "/settings/templates/\(evening.id.uuidString)"
    @Sendable func stored() throws -> [String] {
      try archive.writingSettings().templates.map(\.text)
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("data-draft=\"form\" data-day=\"\(path)\""))
      var form = ["name": "Evening", "use": "day", "kind": ""]
      form["version"] = try version(on: page.text)
      form["text"] = "theirs <b>"
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      form["text"] = "mine"
      let late = try await client.post(path, form, cookie: cookie)
      #expect(late.status == 409 && late.text.contains("This template was changed elsewhere"))
      #expect(late.text.contains("theirs &lt;b&gt;") && late.text.contains("\nmine</textarea>"))
      #expect(try stored() == ["theirs <b>"])
      form["version"] = try version(on: late.text)
      let saved = try await client.post(path, form, cookie: cookie)
      #expect(saved.status == 303)
      #expect(try stored() == ["mine"])
      let list = try await client.get(try #require(saved.headers[.location]), cookie: cookie)
      #expect(list.text.contains("data-clears-draft=\"form\""))
      // The text that was typed for a template that is gone is offered as a new one.
      #expect(try await client.post("\(path)/delete", [:], cookie: cookie).status == 303)
      form["text"] = "mine again"
      let gone = try await client.post(path, form, cookie: cookie)
      #expect(gone.status == 409 && gone.text.contains("Deleted “Evening”"))
      #expect(gone.text.contains("\nmine again</textarea>"))
      #expect(gone.text.contains("id=\"template\" method=\"post\" action=\"/settings/templates\""))
      #expect(try stored().isEmpty)
    }
  }

  @Test func promptsThatWereChangedElsewhereAreNotOverwritten() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/templates", cookie: cookie)
      #expect(page.text.contains("data-draft=\"form\" data-day=\"/settings/prompts\""))
      var form = ["prompts": "Theirs?", "version": try version(on: page.text)]
      let first = try await client.post("/settings/prompts", form, cookie: cookie)
      #expect(first.status == 303)
      form["prompts"] = "Mine?"
      form["showsPrompts"] = "true"
      let late = try await client.post("/settings/prompts", form, cookie: cookie)
      #expect(late.status == 409 && late.text.contains("The prompts were changed elsewhere"))
      #expect(late.text.contains("Theirs?</pre>") && late.text.contains("\nMine?</textarea>"))
      #expect(try web.test.archive.writingSettings().prompts == ["Theirs?"])
      form["version"] = try version(on: late.text)
      let saved = try await client.post("/settings/prompts", form, cookie: cookie)
      #expect(saved.status == 303)
      let writing = try web.test.archive.writingSettings()
      #expect(writing.prompts == ["Mine?"] && writing.showsPrompts)
    }
  }

  @Test func programsChangeOnlyTheVersionTheyRead() async throws {
    try await WebTest().run { client in
      let path = "/api/v1/templates/00000000-0000-4000-8000-0000000000AA"
      func put(_ text: String, _ headers: [String: String]) async throws -> WebClient.Answer {
        try await client.ask(.put, path, ["name": "Call", "text": .string(text)], headers)
      }
      #expect(try await put("a", ["If-Match": "\"0\""]).status == 200)
      let read = try await client.ask(.get, path)
      let first = try #require(read.headers[.eTag])
      #expect(read.json["template"]?["text"]?.string == "a")
      let same = try await client.ask(.get, path, nil, ["If-None-Match": first])
      #expect(same.status == 304)
      let changed = try await put("b", ["If-Match": first])
      let second = try #require(changed.headers[.eTag])
      #expect(changed.status == 200 && second != first)
      #expect(try await put("c", ["If-Match": first]).status == 412)
      #expect(try await put("c", ["If-None-Match": "*"]).status == 412)
      #expect(try await client.ask(.delete, path, nil, ["If-Match": first]).status == 412)
      #expect(
        try await client.ask(.get, path).json["template"]?["text"]?.string == "b")
      #expect(try await client.ask(.delete, path, nil, ["If-Match": second]).status == 200)
      #expect(try await put("c", ["If-Match": second]).status == 412)
      #expect(try await client.ask(.get, path).status == 404)

      // The prompt of another day is another answer about the same prompts.
      let prompts = try await client.ask(.get, "/api/v1/prompts?day=2026-03-01")
      let known = ["If-Match": try #require(prompts.headers[.eTag])]
      let shown = try await client.ask(.put, "/api/v1/prompts", ["showsPrompts": true], known)
      #expect(shown.status == 200)
      let late = try await client.ask(.put, "/api/v1/prompts", ["usesPast": true], known)
      #expect(late.status == 412)
      #expect(try await client.ask(.get, "/api/v1/prompts").json["usesPast"] == .bool(false))
    }
  }

  @Test func programsKeepTemplates() async throws {
    try await WebTest().run { client in
      let path = "/api/v1/templates/00000000-0000-4000-8000-0000000000AA"
      let body: JSON = ["name": "Call", "text": "With {{day}}", "use": "note"]
      #expect(try await client.ask(.put, path, body).json["template"]?["name"]?.string == "Call")
      let filled = try await client.ask(.get, "\(path)/text?day=2026-03-01")
      #expect(filled.json["text"]?.string == "With [[2026-03-01]]")
      let all = try await client.ask(.get, "/api/v1/templates")
      #expect(all.json["templates"]?.array?.count == 2)
      #expect(try await client.ask(.put, path, ["name": "", "text": "x"]).status >= 400)
      let deleted = try await client.ask(.delete, path)
      let change = try #require(deleted.json["changeId"]?.string)
      #expect(try await client.ask(.delete, path).status == 404)
      // A change of what is gone doesn't bring it back.
      let late = try await client.ask(.put, path, body, ["If-Match": "*"])
      #expect(late.status == 412, "\(late.text)")
      #expect(try await client.ask(.get, path).status == 404)
      #expect(try await client.ask(.post, "/api/v1/changes/\(change)/undo").status == 200)
      let restored = try await client.ask(.get, path)
      #expect(restored.json["template"]?["text"]?.string == "With {{day}}")
    }
  }
}
