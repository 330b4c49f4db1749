import ArkivedCore
import Testing

/// Lines as people type them every day, class by class, typed on Saturday, 21 November 2026, 10:00 in
/// Berlin; the form is that of `QuickAddTableTests`.
@Suite struct QuickAddEverydayLinesTests {
  @Test func readsPlacesThatNoAtOrInIntroduces() throws {
    try QuickAddTable.check(
      """
      volleyball on the beach with Sam => volleyball on the beach with Sam | people Sam Lee | place beach
      took the dog to the park this morning => took the dog to the park | at 06:00 | place park
      walked to Whitby and back => walked to Whitby and back | place Whitby
      walked to Rosie and back => walked to Rosie and back
      Arrived Keswick 3.40pm => Arrived Keswick | at 15:40 | place Keswick
      pottering in the greenhouse => pottering in the greenhouse | place greenhouse
      carols at St Mark's hall => carols at St Mark's hall | place St Mark's hall
      choir 7pm Memorial Hall => choir Memorial Hall | at 19:00 | place Memorial Hall
      posters, Jurassic Park film => posters, Jurassic Park film
      worked on the report => worked on the report
      """)
    try QuickAddTable.check(
      """
      Stammtisch 19 Uhr Gasthof Krone => Stammtisch Gasthof Krone | at 19:00 | place Gasthof Krone
      Vesper morgen 18 Uhr Lutherkirche => Vesper Lutherkirche | day 2026-11-22 | at 18:00 | place Lutherkirche
      Radtour nach Wismar, 40 km => Radtour nach Wismar, 40 km | 40 km | place Wismar
      nach Feierabend geradelt => nach Feierabend geradelt
      Hotel Frühstück, 12 € => Hotel Frühstück, 12 € | 12 €
      kuchen im café => kuchen im café | place café
      Kuchen bei Antje => Kuchen bei Antje
      """, language: .german)
  }

  @Test(arguments: [
    ("me and Kev, all day", Language.english, ["Kev"]),
    ("quote for mrs patel", .english, ["Mrs patel"]),
    ("Aunt Carol coming at 4", .english, ["Aunt Carol"]),
    ("Thandi and Bongani coming over", .english, ["Thandi", "Bongani"]),
    ("Cake and tea over", .english, []),
    ("wedding of Katie & Raj, Lisbon, noon", .english, ["Katie", "Raj"]),
    ("pub with becca and kev", .english, ["Becca", "Kev"]),
    ("Anruf Fr. Wagner wegen Miete", .german, ["Fr. Wagner"]),
    ("Kuchen bei Antje", .german, ["Antje"]),
    ("Kaffee mit Oma Inge", .german, ["Oma Inge"]),
  ])
  func offersPeopleByTheirTitlesAndVerbs(
    line: String, language: Language, names: [String]
  ) throws {
    let reading = try QuickAddTable.reader(language: language).read(line)
    #expect(reading.suggestedPeople == names)
  }

  @Test func aRelativeWithANameIsAnotherPerson() throws {
    let reader = try QuickAddTable.reader(people: [KnownPerson(name: "Oma")], language: .german)
    let reading = try reader.read("Kaffee mit Oma Inge")
    #expect(reading.people.isEmpty)
    #expect(reading.suggestedPeople == ["Oma Inge"])
    #expect(try reader.read("Kaffee mit Oma").people == ["Oma"])
  }

  @Test func readsSumsAndParts() throws {
    try QuickAddTable.check(
      """
      parking 80p => parking 80p | 0.8 £
      day pass 22 pounds, busy => day pass 22 pounds, busy | 22 £
      baby weighed 8 pounds => baby weighed 8 pounds | 8 lb
      ZAR 45 for the taxi => ZAR 45 for the taxi | 45 ZAR
      3 hours on site, of which 1 hour paperwork => 3 hours on site, of which 1 hour paperwork | 3 hours
      1 hour and half on the phone => 1 hour and half on the phone | 90 minutes
      """)
    try QuickAddTable.check(
      """
      Znüni im Café, Fr. 7.40 => Znüni im Café, Fr. 7.40 | 7.4 CHF | place Café
      Rechnung über 1.250 € => Rechnung über 1.250 € | 1250 €
      """, language: .german)
  }
}
