import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation

/// Chance that is the same in every run (SplitMix64, Steele, Lea and Flood 2014).
struct SeededChance: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Documents as tokens, from which an index is built and answers are worked out the long way.
struct WordCorpus {
  struct Document {
    var row: Int64
    var day: Int32
    var order: Int64
    /// Tokens by column: title, body, names.
    var columns: [[String]]
  }

  /// Newest first, as the index has them.
  let documents: [Document]
  let scoring: WordIndexScoring
  /// The impact of each term in each document, by ordinal.
  private(set) var impacts: [String: [Int: UInt8]] = [:]

  init(_ documents: [Document], scoring: WordIndexScoring = .standard) {
    self.documents = documents.sorted {
      ($0.day, $0.order, $0.row) > ($1.day, $1.order, $1.row)
    }
    self.scoring = scoring
    let columns = scoring.columns.count
    let averages = (0..<columns).map { column in
      let lengths = documents.map { $0.columns[column].count }.filter { $0 > 0 }
      return lengths.isEmpty ? 0 : Double(lengths.reduce(0, +)) / Double(lengths.count)
    }
    for (ordinal, document) in self.documents.enumerated() {
      let lengths = document.columns.map { UInt32($0.count) }
      for term in Set(document.columns.joined()) {
        let occurrences = document.columns.map { column in
          UInt32(column.count { $0 == term })
        }
        impacts[term, default: [:]][ordinal] = scoring.impact(
          occurrences: occurrences, lengths: lengths, averages: averages)
      }
    }
  }

  /// A corpus whose words follow Zipf's law, over `vocabulary` words named w0, w1 and so on.
  static func zipfian(
    _ count: Int, vocabulary: Int, seed: UInt64, days: Int32 = 400
  ) -> WordCorpus {
    var chance = SeededChance(seed)
    var edges: [Double] = []
    for rank in 0..<vocabulary { edges.append((edges.last ?? 0) + 1 / (Double(rank) + 2)) }
    func words(_ range: ClosedRange<Int>) -> [String] {
      (0..<Int.random(in: range, using: &chance)).map { _ in
        let place = Double.random(in: 0..<(edges.last ?? 1), using: &chance)
        return "w\(edges.firstIndex { $0 > place } ?? 0)"
      }
    }
    let documents = (0..<count).map { number in
      Document(
        row: Int64(number) * 8 + Int64.random(in: 0..<8, using: &chance),
        day: Int32.random(in: -5..<days, using: &chance),
        order: Int64.random(in: 0..<4, using: &chance),
        columns: [words(1...6), words(0...9), words(0...2)])
    }
    return WordCorpus(documents)
  }

  /// Builds the index of the documents.
  func build(at url: URL, metadata: [String: String] = [:]) throws {
    var builder = try WordIndexBuilder(
      at: url,
      documents: documents.map {
        WordIndexDocument(rowNumber: $0.row, day: $0.day, order: $0.order)
      }, scoring: scoring, metadata: metadata)
    for (term, document, column, position) in occurrences() {
      try builder.add(term: term, document: document, column: column, position: position)
    }
    try builder.finish()
  }

  /// All occurrences in the order in which a full-text table gives them.
  func occurrences() -> [(term: String, row: Int64, column: UInt8, position: UInt32)] {
    var all: [(term: String, row: Int64, column: UInt8, position: UInt32)] = []
    for document in documents {
      for (column, tokens) in document.columns.enumerated() {
        for (position, token) in tokens.enumerated() {
          all.append((token, document.row, UInt8(column), UInt32(position)))
        }
      }
    }
    return all.sorted {
      if $0.term != $1.term { return $0.term.utf8.lexicographicallyPrecedes($1.term.utf8) }
      return ($0.row, $0.column, $0.position) < ($1.row, $1.column, $1.position)
    }
  }

  // MARK: The long way

  /// What a query should find.
  struct Answer {
    /// Best first, of all that match.
    var hits: [WordIndexResults.Hit]
  }

