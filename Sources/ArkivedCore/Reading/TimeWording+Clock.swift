/// Times of day as worded in another language.
extension TimeWording {
  private typealias Time = (hour: Int, minute: Int, isSettled: Bool, next: Int)

  /// Reads "um 7 Uhr", "von 9 bis 10 Uhr", "halb acht bis neun Uhr".
  func span(_ tokens: [TimeToken], _ index: Int) -> (String, Int)? {
    guard index < tokens.count, !isInside(tokens, index) else { return nil }
    let lead = tokens[index].kind == .word ? clockLeads[tokens[index].text] : nil
    var start = lead == nil ? index : index + 1
    // For example, "zw. 8 und 10".
    if tokens[index].text == "zw", start < tokens.count, tokens[start].text == ".",
      !tokens[start].hasSpaceBefore
    {
      start += 1
    }
    let leadWords = lead.map { $0 + " " } ?? ""
    let before = half(before: index, tokens)
    let isBetween = lead == "between"
    if let (first, next) = rangeStart(tokens, start, isBetween),
      let end = clock(tokens, next, hasLead: true)
    {
      // In "9 bis 10 Uhr", the word "Uhr" follows only the second time; "3 bis halb 6" is in the
      // afternoon.
      let isLater = (1...6).contains(first) && end.hour >= first + 12
      let from = "\(isLater ? first + 12 : first):00"
      return ("\(lead == nil ? "" : "from ")\(from) - \(Self.text(end))", end.next)
    }
    if isBetween, clock(tokens, start, hasLead: true) == nil {
      // For example, "zwischen 8 und 12": two hours, if nothing is counted.
      guard let (first, next) = rangeStart(tokens, start, true), next < tokens.count,
        let last = number(tokens[next]), first < last, last <= 24,
        tokens[start].kind == .number, tokens[next].kind == .number, !isCounted(tokens, next + 1)
      else { return nil }
      return ("from \(first):00 - \(last):00", next + 1)
    }
    let found =
      clock(tokens, start, hasLead: lead != nil, before: before)
      ?? (lead == "at"
        || lead == "around" && (start + 1 == tokens.count || isDrink(tokens, start + 1))
        ? bareHour(tokens, start, before: before) : nil)
    guard let time = found else { return nil }
    guard let joint = self.joint(tokens, time.next, isBetween),
      let end = clock(tokens, joint, hasLead: true)
    else { return isBetween ? nil : (leadWords + Self.text(time), time.next) }
    return ("\(lead == nil ? "" : "from ")\(Self.text(time)) - \(Self.text(end))", end.next)
  }

  /// Returns true if a number is the end of another number, or of a date or a time in digits.
  private func isInside(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index > 0, tokens[index].kind == .number, !tokens[index].hasSpaceBefore else {
      return false
    }
    return [":", ".", ",", "/"].contains(tokens[index - 1].text)
      && index > 1 && tokens[index - 2].kind == .number && !tokens[index - 1].hasSpaceBefore
  }

  /// Returns the half of the day given by the words before a time.
  private func half(before index: Int, _ tokens: [TimeToken]) -> Half? {
    guard index > 0, tokens[index - 1].kind == .word else { return nil }
    if let half = early[tokens[index - 1].text] { return half }
    guard index > 1 else { return nil }
    return early["\(tokens[index - 2].text) \(tokens[index - 1].text)"]
  }

  /// Returns a time in minutes, in the half of the day that a following word determines.
  private static func settled(_ minutes: Int, _ half: Half) -> Int {
    switch half {
    case .first: return minutes
    case .second: return minutes < 720 ? minutes + 720 : minutes
    case .night:
      // At night, eleven is late, three is early, and twelve is midnight.
      if (720..<780).contains(minutes) { return minutes - 720 }
      return (420..<720).contains(minutes) ? minutes + 720 : minutes
    }
  }

  /// Reads "um 7": a bare hour, unless it counts something.
  private func bareHour(_ tokens: [TimeToken], _ index: Int, before: Half?) -> Time? {
    guard index < tokens.count, let hour = number(tokens[index]), hour <= 24 else { return nil }
    let next = index + 1
    if next < tokens.count {
      // For example, "um 20 Euro gewettet", "um 5 % gestiegen".
      if counted.contains(tokens[next].text) || Self.amountSigns.contains(tokens[next].text) {
        return nil
      }
      if tokens[next].kind == .word, let half = halves[tokens[next].text] {
        return (Self.settled(hour * 60, half) / 60, 0, true, next + 1)
      }
      if tokens[next].kind == .word, let unit = units[tokens[next].text], !drinks.contains(unit) {
        return nil
      }
      if !tokens[next].hasSpaceBefore, next + 1 < tokens.count, !tokens[next + 1].hasSpaceBefore {
        return nil
      }
      // "um 7 bis 8" and "um 7-8" are spans.
      if tokens[next].text == "-" || words[tokens[next].text] == "until" { return nil }
    }
    if let before { return (Self.settled(hour * 60, before) / 60, 0, true, next) }
    if isInMorning(tokens, next) { return (hour, 0, true, next) }
    let isAfternoon = (1...6).contains(hour) && tokens[index].text != "0\(hour)"
    return (isAfternoon ? hour + 12 : hour, 0, false, next)
  }

