import ArkivedCore
import Foundation
import Testing

@Suite("Measurements in one field")
struct MeasureTextTests {
  private static let old = ["km": 5.12345, "g": 0.0001, "steps": 1e16, "kilometres": 7]

  @Test(arguments: [Language.english, .german])
  func whatIsNotChangedKeepsItsExactAmount(language: Language) throws {
    let text = MeasureText.write(Self.old, in: language)
    let more = try MeasureText.read(text + "; 300 kcal", in: language, keeping: Self.old)
    #expect(more == Self.old.merging(["kcal": 300]) { $1 })
    let parts = text.components(separatedBy: ", ")
    let less = try MeasureText.read(
      parts.filter { !$0.hasSuffix(" g") }.joined(separator: "\n"), in: language, keeping: Self.old)
    #expect(less == Self.old.filter { $0.key != "g" })
  }

  @Test(arguments: [
    (4.9996, "5"), (4.9994, "4.999"), (0.0004, "0"), (-0.0004, "0"), (-2.9999, "-3"),
    (59.9999, "60"), (5.25, "5.25"), (0.001, "0.001"), (12, "12"),
    (999_999_999_999_999, "999999999999999"),
  ])
  func anAmountThatRoundsToAWholeOneHasNoDecimals(amount: Double, text: String) {
    #expect(AmountText.plain(amount) == text)
  }

  @Test func anotherAmountIsTheTypedOne() throws {
    let amounts = try MeasureText.read("5.12 km, 5.123 miles", keeping: ["km": 5.12345])
    #expect(amounts == ["km": 5.12, "miles": 5.123])
    // The same amount once more is typed, not shown.
    let twice = try MeasureText.read("5.123 km, 1 km", keeping: ["km": 5.12345])
    #expect(abs((twice["km"] ?? 0) - 6.12345) < 1e-9)
  }
}
