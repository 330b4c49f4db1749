import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Bank statements in OFX")
struct OFXImportTests {
  private static func sgml(
    _ bookings: String, account: String = "12345678", currency: String = "EUR"
  ) -> String {
    """
    OFXHEADER:100
    DATA:OFXSGML
    VERSION:102
    ENCODING:USASCII
    CHARSET:1252

    <OFX>
    <SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260310
    </SONRS></SIGNONMSGSRSV1>
    <BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STMTRS><CURDEF>\(currency)
    <BANKACCTFROM><BANKID>1<ACCTID>\(account)<ACCTTYPE>CHECKING</BANKACCTFROM>
    <BANKTRANLIST><DTSTART>20260101<DTEND>20260201
    \(bookings)
    </BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>
    </OFX>
    """
  }

  private static func booking(
    _ amount: String, day: String = "20260210", id: String = "1", name: String = "Bakery",
    more: String = ""
  ) -> String {
    "<STMTTRN>\n<TRNTYPE>OTHER\n<DTPOSTED>\(day)\n<TRNAMT>\(amount)\n<FITID>\(id)\n<NAME>\(name)\n"
      + "\(more)</STMTTRN>\n"
  }

  private static func read(_ text: String, home: String = "Europe/Berlin") throws -> PlaceSink {
    try TableReading.read(text, name: "statement.ofx", by: OFXImporter(), home: home)
  }

