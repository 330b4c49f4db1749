extension TimeGrammar {
  /// Reads a duration as a stopwatch shows it: "58:20", "1:58:20".
  ///
  /// - Parameters:
  ///   - index: the position of its first word.
  ///   - metres: the distance; hours and minutes are assumed if minutes and seconds would mean more
  ///     than 80 km/h.
  ///   - isLong: true if two numbers are hours and minutes when no distance is known.
  /// - Returns: the seconds.
  func stopwatch(_ index: Int, metres: Double, isLong: Bool) -> Parsed<Int>? {
    func part(_ place: Int) -> Int? {
      guard isSign(place - 1, ":"), isAttached(place - 1), isAttached(place),
        let token = token(place), token.kind == .number, token.digits == 2, token.value < 60
      else { return nil }
      return token.value
    }
    guard let first = number(index), first < 1000, let second = part(index + 2) else { return nil }
    if let third = part(index + 4) {
      return endsNumber(index + 5) ? (first * 3600 + second * 60 + third, index + 5) : nil
    }
    if isWord(index + 3, "h", "hr", "hrs", "hour", "hours") {
      return (first * 3600 + second * 60, index + 4)
    }
    guard endsNumber(index + 3), !isMeasured(index + 3), meridiem(index + 3) == nil else {
      return nil
    }
    let seconds = first * 60 + second
    let isHours = metres > 0 ? metres * 3.6 > 80 * Double(max(1, seconds)) : isLong && first < 10
    return (isHours ? seconds * 60 : seconds, index + 3)
  }

  /// Returns true if the words after figures make them a pace rather than a time of day.
  func isMeasured(_ next: Int) -> Bool {
    unit(next) != nil
      || isWord(next, "km", "mile", "miles", "k", "per", "pace", "split", "splits", "each", "avg")
  }
}
