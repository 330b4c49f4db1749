package import ArkivedCore
package import ArkivedStore
import Foundation

/// Finds entries for a typed line: words, filters between them, or a question in plain language.
package struct HybridSearch: Sendable {
  package let archive: Archive
  package let zone: Zone
  package let indexes: SearchIndexes

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - indexes: the indexes, kept between searches if there are many.
  package init(archive: Archive, zone: Zone, indexes: SearchIndexes? = nil) {
    self.archive = archive
    self.zone = zone
    self.indexes = indexes ?? SearchIndexes(archive)
  }

  /// The result of a search.
  package struct Outcome: Sendable {
    package var hits: [SearchHit]
    /// The interpretation of the query if it is more than its words: “8–14 March 2026”.
    package var reading: [String] = []
    /// True if no entry contained all the words, so the results contain only some of them.
    package var isRelaxed = false
    /// Sentences about parts of the line that were not used or match nothing, and about why the
    /// search by meaning was not used.
    package var notes: [String] = []
    /// The line with a word corrected to the archive's spelling, if it may be misspelt.
    package var suggestion: String?
    /// True if the time ran out before everything was searched.
    package var isPartial = false
    package var milliseconds: Double

    package var json: JSON {
      [
        "results": .array(hits.map(\.json)), "tookMs": JSON((milliseconds * 10).rounded() / 10),
        "reading": JSON(reading), "relaxed": .bool(isRelaxed), "partial": .bool(isPartial),
        "notes": JSON(notes), "suggestion": JSON(suggestion),
      ]
    }
  }

  /// Searches; any text is a valid query.
  package func search(_ request: SearchRequest) throws -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let line = try read(request)
    // Goals are placed before the entries, on the first page.
    var entries = line.request
    let goals = try GoalSearch(archive: archive, zone: zone).take(from: &entries)
    var outcome =
      entries.limit > 0 || goals.isEmpty
      ? try find(entries) : Outcome(hits: [], milliseconds: 0)
    GoalSearch.put(goals, before: &outcome.hits)
    outcome.reading = line.reading + outcome.reading
    outcome.notes = line.notes + outcome.notes
    if outcome.isPartial {
      outcome.notes.append(
        "Time ran out before all entries were searched. There may be more and better results")
    }
    for index in outcome.hits.indices { outcome.hits[index].why.filters += line.labels }
    outcome.suggestion = outcome.suggestion.map(line.line(withWords:))
    let took = start.duration(to: clock.now)
    outcome.milliseconds =
      Double(took.components.seconds) * 1000 + Double(took.components.attoseconds) / 1e15
    return outcome
  }

  /// The interpretation of a line for a search.
  private struct Reading {
    var request: SearchRequest
    var words: WordQuery
    /// The meaning of the line beyond its words, for display.
    var sentences: [String] = []
    var isSentence = false
  }

  private func find(_ given: SearchRequest) throws -> Outcome {
    var request = given
    request.homeZone = zone
    let reading = try read(sentence: request)
    if reading.words.terms.isEmpty, !reading.isSentence {
      // A query without anything to search for finds nothing instead of everything.
      let isBlank = request.query.trimmingCharacters(in: .whitespaces).isEmpty
      return Outcome(hits: isBlank ? try list(request) : [], milliseconds: 0)
    }
    var outcome = try find(reading.request, reading.words, text: request.query)
    outcome.reading = reading.sentences
    let isNarrowed = !reading.sentences.isEmpty && !reading.words.terms.isEmpty
    guard isNarrowed, outcome.hits.isEmpty, try !finds(reading) else { return outcome }
    // Times and people in a sentence may be part of a description instead of filters.
    var wider = try find(request, WordQuery(request.query), text: request.query)
    guard !wider.hits.isEmpty else { return outcome }
    wider.notes.append(
      "Nothing matches “\(reading.sentences.joined(separator: ", "))”, so it was ignored")
    return wider
  }

  /// Returns true if the first page has results when another page was requested.
  private func finds(_ reading: Reading) throws -> Bool {
    guard reading.request.offset > 0 else { return false }
    var first = reading.request
    (first.offset, first.limit) = (0, 1)
    return try !find(first, reading.words, text: first.query).hits.isEmpty
  }

  /// Interprets a line whose filters were already read; this is the only place that handles plain
  /// sentences.
  ///
  /// A question's time and people become filters, and its content words become the query. For any
  /// other line, the query is its words.
  private func read(sentence request: SearchRequest) throws -> Reading {
    guard QuestionReader.isQuestion(request.query) else {
      return Reading(request: request, words: WordQuery(request.query))
    }
    let reader = QuestionReader(
      now: archive.clock.now, zone: zone, people: try archive.personReader(for: request.query))
    let question = reader.read(request.query)
    var narrowed = request
    narrowed.narrow(to: question, zone: zone)
    return Reading(
      request: narrowed, words: WordQuery(terms: question.words.map { .init(text: $0) }),
      sentences: HybridSearch.reading(of: question), isSentence: true)
  }

  private func find(
    _ request: SearchRequest, _ words: WordQuery, text: String
  ) throws -> Outcome {
    let search = IndexedSearch(
      archive: archive, indexes: indexes, request: request, words: words, text: text)
    if let outcome = try search?.outcome() { return outcome }
    return try findInTable(request, words, text: text)
  }

  /// The time limit in seconds for searching the table, and the same again for its newest entries.
  private static let patience = 2.0

  /// Searches the archive's full-text table, without an index.
  private func findInTable(
    _ request: SearchRequest, _ all: WordQuery, text: String
  ) throws -> Outcome {
    var outcome = Outcome(hits: [], milliseconds: 0)
    let expand = WordForms.english.searched(for:)
    let words = all.withoutStopWords
    // A request for everything has no time limit.
    let patience = request.limit > IndexedSearch.depthLimit ? nil : Self.patience
    (outcome.hits, outcome.isPartial) = try archive.search(
      request, words: words, expand: expand, patience: patience)
    if outcome.hits.isEmpty, !outcome.isPartial,
      let (meant, slips) = try TableSlips(archive).corrected(words, expand: expand)
    {
      (outcome.hits, outcome.isPartial) = try archive.search(
        request, words: meant, expand: expand, patience: patience)
      outcome.suggestion = try slips.suggestion(for: text, hits: outcome.hits, archive)
      // The result shows the words as typed and not the index terms.
      for index in outcome.hits.indices {
        outcome.hits[index].why.words = words.wanted.map(\.text)
      }
    }
    // If the time ran out, some entry may still contain all the words.
    if outcome.hits.isEmpty, !outcome.isPartial, words.wanted.count > 1,
      try request.offset == 0 || isRelaxed(request, all, text: text)
    {
      (outcome.hits, outcome.isPartial) = try archive.search(
        request, words: words, matching: .any, expand: expand,
        patience: patience)
      outcome.isRelaxed = true
    }
    return outcome
  }

  /// Returns true if no entry on the first page contains all the words.
  private func isRelaxed(
    _ request: SearchRequest, _ all: WordQuery, text: String
  ) throws -> Bool {
    var first = request
    (first.offset, first.limit) = (0, 1)
    return try findInTable(first, all, text: text).isRelaxed
  }

  private static func reading(of question: Question) -> [String] {
    var reading: [String] = []
    if let time = question.time { reading.append("\(time.text): \(SpanText.days(time.days))") }
    for person in question.people {
      reading.append(
        "\(person.words): \(person.candidates.map(\.name).joined(separator: " or "))")
    }
    reading += question.tags.map { "tag: \($0)" } + question.kinds.map { "kind: \($0)" }
    return reading
  }
}

