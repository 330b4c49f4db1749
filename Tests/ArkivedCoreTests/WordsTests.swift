import Foundation
import Testing

@testable import ArkivedCore

/// Texts and their languages.
@Suite struct WordsTests {
  @Test func everyCatalogueIsSoundAndPutsInWhatTheEnglishTextDoes() throws {
    for language in Language.all where language != .english {
      let entries = try PortableObject(parsing: Catalogue.source(of: language)).entries
      #expect(entries.count > 1_000)
      for entry in entries {
        #expect(entry.problem == nil)
        #expect(entry.isUsable, "not translated: \(entry.key)")
        #expect(entry.forms.count == (entry.plural == nil ? 1 : 2), "\(entry.key)")
      }
      #expect(Set(entries.map(\.key)).count == entries.count)
    }
  }

  @Test func figuresOfADayHaveTheDecimalSignOfTheLanguage() throws {
    let now = Instant(milliseconds: 0)
    let metric = DayMetric(
      id: UUID(), dayKey: DayKey(clamping: 0), metric: "weight", unit: "kg", value: 72.5,
      source: "scale", createdAt: now, updatedAt: now)
    var (steps, sleep) = (metric, metric)
    (steps.metric, steps.unit, steps.value) = ("steps", "count", 8_827)
    (sleep.metric, sleep.unit, sleep.value) = ("sleepMinutes", "min", 463)
    #expect(MetricText.amount(steps) == "8,827" && MetricText.amount(sleep) == "7 h 43 min")
    #expect(ShownDates.speaking(.german) { MetricText.amount(steps) } == "8.827")
    (sleep.unit, sleep.value) = ("h", 7.5)
    #expect(MetricText.amount(sleep) == "7.5 h")
    var weather = Weather(conditions: "Regen", temperatureCelsius: 12.5, humidityPercent: 80.5)
    func texts() -> [String?] {
      [MetricText.amount(metric), weather.shownText, weather.shownTypedText]
    }
    #expect(texts() == ["72.5 kg", "Regen, 12.5 °C", "Regen, 12.5 °C, 80.5 %"])
    #expect(
      ShownDates.speaking(.german) { texts() }
        == ["72,5 kg", "Regen, 12,5 °C", "Regen, 12,5 °C, 80,5 %"])
    // What was typed in German is read as the same weather, and files keep the decimal point.
    let typed = ShownDates.speaking(.german) { weather.shownTypedText }
    #expect(try Weather.typed(typed) == weather)
    #expect(ShownDates.speaking(.german) { weather.text } == "Regen, 12.5 °C")
    weather.temperatureCelsius = nil
    #expect(weather.shownText == "Regen")
  }

  @Test func aPhraseKeepsItsSentenceAndWhatIsPutInApart() {
    let count = 3
    let phrase: Phrase = "Show previous \(count)"
    #expect(phrase.key == "Show previous {1}")
    #expect(phrase.text(in: .english) == "Show previous 3")
    #expect(phrase.text(in: .german) == "Vorherige 3 anzeigen")
    // What is put in is not looked through again.
    #expect(said("Merge \("{2}") into \("{1}")", in: .german) == "{2} mit {1} zusammenführen")
    #expect(said("a text that no catalogue has", in: .german) == "a text that no catalogue has")
    #expect(saidWhole("Save") == "Save")
    #expect(ShownDates.speaking(.german) { saidWhole("Save") } == "Speichern")
    #expect(said("Save") == "Save")
  }

  @Test func numbersOfThingsTakeTheirForms() {
    func told(_ count: Int) -> Phrase {
      Phrase(count, one: "\(count) entry", other: "\(count) entries")
    }
    #expect(
      [0, 1, 2].map { told($0).text(in: .english) } == ["0 entries", "1 entry", "2 entries"])
    #expect(
      [0, 1, 2].map { told($0).text(in: .german) } == ["0 Einträge", "1 Eintrag", "2 Einträge"])
    let days = { Phrase(counting: $0, one: "day", many: "days") }
    #expect([1, 1_200].map { days($0).text(in: .english) } == ["1 day", "1,200 days"])
    #expect(ShownDates.speaking(.german) { days(1_200).text() } == "1.200 Tage")
    #expect(told(12_500).text(in: .english) == "12,500 entries")
    #expect(ShownDates.speaking(.german) { told(12_500).text() } == "12.500 Einträge")
    let acts = Phrase(
      1, one: "One change is waiting for your approval.",
      other: "\(1) changes are waiting for your approval.")
    #expect(acts.text(in: .german) == "Eine Änderung wartet auf deine Freigabe.")
    // A singular without the number has its own first argument.
    func left(_ count: Int) -> Phrase {
      Phrase(
        count, one: "There’s only one\(" in March").",
        other: "There are only \(count)\(" in March").")
    }
    #expect(left(1).text(in: .english) == "There’s only one in March.")
    #expect(left(2).text(in: .english) == "There are only 2 in March.")
    #expect(left(1).text(in: .german) == "Es gibt nur ein Ergebnis in March.")
    #expect(left(2).text(in: .german) == "Es gibt nur 2 Ergebnisse in March.")
  }

  @Test func whatIsNotTranslatedOrNotSoundIsSaidInEnglish() throws {
    let catalogue = try Catalogue(
      .german,
      parsing: """
        msgid ""
        msgstr "Language: de\\n"

        msgid "Save {1}"
        msgstr "Speichern"

        msgid "Edit"
        msgstr ""

        #, fuzzy
        msgid "Stop"
        msgstr "Halt"

        msgid "long "
        "text"
        msgstr "langer \\"Text\\""
        """)
    for key in ["Save {1}", "Edit", "Stop", "nothing"] {
      #expect(catalogue.pattern(key, count: nil) == nil)
    }
    #expect(catalogue.pattern("long text", count: nil) == "langer \"Text\"")
    for (text, line) in [("msgid \"a", 1), ("\nmsgstr \"a\"", 2), ("msgid \"a\"\nother \"b\"", 2)] {
      let error = #expect(throws: PortableObjectError.self) {
        try Catalogue(.german, parsing: text)
      }
      #expect(error?.line == line)
    }
  }

  @Test(arguments: [
    ("de", "de"), ("de-AT, en;q=0.8", "de"), ("en-GB,de;q=0.9", "en"), ("fr, de;q=0.5", "de"),
    ("fr", "en"), ("", "en"), ("de;q=0", "en"), ("en;q=0.1, DE-ch;q=0.2", "de"), ("*", "en"),
    ("de;q=nonsense, en;q=0.1", "en"), ("den, en", "en"), (";;;,,,q=1", "en"),
  ])
  func theBrowsersWishIsTaken(header: String, code: String) {
    #expect(Language.accepted(header).code == code)
  }

  @Test func theTerminalsLocaleIsTaken() {
    for (environment, code) in [
      ([:], "en"), (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "C"], "en"),
      (["LC_MESSAGES": "de_AT", "LANG": "en_GB"], "de"),
      (["LC_ALL": "C.UTF-8", "LANG": "de_DE"], "en"),
      (["ARKIVED_LANGUAGE": "en", "LANG": "de_DE"], "en"), (["ARKIVED_LANGUAGE": "Deutsch"], "de"),
      (["ARKIVED_LANGUAGE": "", "LANG": "de"], "de"), (["LANG": "fr_FR"], "en"),
    ] as [([String: String], String)] {
      #expect(Language.ofTerminal(environment).code == code, "\(environment)")
    }
  }

  @Test func daysAndNumbersAreWrittenAsTheLanguageDoes() throws {
    let day: DayKey = try #require(DayKey("2026-11-23"))
    #expect(day.shownLongName == "Monday 23 November 2026")
    #expect(AmountText.shown(1_234.5) == "1234.5" && AmountText.grouped(1_234) == "1,234")
    let span = day...day.advanced(by: 6)
    #expect(SpanText.shownDays(span) == "23–29 November 2026")
    ShownDates.speaking(.german) {
      #expect(day.shownLongName == "Montag, 23. November 2026")
      #expect(day.shownDayAndMonth == "23. November")
      #expect(AmountText.shown(1_234.5) == "1234,5" && AmountText.grouped(1_234) == "1.234")
      #expect(SpanText.shownDays(span) == "23.–29. November 2026")
      #expect(MonthName.short(3) == "Mär" && Language.current.short(.monday) == "Mo")
      // What programs and questions read stays.
      #expect(day.longName == "Monday, 23 November 2026")
      #expect(SpanText.days(span) == "23–29 November 2026")
    }
    // Whoever speaks German is not told the month first.
    var preferences = Preferences()
    (preferences.dateOrder, preferences.language) = (.monthDay, .german)
    ShownDates.$preferences.withValue(preferences) {
      #expect(day.shownName == "23. November 2026")
    }
  }

  @Test func keptSentencesAreSaidAgain() {
    #expect(saidAgain("Deleted “Standup”.") == "Deleted “Standup”.")
    ShownDates.speaking(.german) {
      for (sentence, german) in [
        ("Deleted “Standup”.", "„Standup“ gelöscht."),
        ("Added the goal “Run {1} “x””", "Ziel „Run {1} “x”“ hinzugefügt"),
        ("Undid: Added “a”", "Rückgängig gemacht: „a“ hinzugefügt"),
        ("Linked “a” with “b”", "„a“ mit „b“ verknüpft"), ("is missing", "fehlt"),
        (
          "is “12.30.”, but must be a day such as 2026-03-14",
          "ist “12.30.”, muss aber ein Tag wie 2026-03-14 sein"
        ),
        ("is “x”, but must look like #1A7F4B", "ist “x”, muss aber aussehen wie #1A7F4B"),
        (
          "is 0, but must be greater than 0 and at most 1000",
          "ist 0, muss aber größer als 0 und höchstens 1000 sein"
        ),
        ("is 7, but must be between 1 and 5", "ist 7, muss aber zwischen 1 und 5 liegen"),
        ("contains a NUL character. Remove it", "enthält ein NUL-Zeichen. Entferne es"),
        ("Saved.", "Gespeichert."), ("something of its own", "something of its own"),
        ("Deleted “”", "„“ gelöscht"), ("", ""), (".", "."),
        (
          "left out: mood is 9, but must be between 1 and 5",
          "übersprungen: mood ist 9, muss aber zwischen 1 und 5 liegen"
        ),
        (
          "Life.zip: the zip archive can’t be read: it’s empty. Nothing was imported.",
          "Life.zip: das Zip-Archiv kann nicht gelesen werden: es ist leer. Es wurde nichts importiert."
        ),
        (
          "a.ics: this calendar needs a name and password, or a token (401). Enter them.",
          "a.ics: dieser Kalender braucht Namen und Passwort oder ein Token (401). Gib sie ein."
        ),
        ("life.jsonl:7 field “mood”", "life.jsonl:7, Feld „mood“"),
        ("The database is intact", "Die Datenbank ist in Ordnung"),
        ("No goal named “Run: now”.", "Kein Ziel namens „Run: now“."),
        ("Deleted #todo from 2 entries.", "#todo gelöscht (2 Einträge)."),
        ("Deleted #todo from 1 entry", "#todo gelöscht (1 Eintrag)"),
        ("Undid: Coloured #todo", "Rückgängig gemacht: #todo eingefärbt"),
        ("Something: of its own", "Something: of its own"),
        ("14 March 2026: mood very good", "14. März 2026: Stimmung sehr gut"),
        ("14 March 2026: no energy.", "14. März 2026: Energie entfernt."),
        ("Moved “14 March 2026” to 15 March 2026", "„14 March 2026“ auf 15. März 2026 verschoben"),
        (
          "Moved “a” to 15 March 2026, 09:00–10:00",
          "„a“ auf 15. März 2026, 09:00–10:00 verschoben"
        ),
        (
          "name is already the name of another template.",
          "name ist schon der Name einer anderen Vorlage."
        ),
        (
          "prompts has more than 300 characters in line 4.",
          "prompts hat in Zeile 4 mehr als 300 Zeichen."
        ),
      ] {
        #expect(saidAgain(sentence) == german)
      }
    }
  }

  @Test func everyKeptSentenceIsKnownByItsForm() {
    let catalogue = Catalogue.of(.german)
    ShownDates.speaking(.german) {
      for line in KeptSentences.lines(KeptSentences.otherRooms) {
        let form = KeptSentences.Form(line)
        var sentence = form.pieces.first ?? ""
        var arguments: [String] = []
        for piece in form.pieces.dropFirst() {
          arguments.append("q\(arguments.count)z")
          sentence += arguments.last ?? ""
          sentence += piece
        }
        let german = saidAgain(sentence)
        #expect(arguments.allSatisfy { german.contains($0) }, "\(line): \(german)")
        let isSame = catalogue?.pattern(form.key, count: nil) == form.key
        #expect(isSame || german != sentence, "\(line)")
      }
    }
  }

  @Test func longAndNestedSentencesAreLookedAtInBounds() {
    let nested = String(repeating: "left out: ", count: 400)
    let endless = String(repeating: "left out: ", count: 4_000)
    ShownDates.speaking(.german) {
      #expect(saidAgain(nested).hasPrefix("übersprungen: übersprungen: "))
      #expect(saidAgain(nested).hasSuffix("left out: "))
      #expect(saidAgain(endless) == endless)
    }
  }
}