  /// Returns true if what follows a number is counted by it: "zwischen 8 und 12 Gäste".
  private func isCounted(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard index < tokens.count else { return false }
    let next = tokens[index]
    return counted.contains(next.text) || Self.amountSigns.contains(next.text)
      || next.kind == .word && (next.isCapitalised || units[next.text] != nil)
      || next.kind == .symbol && !next.hasSpaceBefore && index + 1 < tokens.count
        && tokens[index + 1].kind == .number
  }

  /// Returns true if words for the morning follow an hour: "um 4 in der Früh".
  private func isInMorning(_ tokens: [TimeToken], _ index: Int) -> Bool {
    let next = tokens.dropFirst(index).prefix(3).map(\.text)
    return next == ["in", "der", "früh"]
      || ["am morgen", "am vormittag"].contains(next.prefix(2).joined(separator: " "))
  }

  private func isDrink(_ tokens: [TimeToken], _ index: Int) -> Bool {
    index < tokens.count && units[tokens[index].text].map(drinks.contains) ?? false
  }

  private func rangeStart(
    _ tokens: [TimeToken], _ index: Int, _ isBetween: Bool
  ) -> (Int, Int)? {
    guard index + 2 < tokens.count, let hour = number(tokens[index]), hour <= 24,
      let next = joint(tokens, index + 1, isBetween)
    else { return nil }
    return (hour, next)
  }

  /// Returns the position after "bis" or a dash, or after "und" following "zwischen".
  private func joint(_ tokens: [TimeToken], _ index: Int, _ isBetween: Bool) -> Int? {
    guard index + 1 < tokens.count else { return nil }
    let token = tokens[index]
    if isBetween { return words[token.text] == "and" ? index + 1 : nil }
    return token.text == "-" || words[token.text] == "until" ? index + 1 : nil
  }

  private func clock(
    _ tokens: [TimeToken], _ index: Int, hasLead: Bool, before: Half? = nil
  ) -> Time? {
    for rule in clocks {
      guard var (found, next) = numbers(in: rule.says, tokens, index) else { continue }
      let hour: Int
      var minute = 0
      var isDial = true
      switch rule.count {
      case .dotted:
        guard hasLead, isDotted(tokens, index) else { continue }
        hour = found.removeFirst()
        minute = found[0]
        isDial = hour <= 12 && tokens[index].digits == 1
      case .minutesBehind where rule.says.last == "#" && !isMinute(tokens, next - 1):
        continue
      case .whole, .minutesBehind:
        hour = found.removeFirst()
        minute = found.first ?? 0
        isDial = false
      case .minutes(let count):
        hour = found.removeFirst()
        minute = count
      case .before, .after:
        // Without a preceding word, "zehn vor acht" may be a score.
        guard hasLead, found.count == 2 else { continue }
        hour = found[1]
        if case .before = rule.count { minute = -found[0] } else { minute = found[0] }
      case .beforeHalf, .afterHalf:
        guard found.count == 2, found[0] < 30 else { continue }
        hour = found[1]
        if case .beforeHalf = rule.count { minute = -30 - found[0] } else { minute = found[0] - 30 }
      }
      guard (0...24).contains(hour), (-59...59).contains(minute), !isDial || hour <= 12 else {
        continue
      }
      var whole = hour * 60 + minute
      var isSettled = false
      if next < tokens.count, tokens[next].kind == .word, let half = halves[tokens[next].text] {
        whole = Self.settled(whole, half)
        isSettled = true
        next += 1
      } else if isDial, let before {
        whole = Self.settled(whole, before)
        isSettled = true
      } else if isDial, isInMorning(tokens, next) {
        isSettled = true
      } else if isDial, (1...6).contains(hour) {
        whole += 720
      }
      guard (0...1440).contains(whole) else { continue }
      return (whole / 60, whole % 60, isSettled, next)
    }
    return nil
  }

  /// Symbols after a number that make it an amount.
  private static let amountSigns: Set<String> = ["€", "$", "%", "°", "£", "x", "×"]

  /// Returns true for "16.30" if it has no spaces and isn't an amount.
  private func isDotted(_ tokens: [TimeToken], _ index: Int) -> Bool {
    tokens[index].kind == .number && !tokens[index + 1].hasSpaceBefore
      && !tokens[index + 2].hasSpaceBefore && isMinute(tokens, index + 2)
  }

  /// Returns true if the last number of a time is its minutes: "9 Uhr 30", but not "9 Uhr 5 km" and
  /// "9 Uhr 30 Gäste".
  private func isMinute(_ tokens: [TimeToken], _ index: Int) -> Bool {
    guard let value = number(tokens[index]),
      tokens[index].kind == .number ? tokens[index].digits == 2 : value >= 10
    else { return false }
    guard index + 1 < tokens.count else { return true }
    let next = tokens[index + 1]
    if Self.amountSigns.contains(next.text) { return false }
    if [".", ",", "/"].contains(next.text), index + 2 < tokens.count, !next.hasSpaceBefore,
      tokens[index + 2].kind == .number, !tokens[index + 2].hasSpaceBefore
    {
      return false
    }
    guard next.kind == .word, let unit = units[next.text] else {
      return next.kind != .word
        || !counted.contains(next.text) && table.unit(named: next.text) == nil
    }
    return drinks.contains(unit)
  }

  /// Returns the numbers of a clock phrase, in their order in the text.
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
}
