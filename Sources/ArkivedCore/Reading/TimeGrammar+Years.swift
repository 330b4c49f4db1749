import Foundation

extension TimeGrammar {
  // MARK: Years and longer

  func year(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "year"),
      let (span, next) = longest(
        plainYear(skipping("of", at: index + 1)), spokenYear(skipping("of", at: index + 1)))
    {
      return (DateValue(.fixed(span), .year), next)
    }
    if isSign(index, "'"), lead.word == "in", let short = token(index + 1), short.digits == 2,
      isAttached(index + 1), endsNumber(index + 2), let span = DaySpan.year(fullYear(short.value))
    {
      return (DateValue(.fixed(span), .year), index + 2)
    }
    if let (span, next) = spokenYear(index), lead.isTemporal || isWhole(index, next),
      !lead.hasArticle
    {
      return (DateValue(.fixed(span), .year), next)
    }
    guard let (span, next) = plainYear(index), !isLabelled(index) else { return nil }
    var value = DateValue(.fixed(span), .year)
    value.isWeak =
      !(lead.isTemporal || isWhole(index, next)
      || ["compare", "than", "versus", "vs", "year", "compared"].contains(lead.word)
      || isBesideYear(index, next) || isOwningYear(index) || isComparedYear(next))
    if lead.hasArticle, lead.word != "of" { value.isWeak = true }
    return (value, next)
  }

  /// Returns true for the years in "Was 2021 worse than 2020".
  private func isComparedYear(_ next: Int) -> Bool {
    (next..<next + 4).contains { place in
      guard isWord(place, "than"), let token = token(place + 1), token.digits == 4 else {
        return false
      }
      return (1000...2999).contains(token.value)
    }
  }

  /// Returns true for the year that something belongs to, as in "the flood of 1953" or "photos from
  /// 2015", and not an amount or a part.
  private func isOwningYear(_ index: Int) -> Bool {
    guard isWord(index - 1, "of", "from", "until"), let token = token(index),
      (1800...2100).contains(token.value)
    else { return false }
    return self.token(index - 2)?.kind == .word && !TimeWords.beforeSum.contains(word(index - 2))
  }

  /// Reads "nineteen eighty-four", "twenty nineteen", "two thousand and five", "nineteen oh five".
  private func spokenYear(_ index: Int) -> Parsed<DaySpan>? {
    let year: Int
    var next: Int
    if isWord(index, "two"), isWord(index + 1, "thousand") {
      next = skipping("and", at: index + 2)
      if number(next) == nil, let (rest, end) = cardinal(next), (1..<100).contains(rest) {
        (year, next) = (2000 + rest, end)
      } else {
        (year, next) = (2000, index + 2)
      }
    } else if isWord(index, "seventeen", "eighteen", "nineteen", "twenty"),
      let century = TimeWords.numbers[word(index)]
    {
      let start = isSign(index + 1, "-") ? index + 2 : index + 1
      if isWord(start, "oh", "o"), let ones = TimeWords.numbers[word(start + 1)], ones < 10 {
        (year, next) = (century * 100 + ones, start + 2)
      } else if number(start) == nil, let (rest, end) = cardinal(start), (10..<100).contains(rest) {
        (year, next) = (century * 100 + rest, end)
      } else {
        return nil
      }
    } else {
      return nil
    }
    guard !isCounted(next), unit(next) == nil, !isWord(next, "or", "to", "thousand") else {
      return nil
    }
    return DaySpan.year(year).map { ($0, next) }
  }

  /// Reads a number that can be a year, with nothing attached.
  func plainYear(_ index: Int) -> Parsed<DaySpan>? {
    guard let year = number(index), token(index)?.digits == 4, (1000...2999).contains(year),
      endsNumber(index + 1), !isCounted(index + 1), let span = DaySpan.year(year)
    else { return nil }
    // "2019-style" and "2019-03" are not plain years; "2019-2021" and "2019-May" begin with one.
    if isSign(index + 1, "-"), isAttached(index + 1), isAttached(index + 2),
      let after = token(index + 2), after.kind != .symbol, after.digits != 4,
      TimeWords.months[after.text] == nil,
      !["present", "now", "today", "q", "h"].contains(after.text)
    {
      return nil
    }
    return (span, index + 1)
  }

  /// Returns true for a year next to another: "in 2018 and 2019".
  private func isBesideYear(_ index: Int, _ next: Int) -> Bool {
    func isJoint(_ index: Int) -> Bool {
      isWord(index, "and", "or", "vs", "versus", "than") || isSign(index, ",")
    }
    func isYear(_ index: Int) -> Bool {
      guard let token = token(index), token.digits == 4 else { return false }
      return (1000...2999).contains(token.value)
    }
    return isJoint(index - 1) && isYear(index - 2) || isJoint(next) && isYear(next + 1)
  }

  /// Reads "the 1990s", "the 90s", "'90s", "the nineties".
  func decade(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let isShortened = isSign(index, "'")
    let start = isShortened ? index + 1 : index
    if let (first, next) = spokenDecade(start),
      lead.hasArticle || next > start + 1
        || isWord(start - 1, "and", "or") && TimeWords.decades[word(start - 2)] != nil
    {
      return DateValue(fixed: decadeSpan(first), .decade).map { ($0, next) }
    }
    guard let token = token(start), token.kind == .number, token.value >= 0,
      token.value % 10 == 0, isShortened || number(start) != nil
    else { return nil }
    var suffix = start + 1
    if isSign(suffix, "'"), isAttached(suffix) { suffix += 1 }
    guard isWord(suffix, "s"), isAttached(suffix),
      // For example, "80s-style".
      !(isSign(suffix + 1, "-") && isAttached(suffix + 2) && self.token(suffix + 2)?.kind == .word)
    else { return nil }
    let year: Int
    switch token.digits {
    case 4 where (1000...2990).contains(token.value): year = token.value
    case 2 where lead.hasArticle || isShortened || lead.word == "of" && token.value >= 50:
      year = token.value >= 30 ? 1900 + token.value : 2000 + token.value
    default: return nil
    }
    return DateValue(fixed: decadeSpan(year), .decade).map { ($0, suffix + 1) }
  }

  /// Reads "nineties", "roaring twenties" or "nineteen-eighties" as the decade's first year.
  func spokenDecade(_ index: Int) -> Parsed<Int>? {
    if let first = TimeWords.decades[word(index)] {
      return (first == 0 ? 2000 : 1900 + first, index + 1)
    }
    let after = isSign(index + 1, "-") ? index + 2 : index + 1
    guard let first = TimeWords.decades[word(after)], first > 0 else { return nil }
    switch word(index) {
    case "roaring" where first == 20: return (1920, after + 1)
    case "eighteen", "nineteen", "twenty":
      return ((TimeWords.numbers[word(index)] ?? 19) * 100 + first, after + 1)
    default: return nil
    }
  }

  func century(_ index: Int) -> Parsed<DateValue>? {
    guard let (nth, next) = ordinal(index), (1...98).contains(nth) else { return nil }
    let after = isSign(next, "-") ? next + 1 : next
    guard isWord(after, "century") else { return nil }
    return DateValue(fixed: centurySpan((nth - 1) * 100 + 1), .century).map { ($0, after + 1) }
  }
}
