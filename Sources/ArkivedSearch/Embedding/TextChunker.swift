/// A part of a longer text, short enough for the model to read completely.
package struct TextChunk: Sendable, Hashable {
  /// The range in the text, in UTF-8 bytes.
  package let range: Range<Int>
  package let text: String
}

/// The limits for splitting a text into chunks.
package struct ChunkLimits: Sendable, Hashable {
  /// The largest number of tokens in a chunk, without the two that surround every text.
  package var tokens = 200
  /// The largest number of tokens that a chunk repeats from the end of the previous one, so a
  /// passage at a cut is complete in one of them.
  package var overlap = 24
  /// The largest number of chunks in a text.
  ///
  /// For a longer text, the first and last chunks are kept, and others at equal distances between
  /// them. In a text that long, the search by meaning finds the gist, and the search by words finds
  /// the rest.
  package var chunks = 64
  /// The largest number of bytes in a chunk.
  ///
  /// Only content that no model can read, such as a Base64 picture, has more bytes in so few
  /// tokens; its chunk is cut at this limit.
  package var bytes = 8192

  package init(tokens: Int = 200, overlap: Int = 24, chunks: Int = 64, bytes: Int = 8192) {
    self.tokens = max(tokens, 8)
    self.overlap = min(max(overlap, 0), self.tokens / 4)
    self.chunks = max(chunks, 1)
    self.bytes = max(bytes, 64)
  }
}

extension WordPieceTokenizer {
  /// Splits a text at the ends of paragraphs, or else of sentences, or else of words.
  ///
  /// A text that is short enough is one chunk; a text without anything the model could read has
  /// none. The time is linear in the length of the text, and memory is needed only for one chunk
  /// and the positions of all chunks.
  package func chunks(of text: String, limits: ChunkLimits = ChunkLimits()) -> [TextChunk] {
    var tokens: [Int32] = []
    return TextChunk.cut(text, limits, vocabulary) { word in
      tokens.removeAll(keepingCapacity: true)
      append(piecesOf: word, to: &tokens)
      return tokens.count
    }
  }
}

extension TextChunk {
  /// Splits a text without a vocabulary, estimating the tokens of a word from its length: one
  /// token, plus one for every six characters after the first character.
  static func estimated(_ text: String, limits: ChunkLimits) -> [TextChunk] {
    cut(text, limits, nil) { 1 + ($0.length - 1) / 6 }
  }

  /// Splits a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limits: how long chunks may be.
  ///   - vocabulary: splits words into tokens; nil to count words.
  ///   - pieces: returns the number of tokens in a word.
  /// - Returns: the chunks.
  fileprivate static func cut(
    _ text: String, _ limits: ChunkLimits, _ vocabulary: WordPieceVocabulary?,
    pieces: (borrowing ScannedWord) -> Int
  ) -> [TextChunk] {
    var text = text
    var ranges: [Range<Int>] = []
    text.withUTF8 { utf8 in
      var window = ChunkWindow(limits: limits, utf8: utf8)
      var scanner = WordScanner(vocabulary)
      scanner.scan(utf8) { word in
        window.add(word, tokens: pieces(word), cutting: &ranges)
        return true
      }
      window.finish(cutting: &ranges)
    }
    return ChunkLimits.spread(ranges, limits.chunks).map { range in
      let utf8 = text.utf8
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      let end = utf8.index(start, offsetBy: range.count)
      return TextChunk(range: range, text: String(text[start..<end]))
    }
  }
}

extension ChunkLimits {
  fileprivate static func spread(_ ranges: [Range<Int>], _ most: Int) -> [Range<Int>] {
    guard ranges.count > most else { return ranges }
    guard most > 1 else { return Array(ranges.prefix(1)) }
    return (0..<most).map { ranges[$0 * (ranges.count - 1) / (most - 1)] }
  }
}

/// The words of the chunk being collected.
private struct ChunkWindow {
  /// The suitability of the position before a word for a cut.
  enum Gap: Int, Comparable {
    case none, word, sentence, paragraph
    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  struct Unit {
    var range: Range<Int>
    var tokens: Int
    var gap: Gap
    /// True if a sentence may end with this unit.
    var endsSentence: Bool
  }

