import Foundation

/// A word, number or punctuation mark of a text searched for times.
struct TimeToken: Sendable {
  enum Kind: Sendable { case word, number, symbol, opaque }

  let kind: Kind
  /// The text: words in lower case without a possessive ending, digits, or a punctuation mark, with
  /// dashes as "-".
  var text: String
  let range: Range<String.Index>
  let hasSpaceBefore: Bool
  var isCapitalised = false
  /// True for a word of two or more letters, all in capitals.
  var isUppercased = false
  var isPossessive = false
  /// The value of a number with at most nine digits; -1 otherwise.
  var value = -1

  var digits: Int { kind == .number ? text.utf8.count : 0 }

  /// Returns the token with another text at the same position.
  func renamed(_ text: String) -> TimeToken {
    var token = self
    token.text = text
    return token
  }
}

/// Splits a text into tokens.
enum TimeTokenizer {
  /// The maximum number of characters read.
  ///
  /// Time expressions occur in lines and notes, and a pasted megabyte must not cause a delay.
  static let characterLimit = 16_384

  static func tokens(of text: String) -> [TimeToken] {
    let limit =
      text.index(text.startIndex, offsetBy: characterLimit, limitedBy: text.endIndex)
      ?? text.endIndex
    var tokens: [TimeToken] = []
    var position = text.startIndex
    var hasSpace = true
    while position < limit {
      if text[position].isWhitespace {
        hasSpace = true
        text.formIndex(after: &position)
        continue
      }
      if hasSpace || isOpener(tokens.last), let end = opaqueEnd(text, position, limit) {
        tokens.append(
          TimeToken(
            kind: .opaque, text: "", range: position..<end, hasSpaceBefore: hasSpace))
        position = end
      } else {
        let token = self.token(text, position, limit, hasSpace)
        position = token.range.upperBound
        tokens.append(token)
      }
      hasSpace = false
    }
    return tokens
  }

  private static func isOpener(_ token: TimeToken?) -> Bool {
    guard let token, token.kind == .symbol else { return false }
    return ["(", "[", "\"", "<", "“"].contains(token.text)
  }

  private static let opaqueLimit = 500

  /// Returns the end of an address, a tag, a mention or a file name that begins here; anything
  /// inside that looks like a date is ignored.
  private static func opaqueEnd(
    _ text: String, _ start: String.Index, _ limit: String.Index
  ) -> String.Index? {
    let first = text[start]
    var isOpaque = first == "#" || first == "@"
    var end = start
    var last: Character = " "
    var count = 0
    // Addresses are shorter, and after each of many brackets a longer search would take too much
    // time.
    while end < limit, count < opaqueLimit, !text[end].isWhitespace {
      let character = text[end]
      if count > 0 {
        if character == "@" || character == "_" || character == "\\" { isOpaque = true }
        if character == "/" && last == "/" { isOpaque = true }
      }
      last = character
      count += 1
      text.formIndex(after: &end)
    }
    guard isOpaque, count > 1 else { return nil }
    // A colon or comma after it belongs to the sentence.
    while end > start {
      let before = text.index(before: end)
      guard before > start, ":,;.)]!?".contains(text[before]) else { break }
      end = before
    }
    return end
  }

  private static func token(
    _ text: String, _ start: String.Index, _ limit: String.Index, _ hasSpace: Bool
  ) -> TimeToken {
    let first = text[start]
    var end = start
    if isDigit(first) {
      var value = 0
      var count = 0
      while end < limit, isDigit(text[end]) {
        count += 1
        if count <= 9 { value = value * 10 + Int(text[end].asciiValue ?? 0x30) - 0x30 }
        text.formIndex(after: &end)
      }
      return TimeToken(
        kind: .number, text: String(text[start..<end]), range: start..<end,
        hasSpaceBefore: hasSpace, value: count <= 9 ? value : -1)
    }
    guard first.isLetter else {
      text.formIndex(after: &end)
      return TimeToken(
        kind: .symbol, text: sign(first), range: start..<end, hasSpaceBefore: hasSpace)
    }
    while end < limit {
      let character = text[end]
      if character.isLetter {
        text.formIndex(after: &end)
      } else if isApostrophe(character) {
        let after = text.index(after: end)
        guard after < limit, text[after].isLetter else { break }
        end = after
      } else {
        break
      }
    }
    var word = text[start..<end].lowercased().replacing("’", with: "'")
    var isPossessive = false
    if word.hasSuffix("'s"), word.count > 2 {
      word = String(word.dropLast(2))
      isPossessive = true
    } else if end < limit, isApostrophe(text[end]), word.hasSuffix("s") {
      // For example, "valentines' day", "three days' time".
      text.formIndex(after: &end)
      isPossessive = true
    }
    return TimeToken(
      kind: .word, text: word, range: start..<end, hasSpaceBefore: hasSpace,
      isCapitalised: first.isUppercase,
      isUppercased: word.utf8.count > 1 && text[start..<end].allSatisfy(\.isUppercase),
      isPossessive: isPossessive)
  }

  private static func isDigit(_ character: Character) -> Bool {
    guard let ascii = character.asciiValue else { return false }
    return (0x30...0x39).contains(ascii)
  }

  private static func isApostrophe(_ character: Character) -> Bool {
    character == "'" || character == "’"
  }

  private static func sign(_ character: Character) -> String {
    switch character {
    case "–", "—", "−", "‐", "‑": "-"
    case "’", "‘": "'"
    default: String(character)
    }
  }
}
