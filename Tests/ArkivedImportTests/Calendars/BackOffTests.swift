import ArkivedImport
import Testing

@Suite struct BackOffTests {
  private let backOff = BackOff(first: .seconds(60), longest: .seconds(3600), seed: 7)

  @Test func theWaitDoublesUpToTheLongest() {
    #expect(backOff.wait(afterFailures: 0) == .zero)
    for (failures, seconds) in [
      (1, 60.0), (2, 120), (3, 240), (6, 1920), (7, 3600), (1_000_000, 3600),
    ] {
      let wait = backOff.wait(afterFailures: failures) / .seconds(1)
      #expect((0.8 * seconds...1.2 * seconds).contains(wait), "\(failures): \(wait)")
    }
  }

  @Test func waitsScatterAndAreTheSameEachTime() {
    #expect(backOff.wait(afterFailures: 3) == backOff.wait(afterFailures: 3))
    let waits = Set((0..<50).map { BackOff(seed: $0).wait(afterFailures: 3) })
    #expect(waits.count == 50)
  }

  @Test func theServersWishIsRespectedWithinReason() {
    #expect(backOff.wait(afterFailures: 1, asked: .seconds(900)) == .seconds(900))
    #expect(backOff.wait(afterFailures: 9, asked: .seconds(1)) > .seconds(2000))
    #expect(backOff.wait(afterFailures: 1, asked: .seconds(1 << 40)) == .seconds(86_400))
    #expect(backOff.wait(afterFailures: 1, asked: .seconds(-5)) >= .seconds(48))
  }
}
