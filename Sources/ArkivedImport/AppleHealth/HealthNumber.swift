import Foundation

/// Parsers for numbers in exports.
enum HealthNumber {
  /// Parses a decimal number with a point or a comma; returns nil if it isn't a number or isn't
  /// finite.
  ///
  /// - Parameter text: a NUL-terminated string.
  /// - Returns: the number.
  static func read(cString text: UnsafePointer<CChar>) -> Double? {
    var end: UnsafeMutablePointer<CChar>?
    let value = strtod(text, &end)
    guard let end, UnsafePointer(end) != text else { return nil }
    if end.pointee == 0 { return value.isFinite ? value : nil }
    return read(String(cString: text))
  }

  static func read(_ text: String?) -> Double? {
    guard let text else { return nil }
    let plain = text.trimmingCharacters(in: .whitespaces)
    let point = plain.replacing(",", with: ".")
    // If there are two separators, one groups thousands, and it is impossible to say which.
    guard plain.count(where: { $0 == "," }) <= 1, let value = Double(point), value.isFinite else {
      return nil
    }
    return value
  }

  /// Parses an amount followed by a space and its unit: `1234 cm`.
  static func amount(_ text: String?) -> (value: Double, unit: String)? {
    guard let text else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let value = parts.first.flatMap({ read(String($0)) }) else { return nil }
    return (value, parts.count > 1 ? String(parts[1]) : "")
  }
}
