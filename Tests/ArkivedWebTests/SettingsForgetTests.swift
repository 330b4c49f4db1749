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
        plan.status == 200 && plan.text.contains("1 old version would be permanently deleted."))
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
