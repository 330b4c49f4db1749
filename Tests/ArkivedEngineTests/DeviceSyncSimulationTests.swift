import Foundation
import Testing

@testable import ArkivedEngine

/// Tests of sync in random histories.
///
/// `ARKIVED_SYNC_HISTORIES` sets their number, `ARKIVED_SYNC_SEED` the seed of the first.
@Suite("Devices in step, in random histories")
struct DeviceSyncSimulationTests {
  private static let histories: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["ARKIVED_SYNC_SEED"].flatMap(UInt64.init) ?? 1
    let count = environment["ARKIVED_SYNC_HISTORIES"].flatMap(UInt64.init) ?? 25
    return first..<(first + count)
  }()

  @Test("All devices hold the same in the end, and nothing is lost")
  func allDevicesHoldTheSame() throws {
    for seed in Self.histories {
      do {
        try DeviceSyncSimulation(seed: seed).run()
      } catch {
        Issue.record("history \(seed): \(error)")
      }
    }
  }
}
