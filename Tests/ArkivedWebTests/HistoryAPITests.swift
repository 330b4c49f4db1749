import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The history in the API")
struct HistoryAPITests {
  @Test func versionsOfAnythingAndWhatAChangeDidAreTold() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let entry = try web.test.add("one", tags: ["garden"])
    let edit = try #require(try archive.updateActivity(entry.id) { $0.text = "two" }.change)
    let tag = try #require(try archive.tags().first?.tag)
    _ = try archive.deleteActivities([entry.id])
    _ = try archive.deleteTag(tag.id)
    try await web.run { client in
      let change = try await client.ask(.get, "/api/v1/changes/\(edit.id.uuidString)")
      #expect(change.status == 200 && change.json["change"]?["author"] == "owner")
      let did = try #require(change.json["entities"]?.array?.first)
      #expect(did["before"]?["text"] == "one" && did["after"]?["text"] == "two")
      for id in [entry.id, tag.id] {
        let path = "/api/v1/history?entity=\(id.uuidString)"
        let versions = try await client.ask(.get, path).json["versions"]?.array
        let first = try #require(versions?.first)
        #expect(first["reason"] == "delete" && first["archivedBy"] == "owner")
        let version = try #require(first["id"]?.string)
        let one = try await client.ask(.get, "/api/v1/history/\(version)")
        #expect(one.status == 200 && one.json == first)
        #expect(try await client.ask(.post, "/api/v1/history/\(version)/restore").status == 200)
      }
      let unknown = UUID().uuidString
      #expect(try await client.ask(.get, "/api/v1/changes/\(unknown)").status == 404)
      #expect(try await client.ask(.get, "/api/v1/history/\(unknown)").status == 404)
      #expect(try await client.ask(.get, "/api/v1/history").status == 400)
      #expect(try await client.ask(.get, "/api/v1/history?entity=x").status == 400)
    }
    #expect(try archive.activity(entry.id)?.text == "two")
  }

  /// With an offset, an entry written between two pages would move one change to both.
  @Test func changesAreReadPageByPageWhileOthersAreWritten() async throws {
    let web = try WebTest()
    for number in 0..<5 { try web.test.add("entry \(number)") }
    let all = try web.test.archive.changes().map(\.id.uuidString)
    try await web.run { client in
      var found: [String] = []
      var place = "/api/v1/changes?limit=2"
      while true {
        let page = try await client.ask(.get, place)
        let ids = page.json["changes"]?.array?.compactMap { $0["id"]?.string } ?? []
        found += ids
        try web.test.add("written in between")
        guard page.json["hasMore"] == true, let last = ids.last else { break }
        place = "/api/v1/changes?limit=2&before=\(last)"
      }
      #expect(found == all)
      let first = try await client.ask(.get, "/api/v1/changes?limit=2")
      let next = try #require(first.json["next"]?.string)
      #expect(
        try await client.ask(.get, "/api/v1/changes?limit=2&after=\(next)").json
          == client.ask(.get, "/api/v1/changes?limit=2&before=\(next)").json)
      let whole = try await client.ask(.get, "/api/v1/changes")
      #expect(whole.json["hasMore"] == false && whole.json["next"] == .null)
      #expect(
        try await client.ask(.get, "/api/v1/changes?before=\(next)&after=\(next)").status == 400)
      #expect(
        try await client.ask(.get, "/api/v1/changes?before=\(UUID().uuidString)").status == 404)
      for wrong in ["limit=0", "limit=501", "before=x", "offset=2"] {
        #expect(try await client.ask(.get, "/api/v1/changes?\(wrong)").status == 400, "\(wrong)")
      }
    }
  }

  @Test func anOldVersionIsComparedWithThePresentOneAndWithAnother() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let goal = try archive.create(
      Goal(
        id: archive.identities.next(), title: "Run", createdAt: web.test.clock.now,
        updatedAt: web.test.clock.now)
    ).value
    for title in ["Run far", "Run farther"] {
      _ = try archive.update(Goal.self, goal.id) { $0.title = title }
    }
    let other = try web.test.add("tea")
    _ = try archive.updateActivity(other.id) { $0.text = "coffee" }
    let versions = try archive.history(of: goal.id)
    let (second, first) = (try #require(versions.first), try #require(versions.last))
    let stranger = try #require(try archive.history(of: other.id).first)
    try await web.run { client in
      let path = "/api/v1/history/\(first.id.uuidString)/comparison"
      let since = try await client.ask(.get, path)
      #expect(since.status == 200 && since.json["to"] == .null)
      #expect(
        since.json["changes"]
          == [["field": "title", "before": "Run", "after": "Run farther"]])
      let between = try await client.ask(.get, "\(path)?with=\(second.id.uuidString)")
      #expect(between.json["changes"]?.array?.first?["after"] == "Run far")
      #expect(
        try await client.ask(.get, "\(path)?with=\(stranger.id.uuidString)").status == 422)
      #expect(try await client.ask(.get, "\(path)?with=x").status == 400)
      #expect(try await client.ask(.get, "\(path)?whith=x").status == 400)
      _ = try archive.delete(Goal.self, goal.id)
      #expect(try await client.ask(.get, path).status == 404)
    }
  }
}
