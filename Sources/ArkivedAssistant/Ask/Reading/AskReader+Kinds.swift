import ArkivedCore
import Foundation

extension AskReader {
  /// Consumes the words that specify the kind of answer.
  func readKind(_ line: inout TokenLine, _ question: inout AskQuestion) {
    // If a comparison's two sides weren't found, the answer says so.
    if let than = line.find("than", free: true), question.threshold == nil {
      question.ignored.append(
        line.words[than.lowerBound...].prefix(3).filter { !$0.lower.hasPrefix("zq") }.map(\.text)
          .joined(separator: " "))
    }
    readGrouping(&line, &question)
    readTop(&line, &question)
    if readSpecial(&line, &question) { return }
    if readEdge(&line, &question) { return }
    if question.countsPeriod != nil { return }
    readCounting(&line, &question)
  }

  /// Parses "days without a walk", "weeks without a run" as a count if nothing else is asked.
  private func readBareDays(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let spans: [(String, AskQuestion.Period)] = [
      ("weeks", .week), ("months", .month), ("years", .year),
    ]
    for (word, period) in spans where line.begins(word) {
      line.take(word)
      question.kind = .count
      question.countsPeriod = period
      return
    }
    guard line.begins("days"), line.take("days") != nil else { return }
    question.kind = .count
    question.countsDays = true
  }

  /// Parses gaps, streaks, "how long since" and clock times.
  private func readSpecial(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    // "between the last two retros"
    if let range = line.find("between the|my last|first|latest two"),
      line.take("how many days") != nil
    {
      question.kind = .gap
      question.measure = nil
      question.lightVerbs.insert(
        line.lower(range.lowerBound + 2) == "first" ? "gap:first" : "gap:last")
      line.take(range)
      return true
    }
    if line.has("average"),
      line.take("days lie|pass|are|elapse between", "from one * to the next") != nil
    {
      line.take("one")
      line.take("and the next")
      line.take("how many")
      question.kind = .gap
      question.isAverageWanted = true
      question.measure = nil
      return true
    }
    if line.take(
      "average|mean time|gap|interval|break|pause|days between", "average number of days between")
      != nil
    {
      question.kind = .gap
      question.isAverageWanted = true
      question.measure = nil
      return true
    }
    // The days without it include those before the first and after the last one.
    if line.take("longest streak without", "longest run|streak|stretch of days without") != nil {
      line.take("a single")
      question.kind = .streak
      question.isComplement = true
      return true
    }
    if line.take("longest gap|break|pause|interval between?", "longest time between") != nil
      || line.has("longest i|we went|have without", "longest i|we have gone|been without")
        && line.take("longest") != nil
      || line.take(
        "longest time|stretch|period|spell|stint without|between", "longest run without")
        != nil
      || line.has(
        "longest * and i went|have without", "longest * went without",
        "longest zqperson~ and i went without")
        && line.take("longest") != nil
    {
      question.kind = .gap
      line.take("two")
      line.take("i|we went")
      line.take("without")
      line.take("a single")
      question.terms.removeAll { $0.isExcluded }
      return true
    }
    if line.has(
      "weeks|months|years|weekends in a row|running|straight", "consecutive weeks|months|years")
    {
      question.problem = said(
        "I can count days in a row, but not longer periods. Ask about days.")
      return true
    }
    if line.take(
      "in a row", "consecutive", "longest streak", "streak", "successive",
      "most days running", "days running", "on the trot", "in succession", "days straight",
      "straight days", "back to back", "day after day", "on end") != nil
    {
      line.take("at the longest", "at the most", "longest", "most")
      question.kind = .streak
      return true
    }
    if let range = line.find("how long have|has i|we been|lived|known|had|owned|worked"),
      !line.has("since", "without"),
      line.has("been married|engaged|at|in|with|a|an|together|retired")
        || !line.has("been")
    {
      line.take(range.lowerBound..<range.upperBound - 1)
      question.kind = .since
      question.isFirstMeant = true
      return true
    }
    if line.take(
      "how long is|has it been? since", "how long since", "how long ago", "how many days since",
      "how many days ago", "how long has|is it been? since?", "days since") != nil
    {
      question.kind = .since
      return true
    }
    if line.take("what time", "which time", "when exactly", "at what hour", "what hour") != nil {
      question.kind = .clock
      line.take("=start|=begin")
      if line.take("=end|=finish|=stop") != nil { question.lightVerbs.insert("clock:end") }
      if line.take("usually|typically|normally|average", "on average") != nil {
        question.isAverageWanted = true
      }
      return true
    }
    return false
  }

