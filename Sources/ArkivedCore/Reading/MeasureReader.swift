import Foundation

/// Finds amounts with their units in a line: "5 km", "8,000 steps", "twenty pages".
struct MeasureReader {
  struct Measure {
    var tokens: Range<Int>
    var unit: MeasureUnit
    var amount: Double
    /// The effect of this amount on an earlier one in the same unit.
    var repetition = Repetition.ignored
  }

  /// The effect of an amount on an earlier one in the same unit, because an entry stores one amount
  /// for each unit.
  enum Repetition {
    /// It stays in the text, because the sum is a number that nobody wrote: "flour 300 g, sugar 80 g".
    case ignored
    /// It adds up: lengths of time, what several things cost together, and what is clearly continued,
    /// as in "20 pages, then 10 pages more".
    case added
    /// It counts instead: temperatures, rates, and weights before and after something.
    case replacing
  }

  private static let unsummed: Set<String> = [
    "°C", "°F", "degrees", "km/h", "mph", "bpm", "mmol/l", "mmol/mol", "mg/dl",
  ]

  let grammar: TimeGrammar
  let units: UnitTable
  /// The lower-case words of the line, one per token.
  let words: [String]
  let lexicon = LineLexicon.shared
  /// True if the line is about moving, so "8k" is a distance.
  private let isMoving: Bool

  init(grammar: TimeGrammar, units: UnitTable, words: [String]) {
    self.grammar = grammar
    self.units = units
    self.words = words
    // For example, "10k in 54:12".
    isMoving =
      lexicon.isAmong(words, .moving)
      || grammar.tokens.indices.contains {
        grammar.isWord($0, "k") && grammar.isAttached($0)
          && (grammar.isWord($0 + 1, "in") && grammar.isSign($0 + 3, ":")
            || grammar.isWord($0 + 1, "in") && grammar.isWord($0 + 3, "min", "mins", "minutes")
            || grammar.isSign($0 + 2, ":") || grammar.isSign($0 + 3, ":"))
      }
  }

  /// Returns the measurements outside the tokens that have another meaning.
  func measures(outside taken: (Int) -> Bool) -> [Measure] {
    var found: [Measure] = []
    var index = 0
    let isWeighing =
      lexicon.isAmong(words, .weight) || words.contains("before") && words.contains("after")
      || words.contains("vorher") || words.contains("vor") && words.contains("nach")
    while index < grammar.tokens.count {
      if !taken(index), let (read, next) = measure(index), !taken(next - 1) {
        var measure = read
        if Self.unsummed.contains(measure.unit.name)
          || isWeighing && measure.unit.dimension == .mass
        {
          measure.repetition = .replacing
        } else if measure.unit.dimension == .time || isMoney(measure.unit)
          || isContinued(measure.tokens)
        {
          measure.repetition = .added
        }
        found.append(measure)
        index = next
      } else {
        index += 1
      }
    }
    return found
  }

  private func isMoney(_ unit: MeasureUnit) -> Bool {
    lexicon.money[unit.name.lowercased()] != nil
  }

  /// Returns true if an amount comes on top of the one before it: "then 10 pages more", "5 km + 2
  /// km".
  private func isContinued(_ tokens: Range<Int>) -> Bool {
    let (before, next) = (tokens.lowerBound - 1, tokens.upperBound)
    return before >= 0 && Self.beforeMore.contains(words[before])
      || next < words.count && Self.afterMore.contains(words[next])
  }

  private static let beforeMore: Set<String> = [
    "+", "plus", "further", "extra", "weitere", "nochmal", "nochmals", "zusätzlich",
  ]
  private static let afterMore: Set<String> = ["more", "extra", "mehr", "zusätzlich", "dazu"]

