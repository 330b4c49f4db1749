import ArkivedCore
import Foundation

/// Conversational padding around a question, and set phrases with a plainer meaning.
extension AskReader {
  private static let asking =
    "when|what|who|whom|whose|where|how|which|did|have|was|were|has|do|does|is|are|on|in|at"

  private static let talk = Rewording([
    // "I'm trying to remember, when …", "oh and who …"
    (
      #"^(?:(?:oh|ah|um|uh|er|hmm|hm|well|so|right|ok|okay|and|also|but|now|btw|by the way|actually|anyway|quick question|one more thing|out of interest|out of curiosity)\b[,.:!…–-]*\s*)+(?=(?:\#(asking)|i|let|can|could|just)\b)"#,
      ""
    ),
    (
      #"^(?:i(?:['’]m| am|['’]ve been| was| was just)? ?(?:just |still )?(?:trying to (?:remember|recall|work out|figure out|find out)|try to (?:remember|recall)|can(?:['’]t|not) (?:remember|recall)|don['’]t (?:remember|recall|know)|forgot|forget|wonder(?:ing)?|curious)|just wondering|(?:please )?let me (?:see|think)|help me (?:remember|recall))\b[,.:…–-]*\s*(?=(?:\#(asking))\b)"#,
      ""
    ),
    // "…, finally?", "…, just the topics", "back in 2022"
    (
      #",? (?:finally|eventually|at last|in the end|after all|by any chance|roughly speaking)\s*(?=\?|$)"#,
      ""
    ),
    (#", (?:just|only) (?:the |their )?\w+\s*\??$"#, ""),
    (
      #"\bback in (?=(?:the )?(?:(?:19|20)\d\d|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)\b)"#,
      "in "
    ),
    // "what did I get up to last weekend": "up to" isn't a time limit.
    (#"\b((?:did|do|does) (?:i|we|\w+ and i)) get up to\b"#, "$1 do"),
    (
      #"\b((?:have|has|had|had i|having) (?:i|we|\w+ and i)) (?:got|gotten|been) up to\b"#,
      "$1 done"
    ),
    (
      #"\b((?:was|were|am|are) (?:i|we|\w+ and i)) (?:getting )?up to(?= (?:last|yester|on|in|at|this|the)|\s*\?|$)"#,
      "$1 doing"
    ),
    // "I had to buy": it was bought.
    (#"\b(have|had) (i|we) (?:had|needed|been obliged|been forced) to (\w+)"#, "$1 $2 $3"),
    (#"\b(did|do) (i|we) (?:have|need|get) to (\w+)"#, "$1 $2 $3"),
    // "a ride that wasn't a commute"
    (
      #",? (?:that|which|who) (?:weren[’']?t|wasn[’']?t|aren[’']?t|isn[’']?t|were not|was not|are not|is not) (?:(?:a|an|the|my|any|part of|for) )*(?=\w)"#,
      " not "
    ),
    (#"\b(have|had|take|took|taken|got|get) (?:a |an )?(\w+) level of\b"#, "$1 $2"),
    (#"\b(mood|energy) (?:levels?|scores?|ratings?|values?)\b"#, "$1"),
    (
      #"\b(?:rated?|scored?|marked?|g[ai]ven?|put down) (my|the) (mood|energy)(?: as| at| with| to be)?(?: an?)? (?=[1-5]\b)"#,
      "have $2 "
    ),
    (
      #"\b(my|the) (mood|energy) (?:was |got |were )?(?:rated|scored|marked)(?: as| at| with)?(?: an?)? (?=[1-5]\b)"#,
      "$1 $2 "
    ),
    // "spent" here refers to time, not money.
    (#"\b(spend|spent|spending) (?:longer|more hours|more minutes)\b"#, "$1 more time"),
    // "How long does choir usually last?"
    (
      #"^how long (?:is|was|are|were) (?:my|our|the|an?) (?:usual|typical|normal|average) (.+)$"#,
      "how long on average $1"
    ),
  ])

  /// Periods named by one of their days: "exactly two years ago" is that day.
  private static let exactly =
    #"\b(?:exactly|precisely|on this (?:very )?day|on this date|this day|today)(?: the)? (\w+) (year|month|week|day)s? ago\b(?: today| to the day| exactly| precisely)?|\b(\w+) (year|month|week)s? ago (?:today|to the day|exactly|precisely|on the dot)\b"#

  /// Returns the question without conversational padding.
  func untalked(_ text: String) -> String {
    var result = AskReader.talk.applied(to: text)
    result = weekends(exactDay(result))
    if isWeighed {
      result = AskReader.scales.applied(to: result)
    }
    return result
  }

  /// Questions about somebody's weight, if the archive contains it.
  private static let scales = Rewording([
    (
      #"\b(when|on (?:what|which) (?:day|date)) (?:was|were|am|have) i (?:been )?(?:at )?(?:my |the )?heaviest\b"#,
      "what was my highest weight"
    ),
    (
      #"\b(when|on (?:what|which) (?:day|date)) (?:was|were|am|have) i (?:been )?(?:at )?(?:my |the )?lightest\b"#,
      "what was my lowest weight"
    ),
    (#"\b(?:i was|was i) at my heaviest\b"#, "my weight was highest"),
    (#"\b(?:i was|was i) at my lightest\b"#, "my weight was lowest"),
  ])

  private func exactDay(_ text: String) -> String {
    guard
      let expression = try? NSRegularExpression(
        pattern: AskReader.exactly, options: .caseInsensitive),
      let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
      let whole = Range(match.range, in: text)
    else { return text }
    func group(_ first: Int, _ second: Int) -> String? {
      (Range(match.range(at: first), in: text) ?? Range(match.range(at: second), in: text))
        .map { text[$0].lowercased() }
    }
    guard let word = group(1, 3), let unit = group(2, 4),
      let count = Int(word) ?? AskReader.small[word]
        ?? (["a", "an", "one"].contains(word) ? 1 : nil),
      (1...200).contains(count)
    else { return text }
    let day: DayKey
    switch unit {
    case "year": day = today.adding(months: -12 * count)
    case "month": day = today.adding(months: -count)
    case "week": day = today.advanced(by: -7 * count)
    default: day = today.advanced(by: -count)
    }
    return text.replacingCharacters(in: whole, with: "on \(day)")
  }

  /// Rewrites "at the weekend" to mean any weekend if there is another time, or the question asks
  /// for a habit.
  private func weekends(_ text: String) -> String {
    guard
      text.range(
        of:
          #"\b(?:19|20)\d\d\b|\b(?:usual|usually|typical|typically|normally|average|mean|always|often)\b|\b(?:this|last|past|previous) (?:year|month|spring|summer|autumn|winter)\b"#,
        options: [.regularExpression, .caseInsensitive]) != nil
    else { return text }
    return text.replacingOccurrences(
      of:
        #"\b(?:at|on|over|during) (?:the )?weekend\b(?! (?:of|before|after|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|when|that|i|we|\d))"#,
      with: "on weekends", options: [.regularExpression, .caseInsensitive])
  }
}
