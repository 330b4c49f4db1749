import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the search: `/search`, and `/search/results` with the part that changes while a
/// person types.
struct SearchPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let indexes: SearchIndexes
  let status: IndexStatus
  let pages: Pages

  static let pageSize = 30

  func addRoutes(to router: Router<WebContext>) {
    router.get("/search", use: page)
    router.get("/search/results", use: results)
    router.get("/search/index", use: index)
  }

  private var hits: HitContext { HitContext(archive: archive, zone: zone) }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let found = try await found(fields)
    var all = found.context.merging(form(fields)) { $1 }
    all.merge(IndexLine(status.now).context) { $1 }
    all["isInvalid"] = found.context["queryError"] != nil
    return try pages.page(
      "search", title: title(fields), section: .search, known: found.known, all)
  }

  /// Returns the line about the progress of the indexes on its own.
  @Sendable func index(_ request: Request, context: WebContext) async throws -> Response {
    Response(html: try pages.html("index-status", IndexLine(status.now).context))
  }

  /// Returns the same results without the surrounding page.
  @Sendable func results(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    return Response(html: try pages.html("found", try await found(fields).context))
  }

  private func title(_ fields: FormFields) -> String {
    let query = fields.text("query") ?? ""
    return query.isEmpty ? said("Search") : said("Search: \(ClippedText.of(query, limit: 60))")
  }

  // MARK: The form

  private static let filterNames = ["from", "to", "kind", "source", "tag", "person"]

  private func form(_ fields: FormFields) -> [String: Any] {
    func choices(_ any: String, _ values: [(String, String)], _ chosen: String) -> [[String: Any]] {
      ([("", any)] + values).map {
        ["value": $0.0, "label": $0.1, "isSelected": $0.0 == chosen]
      }
    }
    return [
      "query": FormValue(fields["query"] ?? ""), "from": FormValue(fields["from"] ?? ""),
      "to": FormValue(fields["to"] ?? ""), "tag": FormValue(fields["tag"] ?? ""),
      "person": FormValue(fields["person"] ?? ""),
      "kindChoices": choices(
        said("Any kind"),
        ActivityKind.known.map {
          ($0.rawValue, saidWhole(EntryContext.capitalised($0.rawValue)))
        },
        fields["kind"] ?? ""),
      "sourceChoices": choices(
        said("Any source"), ActivitySource.known.map { ($0.rawValue, EntryContext.label($0)) },
        fields["source"] ?? ""),
    ]
  }

  // MARK: The results

  private struct Found {
    var context: [String: Any]
    /// The changes that the results include; nil if nothing could be searched for.
    var known: ChangeFeed.Known?
  }

  private func found(_ fields: FormFields) async throws -> Found {
    let filters = Self.filterNames.filter { fields.text($0) != nil }
    var context: [String: Any] = [
      "foundTitle": title(fields), "hasFilters": !filters.isEmpty, "hasSearched": false,
      "filterCount": "\(filters.count)", "hasResults": false, "days": [[String: Any]](),
      "clearHref": Self.href(query: fields["query"] ?? ""),
    ]
    do {
      let request = try SearchFields(
        fields, now: archive.clock.now, zone: zone, pageSize: Self.pageSize
      ).request
      // An operator that isn't followed by anything yet searches for nothing.
      let line = QueryLine(request.query)
      guard !line.words.isEmpty || !line.filters.isEmpty || request.hasFilters else {
        let newest = try await offServer { try archive.newestChange() }
        return Found(context: context, known: .upTo(newest))
      }
      let (newest, outcome, large) = try await offServer {
        let newest = try archive.newestChange()
        let outcome = try HybridSearch(archive: archive, zone: zone, indexes: indexes).search(
          request)
        return (newest, outcome, try hits.largeDays(outcome.hits))
      }
      add(outcome, fields, request, large: large, to: &context)
      return Found(context: context, known: .upTo(newest))
    } catch let failure as WebFailure {
      context["queryError"] = saidAgain(failure.detail)
      context["spokenLine"] = saidAgain(failure.detail)
      return Found(context: context)
    }
  }

  private static func href(query: String) -> String {
    "/search?query=\(URLText.escaped(query))"
  }

  private func add(
    _ outcome: HybridSearch.Outcome, _ fields: FormFields, _ request: SearchRequest,
    large: Set<DayKey>, to context: inout [String: Any]
  ) {
    let found = outcome.hits
    let offset = request.offset
    let isFull = !found.isEmpty && found.count == request.limit
    var line =
      found.isEmpty
      ? said("No entries")
      : offset > 0
        ? said("Entries \(offset + 1)–\(offset + found.count)")
        : isFull
          ? said("\(found.count) or more entries")
          : GoalWords.count(found.count, "entry", "entries")
    if outcome.isRelaxed, !found.isEmpty { line += said(" matching some of the words") }
    context["hasSearched"] = true
    context["resultLine"] = line
    context["spokenLine"] = found.isEmpty ? said("Nothing found") : line
    context["hasReading"] = !outcome.reading.isEmpty
    context["reading"] = outcome.reading.map { ["label": ClippedText.of($0, limit: 200)] }
    context["searchNotes"] = outcome.notes.prefix(5).map {
      ["sentence": ClippedText.of(saidAgain($0), limit: 200) + "."]
    }
    if let suggestion = outcome.suggestion {
      context["suggestion"] = ClippedText.of(suggestion, limit: 200)
      context["suggestionHref"] = Self.href(fields, query: suggestion)
    }
    context["hasResults"] = !found.isEmpty
    var order: [DayKey] = []
    var byDay: [DayKey: [[String: Any]]] = [:]
    for hit in found {
      if byDay[hit.dayKey] == nil { order.append(hit.dayKey) }
      byDay[hit.dayKey, default: []].append(hits.context(hit, large))
    }
    context["days"] = order.map { day in
      [
        "resultDayKey": day.description, "resultDayLabel": EntryContext.dayLabel(day),
        "hits": byDay[day] ?? [],
      ] as [String: Any]
    }
    if isFull {
      context["moreHref"] = Self.href(
        fields, query: fields.text("query"), offset: offset + found.count)
    }
  }

  /// Returns the address of a search with the same filters, each as often as it was given.
  private static func href(_ fields: FormFields, query: String?, offset: Int? = nil) -> String {
    var parts = query.map { ["query=\(URLText.escaped($0))"] } ?? []
    for name in filterNames + ["tags", "people", "mode", "limit"] {
      for value in fields.all(name) where value.contains(where: { !$0.isWhitespace }) {
        parts.append("\(name)=\(URLText.escaped(value))")
      }
    }
    if let offset { parts.append("offset=\(offset)") }
    return "/search?" + parts.joined(separator: "&")
  }
}