  /// The impact of a form of a clause in each document that has it.
  private func matches(_ content: WordIndexQuery.Form.Content) -> [[Int: UInt8]] {
    switch content {
    case .term(let term): return impacts[term].map { [$0] } ?? []
    case .prefix(let prefix, let limit):
      return impacts.filter { $0.key.hasPrefix(prefix) }
        .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        .prefix(limit).map(\.value)
    case .phrase(let terms):
      let lists = terms.compactMap { impacts[$0] }
      guard lists.count == terms.count, let first = lists.first else { return [] }
      var found: [Int: UInt8] = [:]
      for ordinal in first.keys where hasPhrase(terms, ordinal) {
        found[ordinal] = lists.compactMap { $0[ordinal] }.min()
      }
      return [found]
    }
  }

  private func hasPhrase(_ terms: [String], _ ordinal: Int) -> Bool {
    documents[ordinal].columns.contains { column in
      column.indices.contains { column[$0...].starts(with: terms) }
    }
  }

  /// In how many documents a form may occur.
  private func frequency(_ content: WordIndexQuery.Form.Content) -> Int {
    if case .phrase(let terms) = content { return terms.map { impacts[$0]?.count ?? 0 }.min() ?? 0 }
    return matches(content).map(\.count).reduce(0, +)
  }

  private func rarity(_ clause: WordIndexQuery.Clause) -> Double {
    let count = documents.count
    if clause.forms.count == 1, case .phrase(let terms) = clause.forms[0].content {
      return terms.map {
        WordIndexScoring.rarity(frequency: impacts[$0]?.count ?? 0, documents: count)
      }.reduce(0, +)
    }
    let sum = clause.forms.map { frequency($0.content) }.reduce(0, +)
    return WordIndexScoring.rarity(frequency: sum, documents: count)
  }

  /// Scores every document.
  ///
  /// Clauses must differ, and forms within a clause too.
  func answer(_ query: WordIndexQuery) -> [WordIndexResults.Hit] {
    var query = query
    for place in query.clauses.indices where query.clauses[place].role != .required {
      query.clauses[place].forms.removeAll { frequency($0.content) == 0 }
    }
    for place in query.clauses.indices {
      // A required clause of which nothing is known cannot be left out.
      let known = query.clauses[place].forms.filter { frequency($0.content) > 0 }
      if !known.isEmpty { query.clauses[place].forms = known }
    }
    let clauses = query.clauses.enumerated().filter { !$0.element.forms.isEmpty }
    var sums: [Int: Int] = [:]
    var matched: [Int: [Int]] = [:]
    var excluded: Set<Int> = []
    for (place, clause) in clauses {
      let most = clause.forms.map(\.weight).max() ?? 1
      let weight = max(1, Int(clause.weight * most * rarity(clause) * 4096))
      var best: [Int: Int] = [:]
      for form in clause.forms {
        for list in matches(form.content) {
          for (ordinal, impact) in list {
            let scaled = max(1, (Double(impact) * (form.weight / most)).rounded())
            best[ordinal] = max(best[ordinal] ?? 0, Int(scaled))
          }
        }
      }
      if clause.role == .excluded {
        excluded.formUnion(best.keys)
        continue
      }
      for (ordinal, impact) in best {
        sums[ordinal, default: 0] += weight * impact
        matched[ordinal, default: []].append(place)
      }
    }
    let required = Set(clauses.filter { $0.element.role == .required }.map(\.offset))
    var ordinals = sums.keys.filter { ordinal in
      let row = documents[ordinal].row
      return !excluded.contains(ordinal) && required.isSubset(of: matched[ordinal] ?? [])
        && query.days?.contains(documents[ordinal].day) ?? true
        && query.allowed?.contains(row) ?? true && !(query.excluded?.contains(row) ?? false)
    }
    switch query.order {
    case .best: ordinals.sort { (-(sums[$0] ?? 0), $0) < (-(sums[$1] ?? 0), $1) }
    case .newest: ordinals.sort()
    case .oldest: ordinals.sort(by: >)
    }
    return ordinals.map { ordinal in
      WordIndexResults.Hit(
        rowNumber: documents[ordinal].row,
        score: query.order == .best ? Double(sums[ordinal] ?? 0) / (4096 * 255) : 0,
        matchedClauses: matched[ordinal] ?? [])
    }
  }
}

extension TemporaryFolder {
  /// Where the index of a test lies.
  var index: URL { url.appending(path: "words.index") }
}
