import ArkivedCore
import ArkivedStore
import Foundation

/// Words of a query that the archive does not have, and what may have been meant.
struct Slips {
  /// How many words no entry holds.
  var unknown = 0
  /// A word of the query, and the term that may have been meant.
  var corrections: [(word: String, term: String)] = []

  /// The query as it may have been meant, with the words spelt as they stand in what was found.
  func suggestion(
    for text: String, hits: [SearchHit], _ archive: Archive
  ) throws -> String? {
    guard !corrections.isEmpty else { return nil }
    var line = text
    for (word, term) in corrections {
      guard let spelt = try Self.spelling(of: term, in: hits, archive),
        let place = line.range(of: word, options: .caseInsensitive)
      else { return nil }
      line.replaceSubrange(place, with: spelt)
    }
    return line == text ? nil : line
  }

  /// A word in what was found whose term this is.
  private static func spelling(
    of term: String, in hits: [SearchHit], _ archive: Archive
  ) throws -> String? {
    for hit in hits.prefix(10) {
      let words = (hit.title + " " + hit.snippet.text)
        .split { !$0.isLetter && !$0.isNumber }.prefix(200)
      for word in words where word.lowercased().hasPrefix(term.prefix(2)) {
        if try archive.tokens(of: String(word)) == [term] { return word.lowercased() }
      }
    }
    return nil
  }
}

extension WordSearch {
  /// Lets words that no entry holds stand for those that may have been meant as well.
  ///
  /// - Parameter isWord: whether a word is one of the language, which was meant as it stands.
  func correct(_ prepared: inout Prepared, isWord: (String) -> Bool) throws -> Slips {
    var slips = Slips()
    let deadline = ContinuousClock.now.advanced(by: .milliseconds(50))
    for index in prepared.query.clauses.indices {
      let clause = prepared.query.clauses[index]
      guard clause.role != .excluded, case .term(let term)? = clause.forms.first?.content,
        try clause.forms.allSatisfy({ form in
          guard case .term(let term) = form.content else { return false }
          return try words.index.frequency(of: term) == 0
            && words.recent?.frequency(of: term) ?? 0 == 0
        })
      else { continue }
      slips.unknown += 1
      guard !isWord(prepared.names[index]),
        let meant = try words.index.suggestions(for: term, limit: 1, deadline: deadline).first
      else { continue }
      prepared.query.clauses[index].forms.append(.term(meant.term, weight: 0.7))
      slips.corrections.append((prepared.names[index], meant.term))
    }
    return slips
  }
}
