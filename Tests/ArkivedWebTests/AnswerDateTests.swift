import ArkivedCore
import NIOHTTP1
import Testing

@testable import ArkivedWeb

@Suite("The date of answers")
struct AnswerDateTests {
  @Test(arguments: [
    ("2026-03-14T12:00:00Z", "Sat, 14 Mar 2026 12:00:00 GMT"),
    ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("2024-02-29T23:59:59.999Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
    ("2025-12-31T00:00:01Z", "Wed, 31 Dec 2025 00:00:01 GMT"),
  ])
  func isWrittenAsHTTPWantsIt(_ moment: String, _ text: String) throws {
    let date = AnswerDate()
    let now = try #require(Instant(moment))
    #expect(date.text(at: now) == text)
    #expect(date.text(at: now.adding(seconds: 1)) != text)
    #expect(date.text(at: now) == text)
  }

  @Test func everyAnswerOfTheServerHasOne() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      for path in ["/pair", "/nowhere", "/assets/app.css"] {
        let date = try await client.send(.GET, path).headers["date"].first
        #expect(date?.hasSuffix(" GMT") == true && date?.count == 29, "\(path)")
      }
    }
  }
}
