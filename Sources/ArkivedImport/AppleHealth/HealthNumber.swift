import Foundation

/// Numbers as exports write them.
enum HealthNumber {
  /// Reads a decimal number, also with a comma in the place of the point; nil for what is none, and
  /// for one that is not finite.
  ///
  /// - Parameter text: ends with a zero.
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
    // Of two separators one groups thousands, and which cannot be told.
    guard plain.count(where: { $0 == "," }) <= 1, let value = Double(point), value.isFinite else {
      return nil
    }
    return value
  }

  /// An amount with its unit behind a space: `1234 cm`.
  static func amount(_ text: String?) -> (value: Double, unit: String)? {
    guard let text else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let value = parts.first.flatMap({ read(String($0)) }) else { return nil }
    return (value, parts.count > 1 ? String(parts[1]) : "")
  }
}
