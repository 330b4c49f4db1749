import Foundation

/// A question in English word order: "Wann habe ich zuletzt mit Jonas Schach gespielt" becomes
/// "when did I last play chess with Jonas".
struct WordedSentence {
  typealias Token = QuestionWording.Token

  private(set) var english = ""
  /// Clauses with their English, used by answers to show the owner's own words.
  private(set) var clauses: [Token] = []

  /// Reorders the tokens of a question.
  ///
  /// - Returns: nil if the sentence isn't structured like a question.
  init?(_ tokens: [Token]) {
    guard !tokens.contains(where: { $0.kind == .order }) else {
      english = tokens.first { $0.kind == .order }?.english ?? ""
      return
    }
    guard var line = withClauses(tokens) else { return nil }
    line = Self.withVehicle(line)
    let finite = line.indices.filter { Self.isFinite(line[$0]) }
    guard finite.count < 2 else { return nil }
    if let place = finite.first {
      guard let words = Self.sentence(line, place) else { return nil }
      english = Self.joined(words)
    } else {
      english = Self.joined(Self.verbless(line))
    }
  }

  private static func isFinite(_ token: Token) -> Bool {
    [.auxiliary, .past, .present].contains(token.kind)
  }

  private static func joined(_ words: [String]) -> String {
    words.filter { !$0.isEmpty }.joined(separator: " ").replacing(" ,", with: ",")
  }

  private static func told(_ english: String) -> Token {
    Token(kind: .told, english: english, original: "")
  }

  // MARK: Clauses

  private static func isSince(_ token: Token) -> Bool {
    token.kind == .asking && token.english.hasSuffix("since I")
  }

