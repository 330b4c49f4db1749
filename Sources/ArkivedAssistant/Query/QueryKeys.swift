import ArkivedCore

/// The groups to which items belong, each as a number, with their names.
///
/// Names of entries are already numbers in their table; each is looked up only once.
final class QueryKeys {
  let group: Query.Group
  private var names: [String] = []
  private var numbers: [String: Int] = [:]
  /// The numbers used here by table and by the table's own numbers; -1 if not yet assigned.
  private var known: [ObjectIdentifier: [Int]] = [:]

  init(_ group: Query.Group) { self.group = group }

  /// Calls a closure with the number of each of an item's groups.
  func each(_ item: QueryItem, _ body: (Int) -> Void) {
    if group.isOrdered {
      if let number = number(item) { body(number) }
    } else if case .entry(let entry) = item {
      let naming = self.naming
      guard let naming else { return body(number(entry, entry.textNumber) { entry.text }) }
      naming.each(entry.table, entry.ordinal) { inTable in
        body(number(entry, inTable) { naming.names(entry.table)[checked: inTable] ?? "" })
      }
    } else {
      for name in item.names(group) { body(number(name)) }
    }
  }

  private var naming: InsightEntries.Naming? {
    switch group {
    case .person: .person
    case .place: .place
    case .tag: .tag
    case .kind: .kind
    default: nil
    }
  }

  private func number(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  private func number(_ entry: TimelineEntry, _ inTable: Int, _ name: () -> String) -> Int {
    let table = ObjectIdentifier(entry.table)
    if let number = known[table]?[checked: inTable], number >= 0 { return number }
    let number = number(name())
    var row = known.removeValue(forKey: table) ?? []
    if row.count <= inTable {
      row += Array(repeating: -1, count: max(inTable + 1 - row.count, row.count))
    }
    row[inTable] = number
    known[table] = row
    return number
  }

  private func number(_ item: QueryItem) -> Int? {
    if group == .hour { return item.startMinute.map { $0 / 60 } }
    return item.day.flatMap(number(of:))
  }

  /// Returns the number of the group of time that contains a day.
  func number(of day: DayKey) -> Int? {
    switch group {
    case .day: day.daysSinceEpoch
    case .week: day.startOfWeek().daysSinceEpoch
    case .month: day.year * 12 + day.month - 1
    case .year: day.year
    case .weekday: day.weekday.rawValue
    case .season: Query.Season.allCases.firstIndex(of: Query.Season(month: day.month))
    default: nil
    }
  }

  /// Returns a group's name for programs: 2026-03, monday, 18, the name.
  func name(_ number: Int) -> String {
    switch group {
    case .day, .week: DayKey(clamping: number).description
    case .month: String(days(number)?.lowerBound.description.prefix(7) ?? "")
    case .year: String(number)
    case .weekday: QueryShape.weekdays[checked: number - 1] ?? ""
    case .hour: String(number)
    case .season: Query.Season.allCases[checked: number]?.rawValue ?? ""
    default: names[checked: number] ?? ""
    }
  }

  /// Returns the days of a group of time.
  func days(_ number: Int) -> ClosedRange<DayKey>? {
    switch group {
    case .day: return DayKey(clamping: number)...DayKey(clamping: number)
    case .week: return CalendarSpan.week(DayKey(clamping: number)).days()
    case .month:
      return DayKey(year: number / 12, month: number % 12 + 1, day: 1).map {
        CalendarSpan.month($0).days()
      }
    case .year: return DayKey(year: number, month: 1, day: 1).map { CalendarSpan.year($0).days() }
    default: return nil
    }
  }

  /// Returns the time group some groups later, or earlier if the count is negative.
  func advanced(_ number: Int, by count: Int) -> Int {
    number + (group == .week ? 7 * count : count)
  }

  /// Returns the number of time groups from one to another.
  func distance(_ first: Int, _ second: Int) -> Int {
    group == .week ? (second - first) / 7 : second - first
  }
}
