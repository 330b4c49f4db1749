import ArkivedCore
import Testing

@Suite("Rows for spreadsheets")
struct SpreadsheetTextTests {
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("  =1", "'  =1"),
    ("\u{A0}=1", "'\u{A0}=1"), ("＝1", "'＝1"), ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""),
    ("=a,\"b\"", "\"'=a,\"\"b\"\"\""), ("a=1", "a=1"), ("plain", "plain"), ("", ""),
  ])
  func noTextIsAFormula(text: String, field: String) {
    #expect(SpreadsheetText().line([.text(text)]) == field)
  }

  @Test func numbersKeepTheirSignAndExactTextItsBeginning() {
    let cells: [SpreadsheetText.Cell] = [.amount(-5), .amount(0.5), .count(nil), .plain("-x")]
    #expect(SpreadsheetText().row(cells) == "-5,0.5,,-x\r\n")
    #expect(SpreadsheetText(isExact: true).line([.text("=1+1"), .text(nil)]) == "=1+1,")
  }

  @Test(arguments: [
    "=1+1", "  -1", "＠x", "a=1", "'quoted'", "'", "'tis", "", "- [ ] pack", "'=1", "''- x", "'' x",
  ])
  func theApostropheGoesWhereItCame(text: String) {
    let rows = SpreadsheetText().line([.text(text)])
    #expect(SpreadsheetText.restored(rows) == text)
  }
}
