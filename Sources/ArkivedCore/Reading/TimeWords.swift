import Foundation

/// The words of time expressions, in lower case and without possessive endings.
package enum TimeWords {
  static let months: [String: Int] = {
    var months: [String: Int] = ["sept": 9]
    for (index, name) in MonthName.full.enumerated() {
      months[name.lowercased()] = index + 1
      months[String(name.lowercased().prefix(3))] = index + 1
    }
    return months
  }()

  static let weekdays: [String: Weekday] = {
    var weekdays: [String: Weekday] = [
      "tues": .tuesday, "weds": .wednesday, "thur": .thursday, "thurs": .thursday,
    ]
    for weekday in Weekday.allCases {
      weekdays[weekday.name.lowercased()] = weekday
      weekdays[String(weekday.name.lowercased().prefix(3))] = weekday
    }
    return weekdays
  }()

  /// Abbreviations and names that are also other words or names.
  static let weakWeekdays: Set<String> = ["mon", "wed", "weds", "sat", "sun"]

  /// The meteorological seasons of the northern hemisphere: spring is March to May; winter begins
  /// in December of the year it is named after.
  static let seasons: [String: Int] = [
    "spring": 3, "springtime": 3, "summer": 6, "summertime": 6, "autumn": 9, "autumntime": 9,
    "fall": 9, "winter": 12, "wintertime": 12,
  ]

  enum Unit: Sendable {
    case second, minute, hour, day, weekday, week, fortnight, weekend, month, quarter, season
    case halfYear, year, decade, century
  }

  static let units: [String: Unit] = {
    let names: [(Unit, String)] = [
      (.second, "second seconds sec secs"), (.minute, "minute minutes min mins"),
      (.hour, "hour hours hr hrs h"), (.day, "day days"), (.week, "week weeks wk wks"),
      (.fortnight, "fortnight fortnights"), (.weekend, "weekend weekends"),
      (.month, "month months mth mths"), (.quarter, "quarter quarters"),
      (.year, "year years yr yrs"), (.decade, "decade decades"),
      (.century, "century centuries"),
    ]
    var units: [String: Unit] = [:]
    for (unit, words) in names {
      for word in words.split(separator: " ") { units[String(word)] = unit }
    }
    return units
  }()

  /// Returns true if a word after a number makes it a time: "5 may", "10 am".
  static func isMoment(_ word: String) -> Bool {
    months[word] != nil || weekdays[word] != nil || parts[word] != nil
      || ["am", "pm", "st", "nd", "rd", "th"].contains(word)
  }

  package static let numbers: [String: Int] = {
    let words =
      "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
      + "fifteen sixteen seventeen eighteen nineteen"
    var numbers: [String: Int] = ["dozen": 12, "hundred": 100]
    for (value, word) in words.split(separator: " ").enumerated() { numbers[String(word)] = value }
    for (index, word) in tens.enumerated() { numbers[word] = (index + 2) * 10 }
    return numbers
  }()

  static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

  static let ordinals: [String: Int] = {
    let words =
      "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
      + "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
    var ordinals: [String: Int] = ["twentieth": 20, "thirtieth": 30]
    for (index, word) in words.split(separator: " ").enumerated() {
      ordinals[String(word)] = index + 1
    }
    return ordinals
  }()

  static let decades: [String: Int] = [
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90, "noughties": 0, "aughts": 0,
  ]

  static let parts: [String: PartOfDay] = [
    "morning": .morning, "forenoon": .morning, "afternoon": .afternoon, "evening": .evening,
    "arvo": .afternoon, "teatime": .afternoon,
    "night": .night, "nite": .night, "lunchtime": .lunchtime,
  ]

  /// Parts of the day used with "at" or "around" and no article.
  static let barePartsOfDay: [String: PartOfDay] = [
    "night": .night, "lunchtime": .lunchtime, "dawn": .dawn, "daybreak": .dawn, "sunrise": .dawn,
    "dusk": .dusk, "sunset": .dusk, "nightfall": .dusk,
  ]

  /// Words before a number that label it as something else.
  static let numberLabels: Set<String> = [
    "page", "pages", "pp", "p", "room", "chapter", "chapters", "number", "numbers", "no", "nr",
    "route", "flight", "bus", "tram", "train", "line", "model", "section", "version", "v",
    "order", "invoice", "ticket", "highway", "psalm", "verse", "track", "bed", "gate", "platform",
    "code", "pin", "id", "ext", "unit", "apartment", "apt", "suite", "floor", "level", "lot",
    "part", "step", "stage", "lesson", "episode", "season", "volume", "issue", "figure", "table",
    "score", "scored", "scores", "ratio", "won", "lost", "drew", "beat", "odds", "john", "luke",
    "matthew", "mark", "genesis", "exodus", "romans", "corinthians", "isaiah", "pace", "size",
    "password", "channel", "studio", "hall", "building", "house", "lane", "seat", "row", "box",
    "question", "exercise", "problem", "round", "game", "heat", "paid", "cost", "costs",
    "aspect", "zip", "area", "agent", "top",
  ]

  /// Words before 12:30 that make it a score, a verse or a ratio.
  static let scoreLabels: Set<String> = [
    "score", "scored", "scores", "ratio", "won", "lost", "drew", "beat", "odds", "aspect",
    "chapter", "verse", "psalm", "john", "luke", "matthew", "mark", "genesis", "exodus",
    "romans", "corinthians", "isaiah", "proverbs", "pace",
  ]

  /// Words before "25:30" that make it a result and not a time of day.
  static let beforeResult: Set<String> = ["in", "ran", "swam", "finished", "split", "splits"]

  /// Words after a number that show that it counts something.
  static let counted: Set<String> = [
    "people", "persons", "times", "euro", "euros", "dollar", "dollars", "bucks", "percent",
    "degrees", "points", "things", "items", "copies", "files", "friends", "guests", "members",
    "users", "customers", "employees", "visitors", "students", "kids", "children", "meters",
    "photos", "pictures", "messages", "tonnes", "tons", "watts", "volts", "hz", "mhz", "ghz",
    "mb", "gb", "tb", "kb", "bytes", "mph", "kmh", "cc", "hp", "rpm", "psi", "square", "cubic",
    "eggs", "apples", "tickets", "occasions", "cases", "votes", "pieces", "seats", "rooms", "stars",
    "miles", "cents", "pence", "francs",
  ]

  /// Things more often had at a time than counted: "at 4 coffee".
  static let had: Set<String> = ["coffee", "beer", "drink", "call", "lesson", "session", "game"]

  /// Words that look like plurals but are not.
  static let notMany: Set<String> = [
    "unterwegs",
    "tennis", "bus", "maths", "physics", "sports", "pilates", "gymnastics", "news", "his", "this",
    "always", "was", "us",
  ]

  /// Words after a number that show that it is an amount: "at 4 different shops".
  static let afterCount: Set<String> = [
    "different", "other", "more", "separate", "of", "new", "old", "big", "small", "good", "great",
    "local", "nearby", "out", "people", "men", "women", "feet", "year", "rated", "rate", "scale",
    "per", "percent", "hundred", "thousand", "million", "dozen", "point", "time", "stage", "go",
    "end", "table", "bedroom", "star", "storey", "level",
  ]

  /// Words before "of 2000" or "from 2000" that make it an amount.
  static let beforeSum: Set<String> = [
    "total", "sum", "number", "amount", "out", "population", "value", "price", "maximum", "minimum",
    "budget", "crowd", "group", "page", "pages", "height", "depth", "speed", "limit", "order",
    "up", "down", "rose", "fell", "average", "salary", "rent", "cost", "none", "one", "two",
    "list", "length", "distance", "pile", "edition", "print", "run", "start", "starting",
  ]

  /// Words before a capitalised month or season that is a person's name.
  static let beforePerson: Set<String> = [
    "with", "called", "met", "for", "to", "saw", "told", "asked", "dear", "hi", "hey",
    "hello", "thanks", "aunt", "uncle", "miss", "mrs", "ms", "mr", "named", "phoned", "texted",
    "emailed", "visited", "helped", "joined", "invited", "married", "kissed", "hugged", "thanked",
    "into", "like", "without", "about", "beside", "behind", "near", "hi", "beat", "marry",
    "and", "love", "see", "meet", "call", "at", "theresa", "saint", "st", "brian",
  ]

  /// Words after a capitalised month that is a person's name.
  static let afterPerson: Set<String> = [
    "said", "says", "told", "called", "came", "comes", "asked", "went", "wants", "wanted", "has",
    "had", "left", "arrived", "visited", "wrote", "phoned", "texted", "helped", "and", "likes",
    "liked", "loves", "loved", "thinks", "thought", "brought", "gave", "made", "cooked", "smiled",
    "sent", "took", "bought", "drove", "ran", "sat", "stood", "sang", "ate", "drank", "slept",
    "knew", "felt", "held", "kept", "lent", "lost", "met", "paid", "read", "rode", "rang", "sold",
    "spoke", "swam", "taught", "threw", "won", "wore", "broke", "fell", "forgot", "got",
    "hurt", "hid", "laid", "let", "put", "saw", "knows", "lives", "works", "plays", "sings",
    "hates", "tells", "thanked",
  ]

  /// Verbs used with months as well as people.
  static let monthVerbs: Set<String> = [
    "started", "ended", "turned", "passed", "seemed", "looked", "dragged", "finished", "continued",
    "remained", "stayed", "showed", "proved", "marked", "followed", "rained", "flew",
  ]

  /// Verbs after "may" and "march" that show that these are verbs as well.
  static let bareVerbs: Set<String> = [
    "be", "have", "not", "go", "come", "take", "get", "need", "want", "also", "i", "we", "he",
    "she", "they", "you", "it", "make", "do", "help", "seem", "still", "well", "then", "never",
    "through", "into", "across", "towards", "toward", "against", "along", "back", "out", "up",
    "off", "home", "past", "over", "around", "forward", "together",
  ]

  /// Nouns after a season or a month that give it another meaning.
  static let seasonCompounds: Set<String> = [
    "onion", "onions", "roll", "rolls", "water", "cleaning", "break", "chicken", "job", "school",
    "camp", "coat", "jacket", "dress", "tyres", "tires", "sale", "sales", "olympics", "boots",
    "fashion", "collection", "clothes", "house", "course", "guy", "equinox", "solstice", "fair",
    "showers", "bug", "bugs", "sports", "semester", "leaves", "dresses", "palace",
  ]

  /// Nouns after a weekday that give it another meaning.
  static let weekdayCompounds: Set<String> = [
    "school", "roast", "best", "blues", "paper", "papers", "feeling", "club", "league", "market",
    "drivers", "driver",
  ]

  /// Nouns after the adjective "august", such as "company" and "assembly".
  static let augustCompounds: Set<String> = [
    "company", "assembly", "presence", "institution", "body", "gathering", "figure", "circle",
  ]

  /// Words that may follow a bare hour: "at 7 with Sam", but not "at 7 places".
  static let afterHour: Set<String> = [
    "with", "for", "and", "on", "in", "to", "we", "i", "then", "but", "or", "at", "today",
    "yesterday", "tomorrow", "tonight", "sharp", "last", "next", "until", "till", "from", "he",
    "she", "they", "because", "so", "when", "after", "before", "by", "am", "pm",
  ]

  /// Further words that begin another part of the sentence after a date or an hour.
  static let afterDate: Set<String> = [
    "it", "there", "the", "a", "my", "our", "his", "her", "their", "nobody", "everyone",
    "everybody", "someone",
    "no", "not", "was", "is", "were", "are", "had", "has", "did", "do", "what", "who", "where",
    "which", "why", "how", "still", "again", "already", "only", "just", "you", "this",
    "near", "without", "as", "too", "all",
  ]

  static let possessives: Set<String> = ["my", "your", "his", "her", "its", "our", "their"]

  static let recurrence: Set<String> = [
    "every", "each", "any", "most", "alternate", "other", "another", "some", "one",
  ]

  /// Prepositions after which an ambiguous month, season or year is a time.
  static let timePrepositions: Set<String> = [
    "in", "during", "since", "until", "till", "til", "before", "after", "by", "from", "of",
    "throughout", "between", "around", "circa", "through", "thru", "over", "within", "all",
  ]
}
