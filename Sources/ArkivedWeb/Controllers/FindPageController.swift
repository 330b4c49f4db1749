import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of answers: `/ask`.
struct FindPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines
  let pages: Pages
  /// True if a model may phrase the answer.
  private var hasModel: Bool {
    (try? archive.home.flatMap { try ModelSettings.read(in: $0) }) != nil
  }

  static let pageSize = 30

  func addRoutes(to router: Router<WebContext>) {
    router.get("/ask", use: ask)
  }

  private var hits: HitContext { HitContext(archive: archive, zone: zone) }

  // MARK: Ask

  @Sendable func ask(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let question = fields.text("question") ?? ""
    let after = fields.text("after").flatMap { PageCursor($0) }
    // These are the parts of the interpretation that the user removed.
    let removed = fields.all("without").filter { !$0.isEmpty }.prefix(50).map(\.self)
    var context: [String: Any] = [
      "question": FormValue(question), "hasAnswer": false, "hasRows": false, "hasUnderstood": false,
      "hasIgnored": false, "hasCitations": false, "isUncited": false,
      "hasReadings": false, "examples": question.isEmpty ? try await examples() : [],
      "idempotencyKey": archive.identities.next().uuidString, "streams": hasModel,
    ]
    var known: ChangeFeed.Known?
    if !question.isEmpty {
      let (newest, told, large) = try await offServer {
        let newest = try archive.newestChange()
        let found = try found(for: question, without: Set(removed), after: after)
        return (newest, found, try hits.largeDays(found.page.items))
      }
      known = .upTo(newest)
      let link = AskLink(question: question, removed: removed)
      add(told.answer, told.page, link, isFirst: after == nil, large: large, to: &context)
    }
    return try pages.page(
      "ask",
      title: question.isEmpty ? said("Ask") : said("Ask: \(ClippedText.of(question, limit: 60))"),
      section: .assistant, known: known, context)
  }

  /// Answers a question, with the page of its citations after a cursor.
  private func found(
    for question: String, without removed: Set<String>, after: PageCursor?
  ) throws -> (answer: Answer, page: CursorPage<SearchHit>) {
    let engine = AskEngine(archive: archive, zone: zone, timelines: timelines)
    var answer: Answer?
    let page = try ListPage(limit: Self.pageSize, after: after)
      .items(id: { $0.id }) { limit, offset -> [SearchHit] in
        let read = try engine.answer(
          question, without: removed, citationLimit: limit, citationOffset: offset)
        answer = read
        return read.citations
      }
    guard let answer else { throw CancellationError() }
    return (answer, page)
  }

  private static let exampleCount = 10

  private func examples() async throws -> [[String: String]] {
    try await offServer {
      try ExamplePrompts(for: archive, zone: zone).few(Self.exampleCount)
    }.map { ["label": $0, "href": "/ask?question=\(URLText.escaped($0))"] }
  }

  private func add(
    _ answer: Answer, _ page: CursorPage<SearchHit>, _ link: AskLink, isFirst: Bool,
    large: Set<DayKey>, to context: inout [String: Any]
  ) {
    let computed = answer.computed
    context["hasAnswer"] = true
    context["answer"] = ClippedText.of(answer.sentence, limit: 2_000)
    if ["count", "sum", "average"].contains(computed.kind), computed.values.count == 1,
      let value = computed.values.first?.double
    {
      context["valueText"] = AmountText.shown((value * 100).rounded() / 100)
      if let unit = computed.unit { context["valueUnit"] = saidWhole(unit) }
    }
    context["isUncited"] =
      computed.kind != "none" && page.items.isEmpty && !computed.isOfDays
    if let chart = BarChart(computed) {
      context["hasRows"] = true
      context["rows"] = chart.rows
    }
    let understood = computed.question.parts.map { part in
      [
        "role": part.role, "label": ClippedText.of(part.label, limit: 200),
        "removeHref": link.href(removing: part.key),
      ]
    }
    context["hasUnderstood"] = !understood.isEmpty || !link.removed.isEmpty
    context["understood"] = understood
    context["removed"] = link.removed.map { key in
      [
        "label": ClippedText.of(String(key.drop { $0 != ":" }.dropFirst()), limit: 200),
        "restoreHref": link.href(restoring: key),
      ]
    }
    let others = computed.question.otherReadings
    context["hasReadings"] = !others.isEmpty
    context["readings"] = others.map {
      [
        "label": ClippedText.of($0.label, limit: 200),
        "href": AskLink(question: $0.question, removed: []).href(),
      ]
    }
    let unused = computed.ignored.filter { !computed.uncertain.contains($0) }
    for (name, list) in [("Ignored", unused), ("Uncertain", computed.uncertain)] {
      context["has\(name)"] = !list.isEmpty
      context[name.lowercased()] = list.prefix(100).map {
        ["label": ClippedText.of($0, limit: 200)]
      }
    }
    context["hasCitations"] = !page.items.isEmpty
    let shown = page.items.count
    let offset = isFirst ? 0 : max(0, (page.next?.offset ?? answer.citationCount) - shown)
    context["citationLine"] =
      offset == 0 && shown == answer.citationCount
      ? "\(shown)" : said("\(offset + 1)–\(offset + shown) of \(answer.citationCount)")
    context["citations"] = page.items.map { hit in
      var citation = hits.context(hit, large)
      citation["citationDayKey"] = hit.dayKey.description
      citation["citationDayLabel"] = EntryContext.dayLabel(hit.dayKey)
      citation["whyText"] = nil
      return citation
    }
    if let next = page.next { context["moreHref"] = link.href(after: next) }
  }
}

