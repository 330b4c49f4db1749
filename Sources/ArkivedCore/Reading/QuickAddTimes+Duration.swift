/// Reading how long an activity took.
extension QuickAddTimes {
  /// Returns the minutes and the tokens of a duration: "for 45 min", "for an hour and a half", "for
  /// 1h30".
  func duration(outside taken: (Int) -> Bool) -> (minutes: Double, tokens: Range<Int>)? {
    for index in grammar.tokens.indices where grammar.isWord(index, "for") && !taken(index) {
      guard let (minutes, next) = minutes(index + 1), !grammar.isWord(next, "of", "ago"),
        !(index..<next).contains(where: taken)
      else { continue }
      return (minutes, index..<next)
    }
    return nil
  }

  private func minutes(_ index: Int) -> TimeGrammar.Parsed<Double>? {
    let start = grammar.skipping("about", "around", "almost", "nearly", at: index)
    // "for a few minutes" gives no number.
    if grammar.isWord(grammar.skipping("a", at: start), "few", "several") { return nil }
    if let hours = grammar.number(start), hours < 1000, grammar.isWord(start + 1, "h"),
      grammar.isAttached(start + 1), grammar.isAttached(start + 2),
      let rest = grammar.token(start + 2), rest.kind == .number, rest.digits <= 2, rest.value < 60
    {
      let next = grammar.skipping("m", "min", "mins", "minutes", at: start + 3)
      return (Double(hours * 60 + rest.value), next)
    }
    guard let (length, next) = grammar.length(start), length.months == 0, length.days == 0,
      length.seconds > 0
    else { return nil }
    let minutes = Double(length.seconds) / 60
    // For example, "for 3h 30m", "for 1 hour 15".
    if length.seconds % 3600 == 0, let more = grammar.number(next), more < 60 {
      if grammar.isWord(next + 1, "m") { return (minutes + Double(more), next + 2) }
      if grammar.token(next)?.digits == 2, grammar.isEnd(next + 1) {
        return (minutes + Double(more), next + 1)
      }
    }
    return (minutes, next)
  }
}
