/// Translating tokens to the grammar’s words.
extension TimeWording {
  /// The units of time, in the grammar's words.
  private static let spans: Set<String> = [
    "seconds", "minutes", "hours", "days", "weeks", "months", "years",
  ]

  /// Returns tokens in the grammar's own words.
  func tokens(_ original: [TimeToken]) -> [TimeToken] {
    let source = figures(original)
    var result: [TimeToken] = []
    var index = 0
    while index < source.count {
      if let (words, next) = span(source, index) ?? phrase(source, index) ?? word(source, index) {
        result += Self.tokens(words, for: source[index..<next])
        index = next
      } else {
        result.append(source[index])
        index += 1
      }
    }
    return result
  }

  // MARK: Numbers

  /// Converts "8.000" and "1.250.000" to one number, and a decimal comma to a point.
  private func figures(_ tokens: [TimeToken]) -> [TimeToken] {
    var result: [TimeToken] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      guard token.kind == .number else {
        result.append(token)
        index += 1
        continue
      }
      let groups = groups(tokens, after: index)
      let last = index + 2 * groups
      let parts = stride(from: index, through: last, by: 2).map { tokens[$0] }
      result.append(
        groups == 0
          ? token
          : TimeToken(
            kind: .number, text: parts.map(\.text).joined(),
            range: token.range.lowerBound..<tokens[last].range.upperBound,
            hasSpaceBefore: token.hasSpaceBefore,
            value: parts.reduce(0) { $0 * 1000 + $1.value }))
      index = last + 1
      if let sign = sign(tokens, at: index), sign == "," {
        result.append(
          TimeToken(
            kind: .symbol, text: ".", range: tokens[index].range, hasSpaceBefore: false))
        result.append(tokens[index + 1])
        index += 2
      }
    }
    return result
  }

  /// Returns the number of groups of three digits with points before them that follow a number; 0 for
  /// anything else, such as "0.500", a date, or the address of a computer.
  private func groups(_ tokens: [TimeToken], after index: Int) -> Int {
    let token = tokens[index]
    guard token.digits <= 3, !token.text.hasPrefix("0"), sign(tokens, at: index - 1) != "." else {
      return 0
    }
    var count = 0
    while sign(tokens, at: index + 1 + 2 * count) == "." {
      guard tokens[index + 2 + 2 * count].digits == 3 else { return 0 }
      count += 1
    }
    return count < 3 ? count : 0
  }

  /// Returns the sign at a position if it is right between two numbers.
  private func sign(_ tokens: [TimeToken], at index: Int) -> String? {
    guard index > 0, index + 1 < tokens.count, tokens[index].kind == .symbol,
      tokens[index - 1].kind == .number, tokens[index + 1].kind == .number,
      !tokens[index].hasSpaceBefore, !tokens[index + 1].hasSpaceBefore
    else { return nil }
    return tokens[index].text
  }

  func number(_ token: TimeToken?) -> Int? {
    guard let token else { return nil }
    if token.kind == .number { return token.value >= 0 ? token.value : nil }
    return token.kind == .word ? numbers[token.text] : nil
  }

  // MARK: Phrases and words

  private func phrase(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    for rule in rules.rules(for: tokens[index]) {
      guard let (found, next) = captures(of: rule.says, tokens, index) else { continue }
      var words = rule.means
      for (number, text) in found.enumerated() {
        words = words.replacing("$\(number + 1)", with: text)
      }
      // "heute Mittag um eins" states its own time.
      if words.hasSuffix(Self.noon), isLead(tokens, next) { words.removeLast(Self.noon.count) }
      return (words, next)
    }
    return nil
  }

  private static let noon = " at 12:00"

  /// Returns true if a time with a preceding word begins at a position.
  private func isLead(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index < tokens.count, tokens[index].kind == .word else { return false }
    return clockLeads[tokens[index].text] != nil && span(tokens, index) != nil
  }

  private func captures(
    of says: [String], _ tokens: [TimeToken], _ index: Int
  ) -> ([String], Int)? {
    var found: [String] = []
    var place = index
    for (order, element) in says.enumerated() {
      if element == "?", place == tokens.count { continue }
      guard place < tokens.count else { return nil }
      let token = tokens[place]
      switch element {
      case "^":
        guard place == 0 else { return nil }
        continue
      case "#." where ordinals[token.text] != nil:
        found.append("\(ordinals[token.text] ?? 0)")
      case ",":
        guard token.text == "," else { return nil }
      case "?":
        // Only a time of day follows, which stays.
        guard isTime(tokens, place) else { return nil }
        continue
      case "#", "#.", "#m":
        guard let value = number(token), says.first != "^" || value <= 31 else { return nil }
        if element == "#m" {
          guard (1...12).contains(value) else { return nil }
          found.append(MonthName.full[value - 1].lowercased())
        } else {
          found.append("\(value)")
        }
        guard element != "#" else { break }
        place += 1
        guard place < tokens.count, tokens[place].text == ".", !tokens[place].hasSpaceBefore
        else { return nil }
        // "am 3.3.26" includes a year.
        if place + 1 < tokens.count, tokens[place + 1].kind == .number,
          !tokens[place + 1].hasSpaceBefore, order == says.count - 1
        {
          return nil
        }
      case "#n":
        guard let month = bareMonth(tokens, place) else { return nil }
        found.append(month)
      case "%year":
        guard token.kind == .number, token.digits == 4 else { return nil }
        found.append(token.text)
      case "%day":
        guard
          let day = weekdays[token.text]
            ?? (token.isCapitalised || isTime(tokens, place + 1) ? shortDays[token.text] : nil)
        else { return nil }
        found.append(day)
        // For example, "am Di. Standup".
        let isShort = weekdays[token.text] == nil
        if isShort, place + 1 < tokens.count, tokens[place + 1].text == "." { place += 1 }
      case "%month", "%month.":
        guard let month = months[token.text] else { return nil }
        found.append(month)
        guard element == "%month." else { break }
        place += 1
        guard place < tokens.count, tokens[place].text == ".", !tokens[place].hasSpaceBefore
        else { return nil }
      case "%span":
        guard let unit = units[token.text], Self.spans.contains(unit) else { return nil }
        found.append(unit)
      default:
        guard token.text == element, token.kind == .word || element.first?.isLetter == false else {
          return nil
        }
      }
      place += 1
    }
    return (found, place)
  }

  /// Returns true if a time of day begins at a position: "um 8 Uhr", "11:20", "11h".
  private func isTime(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index < tokens.count, tokens[index].hasSpaceBefore else { return false }
    if isLead(tokens, index) { return true }
    guard tokens[index].kind == .number, index + 1 < tokens.count else { return false }
    return tokens[index + 1].text == ":" || ["h", "uhr"].contains(tokens[index + 1].text)
  }

  /// Returns the month in "am 20.11 Kino", but not in an amount.
  private func bareMonth(_ tokens: [TimeToken], _ index: Int) -> String? {
    let token = tokens[index]
    guard token.kind == .number, !token.hasSpaceBefore, (1...12).contains(token.value) else {
      return nil
    }
    guard index + 1 < tokens.count else { return MonthName.full[token.value - 1].lowercased() }
    let next = tokens[index + 1]
    let isAmount =
      next.kind == .word
      ? counted.contains(next.text) || units[next.text] != nil
        || table.unit(named: next.text) != nil
      : !next.hasSpaceBefore && ![":", ",", ";", ")"].contains(next.text)
    return isAmount ? nil : MonthName.full[token.value - 1].lowercased()
  }

  private func word(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    let token = tokens[index]
    guard token.kind == .word else { return nil }
    // The grammar reads "16h" and "16h30" itself.
    if token.text == "h", index > 0, tokens[index - 1].kind == .number, !token.hasSpaceBefore {
      return nil
    }
    // "am 3.3.26" is read unchanged as a date.
    if token.text == "am", isDottedDate(tokens, index + 1) { return ("on", index + 1) }
    if index + 1 < tokens.count, tokens[index + 1].kind == .number {
      if token.text == "mal", index > 0, number(tokens[index - 1]) != nil {
        return ("x", index + 1)
      }
      if let count = times[token.text] { return ("\(count) x", index + 1) }
    }
    // For example, "ab vier", "bis acht".
    if index > 0, ["ab", "bis", "seit"].contains(tokens[index - 1].text),
      let hour = numbers[token.text], (2...12).contains(hour),
      index + 1 == tokens.count || tokens[index + 1].kind == .symbol
    {
      return ("\(hour)", index + 1)
    }
    let isBehindNumber = index > 0 && number(tokens[index - 1]) != nil
    if isBehindNumber, isTaught(token.text) { return nil }
    if isBehindNumber, counted.contains(token.text) { return ("people", index + 1) }
    if isBehindNumber, let unit = units[token.text], !isHad(unit, tokens, index) {
      return (unit, index + 1)
    }
    let next = index + 1 < tokens.count ? tokens[index + 1].text : nil
    let unit = next.flatMap { units[$0] ?? (isTaught($0) ? $0 : nil) }
    // "eine Stunde" is a duration, but "ein Buch" is not an amount.
    if let unit, let value = numbers[token.text], value > 1 || Self.spans.contains(unit) {
      return ("\(value)", index + 1)
    }
    if let english = weekdays[token.text] ?? words[token.text] {
      // "mittags um halb eins" states its own time.
      let isLess = english == "at noon" && isLead(tokens, index + 1)
      return (isLess ? "~\(token.text)" : english, index + 1)
    }
    if index == 0, token.isCapitalised, let day = shortDays[token.text], isTimeOrColon(tokens, 1) {
      return (day, tokens[1].text == "." ? 2 : 1)
    }
    if let day = shortDays[token.text], isClockInDigits(tokens, index + 1),
      // For example, "training mo 18:30".
      token.isCapitalised || token.text != "so" && tokens[index + 1].kind == .number
    {
      let hasStop = tokens[index + 1].text == "." && !tokens[index + 1].hasSpaceBefore
      return (day, hasStop ? index + 2 : index + 1)
    }
    if index == 0, isDayOfNoun(tokens), let day = shortDays[token.text] { return (day, 1) }
    // Short names of months are also people's names.
    if let month = months[token.text], token.text.count > 3 || token.text == "mai" {
      return (month, index + 1)
    }
    // This keeps a word that only looks English from being read as one.
    return silenced.contains(token.text) ? ("~\(token.text)", index + 1) : nil
  }

  /// Returns true if a word is one of the owner's units and not a word of the language.
  private func isTaught(_ word: String) -> Bool { units[word] == nil && table.isTaught(word) }

  /// Returns true if an abbreviated weekday anywhere in the line is one: "Zahnarzt Do 8:30", "Kino
  /// Fr um 20 Uhr".
  private func isClockInDigits(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index + 1 < tokens.count else { return false }
    if [".", ","].contains(tokens[index].text) || clockLeads[tokens[index].text] == "at" {
      return isClockInDigits(tokens, index + 1)
    }
    guard tokens[index].kind == .number, tokens[index].digits <= 2 else { return false }
    let next = tokens[index + 1]
    // For example, "Do 14-18 Uhr", "Do 14 bis 18 Uhr".
    if next.text == "-" || next.text == "bis", index + 3 < tokens.count,
      tokens[index + 3].text == "uhr"
    {
      return true
    }
    return next.text == "uhr"
      || next.text == ":" && !next.hasSpaceBefore && index + 2 < tokens.count
        && tokens[index + 2].kind == .number && !tokens[index + 2].hasSpaceBefore
  }

  /// Returns true if a text begins with a capitalised abbreviation and a noun, such as "Sa Radtour";
  /// "So" and "Fr" may be other words there.
  private func isDayOfNoun(_ tokens: [TimeToken]) -> Bool {
    guard tokens.count > 1, tokens[0].isCapitalised, !["so", "fr"].contains(tokens[0].text) else {
      return false
    }
    return tokens[1].kind == .word && tokens[1].isCapitalised && tokens[1].hasSpaceBefore
  }

  /// Returns true if an abbreviated weekday at the start is one: "Mo 9:00 Standup", "Di: Standup".
  private func isTimeOrColon(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index < tokens.count else { return false }
    if tokens[index].text == ":" { return true }
    if [".", ","].contains(tokens[index].text) { return isTimeOrColon(tokens, index + 1) }
    if clockLeads[tokens[index].text] == "at" || clockLeads[tokens[index].text] == "from" {
      return true
    }
    return tokens[index].kind == .number
      && (span(tokens, index) != nil
        || index + 2 < tokens.count && tokens[index + 1].text == ":"
          && !tokens[index + 1].hasSpaceBefore && tokens[index + 2].kind == .number)
  }

  /// Returns true if something was had at the preceding time: "um 4 Kaffee", "kurz nach 4 Kaffee".
  private func isHad(_ unit: String, _ tokens: [TimeToken], _ index: Int) -> Bool {
    guard drinks.contains(unit), index > 1 else { return false }
    if ["at", "around"].contains(clockLeads[tokens[index - 2].text]) { return true }
    return index > 2 && just.contains(tokens[index - 3].text)
  }

  /// Returns true if a position contains a day, a month and a year, all in digits.
  private func isDottedDate(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index + 4 < tokens.count, tokens[index].kind == .number else { return false }
    return [index + 1, index + 3].allSatisfy {
      tokens[$0].text == "." && !tokens[$0].hasSpaceBefore && tokens[$0 + 1].kind == .number
        && !tokens[$0 + 1].hasSpaceBefore
    }
  }

  // MARK: Tokens

  /// Returns tokens for English words, all at the position of the original ones.
  private static func tokens(
    _ words: String, for original: ArraySlice<TimeToken>
  ) -> [TimeToken] {
    guard let first = original.first, let last = original.last else { return [] }
    let range = first.range.lowerBound..<last.range.upperBound
    var result: [TimeToken] = []
    for word in words.split(separator: " ") {
      var hasSpace = result.isEmpty ? first.hasSpaceBefore : true
      for piece in pieces(word) {
        let isNumber = piece.allSatisfy { $0.isASCII && $0.isNumber }
        let isWord = piece.first?.isLetter ?? false || piece.hasPrefix("~")
        result.append(
          TimeToken(
            kind: isNumber ? .number : isWord ? .word : .symbol, text: String(piece), range: range,
            hasSpaceBefore: hasSpace, isCapitalised: first.isCapitalised || last.isCapitalised,
            value: isNumber ? Int(piece) ?? -1 : -1))
        hasSpace = false
      }
    }
    return result
  }

  /// Splits "7:30" and "1.5" into three tokens each.
  private static func pieces(_ word: Substring) -> [Substring] {
    guard let sign = word.firstIndex(where: { $0 == ":" || $0 == "." }), word.count > 1 else {
      return [word]
    }
    return [word[..<sign], word[sign...sign], word[word.index(after: sign)...]]
      .filter { !$0.isEmpty }
  }
}