/// The link to a question's answer.
struct AskLink {
  let question: String
  /// The keys of the parts that the user removed.
  let removed: [String]

  func href(after cursor: PageCursor? = nil) -> String { href(removed, after: cursor) }
  func href(removing key: String) -> String { href(removed + [key]) }
  func href(restoring key: String) -> String { href(removed.filter { $0 != key }) }

  private func href(_ removed: [String], after cursor: PageCursor? = nil) -> String {
    var href = "/ask?question=\(URLText.escaped(question))"
    for key in removed { href += "&without=\(URLText.escaped(key))" }
    return cursor.map { "\(href)&after=\($0.text)" } ?? href
  }
}

/// A series of numbers as a bar chart of fixed width, drawn without styles because the pages'
/// security policy forbids inline ones.
struct BarChart {
  let rows: [[String: Any]]
  /// The maximum number of bars in a small chart.
  private static let limit = 60
  private static let width = 100.0

  /// Returns “March 2025” for 2025-03, and other labels unchanged.
  private static func shown(_ label: String) -> String {
    let parts = label.split(separator: "-")
    guard label.utf8.count == 7, parts.count == 2, parts[0].utf8.count == 4,
      let month = Int(parts[1]), (1...12).contains(month)
    else { return saidWhole(label) }
    return "\(MonthName.shown[month - 1]) \(parts[0])"
  }

  /// Creates a chart.
  ///
  /// - Returns: nil if the answer isn't a series.
  init?(_ answer: TimelineAnswer) { self.init(series: answer.series) }

  /// Creates the chart of an answer that a conversation stores.
  init?(stored answer: JSON) {
    self.init(
      series: TimelineAnswer.series(
        answer["values"]?.array ?? [], (answer["labels"]?.array ?? []).compactMap(\.string)))
  }

  private init?(series: [(label: String, value: Double)]) {
    guard series.count > 1, series.count <= Self.limit else { return nil }
    let largest = series.map { abs($0.value) }.max() ?? 0
    guard largest > 0 else { return nil }
    rows = series.map { label, value in
      let length = (abs(value) / largest * Self.width * 10).rounded() / 10
      return [
        "rowLabel": ClippedText.of(Self.shown(label), limit: 80),
        "rowValue": AmountText.shown((value * 100).rounded() / 100),
        "barWidth": AmountText.plain(length),
      ]
    }
  }
}
