import ArkivedCore
import Testing

/// Lines as people type them, class by class, typed on Saturday, 21 November 2026, 10:00 in Berlin; the
/// form is that of `QuickAddTableTests`.
@Suite struct QuickAddTypedLinesTests {
  @Test func readsAClockTimeAnywhere() throws {
    try QuickAddTable.check(
      """
      dinner 7pm with Ann => dinner with Ann | at 19:00
      next Tuesday concert 8pm at the Philharmonie => concert at the Philharmonie | day 2026-11-24 | at 20:00 | place Philharmonie
      meeting 10am re budget => meeting re budget | at 10:00
      dentist 8:15, no cavities! => dentist, no cavities! | at 08:15
      baby born 3:12 am 3.4kg => baby born 3.4kg | at 03:12 | 3.4 kg
      bus 8:15, train 9:04, tired => bus 8:15, train 9:04, tired
      missed the 7:15 bus again => missed the 7:15 bus again
      woke at 5 couldn't sleep => woke couldn't sleep | at 05:00
      since 6am on the road => since 6am on the road
      """)
    try QuickAddTable.check(
      """
      Abendessen 19 Uhr mit Anna => Abendessen mit Anna | at 19:00
      Kino 20:15 mit Lukas => Kino mit Lukas | at 20:15
      ab 18 Uhr Fußball => ab 18 Uhr Fußball
      """, language: .german)
  }

  @Test func readsBareHoursWhereHoursAreAwaited() throws {
    try QuickAddTable.check(
      """
      gym 7-8 this morning => gym | at 07:00-08:00
      worked 9 to 5 => worked | at 09:00-17:00
      lunch break 12-1 => lunch break | at 12:00-13:00
      from 2 to 3:30 piano lesson => piano lesson | at 14:00-15:30
      9-5 work => work | at 09:00-17:00
      shift 6-2 => shift | at 06:00-14:00
      won 6-4 against Tom => won 6-4 against Tom
      taught 3 to 5 year olds => taught 3 to 5 year olds
      """)
    try QuickAddTable.check(
      """
      Frühschicht 6-14 => Frühschicht | at 06:00-14:00
      Mittagspause 12-13 => Mittagspause | at 12:00-13:00
      """, language: .german)
  }

  @Test func readsDistancesResultsAndLengths() throws {
    try QuickAddTable.check(
      """
      ran 8k => ran 8k | 8 km
      ran 10k steps => ran 10k steps | 10000 steps
      earned 8k => earned 8k
      10.5 km in 58:20 => 10.5 km in 58:20 | for 58.333 | 10.5 km
      half marathon in 1:52:10 => half marathon in 1:52:10 | for 112.167
      21.1 km in 1:52 => 21.1 km in 1:52 | for 112 | 21.1 km
      half an hour of piano => half an hour of piano | 30 minutes
      a quarter of an hour stretching => a quarter of an hour stretching | 15 minutes
      an hour and a half on the phone => an hour and a half on the phone | 90 minutes
      60 miles an hour => 60 miles an hour | 60 miles
      left half an hour late => left half an hour late
      hike 14km 600m up => hike 14km 600m up | 14 km
      """)
    try QuickAddTable.check(
      """
      10,5 km in 58:20 => 10,5 km in 58:20 | for 58.333 | 10.5 km
      halbe Stunde Klavier => halbe Stunde Klavier | 30 minutes
      Telefonat, ne Stunde => Telefonat, ne Stunde | 1 hours
      """, language: .german)
  }

  @Test func readsMoney() throws {
    try QuickAddTable.check(
      """
      spent $18 => spent $18 | 18 $
      rent paid, $1,450 => rent paid, $1,450 | 1450 $
      coffee $4.75, bagel $3 => coffee $4.75, bagel $3 | 7.75 $
      paid 12.50€ for parking => paid 12.50€ for parking | 12.5 €
      earned 120 dollars => earned 120 dollars | 120 $
      prices up by 5 euros => prices up by 5 euros
      tickets $5-10 => tickets $5-10
      cost $5/month => cost $5/month
      """)
    try QuickAddTable.check(
      """
      42,50 € bei Rewe => 42,50 € bei Rewe | 42.5 € | place Rewe
      Einkauf 65 € => Einkauf 65 € | 65 €
      um 20 € gewettet => um 20 € gewettet
      """, language: .german)
  }

  @Test func showsMoneyAsTheReaderWritesIt() throws {
    let label = try QuickAddTable.reader().read("lunch 12.5 €").understood.map(\.label)
    #expect(label == ["€12.50"])
    let german = try ShownDates.speaking(.german) {
      try QuickAddTable.reader(language: .german).read("Essen 12,5 €").understood.map(\.label)
    }
    #expect(german == ["12,50 €"])
  }

