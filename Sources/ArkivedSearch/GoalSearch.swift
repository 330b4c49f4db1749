import ArkivedCore
import ArkivedStore
import Foundation

/// Finds goals, values and terms by their words.
///
/// There are few of them, and a person who searches for one by name wants it first, so they are
/// read directly and placed before the entries.
struct GoalSearch {
  let archive: Archive
  let zone: Zone

  /// The largest number of results; more would push the entries out of sight.
  private static let limit = 5

  /// Returns the results on the requested page that contain every word of a word search, if its
  /// filters allow them.
  ///
  /// The request is then changed to ask for the remaining entries of the page.
  func take(from request: inout SearchRequest) throws -> [SearchHit] {
    let found = try found(request)
    let own = found.dropFirst(request.offset).prefix(request.limit)
    request.offset = max(0, request.offset - found.count)
    request.limit -= own.count
    return Array(own)
  }

  /// Inserts the results before the entries.
  static func put(_ found: [SearchHit], before hits: inout [SearchHit]) {
    let best = hits.first?.score ?? 0
    var found = found
    for index in found.indices {
      found[index].score = best + Double(found.count - index) / 1000
    }
    hits = found + hits
  }

  private func found(_ request: SearchRequest) throws -> [SearchHit] {
    var undated = request
    (undated.from, undated.to) = (nil, nil)
    guard request.mode != .meaning, !undated.hasFilters, request.types.isEmpty,
      !QuestionReader.isQuestion(request.query)
    else { return [] }
    let query = WordQuery(request.query)
    guard !query.wanted.isEmpty, query.terms.allSatisfy({ [.word, .phrase].contains($0.form) })
    else { return [] }
    return Array(
      try candidates().compactMap { $0.hit(query) }.filter { isInside($0.dayKey, request) }
        .prefix(Self.limit))
  }

  private func isInside(_ day: DayKey, _ request: SearchRequest) -> Bool {
    // An instant counts by whole days, as for entries without a time, and excludes its end.
    func local(_ instant: Instant) -> (day: DayKey, isStart: Bool) {
      let day = zone.dayKey(at: instant)
      return (day, zone.start(of: day) == instant)
    }
    switch request.from {
    case .day(let first)? where day < first: return false
    case .instant(let instant)?:
      let first = local(instant)
      if day < first.day || (day == first.day && !first.isStart) { return false }
    case .day?, nil: break
    }
    switch request.to {
    case .day(let last)?: return day <= last
    case .instant(let instant)?: return day < local(instant).day
    case nil: return true
    }
  }

  private func candidates() throws -> [Candidate] {
    let goals = try archive.goals().map { goal in
      Candidate(
        type: .goal, id: goal.id, day: goal.targetDate ?? goal.startDate ?? day(goal.logTime),
        title: goal.title, texts: [goal.description, goal.notes, goal.howGoalIsRelevant])
    }
    guard try !goals.isEmpty || archive.hasGoalSide() else { return [] }
    let values = try archive.values().map { value in
      Candidate(
        type: .value, id: value.id, day: day(value.logTime), title: value.title,
        texts: [value.description, value.notes, value.alignmentGuidance])
    }
    let terms = try archive.terms().map { term in
      // It is found by its English name as well.
      let other = term.title == term.shownTitle ? nil : term.title
      return Candidate(
        type: .term, id: term.id, day: term.startDate, title: term.shownTitle,
        texts: [term.reflection, term.description, term.notes, other])
    }
    return goals + terms + values
  }

  private func day(_ instant: Instant) -> DayKey { zone.dayKey(at: instant) }

  private struct Candidate {
    var type: HitType
    var id: UUID
    var day: DayKey
    var title: String
    var texts: [String?]

    func hit(_ query: WordQuery) -> SearchHit? {
      let all = ([title] + texts.compactMap { $0 }).map(Keyword.words(of:))
      func holds(_ term: WordQuery.Term) -> Bool {
        all.contains { Keyword(term.text).stands(in: $0) }
      }
      guard query.wanted.allSatisfy(holds), !query.excluded.contains(where: holds) else {
        return nil
      }
      let words = query.wanted.map(\.text)
      // If the title doesn't contain the words, the snippet shows the part of the text that does.
      let inTitle = query.wanted.contains { Keyword($0.text).stands(in: all[0]) }
      let text = inTitle ? title : "\(title) · \(part(holding: query.wanted))"
      return SearchHit(
        type: type, id: id, dayKey: day, title: title,
        snippet: Snippet(text: text, highlights: highlights(in: text, words)), score: 0,
        why: SearchHit.Reason(words: words))
    }

    private func part(holding terms: [WordQuery.Term]) -> String {
      let lines = texts.compactMap { $0 }.flatMap { $0.split(whereSeparator: \.isNewline) }
      let line = lines.first { line in
        let words = Keyword.words(of: String(line))
        return terms.contains { Keyword($0.text).stands(in: words) }
      }
      return String((line ?? "").prefix(200))
    }

    /// Returns the ranges of the words, in scalars.
    private func highlights(in text: String, _ words: [String]) -> [Range<Int>] {
      let wanted = words.map(Keyword.init).flatMap { keyword in
        keyword.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
          .map { Keyword(String($0)) }
      }
      var ranges: [Range<Int>] = []
      var position = 0
      for part in text.split(
        omittingEmptySubsequences: false, whereSeparator: { !$0.isLetter && !$0.isNumber })
      {
        let count = part.unicodeScalars.count
        let isWanted = Keyword.words(of: String(part)).contains { word in
          wanted.contains { $0.stands(in: [word]) }
        }
        if count > 0, isWanted { ranges.append(position..<position + count) }
        let end = part.endIndex
        position += count
        if end < text.endIndex { position += text[end].unicodeScalars.count }
      }
      return ranges
    }
  }
}
