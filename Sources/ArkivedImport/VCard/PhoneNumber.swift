/// Telephone numbers as written by people, phones and address books.
package enum PhoneNumber {
  /// Returns the canonical form of a number, which is the same however it is written: its digits,
  /// with a `+` before them if it had one.
  ///
  /// - Returns: nil if it isn't a number or is too short to identify somebody, such as a service's
  ///   number.
  package static func canonical(_ text: some StringProtocol) -> String? {
    var digits = ""
    var isInternational = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9": digits.unicodeScalars.append(scalar)
      case "+" where digits.isEmpty && !isInternational: isInternational = true
      case "-", ".", "/", "(", ")", "[", "]": break
      case _
      where scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
        || scalar.properties.generalCategory == .dashPunctuation:
        break
      default: return nil
      }
    }
    guard (7...16).contains(digits.count) else { return nil }
    if !isInternational, digits.hasPrefix("00"), digits.count >= 10 {
      return "+\(digits.dropFirst(2))"
    }
    return isInternational ? "+\(digits)" : digits
  }
}
