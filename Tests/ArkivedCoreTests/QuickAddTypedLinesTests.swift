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
      bus 8:15, train 9:04, tired => bus 8:15, train 9:04, tired | at 08:15
      missed the 7:15 bus again => missed the 7:15 bus again
      woke at 5 couldn't sleep => woke couldn't sleep | at 05:00
      since 6am on the road => since 6am on the road | at 06:00
      """)
    try QuickAddTable.check(
      """
      Abendessen 19 Uhr mit Anna => Abendessen mit Anna | at 19:00
      Kino 20:15 mit Lukas => Kino mit Lukas | at 20:15
      ab 18 Uhr Fußball => ab 18 Uhr Fußball | at 18:00
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
      stayed up until 2am => stayed up until 2am | day 2026-11-20 | until 2026-11-21 02:00
      home at last, slept till four => home at last, slept till four | until 04:00
      bed at 11 => bed | day 2026-11-20 | at 23:00
      overnight flight 22:00-06:00 => overnight flight | at 22:00-06:00+1
      """)
    try QuickAddTable.check(
      """
      bis 3 Uhr wach gewesen => bis 3 Uhr wach gewesen | day 2026-11-20 | until 2026-11-21 03:00
      geschlafen 22:30-5:45 => geschlafen | day 2026-11-20 | at 22:30-05:45+1
      gestern Nacht bis 2 Uhr wach => bis 2 Uhr wach | day 2026-11-20 | until 2026-11-21 02:00
      """, language: .german)
  }

  @Test func readsDaysByName() throws {
    try QuickAddTable.check(
      """
      new year's day hike => hike | day 2026-01-01
      christmas eve at my parents' => at my parents' | day 2026-12-24
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
      Heiligabend bei Oma => bei Oma | day 2026-12-24
      Heiligabend war laut => Heiligabend war laut | day 2025-12-24
      Montag Homeoffice => Homeoffice | day 2026-11-16
      Termin Freitag 9:40 bei Siemens => Termin bei Siemens | day 2026-11-27 | at 09:40 | place Siemens
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
    ("call with Min-seo 11:00", .english, ["Min-seo"]),
    ("tea with June, scones", .english, ["June"]),
    ("went through it with June figures", .english, []),
    ("Kaffee mit August in der Stadt", .german, ["August"]),
    ("Kino mit Lisa", .german, ["Lisa"]), ("Termin mit Herrn Weber", .german, ["Herrn Weber"]),
    ("Rosie and Ben came for tea", .english, ["Rosie", "Ben"]),
    ("Lily has a fever", .english, ["Lily"]), ("Lily pond cleaned", .english, []),
    ("lent Dave 50 quid", .english, ["Dave"]), ("read Emma by Jane Austen", .english, []),
    ("sent 15000 to Rohan", .english, ["Rohan"]), ("trip to Florence", .english, []),
    ("Emil ist heute geradelt", .german, ["Emil"]),
    ("Kino mit aylin u marek", .german, ["Aylin", "Marek"]),
    ("gewandert mit der Resi", .german, ["Resi"]), ("Ernst der Lage erkannt", .german, []),
    ("Elterngespräch, Frau Becker", .german, ["Frau Becker"]),
    ("Brot mit Butter", .german, []), ("mit Freude gelesen", .german, []),
    ("Wandern mit Thomas und Fenja", .german, ["Thomas", "Fenja"]),
    ("Kino mit Tjard und Thomas", .german, ["Tjard", "Thomas"]),
    ("Kaffee mit Thomas und Kuchen", .german, ["Thomas"]),
    ("Salat mit Fenchel und Thymian", .german, []),
    ("dug all day, Delwyn helped carry", .english, ["Delwyn"]),
    ("omg jonas said hi", .english, ["Jonas"]), ("then nobody said a word", .english, []),
  ])
  func offersNamesThatNobodyKnownBears(line: String, language: Language, names: [String]) throws {
    let reading = try QuickAddTable.reader(language: language).read(line)
    #expect(reading.suggestedPeople == names)
  }

  @Test func tellsAPartOfTheDayWithoutAClock() throws {
    let labels = try QuickAddTable.reader().read("yesterday evening: film").understood.map(\.label)
    #expect(labels == ["Friday, 20 November 2026", "evening, listed at 18:00"])
  }

  @Test func readsLengthsAndAmountsAsTheyAreMeant() throws {
    try QuickAddTable.check(
      """
      10k in 54:12 => 10k in 54:12 | for 54.2 | 10 km
      ran 5k round the lake => ran 5k round the lake | 5 km
      long run 18.3km 1:42:15 => long run 18.3km 1:42:15 | for 102.25 | 18.3 km
      commute 1h 10 instead of 40 min => commute 1h 10 instead of 40 min | 70 minutes
      invoiced today 7h 20m => invoiced 7h 20m | 440 minutes
      an hour and a quarter of yoga => an hour and a quarter of yoga | 75 minutes
      bought a bike, 480 pounds => bought a bike, 480 pounds | 480 £
      lost 5 pounds => lost 5 pounds | 5 lb
      bought 2 pounds of apples => bought 2 pounds of apples | 2 lb
      """)
    try QuickAddTable.check(
      """
      Radtour 48,3 km in 2:35 h => Radtour 48,3 km in 2:35 h | for 155 | 48.3 km
      Spaziergang 1 1/2 Stunden => Spaziergang 1 1/2 Stunden | 1.5 hours
      """, language: .german)
  }

  @Test func readsNamesAndPlacesInLowerCase() throws {
    try QuickAddTable.check(
      """
      picked mum up => picked mum up | people Mum
      roast at mums => roast at mums | people Mum
      swam at the leisure centre => swam at the leisure centre | place leisure centre
      gig at the O2 => gig at the O2 | place O2
      visited Mum in hospital => visited Mum in hospital | people Mum | place hospital
      coffee at costa => coffee at costa | place costa
      coffee at costa prices => coffee at costa prices
      at target weight => at target weight
      """)
    let reader = try QuickAddTable.reader()
    #expect(try reader.read("pub with ben and sarah").suggestedPeople == ["Ben", "Sarah"])
    #expect(try reader.read("wedding of Katie & Raj").suggestedPeople == ["Katie", "Raj"])
    #expect(try reader.read("rang till four, met max 3 people").suggestedPeople.isEmpty)
  }

  @Test func readsHoursThatStandByThemselves() throws {
    try QuickAddTable.check(
      """
      helped Sam move, 9 til 5 => helped Sam move | at 09:00-17:00 | people Sam Lee
      visited Mum, 3 to 4, all well => visited Mum, all well | at 15:00-16:00 | people Mum
      overtime 5-7 today => overtime | at 17:00-19:00
      up 6.30, shower => up, shower | at 06:30
      brunch 11ish with Sam => brunch with Sam | at 11:00 | people Sam Lee
      picked him up at half 5 => picked him up | at 17:30
      tennis, 6-3, 6-2 => tennis, 6-3, 6-2
      lost, 3-1 => lost, 3-1
      Leeds against Hull, 3-1 => Leeds against Hull, 3-1
      """)
    try QuickAddTable.check(
      """
      Teambesprechung 9-10 => Teambesprechung | at 09:00-10:00
      """, language: .german)
  }

  @Test func readsDaysWithASlip() throws {
    try QuickAddTable.check(
      """
      ring dentist tommorow => ring dentist | day 2026-11-22
      yesteday cinema => cinema | day 2026-11-20
      gym tmrw => gym | day 2026-11-22
      saturdays are for cleaning => saturdays are for cleaning
      """)
    try QuickAddTable.check(
      """
      gesternn Kino => Kino | day 2026-11-20
      Gesten geübt => Gesten geübt
      am Donerstag Kino => Kino | day 2026-11-19
      """, language: .german)
  }

  @Test func readsOneEndAlone() throws {
    try QuickAddTable.check(
      """
      fasting until noon => fasting until noon | until 12:00
      headache since about 8 => headache since about 8 | at 08:00
      tired since this morning => tired since this morning | at 06:00
      everything until 10 was dull => everything until 10 was dull
      um 16.30 awake => um 16.30 awake
      """)
    try QuickAddTable.check(
      """
      seit 5 wach => seit 5 wach | at 05:00
      Frühstück im Hotel bis 9 => Frühstück im Hotel bis 9 | until 09:00 | place Hotel
      """, language: .german)
  }

  @Test(arguments: [
    ("football at 8, knee sore", "20:00"), ("Pilates at seven", "19:00"),
    ("breakfast at 8", "08:00"), ("at work at 8", "08:00"), ("call at 08", "08:00"),
    ("home at 10.30", "22:30"), ("dentist at 9", "09:00"),
  ])
  func anHourThatHasJustPassedInTheEveningIsOneOfTheEvening(line: String, clock: String) throws {
    let reader = QuickAddReader(
      now: try #require(Instant("2026-11-21T21:50:00Z")), zone: try #require(Zone("Europe/Berlin")))
    #expect(try reader.read(line).start?.clockText == clock)
  }

  @Test(arguments: [
    ("ran 5k this morning", DayPeriod.morning), ("this afternoon: napped", .afternoon),
    ("cinema with Ann in the evening", .evening), ("headache during the night", .night),
    ("last night cinema", .evening), ("danced all evening", .evening),
  ])
  func aPartOfTheDayIsNoClockTime(line: String, period: DayPeriod) throws {
    #expect(try QuickAddTable.reader().read(line).period == period)
  }

  @Test func aClockTimeIsNoPartOfTheDay() throws {
    let reader = try QuickAddTable.reader()
    #expect(try reader.read("this morning at 7: run").period == nil)
    #expect(try reader.read("breakfast at 6:00").period == nil)
  }

  @Test func readsWhatIsToCome() throws {
    try QuickAddTable.check(
      """
      dentist Thursday 3.45pm => dentist | day 2026-11-26 | at 15:45
      went to the dentist Thursday => went to the dentist | day 2026-11-19
      flight to Lisbon Sunday 6:40am => flight to Lisbon | day 2026-11-22 | at 06:40
      meeting moved to Friday 2pm => meeting moved to Friday 2pm | day 2026-11-27 | at 14:00
      2 Dec 9.30 blood test => blood test | day 2026-12-02 | at 09:30
      2 Dec bought a tree => bought a tree | day 2025-12-02
      book club on the 28th, 7.30pm => book club | day 2026-11-28 | at 19:30
      holiday 3 - 10 December, Crete => holiday 3 - 10 December, Crete | day 2026-12-03
      """)
    try QuickAddTable.check(
      """
      Zahnarzt am Dienstag 10 Uhr => Zahnarzt | day 2026-11-24 | at 10:00
      beim Zahnarzt gewesen am Dienstag => beim Zahnarzt gewesen | day 2026-11-17 | place Zahnarzt
      """, language: .german)
  }

  @Test func readsEveningsByWhatWasDone() throws {
    try QuickAddTable.check(
      """
      pub quiz 7 till 10 with Sam => pub quiz with Sam | at 19:00-22:00 | people Sam Lee
      breakfast at 7, dinner later => breakfast, dinner later | at 07:00
      walked the dog 8-8.45 => walked the dog | at 08:00-08:45
      lunch 8.50 => lunch 8.50
      on the 3rd went out => went out | day 2026-11-03
      two and a half hours of revision => two and a half hours of revision | 2.5 hours
      piano ½ hour => piano ½ hour | 30 minutes
      2½ cups of tea => 2½ cups of tea | 2.5 cups
      ran 10km 52:10 => ran 10km 52:10 | for 52.167 | 10 km
      """)
    try QuickAddTable.check(
      """
      war von 6 bis 7 im Büro => war im Büro | at 18:00-19:00 | place Büro
      2 bis 3 Freunde da => 2 bis 3 Freunde da
      am Wochenende gewandert => gewandert
      """, language: .german)
  }

  @Test func readsNightsAndSpansBesideParts() throws {
    try QuickAddTable.check(
      """
      party last night till 3 => party till 3 | day 2026-11-20 | until 2026-11-21 03:00
      night shift 10-6 => night shift | day 2026-11-20 | at 22:00-06:00+1
      parents evening 6-7 tonight => parents evening | at 18:00-19:00
      Leeds 3-1 today => Leeds 3-1
      """)
  }

  @Test func readsHoursOfAllForms() throws {
    try QuickAddTable.check(
      """
      call from Priya at 10 past 3 => call from Priya | at 15:10 | people Priya Nair
      5 x 1km intervals, 4:10 each => 5 x 1km intervals, 4:10 each | 5 km
      slept 10.30-6 => slept | day 2026-11-20 | at 22:30-06:00+1
      slept 10:30-6:45 => slept | day 2026-11-20 | at 22:30-06:45+1
      half seven yoga => yoga | at 07:30
      haircut 3/12 at 2pm => haircut | day 2026-12-03 | at 14:00
      film 8/10 at 2pm => film 8/10 | at 14:00
      150 pounds on trainers => 150 pounds on trainers | 150 £
      gained 2 pounds on holiday => gained 2 pounds on holiday | 2 lb
      summer of 2016 in Greece => summer of 2016 in Greece | day 2016-06-01 | place Greece
      """)
  }

  @Test func readsVagueAndMilitaryHours() throws {
    try QuickAddTable.check(
      """
      7ish swim at the lido => swim at the lido | at 07:00
      painted boards 2-6ish => painted boards | at 14:00-18:00
      10ish people came => 10ish people came
      gym 0530-0625, squats => gym, squats | at 05:30-06:25
      documentary on 1914-1918 => documentary on 1914-1918
      dentist tomorrow 8.40 room 12 => dentist room 12 | day 2026-11-22 | at 08:40
      gran says 'see you on monday at 4' and I laugh => gran says 'see you on monday at 4' and I laugh
      the kids' room 7pm => the kids' room | at 19:00
      """)
  }

  @Test func takesADateThatComesSoonForTheNextOne() throws {
    try QuickAddTable.check(
      """
      gig on 24 january, manchester academy => gig, manchester academy | day 2027-01-24
      went to a gig on 24 january => went to a gig | day 2026-01-24
      hike on 3 march => hike | day 2026-03-03
      dr okafor friday 14:20 => dr okafor | day 2026-11-27 | at 14:20
      gym friday 18:00 => gym | day 2026-11-27 | at 18:00
      trained at the gym friday 18:00 => trained at the gym | day 2026-11-20 | at 18:00 | place gym
      gym friday => gym | day 2026-11-20
      friday 18:00 gym => gym | day 2026-11-20 | at 18:00
      """)
    try QuickAddTable.check(
      """
      Zahnarzt Do 8:30 => Zahnarzt | day 2026-11-26 | at 08:30
      Kino Fr um 20 Uhr => Kino | day 2026-11-27 | at 20:00
      war im Kino Fr um 20 Uhr => war im Kino | day 2026-11-20 | at 20:00 | place Kino
      Taufe am 3. Januar => Taufe | day 2027-01-03
      Das Do 8 gelesen => Das Do 8 gelesen
      """, language: .german)
  }

  @Test func takesTheNearerOfTwoDaysWithOneName() throws {
    try QuickAddTable.check(
      """
      rent on the 1st => rent | day 2026-12-01
      paid the rent on the 1st => paid the rent | day 2026-11-01
      christmas eve at gran's => at gran's | day 2026-12-24
      easter monday walk => walk | day 2026-04-06
      """)
  }

  @Test func findsDaysInTheMiddleAndBeforePictographs() throws {
    try QuickAddTable.check(
      """
      first aid course sat 8am to 4pm Leeds => first aid course Leeds | day 2026-11-28 | at 08:00-16:00
      the concert last sunday went on and on => the concert went on and on | day 2026-11-15
      swim yesterday 🏊 => swim 🏊 | day 2026-11-20
      swim thursday!!! => swim!!! | day 2026-11-19
      """)
  }

  @Test func readsHoursInOtherSpellings() throws {
    try QuickAddTable.check(
      """
      flight 7:15a, seat 12C => flight, seat 12C | at 07:15
      course 19h-20:30, tired => course, tired | at 19:00-20:30
      awake from 3 until nearly 5 => awake | at 03:00-05:00
      match sunday half 2 away => match away | day 2026-11-22 | at 14:30
      Ed's dentist Thurs 3:15 => Ed's dentist | day 2026-11-26 | at 15:15
      concert tmrw arvo => concert | day 2026-11-22 | at 12:00
      evening walk by the canal => evening walk by the canal | at 18:00
      bike tour 4:18 h, 112 km => bike tour 4:18 h, 112 km | for 258 | 112 km
      """)
    try QuickAddTable.check(
      """
      Handwerker morgen zw 8 und 12 => Handwerker | day 2026-11-22 | at 08:00-12:00
      zwischen 8 und 12 Gäste gezählt => zwischen 8 und 12 Gäste gezählt
      Zahnarzt 1.12. 11h => Zahnarzt | day 2026-12-01 | at 11:00
      Klausur 1.12. um 8 Uhr => Klausur | day 2026-12-01 | at 08:00
      Schicht 13.30-21.30 für Jan => Schicht für Jan | at 13:30-21:30
      Konzert am 3. Advent, 17 Uhr => Konzert | day 2026-12-13 | at 17:00
      Elternabend am Montag in einer Woche => Elternabend | day 2026-11-30
      Probe Montagabend 19.30 => Probe | day 2026-11-23 | at 19:30
      """, language: .german)
  }

  @Test func readsTemperaturesRatesAndCurrencyCodes() throws {
    try QuickAddTable.check(
      """
      scorcher, 41 degrees => scorcher, 41 degrees | 41 degrees
      fever 38.9 °C => fever 38.9 °C | 38.9 °C
      frost, minus 9 degrees => frost, minus 9 degrees
      -3 °C in the greenhouse => -3 °C in the greenhouse | place greenhouse
      turned 180 degrees => turned 180 degrees
      64 km, avg 27.8 km/h => 64 km, avg 27.8 km/h | 64 km | 27.8 km/h
      sugar 7.8 mmol/l, 6 units => sugar 7.8 mmol/l, 6 units | 7.8 mmol/l | 6 units
      meter 18342 kWh => meter 18342 kWh | 18342 kWh
      #acme 2h 20m bugs, 45m emails => 2h 20m bugs, 45m emails | tags acme | 185 minutes
      won CHF 12 => won CHF 12 | 12 CHF
      """)
  }

  @Test("An entry has one amount for each unit; only times and prices add up unasked")
  func keepsTheFirstOfSeveralAmounts() throws {
    try QuickAddTable.check(
      """
      dough: 400 g flour, 260 g water => dough: 400 g flour, 260 g water | 400 g
      cat 5.1 kilos, should drop 1kg => cat 5.1 kilos, should drop 1kg | 5.1 kg
      plants: thyme £1.20 mint £1.90 => plants: thyme £1.20 mint £1.90 | 3.1 £
      swam 2 km, cycled 30 km => swam 2 km, cycled 30 km | 2 km
      ran 4 km plus 2 km => ran 4 km plus 2 km | 6 km
      40 min piano, 20 min scales => 40 min piano, 20 min scales | 60 minutes
      """)
    try QuickAddTable.check(
      """
      300 g Mehl, 200 g Zucker => 300 g Mehl, 200 g Zucker | 300 g
      4 km gelaufen, nochmal 2 km => 4 km gelaufen, nochmal 2 km | 6 km
      """, language: .german)
  }

  @Test func readsWholeDatesAnywhere() throws {
    try QuickAddTable.check(
      """
      recital is 4th december need shoes => recital is 4th december need shoes | day 2026-12-04
      passport renewed 18/11/26 with Sam => passport renewed with Sam | day 2026-11-18 | people Sam Lee
      dentist 01/12/25 => dentist | day 2025-12-01
      quiz 4th Dec 7 pm onwards, bring snacks => quiz, bring snacks | day 2026-12-04 | at 19:00
      market 3 pm onwards, cheap veg => market, cheap veg | at 15:00
      Sun 29th Fun run, ask about parking => Fun run, ask about parking | day 2026-11-29
      Sunday 29th Birthday cards => Sunday 29th Birthday cards
      fire drill tue 8th 10-11.30 bring badge => fire drill bring badge | day 2026-12-08 | at 10:00-11:30
      """)
  }

  @Test func readsFurtherHours() throws {
    try QuickAddTable.check(
      """
      crane course Tue 0745 Dover => crane course Dover | day 2026-11-24 | at 07:45
      ferry DOV-CLS 0610-0805L, calm => ferry DOV-CLS, calm | at 06:10-08:05
      babysitting tonight from 8 => babysitting from 8 | at 20:00
      league game weds ko 7:15, ref with Sam => league game ko, ref with Sam | day 2026-11-25 | at 19:15 | people Sam Lee
      under tens, ko 10:15, 2-3, one yellow => under tens, ko, 2-3, one yellow | at 10:15
      two shifts 6.20-9.50 n 14.00-17.30 => two shifts 6.20-9.50 n 14.00-17.30 | at 06:20-09:50
      duty 14-22h, quiet => duty, quiet | at 14:00-22:00
      first swallow today, 3.40 in the afternoon over the barn => first swallow, over the barn | at 15:40
      """)
    try QuickAddTable.check(
      """
      Aufbruch um 4 in der Früh, viel Nebel => Aufbruch, viel Nebel | at 04:00
      Lesung viertel neun mit Sam Lee => Lesung mit Sam Lee | at 08:15 | people Sam Lee
      Messestand Do 14 bis 18 Uhr => Messestand | day 2026-11-26 | at 14:00-18:00
      am Donnerstag Treffen, 19.45 Einlass => Treffen, Einlass | day 2026-11-26 | at 19:45
      Techniker 1. Dezember zw. 8 und 10 => Techniker | day 2026-12-01 | at 08:00-10:00
      """, language: .german)
  }

  @Test func readsShortWeekdaysBetweenOtherWords() throws {
    try QuickAddTable.check(
      """
      Sat tips £51.40 => tips £51.40 | 51.4 £
      Sun cream £8.50 => Sun cream £8.50 | 8.5 £
      Sat nav £80 => Sat nav £80 | 80 £
      Fri tips £48, shop shut 6pm => tips £48, shop shut | day 2026-11-20 | at 18:00 | 48 £
      overtime worked mon - tired => overtime worked - tired | day 2026-11-16
      wanted sun - got rain => wanted sun - got rain
      Sat reading quietly => Sat reading quietly
      swim gala thurs gonna faint => swim gala gonna faint | day 2026-11-26
      hike on Sun if it stays dry => hike if it stays dry | day 2026-11-22
      sunday arvo picnic, bring plates => picnic, bring plates | day 2026-11-22 | at 12:00
      cousin landing Sunday 6.20am, promised to meet him => cousin landing, promised to meet him | day 2026-11-22 | at 06:20
      party fri nite!! => party!! | day 2026-11-20 | at 18:00
      """)
  }
}
