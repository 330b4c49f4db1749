import ArkivedCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Work in the background")
struct BackgroundThreadTests {
  private struct Failure: Error {}

  @Test func itReturnsWhatTheWorkReturnsOrThrows() async throws {
    #expect(try await onBackgroundThread { 7 } == 7)
    await #expect(throws: Failure.self) { try await onBackgroundThread { throw Failure() } }
  }

  #if canImport(Glibc)
    @Test func itGivesWayToRequests() async throws {
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      let background = try await onBackgroundThread {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      }
      #expect(background > getpriority(process, 0))
    }
  #endif
}
