/// A word-by-word comparison of two texts.
struct WordDifference {
  struct Piece: Equatable {
    var text: String
    /// True if the other text does not have it.
    var isOwn: Bool
  }

  let before: [Piece]
  let after: [Piece]

  /// The number of words, after the common beginning and end are removed, up to which words are
  /// compared individually.
  private static let wordLimit = 800

  init(_ before: String, _ after: String) {
    let (old, new) = (Self.words(before), Self.words(after))
    var start = 0
    while start < min(old.count, new.count), Self.isSame(old[start], new[start]) { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      Self.isSame(old[old.count - 1 - end], new[new.count - 1 - end])
    { end += 1 }
    let (own, others) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    var removed = Set(own.indices)
    var inserted = Set(others.indices)
    if own.count <= Self.wordLimit, others.count <= Self.wordLimit {
      removed.removeAll()
      inserted.removeAll()
      let difference = Array(others).difference(from: Array(own), by: Self.isSame)
      for step in difference {
        switch step {
        case .remove(let offset, _, _): removed.insert(start + offset)
        case .insert(let offset, _, _): inserted.insert(start + offset)
        }
      }
    }
    self.before = Self.pieces(old, removed)
    self.after = Self.pieces(new, inserted)
  }

  /// Compares scalar by scalar: a letter in another normal form is a different text.
  private static func isSame(_ left: Substring, _ right: Substring) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  /// Returns the words and the text between them.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let isSpace = first.isWhitespace
      let end = rest.firstIndex { $0.isWhitespace != isSpace } ?? rest.endIndex
      words.append(rest[..<end])
      rest = rest[end...]
    }
    return words
  }

  private static func pieces(_ words: [Substring], _ own: Set<Int>) -> [Piece] {
    var pieces: [Piece] = []
    for (index, word) in words.enumerated() {
      // A space between two changed words is part of the change.
      let isOwn =
        own.contains(index)
        || (word.allSatisfy(\.isWhitespace) && own.contains(index - 1) && own.contains(index + 1))
      if pieces.last?.isOwn == isOwn {
        pieces[pieces.count - 1].text += word
      } else {
        pieces.append(Piece(text: String(word), isOwn: isOwn))
      }
    }
    return pieces
  }
}
