import Foundation

/// Backslashes before punctuation (CommonMark 0.31 §2.4).
///
/// Day One puts one before every character that could mean something in Markdown somewhere, so
/// "Well. No!" is stored as "Well\. No\!". A backslash is removed where the character means nothing
/// without it, and kept where it does: `\# no heading`, `\*no emphasis\*`, `1\. no list`. The
/// rendered result stays the same.
enum MarkdownEscapes {
  /// Returns true if a byte is a character that can be escaped with a backslash.
  static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Returns a text with every such character escaped.
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isMark(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns Markdown in which all characters of a line are literal, with no more backslashes than
  /// needed.
  static func escapedLine(_ line: String) -> String {
    guard line.utf8.contains(where: isMark) else { return line }
    var counts = DelimiterCounts()
    counts.count(line)
    // Inside emphasis, a single one would end it.
    counts.stars += 2
    counts.underscores += 2
    return relaxed(escaped(line), counts: counts)
  }

  /// Returns a text as a reader sees it, without any escapes.
  static func plain(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
    var bytes: [UInt8] = []
    var isAfterBackslash = false
    for byte in text.utf8 {
      if isAfterBackslash {
        if !isMark(byte) { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
        isAfterBackslash = false
      } else if byte == UInt8(ascii: "\\") {
        isAfterBackslash = true
      } else {
        bytes.append(byte)
      }
    }
    if isAfterBackslash { bytes.append(UInt8(ascii: "\\")) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a line without its unnecessary backslashes.
  ///
  /// - Parameters:
  ///   - line: a line without its end that isn't part of a code block.
  ///   - counts: the numbers of `*`, `_` and `~` in the line's paragraph.
  /// - Returns: the line.
  static func relaxed(_ line: some StringProtocol, counts: DelimiterCounts) -> String {
    guard line.utf8.contains(UInt8(ascii: "\\")) else { return String(line) }
    var relaxer = Relaxer(line: Array(line.utf8), counts: counts)
    return String(decoding: relaxer.run(), as: UTF8.self)
  }

  /// The numbers of emphasis characters; a single one has no effect.
  struct DelimiterCounts {
    var stars = 0
    var underscores = 0
    var tildes = 0

    mutating func count(_ line: some StringProtocol) {
      for byte in line.utf8 {
        switch byte {
        case UInt8(ascii: "*"): stars += 1
        case UInt8(ascii: "_"): underscores += 1
        case UInt8(ascii: "~"): tildes += 1
        default: break
        }
      }
    }
  }
}

private struct Relaxer {
  let line: [UInt8]
  let counts: MarkdownEscapes.DelimiterCounts
  private var position = 0
  private var output: [UInt8] = []
  /// The lengths of runs of backticks that are not closed.
  private var openRuns: Set<Int> = []

  /// The maximum length of links, tags and brackets, which keeps hostile lines cheap.
  private static let reach = 4096

  init(line: [UInt8], counts: MarkdownEscapes.DelimiterCounts) {
    self.line = line
    self.counts = counts
  }

  mutating func run() -> [UInt8] {
    while position < line.count {
      switch line[position] {
      case UInt8(ascii: "\\"): takeEscape()
      case UInt8(ascii: "`"): takeCodeSpan()
      case UInt8(ascii: "("): takeDestination()
      case UInt8(ascii: "<"): takeTag()
      default: take(1)
      }
    }
    return output
  }

  private mutating func take(_ count: Int) {
    output.append(contentsOf: line[position..<position + count])
    position += count
  }

  private func byte(_ index: Int) -> UInt8? { line.indices.contains(index) ? line[index] : nil }

  private func isSpace(_ byte: UInt8?) -> Bool {
    byte == nil || byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private func isWord(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return !isSpace(byte) && !MarkdownEscapes.isMark(byte)
  }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  // MARK: Parts with literal backslashes

  private mutating func takeCodeSpan() {
    let run = line[position...].prefix { $0 == UInt8(ascii: "`") }.count
    guard run <= 80, !openRuns.contains(run) else { return take(run) }
    var next = position + run
    while next < line.count {
      guard line[next] == UInt8(ascii: "`") else {
        next += 1
        continue
      }
      let closing = line[next...].prefix { $0 == UInt8(ascii: "`") }.count
      next += closing
      if closing == run { return take(next - position) }
    }
    openRuns.insert(run)
    take(run)
  }

  /// Copies `](address "title")`, whose brackets must keep their backslashes.
  private mutating func takeDestination() {
    guard output.last == UInt8(ascii: "]"), output.dropLast().last != UInt8(ascii: "\\") else {
      return take(1)
    }
    var depth = 0
    var next = position
    while next < min(line.count, position + Self.reach) {
      switch line[next] {
      case UInt8(ascii: "\\"): next += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return take(next + 1 - position) }
      default: break
      }
      next += 1
    }
    take(1)
  }

  /// Copies `<https://…>` and anything that looks like HTML.
  private mutating func takeTag() {
    guard let next = byte(position + 1), isLetter(next) || next == UInt8(ascii: "/"),
      let end = line[position...].prefix(Self.reach).firstIndex(of: UInt8(ascii: ">"))
    else { return take(1) }
    take(end + 1 - position)
  }

  // MARK: Backslashes

  private mutating func takeEscape() {
    guard let mark = byte(position + 1), MarkdownEscapes.isMark(mark) else { return take(1) }
    if isNeeded(before: mark) {
      take(2)
    } else {
      position += 1
      take(1)
    }
  }

  /// True if everything before the backslash is indentation, quote marks or list markers.
  private var isAtStart: Bool {
    guard output.count <= 200 else { return false }
    return output.allSatisfy { isSpace($0) || $0 == UInt8(ascii: ">") } || isAfterListMark
  }

  private var isAfterListMark: Bool {
    guard output.count <= 200 else { return false }
    let text = output.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
    let mark = text.prefix { !isSpace($0) }
    guard text.dropFirst(mark.count).allSatisfy({ isSpace($0) }), text.count > mark.count else {
      return false
    }
    return [[0x2D], [0x2A], [0x2B]].contains(Array(mark))
      || (mark.count > 1 && mark.dropLast().allSatisfy { (0x30...0x39).contains($0) })
  }

  private func isNeeded(before mark: UInt8) -> Bool {
    let next = byte(position + 2)
    let previous = output.last
    switch mark {
    case UInt8(ascii: "."), UInt8(ascii: ")"):
      guard output.count <= 200 else { return false }
      let digits = output.drop { isSpace($0) || $0 == UInt8(ascii: ">") }
      return (1...9).contains(digits.count)
        && digits.allSatisfy { (0x30...0x39).contains($0) } && isSpace(next)
    case UInt8(ascii: "("): return previous == UInt8(ascii: "]")
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
      return isAtStart && (isSpace(next) || next == mark || next == UInt8(ascii: "\\"))
    case UInt8(ascii: ">"): return isAtStart
    case UInt8(ascii: "#"):
      // A heading may also end in such characters.
      let isLast =
        !isWord(previous) && line.count - position <= 64
        && line[position...].allSatisfy { Array("\\# ".utf8).contains($0) }
      return isLast || (isAtStart && !isWord(next))
    case UInt8(ascii: "*"):
      if isSpace(previous), isSpace(next) { return isAtStart }
      return counts.stars > 1
    case UInt8(ascii: "_"):
      let isInWord = isWord(previous) && isWord(next)
      let isApart = isSpace(previous) && isSpace(next) && !output.isEmpty
      return !isInWord && !isApart && counts.underscores > 1
    case UInt8(ascii: "~"): return counts.tildes > 1
    case UInt8(ascii: "`"): return true
    case UInt8(ascii: "["), UInt8(ascii: "]"): return isBracketNeeded(mark, next)
    case UInt8(ascii: "!"): return next == UInt8(ascii: "[")
    case UInt8(ascii: ":"): return previous == UInt8(ascii: "]")
    case UInt8(ascii: "<"):
      // The next character may have lost its own backslash by then.
      let after = next == UInt8(ascii: "\\") ? byte(position + 3) : next
      return after.map { isLetter($0) || Array("/!?".utf8).contains($0) } ?? false
    case UInt8(ascii: "&"): return isEntity
    // In a row of a table.
    case UInt8(ascii: "|"): return output.first == mark
    case UInt8(ascii: "\\"): return next.map { MarkdownEscapes.isMark($0) } ?? true
    default: return false
    }
  }

  /// Returns true if a bracket needs its backslash, because only certain neighbours make it a link,
  /// an image or a checkbox.
  private func isBracketNeeded(_ mark: UInt8, _ next: UInt8?) -> Bool {
    let makers = Array("([:".utf8)
    func isFollowed(at index: Int) -> Bool {
      let after = byte(index) == UInt8(ascii: "\\") ? byte(index + 1) : byte(index)
      return after.map { makers.contains($0) } ?? false
    }
    if mark == UInt8(ascii: "]") { return isFollowed(at: position + 2) }
    if isAfterListMark { return true }
    guard let end = line[position...].prefix(Self.reach).firstIndex(of: UInt8(ascii: "]")) else {
      return false
    }
    return isFollowed(at: end + 1)
  }

  private var isEntity: Bool {
    let rest = line[(position + 2)...].prefix(36).filter { $0 != UInt8(ascii: "\\") }
    guard let end = rest.prefix(34).firstIndex(of: UInt8(ascii: ";")), end > rest.startIndex else {
      return false
    }
    return rest[..<end].allSatisfy { isWord($0) || $0 == UInt8(ascii: "#") }
  }
}
