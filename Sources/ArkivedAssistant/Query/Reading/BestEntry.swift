import ArkivedCore
import Foundation

/// A search for the entries that cover most of a question if none covers all of it: each word is
/// weighted by how well it distinguishes the entry from others.
struct BestEntry {
  let maker: ConceptClauses

  struct Hit {
    var entry: TimelineEntry
    /// The sentence that covers most.
    var text: String
    /// The covered share of the question's weight.
    var coverage: Double
    /// The words of the question that aren't covered.
    var missing: [String]
    /// True if it covers the word with the highest weight and everybody mentioned in the question.
    var isDecisive: Bool
  }

  /// The number of entries above which a word isn't searched for by itself.
  private static let common = 20_000

  /// Returns the best entries, best first.
  ///
  /// - Parameters:
  ///   - phrases: the phrases that entries should cover.
  ///   - people: the people that they should mention.
  ///   - days: the days to search.
  ///   - limit: the maximum number of entries.
  /// - Returns: the entries.
  func find(
    _ phrases: [String], people: [String], days: ClosedRange<DayKey>?, limit: Int = 5
  ) -> [Hit] {
    let clauses = clauses(phrases, people: people)
    let whole = clauses.reduce(0) { $0 + $1.weight }
    guard whole > 0 else { return [] }
    let span = days ?? DayKey.earliest...DayKey.latest
    var hits: [(table: TimelineTable, ordinal: Int, weight: Double)] = []
    for part in maker.timeline.parts {
      for type in [TimelineEntry.Kind.activity, .day] {
        let table = part.contents.table(type)
        let sets = clauses.map { clause -> OrdinalSet in
          var condition = IndexCondition(days: span)
          condition.all = [clause.atoms]
          return table.ordinals(where: condition, outdated: part.outdated(type))
        }
        var seen: Set<Int> = []
        for (set, clause) in zip(sets, clauses)
        where clause.isKnown && (!clause.isLight || clauses.allSatisfy(\.isLight))
          && set.count <= Self.common
        {
          set.each { ordinal in
            guard seen.insert(ordinal).inserted else { return }
            let weight = zip(sets, clauses).reduce(0) { sum, next in
              next.0.contains(ordinal) ? sum + next.1.weight : sum
            }
            hits.append((table, ordinal, weight))
          }
        }
      }
    }
    let heaviest = clauses.max { $0.weight < $1.weight }
    hits.sort { $0.weight > $1.weight }
    guard let most = hits.first?.weight else { return [] }
    var found = hits.prefix(200).filter { $0.weight > 0.9 * most || $0.weight > 0.4 * whole }
      .prefix(50)
      .map { hit -> Hit in
        hitted(TimelineEntry(table: hit.table, ordinal: hit.ordinal), clauses, whole, heaviest)
      }
    // Among entries with equal coverage, the one with the fewest other words comes first.
    found.sort { left, right in
      if abs(left.coverage - right.coverage) > 0.001 { return left.coverage > right.coverage }
      return (left.text.count, left.entry.day) < (right.text.count, right.entry.day)
    }
    return Array(found.prefix(limit))
  }

  private func clauses(_ phrases: [String], people: [String]) -> [ConceptClauses.Clause] {
    phrases.flatMap(maker.clauses) + people.map(clause(ofPerson:))
  }

  /// Returns the share of a question's weight that an entry covers, from 0 to 1.
  func coverage(of entry: TimelineEntry, _ phrases: [String], people: [String]) -> Double {
    let clauses = clauses(phrases, people: people)
    let whole = clauses.reduce(0) { $0 + $1.weight }
    return whole > 0 ? hitted(entry, clauses, whole, nil).coverage : 0
  }

  private func clause(ofPerson name: String) -> ConceptClauses.Clause {
    let first = WordCutter.words(of: name).first
    var clause = maker.clause(
      first
        ?? Word(
          text: name, key: name, isAfterBreak: false, sign: nil, isQuoted: false,
          isPossessive: false))
    clause.atoms.append(.person(name))
    clause.count = max(clause.count, 1)
    clause.isPerson = true
    return clause
  }

  /// Returns the coverage of an entry's best sentence, because the sentences of a day's notes may
  /// be about different topics.
  private func hitted(
    _ entry: TimelineEntry, _ clauses: [ConceptClauses.Clause], _ whole: Double,
    _ heaviest: ConceptClauses.Clause?
  ) -> Hit {
    var best: Hit?
    for sentence in Self.sentences(entry.text) {
      let keys = Set(WordCutter.words(of: sentence).map(\.key))
      let missing = clauses.filter { !$0.stands(in: entry, keys: keys) }
      let coverage = 1 - missing.reduce(0) { $0 + $1.weight } / whole
      if let best, best.coverage >= coverage { continue }
      best = Hit(
        entry: entry, text: sentence, coverage: coverage, missing: missing.map(\.word.text),
        isDecisive: !missing.contains { $0.word == heaviest?.word || $0.isPerson })
    }
    return best ?? Hit(entry: entry, text: entry.text, coverage: 0, missing: [], isDecisive: false)
  }

  /// Splits long texts into sentences; short ones stay whole.
  private static func sentences(_ text: String) -> [String] {
    guard text.count > 100 else { return [text] }
    var sentences: [String] = []
    var current = ""
    var isEnd = false
    for character in text {
      if isEnd, character.isWhitespace {
        sentences.append(current)
        current = ""
      } else {
        current.append(character)
      }
      isEnd = ".!?\n".contains(character)
    }
    return (sentences + [current]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }
}
