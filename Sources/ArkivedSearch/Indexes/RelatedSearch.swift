import ArkivedCore
import ArkivedStore
extension WordSearch {
  /// A query for words or others of related meaning, whose clauses are alternatives for a word.
  struct Related {
    var prepared: Prepared
    /// For each clause, the word it replaces, and how close it is to that word, from 0 to 1.
    var standsFor: [(word: Int, closeness: Double)]
  }

  /// The largest number of words in a query that are replaced by related words; a longer query
  /// usually shares some words with the texts it looks for.
  private static let wordLimit = 4
  /// The largest number of related words that can replace a word, the nearest first.
  private static let relatedLimit = 24
  /// The smallest closeness of a related word.
  private static let leastCloseness = 0.3
  /// The closeness at or above which a word is counted as having the same meaning.
  private static let sameMeaning = 0.65
  /// The shares of a word's information that a document gets for related words: for one of the same
  /// meaning, and for one of a wider, narrower or neighbouring meaning.
  ///
  /// They were chosen on the `tune` part of the labelled queries; none is critical.
  private static let (nearShare, farShare) = (0.9, 0.65)

  /// Returns the query with words of related meaning that the archive contains.
  ///
  /// - Parameters:
  ///   - prepared: the query for documents with any of the words.
  ///   - lists: the related words.
  /// - Returns: the query; nil if the archive has none of the related words.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  func related(_ prepared: Prepared, in lists: RelatedWords) throws -> Related? {
    guard prepared.isFunction.count(where: { !$0 }) <= Self.wordLimit else { return nil }
    let isGerman = try GermanWords(words.index) != nil
    var related = Related(prepared: prepared, standsFor: [])
    related.prepared.query.clauses = []
    var isWider = false
    for index in prepared.query.clauses.indices {
      let clause = prepared.query.clauses[index]
      if clause.role == .excluded {
        related.prepared.query.clauses.append(clause)
        related.standsFor.append((index, 0))
        continue
      }
      if try clause.forms.contains(where: isKnown) {
        related.prepared.query.clauses.append(clause)
        related.standsFor.append((index, 1))
      }
      guard isPlainWord(prepared, index) else { continue }
      var known = Set(clause.forms.map(\.content))
      var (near, far): ([WordIndexQuery.Form], [WordIndexQuery.Form]) = ([], [])
      for word in lists.words(relatedTo: prepared.names[index], isGerman: isGerman) {
        guard near.count + far.count < Self.relatedLimit, word.closeness >= Self.leastCloseness
        else { break }
        let tokens = try archive.tokens(of: word.text)
        guard let first = tokens.first, try tokens.allSatisfy(isKnown) else { continue }
        let content: WordIndexQuery.Form.Content = tokens.count > 1 ? .phrase(tokens) : .term(first)
        guard known.insert(content).inserted else { continue }
        if word.closeness > Self.sameMeaning {
          near.append(.init(content, weight: Self.nearShare))
        } else {
          far.append(.init(content, weight: Self.farShare))
        }
      }
      for (forms, closeness) in [(near, Self.nearShare), (far, Self.farShare)] where !forms.isEmpty
      {
        related.prepared.query.clauses.append(.init(.optional, forms))
        related.standsFor.append((index, closeness))
        isWider = true
      }
    }
    guard isWider else { return nil }
    related.prepared.names = related.standsFor.map { prepared.names[$0.word] }
    related.prepared.isFunction = related.standsFor.map { prepared.isFunction[$0.word] }
    try weigh(&related.prepared)
    return related
  }

  private func isKnown(_ form: WordIndexQuery.Form) throws -> Bool {
    switch form.content {
    case .term(let term): try isKnown(term)
    case .phrase(let terms): try terms.allSatisfy(isKnown)
    case .prefix: true
    }
  }

  /// True for a word without quotation marks that isn't excluded.
  private func isPlainWord(_ prepared: Prepared, _ index: Int) -> Bool {
    guard !prepared.isFunction[index] else { return false }
    switch prepared.query.clauses[index].forms.first?.content {
    case .term: return true
    case .prefix, .phrase, nil: return false
    }
  }
}

extension WordSearch.Related {
  /// Returns the share of the query's information in a document.
  func presence(_ match: WordSearch.Match) -> Double {
    var (all, held): ([Int: Double], [Int: Double]) = ([:], [:])
    for (clause, place) in standsFor.enumerated() {
      let worth = prepared.worths[clause]
      all[place.word] = max(all[place.word] ?? 0, worth)
      if match.clauses.contains(clause) {
        held[place.word] = max(held[place.word] ?? 0, worth * place.closeness)
      }
    }
    return held.values.reduce(0, +) / max(all.values.reduce(0, +), 1e-9)
  }
}
