import Foundation

/// How another language says the times that `TimeGrammar` reads: a table of words and phrases with
/// the English ones that they stand for. The grammar stays one; before it reads, a line's tokens are
/// put into its words, each with the place where the original stands.
struct TimeWording: Sendable {
  /// A phrase and what it stands for. In `says` an element is a word, `#` a number in figures or
  /// words, `#.` one with a point behind it, `#m` a month's with a point, `#n` one's without,
  /// `%day`, `%month`, `%month.` (cut short, with a point), `^` the line's start, `%year` or `%span`,
  /// a unit of time; `means` puts them in again as `$1`, `$2` in their order.
  struct Rule: Sendable {
    let says: [String]
    let means: String

    init(_ says: String, _ means: String) {
      self.says = says.split(separator: " ").map(String.init)
      self.means = means
    }
  }

  /// Rules by the word that they begin with, as most words begin none.
  final class RuleTable: Sendable {
    private let byWord: [String: [Rule]]
    /// Those that begin with a number, a day or the like.
    private let others: [Rule]

    /// - Parameter rules: of those that fit, the first is taken.
    init(_ rules: [Rule]) {
      func isWord(_ rule: Rule) -> Bool { rule.says.first?.first?.isLetter ?? false }
      others = rules.filter { !isWord($0) }
      let words = Set(rules.filter(isWord).compactMap(\.says.first))
      byWord = Dictionary(
        uniqueKeysWithValues: words.map { word in
          (word, rules.filter { !isWord($0) || $0.says.first == word })
        })
    }

    /// Returns the rules that may begin with a token, in their order.
    func rules(for token: TimeToken) -> [Rule] {
      token.kind == .word ? byWord[token.text] ?? others : others
    }
  }

  /// A time of day: the last number is the hour, one before it the minutes. `past` says how the
  /// minutes are counted from the hour.
  struct Clock: Sendable {
    enum Count: Sendable {
      case whole, minutesBehind, dotted, minutes(Int), before, after, beforeHalf, afterHalf
    }
    let says: [String]
    let count: Count

    init(_ says: String, _ count: Count) {
      self.says = says.split(separator: " ").map(String.init)
      self.count = count
    }
  }

  /// Longer ones stand before those they begin with.
  let clocks: [Clock]
  /// Words before a time of day, with the English ones.
  let clockLeads: [String: String]
  /// Which half of the day a word settles; a night has some of both.
  enum Half: Sendable { case first, second, night }

  /// Words behind a time of day that settle its half.
  let halves: [String: Half]
  /// One or two words before one that do: those of the night and of the morning.
  let early: [String: Half]
  /// Units that are had at a time more often than counted behind "um": "um 4 Kaffee".
  let drinks: Set<String>
  /// Words before "vor" and "nach" that make a time of what follows: "kurz nach 4".
  let just: Set<String>
  let rules: RuleTable
  let words: [String: String]
  let numbers: [String: Int]
  /// "zweimal"
  let times: [String: Int]
  /// "ersten", as days of a month are told.
  let ordinals: [String: Int]
  let weekdays: [String: String]
  /// Cut short; read behind a word such as "am", or at the line's start before a time or a colon.
  let shortDays: [String: String]
  let months: [String: String]
  /// Read only behind a number.
  let units: [String: String]
  /// What is counted without being measured: "um 9 Uhr 30 Gäste".
  let counted: Set<String>
  /// Words that mean a time in English alone.
  let silenced: Set<String>
  /// Units beside those of the language: the English ones, and the owner's own.
  var table = UnitTable.standard

  /// The units of time, in the grammar's words.
  private static let spans: Set<String> = [
    "seconds", "minutes", "hours", "days", "weeks", "months", "years",
  ]

  /// The wording of a language; nil for English, which the grammar reads itself.
  static func of(_ language: Language) -> TimeWording? {
    language == .german ? .german : nil
  }

  /// Tokens in the grammar's own words.
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

  // MARK: Figures

