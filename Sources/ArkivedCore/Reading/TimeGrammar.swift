import Foundation

/// Reads time expressions from tokens.
///
/// Each function tries one form at one position and returns the result with the position after it,
/// or nil.
final class TimeGrammar {
  typealias Parsed<Value> = (value: Value, next: Int)

  let tokens: [TimeToken]
  let now: WallTime
  let instant: Instant
  let zone: Zone
  let dateOrder: DateOrder
  let firstWeekday: Weekday
  /// The units of things counted and measured.
  let units: UnitTable
  /// True if "at 3pm for two hours" is read as a whole; if times and durations are separate fields,
  /// they are read separately.
  var joinsLengths = true
  /// True if "yesterday until 10" is read as a whole; a quick-add line is dated on its day either
  /// way.
  var joinsOpenings = true
  /// The positions of tokens at which bare numbers are hours: after words such as "worked" and
  /// "woke at".
  var hourStarts: Set<Int> = []
  /// The positions of hours with an "h" that are times and not lengths, such as "Tuesday 15h".
  var hourMarks: Set<Int> = []

  /// The results read before at each position, because different forms of expressions ask for the
  /// same dates.
  let memo = TimeMemo()

  init(
    tokens: [TimeToken], now: WallTime, instant: Instant, zone: Zone, dateOrder: DateOrder,
    firstWeekday: Weekday, units: UnitTable
  ) {
    self.tokens = tokens
    self.now = now
    self.instant = instant
    self.zone = zone
    self.dateOrder = dateOrder
    self.firstWeekday = firstWeekday
    self.units = units
  }

  var today: DayKey { now.day }

  /// The deepest nesting of expressions ("the day after the first Monday of …").
  static let depthLimit = 4

  // MARK: Token access

  func token(_ index: Int) -> TimeToken? {
    index >= 0 && index < tokens.count ? tokens[index] : nil
  }

  /// Returns the word at a position, or "" if there is none.
  func word(_ index: Int) -> String {
    guard index >= 0, index < tokens.count, tokens[index].kind == .word else { return "" }
    return tokens[index].text
  }

  func isWord(_ index: Int, _ word: String) -> Bool {
    index >= 0 && index < tokens.count && tokens[index].kind == .word
      && tokens[index].text == word && !word.isEmpty
  }

  func isWord(_ index: Int, _ words: String...) -> Bool {
    let word = word(index)
    return !word.isEmpty && words.contains(word)
  }

  func isSign(_ index: Int, _ sign: String) -> Bool {
    guard let token = token(index), token.kind == .symbol else { return false }
    return token.text == sign
  }

  /// Returns true if a token follows the previous one without a gap.
  func isAttached(_ index: Int) -> Bool {
    guard let token = token(index) else { return false }
    return index > 0 && !token.hasSpaceBefore
  }

  func isCapitalised(_ index: Int) -> Bool { token(index)?.isCapitalised ?? false }

  /// Returns the position after one of these words, or the position itself.
  func skipping(_ words: String..., at index: Int) -> Int {
    words.contains(word(index)) && !word(index).isEmpty ? index + 1 : index
  }

  func skippingComma(_ index: Int) -> Int { isSign(index, ",") ? index + 1 : index }

  /// Returns true if tokens make up the whole text, apart from punctuation.
  func isWhole(_ start: Int, _ end: Int) -> Bool {
    tokens[..<min(max(start, 0), tokens.count)].allSatisfy { $0.kind == .symbol }
      && tokens[min(end, tokens.count)...].allSatisfy { $0.kind == .symbol }
  }

  /// Returns true if the text or a part of it ends here, with no word or number directly following.
  func isEnd(_ index: Int) -> Bool {
    guard let token = token(index) else { return true }
    return token.kind == .symbol
      && !["%", "€", "$", "£", "°", "/", "+", "=", "*", "&"].contains(token.text)
  }

  func longest<Value>(_ candidates: Parsed<Value>?...) -> Parsed<Value>? {
    var best: Parsed<Value>?
    for case .some(let candidate) in candidates where candidate.next > (best?.next ?? -1) {
      best = candidate
    }
    return best
  }

  // MARK: Numbers

  /// Reads a standalone number, not part of 1.5, 2,019, A4, 3/4 or 10:30.
  func number(_ index: Int) -> Int? {
    guard let token = token(index), token.kind == .number, token.value >= 0 else { return nil }
    if isAttached(index), let before = self.token(index - 1) {
      switch before.kind {
      case .word, .opaque, .number: return nil
      case .symbol:
        if ["€", "$", "£", "¥", "#", "/", "\\", "+", "="].contains(before.text) { return nil }
        if [".", ",", ":"].contains(before.text), self.token(index - 2)?.kind == .number,
          isAttached(index - 1)
        {
          return nil
        }
      }
    }
    return token.value
  }

  /// Returns true if nothing attached to a number would change its meaning.
  func endsNumber(_ next: Int) -> Bool {
    guard isAttached(next), let token = token(next) else { return true }
    switch token.kind {
    case .word, .number, .opaque: return false
    case .symbol:
      if ["%", "€", "$", "£", "°", "/", "\\"].contains(token.text) { return false }
      if [".", ",", ":"].contains(token.text) {
        return !(self.token(next + 1)?.kind == .number && isAttached(next + 1))
      }
      return true
    }
  }

