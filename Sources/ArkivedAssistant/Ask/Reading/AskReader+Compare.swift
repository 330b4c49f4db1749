import ArkivedCore
import Foundation

/// The alternatives that a question compares.
struct Alternatives {
  var sides: [Range<Int>]
  /// The positions of the words between them.
  var links: Set<Int>
}

extension AskReader {
  /// Comparative words that carry no other meaning.
  static let comparatives: Set<String> = [
    "compare", "compared", "better", "more", "versus", "vs", "against", "than", "comparison",
    "lower", "higher", "worse", "longer", "further", "farther", "fewer", "less", "rather",
    "difference",
    "oftener", "shorter", "greater",
  ]

  /// Rewrites ways of comparing into the words that the parser recognises.
  func plainComparison(_ text: String) -> String {
    var result = text
    let ways: [(String, String)] = [
      (#"\bas (?:many|much|often)\b(.*?)\bas\b"#, "more $1 than"),
      (#"\b(?:is|was|are|am)\b(.*?)\bahead of\b"#, "more $1 than"),
      (#"\bin comparison (?:with|to)\b|\bcompared? (?:with|to)\b"#, "compared versus"),
      (#"\bthan (?:i|we|it|they|she|he) (?:did|do|was|were|have|had|used to)\b(?= \S)"#, "than"),
      (
        #"^((?!.*\bthis\b).*\b(?:more|less|fewer|better|worse|longer|higher|lower|further)\b.*) than (?:in )?(last|the previous) (year|month|week|summer|winter|spring|autumn)\b"#,
        "$1 this $3 than last $3"
      ),
      (#"\blast (week|month|year)\b(.*)\bthe \1 before\b(?! last)"#, "last $1$2the $1 before last"),
      (#"\bthis (week|month|year)\b(.*)\bthe \1 before\b(?! last)"#, "this $1$2last $1"),
      (
        #"^((?:am|do|have) i\b(?!.*\b(?:this|(?:19|20)\d\d)\b.*\bthan\b).*\b(?:more|less|fewer|better|worse|longer|further)\b.*) than (?:in |during )?((?:19|20)\d\d)\b"#,
        "$1 this year than in $2"
      ),
      (#"\bdifference (?:between|in)\b"#, "compare"),
      (#"\bcompare\b([^,?]*)\bbetween\b"#, "compare$1"),
      (#"^\s*between (.*?,? (?:who|whom|which|what|when|where)\b)"#, "$1"),
      (#"\bduring the week\b(?! of| before| after)|\bon weekday(?=s?\b)"#, "on weekday"),
      (#"\bon weekdayss?\b|\bon weekday\b"#, "on weekdays"),
      (#"\bat (?:the )?weekends?\b(?= or)"#, "on weekends"),
      (
        #"\bthe (first|second)(?: half)? or (?:in )?(?:the )?(second|first|last) half of ((?:\w+ )?\d{4}|\w+)"#,
        "the $1 half of $3 or the $2 half of $3"
      ),
      (
        #"\bthe (first|second) (half|week) of ((?:\w+ )?\d{4}|\w+)(.*?)\b(or|than|versus|vs|and) (?:in |during )?the (first|second|last)(?: \2)?(?! half| week| of)"#,
        "the $1 $2 of $3$4$5 in the $6 $2 of $3"
      ),
    ]
    for (pattern, template) in ways {
      result = result.replacingOccurrences(
        of: pattern, with: template, options: [.regularExpression, .caseInsensitive])
    }
    return result
  }

  private func type(_ index: Int, _ line: TokenLine, _ marks: [String: Mark]) -> String {
    switch marks[line.lower(index)] {
    case .time, .months: "time"
    case .person: "person"
    case nil:
      Self.weekday(line.lower(index)) != nil
        || ["weekends", "weekdays"].contains(line.lower(index)) ? "weekday" : "word"
    }
  }

  /// Returns the alternatives that a question compares; nil if it compares none.
  func alternatives(_ line: TokenLine, _ marks: [String: Mark]) -> Alternatives? {
    // "did I read the news more than I watched it"
    if let than = line.find("than i|we"), let first = line.find("i|we *"),
      first.upperBound < than.lowerBound, than.upperBound < line.words.count
    {
      let verb = than.upperBound
      return Alternatives(
        sides: [first.upperBound - 1..<first.upperBound, verb..<verb + 1],
        links: Set(than).union(verb + 1..<min(line.words.count, verb + 2)).filter {
          than.contains($0) || ["it", "them", "that"].contains(line.lower($0))
        })
    }
    let isLimit = line.words.indices.contains { index in
      line.lower(index) == "than"
        && ["half", "an", "one", "two", "three", "five", "ten"].contains(line.lower(index + 1))
        || line.lower(index) == "than"
          && Double(line.lower(index + 1).replacing(",", with: "")) != nil
    }
    let compares =
      line.words.contains { Self.comparatives.contains($0.lower) && $0.lower != "rather" }
      || line.has("earlier", "later", "busier", "cheaper", "prefer")
      || line.find("most|least").map { line.find("or", from: $0.upperBound) != nil } ?? false
    let isOther = line.has("other|rather|earlier|later than") && !line.has("more", "less", "or")
    guard compares, !isOther, !isLimit || line.has("or|vs|versus") else { return nil }
    let isOpen = line.has("compare|compared|which|who|whom|between")
    for (index, word) in line.words.enumerated() {
      let isStrong = ["or", "versus", "vs", "against", "than"].contains(word.lower)
      let isWeak =
        word.lower == "and" && isOpen || ["with", "to"].contains(word.lower) && line.has("compare")
      guard isStrong || isWeak, index > 0 else { continue }
      var next = index + 1
      let skipped: Set<String> = [
        "in", "on", "to", "the", "at", "with", "a", "more", "less", "fewer", "during", "from", "by",
        "for", "of", "my", "our",
      ]
      while skipped.contains(line.lower(next)) { next += 1 }
      guard next < line.words.count else { continue }
      if let pair = repeated(line, marks, link: index, next: next) { return pair }
      let right = type(next, line, marks)
      if right != "word" {
        if let chain = chain(of: right, line, marks, link: index, next: next) { return chain }
        if !["than", "and"].contains(word.lower) { continue }
      } else if isStrong || word.lower == "with" || word.lower == "to" || line.has("compare") {
        if let pair = phrases(line, marks, link: index, next: next) { return pair }
      }
    }
    return nil
  }

  /// Parses a series of times, people or weekdays: "January, February and March".
  private func chain(
    of kind: String, _ line: TokenLine, _ marks: [String: Mark], link: Int, next: Int
  ) -> Alternatives? {
    guard let left = (0..<link).last(where: { type($0, line, marks) == kind }) else { return nil }
    var sides = [left..<left + 1, next..<next + 1]
    var links: Set<Int> = [link]
    // The words directly before the first, after a comma.
    var first = left
    while first > 0, line.words[first].isAfterBreak, type(first - 1, line, marks) == kind {
      first -= 1
      sides.insert(first..<first + 1, at: 0)
    }
    var last = next
    while last + 1 < line.words.count {
      var place = last + 1
      if ["or", "and", "vs", "versus"].contains(line.lower(place)) { place += 1 }
      if ["in", "on", "with"].contains(line.lower(place)) { place += 1 }
      guard type(place, line, marks) == kind,
        place > last + 1 || line.words[place].isAfterBreak, place < line.words.count
      else { break }
      links.formUnion(last + 1..<place)
      sides.append(place..<place + 1)
      last = place
    }
    return Alternatives(sides: sides, links: links)
  }

  /// Parses "lunch with Hanna vs lunch with Carla": both sides repeat the same noun.
  private func repeated(
    _ line: TokenLine, _ marks: [String: Mark], link: Int, next: Int
  ) -> Alternatives? {
    guard type(next, line, marks) == "word",
      !QuestionWords.fillers.contains(line.lower(next)),
      !Self.comparatives.contains(line.lower(next)),
      let start = (0..<link).last(where: { line.key($0) == line.key(next) })
    else { return nil }
    var end = next + 1
    // A time after the second applies to both if the first has none.
    let isOpen = !(start..<link).contains { type($0, line, marks) == "time" }
    while end < line.words.count, line.words[end].sign == nil,
      !isOpen
        || type(end, line, marks) != "time"
          && !(["in", "during"].contains(line.lower(end)) && type(end + 1, line, marks) == "time")
    {
      end += 1
    }
    var stop = link
    while stop > start + 1, Self.comparatives.union(["often"]).contains(line.lower(stop - 1)) {
      stop -= 1
    }
    return Alternatives(sides: [start..<stop, next..<end], links: [link])
  }

  private static let stops: Set<String> = [
    "more", "most", "with", "at", "in", "on", "by", "which", "what", "have", "did", "do", "to",
    "for", "from", "often", "was", "the", "a", "i", "we", "played", "go", "went", "than", "less",
    "fewer", "had", "eat", "ate", "is", "are", "were", "my", "time", "watch", "spend", "spent",
    "or", "and", "there", "visit", "use", "of", "between", "better", "longer", "money", "be",
    "been",
    "got", "get", "saw", "see", "cook", "cooked", "drink", "drank", "play", "bake", "baked", "buy",
    "bought", "doing", "read",
  ]

  /// Parses two or more things in plain words: "chess or backgammon".
  private func phrases(
    _ line: TokenLine, _ marks: [String: Mark], link: Int, next: Int
  ) -> Alternatives? {
    guard !["me", "i", "usual", "ever", "before", "not", "we"].contains(line.lower(next)) else {
      return nil
    }
    var stop = link
    while stop > 1, Self.comparatives.union(["often", "frequently"]).contains(line.lower(stop - 1))
    {
      stop -= 1
    }
    guard stop > 0, type(stop - 1, line, marks) == "word" else { return nil }
    var end = next
    while end < line.words.count, end - next < 3,
      !Self.stops.contains(line.lower(end)) || end == next,
      !(end > next && line.words[end].isAfterBreak), type(end, line, marks) == "word"
    {
      end += 1
    }
    func start(before stop: Int) -> Int {
      var begin = stop
      while begin > 0, stop - begin < 3,
        !Self.stops.contains(line.lower(begin - 1)) || begin == stop,
        type(begin - 1, line, marks) == "word",
        begin == stop || !line.words[begin].isAfterBreak,
        !ConceptResolver.soft.contains(line.key(begin - 1)) || begin == stop,
        // "kilometres cycling or running": the unit applies to both.
        begin == stop || AskReader.unit(line.lower(begin - 1), timeline.units) == nil
      {
        begin -= 1
      }
      return begin
    }
    var begin = start(before: stop)
    guard end > next, begin < stop else { return nil }
    let isOr = line.lower(link) == "or"
    if isOr, line.find("or", from: link + 1) != nil,
      line.words.indices.contains(where: { type($0, line, marks) == "person" })
    {
      return nil
    }
    var sides = [begin..<stop, next..<end]
    // "chess, backgammon or rummy"
    while begin > 1, line.words[begin].sign == "," {
      let more = start(before: begin)
      guard more < begin, more == 0 || !FrameReader.prepositions.contains(line.lower(more - 1)),
        !Self.stops.contains(line.lower(begin - 1)),
        type(begin - 1, line, marks) == "word"
      else { break }
      sides.insert(more..<begin, at: 0)
      begin = more
    }
    return Alternatives(sides: sides, links: [link])
  }

  /// Parses the question once for each alternative.
  func compared(
    _ line: TokenLine, _ pair: Alternatives, _ marks: [String: Mark], _ start: AskQuestion
  ) -> AskQuestion {
    var question = start
    question.kind = .compare
    question.isLeast = line.has("less", "fewer", "fewest", "least", "lower", "worse", "shorter")
    let marks = sharedYear(line, pair, marks)
    for (position, own) in pair.sides.enumerated() {
      var part = TokenLine([])
      for (index, word) in line.words.enumerated() where !pair.links.contains(index) {
        if Self.comparatives.contains(word.lower) { continue }
        if !own.contains(index), pair.sides.contains(where: { $0.contains(index) }) { continue }
        // Words between a link and another side belong to that side: "or in 2024".
        let isOthers = pair.sides.enumerated().contains { other, side in
          other != position && other > 0 && index < side.lowerBound
            && index >= pair.sides[other - 1].upperBound
            && pair.links.contains(where: { $0 < index && $0 >= pair.sides[other - 1].upperBound })
        }
        if isOthers { continue }
        part.words.append(word)
        part.isTaken.append(false)
      }
      question.alternatives.append(
        (label(own, line, marks), side(part, line, marks, start)))
    }
    return question
  }

  /// Returns the name of a side, without the words that belong to the sentence: "cycling" of
  /// "compare cycling and running", "2024" of "in 2024 or 2025".
  private func label(_ own: Range<Int>, _ line: TokenLine, _ marks: [String: Mark]) -> String {
    let label = line.words[own].map { word in
      switch marks[word.lower] {
      case .time(let match): match.text
      case .months(_, let text): text
      case .person(let person): person.words
      case nil: word.text
      }
    }.joined(separator: " ")
    for word in ["compare ", "in "] where label.lowercased().hasPrefix(word) {
      return String(label.dropFirst(word.count))
    }
    return label
  }

  /// Returns one side's question.
  private func side(
    _ words: TokenLine, _ line: TokenLine, _ marks: [String: Mark], _ start: AskQuestion
  ) -> AskQuestion {
    var part = words
    var inner = start
    readMarks(&part, marks, &inner)
    readNegation(&part, marks, &inner)
    // "was I ill on more days in 2023": without the comparative words, days are counted.
    if line.has("more|fewer|less|many|most days"), part.take("on? days") != nil {
      inner.kind = .count
      inner.countsDays = true
    }
    readMeasures(&part, &inner, isComparing: true)
    part.take("often|frequently")
    readKind(&part, &inner)
    readWeekdays(&part, &inner)
    readTerms(&part, marks, &inner)
    // The entries themselves state what is compared.
    inner.hole = .entry
    inner.terms.removeAll { $0.isHole && QuestionWords.fillers.contains($0.text.lowercased()) }
    let isMean = line.has("better", "higher", "lower", "worse")
    let takes = line.has("=take|=last|=stay", "was|were|are|is my|our")
    if isMean || line.has("longer|shorter") && takes { inner.isAverageWanted = true }
    if inner.measure == nil, line.has("further|farther") { inner.measure = .unit("km") }
    if inner.measure == nil, line.has("more|less time", "longer|shorter") {
      inner.measure = .duration("minutes")
    }
    if line.begins("who"), !line.has("did|do|have i|we") {
      for position in inner.people.indices
      where inner.people[position].role.isEmpty || inner.people[position].role == "with" {
        inner.people[position].role = "subject"
      }
    }
    return inner
  }

  /// Applies a shared year: both are in 2024 in "spring or autumn 2024" and "June 2024 or July";
  /// "in summer or in winter" means any year.
  private func sharedYear(
    _ line: TokenLine, _ pair: Alternatives, _ marks: [String: Mark]
  ) -> [String: Mark] {
    var result = marks
    let names = pair.sides.map { line.lower($0.lowerBound) }
    let texts = names.map { name -> String? in
      if case .time(let match) = marks[name] { match.text } else { nil }
    }
    let pattern = "\\b(19|20)\\d\\d\\b"
    func year(_ text: String?) -> String? {
      text.flatMap { text in
        text.range(of: pattern, options: .regularExpression).map { String(text[$0]) }
      }
    }
    let shared = texts.reversed().lazy.compactMap(year).first
    let relative = ["this", "last", "next", "week", "yesterday", "today", "year", "ago"]
    for (name, text) in zip(names, texts) {
      guard let text, year(text) == nil, !text.contains(where: \.isNumber),
        !relative.contains(where: { text.lowercased().contains($0) })
      else { continue }
      if let shared, let again = times.matches(in: "\(text) \(shared)").first {
        result[name] = .time(again)
      } else if let months = AskReader.season(text)
        ?? (line.has("all|any|every|each year|years") ? AskReader.month(text) : nil)
      {
        result[name] = .months(months, text)
      }
    }
    return result
  }

  static func month(_ text: String) -> Set<Int>? {
    MonthName.full.firstIndex { text.lowercased().contains($0.lowercased()) }.map { [$0 + 1] }
  }

  /// Returns the months of a season without a year.
  static func season(_ text: String) -> Set<Int>? {
    let lower = text.lowercased()
    if lower.contains("winter") { return [12, 1, 2] }
    if lower.contains("spring") { return [3, 4, 5] }
    if lower.contains("summer") { return [6, 7, 8] }
    return lower.contains("autumn") || lower.contains("fall") ? [9, 10, 11] : nil
  }
}