extension Archive {
  /// Returns a reader for the names of everyone a text may mention.
  package func personReader(for text: String) throws -> PersonReader {
    PersonReader(people: try people(mentionedIn: text))
  }
}

extension SearchRequest {
  /// Adds a question's time, people, tags and kinds to the filters.
  package mutating func narrow(to question: Question, zone: Zone) {
    if let time = question.time {
      if time.isWholeDays || time.singleDay == nil {
        let days = time.grain < .week ? time.days : time.widenedDays()
        narrow(
          from: time.start == nil ? nil : .day(days.lowerBound),
          to: time.end == nil ? nil : .day(days.upperBound), zone: zone)
      } else {
        narrow(
          from: time.start.map { .instant(zone.instant(of: $0)) },
          to: time.end.map { .instant(zone.instant(of: $0)) }, zone: zone)
      }
    }
    tags += question.tags
    kinds += question.kinds
    for person in question.people { personGroups.append(person.candidates.compactMap(\.id)) }
  }
}

extension WordQuery {
  /// The query without the stop words to look for, unless these are all of its words.
  var withoutStopWords: WordQuery {
    let content = terms.filter {
      $0.isExcluded || $0.form != .word || !StopWords.contains($0.text)
    }
    return WordQuery(terms: content.contains { !$0.isExcluded } ? content : terms)
  }
}
