/// A word as in the vocabulary, or a sign that represents itself.
struct ScannedWord {
  /// The range in the text's UTF-8, including accents and other dropped characters.
  var range: Range<Int>
  /// The folded characters in UTF-8; only the first ones if the word has more than `longest`.
  var utf8: [UInt8]
  /// The number of folded characters.
  var length: Int
  /// The number of the piece named by the text, such as `[SEP]`, or nil.
  var named: Int32?

  /// The number of characters beyond which a word is unknown to the model.
  static let longest = 100
}

/// Iterates over the words of a text, holding one at a time.
struct WordScanner {
  private let named: [(text: [UInt8], number: Int32)]
  private var folding = TextFolding()
  private var word = ScannedWord(range: 0..<0, utf8: [], length: 0)

  private static let ascii: [TextFolding.Part?] = (0..<128).map { TextFolding.ascii($0) }

  /// Creates a scanner.
  ///
  /// - Parameter vocabulary: the vocabulary whose named pieces are separate words, if any.
  init(_ vocabulary: WordPieceVocabulary?) {
    named = vocabulary?.named ?? []
    word.utf8.reserveCapacity(4 * ScannedWord.longest)
  }

  /// Calls `body` with each word of a text until it returns false, in time linear in the text read.
  ///
  /// - Parameters:
  ///   - utf8: a string's bytes.
  ///   - body: returns false to stop.
  mutating func scan(
    _ utf8: UnsafeBufferPointer<UInt8>, _ body: (borrowing ScannedWord) -> Bool
  ) {
    var offset = 0
    while offset < utf8.count {
      let byte = utf8[offset]
      if byte == 0x5B, let (number, length) = piece(namedIn: utf8, at: offset) {
        guard finish(body) else { return }
        let name = ScannedWord(
          range: offset..<offset + length, utf8: [], length: length, named: number)
        guard body(name) else { return }
        offset += length
      } else if byte < 0x80 {
        offset += 1
        if let part = WordScanner.ascii[Int(byte)] {
          guard take(part, at: offset - 1..<offset, body) else { return }
        }
      } else {
        let scalar = WordScanner.scalar(in: utf8, at: offset)
        let range = offset..<min(offset + UTF8.width(scalar), utf8.count)
        offset = range.upperBound
        let parts = folding.parts(of: scalar)
        for part in parts {
          guard take(part, at: range, body) else { return }
        }
        // A dropped accent still belongs to its word.
        if parts.isEmpty, word.length > 0 { word.range = word.range.lowerBound..<offset }
      }
    }
    _ = finish(body)
  }

  private mutating func take(
    _ part: TextFolding.Part, at range: Range<Int>, _ body: (borrowing ScannedWord) -> Bool
  ) -> Bool {
    switch part {
    case .space: return finish(body)
    case .letter(let scalar):
      if word.length == 0 { word.range = range }
      append(scalar, endingAt: range.upperBound)
      return true
    case .sign(let scalar):
      guard finish(body) else { return false }
      word.range = range
      append(scalar, endingAt: range.upperBound)
      return finish(body)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, endingAt end: Int) {
    word.range = word.range.lowerBound..<end
    word.length += 1
    guard word.length <= ScannedWord.longest else { return }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { word.utf8.append(unit) }
  }

  /// Passes on the word that ends here, if there is one.
  private mutating func finish(_ body: (borrowing ScannedWord) -> Bool) -> Bool {
    guard word.length > 0 else { return true }
    let goesOn = body(word)
    word.utf8.removeAll(keepingCapacity: true)
    word.length = 0
    return goesOn
  }

  private func piece(
    namedIn utf8: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> (number: Int32, length: Int)? {
    for (text, number) in named
    where utf8.count - offset >= text.count
      && utf8[offset..<offset + text.count].elementsEqual(text)
    {
      return (number, text.count)
    }
    return nil
  }

  /// Returns the character at an offset of a string's valid UTF-8.
  private static func scalar(
    in utf8: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> Unicode.Scalar {
    let lead = UInt32(utf8[offset])
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard offset + length <= utf8.count else { return "\u{FFFD}" }
    var value = lead & (0xFF >> UInt32(length + 1))
    for index in 1..<length { value = value << 6 | UInt32(utf8[offset + index] & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
