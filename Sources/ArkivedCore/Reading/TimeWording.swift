import Foundation

/// How another language says the times that `TimeGrammar` reads: a table of words and phrases with
/// the English ones that they stand for. The grammar stays one; before it reads, a line's tokens are
/// put into its words, each with the place where the original stands.
struct TimeWording: Sendable {
  /// A phrase and what it stands for. In `says` an element is a word, `#` a number in figures or
  /// words, `#.` one with a point behind it, `#m` a month's with a point, `%day`, `%month`, `%year`
  /// or `%span`, a unit of time; `means` puts them in again as `$1`, `$2` in their order.
  struct Rule: Sendable {
    let says: [String]
    let means: String

    init(_ says: String, _ means: String) {
      self.says = says.split(separator: " ").map(String.init)
      self.means = means
    }
  }

  /// A time of day: the last number is the hour, one before it the minutes. `past` says how the
  /// minutes are counted from the hour.
  struct Clock: Sendable {
    enum Count: Sendable { case whole, minutesBehind, minutes(Int), before, after }
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
  /// Words behind a time of day that settle its half: whether that is the second.
  let halves: [String: Bool]
  let rules: [Rule]
  let words: [String: String]
  let numbers: [String: Int]
  let weekdays: [String: String]
  let months: [String: String]
  /// Read only behind a number.
  let units: [String: String]
  /// Words that mean a time in English alone.
  let silenced: Set<String>

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

  private func number(_ token: TimeToken?) -> Int? {
    guard let token else { return nil }
    if token.kind == .number { return token.value >= 0 ? token.value : nil }
    return token.kind == .word ? numbers[token.text] : nil
  }

  // MARK: Times of day

  private typealias Time = (hour: Int, minute: Int, isSettled: Bool, next: Int)

  /// "um 7 Uhr", "von 9 bis 10 Uhr", "halb acht bis neun Uhr".
  private func span(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    guard index < tokens.count, !isInside(tokens, index) else { return nil }
    let lead = tokens[index].kind == .word ? clockLeads[tokens[index].text] : nil
    let start = lead == nil ? index : index + 1
    let leadWords = lead.map { $0 + " " } ?? ""
    if let (first, next) = rangeStart(tokens, start), let end = clock(tokens, next, hasLead: true) {
      // "9 bis 10 Uhr": the word stands behind the second alone.
      let from = "\(first):00"
      return ("\(lead == nil ? "" : "from ")\(from) - \(Self.text(end))", end.next)
    }
    let found =
      clock(tokens, start, hasLead: lead != nil)
      ?? (lead == "at" ? bareHour(tokens, start) : nil)
    guard let time = found else { return nil }
    guard let joint = self.joint(tokens, time.next),
      let end = clock(tokens, joint, hasLead: true)
    else { return (leadWords + Self.text(time), time.next) }
    return ("\(lead == nil ? "" : "from ")\(Self.text(time)) - \(Self.text(end))", end.next)
  }

  /// Whether a number is the end of another one, or of a date or a time in figures.
  private func isInside(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index > 0, tokens[index].kind == .number, !tokens[index].hasSpaceBefore else {
      return false
    }
    return [":", ".", ",", "/"].contains(tokens[index - 1].text)
      && index > 1 && tokens[index - 2].kind == .number && !tokens[index - 1].hasSpaceBefore
  }

  /// "um 7": an hour and nothing else, unless it counts something.
  private func bareHour(_ tokens: [TimeToken], _ index: Int) -> Time? {
    guard index < tokens.count, let hour = number(tokens[index]), hour <= 24 else { return nil }
    let next = index + 1
    if next < tokens.count {
      if tokens[next].kind == .word, units[tokens[next].text] != nil { return nil }
      if !tokens[next].hasSpaceBefore, next + 1 < tokens.count, !tokens[next + 1].hasSpaceBefore {
        return nil
      }
      // "um 7 bis 8" and "um 7-8" are spans.
      if tokens[next].text == "-" || words[tokens[next].text] == "until" { return nil }
    }
    let isAfternoon = (1...6).contains(hour) && tokens[index].text != "0\(hour)"
    return (isAfternoon ? hour + 12 : hour, 0, false, next)
  }