  private func readEdge(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    if line.begins("how long") { return false }
    let extremes =
      "most|least|longest|shortest|furthest|farthest|biggest|largest|smallest|highest|lowest"
    if let range = line.find("second|third|fourth \(extremes)") {
      question.rank = ["second": 2, "third": 3, "fourth": 4][line.lower(range.lowerBound)]
      line.take(range.lowerBound..<range.lowerBound + 1)
    }
    // "the three longest rides"
    if let range = line.find(
      "two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10 longest|shortest|furthest|biggest|highest|lowest|heaviest|largest"
    ) {
      let word = line.lower(range.lowerBound)
      question.top = Int(word) ?? AskReader.small[word]
      line.take(range.lowerBound..<range.lowerBound + 1)
    }
    var isOfDays = question.measure == .mood || question.measure == .energy
    if case .metric = question.measure { isOfDays = true }
    if line.find("how many|often|much|far") == nil || question.kind == .most {
      let superlatives: [(String, Bool)] = [
        ("most expensive", false), ("least expensive", true), ("dearest|priciest|costliest", false),
        ("cheapest", true),
        (
          "longest|furthest|farthest|highest|biggest|largest|heaviest|greatest|maximum|max|record",
          false
        ),
        (isOfDays ? "best" : "zz", false),
        (isOfDays ? "worst" : "zz", true),
        ("shortest|lowest|smallest|lightest|minimum|min|nearest", true),
      ]
      for (pattern, isLeast) in superlatives {
        guard let range = line.take(pattern) else { continue }
        if line.has("on average"), line.begins("who|whom", "which *", "what *", "with whom"),
          !line.begins("what was|is"), !isOfDays
        {
          let word = line.lower(range.lowerBound)
          question.problem = said(
            """
            I can’t work out which has the \(word) average. Ask for one average at a time.
            """)
        }
        question.kind = .longest
        question.isLeast = isLeast
        if line.take("mileage|distance") != nil {
          question.measure = question.measure ?? .unit("km")
        }
        if let next = line.find("week|month|year|weekday|season", free: true),
          next.lowerBound == range.upperBound
        {
          // "my best month"
          question.hole = .period(
            AskQuestion.Period(rawValue: line.lower(next.lowerBound)) ?? .month)
          line.take(next)
          line.take("by|for|of|in")
        } else if line.begins(
          "which", "what", "on", "in", "month", "year", "week", "weekday", "day with"),
          !line.begins("what was", "what is")
        {
          takeAsking(&line, &question)
        }
        if ["furthest", "farthest"].contains(line.lower(range.lowerBound)) {
          question.measure = question.measure ?? .unit("km")
        }
        if question.measure == nil {
          let isTime = line.take("time", "=session", "=took", "afternoon|evening|morning") != nil
          question.measure = isTime ? .duration("minutes") : .extent
        }
        return true
      }
      if readMost(&line, &question) { return true }
    }
    if line.begins("how many", "how often", "how much", "how far") { return false }
    let isWhich = line.begins("which", "what", "who", "whom", "with")
    if line.take("for the first time", "the? first time", "first ever", "earliest") != nil
      || line.take("first") != nil
    {
      question.kind = .first
    } else if line.take(
      "the? last|latest|previous time", "most recent|recently", "latest", "newest")
      != nil || line.take("last") != nil
    {
      question.kind = .last
    } else {
      return false
    }
    if let range = line.find(
      "two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10", free: true),
      line.isTaken.indices.contains(range.lowerBound - 1), line.isTaken[range.lowerBound - 1]
    {
      let word = line.lower(range.lowerBound)
      question.top = Int(word) ?? AskReader.small[word]
      line.take(range)
    }
    if isWhich { takeAsking(&line, &question) }
    if line.begins("when", "what day", "which day") { line.take("when") }
    return true
  }

