import ArkivedCore
import ArkivedStore
import Foundation

/// The archive's data about the days of a calendar page.
enum CalendarContent: Sendable {
  case days([DaySummary])
  case week([DaySummary], [DayPart])
  case months([MonthSummary])
}

/// A calendar page for its template.
struct CalendarPage {
  /// The values that determine the shades of days.
  enum Shown: String, CaseIterable, Sendable {
    case entries, mood, energy

    // words: Entries | Mood | Energy
    var label: String { saidWhole(EntryContext.capitalised(rawValue)) }
  }

  let span: CalendarSpan
  let shown: Shown
  let today: DayKey
  let firstWeekday: Weekday
  /// The range of days with content; nil in an empty archive.
  let written: ClosedRange<DayKey>?
  let content: CalendarContent
  /// The pictures by day, if they are shown.
  let pictures: [DayKey: [Attachment]]

  /// The maximum number of entries shown for a day of a week.
  static let weekLimit = 8
  /// The maximum number of pictures shown for a day of a week.
  static let weekPictureLimit = 4

  private var days: ClosedRange<DayKey> { span.days(firstWeekday: firstWeekday) }

  /// The years of the page, without those before the first day with content and after the last or today.
  private var yearsShown: ClosedRange<Int> {
    let all = days.lowerBound.year...days.upperBound.year
    guard let written else { return all }
    let first = max(all.lowerBound, min(written.lowerBound.year, today.year))
    let last = min(all.upperBound, max(written.upperBound.year, today.year))
    return first <= last ? first...last : all
  }

  /// Returns whether turning the page can show something: only pages of years end with the archive.
  private func hasYears(before: Bool) -> Bool {
    guard case .years = span, let written else { return true }
    return before
      ? written.lowerBound.year < days.lowerBound.year
      : max(written.upperBound.year, today.year) > days.upperBound.year
  }

  /// The title, as in "March 2026", "9 – 15 March 2026", "2026" or "2015–2026".
  var title: String {
    switch span {
    case .years:
      yearsShown.count == 1
        ? "\(yearsShown.lowerBound)" : "\(yearsShown.lowerBound)–\(yearsShown.upperBound)"
    case .week, .month, .year: SpanText.shownDays(days)
    }
  }

  var context: [String: Any] {
    var context: [String: Any] = [
      "title": title, "unit": span.unit, "isWeek": false, "isMonth": false, "isYear": false,
      "isYears": false, "day": span.day.description,
      "units": CalendarSpan.units.compactMap { unit -> [String: Any]? in
        guard let other = CalendarSpan(unit: unit, around: span.day) else { return nil }
        return [
          // words: Week | Month | Year | Years
          "label": saidWhole(EntryContext.capitalised(unit)), "href": href(other),
          "isCurrent": unit == span.unit,
        ]
      },
      "views": Shown.allCases.map { view in
        [
          "label": view.label, "href": href(span, view), "isCurrent": view == shown,
        ] as [String: Any]
      },
      "weekdays": CalendarSpan.weekdays(from: firstWeekday).map {
        [
          "name": $0.shownName, "short": Language.current.short($0),
          "initial": String($0.shownName.prefix(1)),
        ]
      },
      "legend": legend, "isShaded": shown == .entries, "isEmpty": written == nil,
      "refreshHref": href(span), "showValue": shown.rawValue,
      "markdownHref": MarkdownController.href(days),
      "markdownLabel": saveLabel,
      "posterHref": "/calendar/poster?day=\(span.day)&show=\(shown.rawValue)",
    ]
    if let earlier = span.moved(by: -1), hasYears(before: true) {
      context["previousHref"] = href(earlier)
      context["previousLabel"] = moveLabels.before
    }
    if let later = span.moved(by: 1), hasYears(before: false) {
      context["nextHref"] = href(later)
      context["nextLabel"] = moveLabels.after
    }
    if !days.contains(today), let now = CalendarSpan(unit: span.unit, around: today) {
      context["todayHref"] = href(now)
    }
    switch content {
    case .months(let months):
      context["isYears"] = true
      context["monthNames"] = MonthName.shown.map { ["short": String($0.prefix(3)), "name": $0] }
      context["years"] = years(months)
    case .week(let summaries, let parts):
      context["isWeek"] = true
      let known = byDay(summaries)
      context["days"] = parts.map { weekDay($0, known[$0.dayKey]) }
    case .days(let summaries):
      let known = byDay(summaries)
      let scale = Scale(summaries.map(\.entryCount))
      if case .year = span {
        context["isYear"] = true
        context["months"] = months(known, scale)
      } else {
        context["isMonth"] = true
        context["weeks"] = weeks(of: span.day, known, scale)
      }
    }
    return context
  }

