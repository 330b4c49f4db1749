import ArkivedCore

/// A date in a vCard, whose year may be missing: `19850314`, `1985-03-14T00:00:00Z`, `--0314`,
/// `1985-03`, `1985` (RFC 6350 §4.3.1), and Apple's year 1604 for a missing year.
struct VCardDate: Hashable {
  var year: Int?
  var month: Int?
  var day: Int?

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Reads a date in a card, in which the year `omitted` means that the year is unknown; nil if it
  /// isn't a date, or doesn't exist.
  init?(_ text: String, omittedYear omitted: Int? = nil) {
    let date = text.prefix { $0 != "T" && $0 != " " }
    let digits = date.filter { $0.isASCII && $0.isNumber }
    guard date.allSatisfy({ $0 == "-" || $0.isASCII && $0.isNumber }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      Int(digits.dropFirst(range.lowerBound).prefix(range.count))
    }
    switch (date.hasPrefix("---"), date.hasPrefix("--"), digits.count) {
    case (true, _, 2): day = number(0..<2)
    case (false, true, 4): (month, day) = (number(0..<2), number(2..<4))
    case (false, true, 2): month = number(0..<2)
    case (false, false, 8):
      (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
    case (false, false, 6) where date.contains("-"): (year, month) = (number(0..<4), number(4..<6))
    case (false, false, 4): year = number(0..<4)
    default: return nil
    }
    if let known = year, known == omitted || known == 1604 || known == 0 { year = nil }
    guard isPossible else { return nil }
  }

  private var isPossible: Bool {
    if let month, !(1...12).contains(month) { return false }
    if let day {
      // Without a year, 29 February is valid.
      guard DayKey(year: year ?? 2000, month: month ?? 1, day: day) != nil else { return false }
    }
    if let year, !(1...9999).contains(year) { return false }
    return true
  }

  /// "14 March 1985", "14 March".
  var text: String {
    let parts = [
      day.map { month == nil ? "day \($0)" : "\($0)" }, month.map { Self.months[$0 - 1] },
      year.map { "\($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }
}
