import Foundation

/// Access to the terms themselves, in the form produced by the full-text table's tokenizer: folded
/// and stemmed.
extension WordIndex {
  /// Returns the number of documents with a term, or 0 if it is unknown.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func frequency(of term: String) throws -> Int {
    try withView { view in
      try view.dictionary.index(of: Array(term.utf8))
        .map { view.dictionary.documentFrequency(at: $0) } ?? 0
    }
  }

  /// Returns the most frequent terms that begin with a prefix, most frequent first; equally
  /// frequent ones are in the order of their bytes.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func terms(
    withPrefix prefix: String, limit: Int
  ) throws -> [(term: String, frequency: Int)] {
    try withView { view in
      try view.dictionary.mostFrequent(withPrefix: Array(prefix.utf8), limit: limit).map {
        (
          String(decoding: try view.dictionary.term(at: $0), as: UTF8.self),
          view.dictionary.documentFrequency(at: $0)
        )
      }
    }
  }

  /// Returns true if the index contains a document with this row number.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func contains(row: Int64) throws -> Bool {
    try withView { try $0.ordinal(of: row) != nil }
  }
}
