import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Pages of lists while others write")
struct ListCursorAPITests: MeetingTesting {
  /// Reads a list page by page, with a change after each page.
  private func read(
    _ path: String, _ list: String, _ client: WebClient, by key: String = "id",
    between change: (Int) throws -> Void
  ) async throws -> [String] {
    var found: [String] = []
    var place = path
    for number in 0..<20 {
      let page = try await client.ask(.get, place)
      #expect(page.status == 200, "\(place): \(page.text)")
      found += page.json[list]?.array?.compactMap { $0[key]?.string } ?? []
      guard let next = page.json["next"]?.string else {
        #expect(page.json["next"] == .null)
        return found
      }
      try change(number)
      place = "\(path)&after=\(next)"
    }
    Issue.record("\(path) has no end")
    return found
  }

  @Test func actionsAreNeitherRepeatedNorSkipped() async throws {
    let web = try WebTest()
    let runs = try (0..<9).map { number in
      try web.test.add("run \(number)", on: "2026-03-0\(number + 1)", measurements: ["km": 5])
    }
    let later = try (0..<5).map { number in
      try web.test.activity("late \(number)", on: "2026-03-12", measurements: ["km": 1])
    }
    let ids = runs.reversed().map(\.id.uuidString)
    try await web.run { client in
      let path = "/api/v1/actions?limit=2"
      let found = try await read(path, "actions", client) { number in
        try web.test.archive.add(later[number])
      }
      #expect(found == ids)
      // The last item of a page may be deleted before the next one is read.
      _ = try web.test.archive.deleteActivities(later.prefix(4).map(\.id))
      let left = try await read(path, "actions", client) { number in
        _ = try web.test.archive.deleteActivities([runs[8 - (number * 2 + 1)].id])
      }
      #expect(left == ids)
    }
  }

  @Test func searchResultsAreNeitherRepeatedNorSkipped() async throws {
    let web = try WebTest()
    let walks = try (0..<9).map { number in
      try web.test.add("walked by the river", on: "2026-03-0\(number + 1)")
    }
    try await web.run { client in
      let found = try await read("/api/v1/search?query=river&limit=2", "results", client) { _ in
        try web.test.add("walked by the river", on: "2026-03-12")
      }
      #expect(Set(found).count == found.count)
      #expect(Set(walks.map(\.id.uuidString)).isSubset(of: Set(found)))
    }
  }

  @Test func tagsAndPromisesAreNeitherRepeatedNorSkipped() async throws {
    let web = try WebTest()
    let lines = (1...5).map { "- [ ] promise \($0) by 2026-04-0\($0)" }
    _ = try note(web.test, lines.joined(separator: "\n"))
    for name in ["e", "f", "g", "h", "i"] {
      try web.test.add("entry \(name)", on: "2026-03-01", tags: [name])
    }
    try await web.run { client in
      for path in ["/api/v1/tags?order=name&limit=2", "/api/v1/tags?limit=2&order=name"] {
        let found = try await read(path, "tags", client, by: "name") { number in
          // Its name comes before all others.
          try web.test.add("early", on: "2026-03-01", tags: [["d", "c", "b", "a"][number]])
        }
        #expect(Array(found.suffix(5)) == ["e", "f", "g", "h", "i"], "\(path)")
        #expect(Set(found).count == found.count)
      }
      let promises = try await read("/api/v1/promises?limit=2", "promises", client, by: "text") {
        _ = try note(web.test, "- [ ] sooner \($0) by 2026-03-20")
      }
      #expect(promises == (1...5).map { "promise \($0) by 2026-04-0\($0)" })
      for path in ["tags", "promises", "matches"] {
        #expect(try await client.ask(.get, "/api/v1/\(path)?after=x").json["field"] == "after")
      }
    }
  }

  @Test func meetingsNotesAndConversationsHaveACursor() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    for day in 1...5 {
      _ = try meeting(web.test, "Talk \(day)", on: "2026-03-0\(day)", with: ["Priya Nair"])
      _ = try note(web.test, "note \(day) for [[2026-03-20]]", title: "Note \(day)")
      _ = try archive.say("what is \(day)?", answered: "a number", details: [:]) { _, _, _ in
        KeptAnswer(status: 201)
      }
    }
    let priya = try person(web.test, named: "Priya Nair")
    try await web.run { client in
      for (path, list, count) in [
        ("/api/v1/meetings?limit=2", "meetings", 5),
        ("/api/v1/meetings?limit=2&query=talk", "meetings", 5),
        ("/api/v1/people/\(priya.uuidString)/meetings?limit=2", "meetings", 5),
        ("/api/v1/notes?limit=2", "notes", 5), ("/api/v1/people?limit=2", "people", 1),
        ("/api/v1/backlinks?day=2026-03-20&limit=2", "links", 5),
        ("/api/v1/threads?limit=2", "threads", 5),
        ("/api/v1/photos?limit=2", "photos", 0),
      ] {
        let found = try await read(path, list, client) { _ in }
        #expect(found.count == count && Set(found).count == count, "\(path)")
      }
      for path in ["actions", "search", "meetings", "notes", "threads", "photos"] {
        for wrong in ["after=x", "after=5&offset=5", "after=-1"] {
          let answer = try await client.ask(.get, "/api/v1/\(path)?\(wrong)")
          #expect(answer.status == 400, "\(path) \(wrong): \(answer.text)")
          #expect(answer.json["field"] == "after")
        }
      }
    }
  }
}