  @Test func aStatementWithoutClosingTagsIsRead() throws {
    let sink = try Self.read(
      Self.sgml(
        Self.booking("-12.80", name: "Tom &amp; Ann A<B", more: "<MEMO>Rolls  and\tcake\n")
          + Self.booking("2500.00", id: "2", name: "Works", more: "<MEMO>Salary\n")))
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.texts == ["Tom & Ann A<B", "Works"])
    #expect(sink.activities.map(\.notes) == ["Rolls and cake", "Salary"])
    #expect(sink.activities.map(\.measurements) == [["€": 12.8], [:]])
    #expect(sink.activities.map(\.description) == [nil, "Received: 2500.00 EUR"])
    #expect(sink.activities.allSatisfy { "\($0.dayKey)" == "2026-02-10" && $0.startAt == nil })
    #expect(sink.activities.allSatisfy { $0.source == .bankImport })
  }

  @Test func aStatementInXMLGivesTheSameEntries() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE"?>
      <!-- <STMTTRN> in a remark -->
      <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF>
      <BANKACCTFROM><ACCTID>12345678</ACCTID></BANKACCTFROM><BANKTRANLIST>
      <STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20260210120000.000[-5:EST]</DTPOSTED>
      <TRNAMT>-12.8</TRNAMT><FITID>1</FITID><NAME>Bakery</NAME><MEMO><![CDATA[A & B <c>]]></MEMO>
      </STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
      """
    let sink = try Self.read(xml)
    #expect(sink.diagnostics.isEmpty && sink.texts == ["Bakery"])
    #expect(sink.activities.first?.notes == "A & B <c>")
    #expect(
      try sink.identities == Self.read(Self.sgml(Self.booking("-12,80"))).identities)
  }

  @Test(arguments: [
    ("            -200,00", 200), ("-1.234,56", 1234.56), ("-1,234.56", 1234.56), ("-5", 5),
    ("-.5", 0.5), ("-1 234.50", 1234.5), ("-0.10", 0.1), ("-1,234,567", 1_234_567),
  ])
  func amountsAreExact(written: String, amount: Double) throws {
    let sink = try Self.read(Self.sgml(Self.booking(written)))
    #expect(sink.activities.map(\.measurements) == [["€": amount]])
  }

  @Test(arguments: ["", "twelve", "-1.2.3", "1e9", "--5", "12,34,5.6"])
  func whatIsNoAmountIsTold(written: String) throws {
    let sink = try Self.read(Self.sgml(Self.booking(written) + Self.booking("-1", id: "2")))
    #expect(sink.activities.count == 1)
    #expect(sink.skipped.map(\.place) == ["statement.ofx:13 field “TRNAMT”"])
  }

  @Test(arguments: [
    ("20260210", "2026-02-10"), ("20260210000000[-3:GMT]", "2026-02-10"),
    ("20260210233000[-5:EST]", "2026-02-10"), ("20260210120000.000 GMT", "2026-02-10"),
    ("20260210000000[-03:EST]", "2026-02-10"),
    // Midnight in Berlin, written in UTC.
    ("20260209230000[0:GMT]", "2026-02-10"), ("20260210120000[0:GMT]", "2026-02-10"),
  ])
  func aBookingHasTheDayThatTheBankWrote(written: String, day: String) throws {
    let sink = try Self.read(Self.sgml(Self.booking("-1", day: written)))
    #expect(sink.activities.map { "\($0.dayKey)" } == [day])
  }

  @Test func currenciesAreKeptApart() throws {
    let sink = try Self.read(
      Self.sgml(
        Self.booking("-10")
          + Self.booking(
            "-20", id: "2", more: "<CURRENCY><CURRATE>1.1<CURSYM>USD</CURRENCY>\n")
          + Self.booking(
            "-30", id: "3", more: "<ORIGCURRENCY><CURRATE>1.1<CURSYM>SEK</ORIGCURRENCY>\n"),
        currency: "CHF"))
    #expect(sink.activities.map(\.measurements) == [["CHF": 10], ["$": 20], ["CHF": 30]])
    #expect(sink.activities.last?.description == "Original currency: SEK")
    let unknown = try Self.read(Self.sgml(Self.booking("-10"), currency: ""))
    #expect(unknown.activities.isEmpty && unknown.skipped.count == 1)
  }

  @Test func aPayeeMayBeATextOrHaveFields() throws {
    let sink = try Self.read(
      Self.sgml(
        "<STMTTRN><PAYEE>Cinema\n<DTPOSTED>20260210\n<TRNAMT>-5\n<FITID>1\n<MEMO>Film\n</STMTTRN>\n"
          + "<STMTTRN><DTPOSTED>20260210\n<TRNAMT>-6\n<FITID>2\n"
          + "<PAYEE><NAME>Harbour<CITY>Rome</PAYEE>\n<MEMO>Boat\n</STMTTRN>\n"))
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.texts == ["Cinema", "Harbour"])
    #expect(sink.activities.map(\.notes) == ["Film", "Boat"])
    #expect(sink.activities.map(\.measurements) == [["€": 5], ["€": 6]])
  }

  @Test func equalBookingsStayTwoAndNumbersMayRepeat() throws {
    let sink = try Self.read(
      Self.sgml(
        Self.booking("-3", id: "7") + Self.booking("-3", id: "8") + Self.booking("-3", id: "8")
          + Self.booking("-4", id: "7")))
    #expect(sink.activities.count == 4 && Set(sink.identities).count == 4)
    // The same account twice in a file is one.
    let list = Self.sgml(Self.booking("-3", id: "7"))
    let statement = try #require(list.firstRange(of: "<STMTTRNRS>"))
    let end = try #require(list.firstRange(of: "</STMTTRNRS>"))
    let twice = list.replacing(
      "</BANKMSGSRSV1>", with: "\(list[statement.lowerBound..<end.upperBound])</BANKMSGSRSV1>")
    let again = try Self.read(twice)
    #expect(again.activities.count == 1)
    #expect(
      again.diagnostics.map(\.message) == ["skipped bookings that the file contains twice: 1"])
  }

  @Test func accountNumbersAreNotInTitles() throws {
    let sink = try Self.read(
      Self.sgml(
        Self.booking("-3", name: "DE02120300000000202051")
          + Self.booking("-3", id: "2", name: "Ann DE02 1203 0000 0000 2020 51")
          + Self.booking("-3", id: "3", name: "Route 66 Diner 24")
          + Self.booking("-3", id: "4", name: "Inn 10.03.2026, 2026-03-10T14:33 1203-4567-89")
      ))
    #expect(
      sink.texts == [
        "…2051", "Ann …2051", "Route 66 Diner 24", "Inn 10.03.2026, 2026-03-10T14:33 …7-89",
      ])
    #expect(sink.activities.first?.notes == "DE02120300000000202051")
    #expect(!sink.identities.contains { $0.contains("12345678") })
  }

  @Test func pendingBookingsAndTradesAreTold() throws {
    let sink = try Self.read(
      Self.sgml(Self.booking("-3")).replacing(
        "</BANKTRANLIST>",
        with: "</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260211<TRNAMT>-5"
          + "<NAME>Cinema</STMTTRNP></BANKTRANLISTP>"
          + "<BUYSTOCK><INVBUY><TOTAL>-5</INVBUY></BUYSTOCK>"))
    #expect(sink.texts == ["Bakery"])
    #expect(
      sink.diagnostics.map(\.message) == [
        "skipped bookings that are still pending: 1",
        "skipped purchases and sales of securities: 1",
      ])
  }

  @Test func aFileThatWasCutIsTold() throws {
    let text = Self.sgml(Self.booking("-3") + Self.booking("-1234.56", id: "2"))
    let cut = try #require(text.firstRange(of: "34.56"))
    let sink = try Self.read(String(text[..<cut.lowerBound]))
    #expect(sink.activities.map(\.measurements) == [["€": 3]])
    #expect(sink.skipped.map(\.isCut) == [true])
    #expect(throws: ImportRefusal.self) { try Self.read("OFXHEADER:100\nDATA:OFXSGML\n") }
  }

  @Test func lettersOfWindowsAreRead() throws {
    let folder = try TemporaryFolder()
    let text = Self.sgml(Self.booking("-3", name: "Café – 5 €"))
    let data = try #require(text.data(using: .windowsCP1252))
    let sink = PlaceSink(folders: [folder])
    try OFXImporter().read(
      ImportFile(url: try folder.file("a.qfx", data), name: "a.qfx"),
      context: TableReading.context(), into: sink)
    #expect(sink.texts == ["Café – 5 €"])
  }

  @Test func entitiesAreNeverExpanded() throws {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE OFX [<!ENTITY a "lol lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
      <OFX><STMTRS><CURDEF>EUR</CURDEF><STMTTRN><DTPOSTED>20260210</DTPOSTED><TRNAMT>-1</TRNAMT>
      <FITID>1</FITID><NAME>&b;&c;</NAME></STMTTRN></STMTRS></OFX>
      """
    #expect(try Self.read(text).texts == ["&b;&c;"])
  }

  @Test(arguments: ["<!--", "<![CDATA["])
  func aRemarkWithoutEndIsNotKept(start: String) throws {
    var tokens = OFXTokens()
    try tokens.take(Array(start.utf8)) { _, _ in }
    for _ in 0..<4 {
      try tokens.take([UInt8](repeating: UInt8(ascii: ">"), count: 1 << 16)) { _, _ in }
    }
    let parts = Mirror(reflecting: tokens).children.compactMap { $0.value as? [UInt8] }
    #expect(!parts.isEmpty && parts.allSatisfy { $0.count <= 1 << 16 })
  }

  @Test func itIsRecognisedByItsContent() throws {
    for text in [Self.sgml(""), "<?xml version=\"1.0\"?>\n<OFX></OFX>", "\u{FEFF}\n<ofx>"] {
      #expect(try TableReading.recognises(text, name: "a.txt", by: OFXImporter()))
    }
    #expect(try !TableReading.recognises("About <OFX> files", name: "a.ofx", by: OFXImporter()))
  }
}
