package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
package import Foundation

/// An engine that answers queries of an archive: it decodes them from JSON, computes, phrases and
/// cites.
package struct QueryEngine: Sendable {
  package let archive: Archive
  private let zone: Zone
  private let timelines: ArchiveTimelines
  private let indexes: SearchIndexes?

  /// The JSON Schema (2020-12) of a query.
  package static let schema = QueryShape.schema
  /// The maximum size of a query as JSON, in bytes.
  package static let sizeLimit = 64 << 10
  /// The timeout of a query, in seconds.
  private static let patience = 30.0

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - timelines: a cache of the archive shared between questions.
  ///   - indexes: the search indexes, which stay open between questions.
  package init(
    archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil, indexes: SearchIndexes? = nil
  ) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
    self.indexes = indexes
  }

  /// Parses the text of a query.
  ///
  /// - Throws: `FieldError` if it is too large, isn't JSON, or isn't an object.
  package static func parse(_ text: String) throws(FieldError) -> JSON {
    guard text.utf8.count <= sizeLimit else {
      throw QueryPlace().refusal("is larger than \(sizeLimit >> 10) KB")
    }
    let json: JSON
    do { json = try JSON(parsing: text) } catch {
      throw QueryPlace().refusal("isn’t valid JSON: \(error)")
    }
    guard json.object != nil else {
      throw QueryPlace().refusal("is \(json.typeName), but must be an object with source")
    }
    return json
  }

  /// Computes a query.
  ///
  /// - Parameters:
  ///   - json: the JSON.
  ///   - progress: called while entries are being read for the first time, with the number read and
  ///     the total.
  ///   - isCancelled: called regularly; the work ends when it returns true.
  /// - Returns: the answer.
  /// - Throws: `FieldError` whose field is the JSON pointer of the invalid part.
  package func answer(
    _ json: JSON, progress: (Int, Int) -> Void = { _, _ in },
    isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) throws -> QueryAnswer {
    let now = archive.clock.now
    let query = try QueryDecoder(reader: TimeReader(now: now, zone: zone)).query(json)
    let timeline = try timelines.timeline(progress: progress)
    let end = ContinuousClock.now.advanced(by: .seconds(Self.patience))
    func check() throws {
      if isCancelled() { throw CancellationError() }
      guard ContinuousClock.now < end else {
        throw QueryPlace().refusal("takes too long. Narrow it down, preferably by days")
      }
    }
    let search = HybridSearch(archive: archive, zone: zone, indexes: indexes)
    let selector = QuerySelector(
      timeline.table, today: zone.dayKey(at: now),
      records: ArchiveRecords(archive: archive, zone: zone),
      grounder: SearchGrounder(search: search, archive: archive), check: check)
    let outcome = try QueryExecutor(selector: selector, check: check).outcome(of: query)
    try timeline.figures.check()
    return QueryAnswer(outcome, citations: try citations(outcome.cited))
  }

  private func citations(_ items: [QueryItem]) throws -> [QueryAnswer.Citation] {
    let documents = items.compactMap { item -> Archive.FoundDocument? in
      if case .entry(let entry) = item { .init(document: entry.id, score: 0) } else { nil }
    }
    var request = SearchRequest(query: "")
    request.homeZone = zone
    let hits = try archive.hits(
      of: documents, request, words: WordQuery(terms: []), expand: { _ in [] })
    let records = items.compactMap { item -> QueryAnswer.Citation? in
      switch item {
      case .entry: return nil
      case .day(let day, _): return .init(type: "day", day: day, text: "")
      case .record(let record):
        let type: String =
          switch record.kind {
          case .meetings: "meeting"
          case .goals: "goal"
          case .terms: "term"
          case .people: "person"
          default: "note"
          }
        return .init(type: type, id: record.id, day: record.days?.lowerBound, text: record.title)
      }
    }
    return hits.map {
      .init(type: $0.type.rawValue, id: $0.id, day: $0.dayKey, text: $0.snippet.text)
    } + records
  }
}

/// The answer to a query.
package struct QueryAnswer: Sendable {
  package struct Citation: Sendable {
    package var type: String
    package var id: UUID?
    package var day: DayKey?
    package var text: String
  }

  /// The answer in words, with at most one caveat.
  package let sentence: String
  package let citations: [Citation]
  /// The total number of entries that support the answer.
  package let citationCount: Int
  package let json: JSON

  init(_ outcome: QueryOutcome, citations: [Citation]) {
    sentence = QueryRealizer(outcome).text
    self.citations = citations
    citationCount = outcome.citationCount
    json = [
      "answer": .string(sentence), "fold": .string(outcome.query.fold.rawValue),
      "unit": JSON(outcome.unit), "query": outcome.query.json,
      "rows": .array(outcome.rows.map(\.json)), "rowCount": JSON(outcome.rowCount),
      "items": JSON(outcome.itemCount), "measured": JSON(outcome.measured),
      "grounded": .array(outcome.groundings.map(\.json)), "caveat": JSON(outcome.caveats.first),
      "citations": .array(
        citations.map {
          [
            "type": .string($0.type), "id": JSON($0.id?.uuidString), "dayKey": JSON($0.day),
            "snippet": .string($0.text),
          ]
        }), "citationCount": JSON(outcome.citationCount),
    ]
  }
}

