import ArkivedCore
import ArkivedStore
import Foundation

/// The words of a query that the archive doesn't contain, with possible corrections.
struct Slips {
  /// The number of words that no entry contains.
  var unknown = 0
  /// The words of the query with the terms that were probably intended.
  var corrections: [(word: String, term: String)] = []

  /// Returns the query as it was probably intended, with the words spelt as in the results.
  func suggestion(
    for text: String, hits: [SearchHit], _ archive: Archive
  ) throws -> String? {
    guard !corrections.isEmpty else { return nil }
    var line = text
    for (word, term) in corrections {
      guard let spelt = try Self.spelling(of: term, in: hits, archive),
        let place = Self.place(of: word, in: line)
      else { return nil }
      line.replaceSubrange(place, with: spelt)
    }
    return line == text ? nil : line
  }

  /// Returns the first place at which a word stands on its own; other words may contain it.
  private static func place(of word: String, in line: String) -> Range<String.Index>? {
    func isInWord(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber } ?? false
    }
    var start = line.startIndex
    while let place = line.range(of: word, options: .caseInsensitive, range: start..<line.endIndex)
    {
      let (before, after) = (line[..<place.lowerBound].last, line[place.upperBound...].first)
      if !isInWord(before), !isInWord(after) { return place }
      start = line.index(after: place.lowerBound)
    }
    return nil
  }

  /// Returns a word in the results that corresponds to a term.
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
  /// Adds possible corrections to words that no entry contains.
  ///
  /// - Parameters:
  ///   - prepared: the query; receives the corrections.
  ///   - isWord: returns true for a word of the language, which is not a mistake.
  /// - Returns: the corrections.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
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
        let meant = try candidate(for: term, deadline)
      else { continue }
      prepared.query.clauses[index].forms.append(.term(meant.term, weight: 0.7))
      slips.corrections.append((prepared.names[index], meant.term))
    }
    return slips
  }

  /// Returns the most likely term of both indexes; a rare one is chosen only if no common one is as
  /// similar.
  private func candidate(
    for term: String, _ deadline: ContinuousClock.Instant
  ) throws -> SlipCandidate? {
    var found = try words.index.suggestions(for: term, limit: 1, deadline: deadline)
    if let recent = words.recent {
      found += try recent.suggestions(for: term, limit: 1, deadline: deadline)
      found += try recent.suggestions(for: term, limit: 1, isRare: true, deadline: deadline)
    }
    if !found.contains(where: { $0.slips < 2 }) {
      found += try words.index.suggestions(for: term, limit: 1, isRare: true, deadline: deadline)
    }
    return found.min { $0.isLikelier(than: $1) }
  }
}

/// Corrects misspelt words without an index, with terms from the full-text table.
struct TableSlips {
  private let archive: Archive
  private let deadline = ContinuousClock.now.advanced(by: .milliseconds(250))

  init(_ archive: Archive) { self.archive = archive }

  /// Returns a query with corrections of the words that no entry contains, and these words.
  ///
  /// - Returns: nil if there are no corrections.
  func corrected(
    _ query: WordQuery, expand: (String) -> [String]
  ) throws -> (query: WordQuery, slips: Slips)? {
    var (query, slips) = (query, Slips())
    for index in query.terms.indices {
      let term = query.terms[index]
      guard !term.isExcluded, term.form == .word,
        case let tokens = try archive.tokens(of: term.text), tokens.count == 1,
        try !([term.text] + expand(term.text)).contains(where: isHeld)
      else { continue }
      slips.unknown += 1
      // The correction is searched for by its own letters only.
      guard let meant = try candidate(for: tokens[0]), try archive.tokens(of: meant) == [meant]
      else { continue }
      slips.corrections.append((term.text, meant))
      query.terms[index].text = meant
    }
    return slips.corrections.isEmpty ? nil : (query, slips)
  }

  private func isHeld(_ word: String) throws -> Bool {
    try archive.tokens(of: word).contains { token in
      var isHeld = false
      try archive.forEachTerm(from: token) { term, _ in
        isHeld = term == token
        return false
      }
      return isHeld
    }
  }

  /// Returns the most likely term, with the same first letter if there is one, because searching
  /// all others takes longer.
  private func candidate(for word: String) throws -> String? {
    let letters = Array(word.unicodeScalars)
    guard (3...40).contains(letters.count), let script = WordScript(of: letters) else { return nil }
    let first = String(String.UnicodeScalarView(letters.prefix(1)))
    let next = Unicode.Scalar(letters[0].value + 1).map { String($0) }
    let near = try candidate(for: letters, script, from: first, to: next)
    return try (near ?? candidate(for: letters, script, from: "", to: nil))?.term
  }

  private func candidate(
    for letters: [Unicode.Scalar], _ script: WordScript, from first: String, to end: String?
  ) throws -> SlipCandidate? {
    var distances = SlipDistances(to: letters, most: letters.count >= 7 ? 2 : 1)
    var best: SlipCandidate?
    var before: [UInt8] = []
    var count = 0
    try archive.forEachTerm(from: first, to: end) { term, frequency in
      count += 1
      if count % 256 == 0, ContinuousClock.now >= deadline { return false }
      let bytes = Array(term.utf8)
      let shared = zip(before, bytes).prefix { $0 == $1 }.count
      before = bytes
      guard let slips = distances.advance(to: bytes, sharing: shared), slips > 0,
        frequency >= SlipCandidate.common
          || slips == 1 && letters.count >= SlipCandidate.rareLength,
        WordScript(of: Array(term.unicodeScalars)) == script
      else { return true }
      let found = SlipCandidate(term: term, frequency: frequency, slips: slips)
      if best.map(found.isLikelier) ?? true { best = found }
      return true
    }
    return best
  }
}