  let limits: ChunkLimits
  let utf8: UnsafeBufferPointer<UInt8>
  private var units: [Unit] = []
  private var tokens = 0
  /// The number of units shared with the previous chunk.
  private var repeated = 0

  init(limits: ChunkLimits, utf8: UnsafeBufferPointer<UInt8>) {
    self.limits = limits
    self.utf8 = utf8
  }

  mutating func add(
    _ word: borrowing ScannedWord, tokens count: Int, cutting ranges: inout [Range<Int>]
  ) {
    let gap = units.last.map { self.gap(after: $0, before: word.range.lowerBound) } ?? .paragraph
    var unit = Unit(range: word.range, tokens: count, gap: gap, endsSentence: false)
    unit.endsSentence = endsSentence(word, gap: gap)
    while let first = units.first,
      tokens + count > limits.tokens
        || word.range.upperBound - first.range.lowerBound > limits.bytes
    {
      cut(before: gap, cutting: &ranges)
    }
    units.append(unit)
    tokens += count
  }

  mutating func finish(cutting ranges: inout [Range<Int>]) {
    if units.count > repeated { emit(units.count, cutting: &ranges) }
  }

  /// Ends the chunk at the best position in its second half and begins the next with its last
  /// words.
  private mutating func cut(before next: Gap, cutting ranges: inout [Range<Int>]) {
    var best = units.count
    var bestGap = next
    var before = tokens
    for index in stride(from: units.count - 1, through: max(repeated, 1), by: -1) {
      before -= units[index].tokens
      guard before >= limits.tokens / 2 else { break }
      if units[index].gap > bestGap {
        best = index
        bestGap = units[index].gap
      }
    }
    if best > repeated { emit(best, cutting: &ranges) }
    var start = best
    var kept = 0
    var keptGap = Gap.none
    for index in stride(from: best - 1, to: 0, by: -1) {
      kept += units[index].tokens
      guard kept <= limits.overlap else { break }
      // The overlap is a whole sentence if one fits, otherwise as many words as fit.
      let gap = min(units[index].gap, .sentence)
      if gap >= max(keptGap, .word) {
        start = index
        keptGap = gap
      }
    }
    repeated = best - start
    units.removeFirst(start)
    tokens = units.reduce(0) { $0 + $1.tokens }
  }

  private func emit(_ count: Int, cutting ranges: inout [Range<Int>]) {
    let start = units[0].range.lowerBound
    var end = units[count - 1].range.upperBound
    if end - start > limits.bytes {
      end = start + limits.bytes
      while utf8[end] & 0xC0 == 0x80 { end -= 1 }
    }
    ranges.append(start..<end)
  }

  private func gap(after unit: Unit, before start: Int) -> Gap {
    // Dropped marks may be in between, as may a character that consists of several words.
    guard unit.range.upperBound < start else {
      return unit.endsSentence && isWide(unit) ? .sentence : .none
    }
    var newlines = 0
    var hasSpace = false
    for byte in utf8[unit.range.upperBound..<start] {
      if byte == 0x0A { newlines += 1 }
      if byte == 0x20 || byte == 0x09 || byte >= 0xC2 { hasSpace = true }
    }
    if newlines > 1 { return .paragraph }
    if newlines == 1 { return .sentence }
    return hasSpace ? (unit.endsSentence ? .sentence : .word) : .none
  }

  /// Returns true if the unit is a character such as 。 that needs no space after it.
  private func isWide(_ unit: Unit) -> Bool { utf8[unit.range.lowerBound] >= 0x80 }

  private func endsSentence(_ word: borrowing ScannedWord, gap: Gap) -> Bool {
    guard word.length == 1, word.named == nil,
      let sign = String(validating: word.utf8, as: UTF8.self)
    else { return false }
    switch sign {
    case ".", "!", "?", "…", "。", "！", "？", "।", "۔", "؟": return true
    // Closing brackets and quotes belong to the sentence before them.
    case ")", "]", "\"", "'", "»", "”", "’", "」", "』":
      return gap == .none && units.last?.endsSentence == true
    default: return false
    }
  }
}
