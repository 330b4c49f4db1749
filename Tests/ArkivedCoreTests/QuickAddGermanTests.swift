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
      am 31. Februar Zahnarzt => error: There is no such day as 31. Februar; write a date that is in the calendar.
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
      am 5. Jan. Umzug => Umzug | day 2026-01-05
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
        == "In der Zeile steht nur: ein Tag und Schlagwörter. Schreibe daneben, was getan wurde.")
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
}
