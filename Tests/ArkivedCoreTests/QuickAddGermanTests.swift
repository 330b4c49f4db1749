import ArkivedCore
import Testing

/// German lines typed on Saturday, 21 November 2026, 10:00 in Berlin; the form is that of
/// `QuickAddTableTests`.
@Suite struct QuickAddGermanTests {
  @Test func readsDays() throws {
    try QuickAddTable.check(
      """
      gestern: Zahnarzt => Zahnarzt | day 2026-11-20
      gestern 5 km gelaufen => 5 km gelaufen | day 2026-11-20 | 5 km
      5 km gelaufen gestern => 5 km gelaufen | day 2026-11-20 | 5 km
      vorgestern: Zahnarzt => Zahnarzt | day 2026-11-19
      vorgestern Zahnarzt => Zahnarzt | day 2026-11-19
      übermorgen: Abreise => Abreise | day 2026-11-23
      am Montag Wäsche gewaschen => Wäsche gewaschen | day 2026-11-16
      Wäsche gewaschen am Montag => Wäsche gewaschen | day 2026-11-16
      letzten Freitag Kino => Kino | day 2026-11-20
      am letzten Sonntag Kino => Kino | day 2026-11-15
      diesen Freitag: Kino => Kino | day 2026-11-20
      nächsten Montag: Abreise => Abreise | day 2026-11-23
      am 3. März: Zahnarzt => Zahnarzt | day 2026-03-03
      Zahnarzt am 3. März => Zahnarzt | day 2026-03-03
      3. März 2026: Umzug => Umzug | day 2026-03-03
      am 3. Maerz Umzug => Umzug | day 2026-03-03
      am 3.3.2026 Umzug => Umzug | day 2026-03-03
      am 14.3. Umzug => Umzug | day 2026-03-14
      14.3.2026: Umzug => Umzug | day 2026-03-14
      2026-03-14: Umzug => Umzug | day 2026-03-14
      vor zwei Tagen: Kino => Kino | day 2026-11-19
      vor einer Woche: Kino => Kino | day 2026-11-14
      in drei Tagen: Prüfung => Prüfung | day 2026-11-24
      Straße gefegt gestern => Straße gefegt | day 2026-11-20
      gestern 5 km #sport => 5 km | day 2026-11-20 | tags sport | 5 km
      am 31. Februar Zahnarzt => error: “31. Februar” isn’t a valid date. Enter a different one.
      """, language: .german)
  }

