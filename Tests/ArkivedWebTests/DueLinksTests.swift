import Foundation
import Synchronization
import Testing

@testable import ArkivedWeb

@Suite("When linked calendars are looked at")
struct DueLinksTests {
  @Test func aChangeOfWhatIsLinkedNoMoreKeepsNobodyBusy() async throws {
    let due = DueLinks()
    let (gone, kept) = (UUID(), UUID())
    await due.add(gone)
    await due.forget(besides: [kept])
    let isBack = Mutex(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await due.waitForNews(atMost: .seconds(3_600))
        isBack.withLock { $0 = true }
      }
      try await Task.sleep(for: .milliseconds(100))
      #expect(!isBack.withLock { $0 })
      await due.add(kept)
      try await group.waitForAll()
    }
    #expect(isBack.withLock { $0 })
  }
}