  private var saveLabel: String {
    switch span {
    case .week: said("Save this week as Markdown")
    case .month: said("Save this month as Markdown")
    case .year: said("Save this year as Markdown")
    case .years: said("Save these years as Markdown")
    }
  }

  private var moveLabels: (before: String, after: String) {
    switch span {
    case .week: (said("Previous week"), said("Next week"))
    case .month: (said("Previous month"), said("Next month"))
    case .year: (said("Previous year"), said("Next year"))
    case .years: (said("Previous years"), said("Next years"))
    }
  }

  private func byDay(_ summaries: [DaySummary]) -> [DayKey: DaySummary] {
    Dictionary(summaries.map { ($0.dayKey, $0) }) { first, _ in first }
  }

  private func href(_ span: CalendarSpan, _ view: Shown? = nil) -> String {
    let view = view ?? shown
    return "/calendar?of=\(span.unit)&day=\(span.day)"
      + (view == .entries ? "" : "&show=\(view.rawValue)")
  }

  private var legend: [[String: String]] {
    switch shown {
    case .entries:
      [
        ("0", said("none")), ("1", said("few")), ("2", said("some")), ("3", said("many")),
        ("4", said("most")),
      ].map {
        ["tone": "heat-\($0.0)", "label": $0.1]
      }
    case .mood, .energy:
      (1...5).map { ["tone": "level-\($0)", "label": "\($0)"] }
    }
  }

  // MARK: Cells

  /// A scale for the number of entries in a day relative to the other days shown.
  struct Scale {
    /// The count above which a day is among the fullest tenth.
    private let full: Int

    init(_ counts: [Int]) {
      let sorted = counts.filter { $0 > 0 }.sorted()
      full = sorted.isEmpty ? 1 : max(1, sorted[min(sorted.count - 1, sorted.count * 9 / 10)])
    }

    /// Returns 0 for none, otherwise 1 to 4.
    func level(_ count: Int) -> Int {
      count <= 0 ? 0 : min(4, 1 + (count - 1) * 4 / full)
    }
  }

  private func tone(_ summary: DaySummary?, _ scale: Scale) -> String {
    switch shown {
    case .entries: "heat-\(scale.level(summary?.entryCount ?? 0))"
    case .mood: summary?.mood.map { "level-\($0)" } ?? "heat-0"
    case .energy: summary?.energy.map { "level-\($0)" } ?? "heat-0"
    }
  }

  /// Returns the contents of a day, in words.
  private func told(_ summary: DaySummary?) -> String {
    guard let summary else { return said("nothing") }
    let (entries, meetings) = (summary.entryCount, summary.meetingCount)
    let (photos, pins) = (summary.photoCount, summary.pinCount)
    let told: [String?] = [
      entries == 0 ? nil : said(entries, one: "\(entries) entry", other: "\(entries) entries"),
      summary.hasNote ? said("a note") : nil,
      summary.mood.map { said("mood \($0) of 5") },
      summary.energy.map { said("energy \($0) of 5") },
      meetings == 0
        ? nil : said(meetings, one: "\(meetings) meeting", other: "\(meetings) meetings"),
      photos == 0 ? nil : said(photos, one: "\(photos) photo", other: "\(photos) photos"),
      pins == 0 ? nil : said("\(pins) pinned"),
    ]
    let parts = told.compactMap(\.self)
    return parts.isEmpty ? said("nothing") : parts.joined(separator: ", ")
  }

  private func cell(_ day: DayKey, _ summary: DaySummary?, _ scale: Scale) -> [String: Any] {
    var context: [String: Any] = [
      "dayKey": day.description, "number": "\(day.day)", "tone": tone(summary, scale),
      "label": "\(EntryContext.dayLabel(day)): \(told(summary))", "isToday": day == today,
      "isAhead": day > today, "isDay": true, "hasPins": (summary?.pinCount ?? 0) > 0,
      "hasPhotos": (summary?.photoCount ?? 0) > 0, "hasNote": summary?.hasNote ?? false,
      "hasMeetings": (summary?.meetingCount ?? 0) > 0, "hasCount": (summary?.entryCount ?? 0) > 0,
      "count": "\(summary?.entryCount ?? 0)", "value": "",
    ]
    if let title = summary?.title, !title.isEmpty {
      context["dayTitle"] = ClippedText.of(title, limit: 60)
    } else {
      context["dayTitle"] = false
    }
    switch shown {
    case .entries: break
    case .mood: context["value"] = summary?.mood.map { "\($0)" } ?? ""
    case .energy: context["value"] = summary?.energy.map { "\($0)" } ?? ""
    }
    let picture = pictures[day]?.first.map { EntryFiles.thumbnail($0) }
    context["picture"] = picture ?? ""
    context["hasPicture"] = picture != nil
    // A picture is already visible.
    if picture != nil { context["hasPhotos"] = false }
    context["isBare"] = shown == .entries
    context["hasLevel"] = (context["value"] as? String)?.isEmpty == false
    return context
  }

