import Foundation
import Testing

@testable import ArkivedWeb

@Suite("When linked calendars are looked at")
struct DueLinksTests {
  @Test func aChangeOfWhatIsLinkedNoMoreKeepsNobodyBusy() async throws {
    let due = DueLinks()
    let (gone, kept) = (UUID(), UUID())
    await due.add(gone)
    await due.forget(besides: [kept])
    let waiting = Task {
      await due.waitForNews(atMost: .seconds(3_600))
      return ContinuousClock.now
    }
    try await Task.sleep(for: .milliseconds(100))
    let added = ContinuousClock.now
    await due.add(kept)
    #expect(await waiting.value >= added)
  }
}
