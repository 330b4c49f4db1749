import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Linked services on their page and over HTTP")
struct LinkedServiceTests {
  private let web: WebTest
  private let immich: ImmichScript
  private let dawarich: DawarichScript

  init() throws {
    web = try WebTest()
    var photo = ImmichScript.Photo(1, "2026-03-10T14:05:00Z")
    photo.description = "The old <harbour>"
    immich = try ImmichScript([photo])
    dawarich = try DawarichScript(
      DawarichScript.stay("2026-03-10T18:00:00Z", minutes: 30, lat: 52.5, lon: 13.4))
  }

  @Test func aServiceIsLinkedSyncedAndUnlinkedOnItsPage() async throws {
    let (web, immich) = (web, immich)
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get("/settings/linked", cookie: cookie)
      #expect(empty.status == 200 && empty.text.contains("No services linked yet"))
      var form = [
        "service": "immich", "address": immich.address, "name": "Photos & <b>",
        "token": "wrong-key", "files": "previews", "places": "names",
      ]
      let refused = try await client.post("/settings/linked", form, cookie: cookie)
      #expect(refused.status == 424 && refused.text.contains("rejected the API key (401)"))
      #expect(!refused.text.contains("wrong-key") && refused.text.contains(immich.address))
      #expect(try web.test.archive.syncLinks().isEmpty)
      form["token"] = ImmichScript.key
      let linked = try await client.post("/settings/linked", form, cookie: cookie)
      #expect(linked.headers[.location] == "/settings/linked?linked=1", "\(linked.text)")
      let twice = try await client.post("/settings/linked", form, cookie: cookie)
      #expect(twice.status == 409 && twice.text.contains("is already linked"))
      let link = try #require(try web.test.archive.syncLinks().first)
      let path = "/settings/linked/\(link.id.uuidString)"
      let synced = try await client.post("\(path)/sync", [:], cookie: cookie)
      #expect(synced.status == 303)
      let page = try await client.get("/settings/linked", cookie: cookie)
      #expect(page.text.contains("Photos &amp; &lt;b&gt;") && page.text.contains("1 new"))
      #expect(!page.text.contains(ImmichScript.key))
      let day = try await client.get("/day/2026-03-10", cookie: cookie)
      #expect(day.text.contains("A photo") && !day.text.contains("<harbour>"))
      // A calendar's page and the linked files don't list it.
      #expect(try await !client.get("/calendars", cookie: cookie).text.contains("Photos &amp;"))
      #expect(try await !client.get("/sync", cookie: cookie).text.contains(immich.address))
      let ended = try await client.post("\(path)/unlink", [:], cookie: cookie)
      #expect(ended.headers[.location] == "/settings/linked?unlinked=1")
      #expect(try web.test.archive.syncLinks().isEmpty)
      #expect(try web.test.day("2026-03-10").activities.count == 1)
    }
  }

  @Test func aFailedSyncIsShownWithItsAddress() async throws {
    let (web, immich) = (web, immich)
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await client.post(
        "/settings/linked",
        ["service": "immich", "address": immich.address, "token": ImmichScript.key],
        cookie: cookie)
      let link = try #require(try web.test.archive.syncLinks().first)
      immich.server.reply { _ in .answer(200, "<html>") }
      _ = try await client.post(
        "/settings/linked/\(link.id.uuidString)/sync", [:], cookie: cookie)
      let page = try await client.get("/settings/linked", cookie: cookie)
      #expect(page.text.contains("\(immich.address)/: not Immich, but a web page"))
    }
  }

  @Test func whatIsMissingOrWrongIsSaidAtItsField() async throws {
    let immich = immich
    try await web.run { client in
      let cookie = try await client.signIn()
      for (change, expected) in [
        (["address": ""], "The address is missing"), (["token": ""], "The API key is empty"),
        (["address": "photos.example.org"], "must start with https:// or http://"),
        (["service": "flickr"], "is missing. Choose a service"),
        (["files": "all"], "must be previews or originals"),
        (["address": "http://192.0.2.1:2283"], "anyone along the way can read the key"),
      ] {
        let form = ["service": "immich", "address": immich.address, "token": "a"]
          .merging(change) { $1 }
        let answer = try await client.post("/settings/linked", form, cookie: cookie)
        #expect(answer.status == 422 && answer.text.contains(expected), "\(answer.text)")
      }
    }
    #expect(immich.server.requests.isEmpty)
  }

  @Test func aServiceIsLinkedSyncedAndEndedOverHTTP() async throws {
    let (web, dawarich) = (web, dawarich)
    try await web.run { client in
      let body: JSON = [
        "kind": "dawarich", "address": .string(dawarich.address), "token": "wrong-key",
      ]
      let refused = try await client.ask(.post, "/api/v1/links", body)
      #expect(refused.status == 424 && !refused.text.contains("wrong-key"), "\(refused.text)")
      let right = body.with(["token": .string(DawarichScript.key), "name": "Places"])
      let made = try await client.ask(.post, "/api/v1/links", right)
      #expect(made.status == 201 && !made.text.contains(DawarichScript.key), "\(made.text)")
      #expect(try await client.ask(.post, "/api/v1/links", right).status == 409)
      let id = try #require(made.json["created"]?["id"]?.string)
      let synced = try await client.ask(.post, "/api/v1/links/\(id)/sync")
      #expect(synced.json["syncs"]?.array?.first?["pulled"] == ["new": 1], "\(synced.text)")
      let again = try await client.ask(.post, "/api/v1/links/\(id)/sync", ["all": true])
      #expect(again.json["syncs"]?.array?.first?["pulled"] == [:], "\(again.text)")
      let listed = try await client.ask(.get, "/api/v1/links")
      #expect(listed.json["links"]?.array?.map { $0["kind"] } == ["dawarich"])
      #expect(try await client.ask(.get, "/api/v1/syncs").json["links"] == [])
      dawarich.server.reply { _ in .answer(500) }
      #expect(try await client.ask(.post, "/api/v1/links/\(id)/sync").status == 502)
      #expect(try await client.ask(.delete, "/api/v1/links/\(id)").status == 200)
      for (field, value) in [
        ("address", "nowhere"), ("token", ""), ("places", "some"), ("files", "all"),
        ("back", 5), ("plainHTTP", "yes"),
      ] as [(String, JSON)] {
        let wrong = right.with(["kind": "immich"]).with([field: value])
        let answer = try await client.ask(.post, "/api/v1/links", wrong)
        #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(answer.text)")
      }
    }
  }
}
