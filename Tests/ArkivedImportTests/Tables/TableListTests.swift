import ArkivedCore
import ArkivedImport
import Testing

@Suite("Lists and IDs of rows")
struct TableListTests {
  @Test func aCommaBelongsToANameIfSemicolonsSeparate() throws {
    let sink = try TableReading.read(
      """
      Date,Title,People,Tags
      2024-01-05,a,"Müller, Anna; Bob","work, late|home"
      2024-01-06,b,"Müller, Anna",late
      """)
    let people = sink.activities.map { $0.people.map(\.name) }
    #expect(people == [["Anna Müller", "Bob"], ["Anna Müller"]])
    #expect(sink.activities.map(\.tags) == [["work, late", "home"], ["late"]])
  }

  @Test func commasSeparateIfNothingElseDoes() throws {
    let sink = try TableReading.read(
      "Date,Title,People,Tags\n2024-01-05,a,\"Anna, Bob\",\"work, late\"\n")
    #expect(sink.activities.map { $0.people.map(\.name) } == [["Anna", "Bob"]])
    #expect(sink.activities.map(\.tags) == [["work", "late"]])
  }

  @Test func rowsThatShareAnIDAreToldApartByTheirTime() throws {
    let table = "id,Date,Title\n7,2024-01-05 10:00,a\n7,2024-01-06 10:00,b\n8,2024-01-07 10:00,c\n"
    let sink = try TableReading.read(table)
    #expect(sink.texts == ["a", "b", "c"])
    #expect(Set(sink.identities).count == 3)
    #expect(sink.identities.last?.hasSuffix("/id/8") == true)
    #expect(
      sink.diagnostics.contains { $0.message.hasPrefix("some different rows have the same “id”") })
    // Another order gives each the same identity.
    let turned = try TableReading.read(
      "id,Date,Title\n8,2024-01-07 10:00,c\n7,2024-01-06 10:00,b\n7,2024-01-05 10:00,a\n")
    #expect(turned.identities == sink.identities.reversed())
  }

  @Test func aRowThatOccursTwiceKeepsItsID() throws {
    let sink = try TableReading.read(
      "id,Date,Title\n7,2024-01-05 10:00,a\n7,2024-01-05 10:00,a\n")
    #expect(sink.identities.allSatisfy { $0.hasSuffix("/id/7") })
  }

  @Test func aTagThatIsTooLongIsTold() throws {
    let long = String(repeating: "x", count: 201)
    let sink = try TableReading.read(
      "Date,Title,Tags\n2026-01-05,Tea,\"green, \(long), #\"\n2026-01-06,Milk,\n")
    #expect(sink.activities.first?.tags == ["green"])
    #expect(
      sink.diagnostics.map(\.message).filter { $0.hasPrefix("skipped the tag") }.count == 1)
  }

  @Test func theApostropheOfASpreadsheetGoesFromEveryText() throws {
    let sink = try TableReading.read(
      """
      Date,Title,People,Tags,Weather,Wind
      2026-01-05,'- [ ] sledge,"'+49 170 1234567, Ann","'-later, snow",'-5 °C,'=west
      2026-01-06,'twas cold,Ann,'round,,none
      """)
    #expect(sink.texts == ["- [ ] sledge", "'twas cold"])
    let people = sink.activities.map { $0.people.map(\.name) }
    #expect(people == [["+49 170 1234567", "Ann"], ["Ann"]])
    #expect(sink.activities.map(\.tags) == [["-later", "snow"], ["'round"]])
    #expect(sink.activities.first?.weather?.temperatureCelsius == -5)
    #expect(sink.activities.first?.weather?.conditions == nil)
    #expect(sink.activities.map(\.description) == ["Wind: =west", "Wind: none"])
  }

  @Test(arguments: ["sep=;\n", "sep=;\r\n", "SEP=;\n"])
  func theLineThatNamesTheSeparatorForExcelIsNoHeader(line: String) throws {
    let table = line + "Datum;Titel;km\n05.01.2026;Lauf;8,5\n06.01.2026;\"Rad; lang\";40\n"
    #expect(try TableReading.recognises(table))
    let sink = try TableReading.read(table)
    #expect(sink.texts == ["Lauf", "Rad; lang"])
    #expect(sink.activities.map { $0.measurements["km"] } == [8.5, 40])
    #expect(sink.records.map(\.place) == ["table.csv:3", "table.csv:4"])
  }
}
