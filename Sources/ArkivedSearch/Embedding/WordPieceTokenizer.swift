package import Foundation

/// Splits texts into the pieces that an uncased BERT model reads, exactly as its authors' tokenizer
/// does.
package struct WordPieceTokenizer: Sendable {
  let vocabulary: WordPieceVocabulary
  /// The largest number of pieces in a text, including `[CLS]` and `[SEP]`.
  package let limit: Int

  /// Reads a vocabulary with one piece per line.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  package init(vocabulary file: URL, limit: Int = 256) throws {
    vocabulary = try WordPieceVocabulary(file)
    self.limit = max(limit, 2)
  }

  /// Returns the numbers of a text's pieces between `[CLS]` and `[SEP]`, truncated at the limit.
  ///
  /// It reads no further into the text than it needs.
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
