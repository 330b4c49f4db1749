package import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import Foundation

/// An engine that answers plain questions from the archive without a language model: computed,
/// complete and cited.
package struct AskEngine: Sendable {
  package let archive: Archive
  package let zone: Zone
  private let timelines: ArchiveTimelines
  private let typed: Language

  /// The parser for questions.
  enum Reader: String, Sendable {
    case grammar
    /// The neural network from `Training/`, whose queries `QueryExecutor` runs.
    case taught
    /// The grammar, with the network for what it can't parse; the network's answers are marked.
    case both

    /// The reader chosen by `ARKIVED_READER`, for measuring each separately.
    static var chosen: Reader {
      ProcessInfo.processInfo.environment["ARKIVED_READER"].flatMap(Reader.init) ?? .both
    }
  }

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - timelines: a cache of the archive between questions; if nil, this engine creates its own.
  ///   - typed: the language of questions besides English, if it differs from that of the answers.
  package init(
    archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil, typed: Language = .english
  ) {
    self.archive = archive
    self.zone = zone
    self.typed = typed
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - now: the moment to which “last month” is relative; the archive's clock if nil.
  ///   - parts: the keys of parts of the question to ignore, see `AskQuestion.parts`.
  ///   - citationLimit: the maximum number of citations to load; `citationCount` counts all.
  ///   - citationOffset: how many citations to skip.
  ///   - progress: called while entries are being read for the first time, with the number read and
  ///     the maximum total.
  /// - Returns: the answer.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func answer(
    _ text: String, now: Instant? = nil, without parts: Set<String> = [], citationLimit: Int = 200,
    citationOffset: Int = 0,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Answer {
    let reader = parts.isEmpty ? Reader.chosen : .grammar
    /// Answers with the network; nil if the program contains no weights.
    func taught(isSecond: Bool = false, isDoubtful: Bool = false) throws -> Answer? {
      guard
        let (told, rows) = try TaughtAnswers(
          archive: archive, zone: zone, timelines: timelines, now: now ?? archive.clock.now,
          typed: try askedLanguage(of: text)
        ).answer(text, isSecond: isSecond, progress: progress)
      else { return nil }
      var computed = told
      if isSecond || isDoubtful, computed.kind != "none", computed.ignored.isEmpty {
        computed.uncertain = [said("whether you meant something else")]
        computed.ignored = computed.uncertain
      }
      if computed.kind != "none" {
        let unused = CountLimits.unused(in: text).map { Language.current.quoted($0) }
        computed.ignored = unused.filter { !computed.ignored.contains($0) } + computed.ignored
        computed.tellDoubts()
      }
      let page = rows.dropFirst(max(0, citationOffset)).prefix(max(0, citationLimit))
      let citations = try hits(of: page.map { Archive.FoundDocument(document: $0, score: 0) })
      return Answer(computed: computed, citations: citations, citationCount: rows.count)
    }
    if reader == .taught, let answer = try taught() { return answer }
    var worded: WordedQuestion?
    let language = try askedLanguage(of: text)
    if language != .english {
      worded = WordedQuestion(
        text, timeline: try timelines.timeline(progress: progress), language: language)
    }
    if parts.isEmpty,
      let answer = try MeetingQuestions(archive: archive, zone: zone).answer(
        worded?.text ?? text, now: now ?? archive.clock.now, limit: citationLimit,
        offset: citationOffset)
    {
      return answer
    }
    if parts.isEmpty {
      let library = LibraryAnswers(
        archive: archive, zone: zone, now: now ?? archive.clock.now, timelines: timelines,
        question: text, limit: citationLimit, offset: citationOffset)
      let languages = language == .english ? [.english] : [language, .english]
      if let answer = try library.answer(in: languages, progress: progress) { return answer }
    }
    if reader == .both, parts.isEmpty, let worded, worded.isUntranslated,
      Self.language(of: text) == language
    {
      // The grammar would mistake every word of the other language for a word of the archive.
      let strict = try taught(isSecond: true)
      if let strict, strict.kind != "none" { return strict }
      let loose = try taught(isDoubtful: true)
      if let loose, loose.kind != "none" { return loose }
      if let refusal = strict ?? loose { return refusal }
    }
    let timeline = try timelines.timeline(progress: progress)
    let engine = TimelineEngine(timeline: timeline, zone: zone, frames: timelines.frames)
    let now = now ?? archive.clock.now
    let asked = worded ?? WordedQuestion(english: text)
    let (told, problem) = try withTermsAsDays(asked.text, now: now)
    var computed = engine.answer(
      asked.with(text: told), now: now, without: parts, problem: problem)
    try timeline.figures.check()
    if reader == .both, parts.isEmpty, computed.ignored.isEmpty {
      let other = OtherWords(texts: NearestTexts(archive: archive, indexes: timelines.indexes))
      if let entry = try other.missing(from: computed, to: text, in: timeline.table) {
        let line = entry.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        computed.uncertain = [
          said(
            """
            whether entries with other wording count too, such as “\(String(line.prefix(120)))”
            """)
        ]
        computed.ignored = computed.uncertain
        computed.tellDoubts()
      }
    }
    if parts.isEmpty, computed.kind == "none",
      let answer = try MeetingQuestions(archive: archive, zone: zone).unnamed(
        asked.text, now: now, limit: citationLimit, offset: citationOffset)
    {
      return answer
    }
    if reader == .both, computed.kind == "none", !computed.isUnderstood,
      let answer = try taught(isSecond: true)
    {
      return answer
    }
    let page = computed.citations.dropFirst(max(0, citationOffset)).prefix(max(0, citationLimit))
    let citations = try hits(of: page.map { Archive.FoundDocument(document: $0.id, score: 0) })
    return Answer(
      computed: computed, citations: citations, citationCount: computed.citations.count)
  }

  /// Returns the language of a question by its function words; nil if they are inconclusive.
  package static func language(of question: String) -> Language? {
    ReaderLexicon.shared.language(of: question)
  }

  private func hits(of documents: [Archive.FoundDocument]) throws -> [SearchHit] {
    var request = SearchRequest(query: "")
    request.homeZone = zone
    return try archive.hits(
      of: documents, request, words: WordQuery(terms: []), expand: { _ in [] })
  }

  /// Returns the language that a question is read in besides English: that of the owner's
  /// questions, of the current task, or the chosen one; if all are English, that of the question.
  private func askedLanguage(of question: String) throws -> Language {
    if typed != .english { return typed }
    if Language.current != .english { return .current }
    if let chosen = try archive.preferences().language.fixed, chosen != .english { return chosen }
    return Self.language(of: question) ?? .english
  }

  /// Replaces the terms that a question mentions with their days: “in my last term” runs from its
  /// first day to its last.
  ///
  /// - Returns: also the reason if a term doesn't exist.
  private func withTermsAsDays(
    _ text: String, now: Instant
  ) throws -> (text: String, problem: String?) {
    let reader = TimeReader(now: now, zone: zone)
    guard text.count <= AskReader.lengthLimit, reader.mayNameTerms(text) else { return (text, nil) }
    let times = reader.termTimes(
      in: text, terms: try archive.terms(), today: zone.dayKey(at: now))
    var told = text
    for time in times.reversed() {
      guard let phrase = time.phrase else {
        return (text, said("I couldn’t find a term called “\(time.text)”."))
      }
      told.replaceSubrange(time.range, with: phrase)
    }
    return (told, nil)
  }
}