extension QueryOutcome.Row {
  fileprivate var json: JSON {
    let told: JSON =
      switch value {
      case .number(let number): JSON(InsightText.rounded(number))
      case .text(let text): .string(text)
      case .day(let day): JSON(day)
      case .flag(let isSo): .bool(isSo)
      }
    var object: JSONObject = ["value": told]
    if let key { object["label"] = .string(key) }
    if let days { (object["from"], object["to"]) = (JSON(days.lowerBound), JSON(days.upperBound)) }
    object["count"] = JSON(count)
    return .object(object)
  }
}

/// The records of an archive besides activities and days, for queries.
struct ArchiveRecords: QueryRecords {
  let archive: Archive
  let zone: Zone

  func rows(from source: String) throws -> Set<Int64> {
    try archive.documents(from: ActivitySource(rawValue: source))
  }

  func records(_ kind: Query.ItemKind) throws -> [QueryRecord] {
    switch kind {
    case .entries, .days: []
    case .meetings: try meetings()
    case .notes: try notes()
    case .promises: try promises()
    case .decisions:
      try archive.decisions(with: nil).map {
        QueryRecord(
          kind: kind, id: $0.noteID, line: $0.line, title: $0.text, text: "\($0.text)\n\($0.title)",
          days: $0.day...$0.day)
      }
    case .goals:
      try archive.goals().map { goal in
        let texts = [goal.title, goal.description, goal.notes, goal.howGoalIsRelevant]
        let days = [goal.startDate, goal.targetDate].compactMap(\.self)
        return QueryRecord(
          kind: kind, id: goal.id, title: goal.title, text: Self.text(texts),
          days: days.min().flatMap { first in days.max().map { first...$0 } })
      }
    case .terms:
      try archive.terms().map { term in
        let title = term.theme.flatMap { $0.isEmpty ? nil : $0 } ?? "\(term.termNumber)"
        return QueryRecord(
          kind: kind, id: term.id, title: title,
          text: Self.text([title, term.description, term.notes, term.reflection]),
          days: term.startDate...max(term.startDate, term.targetDate))
      }
    case .people:
      try archive.people().map { person in
        let names = [person.displayName] + person.aliases
        return QueryRecord(
          kind: kind, id: person.id, title: person.displayName,
          text: Self.text(names + [person.relationshipSummary]),
          people: names.map { .init(name: $0, role: .any) })
      }
    }
  }

  private static func text(_ parts: [String?]) -> String {
    parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func meetings() throws -> [QueryRecord] {
    var filter = MeetingFilter()
    (filter.includesDropped, filter.isAttended, filter.limit) = (false, true, .max)
    return try archive.meetings(filter).map { entry in
      let activity = entry.activity
      let texts = [
        activity.text, activity.notes, entry.meeting.purpose, entry.meeting.outcomes,
        entry.meeting.summary,
      ]
      return QueryRecord(
        kind: .meetings, id: entry.id, title: entry.title, text: Self.text(texts),
        days: activity.dayKey...activity.dayKey,
        startMinute: entry.meeting.isAllDay || activity.isAllDay
          ? nil : activity.startAt.map { activity.zone.wallTime(at: $0).secondOfDay / 60 },
        minutes: activity.duration,
        lastsWholeDays: activity.durationMinutes == nil
          && (entry.meeting.isAllDay || activity.isAllDay), measurements: activity.measurements,
        people: entry.invited.filter(\.isPresent).map {
          .init(name: $0.name, role: $0.isOrganizer ? .organizer : .attendee)
        }, place: activity.locationLabel, tags: activity.tags,
        activityKind: activity.kind.rawValue)
    }
  }

  private func notes() throws -> [QueryRecord] {
    var filter = NoteFilter()
    filter.limit = .max
    return try archive.datedNotes(filter).map { note, shown in
      // A note without a day of its own or a meeting is of the day it was written at home.
      let isFree = note.dayKey == nil && note.meetingID == nil
      let day = isFree ? zone.dayKey(at: note.createdAt) : shown
      return QueryRecord(
        kind: .notes, id: note.id, title: note.headline, text: Self.text([note.title, note.text]),
        days: day...day,
        people: note.people.map { .init(name: $0.name, role: .any) }, tags: note.tags)
    }
  }

  private func promises() throws -> [QueryRecord] {
    var filter = PromiseFilter()
    (filter.includesDone, filter.limit) = (true, .max)
    return try archive.promises(filter).map { stored in
      QueryRecord(
        kind: .promises, id: stored.noteID, line: stored.promise.line, title: stored.promise.text,
        text: Self.text([stored.promise.text, stored.noteTitle, stored.meetingTitle]),
        days: stored.noteDay...stored.noteDay,
        people: (stored.owner.map { [.init(name: $0, role: .owner)] } ?? [])
          + stored.to.map { .init(name: $0.name, role: .recipient) }, isDone: stored.promise.isDone)
    }
  }
}
