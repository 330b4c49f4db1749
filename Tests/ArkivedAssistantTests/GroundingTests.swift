import ArkivedAssistant
import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("What a model says is checked against what it was given")
struct GroundingTests {
  /// Two entries, and a tool's result.
  private func check(_ answer: String, given: Int = 2) -> Grounding {
    let zone = Zone(TestArchive.zoneName) ?? .utc
    var sources = GroundingSources(zone: zone)
    sources.add("How far did I run in March?")
    sources.add("16.47 km in 3 entries.")
    sources.add([
      "results": [
        [
          "id": "00000000-0000-4000-8000-000000000042", "dayKey": "2026-03-05",
          "startAt": "2026-03-05T06:00:00Z", "textPreview": "ran along the canal",
          "measurements": ["km": 5.5],
        ]
      ]
    ])
    return Grounding(
      answer, given: given, sources: sources, times: TimeReader(now: TestArchive.now, zone: zone))
  }

  @Test func whatStandsInTheFactsIsSupported() {
    let good = check("You ran 16.47 km in 3 runs [1], 5.5 km of them on 5 March 2026 at 07:00 [2].")
    #expect(good.isSupported && good.cited == [1, 2] && good.unsupported.isEmpty)
    #expect(check("About 16.5 km, or 16 km roughly [1, 2].").isSupported)
    #expect(check("Three runs [1].").isSupported)
    #expect(check("It was in March 2026 [1].").isSupported)
  }

  @Test func figuresThatStandNowhereAreTold() {
    #expect(check("You ran 42 km [1].").unsupported == ["42"])
    #expect(check("You ran twelve times [1].").unsupported == ["twelve"])
    #expect(check("It cost 1,234.50 euros [1].").unsupported == ["1,234.50"])
    // Digits of an identity or a day are no figures.
    #expect(check("That was 42 or 05 times [1].").unsupported.contains("42"))
  }

  @Test func datesThatStandNowhereAreTold() {
    #expect(check("On 7 May 2024 you ran [1].").unsupported.count == 1)
    #expect(check("You began at 09:30 [1].").unsupported.count == 1)
  }

  @Test func citationsMustBeAmongTheEntriesGiven() {
    #expect(check("You ran [7].").unsupported == ["[7]"])
    #expect(check("You ran [1].", given: 0).unsupported == ["[1]"])
    let none = check("You ran along the canal.")
    #expect(!none.isSupported && none.unsupported.isEmpty && none.cited.isEmpty)
  }
}
