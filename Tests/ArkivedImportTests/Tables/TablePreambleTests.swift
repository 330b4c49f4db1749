import ArkivedCore
import ArkivedImport
import Testing

/// Tables with lines about the account or the device before the names of their columns.
@Suite("Lines before the column names")
struct TablePreambleTests {
  private let account = """
    "Girokonto";"DE00123"
    ""
    "Kontostand vom 14.03.2025:";"1.000,00 €"
    ""
    "Buchungsdatum";"Wertstellung";"Status";"Zahlungsempfänger*in";"Verwendungszweck";"Betrag (€)"
    "14.03.25";"14.03.25";"Gebucht";"Supermarkt";"Einkauf";"12,34"
    "02.03.25";"02.03.25";"Gebucht";"Muster GmbH";"Miete";"500,00"
    """

  @Test func theAccountBeforeAStatementIsSkipped() throws {
    #expect(try TableReading.recognises(account))
    let sink = try TableReading.read(account)
    #expect(sink.texts == ["Supermarkt", "Muster GmbH"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-14", "2025-03-02"])
    #expect(sink.activities.map(\.measurements) == [["€": 12.34], ["€": 500]])
    #expect(
      sink.diagnostics.map(\.message).contains("skipped lines before the column names: 2"))
    #expect(sink.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test func aTitleAloneHidesNeitherNamesNorSeparator() throws {
    let sink = try TableReading.read(
      """
      Umsätze

      Buchungstag;Empfänger;Verwendungszweck;Betrag
      14.03.2025;Supermarkt;Einkauf;12,34
      """)
    #expect(sink.texts == ["Supermarkt"] && sink.activities.first?.notes == "Einkauf")
  }

  @Test func aTableBeforeAWiderOneIsNotSkipped() throws {
    let sink = try TableReading.read(
      """
      Date,Title
      2025-03-14,Tea

      Date,Title,Place,Tags
      2025-03-15,Cake,Home,sweet
      """)
    #expect(sink.texts.first == "Tea")
  }
}
