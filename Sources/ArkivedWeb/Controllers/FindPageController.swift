import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages that find and answer: `/search` and `/ask`.
struct FindPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  static let pageSize = 30

  func addRoutes(to router: Router<WebContext>) {
    router.get("/search", use: search)
    router.get("/ask", use: ask)
  }

  // MARK: Search

  @Sendable func search(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    var context = form(fields)
    let query = fields["query"] ?? ""
    var known: ChangeFeed.Known?
    do {
      let request = try SearchFields(
        fields, now: archive.clock.now, zone: zone, pageSize: Self.pageSize
      ).request
      let hasSearched = fields.text("query") != nil || request.hasFilters
      context["hasSearched"] = hasSearched
      if hasSearched {
        let (newest, outcome, large) = try await offServer {
          let newest = try archive.newestChange()
          let outcome = try HybridSearch(archive: archive, zone: zone).search(request)
          return (newest, outcome, try largeDays(outcome.hits))
        }
        known = .upTo(newest)
        add(outcome, fields, offset: request.offset, large: large, to: &context)
      }
    } catch let failure as WebFailure {
      context["queryError"] = failure.detail
    }
    return try pages.page(
      "search", title: query.isEmpty ? "Search" : "Search: \(ClippedText.of(query, limit: 60))",
      section: .search, known: known, context)
  }

  private func form(_ fields: FormFields) -> [String: Any] {
    func choices(_ any: String, _ values: [(String, String)], _ chosen: String) -> [[String: Any]] {
      ([("", any)] + values).map {
        ["value": $0.0, "label": $0.1, "isSelected": $0.0 == chosen]
      }
    }
    let filters = ["from", "to", "kind", "source", "tag", "person"].filter {
      fields.text($0) != nil
    }
    var context: [String: Any] = [
      "query": FormValue(fields["query"] ?? ""), "from": FormValue(fields["from"] ?? ""),
      "to": FormValue(fields["to"] ?? ""), "tag": FormValue(fields["tag"] ?? ""),
      "person": FormValue(fields["person"] ?? ""),
      "kindChoices": choices(
        "Any kind",
        ActivityKind.known.map { ($0.rawValue, EntryContext.capitalised($0.rawValue)) },
        fields["kind"] ?? ""),
      "sourceChoices": choices(
        "Any source", ActivitySource.known.map { ($0.rawValue, EntryContext.label($0)) },
        fields["source"] ?? ""), "hasFilters": !filters.isEmpty,
      "clearHref": "/search?query=\(URLText.escaped(fields["query"] ?? ""))",
      "hasSearched": false, "hasResults": false, "days": [[String: Any]](),
    ]
    if !filters.isEmpty { context["filterCount"] = "\(filters.count)" }
    return context
  }

  private func add(
    _ outcome: HybridSearch.Outcome, _ fields: FormFields, offset: Int, large: Set<DayKey>,
    to context: inout [String: Any]
  ) {
    let hits = outcome.hits
    var line =
      hits.isEmpty
      ? "No entry"
      : "\(offset == 0 ? "" : "From the \(offset + 1)th: ")\(hits.count)"
        + "\(hits.count == Self.pageSize ? " or more" : "") "
        + (hits.count == 1 ? "entry" : "entries")
    if outcome.isRelaxed, !hits.isEmpty { line += " with some of the words" }
    if !outcome.reading.isEmpty {
      line += ", read as \(ClippedText.of(outcome.reading.joined(separator: "; "), limit: 300))"
    }
    context["resultLine"] = line
    context["tookText"] = "\(AmountText.plain((outcome.milliseconds * 10).rounded() / 10)) ms"
    context["hasResults"] = !hits.isEmpty
    var order: [DayKey] = []
    var byDay: [DayKey: [[String: Any]]] = [:]
    for hit in hits {
      if byDay[hit.dayKey] == nil { order.append(hit.dayKey) }
      byDay[hit.dayKey, default: []].append(hitContext(hit, large))
    }
    context["days"] = order.map { day in
      [
        "resultDayKey": day.description, "resultDayLabel": EntryContext.dayLabel(day),
        "hits": byDay[day] ?? [],
      ] as [String: Any]
    }
    if hits.count == Self.pageSize {
      context["moreHref"] = "/search?" + query(fields, offset: offset + hits.count)
    }
  }

  private func query(_ fields: FormFields, offset: Int) -> String {
    let names = ["query", "from", "to", "kind", "source", "tag", "person"]
    let kept = names.compactMap { name in
      fields.text(name).map { "\(name)=\(URLText.escaped($0))" }
    }
    return (kept + ["offset=\(offset)"]).joined(separator: "&")
  }

  /// The days of some entries that are shown in parts.
  private func largeDays(_ hits: [SearchHit]) throws -> Set<DayKey> {
    try archive.days(hits.map(\.dayKey), withMoreThan: DayContext.pageSize)
  }

  private func hitContext(_ hit: SearchHit, _ large: Set<DayKey>) -> [String: Any] {
    var context: [String: Any] = [
      "kind": hit.kind.flatMap { ActivityKind.known.contains($0) ? $0.rawValue : nil } ?? "other",
      "typeLabel": label(hit), "href": href(hit, large),
      "timeISO": hit.dayKey.description, "snippetHTML": HTMLText.marked(hit.snippet),
    ]
    if let start = hit.startAt {
      let wall = (Zone(hit.timeZone ?? "") ?? zone).wallTime(at: start)
      context["timeText"] = wall.clockText
      context["timeISO"] = String(wall.description.prefix(16))
    }
    var why: [String] = []
    if !hit.why.words.isEmpty { why.append("matched: \(hit.why.words.joined(separator: ", "))") }
    why += hit.why.filters
    if !why.isEmpty {
      context["whyText"] = ClippedText.of(why.joined(separator: " · "), limit: 300)
    }
    return context
  }

  private func href(_ hit: SearchHit, _ large: Set<DayKey>) -> String {
    hit.type == .activity
      ? EntryContext.href(hit.dayKey, hit.id, isLarge: large.contains(hit.dayKey))
      : "/day/\(hit.dayKey)" + (hit.type == .day ? "#note" : "")
  }

  private func label(_ hit: SearchHit) -> String {
    switch hit.type {
    case .activity:
      hit.kind.map { $0 == .other ? "Activity" : label($0) }
        ?? "Activity"
    case .day: "Day note"
    case .attachment: "Attachment"
    default: EntryContext.capitalised(hit.type.rawValue)
    }
  }

  private func label(_ kind: ActivityKind) -> String {
    EntryContext.capitalised(ClippedText.of(kind.rawValue, limit: 40))
  }

  // MARK: Ask

  @Sendable func ask(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let question = fields.text("question") ?? ""
    let offset = fields.text("offset").flatMap(Int.init).map { min(max($0, 0), 10_000_000) } ?? 0
    var context: [String: Any] = [
      "question": FormValue(question), "hasAnswer": false, "hasRows": false, "hasUnderstood": false,
      "hasIgnored": false, "hasCitations": false, "isUncited": false, "examples": examples,
    ]
    var known: ChangeFeed.Known?
    if !question.isEmpty {
      let (newest, answer, large) = try await offServer {
        let newest = try archive.newestChange()
        let answer = try AskEngine(archive: archive, zone: zone)
          .answer(question, citationLimit: Self.pageSize, citationOffset: offset)
        return (newest, answer, try largeDays(answer.citations))
      }
      known = .upTo(newest)
      add(answer, offset: offset, large: large, to: &context)
    }
    return try pages.page(
      "ask", title: question.isEmpty ? "Ask" : "Ask: \(ClippedText.of(question, limit: 60))",
      section: .ask, known: known, context)
  }

  private var examples: [[String: String]] {
    [
      "What did I do last week?", "What did I do with Alex last month?",
      "How many times did I run in March?", "When did I last see the sea?",
      "How many km did I run this year?",
    ].map { ["label": $0, "href": "/ask?question=\(URLText.escaped($0))"] }
  }

  private func add(
    _ answer: Answer, offset: Int, large: Set<DayKey>, to context: inout [String: Any]
  ) {
    context["hasAnswer"] = true
    context["answer"] = ClippedText.of(answer.sentence, limit: 2_000)
    if [.count, .sum].contains(answer.kind), let value = answer.values.first?.value.double {
      context["valueText"] = AmountText.plain(value)
      if let unit = answer.unit { context["valueUnit"] = unit }
    }
    context["isUncited"] = answer.kind != .none && answer.citations.isEmpty
    var understood: [[String: String]] = []
    if let days = answer.days {
      understood.append(["role": "time", "label": SpanText.days(days)])
    }
    for person in answer.question.people {
      understood.append([
        "role": "person", "label": person.candidates.map(\.name).joined(separator: " or "),
      ])
    }
    understood += answer.question.tags.map { ["role": "tag", "label": "#\($0)"] }
    understood += answer.question.kinds.map { ["role": "kind", "label": $0.rawValue] }
    understood += answer.question.words.map { ["role": "words", "label": $0] }
    if let measure = answer.question.measure {
      understood.append(["role": "measure", "label": measure])
    }
    context["hasUnderstood"] = !understood.isEmpty
    context["understood"] = understood.map {
      ["role": $0["role"] ?? "", "label": ClippedText.of($0["label"] ?? "", limit: 200)]
    }
    context["hasIgnored"] = !answer.ignored.isEmpty
    context["ignored"] = answer.ignored.prefix(100).map {
      ["label": ClippedText.of($0, limit: 200)]
    }
    context["hasCitations"] = !answer.citations.isEmpty
    let shown = answer.citations.count
    context["citationLine"] =
      offset == 0 && shown == answer.citationCount
      ? "\(shown)" : "\(offset + 1)–\(offset + shown) of \(answer.citationCount)"
    context["citations"] = answer.citations.map { hit in
      var citation = hitContext(hit, large)
      citation["citationDayKey"] = hit.dayKey.description
      citation["citationDayLabel"] = EntryContext.dayLabel(hit.dayKey)
      citation["whyText"] = nil
      return citation
    }
    if offset + shown < answer.citationCount, shown > 0 {
      context["moreHref"] =
        "/ask?question=\(URLText.escaped(answer.question.text))&offset=\(offset + shown)"
    }
  }
}
