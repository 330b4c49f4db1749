package import ArkivedCore
import ArkivedStore

/// How results by words and results by meaning become one list: weighted reciprocal rank fusion
/// (Cormack, Clarke and Büttcher, “Reciprocal Rank Fusion Outperforms Condorcet…”, 2009), with
/// weights that go by the query.
package struct Fusion: Sendable, Hashable {
  /// How much a list counts; 0 leaves it out.
  package var allWords = 1.0
  package var anyWords = 0.5
  package var meaning = 0.6
  /// How slowly a place loses its worth: place n counts 1 ÷ (`decay` + n).
  package var decay = 10.0
  /// Below this cosine a text says something else.
  package var leastSimilarity = 0.25

  package init() {}

  /// The weights for a query.
  ///
  /// - Parameter unknown: how many of its words the archive does not have.
  package init(_ query: WordQuery, isQuestion: Bool, unknown: Int) {
    let content = query.wanted.filter { !StopWords.contains($0.text) }
    let isExact =
      query.terms.contains { $0.form == .phrase || $0.form == .inside || $0.isExcluded }
    guard !isExact, !content.isEmpty else {
      meaning = 0
      anyWords = 0
      return
    }
    let known = content.count - unknown
    meaning =
      switch content.count {
      case 1: known > 0 ? 0.25 : 0.8
      case 2: 0.5
      default: 0.7
      }
    if isQuestion { meaning += 0.1 }
    if query.terms.contains(where: { $0.form == .prefix }) { meaning = min(meaning, 0.2) }
  }

  /// A list and how much it counts.
  struct List {
    var documents: [Archive.FoundDocument]
    var weight: Double
  }

  /// One list of all, best first; equals keep the order of the lists.
  func merge(_ lists: [List]) -> [Archive.FoundDocument] {
    var places: [Int64: Int] = [:]
    var merged: [Archive.FoundDocument] = []
    for list in lists where list.weight > 0 {
      for (rank, document) in list.documents.enumerated() {
        let worth = list.weight / (decay + Double(rank + 1))
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
