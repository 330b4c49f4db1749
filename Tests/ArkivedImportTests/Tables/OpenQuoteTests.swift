import ArkivedCore
import ArkivedImport
import Testing

@Suite("Quotes that are never closed")
struct OpenQuoteTests {
  @Test(arguments: [
    ("Date,Note\n2024-01-05,\"open\n2024-01-06,b\n2024-01-07,c\n", 2),
    ("Date,\"Note\n2024-01-05,a\n2024-01-06,b\n", 1),
    ("Colour,Size\nred,\"big\nblue,small\n", 2),
  ])
  func theLineWithTheQuoteIsNamed(table: String, line: Int) throws {
    #expect(try TableReading.recognises(table))
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(refusal?.place == "table.csv:\(line)")
    #expect(refusal?.message.hasPrefix("the quote that opens here is never closed") == true)
  }

  @Test func aGiantCellIsNamed() throws {
    let table = "Date,Note\n2024-01-05," + String(repeating: "x", count: 17 << 20) + "\n"
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(refusal?.place == "table.csv:2")
    #expect(refusal?.message == "the row is longer than 16 MiB")
  }

  @Test func aQuoteFurtherDownLeavesTheRowsAboveIt() throws {
    let sink = try TableReading.read("Date,Note\n2024-01-05,a\n2024-01-06,\"open\n2024-01-07,c\n")
    #expect(sink.texts == ["a"] && sink.skipped.map(\.place) == ["table.csv:3"])
    #expect(try !TableReading.recognises("Colour,Size\nred,big\n"))
  }
}