  private func weeks(
    of day: DayKey, _ known: [DayKey: DaySummary], _ scale: Scale
  ) -> [[String: Any]] {
    CalendarSpan.weeks(ofMonth: day, firstWeekday: firstWeekday).map { week in
      ["cells": week.map { $0.map { cell($0, known[$0], scale) } ?? ["isDay": false] }]
    }
  }

  private func months(_ known: [DayKey: DaySummary], _ scale: Scale) -> [[String: Any]] {
    (1...12).compactMap { month in
      guard let first = DayKey(year: span.day.year, month: month, day: 1) else { return nil }
      return [
        "name": MonthName.shown[month - 1], "href": href(.month(first)),
        "weeks": weeks(of: first, known, scale),
      ]
    }
  }

  private func weekDay(_ part: DayPart, _ summary: DaySummary?) -> [String: Any] {
    let day = part.dayKey
    let entries = part.activities.map { activity -> [String: Any] in
      let id = activity.id.uuidString
      return [
        "time": activity.shownTimeText ?? "", "hasTime": activity.shownTimeText != nil,
        "text": ClippedText.of(activity.text, limit: 120), "kind": activity.kind.rawValue,
        "href": "/day/\(day)?at=\(id)#activity-\(id)", "isPinned": activity.isPinned,
      ]
    }
    let more = part.total - part.activities.count
    let (name, date) = (EntryContext.dayName(day), day.shownDayAndMonth)
    var context: [String: Any] = [
      "dayKey": day.description, "weekday": String(name.dropLast(date.count)), "date": date,
      "isToday": day == today,
      "told": told(summary), "entries": entries, "hasEntries": !entries.isEmpty,
      "hasMore": more > 0, "moreLabel": said(more, one: "1 more", other: "\(more) more"),
      "levels": DayContext.levels(part.entry), "hasLevels": !DayContext.levels(part.entry).isEmpty,
    ]
    let pictures = pictures[day] ?? []
    context["hasPictures"] = !pictures.isEmpty
    context["pictures"] = pictures.map {
      ["href": EntryFiles.thumbnail($0), "label": EntryFiles.pictureLabel($0)]
    }
    if let title = part.entry?.title ?? firstLine(part.entry?.note), !title.isEmpty {
      context["note"] = ClippedText.of(title, limit: 140)
    }
    return context
  }

  private func firstLine(_ note: String?) -> String? {
    note?.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  /// Returns the years, latest first, each with its twelve months.
  private func years(_ summaries: [MonthSummary]) -> [[String: Any]] {
    var known: [Int: MonthSummary] = [:]
    for summary in summaries { known[summary.year * 12 + summary.month - 1] = summary }
    let scale = Scale(summaries.map(\.entryCount))
    return yearsShown.reversed().map { year in
      let months = (0..<12).map { month in monthCell(year, month, known[year * 12 + month], scale) }
      let first = DayKey(year: year, month: 1, day: 1) ?? span.day
      let sum = (0..<12).reduce(0) { $0 + (known[year * 12 + $1]?.entryCount ?? 0) }
      return [
        "year": "\(year)", "href": href(.year(first)), "months": months,
        "sum": DayContext.grouped(Double(sum)), "isThisYear": year == today.year,
      ]
    }
  }

  private func monthCell(
    _ year: Int, _ month: Int, _ summary: MonthSummary?, _ scale: Scale
  ) -> [String: Any] {
    let first = DayKey(year: year, month: month + 1, day: 1) ?? span.day
    let mean = shown == .mood ? summary?.mood : summary?.energy
    let count = summary?.entryCount ?? 0
    var tone = "heat-\(scale.level(count))"
    var value = count == 0 ? "" : DayContext.grouped(Double(count))
    var label =
      count == 0
      ? said("no entries") : said(count, one: "\(value) entry", other: "\(value) entries")
    if shown != .entries {
      tone = mean.map { "level-\(Int($0.rounded()))" } ?? "heat-0"
      value = mean.map { AmountText.shown(($0 * 10).rounded() / 10) } ?? ""
      let days = (shown == .mood ? summary?.moodDays : summary?.energyDays) ?? 0
      switch (shown, value.isEmpty) {
      case (.mood, true): label = said("no mood recorded")
      case (.mood, false):
        label = said(days, one: "mood \(value), 1 day", other: "mood \(value), \(days) days")
      case (_, true): label = said("no energy recorded")
      case (_, false):
        label = said(
          days, one: "energy \(value), 1 day", other: "energy \(value), \(days) days")
      }
    }
    return [
      "href": href(.month(first)), "tone": tone, "value": value,
      "label": "\(MonthName.shown[month]) \(year): \(label)",
    ]
  }
}
