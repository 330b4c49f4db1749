package import ArkivedCore
import ArkivedStore

/// How results by words and results by meaning become one list: weighted reciprocal rank fusion
/// (Cormack, Clarke and Büttcher, “Reciprocal Rank Fusion Outperforms Condorcet…”, 2009), with
/// weights that go by the query.
package struct Fusion: Sendable, Hashable {
  /// How much the entries count that hold the words; 0 leaves a list out.
  package var words = 1.0
  /// How much the entries of near meaning count.
  package var meaning = 0.5
  /// How slowly a place loses its worth: place n counts 1 ÷ (`decay` + n).
  package var decay = 10.0
  /// Below this cosine of the built-in model a text says something else.
  package var leastSimilarity = 0.25
  /// Where no entry holds all the words: the least part of what they tell that an entry has to hold
  /// for its words to count. Of “bike theft”, “bike” alone is hardly anything.
  package var leastShare = 0.5

  package init() {}

  /// The weights for a query, tuned on the `tune` part of the labelled queries.
  ///
  /// Where entries hold all the words, words lead. Where none does, a handful of words is a
  /// description and its meaning leads; of many, some are in the entry that is meant.
  /// - Parameters:
  ///   - holdsAll: whether some entry holds all of its words.
  ///   - isCorrected: whether words of it were taken for misspelt ones.
  package init(_ query: WordQuery, holdsAll: Bool, isCorrected: Bool) {
    let isExact =
      query.terms.contains { $0.form == .phrase || $0.form == .inside || $0.isExcluded }
    if isExact {
      meaning = 0
    } else if isCorrected && holdsAll || query.terms.contains(where: { $0.form == .prefix }) {
      meaning = 0.1
    } else if !holdsAll {
      let content = query.withoutStopWords.wanted.count
      (words, meaning) = content > 4 ? (1, 0.5) : (0.5, 1)
      // One word that no entry has is as likely a slip of the keys as a description.
      if content == 1 { leastSimilarity = 0.4 }
    }
  }

  /// A list and how much it counts.
  struct List {
    var documents: [Archive.FoundDocument]
    var weight: Double
    /// The documents' parts of what the query tells, where they hold some of its words only.
    var share: ((Archive.FoundDocument) -> Double)?
  }

  /// One list of all, best first; equals keep the order of the lists.
  ///
  /// What holds too little of the query stands behind all that is found otherwise.
  func merge(_ lists: [List]) -> [Archive.FoundDocument] {
    var places: [Int64: Int] = [:]
    var merged: [Archive.FoundDocument] = []
    for list in lists where list.weight > 0 {
      for (rank, document) in list.documents.enumerated() {
        let counts = list.share.map { $0(document) >= leastShare } ?? true
        let worth = counts ? list.weight / (decay + Double(rank + 1)) : 0
        if let place = places[document.document] {
          merged[place].score += worth
          if merged[place].words.count < document.words.count {
            merged[place].words = document.words
          }
          merged[place].similarity = merged[place].similarity ?? document.similarity
        } else {
          places[document.document] = merged.count
          var new = document
          new.score = worth
          merged.append(new)
        }
      }
    }
    return merged.enumerated().sorted {
      ($0.element.score, $1.offset) > ($1.element.score, $0.offset)
    }.map(\.element)
  }
}
