import ArkivedCore
import Foundation

/// Text for display: control characters are visible, and directional controls that would affect
/// text beyond it are shown by their names.
///
/// An element with its own direction isolates its contents only if the text neither closes the
/// isolation nor leaves one open (Unicode Standard Annex 9, X5a to X6a).
enum VisibleText {
  static func of(_ text: String) -> String {
    guard mayNeedWork(text) else { return text }
    var result = String.UnicodeScalarView()
    var line = String.UnicodeScalarView()
    func endLine() {
      result.append(contentsOf: isBalanced(line) ? line : named(line))
      line.removeAll(keepingCapacity: true)
    }
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where wasReturn: break
      case 0x0A, 0x0D, 0x2028, 0x2029:
        endLine()
        result.append("\n")
      case 0x09: line.append(scalar)
      case 0..<0x20, 0x7F..<0xA0: line.append(contentsOf: mark(control(scalar.value)))
      default: line.append(scalar)
      }
      wasReturn = scalar.value == 0x0D
    }
    endLine()
    return String(result)
  }

  /// Returns a snippet's pieces prepared in the same way; directional controls are evaluated in the
  /// whole snippet.
  static func pieces(of snippet: Snippet) -> [(text: String, isHighlighted: Bool)] {
    let hasControl = snippet.text.unicodeScalars.contains { name(of: $0) != nil }
    return snippet.pieces.map { piece in
      let text = hasControl ? String(named(piece.text.unicodeScalars)) : piece.text
      return (of(text), piece.isHighlighted)
    }
  }

  /// Returns a part of a text with all its directional controls shown by name.
  static func named(_ text: String) -> String { of(String(named(text.unicodeScalars))) }

  /// Returns true if a text may contain characters that need special treatment.
  private static func mayNeedWork(_ text: String) -> Bool {
    var previous: UInt8 = 0
    var beforeThat: UInt8 = 0
    for byte in text.utf8 {
      if byte < 0x20, byte != 0x0A, byte != 0x09 { return true }
      if byte == 0x7F { return true }
      if previous == 0xC2, byte < 0xA0 { return true }
      // These are U+2028 to U+202E and U+2066 to U+2069.
      if beforeThat == 0xE2 {
        if previous == 0x80, (0xA8...0xAE).contains(byte) { return true }
        if previous == 0x81, (0xA6...0xA9).contains(byte) { return true }
      }
      beforeThat = previous
      previous = byte
    }
    return false
  }

  private static func isBalanced(_ line: String.UnicodeScalarView) -> Bool {
    var open: [Unicode.Scalar] = []
    for scalar in line {
      switch scalar {
      case "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}":
        open.append(scalar)
      case "\u{202C}":
        guard let last = open.popLast(), last.value < 0x2066 else { return false }
      case "\u{2069}":
        guard let last = open.popLast(), last.value >= 0x2066 else { return false }
      default: break
      }
    }
    return open.isEmpty
  }

  private static func named(_ line: String.UnicodeScalarView) -> String.UnicodeScalarView {
    var result = String.UnicodeScalarView()
    for scalar in line {
      if let name = name(of: scalar) {
        result.append(contentsOf: mark(name))
      } else {
        result.append(scalar)
      }
    }
    return result
  }

  private static func mark(_ name: String) -> String.UnicodeScalarView {
    "⟨\(name)⟩".unicodeScalars
  }

  /// Returns the abbreviation of a control character (ISO 6429), or its number.
  private static func control(_ value: UInt32) -> String {
    let names = [
      "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
      "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB",
      "ESC", "FS", "GS", "RS", "US",
    ]
    if names.indices.contains(Int(value)) { return names[Int(value)] }
    return value == 0x7F ? "DEL" : String(value, radix: 16, uppercase: true)
  }

  private static func name(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\u{202A}": "LRE"
    case "\u{202B}": "RLE"
    case "\u{202C}": "PDF"
    case "\u{202D}": "LRO"
    case "\u{202E}": "RLO"
    case "\u{2066}": "LRI"
    case "\u{2067}": "RLI"
    case "\u{2068}": "FSI"
    case "\u{2069}": "PDI"
    default: nil
    }
  }

  /// Returns true if a text's first letter belongs to a right-to-left script.
  static func isRightToLeft(_ text: String) -> Bool {
    for scalar in text.unicodeScalars.prefix(200) where scalar.properties.isAlphabetic {
      return switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
        0x1E800...0x1EFFF:
        true
      default: false
      }
    }
    return false
  }
}
