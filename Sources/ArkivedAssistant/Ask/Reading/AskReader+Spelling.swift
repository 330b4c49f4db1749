import ArkivedCore
import Foundation

/// Normalisation of a question: corrected typos, expanded contractions and canonical names.
extension AskReader {
  func corrected(_ text: String, _ question: inout AskQuestion) -> String {
    var result = text
    for (phrase, plain) in AskReader.phrases {
      if let range = result.range(of: phrase, options: .caseInsensitive) {
        result.replaceSubrange(range, with: plain)
      }
    }
    let cut = WordCutter.words(of: result, joinsPhrases: false)
    // Most questions contain only known words, so the list of all words isn't needed.
    let isSuspect = cut.contains { word in
      let lower = word.lower
      return lower.count >= 4 && timeline.frequency(of: word.key) == 0
        && !QuestionWords.fillers.contains(lower) && !StopWords.contains(lower)
        && !AskReader.questionVocabulary.contains(lower) && !words.contains(lower)
    }
    if isSuspect { correct(&result, cut, &question) }
    for (short, long) in AskReader.contractions {
      result = result.replacingOccurrences(
        of: "\\b\(short)\\b", with: long, options: [.regularExpression, .caseInsensitive])
    }
    for (typo, word) in AskReader.typos {
      result = result.replacingOccurrences(
        of: "\\b\(typo)\\b", with: word, options: [.regularExpression, .caseInsensitive])
    }
    if timeline.metrics.keys.contains(where: { $0.lowercased().contains("heartrate") }) {
      // If only the resting heart rate is measured, the heart rate means that.
      let name = timeline.metrics["heartRate"] == nil ? "resting heart rate" : "$1heart rate"
      result = result.replacingOccurrences(
        of: "(?<!walking )(resting )?(pulse|heart ?rate)(?! (variability|recovery))", with: name,
        options: [.regularExpression, .caseInsensitive])
    }
    if timeline.metrics.keys.contains(where: { $0.lowercased().contains("weight") })
      || timeline.units["kg"] != nil
    {
      for (phrase, plain) in [
        ("how heavy (am|was) i", "what was my weight"),
        ("the heaviest i('ve| have|) ?(ever )?(been|was)", "my highest weight"),
        ("the lightest i('ve| have|) ?(ever )?(been|was)", "my lowest weight"),
      ] {
        result = result.replacingOccurrences(
          of: phrase, with: plain, options: [.regularExpression, .caseInsensitive])
      }
    }
    // “rather than me phoning her” only repeats what the sentence says.
    if let range = result.range(
      of: ",? (rather than|and not|instead of) (me|him|her|them|us|the other)\\b[^,?]*",
      options: .regularExpression)
    {
      result.removeSubrange(range)
    }
    for lead in ["name ", "give me ", "tell me "] where result.lowercased().hasPrefix(lead) {
      result.removeFirst(lead.count)
    }
    // “went too the garden”
    if let range = result.range(of: " too the ") { result.replaceSubrange(range, with: " to the ") }
    return result
  }

  func correct(_ result: inout String, _ cut: [Word], _ question: inout AskQuestion) {
    var candidates = timeline.names.vocabulary
    for word in AskReader.questionVocabulary { candidates[word, default: 0] += 50 }
    // Padding may be misspelt as well, and would then be searched for.
    for word in QuestionWords.fillers where word.count >= 5 { candidates[word, default: 0] += 50 }
    var names = Set(
      Array(timeline.names.tagsByKey.keys) + AskReader.questionVocabulary.map { Lemma.key($0) })
    for metric in timeline.metrics.keys {
      names.formUnion(AskReader.metricWords(metric).map { Lemma.key($0) })
    }
    names.formUnion(timeline.names.placeKeys)
    let spelling = Spelling(
      isKnown: { word in
        candidates[word] != nil || QuestionWords.fillers.contains(word)
          || StopWords.contains(word) || words.contains(word)
          || timeline.frequency(of: Lemma.key(word)) > 0 || names.contains(Lemma.key(word))
          || UnitTable.standard.unit(named: word) != nil || AskReader.isCommon(word)
          || AskReader.limiting.contains(word) || TimeWords.numbers[word] != nil
      }, candidates: candidates)
    for word in cut {
      let isName = word.isCapitalised && !result.hasPrefix(word.text)
      guard !word.isQuoted, !kept.contains(word.lower),
        let right = spelling.correction(of: word.text),
        !isName || AskReader.calendarWords.contains(right)
      else { continue }
      if let range = result.range(of: word.text) { result.replaceSubrange(range, with: right) }
      question.corrections.append((word.text, right))
    }
  }

