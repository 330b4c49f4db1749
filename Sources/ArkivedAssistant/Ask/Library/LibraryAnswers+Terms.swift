import ArkivedCore
import ArkivedStore
import Foundation

/// Terms and values.
extension LibraryAnswers {
  // MARK: Terms

  func terms(_ query: LibraryQuery) throws -> Answer? {
    let all = try archive.terms().sorted { $0.startDate < $1.startDate }
    guard !all.isEmpty else { return nil }
    let asksForAll =
      query.fold == .list && query.number == nil
      && query.marks.isDisjoint(with: [.current, .next, .previous]) && !query.isOwn
    if asksForAll {
      let lines = all.suffix(6).reversed().map {
        "\(quoted($0.shownTitle)), \(SpanText.shownDays($0.days))"
      }
      let head = said(all.count, one: "1 term", other: "\(all.count) terms")
      return answer(
        "\(head): \(lines.joined(separator: "; ")).", "list", proof: all.reversed().map(hit),
        values: all.reversed().map { .string($0.title) })
    }
    guard let term = meant(by: query, all) else {
      let last = all.lastEnded(before: today)
      let rest = last.map {
        " "
          + said("The last one, \(quoted($0.shownTitle)), ended on \($0.targetDate.toldLongName).")
      }
      let sentence =
        query.number.map { said("I couldn’t find term \($0).") }
        ?? (query.marks.contains(.next)
          ? said("No upcoming term.")
          : query.marks.contains(.previous)
            ? said("No term has ended yet.") : said("No term is active today."))
      return refusal(sentence + (rest ?? ""))
    }
    let title = quoted(term.shownTitle)
    switch query.fold {
    case .start:
      return answer(
        today < term.startDate
          ? said("\(title) starts on \(term.startDate.toldLongName).")
          : said("\(title) started on \(term.startDate.toldLongName)."), "when", proof: [hit(term)],
        values: [JSON(term.startDate)])
    case .end:
      let days = today.distance(to: term.targetDate)
      let end = term.targetDate.toldLongName
      let left =
        days > 0
        ? said(days, one: "1 day left", other: "\(days) days left") : said("which is today")
      return answer(
        days < 0 ? said("\(title) ended on \(end).") : said("\(title) ends on \(end), \(left)."),
        query.isCount ? "count" : "when", proof: [hit(term)],
        values: query.isCount ? [JSON(max(0, days))] : [JSON(term.targetDate)],
        unit: query.isCount ? "days" : nil)
    default:
      return answer(
        "\(title), \(SpanText.shownDays(term.days)).", "list", proof: [hit(term)],
        values: [.string(term.title)])
    }
  }

  private func meant(by query: LibraryQuery, _ all: [Term]) -> Term? {
    if let number = query.number { return all.first { $0.termNumber == number } }
    if query.marks.contains(.next) { return all.next(after: today) }
    if query.marks.contains(.previous) { return all.lastEnded(before: today) }
    return all.active(on: today)
  }

  private func hit(_ term: Term) -> SearchHit {
    SearchHit(
      type: .term, id: term.id, dayKey: term.startDate, title: term.shownTitle,
      snippet: Snippet(text: term.shownTitle), score: 0, why: SearchHit.Reason())
  }

  // MARK: Values

  func values(_ query: LibraryQuery) throws -> Answer? {
    let all = try archive.values().filter(\.incentiveType.isValue)
      .sorted { ($0.priority, $0.title) < ($1.priority, $1.title) }
    guard !all.isEmpty else {
      return refusal(said("There are no values in your archive yet."))
    }
    let head = said(all.count, one: "1 value", other: "\(all.count) values")
    return answer(
      said(
        "\(head), most important first: \(RecapText.list(all.map { quoted($0.title) }))."),
      query.isCount ? "count" : "list",
      proof: all.map { value in
        SearchHit(
          type: .value, id: value.id, dayKey: zone.dayKey(at: value.logTime), title: value.title,
          snippet: Snippet(text: value.title), score: 0, why: SearchHit.Reason())
      }, values: query.isCount ? [JSON(all.count)] : all.map { .string($0.title) })
  }
}
