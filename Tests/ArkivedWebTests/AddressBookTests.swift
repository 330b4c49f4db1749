import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Address books over HTTP and on their page", .timeLimit(.minutes(20)))
struct AddressBookTests {
  private let shelf = AddressBookShelf()
  private let server: CalendarServer
  private static let path = "/settings/address-books"

  init() throws {
    let shelf = shelf
    server = try CalendarServer { shelf.reply($0) }
    shelf.put("ann.vcf", "UID:a\nFN:Ann Lee\nBDAY:1985-03-14")
  }

  private var book: JSON { .string(server.origin + "/book/") }

  private func people(_ web: WebTest) throws -> [String] {
    let today = try #require(DayKey("2026-03-14"))
    return try web.test.archive.people(today: today).map(\.person.displayName)
  }

  @Test func anAddressBookIsFoundLinkedSyncedAndEndedOverTheAPI() async throws {
    shelf.set { $0.password = "hunter-two" }
    let web = try WebTest()
    try await web.run { client in
      let account: JSON = [
        "address": .string(server.origin), "user": "me", "password": "hunter-two",
      ]
      let found = try await client.ask(.post, "/api/v1/address-books/discover", account)
      #expect(found.status == 200 && found.json["total"] == 1, "\(found.text)")
      let choice = found.json["addressBooks"]?.array?.first
      #expect(choice?["address"] == book && choice?["name"] == "Contacts")
      let order = account.with(["address": book, "kind": "carddav", "name": "Contacts"])
      let made = try await client.ask(.post, "/api/v1/links", order)
      #expect(made.status == 201 && made.json["created"]?["kind"] == "cardDAV", "\(made.text)")
      #expect(try await client.ask(.post, "/api/v1/links", order).status == 409)
      let id = try #require(made.json["created"]?["id"]?.string)
      let synced = try await client.ask(.post, "/api/v1/links/\(id)/sync")
      #expect(synced.status == 200, "\(synced.text)")
      #expect(synced.json["syncs"]?.array?.first?["pulled"] == ["new": 1])
      #expect(try people(web) == ["Ann Lee"])
      let again = try await client.ask(.post, "/api/v1/links/\(id)/sync")
      #expect(again.json["syncs"]?.array?.first?["pulled"] == [:])
      let listed = try await client.ask(.get, "/api/v1/links")
      #expect(listed.json["total"] == 1)
      for text in [made.text, listed.text, synced.text] { #expect(!text.contains("hunter-two")) }
      // It is no file to keep in sync with goals.
      #expect(try await client.ask(.get, "/api/v1/syncs").json["links"] == [])
      #expect(try await client.ask(.delete, "/api/v1/links/\(id)").status == 200)
      #expect(try people(web) == ["Ann Lee"])
    }
  }

  @Test func whatGoesWrongIsSaid() async throws {
    shelf.set { $0.password = "hunter-two" }
    let web = try WebTest()
    try await web.run { client in
      let wrong: [(String, JSON, String)] = [
        ("address-books/discover", ["address": "/tmp"], "address"),
        ("address-books/discover", [:], "address"),
        ("links", ["address": "/tmp", "kind": "carddav"], "address"),
        ("links", ["address": book, "kind": "carddav", "back": 3], "back"),
        ("links", ["address": book, "kind": "webdav"], "kind"),
      ]
      for (path, body, field) in wrong {
        let answer = try await client.ask(.post, "/api/v1/\(path)", body)
        #expect(answer.status == 422, "\(body.text()): \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(body.text()): \(answer.text)")
      }
      let shut = try await client.ask(
        .post, "/api/v1/address-books/discover", ["address": .string(server.origin)])
      #expect(shut.status == 424 && shut.json["title"] == "Access denied", "\(shut.text)")
      let made = try await client.ask(
        .post, "/api/v1/links", ["address": book, "kind": "carddav"])
      let id = try #require(made.json["created"]?["id"]?.string)
      let sync = "/api/v1/links/\(id)/sync"
      #expect(try await client.ask(.post, sync).status == 424)
      let dated = try await client.ask(.post, sync, ["day": "2026-03-14"])
      #expect(dated.status == 422 && dated.json["field"] == "day")
      server.reply { _ in .answer(200, "<html><title>Welcome</title></html>") }
      let page = try await client.ask(.post, sync)
      #expect(page.status == 502 && page.json["title"] == "Couldn’t read the address book")
      #expect(page.json["detail"]?.string?.contains("\(server.port)") == true)
      server.reply { _ in .answer(404) }
      #expect(try await client.ask(.post, sync).status == 424)
      #expect(try people(web).isEmpty)
    }
  }

  @Test func anAddressBookIsFoundAndLinkedOnThePage() async throws {
    shelf.set { $0.password = "hunter-two" }
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get(Self.path, cookie: cookie)
      #expect(empty.status == 200 && empty.text.contains("No address books linked yet."))
      #expect(empty.text.contains("href=\"\(Self.path)\" aria-current=\"page\""))
      let account = ["server": server.origin, "user": "me", "password": "wrong <b>"]
      let refused = try await client.post("\(Self.path)/discover", account, cookie: cookie)
      #expect(refused.status == 424 && refused.text.contains("(401)"), "\(refused.text)")
      #expect(!refused.text.contains("wrong <b>") && !refused.text.contains("wrong &lt;b&gt;"))
      let odd = try await client.post(
        "\(Self.path)/discover", ["server": "<b>"], cookie: cookie)
      #expect(odd.status == 422 && !odd.text.contains("is <b>"))
      let found = try await client.post(
        "\(Self.path)/discover", account.merging(["password": "hunter-two"]) { $1 },
        cookie: cookie)
      #expect(found.status == 200 && found.text.contains("Which address books?"), "\(found.text)")
      #expect(!found.text.contains("hunter-two"))
      let ticket = try #require(
        found.text.firstMatch(of: /name="ticket" value="([^"]+)"/)?.output.1)
      let address = server.origin + "/book/"
      let chosen = try await client.post(
        "\(Self.path)/choose",
        ["ticket": String(ticket), "book": address, "address": address, "label": "Contacts"],
        cookie: cookie)
      #expect(chosen.headers[.location] == "\(Self.path)?linked=1", "\(chosen.text)")
      let late = try await client.post(
        "\(Self.path)/choose", ["ticket": String(ticket), "book": address], cookie: cookie)
      #expect(late.status == 422)
      let link = try #require(try web.test.archive.syncLinks().first)
      let own = "\(Self.path)/\(link.id.uuidString)"
      #expect(try await client.post("\(own)/sync", [:], cookie: cookie).status == 303)
      #expect(try people(web) == ["Ann Lee"])
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("Contacts") && page.contains("1 new"))
      #expect(page.contains("127.0.0.1:\(server.port)"))
      // It isn't among the calendars.
      let calendars = try await client.get("/calendars", cookie: cookie).text
      #expect(calendars.contains("No calendars linked yet."))
      let ended = try await client.post("\(own)/unlink", [:], cookie: cookie)
      #expect(ended.headers[.location] == "\(Self.path)?unlinked=1")
      #expect(try web.test.archive.syncLinks().isEmpty && people(web) == ["Ann Lee"])
    }
  }

  @Test func everyAddressBookThatIsChosenIsLinked() async throws {
    shelf.set { $0.password = "hunter-two" }
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let found = try await client.post(
        "\(Self.path)/discover",
        ["server": server.origin, "user": "me", "password": "hunter-two"], cookie: cookie)
      let ticket = try #require(
        found.text.firstMatch(of: /name="ticket" value="([^"]+)"/)?.output.1)
      let books = (1...101).map { "book=" + URLText.escaped("\(server.origin)/book/\($0)/") }
      let chosen = try await client.send(
        .post, "\(Self.path)/choose",
        [
          "Cookie": cookie, "Origin": client.origin,
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: (["ticket=" + URLText.escaped(String(ticket))] + books).joined(separator: "&"))
      #expect(chosen.headers[.location] == "\(Self.path)?linked=101", "\(chosen.text)")
    }
    #expect(try web.test.archive.syncLinks().count == 101)
  }

  @Test func thePageIsShutToAPairedDevice() {
    for path in [Self.path, "\(Self.path)/discover", "/api/v1/address-books/discover"] {
      #expect(!DeviceRoutes.admit(path, isReading: false))
    }
    #expect(!DeviceRoutes.admit(Self.path, isReading: true))
  }
}