  /// Returns true for everyday words that need no correction although the archive lacks them.
  static func isCommon(_ word: String) -> Bool {
    let key = Lemma.key(word)
    return !Synonyms.of(key).isEmpty || Ontology.isKind(key)
      || Ontology.knows(key)
      || QuestionWords.light.contains(key) || WordForms.english.forms(of: word).count > 1
  }

  /// Phrases that are another name for something.
  static let phrases: [(String, String)] = [
    ("movie theater", "cinema"), ("movie theatre", "cinema"), ("on the water", "sailing"),
    ("cell phone", "phone"), ("going by visits", ""), ("in one sitting", ""), ("in one go", ""),
    ("a ranking of ", ""), ("hours asleep", "hours of sleep"), ("was i asleep", "did I sleep"),
    (" by name", ""), ("the names of ", ""), ("the name of ", ""), ("set foot in", "go to"),
    ("whereabouts", "where"),
    ("all years together", "of all years"), ("on the plane", "on a flight"), (" v ", " versus "),
    ("all together", "in total"), ("late at night", "late in the evening"),
    ("in a single day", "in a day"), ("tv series", "series"),
  ]

  static let contractions: [(String, String)] = [
    ("I[’']ve", "I have"), ("we[’']ve", "we have"), ("I[’']m", "I am"), ("I[’']d", "I had"),
    ("what[’']ve", "what have"), ("where[’']ve", "where have"), ("who[’']ve", "who have"),
    ("who[’']s", "who is"), ("where[’']s", "where is"), ("when[’']s", "when is"),
    ("whats", "what is"), ("whos", "who is"), ("wheres", "where is"), ("ive", "I have"),
    ("where[’']d", "where did"), ("what[’']d", "what did"), ("who[’']d", "who did"),
  ]

  /// Typos in words that are too short or too common to be corrected by similarity.
  static let typos: [(String, String)] = [
    ("hwo", "how"), ("waht", "what"), ("wat", "what"), ("wehn", "when"), ("teh", "the"),
    ("adn", "and"), ("whcih", "which"), ("wich", "which"), ("wiht", "with"), ("jne", "june"),
    ("jly", "july"), ("avg", "average"), ("thier", "their"), ("taht", "that"), ("hom", "home"),
    ("ot", "to"), ("fo", "of"), ("mny", "many"), ("vrs", "versus"), ("abt", "about"),
    ("wth", "with"), ("hw", "how"), ("kms", "km"), ("didi", "did I"), ("oftn", "often"),
  ]

  /// Capitalised words that aren't names.
  static let calendarWords = Set(
    MonthName.full.map { $0.lowercased() } + Weekday.allCases.map { $0.name.lowercased() })

  static let questionVocabulary: [String] = [
    "farther", "back", "away", "home", "cheapest", "expensive", "dearest", "salt", "went", "came",
    "left",
    "took", "gave", "made", "told", "said", "early", "late", "long", "short", "fast", "slow",
    "alone", "again", "never", "always", "everything", "anything", "nothing", "other", "after",
    "before", "around", "together", "married", "moved", "bought", "sold", "played", "watched",
    "learned", "learnt", "finished", "started", "visited", "travel", "travelled", "holiday",
    "cycle", "cycled", "bike", "ride", "walk", "swim", "pages", "books", "phone", "colleague",
    "what", "when", "where", "which", "whom", "many", "much", "often", "times", "most", "least",
    "longest", "shortest", "average", "first", "last", "between", "during", "month", "months",
    "week", "weeks", "year", "years", "yesterday", "today", "january", "february", "march", "april",
    "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "summer", "winter", "autumn", "spring",
    "kilometres", "kilometers", "miles", "hours", "minutes", "pages", "steps", "people", "total",
    "lunch", "dinner", "breakfast", "with", "without", "weekend", "compare", "did", "have", "how",
    "who", "long", "since", "tags", "tours", "rate", "weight", "mood", "energy", "places",
    "friends",
    "colleagues", "games", "favourite", "gap", "streak", "row", "lower", "higher", "better",
    "worse", "further", "longer", "shorter",
    "fewer", "busiest", "quietest", "earliest", "latest", "boss", "brother", "sister", "mother",
    "father", "husband", "wife", "partner", "neighbour", "friend", "colleague", "genre", "tall",
    "live", "lives", "born", "price", "cost", "money", "weather", "feel", "felt", "name", "named",
    "night", "evening", "morning", "difference", "compared", "comparison", "ahead", "weekdays",
    "weekends", "usually", "normally", "typically", "altogether", "fewest", "spend", "spent",
    "versus", "earlier", "later", "busier",
  ]

  /// Words that are right as they are but corrections of nothing: "barely" isn't barley.
  private static let limiting: Set = ["once", "twice", "thrice", "hardly", "barely", "scarcely"]
}
