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
}