  @Test func readsTimes() throws {
    try QuickAddTable.check(
      """
      gestern um 7 Uhr: 5 km gelaufen => 5 km gelaufen | day 2026-11-20 | at 07:00 | 5 km
      heute 12:30-13:15 Mittagessen mit Sam Lee => Mittagessen mit Sam Lee | at 12:30-13:15 | people Sam Lee
      um halb acht aufgestanden => aufgestanden | at 07:30
      um halb drei Kaffee => Kaffee | at 14:30
      um Viertel nach sieben Frühstück => Frühstück | at 07:15
      um Viertel vor neun los => los | at 08:45
      um dreiviertel neun los => los | at 08:45
      um fünf nach acht Bus => Bus | at 08:05
      um zehn vor acht Bus => Bus | at 07:50
      Besprechung von 9 bis 10 => Besprechung | at 09:00-10:00
      Besprechung von 9 bis 10 Uhr => Besprechung | at 09:00-10:00
      von 9 bis 10 Uhr Besprechung => Besprechung | at 09:00-10:00
      9 bis 10 Uhr Besprechung => Besprechung | at 09:00-10:00
      9-10 Uhr Besprechung => Besprechung | at 09:00-10:00
      von 12:30 bis 13:15 Uhr gegessen => gegessen | at 12:30-13:15
      gestern von 14 bis 16 Uhr gewandert => gewandert | day 2026-11-20 | at 14:00-16:00
      um 7 gelaufen => gelaufen | at 07:00
      um 7: Frühstück => Frühstück | at 07:00
      Mittagessen um 12 => Mittagessen | at 12:00
      um 15 Uhr Kaffee mit Alex Kim => Kaffee mit Alex Kim | at 15:00 | people Alex Kim
      Kaffee um 15 Uhr 30 => Kaffee | at 15:30
      Kaffee um 15:30 Uhr => Kaffee | at 15:30
      Kaffee um 15.30 Uhr => Kaffee | at 15:30
      Abendessen gegen 19 Uhr => Abendessen | at 19:00
      heute um 7 Uhr abends Essen => Essen | at 19:00
      um 3 Uhr nachts aufgewacht => aufgewacht | at 03:00
      gestern Abend Film geschaut => Film geschaut | day 2026-11-20 | at 18:00
      gestern Abend um 8: Essen => Essen | day 2026-11-20 | at 20:00
      heute Morgen 5 km gelaufen => 5 km gelaufen | at 06:00 | 5 km
      heute früh gelaufen => gelaufen | at 06:00
      Freitagabend Kino => Kino | day 2026-11-20 | at 18:00
      am Freitagabend Kino => Kino | day 2026-11-20 | at 18:00
      um Mitternacht geträumt => geträumt | at 00:00
      morgen um 9: Zahnarzt => Zahnarzt | day 2026-11-22 | at 09:00
      vor 2 Stunden Kaffee => Kaffee | at 08:00
      Standup 9:00-9:15 => Standup | at 09:00-09:15
      Fest 23:30-00:30 => Fest | at 23:30-00:30+1
      """, language: .german)
  }

  @Test func readsWhatTheDialAndThePartOfTheDaySayTogether() throws {
    try QuickAddTable.check(
      """
      um fünf vor halb acht Bus => Bus | at 07:25
      um 5 nach halb 8 Bus => Bus | at 07:35
      fünf vor halb acht aufgestanden => aufgestanden | at 07:25
      um drei viertel neun los => los | at 08:45
      heute früh um 6 gelaufen => gelaufen | at 06:00
      gestern Morgen um halb sechs gelaufen => gelaufen | day 2026-11-20 | at 05:30
      um 3 nachts wach => wach | at 03:00
      um 11 Uhr nachts wach => wach | at 23:00
      nachts um 3 wach => nachts wach | at 03:00
      nachmittags um 4 Kaffee => Kaffee | at 16:00
      um 3 Kaffee => Kaffee | at 15:00
      heute Mittag um halb eins gegessen => gegessen | at 12:30
      vorgestern Abend um 8 Kino => Kino | day 2026-11-19 | at 20:00
      vorgestern Nachmittag Kino => Kino | day 2026-11-19 | at 12:00
      5. Jan. 2020: Umzug => Umzug | day 2020-01-05
      am 5. Jan. Umzug => Umzug | day 2027-01-05
      am 5. Jan. umgezogen => umgezogen | day 2026-01-05
      """, language: .german)
  }

  @Test func readsLengthsAndAmounts() throws {
    try QuickAddTable.check(
      """
      Yoga 45 Minuten lang => Yoga | for 45
      Yoga für 45 Minuten => Yoga | for 45
      Yoga um 7 Uhr für 45 Minuten => Yoga | at 07:00-07:45 | for 45
      eine halbe Stunde lang meditiert => meditiert | for 30
      anderthalb Stunden lang gewandert => gewandert | for 90
      zwei Stunden gearbeitet => zwei Stunden gearbeitet | 2 hours
      1,5 Stunden gelesen => 1,5 Stunden gelesen | 1.5 hours
      5,5 km gelaufen => 5,5 km gelaufen | 5.5 km
      10,125 km gelaufen => 10,125 km gelaufen | 10.125 km
      8.000 Schritte => 8.000 Schritte | 8000 steps
      30 Seiten gelesen => 30 Seiten gelesen | 30 pages
      20 Liegestütze => 20 Liegestütze | 20 push-ups
      """, language: .german)
  }

