import ArkivedCore

/// The tags in an entry's words.
enum JrnlTags {
  /// jrnl's default symbols since version 2.5; earlier versions have only `@`.
  static let usualSymbols: Set<Unicode.Scalar> = ["@", "#"]

  /// Returns the names after a symbol in order, each once.
  ///
  /// The symbol is at the start of a word and is followed by letters, digits, `_`, `-`, `+`, `*`,
  /// `#` and `/`.
  static func names(in text: String, symbols: Set<Unicode.Scalar>) -> [String] {
    names(among: words(in: text, symbols: symbols))
  }

  /// Returns the names of the tags that jrnl lists with an entry, spelled as in the text; those
  /// that the text lacks come last.
  static func names(listed: [String], in text: String) -> [String] {
    let symbols = Set(listed.compactMap(\.unicodeScalars.first))
    let keys = Set(listed.map(NameFolding.key))
    let written = words(in: text, symbols: symbols).filter { keys.contains(NameFolding.key($0)) }
    return names(among: written + listed.sorted())
  }

  /// Returns the first characters of the tags that jrnl lists, which are the journal's symbols.
  static func symbols(of tags: [String]) -> Set<Unicode.Scalar> {
    Set(tags.compactMap(\.unicodeScalars.first).filter { !isPlain($0) })
  }

  private static func names(among words: [String]) -> [String] {
    var keys: Set<String> = []
    var names: [String] = []
    for word in words {
      var scalars = Substring.UnicodeScalarView(word.unicodeScalars)
      while let first = scalars.first, !isPlain(first) { scalars.removeFirst() }
      while let last = scalars.last, !isPlain(last) { scalars.removeLast() }
      let name = String(Substring(scalars))
      guard (try? Tag.validate(name: name)) != nil, keys.insert(NameFolding.key(name)).inserted
      else { continue }
      names.append(name)
    }
    return names
  }

  /// Returns the words that begin with a symbol, including it.
  private static func words(in text: String, symbols: Set<Unicode.Scalar>) -> [String] {
    guard !symbols.isEmpty else { return [] }
    let scalars = text.unicodeScalars
    var words: [String] = []
    var index = text.startIndex
    for hit in places(of: symbols, in: text) where hit >= index {
      var end = scalars.index(after: hit)
      guard symbols.contains(scalars[hit]),
        hit == text.startIndex || isSpace(scalars[scalars.index(before: hit)])
      else { continue }
      while end < scalars.endIndex, isPlain(scalars[end]) || joints.contains(scalars[end]) {
        end = scalars.index(after: end)
      }
      if end > scalars.index(after: hit) { words.append(String(scalars[hit..<end])) }
      index = end
    }
    return words
  }

  /// Returns the positions of the symbols' first bytes in the text.
  private static func places(of symbols: Set<Unicode.Scalar>, in text: String) -> [String.Index] {
    var text = text
    let offsets = text.withUTF8 { bytes in
      Set(symbols.compactMap { UTF8.encode($0)?.first }).flatMap { byte in
        var places: [Int] = []
        var start = 0
        while let place = bytes.next(byte, from: start) {
          places.append(place)
          start = place + 1
        }
        return places
      }
    }
    return offsets.sorted().map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  private static let joints: Set<Unicode.Scalar> = ["-", "+", "*", "#", "/"]

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
      : scalar.properties.isWhitespace
  }

  /// Returns true if a scalar may be part of a word: a letter with its marks, a number, the
  /// underscore.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let byte = scalar.value
      return (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }
}
