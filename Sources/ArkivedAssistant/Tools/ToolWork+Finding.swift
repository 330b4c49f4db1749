import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

extension ToolWork {
  /// The number of meetings that a search counts at first.
  private static let countLimit = 500
  /// The maximum number of meetings that a search counts.
  private static let wideCountLimit = 10_000
  /// The maximum number of results among which entries are looked for first.
  private static let mixedLimit = 500

  private var search: HybridSearch {
    HybridSearch(archive: archive, zone: zone, indexes: box.indexes)
  }

  func searchActivities() throws -> JSON {
    let span = try arguments.span("startDate", "endDate", in: zone)
    let limit = arguments.int("limit") ?? 20
    var request = SearchRequest(
      query: try arguments.required("query"), from: span.from.map(TimeBound.day),
      to: span.to.map(TimeBound.day),
      tags: arguments.texts("tags").map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 },
      kinds: arguments.text("kind").map { [ActivityKind(rawValue: $0)] } ?? [],
      source: arguments.text("source").map(ActivitySource.init(rawValue:)),
      people: arguments.texts("people"), limit: min(limit * 3, Self.mixedLimit))
    var outcome = try search.search(request)
    let others = outcome.hits.filter { $0.type != .activity }.prefix(limit)
    // Notes and other items may have taken the places of entries.
    let isFull = outcome.hits.count >= request.limit
    if isFull, outcome.hits.count(where: { $0.type == .activity }) < limit {
      request.types = [.activity]
      request.limit = limit
      outcome = try search.search(request)
    }
    let hits = outcome.hits.filter { $0.type == .activity }.prefix(limit)
    let activities = Dictionary(
      try archive.activities(hits.map(\.id)).map { ($0.id, $0) }
    ) { first, _ in first }
    return [
      "results": .array(
        hits.compactMap { hit in
          activities[hit.id]?.toolSummary.adding([
            "snippet": .string(hit.snippet.text), "score": JSON(hit.score), "why": hit.why.json,
          ])
        }),
      "otherEntries": .array(others.map(\.json)), "reading": JSON(outcome.reading),
      "notes": JSON(outcome.notes),
    ]
  }

  func searchNotes() throws -> JSON {
    let span = try arguments.span("from", "to", in: zone)
    var request = SearchRequest(
      query: try arguments.required("query"), from: span.from.map(TimeBound.day),
      to: span.to.map(TimeBound.day), people: arguments.texts("people"),
      limit: arguments.int("limit") ?? 20)
    request.types = [.note, .day]
    let outcome = try search.search(request)
    let hits = outcome.hits.filter { $0.type == .note || $0.type == .day }
    return [
      "notes": .array(
        try hits.map { hit in
          try withBacklinks(hit.json, hit.type == .note ? .note(hit.id) : .day(hit.dayKey))
        }), "messages": JSON(outcome.notes),
    ]
  }

  func findMeetings() throws -> JSON {
    var filter = MeetingFilter()
    let span = try arguments.span("from", "to", in: zone)
    (filter.from, filter.to) = (span.from, span.to)
    filter.now = span.from.map { zone.start(of: $0) }
    let named = try arguments.texts("people").map { (name: $0, people: try whoMayBe($0)) }
    filter.anyOf = named.map { $0.people.map(\.id) }
    filter.limit = arguments.int("limit") ?? 20
    let several = named.filter { $0.people.count > 1 }.map { name, people -> JSON in
      ["name": .string(name), "people": .array(people.map(\.json))]
    }
    let namesakes: JSONObject = several.isEmpty ? [:] : ["namesakes": .array(several)]
    guard let query = arguments.text("query"), !query.isEmpty else {
      let found: JSON = [
        "meetings": .array(try archive.meetings(filter).map(meetingJSON)),
        "total": JSON(try archive.countMeetings(filter)),
      ]
      return found.adding(namesakes)
    }
    var request = SearchRequest(
      query: query, from: span.from.map(TimeBound.day), to: span.to.map(TimeBound.day),
      limit: Self.countLimit)
    request.meetings = MeetingConditions(groups: filter.anyOf)
    var all = try search.search(request).hits
    // Years of a weekly meeting are more, and each counts.
    if all.count >= request.limit {
      request.limit = Self.wideCountLimit
      all = try search.search(request).hits
    }
    let hits = all.filter { $0.type == .activity }
    let found = try hits.prefix(filter.limit).compactMap { hit in
      try archive.meeting(ofActivity: hit.id)
    }
    let result: JSON = [
      "meetings": .array(try found.map(meetingJSON)), "total": JSON(hits.count),
    ]
    return result.adding(namesakes)
  }

  /// Returns everybody that a name or an ID may refer to.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` if several names merely contain the words.
  private func whoMayBe(_ name: String) throws -> [Person] {
    do { return [try archive.person(named: name)] } catch let error as ArchiveError {
      guard case .ambiguous = error else { throw error }
      let called = try archive.people(called: name)
      guard !called.isEmpty else { throw error }
      return called
    }
  }

  func findPeople() throws -> JSON {
    let query = try arguments.required("query")
    let found = try archive.people(
      matching: query, order: .lastSeen, today: today, limit: arguments.int("limit") ?? 20)
    return [
      "people": .array(
        try found.map { try withBacklinks($0.json, .person($0.person.id)) }),
      "total": JSON(try archive.countPeople(matching: query)),
    ]
  }

  // MARK: Links

  /// The number of links shown with each result.
  private static let backlinks = 5

  /// Returns a result with the texts that link to it, if any.
  private func withBacklinks(_ json: JSON, _ subject: LinkSubject) throws -> JSON {
    let found = try archive.backlinks(to: subject, limit: Self.backlinks)
    return found.count == 0 ? json : json.adding(["backlinks": found.json])
  }

  private func meetingJSON(_ entry: MeetingEntry) throws -> JSON {
    try withBacklinks(entry.json, .entry(entry.id))
  }

  func prepareBrief() throws -> JSON {
    let entry = try archive.meeting(named: try arguments.required("meeting"), now: now)
    return try BriefEngine(archive: archive, zone: zone, retriever: SearchRetriever(search))
      .brief(of: entry).json
  }

  // MARK: Answers and looking back

  func ask() throws -> JSON {
    try AskEngine(archive: archive, zone: zone, timelines: box.timelines).answer(
      try arguments.required("question"), now: arguments.instant("now"),
      citationLimit: arguments.int("limit") ?? 50, progress: progress
    ).json
  }

  func query() throws -> JSON {
    try QueryEngine(
      archive: archive, zone: zone, timelines: box.timelines, indexes: box.indexes
    ).answer(.object(arguments.object), progress: progress).json
  }

  func summarizeDay() throws -> JSON { try recap(.day(try requiredDay("dayDate"))) }

  func weeklyRecap() throws -> JSON {
    try recap(.week(arguments.day("weekOf", in: zone) ?? today))
  }

  private func recap(_ span: RecapSpan) throws -> JSON {
    try ArchiveRecap(archive: archive, zone: zone, timelines: box.timelines)
      .recap(of: span, progress: progress).toolResult
  }
}