  private func measure(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    if TimeWords.recurrence.contains(grammar.word(index - 1)) { return nil }
    if lexicon.ends(words, at: index, .instead) || grammar.isWord(index - 1, "minus") { return nil }
    if let found = temperature(index) ?? money(index) ?? andHalf(index) ?? fraction(index)
      ?? partOfHours(index)
    {
      return found
    }
    guard let (amount, afterAmount) = amount(index), amount.isFinite, amount >= 0 else {
      return nil
    }
    // "5 to 6 km" and "5-6 km" are not amounts; "from 80 to 79 kg" gives the current one.
    if grammar.number(index - 2) != nil,
      grammar.isWord(index - 1, "to", "until", "or") && !grammar.isWord(index - 3, "from", "at")
        || grammar.isWord(index - 1, "and") && grammar.isWord(index - 3, "between")
    {
      return nil
    }
    if let stones = stonesAndPounds(index, amount, afterAmount) { return stones }
    if let product = product(index, amount, afterAmount) { return product }
    if let (minutes, next) = hoursAndMinutes(index, amount, afterAmount),
      let unit = units.unit(named: "minutes")
    {
      return (Measure(tokens: index..<next, unit: unit, amount: minutes), next)
    }
    guard let (found, next) = unit(afterAmount, isAttached: grammar.isAttached(afterAmount)) else {
      return thousandMetres(index, amount, afterAmount)
    }
    // Degrees that are no temperature are an angle.
    if found.name == "degrees" { return nil }
    var unit = found
    if unit.name == "m", isShortMinutes(next - 1), let minutes = units.unit(named: "minutes") {
      unit = minutes
    }
    // "5k round the lake" is a route, not a number of rounds.
    if grammar.isWord(next - 1, "round"), grammar.isWord(next, "the", "a", "my", "our") {
      return thousandMetres(index, amount, afterAmount)
    }
    // For example, "14 km, 600 m up".
    if unit.dimension == .length, unit.name != "km", next < words.count,
      lexicon.has(words[next], .climb)
    {
      return nil
    }
    // For example, "at 9 or 10 call".
    if TimeWords.had.contains(grammar.word(next - 1)), amount > 1,
      grammar.isWord(index - 1, "or", "and"), grammar.number(index - 2) != nil
    {
      return nil
    }
    if let (rate, end) = rate(index, amount, next) { return (rate, end) }
    if isRate(next) || Self.afterMoment.contains(grammar.word(next)) { return nil }
    // "8.30 call" is a time.
    if amount != amount.rounded(), TimeWords.had.contains(grammar.word(next - 1)) { return nil }
    return (
      Measure(tokens: index..<next, unit: unit, amount: thousands(index, amount, unit)), next
    )
  }

  /// Reads "ran 8k": after a word for moving, a k means kilometres.
  private func thousandMetres(
    _ index: Int, _ amount: Double, _ next: Int
  ) -> TimeGrammar.Parsed<Measure>? {
    guard isMoving, next > index, grammar.isWord(next - 1, "k"), grammar.isAttached(next - 1),
      amount <= 1_000_000, !isRate(next), let unit = units.unit(named: "km")
    else { return nil }
    return (Measure(tokens: index..<next, unit: unit, amount: amount / 1000), next)
  }

  /// Reads "two and a half hours", "3 and a half miles".
  private func andHalf(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    guard let (amount, next) = amount(index), amount == amount.rounded(),
      grammar.isWord(next, "and"), grammar.isWord(next + 1, "a"), grammar.isWord(next + 2, "half"),
      let (unit, end) = unit(next + 3, isAttached: false), !isRate(end),
      !Self.afterMoment.contains(grammar.word(end))
    else { return nil }
    return (Measure(tokens: index..<end, unit: unit, amount: amount + 0.5), end)
  }

  private static let fractions = ["¼": 0.25, "½": 0.5, "¾": 0.75, "⅓": 1.0 / 3, "⅔": 2.0 / 3]

