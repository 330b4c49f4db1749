import Foundation

/// The lines of a Markdown text, analysed as far as needed to separate the title from the rest.
struct MarkdownPage {
  private struct Line {
    var text: String
    /// True inside a code block, and for its fence.
    var isCode: Bool
    var isFence = false
    var isBlank: Bool { MarkdownPage.isBlank(text) }
  }

  private var lines: [Line]

  /// Parses a text and removes its unnecessary backslashes (`MarkdownEscapes`).
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - transform: is applied to every line that isn't code.
  init(_ text: String, transform: (String) -> String) {
    lines = Self.split(text)
    var start = 0
    while start < lines.count {
      // Emphasis ends with its paragraph.
      var end = start
      var counts = MarkdownEscapes.DelimiterCounts()
      while end < lines.count, !lines[end].isCode, !lines[end].isBlank {
        counts.count(lines[end].text)
        end += 1
      }
      for index in start..<end {
        lines[index].text = MarkdownEscapes.relaxed(transform(lines[index].text), counts: counts)
      }
      start = max(end, start + 1)
    }
  }

  /// All lines, without blank ones at either end; nil if none is left.
  var text: String? {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return nil }
    return lines[first...last].map(\.text).joined(separator: "\n")
  }

  // MARK: Title

  /// The index of the first line that contains words.
  var titleLine: Int? {
    lines.firstIndex { line in
      !line.isFence && !line.isBlank && !Self.isRule(line.text)
        && !Self.isBlank(Self.reading(line.text).text)
    }
  }

  /// Returns a line as plain text, and true if that covers all of the line.
  func title(at index: Int) -> (text: String, saysAll: Bool) {
    let line = lines[index]
    guard !line.isCode else { return (Self.trimmed(line.text), false) }
    return Self.reading(line.text)
  }

  /// Removes the title's line, and the underline that makes it a heading.
  mutating func removeTitle(at index: Int) {
    let isHeading = Self.trimmed(lines[index].text).hasPrefix("#")
    lines.remove(at: index)
    if !isHeading, index < lines.count, Self.isUnderline(lines[index].text) {
      lines.remove(at: index)
    }
    // Otherwise the blank lines before and after it would add up to two.
    if index > 0, index < lines.count, lines[index - 1].isBlank, lines[index].isBlank {
      lines.remove(at: index)
    }
  }

  private static func reading(_ line: String) -> (text: String, saysAll: Bool) {
    var text = trimmed(line)
    var saysAll = true
    let marks = text.prefix { $0 == "#" }.count
    if (1...6).contains(marks), text.dropFirst(marks).first.map(\.isWhitespace) ?? true {
      text = trimmed(String(text.dropFirst(marks)))
      let body = text.reversed().drop { $0 == "#" }
      if body.isEmpty || body.first?.isWhitespace == true {
        text = trimmed(String(body.reversed()))
      }
    } else if let mark = blockMark(text) {
      // Removing the first line of a list, a quote or a table would change it.
      text = trimmed(String(text.dropFirst(mark)))
      saysAll = false
    }
    let words = withoutLinks(text)
    saysAll = saysAll && (words == text || text.hasPrefix("<http"))
    return (MarkdownEscapes.plain(withoutEmphasis(trimmed(words))), saysAll)
  }

  /// Returns the length of the marker that makes a line part of a list, a quote or a table.
  private static func blockMark(_ line: String) -> Int? {
    if line.hasPrefix(">") || line.hasPrefix("|") { return 1 }
    for box in ["- [ ] ", "- [x] ", "- [X] ", "* [ ] ", "* [x] "] where line.hasPrefix(box) {
      return box.count
    }
    for bullet in ["- ", "* ", "+ "] where line.hasPrefix(bullet) { return 2 }
    let digits = line.prefix { $0.isASCII && $0.isNumber }.count
    guard (1...9).contains(digits) else { return nil }
    let rest = line.dropFirst(digits)
    return rest.hasPrefix(". ") || rest.hasPrefix(") ") ? digits + 2 : nil
  }

  /// Returns a line without emphasis around the whole line.
  private static func withoutEmphasis(_ line: String) -> String {
    for mark in ["***", "**", "__", "*", "_"] where line.count > 2 * mark.count {
      guard line.hasPrefix(mark), line.hasSuffix(mark), !line.hasSuffix("\\" + mark) else {
        continue
      }
      let inner = line.dropFirst(mark.count).dropLast(mark.count)
      guard let sign = mark.first, !inner.contains(sign),
        inner.first?.isWhitespace == false, inner.last?.isWhitespace == false
      else { return line }
      return String(inner)
    }
    return line
  }

  /// Returns a line without pictures and with links replaced by their words.
  private static func withoutLinks(_ line: String) -> String {
    if line.hasPrefix("<http"), line.hasSuffix(">"), !line.contains(where: \.isWhitespace) {
      return String(line.dropFirst().dropLast())
    }
    guard line.contains("](") else { return line }
    let bytes = Array(line.utf8)
    var output: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let isImage =
        bytes[position] == UInt8(ascii: "!") && position + 1 < bytes.count
        && bytes[position + 1] == UInt8(ascii: "[")
      let start = isImage ? position + 1 : position
      guard bytes[start] == UInt8(ascii: "["), let link = link(in: bytes, at: start) else {
        // An escaped character begins nothing.
        let count = bytes[position] == UInt8(ascii: "\\") && position + 1 < bytes.count ? 2 : 1
        output.append(contentsOf: bytes[position..<position + count])
        position += count
        continue
      }
      if !isImage { output.append(contentsOf: bytes[link.text]) }
      position = link.end
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func link(in bytes: [UInt8], at start: Int) -> (text: Range<Int>, end: Int)? {
    // Longer links aren't recognised, which keeps hostile lines cheap.
    let limit = min(bytes.count, start + 2048)
    guard
      let closing = (start + 1..<limit).first(where: {
        bytes[$0] == UInt8(ascii: "]") && bytes[$0 - 1] != UInt8(ascii: "\\")
      }), closing + 1 < limit, bytes[closing + 1] == UInt8(ascii: "("),
      let end = (closing + 2..<limit).first(where: { bytes[$0] == UInt8(ascii: ")") })
    else { return nil }
    return (start + 1..<closing, end + 1)
  }

  // MARK: Lines

  private static func split(_ text: String) -> [Line] {
    var lines: [Line] = []
    var fence: (mark: Character, count: Int)?
    // A carriage return before the line's end is kept.
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let part = Substring(bytes)
      let trimmed = part.drop { $0 == " " }
      let mark = trimmed.first ?? " "
      let count = mark == "`" || mark == "~" ? trimmed.prefix { $0 == mark }.count : 0
      if let open = fence {
        let isEnd =
          mark == open.mark && count >= open.count && isBlank(String(trimmed.dropFirst(count)))
        if isEnd { fence = nil }
        lines.append(Line(text: String(part), isCode: true, isFence: isEnd))
      } else {
        let isStart =
          count >= 3 && !(mark == "`" && trimmed.dropFirst(count).contains("`"))
        if isStart { fence = (mark, count) }
        lines.append(Line(text: String(part), isCode: isStart, isFence: isStart))
      }
    }
    return lines
  }

  private static func isRule(_ line: String) -> Bool {
    let marks = line.filter { !$0.isWhitespace }
    guard marks.count >= 3, let mark = marks.first, "-*_".contains(mark) else { return false }
    return marks.allSatisfy { $0 == mark }
  }

  private static func isUnderline(_ line: String) -> Bool {
    let marks = trimmed(line)
    return marks.count >= 2 && (marks.allSatisfy { $0 == "=" } || marks.allSatisfy { $0 == "-" })
  }

  /// Returns true if a text has nothing visible.
  static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy(isInvisible)
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isInvisible($0) }),
      let last = scalars.lastIndex(where: { !isInvisible($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Returns true if a scalar is white space, a control character or of zero width; Day One leaves
  /// U+200B in lines that look empty.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
      || scalar == "\u{200B}" || scalar == "\u{FEFF}"
  }
}
