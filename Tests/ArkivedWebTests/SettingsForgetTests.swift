import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Forgetting for ever from the settings")
struct SettingsForgetTests {
  @Test func aDeletedEntryIsForgottenWithATypedWordOnly() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let entry = try web.test.add("something <private>")
    let change = try #require(try archive.deleteActivities([entry.id]).change)
    try await web.run { client in
      let cookie = try await client.signIn()
      let address = "/settings/forget?id=\(entry.id.uuidString)"
      let history = try await client.get(
        "/settings/history/\(change.id.uuidString)", cookie: cookie)
      #expect(history.text.contains(address))
      let plan = try await client.get(address, cookie: cookie)
      #expect(
        plan.status == 200 && plan.text.contains("1 earlier version would be permanently deleted."))
      var fields = ["id": entry.id.uuidString, "tag": "", "from": "", "to": "", "word": "yes"]
      let wrong = try await client.post("/settings/forget", fields, cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("Nothing was deleted."))
      #expect(try archive.history(of: entry.id).count == 1)
      fields["word"] = " Delete "
      let right = try await client.post("/settings/forget", fields, cookie: cookie)
      #expect(right.status == 200 && right.text.contains("forever."))
      #expect(try archive.history(of: entry.id).isEmpty)
      let again = try await client.get(address, cookie: cookie)
      #expect(again.status == 404 && again.text.contains("Nothing found to delete permanently."))
    }
  }

  /// The mark of what the preview of a tag shows, as its form sends it.
  private func mark(_ tag: String, _ client: WebClient, cookie: String) async throws -> String {
    let page = try await client.get("/settings/forget?tag=\(tag)", cookie: cookie).text
    let start = try #require(page.range(of: "name=\"plan\" value=\"")?.upperBound)
    return String(page[start...].prefix { $0 != "\"" })
  }

  @Test func onlyWhatWasShownIsForgotten() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let tea = try web.test.add("tea", tags: ["drinks"])
    let soup = try web.test.add("soup")
    try await web.run { client in
      let cookie = try await client.signIn()
      var fields = ["id": "", "tag": "drinks", "from": "", "to": "", "word": "delete"]
      fields["plan"] = try await mark("drinks", client, cookie: cookie)
      // A program tags another entry while the owner reads the preview.
      _ = try archive.updateActivity(soup.id, by: .agent("helper")) { $0.tags = ["drinks"] }
      let refused = try await client.post("/settings/forget", fields, cookie: cookie)
      #expect(refused.status == 409 && refused.text.contains("3 items"))
      #expect(refused.text.contains("The selection has changed since it was shown."))
      for id in [tea.id, soup.id] { #expect(try archive.activity(id) != nil) }
      fields["plan"] = try await mark("drinks", client, cookie: cookie)
      #expect(try await client.post("/settings/forget", fields, cookie: cookie).status == 200)
      for id in [tea.id, soup.id] { #expect(try archive.activity(id) == nil) }
    }
  }

  @Test func whatIsNamedWronglyIsTold() async throws {
    let web = try WebTest()
    try web.test.add("tea", tags: ["drinks"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get("/settings/forget", cookie: cookie)
      #expect(empty.status == 200 && empty.text.contains("Everything with a tag"))
      let tag = try await client.get("/settings/forget?tag=%23drinks", cookie: cookie)
      #expect(tag.status == 200 && tag.text.contains("2 items would be permanently deleted."))
      for query in ["id=x", "tag=none", "from=2026-01-01", "from=2026-02-01&to=2026-01-01"] {
        let odd = try await client.get("/settings/forget?\(query)", cookie: cookie)
        #expect([404, 403, 409, 422].contains(odd.status), "\(query) \(odd.status)")
      }
      #expect(try await client.send(.get, "/settings/forget").status == 401)
    }
  }

  @Test func draftsOfADayAreListedAndForgotten() async throws {
    let web = try WebTest()
    let files = DraftFiles(web.test.archive.location)
    try DurableFile.makeFolder(files.folder)
    let name = "2026-03-14-2000-aaaa"
    let draft = Draft(name: name, purpose: .add, startedAt: web.test.clock.now, original: "")
    try Data(draft.json.text().utf8).write(to: files.record(name))
    try Data("buy bread".utf8).write(to: files.text(name))
    try await web.run { client in
      let cookie = try await client.signIn()
      let plan = try await client.get(
        "/settings/forget?from=2026-03-14&to=2026-03-14", cookie: cookie)
      #expect(plan.text.contains("1 draft would be permanently deleted."))
      #expect(plan.text.contains("The draft \(name) is removed too."))
      let fields = [
        "id": "", "tag": "", "from": "2026-03-14", "to": "2026-03-14", "word": "delete",
      ]
      let former = fields.merging(["word": "forget"]) { $1 }
      let refused = try await client.post("/settings/forget", former, cookie: cookie)
      #expect(refused.status == 422 && refused.text.contains("Type delete to confirm."))
      let done = try await client.post("/settings/forget", fields, cookie: cookie)
      #expect(done.status == 200 && files.names.isEmpty)
    }
  }

  @Test func howLongTheHistoryKeepsThingsIsSet() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/settings/forget/kept"
      let saved = try await client.post(
        path, ["versions": "365", "deleted": ""], cookie: cookie)
      #expect(saved.status == 200 && saved.text.contains("value=\"365\""))
      #expect(try web.test.archive.retention() == Retention(versionDays: 365))
      for text in ["soon", "1", "-3"] {
        let odd = try await client.post(path, ["versions": text], cookie: cookie)
        #expect(odd.status == 422, "\(text)")
        #expect(odd.text.contains("The number of days for earlier versions is"), "\(text)")
      }
      #expect(try web.test.archive.retention() == Retention(versionDays: 365))
    }
  }
}