  /// Reads an amount with a fraction that is a single character: "½ h", "1½ cups".
  private func fraction(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    let whole = grammar.number(index)
    let place = whole == nil ? index : index + 1
    guard let sign = grammar.token(place), sign.kind == .symbol,
      let part = Self.fractions[sign.text], whole ?? 0 < 1_000,
      let (unit, next) = unit(place + 1, isAttached: grammar.isAttached(place + 1)), !isRate(next),
      !Self.afterMoment.contains(grammar.word(next))
    else { return nil }
    let amount = Double(whole ?? 0) + part
    if unit.name == "hours", let minutes = units.unit(named: "minutes") {
      return (Measure(tokens: index..<next, unit: minutes, amount: 60 * amount), next)
    }
    return (Measure(tokens: index..<next, unit: unit, amount: amount), next)
  }

  /// Reads "half an hour of piano", "an hour and a half", "a quarter of an hour".
  private func partOfHours(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    let isBegun =
      grammar.isWord(index, "half", "a", "an", "quarter")
      || grammar.isWord(index, "three") && grammar.isWord(index + 1, "quarters")
    guard isBegun, let (length, next) = grammar.length(index), length.days == 0,
      length.months == 0, length.seconds > 0,
      (index..<next).contains(where: { grammar.isWord($0, "hour", "hours") }),
      !(index..<next).contains(where: { grammar.isWord($0, "couple", "few", "dozen") }),
      index == 0 || !lexicon.has(words[index - 1], .beforeRate),
      units.unit(named: grammar.word(index - 1)) == nil, grammar.number(index - 1) == nil,
      !isRate(next), !Self.afterMoment.contains(grammar.word(next)),
      !grammar.isWord(next, "before", "after", "from", "past", "to", "away")
    else { return nil }
    // For example, "an hour and 10 on the phone".
    if length.seconds == 3600, grammar.isWord(next, "and"), let more = grammar.number(next + 1),
      more < 60, units.unit(named: grammar.word(next + 2)) == nil,
      let unit = units.unit(named: "minutes")
    {
      return (Measure(tokens: index..<next + 2, unit: unit, amount: Double(60 + more)), next + 2)
    }
    let isWhole = length.seconds % 3600 == 0
    guard let unit = units.unit(named: isWhole ? "hours" : "minutes") else { return nil }
    let amount = Double(length.seconds) / (isWhole ? 3600 : 60)
    return (Measure(tokens: index..<next, unit: unit, amount: amount), next)
  }

  /// Reads "11 st 4 lb" as pounds.
  private func stonesAndPounds(
    _ index: Int, _ stones: Double, _ next: Int
  ) -> TimeGrammar.Parsed<Measure>? {
    guard grammar.isWord(next, "st", "stone"), let pounds = grammar.number(next + 1), pounds < 14,
      let unit = units.unit(named: grammar.word(next + 2)), unit.name == "lb"
    else { return nil }
    let amount = stones * 14 + Double(pounds)
    return (Measure(tokens: index..<next + 3, unit: unit, amount: amount), next + 3)
  }

  /// Reads a multiple of an amount, such as "3 x 10 push-ups", "4x400 m" or "3 times 5 km".
  ///
  /// Three sets with 10 kg are not 30 kg.
  private func product(
    _ index: Int, _ count: Double, _ next: Int
  ) -> TimeGrammar.Parsed<Measure>? {
    guard grammar.isWord(next, "x", "times") || grammar.isSign(next, "×"), count <= 1000,
      grammar.token(next + 1)?.kind == .number,
      let (amount, afterAmount) = amount(next + 1, isFactor: true),
      let (unit, end) = unit(afterAmount, isAttached: grammar.isAttached(afterAmount)),
      unit.dimension != .mass, !isRate(end)
    else { return nil }
    return (Measure(tokens: index..<end, unit: unit, amount: count * amount), end)
  }

  /// Words after a length of time that turn it into a point in time.
  private static let afterMoment: Set<String> = [
    "ago", "later", "earlier", "hence", "early", "late",
  ]

  /// Returns true if an "m" right after a number means minutes, because the line also has hours:
  /// "2h 20m bugfixing, 45m emails".
  private func isShortMinutes(_ index: Int) -> Bool {
    grammar.isWord(index, "m") && grammar.isAttached(index)
      && grammar.tokens.indices.contains {
        grammar.isWord($0, "h") && grammar.isAttached($0)
          && grammar.token($0 - 1)?.kind == .number
      }
  }

