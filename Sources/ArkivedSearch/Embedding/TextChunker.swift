/// A part of a longer text, short enough for the model to read whole.
package struct TextChunk: Sendable, Hashable {
  /// Where it stands in the text, in UTF-8 bytes.
  package let range: Range<Int>
  package let text: String
}

/// How a text is cut into chunks.
package struct ChunkLimits: Sendable, Hashable {
  /// The most pieces a chunk has, without the two that every text has around it.
  package var tokens = 200
  /// The most pieces that a chunk repeats from the end of the one before, so that what a cut parts
  /// is whole in one of them.
  package var overlap = 24
  /// The most chunks of one text. A text of more keeps its first and its last and others at equal
  /// distances between: of something that long, meaning finds the drift and words the rest.
  package var chunks = 64
  /// The most bytes of a chunk. Only what no model can read, like a picture in Base64, has more in
  /// that few pieces; its chunk is cut there.
  package var bytes = 8192

  package init(tokens: Int = 200, overlap: Int = 24, chunks: Int = 64, bytes: Int = 8192) {
    self.tokens = max(tokens, 8)
    self.overlap = min(max(overlap, 0), self.tokens / 4)
    self.chunks = max(chunks, 1)
    self.bytes = max(bytes, 64)
  }
}

extension WordPieceTokenizer {
  /// Cuts a text at the ends of paragraphs, else sentences, else words.
  ///
  /// A text that is short enough is one chunk; one in which the model would see nothing has none.
  /// Takes time linear in the text, and beside it memory for one chunk and the places of all.
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
  /// Cuts a text without a vocabulary, by what words of that length mostly come to: a piece, and
  /// one more for each six characters beyond the first.
  static func estimated(_ text: String, limits: ChunkLimits) -> [TextChunk] {
    cut(text, limits, nil) { 1 + ($0.length - 1) / 6 }
  }

  /// - Parameter pieces: how many pieces a word has.
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

/// The words of the chunk being gathered.
private struct ChunkWindow {
  /// How well a text can be cut in front of a word.
  enum Gap: Int, Comparable {
    case none, word, sentence, paragraph
    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  struct Unit {
    var range: Range<Int>
    var tokens: Int
    var gap: Gap
    /// Whether a sentence may end with it.
    var endsSentence: Bool
  }

  let limits: ChunkLimits
  let utf8: UnsafeBufferPointer<UInt8>
  private var units: [Unit] = []
  private var tokens = 0
  /// How many of the units the chunk before has too.
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

  /// Ends the chunk at the best place in its second half, and begins the next with its last words.
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
      // A whole sentence if one fits, else as many words as do.
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
    // Marks that were dropped may stand between, and a character that is several words.
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

  /// Whether the unit is a sign like 。 that needs no space behind it.
  private func isWide(_ unit: Unit) -> Bool { utf8[unit.range.lowerBound] >= 0x80 }

  private func endsSentence(_ word: borrowing ScannedWord, gap: Gap) -> Bool {
    guard word.length == 1, word.named == nil,
      let sign = String(validating: word.utf8, as: UTF8.self)
    else { return false }
    switch sign {
    case ".", "!", "?", "…", "。", "！", "？", "।", "۔", "؟": return true
    // Brackets and quotes that close belong to the sentence they stand behind.
    case ")", "]", "\"", "'", "»", "”", "’", "」", "』":
      return gap == .none && units.last?.endsSentence == true
    default: return false
    }
  }
}
