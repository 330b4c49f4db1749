import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Testing

@Suite("Bank statements in CAMT")
struct CAMTImportTests {
  private static func entry(
    _ amount: String, _ side: String = "DBIT", id: String = "r1", status: String = "BOOK",
    more: String = ""
  ) -> String {
    """
    <Ntry><Amt Ccy="EUR">\(amount)</Amt><CdtDbtInd>\(side)</CdtDbtInd><Sts>\(status)</Sts>
    <BookgDt><Dt>2026-02-10</Dt></BookgDt><AcctSvcrRef>\(id)</AcctSvcrRef>\(more)</Ntry>

    """
  }

  private static func transaction(_ name: String, _ purpose: String, more: String = "") -> String {
    "<TxDtls>\(more)<RltdPties><Cdtr><Nm>\(name)</Nm></Cdtr></RltdPties>"
      + "<RmtInf><Ustrd>\(purpose)</Ustrd><Ustrd>more</Ustrd></RmtInf></TxDtls>"
  }

  private static func statement(_ entries: String, account: String = "DE02") -> String {
    "<Stmt><Acct><Id><IBAN>\(account)</IBAN></Id><Ccy>EUR</Ccy></Acct>\n\(entries)</Stmt>"
  }

  private static func document(_ statements: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><BkToCstmrStmt>\n"
      + statements + "</BkToCstmrStmt></Document>\n"
  }

  private static func read(_ text: String) throws -> PlaceSink {
    try TableReading.read(text, name: "a.xml", by: CAMTImporter())
  }

  @Test func bookingsHavePayeePurposeAndAmount() throws {
    let sink = try Self.read(
      Self.document(
        Self.statement(
          Self.entry(
            "12.80",
            more: "<NtryDtls>\(Self.transaction("Bakery", "Rolls"))</NtryDtls>")
            + Self.entry("2500.00", "CRDT", id: "r2", more: "<AddtlNtryInf>Salary</AddtlNtryInf>")
            + Self.entry("7", id: "r3", status: "PDNG"))))
    #expect(sink.texts == ["Bakery", "Salary"])
    #expect(sink.activities.map(\.notes) == ["Rolls more", nil])
    #expect(sink.activities.map(\.measurements) == [["€": 12.8], [:]])
    #expect(sink.activities.last?.description == "Received: 2500.00 EUR")
    #expect(sink.activities.allSatisfy { "\($0.dayKey)" == "2026-02-10" })
    #expect(
      sink.diagnostics.map(\.message) == ["skipped bookings that are still pending: 1"])
  }

  @Test func aBatchIsSplitIfItsAmountsAddUp() throws {
    func batch(_ second: String) -> String {
      Self.document(
        Self.statement(
          Self.entry(
            "30.00",
            more: "<NtryDtls>"
              + Self.transaction("Ann", "a", more: "<Amt Ccy=\"EUR\">10</Amt>")
              + Self.transaction("Bob", "b", more: "<Amt Ccy=\"EUR\">\(second)</Amt>")
              + "</NtryDtls>")))
    }
    let split = try Self.read(batch("20"))
    #expect(split.texts == ["Ann", "Bob"])
    #expect(split.activities.map(\.measurements) == [["€": 10], ["€": 20]])
    #expect(Set(split.identities).count == 2)
    let whole = try Self.read(batch("25"))
    #expect(whole.activities.map(\.measurements) == [["€": 30]])
    #expect(whole.activities.first?.description == "Transactions in this booking: 2")
  }

  @Test func laterVersionsPrefixesAndAccountsAreRead() throws {
    let later = Self.entry("5", id: "x").replacing(
      "<Sts>BOOK</Sts>", with: "<Sts><Cd>BOOK</Cd></Sts>")
    let text = Self.document(
      Self.statement(later) + Self.statement(later, account: "DE03") + Self.statement(later))
    let sink = try Self.read(text)
    #expect(sink.activities.count == 2 && Set(sink.identities).count == 2)
    #expect(
      sink.diagnostics.map(\.message) == ["skipped bookings that the file contains twice: 1"])
    let prefixed = text.replacing("</", with: "</n:").replacing(#/<([A-Z])/#) { "<n:\($0.1)" }
      .replacing("xmlns=", with: "xmlns:n=")
    #expect(try TableReading.recognises(prefixed, name: "a.xml", by: CAMTImporter()))
    #expect(try Self.read(prefixed).identities == sink.identities)
  }

  @Test func aFileThatWasCutIsTold() throws {
    let text = Self.document(Self.statement(Self.entry("5") + Self.entry("1234", id: "y")))
    let cut = try #require(text.firstRange(of: "34</Amt>"))
    let sink = try Self.read(String(text[..<cut.lowerBound]))
    #expect(sink.activities.map(\.measurements) == [["€": 5]])
    #expect(sink.skipped.map(\.isCut) == [true])
    #expect(throws: ImportRefusal.self) { try Self.read("<?xml version=\"1.0\"?>") }
  }
}
