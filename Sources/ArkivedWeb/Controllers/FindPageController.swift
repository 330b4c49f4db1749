import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page that answers: `/ask`.
struct FindPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  static let pageSize = 30

  func addRoutes(to router: Router<WebContext>) {
    router.get("/ask", use: ask)
  }

  private var hits: HitContext { HitContext(archive: archive, zone: zone) }

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
        return (newest, answer, try hits.largeDays(answer.citations))
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
      var citation = hits.context(hit, large)
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