  /// Returns true if the number before this position counts something: "2000 steps", "1984 euros".
  func isCounted(_ next: Int) -> Bool {
    let word = word(next)
    guard !word.isEmpty else {
      guard let token = token(next), token.kind == .symbol else { return false }
      return ["%", "€", "$", "£", "°"].contains(token.text)
    }
    if TimeWords.counted.contains(word) { return true }
    // In "at 4 coffee", 4 is a time, because several would be "coffees".
    if TimeWords.had.contains(word), isMany(next - 1) { return false }
    guard let unit = units.unit(named: word) else { return false }
    // A goal measured in days doesn't turn "in 3 days" into an amount.
    if TimeWords.units[word] != nil, units.isTaught(word) { return false }
    // "in 2019 words failed me" is rarer than "2019 words".
    return unit.name != "l" && unit.name != "m" || isAttached(next)
  }

  private func isMany(_ index: Int) -> Bool {
    (number(index) ?? TimeWords.numbers[word(index)] ?? 0) > 1
  }

  /// Returns true if the activity may begin here, after an hour that the preceding words make
  /// clear: "yesterday from 9 to 10 meeting", but not "from 9 to 10 pages" and "at 4 different
  /// shops".
  func beginsDeed(_ next: Int) -> Bool {
    let word = word(next)
    guard !word.isEmpty, !isAttached(next), !isCounted(next), TimeWords.numbers[word] == nil else {
      return false
    }
    // In "6 am" among German words, "am" is a German word.
    if word == "~am" { return false }
    let isPlural = word.hasSuffix("s") && !word.hasSuffix("ss") && !TimeWords.notMany.contains(word)
    return !isPlural && !TimeWords.afterCount.contains(word)
  }

  /// Returns true if the number at this position is a label: "page 1984", "room 12".
  func isLabelled(_ index: Int) -> Bool {
    guard let before = token(index - 1) else { return false }
    switch before.kind {
    case .word: return TimeWords.numberLabels.contains(before.text)
    case .symbol: return before.text == "#" || before.text == "№"
    case .number, .opaque: return false
    }
  }

  /// Reads 1st, 22nd, third or twenty-first, and returns the number and the position after it.
  func ordinal(_ index: Int) -> Parsed<Int>? {
    if let value = number(index), isAttached(index + 1), isWord(index + 1, "st", "nd", "rd", "th") {
      return value > 0 ? (value, index + 2) : nil
    }
    let word = word(index)
    if let value = TimeWords.ordinals[word] { return (value, index + 1) }
    if word == "twenty" || word == "thirty" {
      let after = isSign(index + 1, "-") ? index + 2 : index + 1
      if let value = TimeWords.ordinals[self.word(after)], value < 10 {
        return ((word == "twenty" ? 20 : 30) + value, after + 1)
      }
    }
    return nil
  }

  /// Reads a whole number in digits or words: 25, twenty-five.
  func cardinal(_ index: Int) -> Parsed<Int>? {
    if let value = number(index) { return (value, index + 1) }
    let word = word(index)
    guard let value = TimeWords.numbers[word] else { return nil }
    if (1..<10).contains(value), isWord(index + 1, "hundred") {
      return (value * 100, index + 2)
    }
    if TimeWords.tens.contains(word) {
      let after = isSign(index + 1, "-") ? index + 2 : index + 1
      if let ones = TimeWords.numbers[self.word(after)], (1..<10).contains(ones) {
        return (value + ones, after + 1)
      }
    }
    return (value, index + 1)
  }

  /// Reads a quantity: 3, 1.5, two and a half, a, a couple of, a few, half a.
  func quantity(_ index: Int) -> Parsed<Double>? {
    if isWord(index, "half") {
      return isWord(index + 1, "a", "an") ? (0.5, index + 2) : (0.5, index + 1)
    }
    let start = skipping("a", "an", at: index)
    if isWord(start, "couple") { return (2, skipping("of", at: start + 1)) }
    if isWord(start, "few") { return (3, start + 1) }
    if isWord(start, "dozen") { return (12, start + 1) }
    if isWord(start, "hundred") { return (100, start + 1) }
    if start > index {
      return isWord(start, "half") ? (0.5, start + 1) : (1, start)
    }
    if isWord(index, "several") { return (3, index + 1) }
    if let whole = number(index), isSign(index + 1, ".") || isSign(index + 1, ","),
      isAttached(index + 1), isAttached(index + 2), let fraction = token(index + 2),
      fraction.kind == .number, fraction.digits <= 2, fraction.value >= 0
    {
      let scale = fraction.digits == 1 ? 10.0 : 100.0
      return (Double(whole) + Double(fraction.value) / scale, index + 3)
    }
    guard let (value, next) = cardinal(index) else { return nil }
    if isWord(next, "and"), isWord(next + 1, "a"), isWord(next + 2, "half") {
      return (Double(value) + 0.5, next + 3)
    }
    return (Double(value), next)
  }
}
