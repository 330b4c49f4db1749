import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Days that a phone stores")
struct KeptDayTests {
  @Test func theListSaysWhenSomethingWasDeletedPermanently() async throws {
    let web = try WebTest()
    let entries = [try web.test.add("one"), try web.test.add("two"), try web.test.add("three")]
    try await web.run { client in
      let cookie = try await client.signIn()
      func mark() async throws -> String? {
        try await client.get("/day/kept", cookie: cookie).json["purge"]?.string
      }
      #expect(try await mark() == nil)
      _ = try web.test.archive.deleteActivities([entries[2].id])
      #expect(try await mark() == nil)
      _ = try web.test.archive.purge(.entities([entries[0].id]))
      let first = try await mark()
      #expect(first != nil)
      _ = try web.test.archive.purge(.entities([entries[1].id]))
      let second = try await mark()
      #expect(second != nil && second != first)
    }
  }

  /// Its page also shows texts of other days, which may have been deleted.
  @Test func everyDayIsReadAgainAfterAPermanentDeletion() async throws {
    let web = try WebTest()
    let old = try web.test.add("climbed the tower", on: "2025-03-14")
    try web.test.add("tea")
    try await web.run { client in
      let cookie = try await client.signIn()
      func marks() async throws -> [String: String] {
        let list = try await client.get("/day/kept", cookie: cookie).json["days"]?.array ?? []
        return Dictionary(
          uniqueKeysWithValues: list.compactMap { one in
            one["day"]?.string.flatMap { day in one["mark"]?.string.map { (day, $0) } }
          })
      }
      let page = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(page.text.contains("climbed the tower"))
      let before = try await marks()
      #expect(before.count == 90)
      _ = try web.test.archive.purge(.entities([old.id]))
      let after = try await marks()
      #expect(before.allSatisfy { after[$0.key] != nil && after[$0.key] != $0.value })
      #expect(try await marks() == after)
      let left = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(!left.text.contains("climbed the tower"))
    }
  }
}