  private func readCounting(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let isAverage =
      line.take("on average", "average", "mean", "typically|typical|usual|usually|normally") != nil
      || question.isAverageWanted
    if isAverage { question.isAverageWanted = true }
    if line.take("how much time", "total time", "time spent") != nil
      || line.has("total * time", "total * * time") && line.take("total") != nil
    {
      question.kind = .sum
      question.measure = .duration("minutes")
    } else if line.take("how many people|persons", "number of people", "how many different people")
      != nil
    {
      question.kind = .count
      question.measure = .people
    } else if line.take("on? how many weekends", "how many different weekends") != nil {
      question.kind = .count
      question.countsPeriod = .week
      question.weekdays = [.saturday, .sunday]
    } else if let range = line.find("on? how many evenings|mornings|afternoons") {
      line.take(range)
      question.kind = .count
      question.countsDays = true
      let parts = ["evenings": 1020..<1440, "mornings": 0..<720, "afternoons": 720..<1080]
      question.minutes = parts[line.lower(range.upperBound - 1)]
    } else if line.take("on? how many days|nights", "number of days", "how many different days")
      != nil || line.begins("days with|of|at") && line.take("days") != nil
    {
      question.kind = .count
      question.countsDays = true
    } else if line.take(
      "how many times", "how often", "how frequently", "number of times", "how many entries",
      "how regularly", "how many visits", "visits") != nil
    {
      question.kind = .count
      if question.measure != nil, question.threshold == nil { question.measure = nil }
    } else if question.measure == nil, line.take("how much did|do|have|does i|we") != nil {
      question.kind = .sum
      question.measure = .extent
    } else if line.take("how many different|distinct *") != nil {
      question.kind = .count
      question.measure = nil
      if let range = line.find("how many different|distinct *") {
        let noun = range.upperBound - 1
        question.lightVerbs.insert("distinct")
        let key = line.key(noun)
        let isPlace = ["place", "city", "town", "country", "restaurant"].contains(key)
        question.hole = isPlace || FrameNouns.places.contains(key) ? .place : .thing(key)
        if !isPlace, !FrameNouns.places.contains(key) { line.isTaken[noun] = false }
        // "how many different cinemas"
        if FrameNouns.places.contains(key), !["city", "town", "country"].contains(key) {
          line.isTaken[noun] = false
          question.lightVerbs.insert("@" + key)
        }
      }
    } else if let range = line.take("how many|much", "number of", "count") {
      question.kind = question.measure == nil ? .count : .sum
      if question.measure == nil, question.per == nil, line.lower(range.upperBound - 1) == "much",
        range.count > 1
      {
        readMuch(line, range.upperBound, &question)
      }
      if question.measure == nil,
        let index = line.words.indices.first(where: {
          !line.isTaken[$0] && !QuestionWords.fillers.contains(line.lower($0))
        })
      {
        // The noun to count is the last word before the verb.
        var noun = index
        while noun + 1 < line.words.count, !line.isTaken[noun + 1],
          !AskReader.auxiliaries.contains(line.lower(noun + 1)),
          !FrameReader.prepositions.contains(line.lower(noun + 1)),
          !line.lower(noun + 1).hasPrefix("zq")
        {
          noun += 1
        }
        question.lightVerbs.insert("#" + line.key(noun))
      }
    } else if line.take("how far", "what distance", "distance") != nil {
      question.kind = .sum
      if question.measure == nil { question.measure = .unit("km") }
    } else if line.take("how long", "how much time", "total time", "time spent") != nil {
      question.kind = .sum
      // The days record the answer to "how long did I sleep" themselves.
      if case .metric = question.measure {} else { question.measure = .duration("minutes") }
      line.take("=last")
      line.take("=take")
    } else if question.measure != nil, !line.begins("did", "have", "was", "which", "who", "where"),
      !isAverage, !line.begins("when")
    {
      question.kind = .sum
      takeAsking(&line, &question)
      if question.hole != .entry, question.hole != .thing("be") { question.hole = .entry }
    }
    if line.take("in total", "total", "altogether", "in all") != nil {
      question.isTotalWanted = question.kind == .list && question.measure == nil
    }
    if isAverage {
      let wasCount = question.kind == .count && question.per != nil
      question.kind = .average
      if wasCount { question.measure = nil }
      line.take("length|duration of?")
      if question.measure == nil, !wasCount, question.per == nil { question.measure = .extent }
      return
    }
    // "steps per month": a table.
    if let per = question.per, per != .day, !line.has("how", "average", "mean", "typically"),
      question.kind == .count || question.kind == .sum
    {
      question.group = per
      return
    }
    if question.per != nil, question.kind == .count || question.kind == .sum {
      if question.per == .year, !question.isAverageWanted {
        question.group = .year
      } else {
        question.kind = .average
      }
    } else if let per = question.per, question.kind == .list {
      if per == .day, !question.weekdays.isEmpty || line.has("weekdays|weekends") {
        // "meetings per working day"
        question.kind = .average
      } else if isRate(per, question) {
        question.kind = .average
        question.ignored.append(said("each \(per.word) separately"))
      } else {
        question.kind = question.measure == nil ? .count : .sum
        question.group = per
      }
    }
    if question.group != nil, question.kind == .list {
      question.kind = question.measure == nil ? .count : .sum
    }
    if question.kind == .list, question.terms.count + question.people.count > 0,
      question.terms.allSatisfy(\.isExcluded), question.people.allSatisfy(\.isExcluded)
    {
      readBareDays(&line, &question)
    }
    if question.kind == .list || question.kind == .none { readAsking(&line, &question) }
  }

  /// Returns true if a question asks for a rate, as in "talks per week in 2022", which has too many
  /// weeks to list.
  private func isRate(_ per: AskQuestion.Period, _ question: AskQuestion) -> Bool {
    let length = question.days.map { $0.lowerBound.distance(to: $0.upperBound) } ?? .max
    return per == .week && length > 100 || per == .day && length > 31
  }

  /// Parses "how much TV" as a duration; food and drink have amounts, or are counted.
  private func readMuch(_ line: TokenLine, _ start: Int, _ question: inout AskQuestion) {
    let key = line.key(start)
    let counted = Ontology.members(of: "food").union(Ontology.members(of: "drink"))
    question.lightVerbs.insert("much")
    guard !counted.contains(key), !Synonyms.of(key).contains(where: counted.contains) else {
      return
    }
    question.kind = .sum
    question.measure = .duration("minutes")
  }

  static let auxiliaries: Set<String> = [
    "did", "do", "does", "have", "has", "had", "was", "were", "is", "are", "am", "i", "we", "my",
    "will", "would", "can", "that", "there",
  ]
}
