import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Texts of stays at places without a name") struct StayTextTests {
  @Test func theTextOfFormerVersionsIsStillKnown() {
    #expect(StayText.isUnknown("At an unknown place") && StayText.isUnknown(StayText.unknown))
    #expect(StayText.isUnknown("At a place that is not told"))
    #expect(!StayText.isUnknown("At 50.0965, 14.416") && !StayText.isUnknown(""))
  }
}