  @Test(arguments: [
    ("letzte Woche", "last week"), ("letzten Monat", "last month"),
    ("im vorigen Jahr", "last year"),
    ("diese Woche", "this week"), ("dieses Jahr", "this year"), ("nächsten Monat", "next month"),
    ("letzten Sommer", "last summer"), ("die letzten 7 Tage", "the last 7 days"),
    ("letztes Wochenende", "last weekend"), ("das letzte Wochenende", "last weekend"),
    ("das nächste Wochenende", "next weekend"), ("das vergangene Jahr", "last year"),
    ("der letzte Sommer", "last summer"), ("bis 10. März", "through 10 March"),
    ("bis zum 10. März 2025", "through 10 March 2025"), ("bis zum 10.3.", "through 10 March"),
    ("bis 10.3.2025", "through 10 March 2025"), ("bis einschließlich 10. März", "by 10 March"),
    ("bis einschließlich März", "through March"), ("bis gestern", "through yesterday"),
    ("bis Freitag", "through friday"), ("vor dem 10.3.", "before 10 March"),
    ("nach dem 10. März", "after 10 March"), ("seit dem 10.3.", "since 10 March"),
    ("ab 10. März", "starting 10 March"), ("ab dem 10.3.", "starting 10 March"),
    ("ab März", "starting in March"), ("ab 2019", "2019 onwards"),
  ])
  func spansOfFiltersAreReadAsInEnglish(german: String, english: String) throws {
    let now = try #require(Instant("2026-11-21T09:00:00Z"))
    let zone = try #require(Zone("Europe/Berlin"))
    let reader = TimeReader(now: now, zone: zone, language: .german)
    let (own, other) = (
      try reader.phrase(german), try TimeReader(now: now, zone: zone).phrase(english)
    )
    #expect(own.from == other.from && own.to == other.to)
  }

  @Test func anHourFromWhichOnSomethingIsStaysOnItsDay() throws {
    let reader = TimeReader(
      now: try #require(Instant("2026-11-21T09:00:00Z")), zone: try #require(Zone("Europe/Berlin")),
      language: .german)
    let day = try #require(DayKey("2026-11-21"))
    #expect(reader.matches(in: "was habe ich ab 14 Uhr").map(\.days) == [day...day])
  }

  @Test func leavesTalkAndOtherWordsAlone() throws {
    try QuickAddTable.check(
      """
      für morgen eingekauft => für morgen eingekauft
      letzte Woche Fieber gehabt => letzte Woche Fieber gehabt
      bis Freitag fertig werden => bis Freitag fertig werden
      Zeitung vom Sonntag => Zeitung vom Sonntag
      jeden Montag Yoga => jeden Montag Yoga
      Gestern war schön => Gestern war schön
      am Anfang war es still => am Anfang war es still
      die Maschine lief fast leer => die Maschine lief fast leer
      ein Buch gelesen => ein Buch gelesen
      Jan getroffen => Jan getroffen
      """, language: .german)
  }

  @Test func understandsEnglishBesideIt() throws {
    try QuickAddTable.check(
      """
      yesterday at 8: swam 2 km => swam 2 km | day 2026-11-20 | at 08:00 | 2 km
      lunch 12:30-13:15 => lunch | at 12:30-13:15
      """, language: .german)
  }

  @Test func saysWhereThePartsStand() throws {
    let line = "gestern um halb acht: 5 km gelaufen #sport"
    let reading = try QuickAddTable.reader(language: .german).read(line)
    #expect(reading.understood.allSatisfy { String(line[$0.range]) == $0.words })
    #expect(reading.typedText == line)
    let label = try ShownDates.speaking(.german) {
      try QuickAddTable.reader(language: .german).read("am Montag: Kino").understood.first?.label
    }
    #expect(label == "Montag, 16. November 2026")
  }

