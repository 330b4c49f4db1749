import ArkivedCore
import Testing

/// Lines as people type them every day, class by class, typed on Saturday, 21 November 2026, 10:00 in
/// Berlin; the form is that of `QuickAddTableTests`.
@Suite struct QuickAddEverydayLinesTests {
  @Test func findsADayBetweenOtherWords() throws {
    try QuickAddTable.check(
      """
      curry last night Rusholme => curry Rusholme | day 2026-11-20 | at 18:00
      eye test 10am wed new glasses => eye test new glasses | day 2026-11-25 | at 10:00
      wed day off, haircut 11am => day off, haircut | day 2026-11-25 | at 11:00
      Thursday rehearsal with Sam 7pm => rehearsal with Sam | day 2026-11-26 | at 19:00 | people Sam Lee
      vet 9.40 monday => vet | day 2026-11-23 | at 09:40
      night shift fri 1930-0730 => night shift | day 2026-11-27 | at 19:30-07:30+1
      Ella's party sunday 2-4 soft play => Ella's party soft play | day 2026-11-22 | at 14:00-16:00
      driving lesson mon 10-12 with Sam => driving lesson with Sam | day 2026-11-23 | at 10:00-12:00 | people Sam Lee
      gp phone appt weds am => gp phone appt | day 2026-11-25 | at 06:00
      drinks thursday from 5 => drinks from 5 | day 2026-11-26 | at 17:00
      bin day moved to weds => bin day moved to weds | day 2026-11-25
      sat with Sam on the sofa => sat with Sam on the sofa | people Sam Lee
      """)
    try QuickAddTable.check(
      """
      Zahnarzt Freitag im Zentrum => Zahnarzt im Zentrum | day 2026-11-27 | place Zentrum
      Geburtstag am 3. Dezember im Gasthof => Geburtstag im Gasthof | day 2026-12-03 | place Gasthof
      Wanderung letzten Sonntag Brocken 12 km => Wanderung Brocken 12 km | day 2026-11-15 | 12 km
      Schwimmen gestern Abend Freibad => Schwimmen Freibad | day 2026-11-20 | at 18:00
      Laufen heut früh Stadtwald 6 km => Laufen Stadtwald 6 km | at 06:00 | 6 km
      Do Elternabend um 19 Uhr => Elternabend | day 2026-11-26 | at 19:00
      Tanzkurs Mi. 20:15 => Tanzkurs | day 2026-11-25 | at 20:15
      training mo 18:30 => training | day 2026-11-23 | at 18:30
      Karten gekauft, am 3. Dezember im Zirkus => Karten gekauft, am 3. Dezember im Zirkus
      Frau Freitag hat angerufen => Frau Freitag hat angerufen
      Rad zur Inspektion gebracht, Dienstag fertig => Rad zur Inspektion gebracht, Dienstag fertig
      2018 haben wir geheiratet => 2018 haben wir geheiratet | day 2018-01-01
      """, language: .german)
  }

  @Test func findsDaysToCome() throws {
    try QuickAddTable.check(
      """
      gig Sat 12th => gig | day 2026-12-12
      dentist Tue 1st 9am => dentist | day 2026-12-01 | at 09:00
      lent Sam 20 quid, pay back tuesday => lent Sam 20 quid, pay back | day 2026-11-24 | 20 £
      new job starting Monday => new job starting Monday | day 2026-11-23
      holiday club starting 30 November => holiday club starting 30 November | day 2026-11-30
      film 2nite => film | at 18:00
      christmas eve wrapping tonight => christmas eve wrapping | at 18:00
      """)
    try QuickAddTable.check(
      """
      ab Montag Urlaub => ab Montag Urlaub | day 2026-11-23
      Sommerfest ab vier => Sommerfest ab vier | at 16:00
      wach seit fünf => wach seit fünf | at 05:00
      Puzzle ab sechs Jahren => Puzzle ab sechs Jahren
      Wochenende in Prag 2.-4. Dezember => Wochenende in Prag 2.-4. Dezember | day 2026-12-02 | place Prag
      """, language: .german)
  }

