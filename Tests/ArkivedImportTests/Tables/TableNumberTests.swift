import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Numbers in tables")
struct TableNumberTests {
  /// A generator whose numbers are the same in every run (SplitMix64).
  private struct SeededGenerator: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var mixed = seed
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// Writes a number with both kinds of separator.
  private func written(
    _ number: Double, decimal: Character, grouping: Character?, digits: Int
  ) -> String {
    let plain = String(format: "%.\(digits)f", abs(number))
    let parts = plain.split(separator: ".")
    var whole = ""
    for (index, digit) in parts[0].reversed().enumerated() {
      if let grouping, index > 0, index.isMultiple(of: 3) { whole.append(grouping) }
      whole.append(digit)
    }
    let fraction = parts.count > 1 ? "\(decimal)\(parts[1])" : ""
    return (number < 0 ? "-" : "") + String(whole.reversed()) + fraction
  }

  private func numbers(knowing values: [String]) -> TableNumbers {
    var numbers = TableNumbers()
    for value in values { numbers.take(value) }
    return numbers
  }

  /// A number is itself or none whatever the rest of the table looks like, unless one separator
  /// before three digits leaves open what it is.
  @Test func aNumberIsNeverAnotherNumber() {
    var generator = SeededGenerator(seed: 16)
    let tables = [
      numbers(knowing: []), numbers(knowing: ["1.5", "2.25"]), numbers(knowing: ["1,5", "2,25"]),
      numbers(knowing: ["1.5", "2,5", "3,5"]),
    ]
    let styles: [(Character, Character?)] = [
      (".", ","), (",", "."), (".", "'"), (",", "’"), (",", " "), (".", "\u{202F}"), (".", nil),
      (",", nil),
    ]
    for _ in 0..<2_000 {
      let digits = Int.random(in: 0...4, using: &generator)
      let size = pow(10, Double.random(in: 0...9, using: &generator))
      let scale = pow(10, Double(digits))
      let number = (Double.random(in: -size...size, using: &generator) * scale).rounded() / scale
      for (decimal, grouping) in styles {
        let text = written(number, decimal: decimal, grouping: grouping, digits: digits)
        let marks = text.filter { ".,".contains($0) }.count
        let tail = text.split { ".,".contains($0) }.last?.count ?? 0
        let isOpen = marks == 1 && tail == 3 && abs(number) < 1_000_000
        for table in tables where !isOpen {
          for fallback: Character in [".", ","] {
            let read = table.number(text, fallback: fallback)
            #expect(
              read.map { abs($0 - number) <= abs(number) * 1e-12 } ?? true,
              "\(text) became \(read ?? 0) instead of \(number)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("Date;Name;Wert\n2024-01-05;a;12,5\n2024-01-06;b;7,25\n2024-01-07;c;1,234.5\n", "wert"),
    ("Date,Name,Value\n2024-01-05,a,12.5\n2024-01-06,b,7.25\n2024-01-07,c,\"1.234,5\"\n", "value"),
    ("Date,Name,Value\n2024-01-05,a,\"1,5\"\n2024-01-07,c,\"1.234,5\"\n", "value"),
  ])
  func aNumberThatShowsItsDecimalMarkIsReadByIt(table: String, unit: String) throws {
    let sink = try TableReading.read(table)
    #expect(sink.activities.last?.measurements == [unit: 1_234.5])
  }

  @Test func theMajorityDecidesOnlyAboutOpenNumbers() throws {
    let table = """
      Date,Name,Value
      2024-01-05,a,"12,5"
      2024-01-06,b,"7,5"
      2024-01-07,c,3.5
      2024-01-08,d,"1,234"
      """
    let sink = try TableReading.read(table)
    #expect(sink.activities.compactMap { $0.measurements["value"] } == [12.5, 7.5, 3.5, 1.234])
    #expect(sink.diagnostics.contains { $0.message.contains("others a decimal comma") })
  }

  @Test(arguments: [
    ("1,2.5", nil), ("12.34,5", nil), ("6'2", nil), ("12 5", nil), ("1.2.3", nil),
    ("12,34,567.5", 1_234_567.5), ("1'234.5", 1_234.5), ("1 234,5", 1_234.5), ("-€ 4.50", -4.5),
    ("€1,234.50", 1_234.5), ("1.2e3", 1_200), (".5", 0.5), ("0,123", 0.123), ("80 %", 80),
    ("1,234,567", 1_234_567), ("1.234.567", 1_234_567), ("0x10", nil), ("1%2", nil),
  ])
  func digitsAreGroupedOrNoNumber(text: String, number: Double?) {
    for fallback: Character in [".", ","] {
      #expect(TableNumbers().number(text, fallback: fallback) == number)
    }
  }
}
