import Foundation

/// Reads Markdown (CommonMark 0.31 with the task lists of GFM) as far as lists and search need it.
package enum MarkdownText {
  /// Returns a text without its formatting marks, as a reader sees it.
  ///
  /// Line breaks stay. Fenced code is unchanged, and links `[[name|words]]` become their words.
  package static func plain(_ text: String) -> String {
    var lines: [String] = []
    forEachLine(TextLink.words(of: text)) { line, isCode in
      lines.append(isCode ? String(line) : inline(String(block(line))))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Calls a closure with every line and a flag that is true inside fenced code; the fences
  /// themselves are skipped.
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

  /// Returns a line without the marks of a heading, a quotation, a list item or a task.
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

  /// Returns the text after a list item's mark, or nil if there is none.
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

  /// Returns the text of an item that begins with `[ ]` or `[x]`, and true if it is done.
  package static func task(_ item: Substring) -> (text: Substring, isDone: Bool)? {
    guard item.first == "[" else { return nil }
    let mark = item.dropFirst().prefix(1)
    let rest = item.dropFirst(2)
    guard mark == " " || mark == "x" || mark == "X", rest.first == "]",
      rest.dropFirst().first.map(\.isWhitespace) ?? false
    else { return nil }
    return (rest.dropFirst().drop { $0.isWhitespace }, mark != " ")
  }

  /// Returns a line without the marks of emphasis, code and links, in linear time.
  private static func inline(_ line: String) -> String {
    guard line.utf8.count <= longestLine, line.contains(where: { "*_`[!\\~".contains($0) })
    else { return line }
    let characters = Array(line)
    let closing = brackets(in: characters)
    // At the end of a link's text, the address is skipped.
    var addresses: [Int: Int] = [:]
    var result = ""
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if let end = addresses[index] {
        index = end
      } else if character == "\\", index + 1 < characters.count,
        characters[index + 1].isPunctuation || characters[index + 1].isSymbol
      {
        result.append(characters[index + 1])
        index += 2
      } else if character == "[" || character == "!" && next(characters, index) == "[",
        let close = closing[character == "[" ? index : index + 1],
        let end = address(in: characters, behind: close)
      {
        addresses[close] = end
        index += character == "[" ? 1 : 2
      } else if character == "`" {
        index += 1
      } else if "*_~".contains(character) {
        let end = endOfRun(characters, index)
        if !isMark(characters, index..<end) {
          result += String(repeating: String(character), count: end - index)
        }
        index = end
      } else {
        result.append(character)
        index += 1
      }
    }
    return result
  }

  private static func next(_ characters: [Character], _ index: Int) -> Character? {
    index + 1 < characters.count ? characters[index + 1] : nil
  }

  private static func endOfRun(_ characters: [Character], _ index: Int) -> Int {
    var end = index
    while end < characters.count, characters[end] == characters[index] { end += 1 }
    return end
  }

  /// Returns true for marks next to a word, and for `_` at a word's edge, which are formatting and
  /// not characters of the text.
  private static func isMark(_ characters: [Character], _ run: Range<Int>) -> Bool {
    let before = run.lowerBound > 0 ? characters[run.lowerBound - 1] : " "
    let after = run.upperBound < characters.count ? characters[run.upperBound] : " "
    if before.isWhitespace && after.isWhitespace { return false }
    switch characters[run.lowerBound] {
    case "~": return run.count == 2
    case "_":
      return !((before.isLetter || before.isNumber) && (after.isLetter || after.isNumber))
    default: return true
    }
  }

  /// Returns the closing bracket of each opening one.
  private static func brackets(in characters: [Character]) -> [Int: Int] {
    var open: [Int] = []
    var closing: [Int: Int] = [:]
    for (index, character) in characters.enumerated() {
      if character == "[" { open.append(index) }
      if character == "]", let last = open.popLast() { closing[last] = index }
    }
    return closing
  }

  /// The length of the longest link address.
  private static let longestAddress = 500
  /// The length of the longest line that is treated as prose.
  private static let longestLine = 100_000

  /// Returns the end of the address after a link's text, or nil if there is none.
  private static func address(in characters: [Character], behind close: Int) -> Int? {
    guard next(characters, close) == "(" else { return nil }
    let last = min(characters.count, close + 2 + longestAddress)
    return characters[(close + 2)..<last].firstIndex(of: ")").map { $0 + 1 }
  }
}
