/// Conversion of text written by others to Markdown that displays it as written.
enum ChatText {
  /// Control characters, and direction marks that only programs write.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Returns a text without control characters and direction marks, with plain line breaks.
  static func plain(_ text: some StringProtocol) -> String {
    guard
      text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F })
        || text.unicodeScalars.contains(where: isInvisible)
    else { return String(text) }
    var result = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      if scalar == "\r" || scalar.value == 0x85 {
        result.append("\n")
      } else if !(scalar == "\n" && isAfterReturn), !isInvisible(scalar) {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns Markdown in which all characters are literal and each line stays a separate line.
  static func markdown(_ text: String) -> String {
    let text = plain(text)
    guard text.utf8.contains(where: { $0 == 0x0A || MarkdownEscapes.isMark($0) }) else {
      return text
    }
    var counts = MarkdownEscapes.DelimiterCounts()
    counts.count(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var isAfterText = false
    var result = ""
    for (index, line) in lines.enumerated() {
      if index > 0 {
        // Two spaces break a line; an empty line separates paragraphs.
        result += isAfterText && !line.allSatisfy(\.isWhitespace) ? "  \n" : "\n"
      }
      isAfterText = !line.allSatisfy(\.isWhitespace)
      result += isAfterText ? escaped(line, counts) : ""
    }
    return result
  }

  private static func escaped(
    _ line: Substring, _ counts: MarkdownEscapes.DelimiterCounts
  ) -> String {
    // Four spaces at the beginning would be code.
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard line.utf8.contains(where: MarkdownEscapes.isMark) else { return String(line) }
    let relaxed = MarkdownEscapes.relaxed(MarkdownEscapes.escaped(String(line)), counts: counts)
    guard relaxed.utf8.contains(UInt8(ascii: "<")) else { return relaxed }
    // For some renderers, the end of an element alone is an element.
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in relaxed.utf8 {
      if byte == UInt8(ascii: "<"), !isEscaped { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
