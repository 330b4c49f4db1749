/// German, as data.
extension TimeWording {
  static let german = TimeWording(
    clocks: [
      Clock("# : # uhr", .minutesBehind), Clock("# . # uhr", .minutesBehind),
      Clock("# uhr #", .minutesBehind), Clock("# uhr", .whole), Clock("halb # uhr", .minutes(-30)),
      Clock("halb #", .minutes(-30)), Clock("dreiviertel # uhr", .minutes(-15)),
      Clock("viertel nach # uhr", .minutes(15)), Clock("viertel vor # uhr", .minutes(-15)),
      Clock("viertel #", .minutes(-45)), Clock("dreiviertel #", .minutes(-15)),
      Clock("drei viertel #", .minutes(-15)),
      Clock("# minuten nach halb #", .afterHalf), Clock("# minuten vor halb #", .beforeHalf),
      Clock("# nach halb #", .afterHalf), Clock("# vor halb #", .beforeHalf),
      Clock("viertel nach #", .minutes(15)),
      Clock("viertel vor #", .minutes(-15)), Clock("# minuten nach #", .after),
      Clock("# minuten vor #", .before), Clock("# nach #", .after), Clock("# vor #", .before),
      Clock("# . #", .dotted),
    ],
    clockLeads: [
      "um": "at", "gegen": "around", "von": "from", "zwischen": "between", "zw": "between",
    ],
    halves: [
      "morgens": .first, "früh": .first, "vormittags": .first, "nachts": .night,
      "mittags": .second, "nachmittags": .second, "abends": .second,
    ],
    early: germanEarly, drinks: ["coffees", "beers"], just: ["kurz"],
    rules: RuleTable(allGermanRules),
    words: germanWords, numbers: germanNumbers,
    times: ["zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5], ordinals: germanOrdinals,
    weekdays: germanWeekdays, shortDays: germanShortDays,
    months: germanMonths, units: germanUnits,
    counted: [
      "leute", "leuten", "personen", "menschen", "gäste", "gästen", "kinder", "kindern", "freunde",
      "freunden", "kollegen", "kunden", "mal", "euro", "cent", "dollar", "prozent", "grad", "mails",
      "anrufe", "briefe", "stück", "punkte", "fotos", "eier", "karten", "verschiedene",
      "verschiedenen", "andere", "anderen", "weitere", "weiteren", "neue", "neuen",
    ],
    silenced: [
      "am", "in", "an", "was", "die", "so", "last", "half", "fall", "also", "all", "fast", "art",
      "bald", "mal", "man",
    ])

  private static let allGermanRules: [Rule] = {
    let rules = [
      LineLexicon.shared.german, germanOpenings, germanDated, germanRules, germanHalves,
      germanFeasts, germanSpans,
    ].flatMap { $0 }
    // In the south, "heute" is "heut".
    return rules
      + rules.filter { $0.says.first == "heute" }.map {
        Rule((["heut"] + $0.says.dropFirst()).joined(separator: " "), $0.means)
      }
  }()

  private static let germanRules: [Rule] = [
    Rule("heute morgen", "this morning"), Rule("heute früh", "this morning"),
    Rule("heute in der früh", "this morning"), Rule("in der früh", "in the morning"),
    Rule("am %day in einer woche", "on $1 week"),
    Rule("heute vormittag", "this morning"), Rule("heute nachmittag", "this afternoon"),
    Rule("heute abend", "this evening"), Rule("heute nacht", "tonight"),
    Rule("heute mittag", "today at 12:00"),
    Rule("gestern morgen", "yesterday morning"), Rule("gestern früh", "yesterday morning"),
    Rule("gestern vormittag", "yesterday morning"),
    Rule("gestern nachmittag", "yesterday afternoon"),
    Rule("gestern abend", "yesterday evening"), Rule("gestern nacht", "last night"),
    Rule("gestern mittag", "yesterday at 12:00"),
    Rule("letzte nacht", "last night"), Rule("morgen früh", "tomorrow morning"),
    Rule("vorgestern morgen", "the day before yesterday morning"),
    Rule("vorgestern früh", "the day before yesterday morning"),
    Rule("vorgestern vormittag", "the day before yesterday morning"),
    Rule("vorgestern mittag", "the day before yesterday at 12:00"),
    Rule("vorgestern nachmittag", "the day before yesterday afternoon"),
    Rule("vorgestern abend", "the day before yesterday evening"),
    Rule("übermorgen früh", "the day after tomorrow morning"),
    Rule("übermorgen vormittag", "the day after tomorrow morning"),
    Rule("übermorgen mittag", "the day after tomorrow at 12:00"),
    Rule("übermorgen nachmittag", "the day after tomorrow afternoon"),
    Rule("übermorgen abend", "the day after tomorrow evening"),
    Rule("morgen vormittag", "tomorrow morning"),
    Rule("morgen nachmittag", "tomorrow afternoon"), Rule("morgen abend", "tomorrow evening"),
    Rule("am morgen", "in the morning"), Rule("am vormittag", "in the morning"),
    Rule("am nachmittag", "in the afternoon"), Rule("am abend", "in the evening"),
    Rule("um mitternacht", "at midnight"), Rule("am mittag", "at noon"),
    Rule("am letzten %day", "last $1"), Rule("am vergangenen %day", "last $1"),
    Rule("am vorigen %day", "last $1"), Rule("am nächsten %day", "next $1"),
    Rule("am kommenden %day", "next $1"), Rule("letzten %day", "last $1"),
    Rule("vergangenen %day", "last $1"), Rule("vorigen %day", "last $1"),
    Rule("diesen %day", "this $1"), Rule("nächsten %day", "next $1"),
    Rule("kommenden %day", "next $1"), Rule("jeden %day", "every $1"),
    Rule("am %day morgen", "on $1 morning"), Rule("am %day abend", "on $1 evening"),
    Rule("am %day vormittag", "on $1 morning"), Rule("am %day nachmittag", "on $1 afternoon"),
    Rule("%day morgen", "$1 morning"), Rule("%day vormittag", "$1 morning"),
    Rule("%day nachmittag", "$1 afternoon"), Rule("%day abend", "$1 evening"),
    Rule("am %day nacht", "on $1 night"), Rule("%day nacht", "$1 night"),
    Rule("am %day den #. %month %year", "on $2 $3 $4"), Rule("am %day den #. %month", "on $2 $3"),
    Rule("am %day", "on $1"),
    Rule("^ #. #m", "on $1 $2"), Rule("am #. #m %year", "on $1 $2 $3"),
    Rule("am #. #m", "on $1 $2"), Rule("am #. #n", "on $1 $2"),
    Rule("am #. %month. %year", "on $1 $2 $3"), Rule("am #. %month %year", "on $1 $2 $3"),
    Rule("am #. %month.", "on $1 $2"), Rule("am #. %month", "on $1 $2"),
    Rule("#. %month. %year", "$1 $2 $3"), Rule("#. %month %year", "$1 $2 $3"),
    Rule("#. %month.", "$1 $2"), Rule("#. %month", "$1 $2"), Rule("#. #m ?", "on $1 $2"),
    Rule("#. - #. %month", "$1 - $2 $3"), Rule("#. - #. #m", "$1 - $2 $3"),
    Rule("vom #. bis #. %month", "from $1 to $2 $3"),
    Rule("vom #. bis zum #. %month", "from $1 to $2 $3"),
    Rule("vom #. bis #. #m", "from $1 to $2 $3"),
    Rule("vom #. bis zum #. #m", "from $1 to $2 $3"),
    Rule("heute vor # %span", "$1 $2 ago"), Rule("vor # %span", "$1 $2 ago"),
    Rule("in # %span", "in $1 $2"),
    Rule("eine halbe stunde lang", "for 30 minutes"),
    Rule("eine viertelstunde lang", "for 15 minutes"),
    Rule("eine dreiviertelstunde lang", "for 45 minutes"),
    Rule("anderthalb stunden lang", "for 90 minutes"),
    Rule("eineinhalb stunden lang", "for 90 minutes"),
    Rule("eine halbe stunde", "30 minutes"), Rule("eine viertelstunde", "15 minutes"),
    Rule("eine dreiviertelstunde", "45 minutes"), Rule("anderthalb stunden", "90 minutes"),
    Rule("eineinhalb stunden", "90 minutes"), Rule("# %span lang", "for $1 $2"),
    Rule("zu hause", "at home"),
    Rule("vor einer halben stunde", "30 minutes ago"),
    Rule("vor einer viertelstunde", "15 minutes ago"),
    Rule("vor einer dreiviertelstunde", "45 minutes ago"),
    Rule("vor anderthalb stunden", "90 minutes ago"),
    Rule("vor eineinhalb stunden", "90 minutes ago"),
  ]

  /// Rules for dates after words that leave one end open, such as "bis", "seit" and "ab".
  private static let germanOpenings: [Rule] = {
    let leads = [
      ("bis einschließlich zum", "through"), ("bis einschließlich", "through"),
      ("bis inklusive", "through"), ("bis spätestens", "by"), ("bis zum", "until"),
      ("bis", "until"), ("seit dem", "since"), ("seit", "since"), ("vor dem", "before"),
      ("nach dem", "after"), ("ab dem", "~ab on"), ("ab", "~ab on"),
    ]
    let dates = [
      ("#. %month. %year", "$1 $2 $3"), ("#. %month %year", "$1 $2 $3"), ("#. %month.", "$1 $2"),
      ("#. %month", "$1 $2"), ("#. #m", "$1 $2"),
    ]
    let dated: [Rule] = leads.flatMap { lead in
      dates.map { date in Rule("\(lead.0) \(date.0)", "\(lead.1) \(date.1)") }
    }
    return dated + [
      Rule("bis einschließlich", "through"), Rule("bis inklusive", "through"),
      Rule("bis spätestens", "by"), Rule("bis zum", "until the"), Rule("bis zur", "until the"),
    ]
  }()

  /// Rules for a weekday that belongs to the date after it, such as "Montag, 9.11.2026".
  private static let germanDated: [Rule] = ["am %day", "%day"].flatMap { day in
    [" , den ", " , dem ", " , ", " den ", " dem ", " "].flatMap { gap in
      [
        Rule("\(day)\(gap)#. #m %year", "on $2 $3 $4"), Rule("\(day)\(gap)#. #m", "on $2 $3"),
        Rule("\(day)\(gap)#. %month %year", "on $2 $3 $4"),
        Rule("\(day)\(gap)#. %month", "on $2 $3"),
      ]
    }
  }

  /// Rules for "an Weihnachten", "zu Ostern", "Silvester".
  private static let germanFeasts: [Rule] = [
    "heiligabend": "christmas eve", "silvester": "new years eve", "neujahr": "new years day",
    "karfreitag": "good friday", "ostersonntag": "easter sunday", "ostermontag": "easter monday",
    "weihnachten": "christmas", "ostern": "easter",
  ].sorted { $0.key < $1.key }.flatMap { german, english in
    ["an ", "am ", "zu "].map { Rule("\($0)\(german)", "on \(english)") }
      + [Rule(german, english)]
  }

  /// Rules for "achteinhalb Stunden geschlafen".
  private static let germanHalves: [Rule] = [
    "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
  ].enumerated().flatMap { place, number in
    let (hours, minutes) = ("\(number)einhalb stunden", "\(150 + place * 60) minutes")
    return [
      Rule("vor \(hours)", "\(minutes) ago"), Rule("\(hours) lang", "for \(minutes)"),
      Rule("\(hours)", minutes),
    ]
  }

  /// Rules for "letzte Woche", "im vorigen Jahr", "nächsten Monat", "die letzten 7 Tage", "letzten
  /// Sommer".
  private static let germanSpans: [Rule] = {
    let sides = [
      "letzt": "last", "vergangen": "last", "vorig": "last", "dies": "this", "nächst": "next",
      "kommend": "next",
    ]
    let spans: [(german: String, english: String, endings: [(before: String, ending: String)])] = [
      ("woche", "week", [("in der ", "en"), ("", "e")]),
      ("monat", "month", [("im ", "en"), ("der ", "e"), ("", "en")]),
      ("jahr", "year", [("im ", "en"), ("das ", "e"), ("", "es")]),
      ("wochenende", "weekend", [("am ", "en"), ("das ", "e"), ("", "es")]),
      ("frühling", "spring", [("im ", "en"), ("der ", "e"), ("", "en")]),
      ("frühjahr", "spring", [("im ", "en"), ("das ", "e"), ("", "es")]),
      ("sommer", "summer", [("im ", "en"), ("der ", "e"), ("", "en")]),
      ("herbst", "autumn", [("im ", "en"), ("der ", "e"), ("", "en")]),
      ("winter", "winter", [("im ", "en"), ("der ", "e"), ("", "en")]),
    ]
    var rules = [
      Rule("in den letzten # %span", "in the last $1 $2"),
      Rule("die letzten # %span", "the last $1 $2"), Rule("in dieser woche", "this week"),
      Rule("in diesem monat", "this month"), Rule("in diesem jahr", "this year"),
      Rule("an diesem wochenende", "this weekend"),
    ]
    for (german, english) in sides.sorted(by: { $0.key < $1.key }) {
      for span in spans {
        for form in span.endings {
          rules.append(
            Rule(
              "\(form.before)\(german)\(form.ending) \(span.german)", "\(english) \(span.english)"))
        }
      }
    }
    return rules
  }()

  private static let germanWords: [String: String] = [
    "heute": "today", "heut": "today", "gestern": "yesterday",
    "vorgestern": "the day before yesterday",
    "morgen": "tomorrow", "übermorgen": "the day after tomorrow",
    "uebermorgen":
      "the day after tomorrow",
    "morgens": "in the morning", "abends": "in the evening", "nachmittags": "in the afternoon",
    "vormittags": "in the morning", "mittags": "at noon", "mitternacht": "midnight",
    "um": "at", "gegen": "around", "von": "from", "zwischen": "between", "bis": "until",
    "seit": "since", "für": "for",
    "mit": "with", "und": "and", "oder": "or", "weil": "because", "dann": "then",
    "ohne": "without", "aber": "but", "nach": "after", "vor": "before", "während": "while",
    "über": "about", "wegen": "because", "vom": "of", "zum": "for", "zur": "for", "der": "the",
    "das": "the", "den": "the", "dem": "the", "jeden": "every", "jede": "every",
    "jedes": "every", "als": "as", "wo": "where", "wenn": "when", "ich": "i", "wir": "we",
    "ist": "is", "sind": "are", "wird": "will", "war": "was", "waren": "were", "hat": "has",
    "hatte": "had", "wurde": "was",
    "weihnachten": "christmas", "ostern": "easter",
  ]

  private static let germanNumbers: [String: Int] = {
    let words =
      "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
      + "fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig"
    var numbers: [String: Int] = [
      "ein": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "zwo": 2, "fuenf": 5, "zwoelf": 12,
      "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfundvierzig": 45, "fünfzig": 50,
      "fünfundzwanzig": 25, "sechzig": 60, "neunzig": 90,
    ]
    for (value, word) in words.split(separator: " ").enumerated() { numbers[String(word)] = value }
    return numbers
  }()

  private static let germanOrdinals: [String: Int] = {
    var ordinals = [
      "ersten": 1, "dritten": 3, "siebten": 7, "achten": 8, "dreißigsten": 30,
      "einunddreißigsten": 31,
    ]
    for (word, value) in germanNumbers where (2...20).contains(value) && ![3, 7, 8].contains(value)
    {
      ordinals[word + (value < 20 ? "ten" : "sten")] = value
    }
    for (index, word) in ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
      .enumerated()
    {
      ordinals["\(word)undzwanzigsten"] = 21 + index
    }
    return ordinals
  }()

  private static let germanWeekdays: [String: String] = {
    var weekdays: [String: String] = ["sonnabend": "saturday"]
    let parts = [
      "morgen": "morning", "vormittag": "morning", "nachmittag": "afternoon", "abend": "evening",
      "nacht": "night",
    ]
    for weekday in Weekday.allCases {
      let german = Language.german.weekdays[weekday.rawValue - 1].lowercased()
      let english = weekday.name.lowercased()
      weekdays[german] = english
      for (part, name) in parts { weekdays[german + part] = "\(english) \(name)" }
    }
    return weekdays
  }()

  private static let germanShortDays: [String: String] = Dictionary(
    uniqueKeysWithValues: zip(Language.german.weekdays, Weekday.allCases).map { german, weekday in
      (String(german.prefix(2)).lowercased(), weekday.name.lowercased())
    })

  /// Words that determine the half of the day, as in "heute früh um 6", "nachts um drei",
  /// "Sonntagmorgen um 5".
  private static let germanEarly: [String: Half] = {
    var early: [String: Half] = [
      "morgens": .first, "früh": .first, "vormittags": .first, "vormittag": .first,
      "am morgen": .first, "heute morgen": .first, "gestern morgen": .first,
      "vorgestern morgen": .first, "nachts": .night, "nacht": .night,
    ]
    for weekday in Language.german.weekdays.map({ $0.lowercased() }) + ["sonnabend"] {
      early[weekday + " morgen"] = .first
      for part in ["morgen", "vormittag"] { early[weekday + part] = .first }
      early[weekday + "nacht"] = .night
    }
    return early
  }()

  private static let germanMonths: [String: String] = {
    var months: [String: String] = [
      "jänner": "january", "maerz": "march", "jan": "january", "feb": "february", "mär": "march",
      "apr": "april", "jun": "june", "jul": "july", "aug": "august", "sep": "september",
      "sept": "september", "okt": "october", "nov": "november", "dez": "december",
    ]
    for (german, english) in zip(Language.german.months, MonthName.full) {
      months[german.lowercased()] = english.lowercased()
    }
    return months
  }()

  private static let germanUnits: [String: String] = {
    let table = """
      seconds sekunde sekunden sek
      minutes minute minuten min
      hours stunde stunden std h
      days tag tage tagen
      weeks woche wochen
      months monat monate monaten
      years jahr jahre jahren
      km kilometer kilometern
      meters meter metern
      kg kilo kilogramm
      grams gramm
      liters liter litern
      ml milliliter
      kcal kalorien kilokalorien
      steps schritt schritte schritten
      pages seite seiten
      chapters kapitel kapiteln
      books buch bücher
      words wort wörter worte
      reps wiederholung wiederholungen
      sets satz sätze
      laps bahn bahnen
      rounds runde runden
      pushups liegestütz liegestütze liegestützen
      pullups klimmzug klimmzüge
      squats kniebeuge kniebeugen
      glasses glas gläser
      bottles flasche flaschen
      cups tasse tassen
      beers bier biere
      coffees kaffee kaffees
      cigarettes zigarette zigaretten
      lessons lektion lektionen
      games spiel spiele
      floors stockwerk stockwerke
      """
    var units: [String: String] = [:]
    for line in table.split(separator: "\n") {
      let names = line.split(separator: " ").map(String.init)
      for name in names.dropFirst() { units[name] = names[0] }
    }
    return units
  }()
}
