import ArkivedCore

/// Phrases a query's result in the current task's language.
struct QueryRealizer {
  let outcome: QueryOutcome
  private var query: Query { outcome.query }
  private var rows: [QueryOutcome.Row] { outcome.rows }

  /// The maximum number of values in a sentence; the others are counted.
  private static let shown = 10

  init(_ outcome: QueryOutcome) { self.outcome = outcome }

  /// The answer, and at most one caveat.
  var text: String {
    let caveat = outcome.caveats.first
    guard let row = rows.first else {
      if let caveat { return caveat }
      return outcome.itemCount == 0
        ? said("Nothing in the archive matches this question.")
        : said("\(items(outcome.itemCount)): too few for this answer.")
    }
    return ([sentence(row)] + (caveat.map { [$0] } ?? [])).joined(separator: " ")
  }

  private func sentence(_ row: QueryOutcome.Row) -> String {
    if query.fold == .trend { return trend(row) }
    if query.fold == .run, let group = query.group { return runs(row, group) }
    if query.group != nil { return series }
    switch query.fold {
    case .list: return query.target == .yesNo ? yesNo(row) : list
    case .count where query.target == .yesNo: return yesNo(row)
    case .count:
      guard query.target == .timeSpan else { return said("\(items(row.count)).") }
      let count = Int(row.value.number ?? 0)
      return said(count, one: "\(count) period.", other: "\(count) periods.")
    case .distinct: return said("\(different(Int(row.value.number ?? 0))).")
    case .sum: return said("Total: \(value(row)) (\(items(measured))).")
    case .mean: return said("Average: \(value(row)) (\(items(measured))).")
    case .median: return said("Median: \(value(row)) (\(items(measured))).")
    case .highest, .lowest, .first, .last, .nth: return joined(rows.map(placed)) + "."
    case .span:
      return said("\(days(row)), from \(first(row)) to \(last(row)).")
    case .gap:
      return said("Longest gap: \(days(row)), from \(first(row)) to \(last(row)).")
    case .run:
      return said("Longest streak: \(days(row)), from \(first(row)) to \(last(row)).")
    case .compare: return comparison
    case .share: return share
    case .trend: return trend(row)
    }
  }

  // MARK: Values

  private var measured: Int { outcome.measured ?? outcome.itemCount }

  private func value(_ row: QueryOutcome.Row) -> String { value(row.value) }

  private func value(_ value: QueryOutcome.Value) -> String {
    switch value {
    case .text(let text):
      query.target == .kind
        ? InsightText.kind(text) : Self.quoted(text, isName: query.target?.naming != nil)
    case .day(let day): day.shownPlainName
    case .flag(let isSo): isSo ? said("Yes") : said("No")
    case .number(let number): amount(number)
    }
  }

  private func amount(_ number: Double) -> String {
    guard let unit = outcome.unit, query.fold != .count, query.fold != .distinct else {
      return InsightText.number(number)
    }
    return (number < 0 ? "−" : "") + RecapText.amount(abs(number), unit)
  }