  /// Translates clauses: "an denen ich krank war" becomes "I was ill".
  private mutating func withClauses(_ tokens: [Token]) -> [Token]? {
    var result: [Token] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      guard token.kind == .clause || Self.isSince(token) else {
        result.append(token)
        index += 1
        continue
      }
      var body: [Token] = []
      var verb: Token?
      var next = index + 1
      while next < tokens.count, verb == nil, tokens[next].kind != .comma {
        if Self.isFinite(tokens[next]) { verb = tokens[next] } else { body.append(tokens[next]) }
        next += 1
      }
      guard let clause = Self.clause(body, verb) else { return nil }
      if next < tokens.count, tokens[next].kind == .comma { next += 1 }
      while result.last?.kind == .comma { result.removeLast() }
      let lead = Self.told(token.english)
      let original = tokens[index..<next].filter { $0.kind != .comma }.map(\.original)
      clauses.append(
        Token(
          kind: .told, english: Self.joined(([lead] + clause).map(\.english)),
          original: original.joined(separator: " ")))
      result += [lead] + clause
      index = next
    }
    return result
  }

  /// Returns the words of a clause after its subject.
  private static func clause(_ body: [Token], _ finite: Token?) -> [Token]? {
    let verbs = body.filter { $0.kind == .verb }
    guard verbs.count < 2 else { return nil }
    let before = body.filter { $0.kind == .before }
    let isNot = before.contains { $0.english == "not" }
    let said: String
    if let verb = verbs.first {
      guard finite.map({ $0.kind == .auxiliary }) ?? true else { return nil }
      said = isNot ? "did not \(verb.english)" : verb.past ?? verb.english
    } else if let finite, finite.kind != .auxiliary {
      said = isNot ? "did not \(finite.english)" : finite.past ?? finite.english
    } else {
      switch finite?.english {
      case "was", "be": said = isNot ? "was not" : "was"
      case "have": said = isNot ? "did not have" : "had"
      default: return nil
      }
    }
    let rest = body.filter { ![.verb, .before].contains($0.kind) }
    let adverbs = before.filter { $0.english != "not" }.map { told($0.english) }
    return adverbs + [told(said)] + arranged(rest)
  }

  // MARK: Sentences without a verb

  /// Orders a phrase without a verb: "zuletzt beim Zahnarzt", "gelesene Seiten pro Monat".
  private static func verbless(_ line: [Token]) -> [String] {
    var tokens = atPlaces(line)
    for index in tokens.indices.dropLast()
    where tokens[index].kind == .adjective && ["read", "cycled"].contains(tokens[index].english)
      && tokens[index + 1].kind == .noun
    {
      tokens.swapAt(index, index + 1)
    }
    return tokens.map { token in
      if token.kind == .verb { return token.past ?? token.english }
      if token.kind == .before, ["last", "first"].contains(token.english) {
        return token.english + " time"
      }
      return token.english
    }
  }

  // MARK: Whole sentences

  private static func sentence(_ line: [Token], _ place: Int) -> [String]? {
    let finite = line[place]
    let front = Array(line[..<place])
    var rest = withOwnVerb(Array(line[(place + 1)...]), finite)
    let asking = front.first { $0.kind == .asking }
    guard front.isEmpty || asking != nil else { return nil }
    let verbs = rest.filter { $0.kind == .verb }
    guard verbs.count < (finite.kind == .auxiliary ? 2 : 1) else { return nil }
    let verb = verbs.first ?? finite
    // "in Rom gewesen" also means being there.
    let isPast = finite.kind == .auxiliary && !["will", "should"].contains(finite.english)
    let isBeing =
      isPast && (verbs.isEmpty ? finite.english != "have" : verbs[0].english == "be")
    guard isBeing || !verbs.isEmpty || finite.kind != .auxiliary || finite.english == "have"
    else { return nil }

    var subject: [Token] = []
    if asking?.english != "who" {
      subject = takeSubject(&rest, hasObject: finite.english == "have" && verbs.isEmpty)
      if subject.isEmpty {
        // "Was ist passiert", "welcher Tag hatte die meisten Schritte": the question word is the
        // subject.
        let isCounted = front.count > 1 && ["how many", "which"].contains(asking?.english ?? "")
        let isWhat = asking?.english == "what" && front.count == 1
        guard isCounted || isWhat && (isBeing || verb.english == "happen") else { return nil }
      }
    }
    let end = rest.firstIndex { $0.kind == .verb }
    var parts = Parts(
      middle: Array(rest[..<(end ?? rest.count)]), tail: end.map { Array(rest[($0 + 1)...]) } ?? [],
      hasSelf: subject.first?.kind == .subject)
    if !isBeing { parts.takeNo() }
    parts.middle = arranged(parts.middle)
    let asked = front.map { $0.english == "what about" ? "what" : $0.english }
    var said: [String]
    if !isBeing {
      guard
        let words = doing(
          verb, finite, subject, &parts, line,
          about: asking?.english == "what about" ? "about" : "")
      else { return nil }
      said = words
    } else {
      parts.middle = atPlaces(parts.middle)
      // "Was war am 3. Mai"
      let happened = subject.isEmpty && asking?.english == "what"
      said =
        [
          happened ? "happened" : being(verbs.isEmpty && finite.english == "be", subject),
          joined(subject.map(\.english)),
        ]
        + parts.before
    }
    let times = parts.takeTimes()
    said += parts.middle.map(\.english) + parts.behind + times.map(\.english)
    return asked + said + parts.tail.map(\.english)
  }

  /// Returns the verb phrase: "did I last play", "who played".
  private static func doing(
    _ verb: Token, _ finite: Token, _ subject: [Token], _ parts: inout Parts, _ line: [Token],
    about: String
  ) -> [String]? {
    var stem = verb.kind == .auxiliary ? "have" : verb.english
    var past = verb.kind == .auxiliary ? "had" : verb.past ?? verb.english
    parts.fit(to: stem)
    if ["go", "run", "walk"].contains(stem), line.contains(where: { $0.english.hasPrefix("step") })
    {
      (stem, past) = ("take", "took")
    }
    guard !subject.isEmpty else {
      guard !["will", "should"].contains(finite.english) else { return nil }
      let isNot = parts.before.contains("not")
      return parts.before.filter { $0 != "not" } + [isNot ? "did not \(stem)" : past]
    }
    let isPresent =
      finite.kind == .present
      || verb.kind == .auxiliary && !finite.original.lowercased().hasPrefix("hatte")
    let isSelf = subject[0].kind == .subject
    let helper =
      ["will", "should"].contains(finite.english)
      ? finite.english : isPresent ? isSelf ? "do" : "does" : "did"
    return [helper, joined(subject.map(\.english))] + parts.before + [stem, about]
  }

  private static func being(_ isPresent: Bool, _ subject: [Token]) -> String {
    guard let first = subject.first else { return "was" }
    if isPresent, first.kind != .subject { return "is" }
    let isMany =
      first.english == "we"
      || subject.contains { $0.english == "and" || Self.isPlural($0) }
    return isMany ? "were" : "was"
  }

  private static func isPlural(_ token: Token) -> Bool {
    token.kind == .noun && token.english.hasSuffix("s") && !token.english.hasSuffix("ss")
  }

  /// Keeps a participle that is in no table, so it is searched for as written: "habe ich …
  /// gebügelt".
  private static func withOwnVerb(_ rest: [Token], _ finite: Token) -> [Token] {
    guard finite.kind == .auxiliary, ["have", "be"].contains(finite.english),
      !rest.contains(where: { $0.kind == .verb }), let last = rest.last, last.kind == .word,
      last.original.count > 4, last.original.first?.isLowercase == true,
      last.original.hasSuffix("t") || last.original.hasSuffix("en")
    else { return rest }
    var result = rest
    result[result.count - 1].kind = .verb
    result[result.count - 1].past = last.english
    return result
  }

  /// Removes and returns the subject after the verb: "ich", "Alex und ich", "meine längste
  /// Radtour".
  private static func takeSubject(_ rest: inout [Token], hasObject: Bool) -> [Token] {
    // "Was schuldet mir Jonas"
    var objects: [Token] = []
    while let first = rest.first, first.kind == .little, ["me", "us"].contains(first.english) {
      objects.append(first)
      rest.removeFirst()
    }
    guard var end = subjectEnd(rest, 0),
      !(hasObject && rest[0].english == "the" && end > 1 && rest[1].kind == .adjective)
    else {
      rest = objects + rest
      return []
    }
    while end < rest.count, rest[end].kind == .little, rest[end].english == "and",
      let next = subjectEnd(rest, end + 1)
    {
      end = next
    }
    let subject = Array(rest[..<end])
    rest = Array(rest[end...]) + (subject.first?.kind == .subject ? [] : objects)
    return subject
  }

  private static func subjectEnd(_ tokens: [Token], _ start: Int) -> Int? {
    var index = start
    guard index < tokens.count else { return nil }
    if tokens[index].kind == .subject { return index + 1 }
    if tokens[index].kind == .little,
      ["the", "a", "my", "our"].contains(tokens[index].english)
    {
      index += 1
    }
    while index < tokens.count, tokens[index].kind == .adjective { index += 1 }
    guard index < tokens.count, [.name, .noun, .word].contains(tokens[index].kind) else {
      return nil
    }
    return index + 1
  }

  /// Turns "mit dem Rad gefahren" into "cycled".
  private static func withVehicle(_ line: [Token]) -> [Token] {
    guard
      let verb = line.firstIndex(where: {
        [.verb, .past, .present].contains($0.kind) && ["drive", "go", "come"].contains($0.english)
      }), let way = line.firstIndex(where: { ["by bike", "on foot"].contains($0.english) })
    else { return line }
    var result = line
    let isBike = line[way].english == "by bike"
    result[verb].english = isBike ? "cycle" : "walk"
    result[verb].past = isBike ? "cycled" : "walked"
    result[verb].original = line[way].original + " " + line[verb].original
    result[verb].forms = isBike ? ["radtour", "fahrrad", "rad"] : ["spaziergang", "wanderung"]
    result.remove(at: way)
    return result
  }

  /// Turns "im Schrebergarten" into "at" if entries mention being there.
  private static func atPlaces(_ tokens: [Token]) -> [Token] {
    var result: [Token] = []
    for var token in tokens {
      if token.kind == .little, token.english == "in the" { token.english = "at the" }
      if token.kind == .little, token.english == "the", let last = result.last,
        last.kind == .little, ["in", "on"].contains(last.english)
      {
        result[result.count - 1].english = "at"
      }
      result.append(token)
    }
    return result
  }
}
