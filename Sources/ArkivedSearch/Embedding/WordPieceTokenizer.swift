package import Foundation

/// Cuts texts into the pieces that a BERT model without case reads, exactly as its authors'
/// tokenizer does.
package struct WordPieceTokenizer: Sendable {
  let vocabulary: WordPieceVocabulary
  /// How many pieces a text may have, `[CLS]` and `[SEP]` among them.
  package let limit: Int

  /// Reads a vocabulary of one piece a line.
  /// - Throws: `EmbeddingError`.
  package init(vocabulary file: URL, limit: Int = 256) throws {
    vocabulary = try WordPieceVocabulary(file)
    self.limit = max(limit, 2)
  }

  /// The numbers of a text's pieces between `[CLS]` and `[SEP]`, cut at the limit. Reads no further
  /// into the text than it needs.
  package func tokens(of text: String) -> [Int32] {
    var tokens = [vocabulary.classifier]
    var scanner = WordScanner(vocabulary)
    var text = text
    text.withUTF8 { utf8 in
      scanner.scan(utf8) { word in
        append(piecesOf: word, to: &tokens)
        return tokens.count < limit
      }
    }
    if tokens.count > limit - 1 { tokens.removeSubrange((limit - 1)...) }
    tokens.append(vocabulary.separator)
    return tokens
  }

  func append(piecesOf word: borrowing ScannedWord, to tokens: inout [Int32]) {
    if let named = word.named {
      tokens.append(named)
    } else if word.length > ScannedWord.longest {
      tokens.append(vocabulary.unknown)
    } else {
      vocabulary.append(piecesOf: word.utf8, to: &tokens)
    }
  }
}