  /// "8.000" as one number, and a decimal comma as a point.
  private func figures(_ tokens: [TimeToken]) -> [TimeToken] {
    var result: [TimeToken] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      guard token.kind == .number, index + 2 < tokens.count, tokens[index + 2].kind == .number,
        !tokens[index + 1].hasSpaceBefore, !tokens[index + 2].hasSpaceBefore
      else {
        result.append(token)
        index += 1
        continue
      }
      let (sign, behind) = (tokens[index + 1], tokens[index + 2])
      let goesOn =
        index + 3 < tokens.count && tokens[index + 3].text == "."
        && !tokens[index + 3].hasSpaceBefore && index + 4 < tokens.count
        && tokens[index + 4].kind == .number && !tokens[index + 4].hasSpaceBefore
      if sign.text == ".", behind.digits == 3, token.digits <= 3, !goesOn {
        result.append(
          TimeToken(
            kind: .number, text: token.text + behind.text,
            range: token.range.lowerBound..<behind.range.upperBound,
            hasSpaceBefore: token.hasSpaceBefore, value: token.value * 1000 + behind.value))
        index += 3
      } else if sign.text == "," {
        result.append(token)
        result.append(
          TimeToken(kind: .symbol, text: ".", range: sign.range, hasSpaceBefore: false))
        result.append(behind)
        index += 3
      } else {
        result.append(token)
        index += 1
      }
    }
    return result
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
      // "heute Mittag um eins" has its own time.
      if words.hasSuffix(Self.noon), isLead(tokens, next) { words.removeLast(Self.noon.count) }
      return (words, next)
    }
    return nil
  }

  private static let noon = " at 12:00"

  /// Whether a time with a word before it begins at a place.
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
        // "am 3.3.26" has a year as well.
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
          let day = weekdays[token.text] ?? (token.isCapitalised ? shortDays[token.text] : nil)
        else { return nil }
        found.append(day)
        // "am Di. Standup"
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
        guard token.kind == .word, token.text == element else { return nil }
      }
      place += 1
    }
    return (found, place)
  }

  /// The month of "am 20.11 Kino", and of no amount.
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
    // "16h" and "16h30" are the grammar's own.
    if token.text == "h", index > 0, tokens[index - 1].kind == .number, !token.hasSpaceBefore {
      return nil
    }
    // "am 3.3.26": the date is read as it stands.
    if token.text == "am", isDottedDate(tokens, index + 1) { return ("on", index + 1) }
    if index + 1 < tokens.count, tokens[index + 1].kind == .number {
      if token.text == "mal", index > 0, number(tokens[index - 1]) != nil {
        return ("x", index + 1)
      }
      if let count = times[token.text] { return ("\(count) x", index + 1) }
    }
    let isBehindNumber = index > 0 && number(tokens[index - 1]) != nil
    if isBehindNumber, isTaught(token.text) { return nil }
    if isBehindNumber, counted.contains(token.text) { return ("people", index + 1) }
    if isBehindNumber, let unit = units[token.text], !isHad(unit, tokens, index) {
      return (unit, index + 1)
    }
    let next = index + 1 < tokens.count ? tokens[index + 1].text : nil
    let unit = next.flatMap { units[$0] ?? (isTaught($0) ? $0 : nil) }
    // "eine Stunde" is how long it took, but "ein Buch" is no amount.
    if let unit, let value = numbers[token.text], value > 1 || Self.spans.contains(unit) {
      return ("\(value)", index + 1)
    }
    if let english = weekdays[token.text] ?? words[token.text] {
      // "mittags um halb eins" has its own time.
      let isLess = english == "at noon" && isLead(tokens, index + 1)
      return (isLess ? "~\(token.text)" : english, index + 1)
    }
    if index == 0, token.isCapitalised, let day = shortDays[token.text], isTimeOrColon(tokens, 1) {
      return (day, tokens[1].text == "." ? 2 : 1)
    }
    // Short names of months are names of people too.
    if let month = months[token.text], token.text.count > 3 || token.text == "mai" {
      return (month, index + 1)
    }
    // A word that only looks English is kept from being read as one.
    return silenced.contains(token.text) ? ("~\(token.text)", index + 1) : nil
  }

  /// Whether a word is a unit of the owner's own, and none of the language.
  private func isTaught(_ word: String) -> Bool { units[word] == nil && table.isTaught(word) }

  /// Whether a short weekday at the start is one: "Mo 9:00 Standup", "Di: Standup".
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

  /// Whether it was had at the time before it: "um 4 Kaffee", "kurz nach 4 Kaffee".
  private func isHad(_ unit: String, _ tokens: [TimeToken], _ index: Int) -> Bool {
    guard drinks.contains(unit), index > 1 else { return false }
    if ["at", "around"].contains(clockLeads[tokens[index - 2].text]) { return true }
    return index > 2 && just.contains(tokens[index - 3].text)
  }

  /// Whether a day, a month and a year stand at a place, all in figures.
  private func isDottedDate(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index + 4 < tokens.count, tokens[index].kind == .number else { return false }
    return [index + 1, index + 3].allSatisfy {
      tokens[$0].text == "." && !tokens[$0].hasSpaceBefore && tokens[$0 + 1].kind == .number
        && !tokens[$0 + 1].hasSpaceBefore
    }
  }

  // MARK: Tokens

  /// Tokens for English words, all at the place of the original ones.
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

  /// "7:30" and "1.5" are three tokens each.
  private static func pieces(_ word: Substring) -> [Substring] {
    guard let sign = word.firstIndex(where: { $0 == ":" || $0 == "." }), word.count > 1 else {
      return [word]
    }
    return [word[..<sign], word[sign...sign], word[word.index(after: sign)...]]
      .filter { !$0.isEmpty }
  }
}
