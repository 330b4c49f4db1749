import Foundation

/// Reading Markdown (CommonMark 0.31 with the task lists of GFM) as far as lists and search need it.
package enum MarkdownText {
  /// A text without the marks that shape it: what a reader sees.
  ///
  /// Lines stay lines. Inside fenced code nothing is taken away.
  package static func plain(_ text: String) -> String {
    var lines: [String] = []
    forEachLine(text) { line, isCode in
      lines.append(isCode ? String(line) : inline(String(block(line))))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Hands on every line, and whether it lies in fenced code; the fences themselves are left out.
  package static func forEachLine(_ text: String, _ body: (Substring, _ isCode: Bool) -> Void) {
    var fence: (mark: Character, length: Int)?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      if let mark = bare.first, mark == "`" || mark == "~" {
        let length = bare.prefix { $0 == mark }.count
        let rest = bare.dropFirst(length)
        if let open = fence {
          if mark == open.mark, length >= open.length, rest.allSatisfy(\.isWhitespace) {
            fence = nil
            continue
          }
        } else if length >= 3, mark == "~" || !rest.contains("`") {
          fence = (mark, length)
          continue
        }
      }
      body(line, fence != nil)
    }
  }

  /// A line without what makes it a heading, a quotation, an item or a task.
  private static func block(_ line: Substring) -> Substring {
    var rest = line.drop { $0 == " " || $0 == "\t" }
    while rest.first == ">" {
      rest = rest.dropFirst().drop { $0 == " " }
    }
    let hashes = rest.prefix { $0 == "#" }.count
    if (1...6).contains(hashes), rest.dropFirst(hashes).first.map(\.isWhitespace) ?? true {
      var heading = rest.dropFirst(hashes).drop { $0 == " " }
      while heading.last == "#" || heading.last?.isWhitespace == true { heading.removeLast() }
      return heading
    }
    if rest.count >= 3, let mark = rest.first, "-*_".contains(mark),
      rest.allSatisfy({ $0 == mark || $0 == " " }), rest.filter({ $0 == mark }).count >= 3
    {
      return ""
    }
    if let item = item(rest) { rest = item }
    if let task = task(rest) { rest = task.text }
    return rest
  }

  /// What follows the mark of a list's item; nil where there is none.
  package static func item(_ line: Substring) -> Substring? {
    let bare = line.drop { $0 == " " || $0 == "\t" }
    guard let first = bare.first else { return nil }
    var rest: Substring
    if "-*+".contains(first) {
      rest = bare.dropFirst()
    } else {
      let digits = bare.prefix { $0.isASCII && $0.isNumber }
      guard (1...9).contains(digits.count) else { return nil }
      rest = bare.dropFirst(digits.count)
      guard let mark = rest.first, mark == "." || mark == ")" else { return nil }
      rest = rest.dropFirst()
    }
    guard rest.first == " " || rest.first == "\t" else { return nil }
    return rest.drop { $0 == " " || $0 == "\t" }
  }

  /// What an item that begins with `[ ]` or `[x]` says, and whether it is done.
  package static func task(_ item: Substring) -> (text: Substring, isDone: Bool)? {
    guard item.first == "[" else { return nil }
    let mark = item.dropFirst().prefix(1)
    let rest = item.dropFirst(2)
    guard mark == " " || mark == "x" || mark == "X", rest.first == "]",
      rest.dropFirst().first.map(\.isWhitespace) ?? false
    else { return nil }
    return (rest.dropFirst().drop { $0.isWhitespace }, mark != " ")
  }

  /// A line without the marks of emphasis, code and links.
  private static func inline(_ line: String) -> String {
    guard line.contains(where: { "*_`[!<\\~".contains($0) }) else { return line }
    var result = ""
    let characters = Array(line)
    var index = 0
    func link(at start: Int) -> (text: String, end: Int)? {
      guard let close = closing(characters, from: start) else { return nil }
      let text = String(characters[(start + 1)..<close])
      guard close + 1 < characters.count, characters[close + 1] == "(",
        let end = characters[(close + 2)...].firstIndex(of: ")")
      else { return nil }
      return (text, end + 1)
    }
    while index < characters.count {
      let character = characters[index]
      if character == "\\", index + 1 < characters.count,
        characters[index + 1].isPunctuation || characters[index + 1].isSymbol
      {
        result.append(characters[index + 1])
        index += 2
      } else if character == "!", index + 1 < characters.count, characters[index + 1] == "[",
        let found = link(at: index + 1)
      {
        result += found.text
        index = found.end
      } else if character == "[", let found = link(at: index) {
        result += inline(found.text)
        index = found.end
      } else if character == "`" {
        index += 1
      } else if "*_~".contains(character), isMark(characters, index) {
        index += 1
      } else {
        result.append(character)
        index += 1
      }
    }
    return result
  }

  /// A `*` or `~` beside a word, and a `_` at a word's edge, is a mark and no sign of its own.
  private static func isMark(_ characters: [Character], _ index: Int) -> Bool {
    let character = characters[index]
    var first = index
    while first > 0, characters[first - 1] == character { first -= 1 }
    var last = index
    while last + 1 < characters.count, characters[last + 1] == character { last += 1 }
    let before = first > 0 ? characters[first - 1] : " "
    let after = last + 1 < characters.count ? characters[last + 1] : " "
    if before.isWhitespace && after.isWhitespace { return false }
    if character == "~" { return last - first == 1 }
    if character == "_" {
      return !((before.isLetter || before.isNumber) && (after.isLetter || after.isNumber))
    }
    return true
  }

  /// The bracket that closes the one at `start`; at most a thousand characters are looked at.
  private static func closing(_ characters: [Character], from start: Int) -> Int? {
    var depth = 0
    for index in start..<min(characters.count, start + 1_000) {
      if characters[index] == "[" { depth += 1 }
      if characters[index] == "]" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}
