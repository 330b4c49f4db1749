import Foundation

/// Hasty or conversational wordings, rewritten into words that the patterns recognise.
extension AskReader {
  private static let reckoning = "how (?:much|many|far|long|often)"
  private static let habit = "usually|normally|typically|generally|mostly"
  private static let anyone = "anyone|anybody|someone|somebody"

  private static let typed = Rewording([
    // Durations in words, before "or more".
    (#"\b(?:of )?(?:an|one) hour or (?:more|longer)\b"#, "at least 60 minutes"),
    (#"\b(?:of )?half an hour or (?:more|longer)\b"#, "at least 30 minutes"),
    (#"\b(?:of )?(?:an|one) hour or (?:less|shorter)\b"#, "at most 60 minutes"),
    (#"\b(?:of )?half an hour or (?:less|shorter)\b"#, "at most 30 minutes"),
    // "did anyone come to Porto with me" asks who did.
    (#"^did (?:\#(anyone))(?: else)? (?=\w)"#, "who "),
    (#"^(was|were|has|had) (?:\#(anyone))(?: else)? (?=\w)"#, "who $1 "),
    // "on what weekdays do I usually run"
    (
      #"\b(?:on )?(?:what|which) (?:weekdays?|days?(?: of the week)?) (do|did) (i|we) (?:\#(habit))\b"#,
      "on which weekday $1 $2 most"
    ),
    (
      #"\b(?:what|which) (?:weekdays|days of the week)\b(?=.*\b(?:\#(habit)|most)\b)"#,
      "which weekday"
    ),
    (
      #"\bdo(?:es)? most (?:of )?(?:my|the|our) (\w+(?: \w+)?) (?:fall|happen|take place|occur)(?: on| in)?\b"#,
      "do I have most $1"
    ),
    (
      #"\b(?:takes?|took|taken) up (?:the )?most (?:of my )?time\b"#, "did I spend the most time on"
    ),
    // "how much do I read each day"
    (
      #"\b(\#(reckoning)\b.*?)\b(?:each|every|a|per) (day|week|month|year),? on average\b"#,
      "$1per $2 on average"
    ),
    (
      #"\b(\#(reckoning)\b.*?\b(?:do|does) (?:i|we)\b.*?)\b(?:each|every) (day|week|month|year)\b(?! (?:of|i|that|we))"#,
      "$1per $2 on average"
    ),
    (#"\b(did|have|do) (i|we) dated?\b(?! with)"#, "$1 $2 go on a date with"),
    (
      #"\bhow long have ([A-Z][\w’'-]+) and I been (married|engaged|together)\b"#,
      "how long have I been $2 to $1"
    ),
    (#"\bmov(e|ed|ing) (?:house|home|flat)s?\b"#, "mov$1"),
    // "how often was sushi on the menu"
    (
      #"\b(?:was|were) ((?:(?!\b(?:i|we|on|in)\b)[\w’'-]+ )+?)(last |first )?(?:on|off) (?:the|my|our) (?:menu|plate|table)\b"#,
      "did I $2eat $1"
    ),
    (
      #"\b(time (?:that )?)((?:(?!\b(?:i|we|on|in)\b)[\w’'-]+ )+?)(?:was|were) on (?:the|my|our) (?:menu|plate|table)\b"#,
      "$1I ate $2"
    ),
    (#"\bmileage\b"#, "distance"),
    (
      #"^how long (was|were|have) (i|we) (?:been )?(ill|sick|unwell|poorly|in hospital)\b"#,
      "how many days $1 $2 $3"
    ),
    (
      #"^(?:what|which) (?:was|is|were) (?:the |my )?best (month|week|year|weekday|day) for\b"#,
      "which $1 had the most"
    ),
    (#"^(?:the |my )?best (month|week|year|weekday|day) for\b"#, "which $1 had the most"),
    (
      #"^(?:what|which|when) (?:was|were|is) (?:the |my |our )?(happiest|saddest) (day|month|week|year|weekday)\b"#,
      "which $2 had the $1 mood"
    ),
    (#"\bthe happiest mood\b"#, "the highest mood"),
    (#"\bthe saddest mood\b"#, "the lowest mood"),
    (#"^(?:was|am|were) (?:i|we) happier\b"#, "was my mood better"),
    // "have I ever run 15 km": that distance or more.
    (
      #"^((?:have|did|has) (?:i|we) (?:ever )?\w+) (?=\d[\d.,]* ?(?:km|kilomet\w+|miles?|pages|steps|met(?:re|er)s|minutes|hours)\b)"#,
      "$1 at least "
    ),
    (
      #"^(?:my |total )*(tv|call|meeting|screen|\w{3,}ing) time (?=per |by |in |with |on |each |this |last |\d)"#,
      "total time $1 "
    ),
    (
      #"\b(?:what|which) (?!shop|store|person|friend|day|month|year|week|market|supermarket)(\w+) (?:did|have) (?:i|we) (?:pay|paid|spend|spent) (?:the )?most (?:money )?(?:for|on)\b"#,
      "most expensive $1"
    ),
    (
      #"\b(?:what|which) (?!shop|store|person|friend|day|month|year|week|market|supermarket)(\w+) (?:did|have) (?:i|we) (?:pay|paid|spend|spent) (?:the )?least (?:money )?(?:for|on)\b"#,
      "cheapest $1"
    ),
    (#"^when do (i|we) (?:\#(habit))\b"#, "what time do $1 usually"),
    (
      #"\b(came|come|got|get|flew|fly|drove|return(?:ed)?) back (?:home )?from\b"#, "$1 from"
    ),
    (
      #"\bhow many (museums|galleries|restaurants|pubs|bars|caf[eé]s|cinemas|churches|parks|hotels|beaches|libraries)\b(?= (?:did|have|were) )"#,
      "how many different $1"
    ),
    (
      #"\bhow many (?:different )?places did (i|we) (?:visit|see) in (?=[A-Z])"#,
      "how many different sights did $1 visit in "
    ),
    (
      #"^(?:list |show me |give me )?(?:all |the |all the |all my )?(foods?|dishes|drinks|sights|souvenirs|fruits?|vegetables|cakes|games|films|soups) (?:that )?(?:i |we )?(eaten|bought|visited|cooked|baked|seen|watched|played|drunk|ate|saw|drank) "#,
      "which $1 did I $2 "
    ),
    (#"\bhow many (sights|attractions|landmarks)\b"#, "how many different sights"),
    (#"\bnumber of (?:different )?(sights|attractions|landmarks)\b"#, "how many different sights"),
    (#"\b(?:holiday |travel |trip )?destinations\b"#, "places I travelled to"),
    (
      #"\b((?:on|of) [^?]*?\d{4}),? the day (?:when |that |on which )?(?:(?:the|my|our) )?\w[^?]*"#,
      "$1"
    ),
    (
      #"^(?:what|which) (?:are|were) (?:all )?my ((?!parents|children|kids)\w+s)\s*\??$"#,
      "which $1 do I have?"
    ),
    (
      #"\bhow (?:well |badly )?did (i|we) sleep\b(?! at| in the)"#,
      "how long did $1 sleep on average"
    ),
    (#"\bon (?:what|which) occasions?\b"#, "when"),
    // "what did I see, visit and do"
    (#"\bhow much did (.+?) set (?:me|us) back\b"#, "how much did I spend on $1"),
    (#"\bon (my birthday)\b"#, "on the day of $1"),
    (
      #"\bneither (?:(?:an?|any|the|my|with) )?((?:\w+ ){0,2}?\w+),? nor (?:(?:did i|i|an?|any|the|my|with) )?(?=\w)"#,
      "not $1 or "
    ),
    // "how many minutes was my longest run": one entry, not a sum.
    (
      #"^how many (minutes|hours|km|kilomet\w+|miles|met(?:re|er)s|pages|steps|euros|kg|pounds) (?:was|is|were) (?:my|our|the) (longest|shortest|furthest|farthest|biggest|highest|lowest|heaviest|lightest) ([^?]+?)\s*\??$"#,
      "$2 $3 in $1"
    ),
    // "most runs in a month": counts entries, which have no amount.
    (
      #"^(?:(?:what|which) (?:was|is|were) )?(?:the |my )?most (?!km\b|kilomet|miles?\b|met(?:re|er)|steps?\b|hours?\b|minutes?\b|pages?\b|money\b|sleep\b|time\b)(\w+s) (?:in|within) (?:a|one|a single|any) (week|month|year)\b"#,
      "which $2 had the most $1"
    ),
    (
      #"^(?:when|on (?:what|which) day) (?:did|have) (?:i|we) weigh(?:ed)? (?:the )?most\b"#,
      "highest weight"
    ),
    (
      #"^(?:when|on (?:what|which) day) (?:did|have) (?:i|we) weigh(?:ed)? (?:the )?least\b"#,
      "lowest weight"
    ),
    (#"^(?:how much|what) did (?:i|we) weigh (?:the )?(last|first) time\b"#, "$1 weight"),
    (#"^how much did (?:i|we) (last|first) weigh\b"#, "$1 weight"),
    // A night's sleep is a figure of its day.
    (
      #"^(?!.*\b(?:average|mean)\b)(.*\b(?:sleep|slept|asleep)\b[^?]*?) (?:per|each|every|a) night\b"#,
      "$1 per day on average"
    ),
  ])

  /// Costs, if entries mention money.
  private static let prices = Rewording([
    (#"\bwhat did (.+?) cost\b(?: me\b| us\b)?"#, "how much did I spend on $1"),
    (#"\bhow much (?:was|were) (?=(?:the|my|our|that|those) )"#, "how much did I spend on "),
    (#"\b(?:average|mean) (?:cost|price) of\b"#, "average money on"),
    (#"\b(?:what (?:was|were|is) )?(?:the )?(?:costs?|price) of\b"#, "how much did I spend on "),
    (#"\bhow expensive (?:was|were)\b"#, "how much did I spend on"),
  ])

  /// Returns the question in fewer words, independently of the archive.
  func untyped(_ text: String) -> String {
    let result = AskReader.typed.applied(to: text)
    let isPriced = timeline.units.keys.contains { TextAmounts.currency(of: $0) != nil }
    return isPriced ? AskReader.prices.applied(to: result) : result
  }

  /// Returns the quoted parts of a text.
  static func quotes(in text: String) -> [Range<String.Index>] {
    text.ranges(of: /["“„][^"“”„]+["”“]/)
  }
}
