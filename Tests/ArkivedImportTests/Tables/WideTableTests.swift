import ArkivedCore
import ArkivedImport
import Testing

@Suite("Tables with many columns")
struct WideTableTests {
  private func table(_ count: Int, _ name: (Int) -> String) -> String {
    let names = (0..<count).map(name).joined(separator: ",")
    let values = (0..<count).map { "\($0)" }.joined(separator: ",")
    return "Date,Title,\(names)\n2026-01-05,Much,\(values)\n"
  }

  @Test func manyColumnsAreAllRead() throws {
    for name in [{ "column \($0)a" }, { _ in "same" }] as [(Int) -> String] {
      let sink = try TableReading.read(table(1_500, name))
      #expect(sink.activities.first?.measurements.count == 1_500)
    }
  }

  @Test func aTableWithFarTooManyColumnsIsRefused() throws {
    let wide = table(16_000) { "c\($0)" }
    #expect(try TableReading.recognises(wide))
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(wide) }
    #expect(refusal?.message == "the table has 16002 columns, but Arkived reads up to 2000")
  }
}
