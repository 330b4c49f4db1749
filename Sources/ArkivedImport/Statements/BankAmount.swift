/// An amount of money as a bank writes it, such as `-12.80`, `+200,00` or `1.234,56`.
struct BankAmount {
  /// The amount without a sign, with a decimal point: `1234.56`.
  let digits: String
  let isNegative: Bool
  /// The amount without a sign.
  let value: Double

  /// Parses an amount; the result is nil if it isn't one.
  ///
  /// A single point or comma is the decimal separator, as OFX defines it; thousands are only
  /// recognised if another separator shows them.
  ///
  /// - Parameter written: the amount as written.
  init?(_ written: String) {
    var text = written.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }
    var isNegative = false
    if let first = text.first, first == "-" || first == "−" || first == "+" {
      isNegative = first != "+"
      text.removeFirst()
    }
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard text.utf8.count <= 24, text.utf8.contains(where: isDigit),
      text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
    else { return nil }
    var whole = text[...]
    var fraction = Substring()
    let marks = text.filter { $0 == "." || $0 == "," }
    if let last = marks.last, marks.filter({ $0 == last }).count == 1,
      let place = text.lastIndex(of: last)
    {
      whole = text[..<place]
      fraction = text[text.index(after: place)...]
    }
    let groups = whole.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard
      groups.count == 1
        || Set(whole.filter { $0 == "." || $0 == "," }).count == 1
          && (1...3).contains(groups[0].count)
          && groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    let plain = groups.joined(separator: "").drop { $0 == "0" }
    let digits = (plain.isEmpty ? "0" : String(plain)) + (fraction.isEmpty ? "" : ".\(fraction)")
    guard let value = Double(digits) else { return nil }
    (self.digits, self.isNegative, self.value) = (digits, isNegative, value)
  }

  /// The amount with its sign, the same for `-5`, `-5.00` and `-5,0`.
  var name: String {
    var text = digits[...]
    if text.contains(".") {
      while text.last == "0" { text = text.dropLast() }
      if text.last == "." { text = text.dropLast() }
    }
    return "\(isNegative ? "-" : "")\(text)"
  }
}

/// The currencies of statements, by their codes in ISO 4217.
enum BankCurrency {
  /// Returns the unit of a currency's amounts, the same as in a line that its owner types.
  ///
  /// The crowns of several countries share a sign, so they keep their codes.
  ///
  /// - Parameter code: the currency's code.
  /// - Returns: nil if it isn't a code.
  static func unit(_ code: String) -> String? {
    let code = code.uppercased()
    guard code.utf8.count == 3,
      code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return nil }
    return switch code {
    case "EUR": "€"
    case "USD": "$"
    case "GBP": "£"
    case "JPY": "¥"
    case "PLN": "zł"
    case "INR": "₹"
    default: code
    }
  }
}
