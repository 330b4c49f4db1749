import ArkivedCore
import Foundation

/// The question word, and the unknown that it asks for.
extension AskReader {
  /// Parses what, who, when, where, and yes-or-no questions.
  func readAsking(_ line: inout TokenLine, _ question: inout AskQuestion) {
    if line.begins("did", "have", "was", "were", "has", "do", "does", "is", "am", "are", "had")
      || line.begins("zqtimea did|have|was")
    {
      question.kind = .yesNo
    } else {
      takeAsking(&line, &question)
      switch question.hole {
      case .person: question.kind = .who
      case .place: question.kind = .where
      case .day: question.kind = .when
      default: break
      }
    }
  }

  /// Consumes the question word, and records what it asks for.
  func takeAsking(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let group = line.find("which|what friend|friends|colleague|colleagues", free: true)
    if let group {
      let word = line.words[group.upperBound - 1]
      question.terms.append(.init(text: word.text, key: word.key, isHole: true))
    }
    if line.take("which|what person|people|persons|friend|friends|colleague|colleagues") != nil
      || line.take("companion|companions|partner|partners|mates|buddy") != nil
      || line.take("with whom|who", "for|to|from whom|who", "who|whom|whose") != nil
    {
      question.hole = .person
    } else if line.take("which|what author|writer") != nil {
      question.hole = .person
      question.lightVerbs.insert("by")
    } else if line.take("on? which|what day of the week", "on? which|what weekday") != nil {
      question.hole = .period(.weekday)
    } else if line.take("on? which|what days|day|dates|date", "when") != nil
      || !line.has("on|a|our|my|first|every|each|most|fewest|more|many|two dates|date")
        && line.take("dates|date of?") != nil
    {
      question.hole = .day
    } else if line.take("which|what weekday", "which|what day of the week") != nil
      || line.begins("weekday i|we|that|when|on|with", "the weekday") && line.take("weekday") != nil
    {
      question.hole = .period(.weekday)
    } else if line.take("in? which|what month") != nil
      || line.begins("month with|of|when|i") && line.take("month") != nil
    {
      question.hole = .period(.month)
    } else if line.take("in? which|what season") != nil {
      question.hole = .period(.season)
    } else if line.take("in? which|what years") != nil {
      question.hole = .period(.year)
    } else if line.take("in? which|what months") != nil {
      question.hole = .period(.month)
    } else if line.take("in? which|what year") != nil
      || line.begins("year with|when|i") && line.take("year") != nil
    {
      question.hole = .period(.year)
    } else if line.take("where") != nil || line.take("which|what place|places") != nil {
      question.hole = .place
    } else if !line.begins("which", "what"), line.take("list|show|tell") != nil {
      question.hole = .entry
    } else if let range = line.find("which|what|whats", free: true) {
      line.take(range)
      setHole(of: range.upperBound, &line, &question)
    } else if question.kind == .most, question.hole == .entry {
      setHole(of: 0, &line, &question)
    }
  }

  private static let placeKinds: Set<String> = FrameNouns.places

  /// Sets the unknown from the noun after "which", "what" or "top 3".
  func setHole(of start: Int, _ line: inout TokenLine, _ question: inout AskQuestion) {
    var index = start
    let skipped: Set<String> = [
      "kind", "kinds", "sort", "sorts", "of", "all", "the", "my", "is", "s", "lunch",
    ]
    // "what was my favourite sport"
    let isBeside: Set<String> =
      question.kind == .most ? ["was", "were", "are", "favourite", "favorite", "most"] : []
    while index < line.words.count,
      isBeside.contains(line.lower(index)) || skipped.contains(line.lower(index))
        || line.isTaken[index] && !line.lower(index).hasPrefix("zq")
          && AskReader.unit(line.lower(index), timeline.units) == nil
    {
      if line.lower(index) == "lunch" {
        if !FrameNouns.isNoun(line.words, index + 1) { break }
        index += 1
        continue
      }
      index += 1
    }
    var noun: Int?
    while index < line.words.count, !AskReader.auxiliaries.contains(line.lower(index)),
      !line.lower(index).hasPrefix("zq"), !FrameReader.prepositions.contains(line.lower(index)),
      !["of", "where", "who", "whom", "which", "when"].contains(line.lower(index)),
      !FrameReader.isVerb(line.words[index], hasSubject: false), !line.isTaken[index]
    {
      noun = index
      index += 1
      if ["or", "and"].contains(line.lower(index)) { break }
    }
    if line.take("companion|companions|partner|partners|mates") != nil {
      question.hole = .person
      return
    }
    guard let noun else {
      // "what did I exercise most"
      if question.kind == .most, question.hole == .entry, line.has("exercise", "exercised") {
        question.hole = .thing(Lemma.key("exercise"))
      }
      if question.hole == .entry { question.hole = .thing("") }
      return
    }
    let key = line.key(noun)
    if ["friends", "colleagues"].contains(line.lower(noun)) {
      question.terms.append(.init(text: line.words[noun].text, key: key, isHole: true))
    }
    switch line.lower(noun) {
    case "people", "person", "persons", "friends", "colleagues", "friend", "colleague":
      question.hole = .person
    case "places", "place", "cities", "city", "countries", "towns": question.hole = .place
    case "tags", "tag": question.hole = .tag
    case "month", "months": question.hole = .period(.month)
    case "weekday", "weekdays": question.hole = .period(.weekday)
    case "year", "years": question.hole = .period(.year)
    case "week", "weeks": question.hole = .period(.week)
    case "day", "days", "date", "dates": question.hole = .day
    case "thing", "things": question.hole = .entry
    case "food", "foods": question.hole = .thing("food")
    default:
      // "which shops have I bought groceries from"
      let isShop =
        ["shop", "store", "supermarket", "market", "bookshop"].contains(key)
        && (line.has("=buy", "go|went|gone|been to", "=visit", "=use")
          && !line.has("at|in the|a *")
          || ["from", "at", "in", "to"].contains(line.words.last?.lower ?? "")
          || ["at", "in", "from", "to"].contains(line.lower(start - 2)))
      if isShop || AskReader.placeKinds.contains(key), question.kind != .first,
        question.kind != .last
      {
        question.hole = .place
        question.lightVerbs.insert("@" + key)
      } else {
        question.hole = .thing(key)
      }
      return
    }
    line.take(noun..<noun + 1)
  }
}