  private func rangeStart(_ tokens: [TimeToken], _ index: Int) -> (Int, Int)? {
    guard index + 2 < tokens.count, let hour = number(tokens[index]), hour <= 24,
      let next = joint(tokens, index + 1)
    else { return nil }
    return (hour, next)
  }

  /// The place behind "bis" or a dash.
  private func joint(_ tokens: [TimeToken], _ index: Int) -> Int? {
    guard index + 1 < tokens.count else { return nil }
    let token = tokens[index]
    return token.text == "-" || words[token.text] == "until" ? index + 1 : nil
  }

  private func clock(_ tokens: [TimeToken], _ index: Int, hasLead: Bool) -> Time? {
    for rule in clocks {
      guard var (found, next) = numbers(in: rule.says, tokens, index) else { continue }
      let hour: Int
      var minute = 0
      var isDial = true
      switch rule.count {
      case .whole, .minutesBehind:
        hour = found.removeFirst()
        minute = found.first ?? 0
        isDial = false
      case .minutes(let count):
        hour = found.removeFirst()
        minute = count
      case .before, .after:
        // Without a lead "zehn vor acht" may be a score.
        guard hasLead, found.count == 2 else { continue }
        hour = found[1]
        if case .before = rule.count { minute = -found[0] } else { minute = found[0] }
      }
      guard (0...24).contains(hour), (-59...59).contains(minute), !isDial || hour <= 12 else {
        continue
      }
      var whole = hour * 60 + minute
      var isSettled = false
      if next < tokens.count, tokens[next].kind == .word, let isSecond = halves[tokens[next].text] {
        if isSecond, whole < 720 { whole += 720 }
        isSettled = true
        next += 1
      } else if isDial, (1...6).contains(hour) {
        whole += 720
      }
      guard (0...1440).contains(whole) else { continue }
      return (whole / 60, whole % 60, isSettled, next)
    }
    return nil
  }

  /// The numbers of a clock's phrase, in the order in which they stand.
  private func numbers(
    in says: [String], _ tokens: [TimeToken], _ index: Int
  ) -> ([Int], Int)? {
    var found: [Int] = []
    var place = index
    for element in says {
      guard place < tokens.count else { return nil }
      if element == "#" {
        guard let value = number(tokens[place]), value < 60 else { return nil }
        found.append(value)
      } else if tokens[place].text != element {
        return nil
      }
      place += 1
    }
    return (found, place)
  }

  private static func text(_ time: Time) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(time.isSettled ? two(time.hour) : "\(time.hour)"):\(two(time.minute))"
  }

  // MARK: Phrases and words

  private func phrase(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    for rule in rules {
      guard let (found, next) = captures(of: rule.says, tokens, index) else { continue }
      var words = rule.means
      for (number, text) in found.enumerated() {
        words = words.replacing("$\(number + 1)", with: text)
      }
      return (words, next)
    }
    return nil
  }

  private func captures(
    of says: [String], _ tokens: [TimeToken], _ index: Int
  ) -> ([String], Int)? {
    var found: [String] = []
    var place = index
    for element in says {
      guard place < tokens.count else { return nil }
      let token = tokens[place]
      switch element {
      case "#", "#.", "#m":
        guard let value = number(token) else { return nil }
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
      case "%year":
        guard token.kind == .number, token.digits == 4 else { return nil }
        found.append(token.text)
      case "%day":
        guard let day = weekdays[token.text] else { return nil }
        found.append(day)
      case "%month":
        guard let month = months[token.text] else { return nil }
        found.append(month)
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

  private func word(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    let token = tokens[index]
    guard token.kind == .word else { return nil }
    let isBehindNumber = index > 0 && number(tokens[index - 1]) != nil
    if isBehindNumber, let unit = units[token.text] { return (unit, index + 1) }
    let unit = index + 1 < tokens.count ? units[tokens[index + 1].text] : nil
    // "eine Stunde" is how long it took, but "ein Buch" is no amount.
    if let unit, let value = numbers[token.text], value > 1 || Self.spans.contains(unit) {
      return ("\(value)", index + 1)
    }
    if let english = weekdays[token.text] ?? words[token.text] { return (english, index + 1) }
    // Short names of months are names of people too.
    if let month = months[token.text], token.text.count > 3 || token.text == "mai" {
      return (month, index + 1)
    }
    // A word that only looks English is kept from being read as one.
    return silenced.contains(token.text) ? ("~\(token.text)", index + 1) : nil
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
