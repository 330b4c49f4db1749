import ArkivedAssistant
import ArkivedCore
import Foundation

/// The pages of insights, with the tabs that they share with the recap.
enum InsightTab: CaseIterable {
  case topic(InsightTopic), recap

  static var allCases: [InsightTab] { InsightTopic.allCases.map { .topic($0) } + [.recap] }

  var href: String {
    switch self {
    case .topic(.year): "/insights"
    case .topic(let topic): "/insights/\(topic.rawValue)"
    case .recap: "/recap"
    }
  }

  var label: String {
    switch self {
    case .topic(.measures): said("Measurements")
    // words: Year | Habits | Time | Places | Mood | Compare
    case .topic(let topic): saidWhole(EntryContext.capitalised(topic.rawValue))
    case .recap: said("Recap")
    }
  }

  /// Returns the tabs for the template.
  static func contexts(current: InsightTab) -> [[String: Any]] {
    allCases.map { tab in
      ["href": tab.href, "label": tab.label, "isCurrent": tab.href == current.href]
    }
  }
}

/// A report as shown on its page.
struct InsightPage {
  let report: InsightReport
  let question: InsightQuestion

  var context: [String: Any] {
    [
      "insightTabs": InsightTab.contexts(current: .topic(report.topic)),
      "title": report.title, "formAction": InsightTab.topic(report.topic).href,
      "choices": report.choices.map(choice), "hidden": hidden,
      "statements": report.statements.map { ["statement": ClippedText.of($0, limit: 600)] },
      "sections": report.sections.map(section), "hasSections": !report.sections.isEmpty,
    ]
  }

  private func choice(_ choice: InsightChoice) -> [String: Any] {
    [
      "choiceName": choice.name, "choiceLabel": choice.label,
      "options": choice.options.map { option in
        [
          "optionValue": FormValue(option.value),
          "optionLabel": ClippedText.of(option.label, limit: 60),
          "isChosen": option.value == choice.chosen,
        ] as [String: Any]
      },
    ]
  }

  /// The days of a span that is not one of the choices.
  private var hidden: [[String: String]] {
    guard case .days(let days) = question.span else { return [] }
    return [
      ["hiddenName": "from", "hiddenValue": days.lowerBound.description],
      ["hiddenName": "to", "hiddenValue": days.upperBound.description],
    ]
  }

  private func section(_ section: InsightReport.Section) -> [String: Any] {
    let file = "/insights/\(report.topic.rawValue)"
    let query = query(section)
    let hasChart = section.chart != nil
    var context: [String: Any] = [
      "sectionKey": section.key, "heading": ClippedText.of(section.heading, limit: 120),
      "hasNote": section.note != nil, "note": section.note ?? "",
      "hasChart": hasChart, "isList": section.isList, "isFold": !section.isList,
      "tableLabel": ClippedText.of(said("\(section.heading) in numbers"), limit: 140),
      "head": section.table.columns.map { column in
        ["columnLabel": ClippedText.of(column.heading, limit: 60), "isWide": column.isDetail]
          as [String: Any]
      },
      "rows": section.table.rows.map { row(section.table, $0) },
      "csvHref": "\(file).csv\(query)", "svgHref": "\(file).svg\(query)", "chartHTML": "",
      "isYear": false, "hasKey": false,
    ]
    guard let chart = section.chart else { return context }
    context["chartHTML"] = InsightDrawings(
      target: .page, title: Self.label(section, report, hasTable: true)
    ).html(chart)
    let key = Self.key(chart)
    context["hasKey"] = !key.isEmpty
    context["legend"] = key.map { ["keyTone": $0.tone, "keyLabel": $0.label] }
    if case .year = chart { context["isYear"] = true }
    return context
  }

  /// Returns the description of a chart, for people who cannot see it and for its file.
  static func label(
    _ section: InsightReport.Section, _ report: InsightReport, hasTable: Bool
  ) -> String {
    let name =
      report.sections.count > 1 || report.topic == .measures
      ? "\(report.title): \(section.heading)" : report.title
    let days = report.days.map { ", \(SpanText.shownDays($0))" } ?? ""
    return ClippedText.of(name + days, limit: 200)
      + (hasTable ? said("; the table below has the numbers") : "")
  }

  private static func key(_ chart: InsightChart) -> [(tone: String, label: String)] {
    switch chart {
    case .year(let pixels):
      return pixels.legend.enumerated().map { ("level\($0 + 1)", $1) } + [
        ("level0", said("nothing"))
      ]
    case .rows(let rows) where rows.isSigned:
      return [("accent", said("right: higher")), ("second", said("left: lower"))]
    case .rows(let rows) where rows.names.count > 1:
      return [
        ("accent", ClippedText.of(rows.names[0], limit: 60)),
        ("second", ClippedText.of(rows.names[1], limit: 60)),
      ]
    case .series(let series) where series.trend != nil:
      return [("accent", series.grain.manner), ("dash", said("trend (least squares)"))]
    default: return []
    }
  }

  /// Returns the current choice with the section, for files.
  private func query(_ section: InsightReport.Section) -> String {
    var pairs = report.choices.map { ($0.name, $0.chosen) }
    pairs += hidden.map { ($0["hiddenName"] ?? "", $0["hiddenValue"] ?? "") }
    pairs.append(("section", section.key))
    return "?" + pairs.map { "\($0.0)=\(URLText.escaped($0.1))" }.joined(separator: "&")
  }

  private func row(_ table: InsightTable, _ row: InsightTable.Row) -> [String: Any] {
    let link = row.subject.flatMap { href($0) }
    return [
      "rowLabel": ClippedText.of(row.values.first.map { $0.shown } ?? "", limit: 80),
      "hasHref": link != nil, "rowHref": link ?? "",
      "cells": zip(table.columns, row.values).dropFirst().map { column, value in
        let day = Self.day(value)
        return [
          "cell": ClippedText.of(column.shown(value), limit: 60), "isWide": column.isDetail,
          "isDay": day != nil, "dayISO": day?.description ?? "",
        ] as [String: Any]
      },
    ]
  }

  private static func day(_ value: InsightValue) -> DayKey? {
    if case .day(let day) = value { day } else { nil }
  }

  /// Returns the link of a row: to its day, or to a search within the report's days.
  private func href(_ subject: InsightTable.Subject) -> String? {
    func search(_ name: String, _ value: String, _ days: ClosedRange<DayKey>?) -> String {
      let range = days.map { "&from=\($0.lowerBound)&to=\($0.upperBound)" } ?? ""
      return "/search?\(name)=\(URLText.escaped(value))\(range)"
    }
    switch subject {
    case .day(let day): return "/day/\(day)"
    case .days(let days) where days.lowerBound == days.upperBound: return "/day/\(days.lowerBound)"
    case .days: return nil
    case .tag(let tag): return search("tag", tag, report.days)
    case .person(let person): return search("person", person, report.days)
    case .kind(let kind): return search("kind", kind, report.days)
    case .place(let place):
      let phrase = "\"" + place.replacing("\"", with: " ") + "\""
      return search("query", phrase, report.days)
    }
  }
}
