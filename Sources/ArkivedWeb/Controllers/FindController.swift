import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/search`, `/index`, `/complete`, `/ask`, `/query` and `/when`.
struct FindController: Sendable {
  let archive: Archive
  let zone: Zone
  let indexes: SearchIndexes
  let status: IndexStatus
  let timelines: ArchiveTimelines

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/search", use: search)
    group.get("/index", use: index)
    group.get("/complete", use: complete)
    group.post("/ask", use: ask)
    group.get("/query", use: querySchema)
    group.post("/query", use: query)
    group.get("/when", use: when)
  }

  @Sendable func search(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: SearchFields.names, lists: SearchFields.lists)
    let fields = request.fields
    let query = try SearchFields(fields, now: archive.clock.now, zone: zone).request
    let after: PageCursor?
    do throws(FieldError) {
      after = try ListPage.cursor(fields.text("after"), offset: query.offset)
    } catch {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
    let page = ListPage(limit: query.limit, offset: query.offset, after: after)
    let json = try await offServer { () throws -> JSON in
      let search = HybridSearch(archive: archive, zone: zone, indexes: indexes)
      guard query.limit > 0 else { return try search.search(query).json.with(["next": nil]) }
      var outcome: HybridSearch.Outcome?
      let found = try page.items(id: { $0.id }) { limit, offset -> [SearchHit] in
        var part = query
        (part.limit, part.offset) = (limit, offset)
        let read = try search.search(part)
        outcome = read
        return read.hits
      }
      outcome?.hits = found.items
      return outcome?.json.with(["next": found.nextJSON]) ?? .null
    }
    return Response(json: json)
  }

  /// Returns the progress of the indexes.
  @Sendable func index(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(json: ["index": status.now.json])
  }

  @Sendable func complete(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: ["query", "cursor"])
    let fields = request.fields
    let line = fields["query"] ?? ""
    var cursor: Int?
    if let text = fields.text("cursor") {
      guard let position = Int(text), position >= 0 else {
        throw WebFailure(
          .badRequest, "Invalid position",
          "cursor is \(FieldError.shown(text)), but must be a number of characters.",
          field: "cursor")
      }
      cursor = position
    }
    let offers = try await offServer { [cursor] in
      try HybridSearch(archive: archive, zone: zone, indexes: indexes).completions(
        of: line, at: cursor)
    }
    return Response(json: ["completions": .array(offers.map(\.json))])
  }

  @Sendable func ask(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 1 << 20)
    let answer: JSON = try await offServer {
      var fields = FieldReader(object)
      let question = try fields.required("question")
      let now = try fields.instant("now")
      let without = try fields.strings("without") ?? []
      let limit = try fields.int("limit") ?? 200
      guard (0...1_000).contains(limit) else {
        throw FieldError("limit", "must be 0 to 1000; it is \(limit)")
      }
      let offset = try fields.int("offset") ?? 0
      guard (0...10_000_000).contains(offset) else {
        throw FieldError("offset", "must be 0 to 10000000; it is \(offset)")
      }
      if let unknown = fields.unknownKeys.first {
        throw FieldError(unknown, "isn’t an argument of ask")
      }
      // The answer is in the language of the question.
      var preferences = ShownDates.preferences
      preferences.language = Preferences.Speech(AskEngine.language(of: question) ?? .english)
      return try ShownDates.$preferences.withValue(preferences) {
        try AskEngine(
          archive: archive, zone: zone, timelines: timelines, typed: archive.spokenLanguage
        )
        .answer(
          question, now: now, without: Set(without), citationLimit: limit, citationOffset: offset
        ).json
      }
    }
    return Response(json: answer)
  }

  /// Returns the JSON Schema of queries.
  @Sendable func querySchema(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return Response(json: QueryEngine.schema)
  }

  @Sendable func query(_ request: Request, context: WebContext) async throws -> Response {
    let query = try await request.jsonObject(limit: QueryEngine.sizeLimit)
    let answer = try await offServer {
      try QueryEngine(archive: archive, zone: zone, timelines: timelines, indexes: indexes)
        .answer(.object(query))
    }
    return Response(json: answer.json)
  }

  @Sendable func when(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: ["phrase"])
    let phrase = String((request.fields["phrase"] ?? "").prefix(10_000))
    let reader = TimeReader(now: archive.clock.now, zone: zone)
    let today = zone.dayKey(at: archive.clock.now)
    let terms = reader.mayNameTerms(phrase) ? try await offServer { try archive.terms() } : []
    let matches = reader.matches(in: phrase, terms: terms, today: today)
    return Response(json: ["matches": .array(matches.map(\.json))])
  }

}

/// A search as given in a query string.
struct SearchFields {
  let request: SearchRequest

  /// The fields that can be given several times.
  static let lists: Set = ["tag", "tags", "person", "people"]
  static let names = lists.union([
    "query", "from", "to", "kind", "source", "limit", "offset", "after",
    "mode",
  ])

  /// Parses a search.
  ///
  /// - Throws: `WebFailure` with the name of the field that can't be parsed.
  init(_ fields: FormFields, now: Instant, zone: Zone, pageSize: Int = 20) throws {
    func bound(_ name: String) throws -> TimeBound? {
      guard let text = fields.text(name) else { return nil }
      if let bound = TimeBound(text) { return bound }
      if let match = TimeReader(now: now, zone: zone).matches(in: text).first {
        return .day(name == "to" ? match.days.upperBound : match.days.lowerBound)
      }
      throw WebFailure(
        .badRequest, "Invalid time",
        "\(name) is \(FieldError.shown(text)), but must be a day such as 2026-03-14 or an instant.",
        field: name)
    }
    func number(_ name: String, _ fallback: Int, _ range: ClosedRange<Int>) throws -> Int {
      guard let text = fields.text(name) else { return fallback }
      guard let value = Int(text), range.contains(value) else {
        throw WebFailure(
          .badRequest, "Invalid number",
          "\(name) is \(FieldError.shown(text)), but must be \(range.lowerBound) to "
            + "\(range.upperBound).", field: name)
      }
      return value
    }
    var mode = SearchRequest.Mode.hybrid
    if let text = fields.text("mode") {
      guard let value = SearchRequest.Mode(rawValue: text) else {
        throw WebFailure(
          .badRequest, "Invalid mode",
          "mode is \(FieldError.shown(text)), but must be hybrid, words or meaning.", field: "mode")
      }
      mode = value
    }
    request = SearchRequest(
      query: fields["query"] ?? "", from: try bound("from"), to: try bound("to"),
      tags: (fields.all("tag") + fields.all("tags")).map {
        $0.hasPrefix("#") ? String($0.dropFirst()) : $0
      }, kinds: fields.text("kind").map { [ActivityKind(rawValue: $0)] } ?? [],
      source: fields.text("source").map(ActivitySource.init(rawValue:)),
      people: fields.all("person") + fields.all("people"),
      limit: try number("limit", pageSize, 0...1_000),
      offset: try number("offset", 0, 0...10_000_000), mode: mode)
  }
}
