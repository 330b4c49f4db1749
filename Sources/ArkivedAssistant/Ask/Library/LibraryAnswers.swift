import ArkivedCore
import ArkivedStore
import Foundation

/// The answers to questions about everything that the archive stores besides entries.
///
/// Each source has its own file.
struct LibraryAnswers {
  let archive: Archive
  let zone: Zone
  let now: Instant
  let timelines: ArchiveTimelines
  /// The question as typed.
  let question: String
  let limit: Int
  let offset: Int

  var today: DayKey { zone.dayKey(at: now) }

  /// Returns the answer to the first interpretation that a source can answer or must refuse; nil if
  /// all of them leave the question to the entries.
  func answer(in languages: [Language], progress: (Int, Int) -> Void) throws -> Answer? {
    for language in languages {
      let reader = LibraryReader(language: language, now: now, zone: zone)
      for query in reader.queries(question) {
        if let answer = try answer(query, progress) { return answer }
      }
    }
    return nil
  }

  private func answer(_ query: LibraryQuery, _ progress: (Int, Int) -> Void) throws -> Answer? {
    do {
      switch query.source {
      case .goals: return try goals(query)
      case .values: return try values(query)
      case .terms: return try terms(query)
      case .notes: return try notes(query)
      case .decisions: return try decisions(query)
      case .meetings: return try records(query)
      case .agenda: return try agenda(query)
      case .recap: return try recap(query, progress)
      }
    } catch let namesakes as MeetingQuestions.Namesakes {
      return people.ask(namesakes)
    }
  }

  var people: MeetingQuestions { MeetingQuestions(archive: archive, zone: zone) }

  // MARK: Assembling answers

  /// Returns an answer with the requested page of its evidence.
  func answer(
    _ sentence: String, _ kind: String, proof: [SearchHit] = [], values: [JSON] = [],
    labels: [String] = [], unit: String? = nil, person: String? = nil,
    days: ClosedRange<DayKey>? = nil
  ) -> Answer {
    answer(
      sentence, kind, page: Array(proof.dropFirst(max(0, offset)).prefix(max(0, limit))),
      count: proof.count, values: values, labels: labels, unit: unit, person: person, days: days)
  }

  /// Returns an answer for which only one page of evidence was loaded.
  func answer(
    _ sentence: String, _ kind: String, page: [SearchHit], count: Int, values: [JSON] = [],
    labels: [String] = [], unit: String? = nil, person: String? = nil,
    days: ClosedRange<DayKey>? = nil
  ) -> Answer {
    var computed = TimelineAnswer(
      sentence: sentence, kind: kind, question: AskQuestion(text: question))
    computed.values = values
    computed.labels = labels
    computed.unit = unit
    computed.people = [person].compactMap { $0 }
    computed.days = days
    return Answer(computed: computed, citations: page, citationCount: count)
  }

  func refusal(_ sentence: String) -> Answer { answer(sentence, "none") }

  func quoted(_ text: String, _ limit: Int = 90) -> String { RecapText.quoted(text, to: limit) }

  /// Returns true if a text contains every word, in any of its forms.
  func holds(_ words: [String], in text: String) -> Bool {
    let texts = Keyword.words(of: text)
    return words.allSatisfy { Keyword($0).stands(in: texts) }
  }

  /// Returns the person mentioned in a question after “with”, or among its other words.
  ///
  /// - Throws: `MeetingQuestions.Namesakes` if several people have that name.
  func person(in query: LibraryQuery) throws -> (person: Person?, concept: [String]) {
    if let name = query.person { return (try people.known(name), query.concept) }
    for (index, word) in query.concept.enumerated() where word.first?.isUppercase == true {
      if let person = try people.known(word) {
        var rest = query.concept
        rest.remove(at: index)
        return (person, rest)
      }
    }
    return (nil, query.concept)
  }

  func unknown(_ name: String) -> Answer {
    refusal(said("I couldn’t find anyone called “\(name)”."))
  }
}