  @Test func readsTheLastNight() throws {
    try QuickAddTable.check(
      """
      slept from 11pm to 6:45am => slept | day 2026-11-20 | at 23:00-06:45+1
      night shift 10pm-6am => night shift | day 2026-11-20 | at 22:00-06:00+1
      stayed up until 2am => stayed up until 2am | day 2026-11-20
      home at last, slept till four => home at last, slept till four
      bed at 11 => bed | day 2026-11-20 | at 23:00
      overnight flight 22:00-06:00 => overnight flight | at 22:00-06:00+1
      """)
    try QuickAddTable.check(
      """
      bis 3 Uhr wach gewesen => bis 3 Uhr wach gewesen | day 2026-11-20
      geschlafen 22:30-5:45 => geschlafen | day 2026-11-20 | at 22:30-05:45+1
      gestern Nacht bis 2 Uhr wach => bis 2 Uhr wach | day 2026-11-20
      """, language: .german)
  }

  @Test func readsDaysByName() throws {
    try QuickAddTable.check(
      """
      new year's day hike => hike | day 2026-01-01
      christmas eve at my parents' => at my parents' | day 2025-12-24
      last weekend pizza => pizza | day 2026-11-14
      in 2019 moved to Rome => in 2019 moved to Rome | day 2019-01-01
      back in 2011 I graduated => back in 2011 I graduated | day 2011-01-01
      oct 2023 started therapy => oct 2023 started therapy | day 2023-10-01
      in the late 1960s he sailed => in the late 1960s he sailed
      read about Berlin in 1945 => read about Berlin in 1945
      mother's day gift for Mum => mother's day gift for Mum | people Mum
      christmas cookies => christmas cookies
      """)
    try QuickAddTable.check(
      """
      Heiligabend bei Oma => bei Oma | day 2025-12-24
      Montag Homeoffice => Homeoffice | day 2026-11-16
      Termin Freitag 9:40 bei Siemens => Termin bei Siemens | day 2026-11-20 | at 09:40 | place Siemens
      Pfingstmontag gewandert => gewandert | day 2026-05-25
      letztes Wochenende Wandern => Wandern | day 2026-11-14
      2018 nach Leipzig gezogen => 2018 nach Leipzig gezogen | day 2018-01-01
      im Mai 2021 Umzug => im Mai 2021 Umzug | day 2021-05-01
      """, language: .german)
  }

  @Test func readsGermanPlaces() throws {
    try QuickAddTable.check(
      """
      Gespräch bei Siemens => Gespräch bei Siemens | place Siemens
      Mittag in der Kantine => Mittag in der Kantine | place Kantine
      in Rom Eis gegessen => in Rom Eis gegessen | place Rom
      Kaffee im Café Einstein => Kaffee im Café Einstein | place Café Einstein
      Wandern im Harz => Wandern im Harz | place Harz
      Spaziergang im Stadtpark => Spaziergang im Stadtpark | place Stadtpark
      Urlaub in Frankfurt am Main => Urlaub in Frankfurt am Main | place Frankfurt am Main
      bei Regen gelaufen => bei Regen gelaufen
      in Ruhe gelesen => in Ruhe gelesen
      im Urlaub gelesen => im Urlaub gelesen
      bei Oma gegessen => bei Oma gegessen
      """, language: .german)
  }

  @Test func keepsSignsOfTags() throws {
    try QuickAddTable.check(
      """
      read a book #C++ => read a book | tags C++
      pairing #C#, tests #F# => pairing, tests | tags C#,F#
      lunch #food#fast => lunch #fast | tags food
      """)
  }

  @Test(arguments: [
    ("lunch with Lena and Tom", Language.english, ["Lena", "Tom"]),
    ("lunch with Grace Kim", .english, ["Grace Kim"]),
    ("met Dr. Patel", .english, ["Dr. Patel"]),
    ("lunch with Sam", .english, []), ("lunch with Google on Monday", .english, []),
    ("cake with Mum", .english, []), ("tea at Lena's", .english, []),
    ("Kino mit Lisa", .german, ["Lisa"]), ("Termin mit Herrn Weber", .german, ["Herrn Weber"]),
    ("Brot mit Butter", .german, []), ("mit Freude gelesen", .german, []),
  ])
  func offersNamesThatNobodyKnownBears(line: String, language: Language, names: [String]) throws {
    let reading = try QuickAddTable.reader(language: language).read(line)
    #expect(reading.suggestedPeople == names)
  }

  @Test func tellsAPartOfTheDayWithoutAClock() throws {
    let labels = try QuickAddTable.reader().read("yesterday evening: film").understood.map(\.label)
    #expect(labels == ["Friday, 20 November 2026", "evening, sorted at 18:00"])
  }
}
