import ArkivedCore
import Foundation

/// Longer wordings of the same question, shortened before its kind is determined.
extension AskReader {
  private static let months =
    "january|february|march|april|may|june|july|august|september|october|november|december"
  private static let feasts =
    "easter(?: sunday| monday)?|christmas(?: day| eve)?|whitsun|pentecost|good friday|new year(?:'s day)?"
  private static let limits =
    "than|over|under|least|most|above|below|exceeding|beyond|within|exactly"

  private static let amounts =
    "half an|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty"

  private static let plainer = Rewording([
    // "Remind me when …" asks when.
    (#"^(?:hi|hello|hey)\b[!,.]*\s+(?=\S+ \S)"#, ""),
    (
      #"^(?:please,? )?(?:remind me|(?:can|could) you (?:please )?(?:tell|remind) me|do you know|i(?:'d| would) like to know|i wonder|tell me|any idea)(?: again)?,? (when|what|who|whom|where|how|which)\b"#,
      "$1"
    ),
    // Durations in words.
    (#"\b(\#(limits)) three[- ]quarters of an hour\b"#, "$1 45 minutes"),
    (#"\b(\#(limits)) a quarter of an hour\b"#, "$1 15 minutes"),
    (#"\b(\#(limits)) (?:an|one) hour and a quarter\b"#, "$1 75 minutes"),
    (#"\b(\#(limits)) one and a half hours\b"#, "$1 90 minutes"),
    // "no more than 5 km": a limit, and nothing that is excluded.
    (
      #"\b(?:no|not) (?:more|longer|further|farther|greater|higher) than (?=\#(amounts)\b|[£€$]?\d)"#,
      "at most "
    ),
    (
      #"\b(?:no|not) (?:less|fewer|shorter|lower) than (?=\#(amounts)\b|[£€$]?\d)"#,
      "at least "
    ),
    // "55 pages or more"
    (
      #"\b(\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty) ((?!or\b)[a-z]+) or (?:more|longer|further|above|over)\b"#,
      "at least $1 $2"
    ),
    (
      #"\b(\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty) ((?!or\b)[a-z]+) or (?:less|fewer|shorter|below|under)\b"#,
      "at most $1 $2"
    ),
    (
      #"\b(mood|energy) (?:of |at |was )?([1-5]) or (?:lower|less|worse|below|under)\b"#,
      "$1 at most $2"
    ),
    (
      #"\b(mood|energy) (?:of |at |was )?([1-5]) or (?:higher|more|better|above|over)\b"#,
      "$1 at least $2"
    ),
    // "anything but coffee" leaves the coffee out.
    (#"\b(?:any|every)(?:thing|one|body) but (?!not\b|for\b)(?=\w)"#, "other than "),
    (#"\b(?:with the exception of|save for) (?=\w)"#, "except "),
    // "Was there not a single run?" asks if there was one.
    (
      #"^(was|were)(?: there not|n[’']t there) (?:even )?(?:a single|one single|a|one|any) "#,
      "$1 there a "
    ),
    // "rides that weren't to work"
    (
      #"\b(?:(?:that|which|who) )?(?:weren[’']?t|wasn[’']?t|aren[’']?t|isn[’']?t|were not|was not|are not|is not) (?=(?:to|at|in|for|with|about|from|on) )"#,
      "not "
    ),
    // "in 2023 between July and September"
    (
      #"\bin ((?:19|20)\d\d),? (between|from) (\#(months)) (and|to|until) (\#(months))\b(?! \d)"#,
      "$2 $3 $1 $4 $5 $1"
    ),
    (
      #"\b(between|from) (\#(months)) (and|to|until) (\#(months)) (?:in|of) ((?:19|20)\d\d)\b"#,
      "$1 $2 $5 $3 $4 $5"
    ),
    // "before Easter in 2024" is limited to 2024.
    (
      #"\bbefore (\#(feasts)) in ((?:19|20)\d\d)\b"#, "before $1 $2 and in $2"
    ),
    (#"\bafter (\#(feasts)) in ((?:19|20)\d\d)\b"#, "after $1 $2 and in $2"),
    // "on the evening of 4 January"
    (
      #"\b(?:on|in|during) the (evening|morning|afternoon) of (?=(?:the )?\d|\w+day\b|\#(months))"#,
      "in the $1 on "
    ),
    (#"\b(longest|best) run of (?:consecutive |successive )?days\b"#, "$1 streak of days"),
    (#"\b(?:days|nights) (.*),? how many\s*\??$"#, "how many days $1"),
    (#"\bon (?:workdays|working days)\b"#, "on weekdays"),
    (
      #"\bhow many (?:days|weeks|months|years) (?:has|have|is) it (?:been )?since\b"#,
      "how long since"
    ),
    (#"\bhow many (?:weeks|months|years) since\b"#, "how long since"),
    (#"^((?:how long|how many days) since) (?:my|our|the) (?:very )?last\b"#, "$1 the"),
    (#"\b(have|had|get|got) my (\w+) (\w{3,}ed|cut|done|seen)\b"#, "$1 $2 $3 myself"),
    (#"\b(miles|kilomet(?:re|er)s|km) on foot\b"#, "$1 walking"),
    (#"\b(?:during|on|in|for) (?:my|our) (?:stay|time|visit) (?=(?:in|at|on) )"#, ""),
    (#"\bper (?:workday|working day)\b"#, "per day on weekdays"),
    (
      #"\bon (?:what|which) weekdays (.*?),? and how often(?: on)? each\b"#,
      "how often $1 by weekday"
    ),
    (#"\b(?:in|for) each quarter\b|\bper quarter\b|\bquarterly\b"#, "by quarter"),
    (#",? (?:going|judging|measured) by how (?:often|many|much)[^,?]*"#, ""),
    (#"^no\.? of\b"#, "number of"),
    (#"^on (days (?:with|without) .+?), (how (?:often|many times) .*?)\s*\??$"#, "$2 on $1?"),
    // "Marek or Amara, who have I seen more?"
    (
      #"^([\w’'-]+(?: [A-Z][\w’'-]+)?) or ([\w’'-]+(?: [A-Z][\w’'-]+)?),? (who|whom|which)\b(?! of)(.*?)\s*\??$"#,
      "$3$4, $1 or $2?"
    ),
    (
      #",? (?:what|which)(?: one)? (?:took|takes|has taken|ate)(?: up)? more of my time\b"#,
      " in minutes"
    ),
    (
      #"\b(on average|average)\b(.*?),? (?:each|every) (day|week|month|year)\b(?! (?:of|i|that|we))"#,
      "$1$2 per $3"
    ),
  ])

  /// Returns the question in fewer words, before checking if it can be answered.
  func plain(_ text: String) -> String {
    var result = AskReader.plainer.applied(to: untyped(idiomatic(untalked(text))))
    // "one-to-ones" means entries tagged 1:1.
    if timeline.tags["1:1"] != nil {
      result = result.replacingOccurrences(
        of: #"\bone[- ](?:to|on)[- ]ones?\b"#, with: "1:1",
        options: [.regularExpression, .caseInsensitive])
    }
    return result
  }

  /// Returns true if a question asks about the future: "my next appointment".
  static func isAhead(_ text: String) -> Bool {
    text.range(
      of:
        #"^(?:when|what|where|who|how long)\b.*\b(?:is|are|until|till) (?:my|our|the) (?:very )?next\b"#,
      options: .regularExpression) != nil
  }

  /// Detects times that exclude each other: "between 20 June and 3 June 2024", "after May and
  /// before March".
  func contradiction(in text: String) -> String? {
    let forms = [
      #"\b(?:between|from) (.+?\d) (?:and|to|until|till) (.+?\d{4})\b"#,
      #"\bafter (.+?\d{4}) (?:and|but) before (.+?\d{4})\b"#,
    ]
    for form in forms {
      guard let expression = try? NSRegularExpression(pattern: form, options: .caseInsensitive),
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
        let whole = Range(match.range, in: text), let first = Range(match.range(at: 1), in: text),
        let second = Range(match.range(at: 2), in: text),
        let from = day(String(text[first])), let to = day(String(text[second])), from > to
      else { continue }
      return "The time ends before it begins: \(text[whole])."
    }
    return nil
  }

  private func day(_ text: String) -> DayKey? {
    let found = times.matches(in: "on " + text)
    return found.count == 1 ? found[0].start?.day : nil
  }
}
