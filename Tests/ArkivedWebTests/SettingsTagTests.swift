import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Tags in the settings and over HTTP")
struct SettingsTagTests {
  private func tag(_ web: WebTest, _ name: String) throws -> TagSummary {
    try web.test.archive.tag(named: name)
  }

  private func path(_ web: WebTest, _ name: String) throws -> String {
    "/settings/tags/\(try tag(web, name).id.uuidString)"
  }

  // MARK: Pages

  @Test func theListTellsUsesAndProposesWhatLooksAlike() async throws {
    let web = try WebTest()
    for number in 0..<3 { try web.test.add("run \(number)", tags: ["running"]) }
    try web.test.add("slip", on: "2026-03-01", tags: ["runing"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/tags", cookie: cookie)
      #expect(page.status == 200)
      #expect(page.text.contains("2 tags") && page.text.contains("3 entries"))
      #expect(page.text.contains("Possible duplicates"))
      #expect(page.text.contains("aria-label=\"Merge runing into running\""))
      #expect(page.text.contains("href=\"/settings\"") && page.text.contains("href=\"/sync\""))
      let merged = try await client.post(
        "\(try path(web, "runing"))/merge",
        ["into": try tag(web, "running").id.uuidString, "back": "/settings/tags"], cookie: cookie)
      #expect(merged.status == 303)
      let next = try #require(merged.headers[.location])
      #expect(next.hasPrefix("/settings/tags?change="))
      let told = try await client.get(next, cookie: cookie)
      #expect(told.text.contains("Merged #runing into #running in 1 entry."))
      #expect(told.text.contains(">Undo</button>") && !told.text.contains("Possible duplicates"))
      let filtered = try await client.get("/settings/tags?query=zzz", cookie: cookie)
      #expect(filtered.text.contains("No tags found."))
    }
  }

  @Test func aProposalThatIsWrongIsDismissedAndCanComeBack() async throws {
    let web = try WebTest()
    try web.test.add("a", tags: ["running"])
    try web.test.add("b", tags: ["runing"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/tags", cookie: cookie).text
      let found = try #require(
        page.firstMatch(
          of: #/action="([^"]+)\/apart"><input type="hidden" name="from" value="([^"]+)"/#))
      let (path, other) = (String(found.1), String(found.2))
      let done = try await client.post("\(path)/apart", ["from": other], cookie: cookie)
      #expect(done.status == 303 && done.headers[.location] == "/settings/tags#same")
      let after = try await client.get("/settings/tags", cookie: cookie).text
      #expect(!after.contains("Possible duplicates"))
      #expect(after.contains("1 pair marked as different."))
      let odd = try await client.post("\(path)/apart", ["from": "<b>"], cookie: cookie)
      #expect(odd.status == 422 && odd.text.contains("&lt;b&gt;"))
      let gone = try await client.post(
        "\(path)/apart", ["from": UUID().uuidString], cookie: cookie)
      #expect(gone.status == 404)
      #expect(try await client.post("/settings/tag-proposals", [:], cookie: cookie).status == 303)
      let again = try await client.get("/settings/tags", cookie: cookie).text
      #expect(again.contains("Possible duplicates") && !again.contains("Suggest again"))
    }
  }

  @Test func aTagIsRenamedColouredAndShownOnItsDay() async throws {
    let web = try WebTest()
    try web.test.add("lunch", tags: ["fod"])
    let place = try path(web, "fod")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(place, cookie: cookie)
      let version = try #require(page.text.firstMatch(of: #/name="version" value="([^"]+)"/#)?.1)
      let form = [
        "name": "food", "colour": "teal",
        "version": String(version).replacingOccurrences(of: "&quot;", with: "\""),
      ]
      let saved = try await client.post(place, form, cookie: cookie)
      #expect(saved.status == 303, "\(saved.text)")
      let shown = try await client.get(try #require(saved.headers[.location]), cookie: cookie)
      #expect(shown.text.contains("Renamed #fod to #food in 1 entry."))
      #expect(shown.text.contains("value=\"teal\" checked"))
      let day = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(day.text.contains("class=\"hash tag-teal\" aria-hidden=\"true\">#</span><bdi>food"))
      let late = try await client.post(
        place, form.merging(["name": "meals"]) { $1 }, cookie: cookie)
      #expect(late.status == 412 && late.text.contains("changed elsewhere"))
      #expect(late.text.contains("value=\"meals\""))
    }
    #expect(try web.test.archive.tagSummaries().map(\.tag.name) == ["food"])
  }

  @Test func whatDoesNotFitComesBackInItsForm() async throws {
    let web = try WebTest()
    try web.test.add("a", tags: ["one"])
    try web.test.add("b", tags: ["two"])
    let place = try path(web, "one")
    try await web.run { client in
      let cookie = try await client.signIn()
      for (form, sentence) in [
        (
          ["name": "TWO"],
          "Name is #two, which already exists (1 entry). If both mean the same, merge them."
        ),
        (["name": " "], "Name is empty. Enter a name."),
        (["name": "one", "colour": "mauve"], "Colour is “mauve”, but must be one of red"),
        (["name": String(repeating: "é", count: 300)], "Name has more than 200 bytes."),
      ] {
        let answer = try await client.post(place, form, cookie: cookie)
        #expect(answer.status == 422 && answer.text.contains(sentence), "\(form)")
      }
      for (into, sentence) in [
        ("", "The other tag is missing"), ("nope", "which isn’t a tag"),
        ("#one", "The other tag is the same tag."),
      ] {
        let answer = try await client.post("\(place)/merge", ["into": into], cookie: cookie)
        #expect(answer.status == 422 && answer.text.contains(sentence), "\(into)")
      }
      let stranger = try await client.send(
        .post, "\(place)/delete",
        ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"], body: "")
      #expect(stranger.status == 403)
      let gone = try await client.get("/settings/tags/\(UUID().uuidString)", cookie: cookie)
      #expect(gone.status == 404)
    }
  }

  @Test func aDeletedTagLeadsToTheListWithItsUndo() async throws {
    let web = try WebTest()
    let entry = try web.test.add("a", tags: ["one"])
    let place = try path(web, "one")
    try await web.run { client in
      let cookie = try await client.signIn()
      let deleted = try await client.post("\(place)/delete", [:], cookie: cookie)
      let next = try #require(deleted.headers[.location])
      let told = try await client.get(next, cookie: cookie)
      #expect(told.text.contains("Deleted #one from 1 entry."))
      #expect(told.text.contains("No tags yet"))
      let undo = try #require(told.text.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output)
      let back = try await client.post(
        String(undo), ["back": "/settings/tags"], cookie: cookie)
      #expect(back.headers[.location]?.hasPrefix("/settings/tags?change=") == true)
    }
    #expect(try web.test.archive.activity(entry.id)?.tags == ["one"])
  }

  @Test func namesThatAreCodeOrTurnTheTextStayText() async throws {
    let web = try WebTest()
    let names = ["<img src=x onerror=alert(1)>", "\"'&", "\u{202E}evil", "שלום", "a b/c?d#e"]
    try web.test.add("odd", tags: names)
    try await web.run { client in
      let cookie = try await client.signIn()
      let pages = try ["/settings/tags"] + names.map { try path(web, $0) }
      for page in pages {
        let answer = try await client.get(page, cookie: cookie)
        #expect(answer.status == 200, "\(page)")
        #expect(!answer.text.contains("<img") && !answer.text.contains("\"'&\""))
      }
      let list = try await client.get("/settings/tags", cookie: cookie)
      #expect(list.text.contains("⟨RLO⟩evil"))
      let odd = try await client.get(try path(web, "a b/c?d#e"), cookie: cookie)
      #expect(odd.text.contains("/search?tag=a%20b%2Fc%3Fd%23e"))
    }
  }

  // MARK: The API

  @Test func theAPIKeepsTagsApartAndProposesThemAgain() async throws {
    let web = try WebTest()
    for number in 0..<3 { try web.test.add("run \(number)", tags: ["running"]) }
    try web.test.add("slip", tags: ["runing"])
    let (one, other) = (try tag(web, "running").id.uuidString, try tag(web, "runing").id.uuidString)
    try await web.run { client in
      let path = "/api/v1/tags/duplicates"
      #expect(try await client.ask(.get, path).json["total"] == 1)
      let apart = try await client.ask(.post, "/api/v1/tags/\(one)/apart", ["from": .string(other)])
      #expect(apart.status == 200 && apart.json["keptApart"] == 1, "\(apart.text)")
      #expect(try await client.ask(.get, path).json["total"] == 0)
      #expect(try await client.ask(.delete, "/api/v1/tags/apart").json["keptApart"] == 0)
      #expect(try await client.ask(.get, path).json["total"] == 1)
      for wrong in [[:], ["from": "x"], ["from": .string(other), "x": 1]] as [JSON] {
        let answer = try await client.ask(.post, "/api/v1/tags/\(one)/apart", wrong)
        #expect(answer.status == 422, "\(wrong.text()) \(answer.text)")
      }
    }
  }

  @Test func theAPIListsChangesAndMerges() async throws {
    let web = try WebTest()
    try web.test.add("a", tags: ["fod", "lunch"])
    try web.test.add("b", tags: ["food"])
    let (fod, food) = (try tag(web, "fod").id.uuidString, try tag(web, "food").id.uuidString)
    try await web.run { client in
      let list = try await client.ask(.get, "/api/v1/tags?prefix=FO&order=name")
      #expect(list.json["tags"]?.array?.map { $0["name"] } == ["fod", "food"])
      #expect(list.json["total"] == 2 && list.json["tags"]?.array?.first?["count"] == 1)
      #expect(list.json["tags"]?.array?.first?["lastUsed"] == "2026-03-14")
      #expect(try await client.ask(.get, "/api/v1/tags?order=x").status == 400)
      #expect(try await client.ask(.get, "/api/v1/tags?limit=0").status == 400)
      let alike = try await client.ask(.get, "/api/v1/tags/duplicates")
      #expect(alike.json["total"] == 0)
      let one = try await client.ask(.get, "/api/v1/tags/\(fod)")
      let tag = try #require(one.headers[.eTag])
      let coloured = try await client.ask(
        .patch, "/api/v1/tags/\(fod)", ["colour": "red"], ["If-Match": tag])
      #expect(coloured.json["updated"]?["colour"] == "red")
      let stale = try await client.ask(
        .patch, "/api/v1/tags/\(fod)", ["name": "x"], ["If-Match": tag])
      #expect(stale.status == 412)
      for body: JSON in [
        ["colour": "mauve"], ["name": "food"], ["colour": "red", "colorHex": "#112233"],
        ["colorHex": "red"], ["id": "x"], ["nome": "x"], ["name": ""],
      ] {
        let answer = try await client.ask(.patch, "/api/v1/tags/\(fod)", body)
        #expect(answer.status == 422 && answer.json["field"]?.string != nil, "\(body)")
      }
      let merge: JSON = ["into": "#food"]
      let first = try await client.ask(
        .post, "/api/v1/tags/\(fod)/merge", merge, ["Idempotency-Key": "m"])
      #expect(first.json["merged"]?["count"] == 2 && first.json["entries"] == 1)
      let again = try await client.ask(
        .post, "/api/v1/tags/\(fod)/merge", merge, ["Idempotency-Key": "m"])
      #expect(again.text == first.text)
      #expect(try await client.ask(.post, "/api/v1/tags/\(fod)/merge", merge).status == 404)
      let deleted = try await client.ask(.delete, "/api/v1/tags/\(food)")
      #expect(deleted.json["deleted"]?.array?.first?["name"] == "food")
      let change = try #require(deleted.json["changeId"]?.string)
      #expect(try await client.ask(.post, "/api/v1/changes/\(change)/undo").status == 200)
    }
    #expect(try web.test.archive.tagSummaries().map(\.count) == [2, 1])
  }
}
