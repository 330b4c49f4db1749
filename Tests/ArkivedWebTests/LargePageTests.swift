import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Large and foreign texts on pages")
struct LargePageTests {
  @Test func fiveThousandEntriesOfADayComeInPartsAndNoneIsLeftOut() async throws {
    let web = try WebTest()
    var edits = Archive.EntryEdits()
    edits.added = try (0..<5_000).map { try web.test.activity("entry \($0)") }
    _ = try web.test.archive.apply(edits, action: "add", "Added many")
    try await web.run { client in
      let cookie = try await client.signIn()
      var next: String? = "/day/2026-03-14?from=start"
      var found: Set<String> = []
      var pages = 0
      while let address = next, pages < 100 {
        let page = try await client.get(address, cookie: cookie)
        #expect(page.status == 200 && page.text.utf8.count < 1_000_000, "\(address)")
        for match in page.text.matches(of: #/id="activity-([0-9A-F-]+)"/#) {
          found.insert(String(match.1))
        }
        next = page.text.firstMatch(of: #/rel="next" href="(/day/2026-03-14\?from=[^"#]+)/#)
          .map { String($0.1).replacingOccurrences(of: "&amp;", with: "&") }
        pages += 1
      }
      #expect(found.count == 5_000 && next == nil)
      let week = try await client.get("/calendar?of=week&day=2026-03-14", cookie: cookie).text
      #expect(week.contains("4,992 more") && week.utf8.count < 200_000)
    }
  }

  @Test func aNoteOfAMegabyteIsReadInPartsAndEditedWhole() async throws {
    let web = try WebTest()
    let note = String(repeating: "A long day by the sea. <b>\n\n", count: 40_000)
    _ = try web.test.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = note }
    try await web.run { client in
      let cookie = try await client.signIn()
      let day = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(day.contains("Read all") && day.utf8.count < 200_000 && !day.contains("<b>\n"))
      let reading = try await client.get("/day/2026-03-14/note", cookie: cookie).text
      #expect(reading.contains("Part 1 of") && reading.utf8.count < 1_000_000)
      let editor = try await client.get("/day/2026-03-14/note/edit", cookie: cookie)
      #expect(editor.status == 200 && editor.text.utf8.count > note.utf8.count)
      let month = try await client.get("/calendar", cookie: cookie).text
      #expect(month.utf8.count < 200_000)
    }
  }

  @Test func onlyTheLongFieldOfAnEntryIsTallAndNoDraftOfItIsKept() async throws {
    let web = try WebTest()
    let notes = String(repeating: "A long day by the sea.\n\n", count: 10_000)
    let short = try web.test.add("swam", on: "2026-03-14")
    var edits = Archive.EntryEdits()
    var entry = try web.test.activity("sailed")
    entry.notes = notes
    edits.added = [entry]
    _ = try web.test.archive.apply(edits, action: "add", "Added one")
    let paths = [entry.id, short.id].map { "/activities/\($0.uuidString)/edit" }
    try await web.run { client in
      let cookie = try await client.signIn()
      func field(_ name: String, of page: String) throws -> Substring {
        try #require(page.split(separator: "<textarea id=\"\(name)\"").dropFirst().first)
          .prefix { $0 != ">" }
      }
      let long = try await client.get(paths[0], cookie: cookie).text
      #expect(try field("notes", of: long).contains("is-long"))
      #expect(try !field("text", of: long).contains("is-long"))
      #expect(!long.contains("data-draft") && long.contains("No draft is kept"))
      let other = try await client.get(paths[1], cookie: cookie).text
      #expect(other.contains("data-draft=\"form\"") && !other.contains("is-long"))
    }
  }

  @Test(arguments: [
    "سافرنا إلى البحر #سفر", "הלכנו לים", "去了海边 #旅行", "सागर किनारे टहला", "ทะเล",
    "👩‍👩‍👧‍👦 🇺🇦", "a\u{202E}gnp.exe", "Zalgo\u{0301}\u{0302}\u{0303}\u{0304}", "ﷺ",
  ])
  func everyScriptIsAddedAndShown(line: String) async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let added = try await client.post(
        "/day/2026-03-14/activities", ["line": line, "idempotencyKey": "k"], cookie: cookie)
      #expect(added.status == 303, "\(added.text)")
      let saved = try #require(try web.test.day("2026-03-14").activities.first)
      #expect(line.hasPrefix(saved.text))
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains("dir=\"") || page.contains("<bdi>"))
    }
  }

  @Test func aTagTooLongStaysInItsText() async throws {
    let web = try WebTest()
    let line = "walk #" + String(repeating: "t", count: 300)
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = ["line": line, "idempotencyKey": "k"]
      let added = try await client.post("/day/2026-03-14/activities", form, cookie: cookie)
      #expect(added.status == 303)
      let saved = try #require(try web.test.day("2026-03-14").activities.first)
      #expect(saved.text == line && saved.tags.isEmpty)
    }
  }
}
