import ArkivedCore
import Foundation
import Testing

@Suite("Random identities")
struct RandomIdentityTests {
  @Test func theyAreOfVersionFourAndDiffer() {
    let identities = (0..<2_000).map { _ in RandomIdentities().next() }
    #expect(Set(identities).count == identities.count)
    #expect(identities.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 2 })
    // Every other bit is set in some of them and not in others.
    let first = identities.map { ($0.uuid.0, $0.uuid.15) }
    #expect(first.reduce(0) { $0 | $1.0 } == 0xFF && first.reduce(0xFF) { $0 & $1.0 } == 0)
    #expect(first.reduce(0) { $0 | $1.1 } == 0xFF && first.reduce(0xFF) { $0 & $1.1 } == 0)
  }
}
