import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Bank statements in the archive")
struct StatementImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ text: String) throws -> ImportRun {
    test.clock.advance(seconds: 60)
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
        .run(try test.folder.file(name, text)).first)
  }

  private static func statement(_ bookings: [(day: Int, id: String, memo: String)]) -> String {
    var text = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><STMTRS><CURDEF>EUR\n"
    text += "<BANKACCTFROM><ACCTID>77</BANKACCTFROM>\n"
    for (day, id, memo) in bookings {
      text += "<STMTTRN><DTPOSTED>2026030\(day)<TRNAMT>-3.00<FITID>\(id)"
      text += "<NAME>Bakery<MEMO>\(memo)</STMTTRN>\n"
    }
    return text + "</STMTRS></OFX>\n"
  }

  @Test func overlappingStatementsGiveEachBookingOnce() throws {
    let first = try run(
      "a.ofx", Self.statement([(1, "a", "one"), (2, "b", "two"), (2, "c", "two")]))
    #expect(first.format == "ofx" && first.created == ["activity": 3], "\(first.warnings)")
    let same = try run(
      "b.ofx", Self.statement([(1, "a", "one"), (2, "b", "two"), (2, "c", "two")]))
    #expect(same.created.isEmpty && same.updated == 0)
    let next = try run(
      "c.qfx", Self.statement([(2, "c", "three"), (2, "b", "two"), (3, "d", "four")]))
    #expect(next.created == ["activity": 1] && next.updated == 1, "\(next.warnings)")
    let second = try test.day("2026-03-02").activities
    #expect(second.map(\.text) == ["Bakery", "Bakery"])
    #expect(Set(second.compactMap(\.notes)) == ["two", "three"])
    #expect(second.allSatisfy { $0.measurements == ["€": 3] })
    let kept = try test.archive.importRun(matching: next.id.uuidString)
    _ = try test.archive.undo(kept.changeID)
    #expect(try test.day("2026-03-02").activities.map(\.notes) == ["two", "two"])
    #expect(try test.day("2026-03-03").activities.isEmpty)
  }

  @Test func aStatementInCAMTComesInOnce() throws {
    func statement(_ purpose: String) -> String {
      "<?xml version=\"1.0\"?>\n<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE02</IBAN></Id></Acct>"
        + "<Ntry><Amt Ccy=\"CHF\">3.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>"
        + "<BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>r</AcctSvcrRef><NtryDtls><TxDtls>"
        + "<RltdPties><Cdtr><Nm>Bakery</Nm></Cdtr></RltdPties><RmtInf><Ustrd>\(purpose)</Ustrd></RmtInf>"
        + "</TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>\n"
    }
    let first = try run("a.xml", statement("one"))
    #expect(first.format == "camt" && first.created == ["activity": 1], "\(first.warnings)")
    let same = try run("b.xml", statement("one"))
    #expect(same.created.isEmpty && same.updated == 0)
    let next = try run("c.xml", statement("two"))
    #expect(next.created.isEmpty && next.updated == 1)
    let activities = try test.day("2026-03-02").activities
    #expect(activities.map(\.notes) == ["two"])
    #expect(activities.map(\.measurements) == [["CHF": 3]])
  }
}