  @Test func beginsWithTheFirstOfSeveralTimes() throws {
    try QuickAddTable.check(
      """
      left 6:30, home 17:45 => left 6:30, home 17:45 | at 06:30-17:45
      started 10pm, finished 5.45am => started 10pm, finished 5.45am | day 2026-11-20 | at 22:00-05:45+1
      lunch 12:30, stayed till 3 => lunch, stayed till 3 | at 12:30-15:00
      """)
    try QuickAddTable.check(
      """
      Zug 6:52, zurück 20:07 => Zug 6:52, zurück 20:07 | at 06:52
      """, language: .german)
  }

  @Test func readsHoursByTheirWords() throws {
    try QuickAddTable.check(
      """
      drive to Leeds, leaving 8.15 => drive to Leeds, leaving | at 08:15 | place Leeds
      parked up 2140, lovely spot => parked up, lovely spot | at 21:40
      closed 2019, sadly => closed 2019, sadly
      0415 start, long day => start, long day | at 04:15
      course 9-16h, tired => course, tired | at 09:00-16:00
      vet with the cat, quarter to five, all fine => vet with the cat, all fine | at 16:45
      picked him up thursday 3:10 => picked him up | day 2026-11-19 | at 15:10
      Wed 2 Dec dentist 2.40 => dentist | day 2026-12-02 | at 14:40
      cinema yesterday eve with Sam => cinema with Sam | day 2026-11-20 | at 18:00 | people Sam Lee
      piano lesson 4-4.30, scales => piano lesson, scales | at 16:00-16:30
      gardening 10-1, sunny => gardening, sunny | at 10:00-13:00
      reading 3-5, sunny => reading 3-5, sunny
      parcel due 10-12 => parcel due | at 10:00-12:00
      8.30 call with Priya => 8.30 call with Priya | people Priya Nair
      physio at 9.15 knee better => physio knee better | at 09:15
      recital tonight 6.40 with Sam => recital with Sam | at 18:40 | people Sam Lee
      dinner friday with Kate 7.30 => dinner with Kate | day 2026-11-27 | at 19:30
      next wednesday swimming class 15.45 => swimming class | day 2026-11-25 | at 15:45
      boiler man between 8 and 12 tomorrow => boiler man | day 2026-11-22 | at 08:00-12:00
      at my desk til 3 then school pick up => at my desk til 3 then school pick up | until 15:00
      closed until 4 january => closed until 4 january
      toothache since 4 => toothache since 4 | at 04:00
      """)
  }

  @Test func hoursThatHaveJustPassedInTheMorningAreOnesOfTheMorning() throws {
    let reader = QuickAddReader(
      now: try #require(Instant("2026-11-21T07:20:00Z")), zone: try #require(Zone("Europe/Berlin")))
    let reading = try reader.read("ironing 6-7, tired")
    #expect(reading.start?.clockText == "06:00")
    #expect(reading.end?.clockText == "07:00")
  }

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
      60 km Rad nach Potsdam und zurück => 60 km Rad nach Potsdam und zurück | 60 km | place Potsdam
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
    ("Zoom w/ Delhi team 7:30am", .english, []),
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

  @Test func aRelativeOfSomebodyElseIsAnotherPerson() throws {
    try QuickAddTable.check(
      """
      tea with Ben and his mum => tea with Ben and his mum
      Ben's mum made cake => Ben's mum made cake
      it's mum's birthday => it's mum's birthday | people Mum
      tea with mum => tea with mum | people Mum
      """)
  }

  @Test func readsSumsAndParts() throws {
    try QuickAddTable.check(
      """
      parking 80p => parking 80p | 0.8 £
      day pass 22 pounds, busy => day pass 22 pounds, busy | 22 £
      cleaned the house 2.5 hrs => cleaned the house 2.5 hrs | 2.5 hours
      read page 12 => read page 12
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