  /// Quotes the texts of entries, but not names.
  private static func quoted(_ text: String, isName: Bool) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return isName ? line : said("“\(line)”")
  }

  private func days(_ row: QueryOutcome.Row) -> String {
    let count = Int(row.value.number ?? 0)
    return InsightText.count(count, "day")
  }

  /// Describes a run: "Longest run: 7 weeks, from … to …".
  private func runs(_ row: QueryOutcome.Row, _ group: Query.Group) -> String {
    let count = Int(row.value.number ?? 0)
    let number = InsightText.count(count)
    let length =
      switch group {
      case .week: said(count, one: "\(number) week", other: "\(number) weeks")
      case .month: said(count, one: "\(number) month", other: "\(number) months")
      case .year: said(count, one: "\(number) year", other: "\(number) years")
      default: days(row)
      }
    return said("Longest streak: \(length), from \(first(row)) to \(last(row)).")
  }

  private func first(_ row: QueryOutcome.Row) -> String {
    row.days?.lowerBound.shownPlainName ?? "–"
  }

  private func last(_ row: QueryOutcome.Row) -> String {
    row.days?.upperBound.shownPlainName ?? "–"
  }

  /// Describes a number of items: "12 entries".
  private func items(_ count: Int) -> String {
    let number = InsightText.count(count)
    return switch query.source.kind {
    case .entries: said(count, one: "\(number) entry", other: "\(number) entries")
    case .days: said(count, one: "\(number) day", other: "\(number) days")
    case .meetings: said(count, one: "\(number) meeting", other: "\(number) meetings")
    case .notes: said(count, one: "\(number) note", other: "\(number) notes")
    case .promises: said(count, one: "\(number) promise", other: "\(number) promises")
    case .decisions: said(count, one: "\(number) decision", other: "\(number) decisions")
    case .goals: said(count, one: "\(number) goal", other: "\(number) goals")
    case .terms: said(count, one: "\(number) term", other: "\(number) terms")
    case .people: said(count, one: "\(number) person", other: "\(number) people")
    }
  }

  private func different(_ count: Int) -> String {
    let number = InsightText.count(count)
    return switch query.target {
    case .person: said(count, one: "\(number) person", other: "\(number) people")
    case .place: said(count, one: "\(number) place", other: "\(number) places")
    case .tag: said(count, one: "\(number) tag", other: "\(number) tags")
    case .kind: said(count, one: "\(number) kind", other: "\(number) kinds")
    case .thing, .name: said(count, one: "\(number) name", other: "\(number) names")
    default: said(count, one: "\(number) day", other: "\(number) days")
    }
  }

  private func yesNo(_ row: QueryOutcome.Row) -> String {
    row.count > 0 ? said("Yes, \(items(row.count)).") : said("No.")
  }

  // MARK: Lists and groups

  private func joined(_ texts: [String]) -> String {
    let shown = texts.prefix(Self.shown)
    let more = max(outcome.rowCount, texts.count) - shown.count
    let list = shown.joined(separator: "; ")
    return more > 0 ? said("\(list); and \(InsightText.count(more)) more") : list
  }

  private var list: String {
    if query.target == .timeSpan {
      return joined(
        rows.map { row in
          let days = days(row)
          return first(row) == last(row)
            ? first(row) : said("\(first(row)) to \(last(row)) (\(days))")
        }) + "."
    }
    if let naming = query.target?.naming {
      return joined(
        rows.map { row in
          naming == .thing || naming == .day || row.count < 2
            ? value(row) : "\(value(row)) (\(InsightText.count(row.count)))"
        }) + "."
    }
    return joined(rows.map(placed)) + "."
  }

  /// Describes a value with its day.
  private func placed(_ row: QueryOutcome.Row) -> String {
    var text = value(row)
    if let key = row.key {
      // A day's own figure is already identified by its date.
      let name = DayKey(key) != nil ? nil : Self.quoted(key, isName: query.target?.naming != nil)
      if let name { text = said("\(text): \(name)") }
    }
    guard let day = row.days?.lowerBound else { return text }
    if case .day = row.value { return text }
    return "\(text) (\(day.shownPlainName))"
  }

  private var series: String {
    // The first of an order is a single answer; the others would be another question.
    if query.limit == 1, query.order != nil, let row = rows.first {
      return "\(name(of: row)) (\(value(row)))."
    }
    return joined(rows.map { row in said("\(name(of: row)): \(value(row))") }) + "."
  }

  /// Returns a group's display name.
  func name(of row: QueryOutcome.Row) -> String {
    let key = row.key ?? ""
    guard let day = row.days?.lowerBound else {
      switch query.group {
      case .weekday:
        return Weekday.allCases.first { $0.name.lowercased() == key }?.shownName ?? key
      case .hour: return Int(key).map { RecapText.clock($0 * 60) } ?? key
      case .season:
        return switch key {
        case "spring": said("spring")
        case "summer": said("summer")
        case "autumn": said("autumn")
        default: said("winter")
        }
      case .kind: return InsightText.kind(key)
      default: return Self.quoted(key, isName: query.group != .thing)
      }
    }
    return switch query.group {
    case .month: "\(MonthName.shown[day.month - 1]) \(day.year)"
    case .year: "\(day.year)"
    case .week: said("week of \(day.shownPlainName)")
    default: day.shownPlainName
    }
  }

  // MARK: Comparisons

  private var comparison: String {
    guard rows.count == 3, let difference = rows[2].value.number else { return "" }
    let (one, other) = (side(rows[0]), side(rows[1]))
    let apart = side(QueryOutcome.Row(value: .number(abs(difference)), count: 0))
    if difference == 0 { return said("Both are the same: \(one).") }
    return difference > 0
      ? said("\(one) compared with \(other): \(apart) more.")
      : said("\(one) compared with \(other), a difference of \(apart).")
  }

  private func side(_ row: QueryOutcome.Row) -> String {
    let number = row.value.number ?? 0
    switch query.by {
    case .count: return items(Int(number))
    case .distinct: return different(Int(number))
    default: return amount(number)
    }
  }

  private var share: String {
    guard rows.count == 3, let share = rows[0].value.number else { return "" }
    let whole = rows[2].value.number ?? 0
    let told = query.by == .count ? InsightText.number(whole) : amount(whole)
    return said("\(RecapText.plain(share))%: \(side(rows[1])) out of \(told).")
  }

  private func trend(_ row: QueryOutcome.Row) -> String {
    guard rows.count == 3, let slope = row.value.number, let start = rows[1].value.number,
      let end = rows[2].value.number
    else { return "" }
    let (from, to) = (name(of: rows[1]), name(of: rows[2]))
    let (first, last) = (amount(start), amount(end))
    // A change too small to show in the figures counts as none.
    if slope == 0 || first == last {
      return said("No change: about \(first) from \(from) to \(to).")
    }
    return slope > 0
      ? said("Rising, from about \(first) (\(from)) to about \(last) (\(to)).")
      : said("Falling, from about \(first) (\(from)) to about \(last) (\(to)).")
  }
}
