import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Forms that are sent twice")
struct FormOnceTests {
  private static let forms: [(path: String, fields: [String: String])] = [
    ("/values", ["title": "Health"]), ("/goals", ["title": "Run", "goalType": "Goal"]),
    ("/actions", ["text": "ran", "day": "2026-03-14"]),
    ("/meetings", ["title": "Pricing", "day": "2026-03-14", "start": "15:00", "end": "15:30"]),
    ("/notes", ["note": "Call the roofer."]), ("/people", ["name": "Priya Nair"]),
  ]

  /// Neither server sees the other's request; only the archive knows that it was answered.
  @Test func twoServersCreateNothingTwice() async throws {
    let web = try WebTest()
    let beside = try WebTest(beside: web)
    try await web.run { client in
      try await beside.run { other in
        let cookie = try await client.signIn()
        let second = try await other.signIn()
        for (path, fields) in Self.forms {
          for round in 0..<3 {
            var sent = fields
            sent["idempotencyKey"] = "\(path) \(round)"
            let form = sent
            async let one = client.post(path, form, cookie: cookie)
            async let two = other.post(path, form, cookie: second)
            let answers = try await [one, two]
            #expect(answers.allSatisfy { $0.status == 303 }, "\(path) \(answers.map(\.text))")
            // It names what was created, or the change.
            #expect(answers[0].headers[.location] == answers[1].headers[.location], "\(path)")
          }
        }
      }
    }
    let archive = web.test.archive
    #expect(try archive.values().count == 3)
    #expect(try archive.goals().count == 3)
    #expect(try web.test.day("2026-03-14").activities.count == 6)
  }
}