  /// Returns true for a rate such as "min/km" or "km/h", which is not an amount.
  func isRate(_ next: Int) -> Bool {
    grammar.isSign(next, "/") && grammar.isAttached(next)
      || grammar.isWord(next, "per") || grammar.isSign(next, "²") || grammar.isSign(next, "³")
  }

  /// Reads the unit at a position: several words, or two joined by a hyphen ("push-ups").
  func unit(_ index: Int, isAttached: Bool) -> TimeGrammar.Parsed<MeasureUnit>? {
    var start = index
    // For example, "a 5-km run".
    if grammar.isSign(index, "-"), isAttached, grammar.isAttached(index + 1) { start += 1 }
    let word = grammar.word(start)
    guard !word.isEmpty else { return nil }
    if grammar.isSign(start + 1, "-"), grammar.isAttached(start + 1),
      grammar.isAttached(start + 2),
      let unit = units.unit(named: "\(word)-\(grammar.word(start + 2))")
    {
      return (unit, start + 3)
    }
    let words = (0..<units.mostWords).map { grammar.word(start + $0) }.prefix { !$0.isEmpty }
    for count in stride(from: words.count, to: 1, by: -1) {
      if let unit = units.unit(named: words.prefix(count).joined(separator: " ")) {
        return (unit, start + count)
      }
    }
    guard let unit = units.unit(named: word), !(grammar.token(start)?.isPossessive ?? false) else {
      return nil
    }
    // "5 may" and "10 am" keep their meaning regardless of the units of goals.
    if units.isTaught(word), TimeWords.isMoment(word) { return nil }
    return (unit, start + 1)
  }

  /// Reads "1 h 20 min", "1h20", "7h 59m" or "2 hours and 10 minutes" as minutes.
  private func hoursAndMinutes(
    _ index: Int, _ hours: Double, _ next: Int
  ) -> TimeGrammar.Parsed<Double>? {
    guard let unit = units.unit(named: grammar.word(next)), unit.name == "hours" else { return nil }
    if let token = grammar.token(next + 1), token.kind == .number, grammar.isAttached(next + 1),
      grammar.isAttached(next), token.digits <= 2, token.value < 60
    {
      let after = grammar.skipping("m", "min", "mins", "minutes", at: next + 2)
      return (hours * 60 + Double(token.value), after)
    }
    // For example, "1h 30 yoga".
    if let minutes = grammar.number(next + 1), minutes < 60,
      grammar.token(next + 1)?.digits == 2,
      grammar.isEnd(next + 2) || grammar.beginsDeed(next + 2) && !grammar.isWord(next + 2, "x", "m")
    {
      return (hours * 60 + Double(minutes), next + 2)
    }
    let start = grammar.skipping("and", at: next + 1)
    // For example, "1 hour and half".
    if start > next + 1, grammar.isWord(start, "half"), !grammar.isWord(start + 1, "an", "a", "of")
    {
      return (hours * 60 + 30, start + 1)
    }
    guard let minutes = grammar.number(start), minutes < 60 else { return nil }
    // Right after hours, m means minutes: "7h 59m".
    let isShort = start == next + 1 && grammar.isWord(start + 1, "m")
    guard isShort || units.unit(named: grammar.word(start + 1))?.name == "minutes" else {
      return nil
    }
    return (hours * 60 + Double(minutes), start + 2)
  }

