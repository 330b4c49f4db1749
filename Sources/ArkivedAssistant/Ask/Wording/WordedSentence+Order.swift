/// The order of the words after the verb.
extension WordedSentence {
  /// The words between a sentence's verb and its end.
  struct Parts {
    var middle: [Token]
    /// The words after the verb that ends the sentence: "als letzten Monat".
    var tail: [Token]
    private(set) var before: [String]
    private(set) var behind: [String]

    /// Sorts the words of a sentence into parts.
    ///
    /// - Parameters:
    ///   - middle: the words between the verb and its second part.
    ///   - tail: the words after that.
    ///   - hasSelf: true if the subject is "I", so "mich" adds nothing.
    init(middle: [Token], tail: [Token], hasSelf: Bool) {
      before = middle.filter { $0.kind == .before }.map(\.english)
      behind = (middle + tail).filter { $0.kind == .behind }.map(\.english)
      self.middle = middle.filter { ![.before, .behind].contains($0.kind) }
      self.tail = tail.filter { $0.kind != .behind }
      guard hasSelf else { return }
      let all = self.middle
      self.middle = all.indices.filter { index in
        let isSelf = all[index].kind == .little && ["me", "us"].contains(all[index].english)
        return !isSelf || index > 0 && all[index - 1].kind == .little
      }.map { all[$0] }
    }

    /// Turns a negated object into a negated verb: "keinen Kaffee getrunken" means not drunk.
    mutating func takeNo() {
      guard
        let place = middle.firstIndex(where: { $0.kind == .little && $0.english == "no" })
      else { return }
      middle.remove(at: place)
      before.append("not")
    }

    /// Adjusts prepositions to those that the English verb requires.
    mutating func fit(to stem: String) {
      switch stem {
      case "call":
        middle.removeAll { $0.kind == .little && $0.english == "with" }
      case "spend":
        for index in middle.indices.dropLast().reversed()
        where middle[index].english == "with" && middle[index + 1].kind == .noun {
          middle.remove(at: index)
        }
        for index in middle.indices where middle[index].english == "for" {
          middle[index].english = "on"
        }
      case "decide":
        for index in middle.indices where middle[index].kind == .little {
          if middle[index].english == "to" { middle[index].english = "about" }
          if middle[index].english == "to the" { middle[index].english = "about the" }
        }
      default: break
      }
    }

    /// Removes and returns the times at the end of the middle.
    mutating func takeTimes() -> [Token] {
      var start = middle.count
      while start > 0,
        middle[start - 1].kind == .time
          || start < middle.count && ["or", "and"].contains(middle[start - 1].english)
      {
        start -= 1
      }
      defer { middle.removeSubrange(start...) }
      return Array(middle[start...])
    }
  }

  /// Puts objects before prepositional phrases and times last; a comparison or clause stays after
  /// them.
  static func arranged(_ tokens: [Token]) -> [Token] {
    var objects: [Token] = []
    var circumstances: [Token] = []
    var times: [Token] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if [.comma, .asking, .told, .auxiliary].contains(token.kind)
        || ["than", "versus"].contains(token.english)
      {
        break
      }
      if token.kind == .time {
        times.append(token)
        index += 1
        while index + 1 < tokens.count, ["or", "and"].contains(tokens[index].english),
          tokens[index + 1].kind == .time
        {
          times += tokens[index...(index + 1)]
          index += 2
        }
      } else if let end = circumstance(tokens, index) {
        circumstances += tokens[index..<end]
        index = end
      } else if ["and", "or"].contains(token.english), !circumstances.isEmpty,
        index + 1 < tokens.count, circumstance(tokens, index + 1) != nil
      {
        // "mit Jonas oder mit Leyla"
        circumstances.append(token)
        index += 1
      } else {
        objects.append(token)
        index += 1
      }
    }
    return objects + circumstances + times + tokens[index...]
  }

  private static let prepositions: Set<String> = [
    "with", "without", "in the", "at the", "at", "to the", "to", "on the", "in", "on", "for",
    "about", "from",
  ]

  /// Returns the end of a prepositional phrase such as "mit Jonas und Clara", "am Tag nach der
  /// Prüfung".
  private static func circumstance(_ tokens: [Token], _ start: Int) -> Int? {
    let token = tokens[start]
    if token.kind == .phrase {
      let first = token.english.split(separator: " ").first ?? ""
      guard ["on", "to", "at", "by"].contains(first) else { return nil }
      return token.english.hasSuffix(" the") ? nominal(tokens, start + 1) : start + 1
    }
    guard token.kind == .little, prepositions.contains(token.english) else { return nil }
    var end = nominal(tokens, start + 1)
    while end < tokens.count, ["and", "or"].contains(tokens[end].english),
      nominal(tokens, end + 1) > end + 1
    {
      end = nominal(tokens, end + 1)
    }
    return end
  }

  private static let articles: Set<String> = [
    "the", "a", "my", "our", "all", "no", "somebody", "nobody", "me", "us",
  ]

  private static func nominal(_ tokens: [Token], _ start: Int) -> Int {
    var index = start
    while index < tokens.count, tokens[index].kind == .little,
      articles.contains(tokens[index].english)
    {
      index += 1
    }
    while index < tokens.count, tokens[index].kind == .adjective { index += 1 }
    if index < tokens.count, [.name, .noun].contains(tokens[index].kind) { return index + 1 }
    while index < tokens.count, tokens[index].kind == .word { index += 1 }
    return index
  }
}
