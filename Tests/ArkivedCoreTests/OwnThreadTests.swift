import ArkivedCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Work on a thread of its own")
struct OwnThreadTests {
  private struct Failure: Error {}

  @Test func itReturnsWhatTheWorkReturnsOrThrows() async throws {
    #expect(try await onOwnThread { 7 } == 7)
    await #expect(throws: Failure.self) { try await onOwnThread { throw Failure() } }
  }

  #if canImport(Glibc)
    @Test func itGivesWayOnlyWhereItShould() async throws {
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      let own = getpriority(process, 0)
      let usual = try await onOwnThread {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      }
      let yielding = try await onOwnThread(givesWay: true) {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
      }
      #expect(usual == own)
      #expect(yielding > own)
    }
  #endif
}