  /// Reads a number with decimals, thousands separators and a "k", or in words.
  func amount(
    _ index: Int, isFactor: Bool = false
  ) -> TimeGrammar.Parsed<Double>? {
    guard let token = grammar.token(index) else { return nil }
    if token.kind == .word {
      return spelt(index)
    }
    guard
      isFactor || grammar.number(index) != nil && !isLabelled(index) && !isNegative(index)
    else { return nil }
    var digits = token.text
    var next = index + 1
    var decimals = ""
    // For "10 000": digits that begin with zero are not a separate number, and "10 500 steps" is
    // one amount.
    while token.digits <= 3, digits.count <= 12, digits != "0", let part = grammar.token(next),
      part.kind == .number, part.hasSpaceBefore, part.digits == 3,
      part.text.hasPrefix("0") || units.unit(named: grammar.word(next + 1))?.name == "steps"
    {
      digits += part.text
      next += 1
    }
    while decimals.isEmpty, let sign = grammar.token(next), sign.kind == .symbol,
      [",", ".", "'"].contains(sign.text), grammar.isAttached(next), grammar.isAttached(next + 1),
      let part = grammar.token(next + 1), part.kind == .number, part.digits <= 9
    {
      // For example, "1,200" or, in Switzerland, "1'200".
      if sign.text == "'", part.digits != 3 { return nil }
      let isGroup = sign.text != "." || hasDecimalComma(next + 2)
      if isGroup, part.digits == 3, digits.count <= 12, digits != "0" {
        digits += part.text
      } else {
        decimals = part.text
      }
      next += 2
    }
    // For example, ".5".
    if decimals.isEmpty, grammar.isSign(index - 1, "."), grammar.isAttached(index),
      !grammar.isAttached(index - 1)
    {
      (digits, decimals) = ("0", digits)
    }
    guard var value = Double(decimals.isEmpty ? digits : "\(digits).\(decimals)") else {
      return nil
    }
    // For example, "1 1/2 hours".
    if decimals.isEmpty, let part = grammar.token(next), part.kind == .number, part.hasSpaceBefore,
      grammar.isSign(next + 1, "/"), grammar.isAttached(next + 1), grammar.isAttached(next + 2),
      let whole = grammar.token(next + 2), [2, 3, 4].contains(whole.value), part.value > 0,
      part.value < whole.value
    {
      value += Double(part.value) / Double(whole.value)
      next += 3
    }
    if grammar.isWord(next, "k"), grammar.isAttached(next) {
      value *= 1000
      next += 1
    }
    // A second point makes it a version or an address.
    if grammar.isSign(next, "."), grammar.isAttached(next), grammar.isAttached(next + 1),
      grammar.token(next + 1)?.kind == .number
    {
      return nil
    }
    return value < 1e12 ? (value, next) : nil
  }

  /// Reads a number in words: "twenty pages", "one hundred and fifty steps", "three thousand",
  /// "three point five miles".
  private func spelt(_ index: Int) -> TimeGrammar.Parsed<Double>? {
    guard var (value, next) = grammar.cardinal(index), !grammar.isWord(index, "dozen", "hundred"),
      !grammar.isWord(index - 1, "hundred", "thousand", "point")
    else { return nil }
    if grammar.isWord(next, "thousand") { (value, next) = (value * 1000, next + 1) }
    if value >= 100, let (rest, end) = grammar.cardinal(grammar.skipping("and", at: next)),
      rest < 100, !grammar.isWord(end - 1, "dozen", "hundred"),
      grammar.number(end - 1) == nil
    {
      (value, next) = (value + rest, end)
    }
    if grammar.isWord(next, "point"), let tenths = TimeWords.numbers[grammar.word(next + 1)],
      tenths < 10
    {
      return (Double(value) + Double(tenths) / 10, next + 2)
    }
    return (Double(value), next)
  }

  /// Returns 8000 for "8.000 steps", because things that are counted have no thousandths.
  private func thousands(_ index: Int, _ amount: Double, _ unit: MeasureUnit) -> Double {
    guard unit.dimension == .count, grammar.isSign(index + 1, "."), amount < 1000,
      grammar.token(index + 2)?.digits == 3
    else { return amount }
    return (amount * 1000).rounded()
  }

  /// Returns true for "page 12", but not for "lost 3 kg".
  func isLabelled(_ index: Int) -> Bool {
    grammar.isLabelled(index) && !grammar.isWord(index - 1, "won", "lost") && !isMeasured(index)
  }

  func isNegative(_ index: Int) -> Bool {
    guard grammar.isSign(index - 1, "-"), grammar.isAttached(index) else { return false }
    return true
  }
}
