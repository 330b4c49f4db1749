import ArkivedCore
import ArkivedStore
import Foundation

/// Answers from notes, decisions, and the purposes of meetings.
extension LibraryAnswers {
  /// The maximum number of notes to examine for one question.
  private static let noteLimit = 500
  private static let told = 5

  // MARK: Notes

  /// Answers with free notes, meeting notes, day notes, purposes and outcomes that contain all the
  /// words.
  func notes(_ query: LibraryQuery) throws -> Answer? {
    var request = SearchRequest(query: "", limit: Self.noteLimit)
    request.homeZone = zone
    request.from = query.days.map { .day($0.lowerBound) }
    request.to = query.days.map { .day($0.upperBound) }
    let words = WordQuery(terms: query.concept.map { .init(text: $0) })
    var hits = try archive.search(
      request, words: words, expand: WordForms.english.forms(of:), types: [.note, .day])
    if !query.concept.isEmpty {
      hits += try archive.meetingRecords(in: query.days).filter { entry in
        holds(query.concept, in: texts(of: entry).joined(separator: " "))
      }.map { entry in
        let line = texts(of: entry).first { holds(query.concept, in: $0) }
        return hit(entry, line ?? entry.title)
      }
    }
    let about = query.concept.isEmpty ? "" : said(" about “\(query.conceptText)”")
    let when = query.days.map { " (\(SpanText.shownDays($0)))" } ?? ""
    // “Who is named most in my notes?” is a question about entries.
    guard !hits.isEmpty || query.isYesNo || !query.marks.isDisjoint(with: [.say, .any, .about])
    else { return nil }
    guard !hits.isEmpty else { return refusal(said("I couldn’t find a note\(about)\(when).")) }
    let lines = hits.prefix(3).map { hit in
      "\(quoted(hit.snippet.text, 140)) (\(hit.dayKey.shownPlainName))"
    }
    let more = hits.count - lines.count
    let head = said(hits.count, one: "1 note", other: "\(hits.count) notes")
    return answer(
      "\(head)\(about)\(when): \(lines.joined(separator: "; "))"
        + (more > 0 ? said(" and \(more) more") : "") + ".",
      "list", proof: hits, values: hits.prefix(20).map { .string($0.snippet.text) },
      days: query.days)
  }

  private func texts(of entry: MeetingEntry) -> [String] {
    [entry.meeting.purpose, entry.meeting.outcomes, entry.meeting.summary].compactMap { $0 }
  }

  private func hit(_ entry: MeetingEntry, _ text: String) -> SearchHit {
    var hit = people.hit(entry)
    hit.snippet = Snippet(text: text)
    return hit
  }

  // MARK: Decisions

  private struct Decision {
    var text: String
    var title: String
    var hit: SearchHit
  }

  /// Answers with decisions from notes and from the outcomes of meetings.
  func decisions(_ query: LibraryQuery) throws -> Answer? {
    let (person, concept) = try person(in: query)
    if person == nil, let name = query.person { return unknown(name) }
    var found: [Decision] = []
    for decision in try archive.decisions(with: person?.id) {
      if let days = query.days, !days.contains(decision.day) { continue }
      found.append(
        Decision(
          text: decision.text, title: decision.title,
          hit: SearchHit(
            type: .note, id: decision.noteID, dayKey: decision.day, title: decision.title,
            snippet: Snippet(text: decision.text), score: 0, why: SearchHit.Reason())))
    }
    for entry in try archive.meetingRecords(with: person?.id, in: query.days) {
      found += DecisionReader.decisions(in: entry.meeting.outcomes ?? "").map { decision in
        Decision(text: decision.text, title: entry.title, hit: hit(entry, decision.text))
      }
    }
    found = found.filter { holds(concept, in: $0.text + " " + $0.title) }
      .sorted { $0.hit.dayKey > $1.hit.dayKey }
    let about =
      (concept.isEmpty ? "" : said(" about “\(concept.joined(separator: " "))”"))
      + (person.map { said(" with \($0.displayName)") } ?? "")
    guard !found.isEmpty else {
      // A personal decision may be recorded in an entry.
      guard !query.isOfSpeaker else { return nil }
      return answer(
        said(
          """
          I couldn’t find a decision\(about) in your notes. I recognise decisions in lines such as \
          “Decided: …” and in lists under “Decisions”.
          """), "none", person: person?.displayName)
    }
    let lines = found.prefix(Self.told).map { decision in
      let text = Language.current.quoted(String(decision.text.prefix(200)))
      return "\(decision.hit.dayKey.shownPlainName): \(text) (\(decision.title.prefix(80)))"
    }
    let more = found.count > Self.told ? said(", and \(found.count - Self.told) more") : ""
    var seen: Set<UUID> = []
    return answer(
      said("Decided\(about): \(lines.joined(separator: "; "))\(more)."), "list",
      proof: found.map(\.hit).filter { seen.insert($0.id).inserted },
      values: found.map { decision in
        [
          "text": .string(decision.text), "dayKey": JSON(decision.hit.dayKey),
          "noteId": decision.hit.type == .note ? .string(decision.hit.id.uuidString) : .null,
        ]
      }, person: person?.displayName, days: query.days)
  }

  // MARK: Meetings

  /// Answers with a meeting’s purpose or outcome.
  func records(_ query: LibraryQuery) throws -> Answer? {
    let (person, concept) = try person(in: query)
    if person == nil, let name = query.person { return unknown(name) }
    let found = try archive.meetingRecords(with: person?.id, in: query.days).filter { entry in
      guard text(of: entry, query.fold) != nil else { return false }
      if !query.marks.contains(.next), (entry.activity.startAt ?? now) > now { return false }
      return holds(concept, in: entry.title + " " + texts(of: entry).joined(separator: " "))
    }
    let chosen = query.marks.contains(.previous) ? Array(found.prefix(1)) : found
    guard !chosen.isEmpty else {
      let about =
        (concept.isEmpty ? "" : said(" about “\(concept.joined(separator: " "))”"))
        + (person.map { said(" with \($0.displayName)") } ?? "")
      return refusal(
        query.fold == .purpose
          ? said("No meeting\(about) has a purpose recorded.")
          : said("No meeting\(about) has an outcome recorded."))
    }
    let lines = chosen.prefix(Self.told).map { entry in
      let words = RecapText.shortened(text(of: entry, query.fold) ?? "", to: 200)
      return "\(quoted(entry.title)) (\(entry.activity.dayKey.shownPlainName)): \(words)"
    }
    return answer(
      lines.joined(separator: "; ") + ".", "list",
      proof: chosen.map { hit($0, text(of: $0, query.fold) ?? $0.title) },
      values: chosen.prefix(20).map { JSON(text(of: $0, query.fold)) }, person: person?.displayName,
      days: query.days)
  }

  private func text(of entry: MeetingEntry, _ fold: LibraryQuery.Fold) -> String? {
    let text =
      fold == .purpose ? entry.meeting.purpose : entry.meeting.outcomes ?? entry.meeting.summary
    return text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }
}
