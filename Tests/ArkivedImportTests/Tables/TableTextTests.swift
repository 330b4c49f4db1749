import ArkivedCore
import ArkivedImport
import Testing

@Suite("Texts of rows")
struct TableTextTests {
  @Test func aHabitThatWasNotDoneSaysSoIfItHasAComment() throws {
    let sink = try TableReading.read(
      """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Read,Read 20 pages,Mind,2024-01-05,1,
      Read,Read 20 pages,Mind,2024-01-06,0,
      Read,Read 20 pages,Mind,2024-01-07,0,sick
      Water,Glasses,Health,2024-01-05,5,
      """)
    #expect(sink.texts == ["Read", "Read: not done", "Water"])
    let sick = sink.activities[1]
    #expect(sick.notes == "sick" && sick.measurements.isEmpty)
    #expect(sink.diagnostics.contains { $0.message.contains("1 row with the value 0") })
    // Doing it after all changes the entry instead of adding another.
    let done = try TableReading.read(
      """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Read,Read 20 pages,Mind,2024-01-07,1,sick
      Water,Glasses,Health,2024-01-05,5,
      """)
    #expect(done.identities.first == sink.identities[1])
  }

  @Test func aFlightIsNamedByItsNumberAndStartsAtItsDeparture() throws {
    let sink = try TableReading.read(
      """
      Date,"Flight number",From,To,"Dep time","Arr time",Duration,Airline,"Seat number","Seat type","Flight class",Note,Dep_id
      2006-10-20,AF6116,"Paris (CDG/LFPG)","Toulouse (TLS/LFBO)",13:20:00,14:30:00,01:10:00,"Air France (AF/AFR)",,0,1,,509
      2006-06-09,AI314M,"Delhi (DEL/VIDP)","Osaka (KIX/RJBB)",23:15:00,12:35:00,09:20:00,"Air India (AI/AIC)",,0,1,,689
      """)
    #expect(sink.texts == ["AF6116", "AI314M"])
    #expect(sink.times == ["13:20–14:30", "23:15–08:35"])
    #expect(sink.activities.first?.description?.contains("To: Toulouse (TLS/LFBO)") == true)
    #expect(sink.activities.allSatisfy { $0.tags.isEmpty })
  }

  @Test(arguments: [
    "Date,Type,Laps\n2026-01-05,0,5\n2026-01-06,1,6\n",
    "Date,Seat type,Laps,Note\n2026-01-05,0,5,\n2026-01-06,1,6,\n",
  ])
  func numbersAreNeverTheText(table: String) throws {
    let sink = try TableReading.read(table)
    #expect(sink.texts.allSatisfy { $0.contains("laps") })
  }

  @Test func aWordBesideAmountsIsOnlyTheTextIfItTellsRowsApart() throws {
    let rows = (1...8).map { "2026-01-0\($0),\($0)000,\($0 % 2 == 0 ? "Home" : "Away")\n" }
    let sink = try TableReading.read("Date,Steps,Where from\n" + rows.joined())
    #expect(sink.texts.first == "1000 steps" && sink.texts.count == 8)
  }

  @Test func aGermanBankStatementIsReadByItsPayees() throws {
    let sink = try TableReading.read(
      """
      "Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Betrag";"Waehrung"
      "DE00123";"14.03.25";"15.03.25";"KARTENZAHLUNG";"Kasse 3";"Supermarkt";"-12,34";"EUR"
      "DE00123";"02.03.25";"02.03.25";"GUTSCHRIFT";"Gehalt";"Muster GmbH";"2.500,00";"EUR"
      """)
    #expect(sink.texts == ["Supermarkt", "Muster GmbH"])
    #expect(sink.activities.map(\.notes) == ["Kasse 3", "Gehalt"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-14", "2025-03-02"])
  }

  @Test func aColumnOfDatesWithDotsIsTheDayWhateverItIsCalled() throws {
    let sink = try TableReading.read(
      "Artikel;Kaufdatum;Garantie bis\nLampe;14.03.2025;14.03.2027\nStuhl;02.11.2025;02.11.2027\n")
    #expect(sink.texts == ["Lampe", "Stuhl"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-14", "2025-11-02"])
    // A version isn't a day.
    let versions = "Program;Version;Size\nA;1.10.21;5\nB;1.11.21;6\n"
    #expect(throws: ImportRefusal.self) { try TableReading.read(versions) }
  }

  @Test func aRowOfNegativeNumbersIsKeptInWords() throws {
    let sink = try TableReading.read(
      """
      Date,Place,Temp (°C),Amount (€)
      2025-01-20,Park,-5,-12.50
      2025-01-21,Park,3,20
      2025-01-22,Park,-1,20
      """)
    #expect(sink.skipped == [])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-01-20", "2025-01-21", "2025-01-22"])
    let cold = try #require(sink.activities.first)
    #expect(cold.text == "-5 °C, -12.5 €" && cold.measurements.isEmpty)
    #expect(cold.locationLabel == "Park")
    #expect(cold.description == "Temp (°C): -5\nAmount (€): -12.50")
    // Beside another amount, the text stays what it was.
    #expect(sink.texts.last == "20 €")
    #expect(sink.activities.last?.description == "Temp (°C): -1")
  }

  @Test func anEmptyColumnOfTextIsStillTheText() throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try TableReading.read("Date,Title\n2026-01-05,\n")
    }
    #expect(refusal?.message.contains("the row has no text") == true)
  }
}