  @Test func refusesInTheLanguageOfTheWork() throws {
    let sentence = try ShownDates.speaking(.german) {
      let reader = try QuickAddTable.reader(language: .german)
      let error = #expect(throws: QuickAddError.self) { try reader.read("gestern #sport") }
      return error?.description
    }
    #expect(
      sentence
        == "In der Zeile steht nur: ein Tag und Schlagwörter. Schreib dazu, was du getan hast.")
  }

  @Test func anyTextIsReadWithoutHarm() throws {
    let reader = try QuickAddTable.reader(language: .german)
    for line in [
      "um", "um um um", "von bis", "halb", "halb halb acht", "9 bis", "bis 9", "um 99 Uhr", "#. #.",
      "3. . 4", "vor", "am am Montag am", "um 7:", "8.000.000 Schritte", "1,,5 km", "𝔲m 7 Uhr",
      String(repeating: "um halb ", count: 3_000), String(repeating: "1.000.", count: 3_000),
    ] {
      _ = try? reader.read(line)
      _ = reader.startsWithTime(line)
    }
  }

  @Test func readsDatesOfAllForms() throws {
    try QuickAddTable.check(
      """
      gestern bis 10 Uhr geschlafen => bis 10 Uhr geschlafen | day 2026-11-20 | until 10:00
      gestern ab 9 Uhr Besprechung => ab 9 Uhr Besprechung | day 2026-11-20 | at 09:00
      geschlafen bis 10 Uhr gestern => geschlafen bis 10 Uhr | day 2026-11-20 | until 10:00
      3.3. Zahnarzt => Zahnarzt | day 2026-03-03
      3.3.: Zahnarzt => Zahnarzt | day 2026-03-03
      24.12. Bescherung => Bescherung | day 2026-12-24
      24.12. Plätzchen gebacken => Plätzchen gebacken | day 2025-12-24
      3.3.2026 Zahnarzt => Zahnarzt | day 2026-03-03
      3.3.26 Zahnarzt => Zahnarzt | day 2026-03-03
      am 3.3.26 Zahnarzt => Zahnarzt | day 2026-03-03
      am 3.3.25 Zahnarzt => Zahnarzt | day 2025-03-03
      Zahnarzt am 3.3.25 => Zahnarzt | day 2025-03-03
      am 3.3.2025 Zahnarzt => Zahnarzt | day 2025-03-03
      1.5. frei => frei | day 2026-05-01
      Mo: Standup => Standup | day 2026-11-16
      am Mo Standup => Standup | day 2026-11-16
      am Di. Standup => Standup | day 2026-11-17
      letzten Fr Kino => Kino | day 2026-11-20
      gestern von 9 bis 10 Leuten besucht => von 9 bis 10 Leuten besucht | day 2026-11-20
      Montag, 9.11.: Zahnarzt => Zahnarzt | day 2026-11-09
      Montag 9.11. Zahnarzt => Zahnarzt | day 2026-11-09
      am Montag, 9.11. Zahnarzt => Zahnarzt | day 2026-11-09
      am Montag, den 9.11. Zahnarzt => Zahnarzt | day 2026-11-09
      Montag, 9. November: Zahnarzt => Zahnarzt | day 2026-11-09
      Mo 9.11. Zahnarzt => Zahnarzt | day 2026-11-09
      Mo, 9.11.: Zahnarzt => Zahnarzt | day 2026-11-09
      Mo, 9.11.2026: Zahnarzt => Zahnarzt | day 2026-11-09
      Montag 9.11.2026 Zahnarzt => Zahnarzt | day 2026-11-09
      Zahnarzt am Montag, 9.11. => Zahnarzt | day 2026-11-09
      am ersten Mai Demo => Demo | day 2026-05-01
      am sechzehnten November Zahnarzt => Zahnarzt | day 2026-11-16
      am achten März Zahnarzt => Zahnarzt | day 2026-03-08
      am dreizehnten Mai Zahnarzt => Zahnarzt | day 2026-05-13
      am zwanzigsten Mai Zahnarzt => Zahnarzt | day 2026-05-20
      am siebten Mai Zahnarzt => Zahnarzt | day 2026-05-07
      am zweiten Mai Zahnarzt => Zahnarzt | day 2026-05-02
      am einundzwanzigsten Mai Zahnarzt => Zahnarzt | day 2026-05-21
      an Weihnachten bei Mama => bei Mama | day 2026-12-25
      an Heiligabend bei Mama => bei Mama | day 2026-12-24
      Heiligabend: bei Mama => bei Mama | day 2026-12-24
      an Silvester mit Sam Lee => mit Sam Lee | day 2026-12-31 | people Sam Lee
      am Ostermontag gewandert => gewandert | day 2026-04-06
      """, language: .german)
  }

  @Test func tellsHoursFromAmounts() throws {
    try QuickAddTable.check(
      """
      gestern von 9 bis 10 Besprechung => Besprechung | day 2026-11-20 | at 09:00-10:00
      am Montag von 9 bis 11 Workshop => Workshop | day 2026-11-16 | at 09:00-11:00
      gestern zwischen 15 und 17 Uhr Garten => Garten | day 2026-11-20 | at 15:00-17:00
      zwischen 15 und 17 Uhr Garten => Garten | at 15:00-17:00
      zwischen 14:30 und 16 Uhr Garten => Garten | at 14:30-16:00
      zwischen 3 und 4 Leute da => zwischen 3 und 4 Leute da
      16h30 Kaffee => Kaffee | at 16:30
      um 16h Kaffee => Kaffee | at 16:00
      um 16h30 Kaffee => Kaffee | at 16:30
      um 16.30 Kaffee => Kaffee | at 16:30
      um 16.30 Uhr Kaffee => Kaffee | at 16:30
      um 3.30 Kaffee => Kaffee | at 15:30
      um 03.30 wach => wach | at 03:30
      um 2.50 € teurer => um 2.50 € teurer
      um 2.50 Euro teurer => um 2.50 Euro teurer
      um 16.30 km gekürzt => um 16.30 km gekürzt | 16.3 km
      von 9.30 bis 10.30 Besprechung => Besprechung | at 09:30-10:30
      gestern von 9.30 bis 10.30 Besprechung => Besprechung | day 2026-11-20 | at 09:30-10:30
      gegen 5 Kaffee => Kaffee | at 17:00
      gegen 5 Gegner gewonnen => gegen 5 Gegner gewonnen
      kurz nach 5 Kaffee => kurz nach 5 Kaffee
      nach 5 Bier nach Hause => nach 5 Bier nach Hause | 5 beers
      heute morgen um 7 Uhr 5 km gelaufen => 5 km gelaufen | at 07:00 | 5 km
      gestern um 9 Uhr 30 Treffen => Treffen | day 2026-11-20 | at 09:30
      um 9 Uhr 30 Treffen mit Sam => Treffen mit Sam | at 09:30 | people Sam Lee
      um 9 Uhr 30 Minuten Yoga => 30 Minuten Yoga | at 09:00 | 30 minutes
      um 9 Uhr 2 Kollegen getroffen => 2 Kollegen getroffen | at 09:00
      um 9 Uhr 20 Leute da => 20 Leute da | at 09:00
      um 8 Uhr 2 Kaffee => 2 Kaffee | at 08:00 | 2 coffees
      um 8 Uhr 10 km gelaufen => 10 km gelaufen | at 08:00 | 10 km
      um 8 Uhr 10,5 km gelaufen => 10,5 km gelaufen | at 08:00 | 10.5 km
      um 8 Uhr 10.000 Schritte => 10.000 Schritte | at 08:00 | 10000 steps
      um 8 Uhr 20 Seiten gelesen => 20 Seiten gelesen | at 08:00 | 20 pages
      um 8 Uhr 30 20 Seiten gelesen => 20 Seiten gelesen | at 08:30 | 20 pages
      neun Uhr dreißig Treffen => Treffen | at 09:30
      um neun Uhr fünf Kollegen getroffen => fünf Kollegen getroffen | at 09:00
      8 Uhr 12 Eier gekauft => 12 Eier gekauft | at 08:00
      letzte Nacht um 2 aufgewacht => aufgewacht | at 02:00
      gestern Nacht um 2 aufgewacht => aufgewacht | at 02:00
      heute Nacht um 2 aufgewacht => aufgewacht | at 02:00
      letzte Nacht um 11 eingeschlafen => eingeschlafen | day 2026-11-20 | at 23:00
      Freitagnacht um 1 heim => heim | at 01:00
      vor einer halben Stunde Kaffee => Kaffee | at 09:30
      Kaffee vor einer halben Stunde => Kaffee | at 09:30
      vor zweieinhalb Stunden Kaffee => Kaffee | at 07:30
      achteinhalb Stunden geschlafen => achteinhalb Stunden geschlafen | 510 minutes
      zweieinhalb Stunden lang gewandert => gewandert | for 150
      am 3.3.2025 um 9 Uhr Zahnarzt => Zahnarzt | day 2025-03-03 | at 09:00
      1.5 l Wasser => 1.5 l Wasser | 1.5 l
      Di 9-10 Uhr Standup => Standup | day 2026-11-17 | at 09:00-10:00
      Mo 9:00 Standup => Standup | day 2026-11-16 | at 09:00
      Mi, 9 Uhr: Standup => Standup | day 2026-11-18 | at 09:00
      So 9 Uhr aufgestanden => aufgestanden | day 2026-11-15 | at 09:00
      So war das also => So war das also
      So um 9 Uhr wach => wach | day 2026-11-15 | at 09:00
      Do it yourself => Do it yourself
      Mi casa es su casa => Mi casa es su casa
      am so genannten Tag => am so genannten Tag
      3x10 Liegestütze => 3x10 Liegestütze | 30 push-ups
      3 x 10 Liegestütze => 3 x 10 Liegestütze | 30 push-ups
      4x400m gelaufen => 4x400m gelaufen | 1600 m
      1h20 Rad => 1h20 Rad | 80 minutes
      7h30 geschlafen => 7h30 geschlafen | 450 minutes
      2h gelesen => 2h gelesen | 2 hours
      2 h gelesen => 2 h gelesen | 2 hours
      2,5h gelesen => 2,5h gelesen | 2.5 hours
      1 h 20 min Rad => 1 h 20 min Rad | 80 minutes
      zwischen 3 und 4 Leute da => zwischen 3 und 4 Leute da
      von 3 bis 5 Garten => Garten | at 15:00-17:00
      gestern Abend um 8 Leute eingeladen => um 8 Leute eingeladen | day 2026-11-20 | at 18:00
      um 8 Leute eingeladen => um 8 Leute eingeladen
      heute um 3 verschiedene Dinge gekümmert => um 3 verschiedene Dinge gekümmert
      um 2 Euro gewettet => um 2 Euro gewettet
      um 20 Euro gewettet => um 20 Euro gewettet
      um 5 Minuten verpasst => um 5 Minuten verpasst | 5 minutes
      um 20 € gewettet => um 20 € gewettet
      um 5 % gestiegen => um 5 % gestiegen
      am Montag, den 9. November um 14 Uhr Zahnarzt => Zahnarzt | day 2026-11-09 | at 14:00
      3 mal 10 Liegestütze => 3 mal 10 Liegestütze | 30 push-ups
      zweimal 5 km => zweimal 5 km | 10 km
      dreimal gelaufen => dreimal gelaufen
      3 mal gelaufen => 3 mal gelaufen
      Rad 20 km 1 h 10 => Rad 20 km 1 h 10 | 20 km | 70 minutes
      7 Std 30 geschlafen => 7 Std 30 geschlafen | 450 minutes
      am zweiten Tag müde => am zweiten Tag müde
      Abendessen gegen sieben => Abendessen | at 19:00
      um 6 aufgestanden => aufgestanden | at 06:00
      um 5 wach => wach | at 05:00
      um halb 6 aufgestanden => aufgestanden | at 05:30
      um 6 Frühstück => Frühstück | at 06:00
      um 18 Uhr Frühstück => Frühstück | at 18:00
      gestern um 6 aufgestanden => aufgestanden | day 2026-11-20 | at 06:00
      gestern Nachmittag um 4 aufgewacht => aufgewacht | day 2026-11-20 | at 16:00
      um 3 vom Mittagsschlaf aufgewacht => vom Mittagsschlaf aufgewacht | at 15:00
      um 4 Kaffee => Kaffee | at 16:00
      am Freitag, dem 13.11. Kino => Kino | day 2026-11-13
      am Freitag dem 13. November Kino => Kino | day 2026-11-13
      am 20.11 Kino => Kino | day 2026-11-20
      Kino am 20.11 => Kino | day 2026-11-20
      am 20.11, Kino => Kino | day 2026-11-20
      am 20.11.26 Kino => Kino | day 2026-11-20
      am 3.5 km Lauf teilgenommen => am 3.5 km Lauf teilgenommen | 3.5 km
      am 3.5 Euro => am 3.5 Euro
      Freitag Abend Kino => Kino | day 2026-11-20 | at 18:00
      Freitag Abend um 8 Kino => Kino | day 2026-11-20 | at 20:00
      Montag morgen um 6 gelaufen => gelaufen | day 2026-11-16 | at 06:00
      Tablette um 8 und um 20 Uhr => Tablette um 8 und um 20 Uhr
      gestern in Rom: Museum => in Rom: Museum | day 2026-11-20 | place Rom
      um 8 oder 9 Essen => um 8 oder 9 Essen
      20 Uhr-Essen => Essen | at 20:00
      10 500 Schritte => 10 500 Schritte | 10500 steps
      1'200 Schritte => 1'200 Schritte | 1200 steps
      0,5 l Bier => 0,5 l Bier | 0.5 l
      5 bis 6 km gelaufen => 5 bis 6 km gelaufen
      20 bis 30 Seiten => 20 bis 30 Seiten
      heute vor einem Jahr: Umzug => Umzug | day 2025-11-21
      heute vor 2 Wochen Umzug => Umzug | day 2026-11-07
      halb 3 Uhr Kaffee => Kaffee | at 14:30
      um halb drei Uhr Kaffee => Kaffee | at 14:30
      um Viertel nach sieben Uhr Frühstück => Frühstück | at 07:15
      So. 20:15 Tatort => Tatort | day 2026-11-15 | at 20:15
      Mi., 9 Uhr: Standup => Standup | day 2026-11-18 | at 09:00
      So. war das => So. war das
      Kaffee mit Sam => Kaffee mit Sam | people Sam Lee
      Kaffee mit Sam und Priya => Kaffee mit Sam und Priya | people Sam Lee,Priya Nair
      bei Sam gegessen => bei Sam gegessen | people Sam Lee
      Kuchen für Priya => Kuchen für Priya | people Priya Nair
      Kaffee mit Alex => Kaffee mit Alex
      Samstag mit Samt genäht => Samstag mit Samt genäht
      mit will nichts => mit will nichts
      32.1. x => 32.1. x
      am 31. Februar x => error: “31. Februar” isn’t a valid date. Enter a different one.
      31.11. x => error: “31.11.” isn’t a valid date. Enter a different one.
      Montag, 31.2.: x => error: “Montag, 31.2.” isn’t a valid date. Enter a different one.
      Standup (Arbeit) 9 Uhr => Standup | at 09:00 | kind work
      Standup (work) => Standup | kind work
      Lauf #gesundheit => Lauf | kind health | tags gesundheit
      Zug nach Rom (Reisen) => Zug nach Rom | kind travel
      """, language: .german)
  }
}
