import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Notes that begin with a template")
struct TemplateStartTests: GoalPageTesting {
  @Test func aTemplateIsTakenBackInTheEditorAndAfterCancel() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      for isCancelled in [false, true] {
        let begun = try await client.post(
          "/day/2026-03-14/note/template", ["template": "Evening"], cookie: cookie)
        let place = try #require(begun.headers[.location])
        #expect(place.hasPrefix("/day/2026-03-14/note/edit?"))
        #expect(try web.test.day("2026-03-14").entry?.note.contains("Three good things") == true)
        var page = try await client.get(place, cookie: cookie)
        // What is typed next stays as a draft.
        #expect(page.text.contains("Note saved.") && !page.text.contains("data-clears-draft"))
        if isCancelled {
          let cancel = try #require(
            page.text.firstMatch(of: #/href="(\/day\/2026-03-14\?[^"]+)#note">Cancel/#)?.1)
          page = try await client.get(
            String(cancel).replacing("&amp;", with: "&"), cookie: cookie)
          #expect(page.text.contains("Note saved.") && !page.text.contains("data-clears-draft"))
        }
        let undone = try await client.post(try undoPath(page.text), [:], cookie: cookie)
        #expect(undone.status == 303)
        #expect(try web.test.day("2026-03-14").entry?.note.isEmpty ?? true)
      }
      // A note that was emptied can be read beside the next one, and restored without one.
      let day = try #require(DayKey("2026-03-14"))
      _ = try web.test.archive.updateDay(day) { $0.note = "emptied" }
      _ = try web.test.archive.updateDay(day) { $0.note = "" }
      func editor() async throws -> String {
        try await client.get("/day/2026-03-14/note/edit", cookie: cookie).text
      }
      let blank = try await editor()
      #expect(blank.contains("emptied") && blank.contains("/restore\""))
      _ = try web.test.archive.updateDay(day) { $0.note = "next" }
      let next = try await editor()
      #expect(next.contains("emptied") && !next.contains("/restore\""))
      _ = try web.test.archive.updateDay(day) { $0.note = "" }
      // An editor that is opened as usual has nothing to undo.
      let plain = try await client.get("/day/2026-03-14/note/edit", cookie: cookie)
      #expect(!plain.text.contains("Note saved."))
      #expect(plain.text.contains("href=\"/day/2026-03-14#note\">Cancel"))
    }
  }
}
