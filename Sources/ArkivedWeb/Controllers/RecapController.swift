import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the recap: `/recap` and `/api/v1/recap`, each with `of` (day, week, month, year)
/// and `day`.
struct RecapController: Sendable {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines

  func addRoutes(to group: RouterGroup<WebContext>) { group.get("/recap", use: recap) }

  @Sendable func recap(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: ["of", "day"])
    let span = try span(request.fields)
    let cited = try await offServer {
      try ArchiveRecap(archive: archive, zone: zone, timelines: timelines).recap(of: span)
    }
    return Response(json: cited.json)
  }

  /// Returns the span in a query string, or this week if there is none.
  func span(_ fields: FormFields) throws -> RecapSpan {
    let day = try fields.day("day") ?? zone.dayKey(at: archive.clock.now)
    let unit = fields.text("of") ?? "week"
    guard let span = RecapSpan(unit: unit, around: day) else {
      throw WebFailure(
        .badRequest, "Invalid time span",
        "of is \(FieldError.shown(unit)), but must be day, week, month or year.", field: "of")
    }
    return span
  }
}

/// The page of the recap.
struct RecapPageController: Sendable {
  let recaps: RecapController
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) { router.get("/recap", use: page) }

  @Sendable func page(_ request: Request, context: WebContext) async throws -> Response {
    let span = try recaps.span(request.fields)
    let (newest, cited) = try await offServer {
      let newest = try recaps.archive.newestChange()
      let cited = try ArchiveRecap(
        archive: recaps.archive, zone: recaps.zone, timelines: recaps.timelines
      ).recap(of: span)
      return (newest, cited)
    }
    let recap = cited.recap
    let days = span.days
    var context: [String: Any] = [
      "insightTabs": InsightTab.contexts(current: .recap),
      "title": recap.title,
      "units": RecapSpan.units.compactMap { unit -> [String: Any]? in
        guard let other = RecapSpan(unit: unit, around: days.lowerBound) else { return nil }
        return [
          // words: Day | Week | Month | Year
          "label": saidWhole(unit.prefix(1).uppercased() + unit.dropFirst()),
          "isCurrent": unit == span.unit,
          "href": Self.href(other),
        ]
      },
      "sections": recap.sections.enumerated().map { index, section in
        [
          "isFirst": index == 0, "kind": section.kind, "heading": Self.headings[section.kind] ?? "",
          "hasHeading": Self.headings[section.kind] != nil,
          "statements": section.statements.map { statement($0, cited) },
        ] as [String: Any]
      },
      "charts": recap.series.compactMap(chart), "hasCharts": !recap.series.isEmpty,
    ]
    if let earlier = span.neighbour(-1) { context["previousHref"] = Self.href(earlier) }
    if let later = span.neighbour(1) { context["nextHref"] = Self.href(later) }
    return try pages.page(
      "recap", title: said("Recap: \(recap.title)"), section: .insights, known: .upTo(newest),
      context)
  }

  static func href(_ span: RecapSpan) -> String {
    "/recap?of=\(span.unit)&day=\(span.days.lowerBound)"
  }

  /// The headings of the sections that have one.
  private static var headings: [String: String] {
    [
      "highlights": said("Highlights"), "days": said("Days"), "people": said("People"),
      "places": said("Places"),
      "measures": said("In numbers"), "health": said("Health"), "mood": said("Mood"),
      "note": said("From the notes"),
      "firsts": said("New and returning"), "streaks": said("Streaks"),
      "ended": said("No longer coming up"),
      "past": said("On this day"), "ahead": said("Coming up"),
    ]
  }

  private func statement(_ statement: Recap.Statement, _ cited: ArchiveRecap.Cited)
    -> [String: Any]
  {
    let citations = statement.citations.map { citation -> [String: Any] in
      let day = citation.day
      switch citation {
      case .entry(let entry):
        let isActivity = cited.entries[entry.id]?.type == .activity
        let anchor = cited.entries[entry.id].map { "#activity-\($0.id.uuidString)" } ?? ""
        return [
          "day": EntryContext.dayLabel(day), "snippet": ClippedText.of(entry.text, limit: 120),
          "href": "/day/\(day)\(isActivity ? anchor : "#note")",
        ]
      case .day(_, _, let value):
        return [
          "day": EntryContext.dayLabel(day), "snippet": ClippedText.of(value, limit: 120),
          "href": "/day/\(day)",
        ]
      }
    }
    let more = statement.citationCount - citations.count
    return [
      "sentence": ClippedText.of(statement.sentence, limit: 2_000), "citations": citations,
      "hasCitations": !citations.isEmpty,
      "citationLabel":
        GoalWords.count(statement.citationCount, "entry", "entries"),
      "more": more > 0 ? said("and \(more) more") : "",
    ]
  }

  /// Returns a series as a bar chart, with days or months side by side.
  private func chart(_ series: Recap.Series) -> [String: Any]? {
    let values = series.points.compactMap(\.value)
    guard values.count > 1, let largest = values.max(), largest > 0 else { return nil }
    let step = 100 / Double(max(series.points.count, 1))
    func shown(_ number: Double) -> String { AmountText.plain((number * 100).rounded() / 100) }
    let known = series.unit.flatMap { UnitTable.standard.unit(named: $0) }
    let unit = series.unit.map { " \(saidWhole($0))" } ?? ""
    func told(_ number: Double) -> String {
      let rounded = (number * 100).rounded() / 100
      return known?.shownText(rounded) ?? AmountText.shown(rounded) + unit
    }
    let bars = series.points.enumerated().compactMap { index, point -> [String: String]? in
      guard let value = point.value, value > 0 else { return nil }
      let height = max(1, value / largest * 36)
      return [
        "x": shown(Double(index) * step + step * 0.1), "width": shown(step * 0.8),
        "y": shown(40 - height), "height": shown(height),
        "tip": "\(point.label): \(told(value))",
      ]
    }
    return [
      // words: Entries | Mood
      "name": saidWhole(series.name.prefix(1).uppercased() + series.name.dropFirst()),
      "bars": bars,
      "first": series.points.first?.label ?? "", "last": series.points.last?.label ?? "",
      "largest": told(largest),
    ]
  }
}
