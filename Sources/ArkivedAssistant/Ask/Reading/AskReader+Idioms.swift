import Foundation

/// Idioms whose meaning differs from that of their individual words, rewritten in plainer words.
extension AskReader {
  private static let dated =
    "(?:19|20)\\d\\d|january|february|march|april|may|june|july|august|september|october|november|december"

  private static let idioms = Rewording([
    // "times I've had to mend it"
    (
      #"^(?:the )?times (?:that |when )?(i|we)(?:[’']ve| have|[’']d| had)(?: had| needed| got)?(?: to)? (?=\w)"#,
      "how many times have $1 "
    ),
    // "a kilometre or more"
    (
      #"\b(?:of )?(?:an?|one) (kilomet(?:re|er)|km|mile|page|day|week) or (?:more|longer|further|over|above)\b"#,
      "of at least 1 $1"
    ),
    (
      #"\b(?:of )?(?:an?|one) (kilomet(?:re|er)|km|mile|page|day|week) or (?:less|shorter|under)\b"#,
      "of at most 1 $1"
    ),
    (
      #"\b(?:get|got|go|went|come|came|push(?:ed)?) (?:past|beyond|over|above) (?=\d)"#,
      "make over "
    ),
    (
      #"\b(least|than|over|under|above|below) (?:an?|one) (kilomet(?:re|er)|km|mile)\b"#, "$1 1 $2"
    ),
    // Things left at home were not used.
    (
      #"\b(did|have|had) (i|we) (?:leave|left) (?:the|my|our) (bike|bicycle|car|motorbike|scooter) (?:at home|behind|in the (?:garage|shed))(?: altogether| entirely| completely)?"#,
      "$1 $2 not use the $3"
    ),
    (
      #"\b(did|does|do) ([A-Z][\w’'-]+|my \w+) (?:get|receive) from (?:me|us)\b"#,
      "$1 I give to $2"
    ),
    (
      #"\b(?:surprised?|treat(?:ed)?|present(?:ed)?|reward(?:ed)?) (me|us) (?:with|to)\b"#,
      "give $1"
    ),
    // "usually, going by 2024"
    (
      #",? (?:(?:going|judging|judged|measured) by|looking at|taking)(?: only| just)? (?=(?:\#(dated))\b)"#,
      " in "
    ),
    (
      #"\b(?:at|in) (?:one|a|a single|each) (?:sitting|session|go)\b(?=.*\b(?:average|mean)\b)"#, ""
    ),
    (
      #"\b((?:average|mean)\b.*) (?:at|in) (?:one|a|a single|each) (?:sitting|session|go)\b"#, "$1"
    ),
    // "…, a proper letter I mean"
    (
      #", (?:an? |the )?(?:proper |real |actual |decent )?((?!sorry)\w+),? (?:is what )?i mean\s*(?=\?|$)"#,
      " $1"
    ),
    // Times without something.
    (
      #"\blongest (?:time |stretch |period |spell )?(?:that )?(i|we)(?:[’']ve| have)? (?:ever )?(?:stayed|kept|been|was|were) away from\b"#,
      "longest $1 went without"
    ),
    (
      #"\blongest (?:time|stretch|period|spell|streak|run)((?: (?:in|of|during|over) (?!which)[\w ]+?)?) (?:(?:in|during|over) which|when|that|where) (?:i|we) (?:never|didn[’']?t|did not|had no|have not|haven[’']?t) (.+?)(?:,? in days)?\s*(?=\?|$)"#,
      "longest time without $2$1"
    ),
    (
      #"\blongest streak( (?:in|of|during|over) (?:the )?(?:year |month of |summer of |winter of )?(?:\#(dated))(?: (?:19|20)\d\d)?) without (.+?)\s*(?=\?|$)"#,
      "longest streak without $2$1"
    ),
    (
      #"\blongest (?:time|stretch|period|spell|run)( (?:in|of|during|over) (?:the )?(?:year |month of |summer of |winter of )?(?:\#(dated))(?: (?:19|20)\d\d)?) without (.+?)\s*(?=\?|$)"#,
      "longest time without $2$1"
    ),
    // "in the street or anywhere"
    (
      #"\b(?:(?:in|at|on) (?:the )?\w+ )?or (?:anywhere|elsewhere|wherever|somewhere)(?: else)?\b(?! (?:in|near))"#,
      ""
    ),
    (
      #" or (?:anything|something|whatever|so|anyone|somebody)(?: like that| else)?\s*(?=\?|$)"#, ""
    ),
    // Time in front of a screen is watching.
    (
      #"\b(time|hours|minutes|evenings) (?:spent |sat |sitting )?(?:in front of|glued to)\b"#,
      "$1 watching"
    ),
    (
      #"\b(did|have|had|do) (i|we) (?:have|had|get|got) on the (?:line|phone|telephone)\b"#,
      "$1 $2 talk to"
    ),
    (
      #"\b(?:takes?|took|taken|eats?|ate) up (?:the )?most of (?:my|our) (?:time|hours|minutes|days|evenings|free time|spare time)\b"#,
      "did I spend the most time on"
    ),
    (
      #"^since when (?:have|has) (i|we|[A-Z]\w+ and i) (had|owned|kept|known|lived|been|worked)\b"#,
      "how long have $1 $2"
    ),
    (
      #"^(?:everything|all(?: entries)?|what happened) (?:from|of) (?=the day\b)"#,
      "what did I do on "
    ),
    (
      #"^(?:list |show me |give me |name )?(?:all )?(?:the )?(?:topics|subjects|themes|things) (?:that |which )?(i|we) (?:have )?(?:discussed|talked about|spoke about|spoken about|chatted about)\b"#,
      "what did $1 talk about"
    ),
    // "list the towns I've travelled to"
    (
      #"^(?:list|name|show me|give me|tell me)(?: all)?(?: of)? (?:the |all the )?(towns|cities|countries|places) (?:that |which )?(i|we)(?:[’']ve| have) "#,
      "which $1 have $2 "
    ),
    (#"\b(?:on|for|by|per) each (?:day of the week|weekday)\b"#, "by weekday"),
    // "number of sick days I had"
    (
      #"\b(?:the )?number of (?!different|more|other|many|consecutive|whole|full|work)(\w+) days (?:that )?(i|we) (?:have |[’']ve )?(?:had|took|taken|spent)\b"#,
      "how many days was there $1"
    ),
    // "My sister or my brother: whom do I talk to more?"
    (
      #"^((?:my )[\w’'-]+) or ((?:my )[\w’'-]+)[,:]? (who|whom|which)\b(?! of)(.*?)\s*\??$"#,
      "$3$4, $1 or $2?"
    ),
    (
      #"^both (?:of (?:my|our|the) )?(?:my |our |the )?([A-Z]\w+) (?:trips|stays|visits)(?: (?:together|added up|taken together|in all))?[,:] (.+?)\s*\??$"#,
      "$2 in $1?"
    ),
  ])

  /// Questions about help: helpers count as taking part; if entries mention help, only those
  /// entries are used.
  private static let help = Rewording([
    (
      #"^who (?:(?:has|have|had) )?help(?:s|ed)? (?:me|us)(?: to| with| out with)? (?!when\b|on\b|in\b)(.+?)\s*\??$"#,
      "who did I $1 with?"
    )
  ])

  private static let chance = Rewording([
    (#"\b(?:bump|bumped|run|ran) into (?=\w)"#, "see "),
    (#"\b(?:bump|bumped|run|ran) into\s*(?=\?|$)"#, "see"),
  ])

  private static let weights = Rewording([
    (
      #"^(?:the |my )?(heavi|light)est (?:that )?i(?:[’']ve| have)? (?:ever )?(?:been|was|weighed)\b"#,
      "my $1est weight"
    ),
    (#"^my heaviest weight\b"#, "my highest weight"),
    (#"^my lightest weight\b"#, "my lowest weight"),
    (#"^(?:was|am|were) i heavier\b"#, "was my weight higher"),
    (#"^(?:was|am|were) i lighter\b"#, "was my weight lower"),
  ])

  /// Returns the question with its idioms in plain words.
  func idiomatic(_ text: String) -> String {
    var result = AskReader.idioms.applied(to: figures(in: text))
    if timeline.frequency(of: Lemma.key("help")) == 0 {
      result = AskReader.help.applied(to: result)
    }
    // If no entry contains the idiom, the person was seen by chance.
    if ["bump_into", "run_into", "by_chance"].allSatisfy({ timeline.frequency(of: $0) == 0 }) {
      result = AskReader.chance.applied(to: result)
    }
    return isWeighed ? AskReader.weights.applied(to: result) : result
  }

  /// Replaces numbers in words with digits, such as "fifteen thousand".
  private func figures(in text: String) -> String {
    var result = text
    for match in text.lowercased().matches(of: /\b([a-z]+(?:-[a-z]+)?) (hundred|thousand)\b/)
      .reversed()
    {
      let word = String(match.1)
      guard let number = ["a", "an"].contains(word) ? 1 : Quantities.number(word),
        let range = result.range(of: String(match.0), options: .caseInsensitive)
      else { continue }
      let figure = Int(number) * (match.2 == "thousand" ? 1_000 : 100)
      result.replaceSubrange(range, with: String(figure))
    }
    return result
  }
}
