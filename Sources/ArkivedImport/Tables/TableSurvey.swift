import ArkivedCore

/// The facts about all rows of a table that are needed before the first can be read.
struct TableSurvey {
  let mapping: TableMapping
  private(set) var numbers = TableNumbers()
  /// The date fields with values that contain times other than midnight.
  private(set) var clocks: Set<TableField> = []
  /// The measure columns that contain only 0 and 1.
  private(set) var flags: Set<Int>
  /// The IDs that aren't unique.
  private(set) var ids: TableIDs
  /// The columns of people and tags with a value that contains `;` or `|`, so commas belong to names.
  private(set) var strongLists: Set<Int> = []
  /// True if the rows describe habits by a value.
  let isHabit: Bool

  private var dayFirst = 0
  private var monthFirst = 0
  private var isOpen = false
  /// The short dates of each column.
  private var shortDates: [Int: ShortDates] = [:]
  private var hasCompactDates = false
  private var longHours = false
  private var hasThreeParts = false
  private var hasTwoParts = false
  /// The values of moods and energy.
  private var levels: [TableField: TableLevels] = [:]
  /// The currencies of each measure column.
  private var currencies: [Int: Set<Character>] = [:]
  private let dates: [Int]
  private let amounts: [Int]
  private let lengths: [Int]
  private let measures: [Int]
  private let lists: [Int]

  init(_ mapping: TableMapping) {
    self.mapping = mapping
    dates = [.date, .start, .end].flatMap { mapping.indices($0) }
    amounts = [.measure, .duration, .lat, .lon].flatMap { mapping.indices($0) }
    lengths = mapping.indices(.duration)
    lists = [.people, .tags].flatMap { mapping.indices($0) }
    ids = TableIDs(mapping)
    let measures = mapping.indices(.measure)
    self.measures = measures
    flags = Set(measures)
    isHabit =
      !measures.isEmpty
      && mapping.columns.contains { column in
        !["habit", "habits", "gewohnheit", "gewohnheiten"]
          .allSatisfy { !TableUnits.words(of: column.name).contains($0) }
      }
  }

  /// The order of days and months in most of the dates; nil if no date shows it.
  var order: DateOrder? {
    dayFirst == 0 && monthFirst == 0 ? nil : dayFirst >= monthFirst ? .dayFirst : .monthFirst
  }

  /// True if short dates begin with the year, and nil if nothing shows whether they do; the first
  /// column that shows it decides.
  private var areYearFirst: Bool? {
    dates.lazy.compactMap { shortDates[$0]?.areYearFirst(orElse: order ?? .inProcess) }.first
  }

  private var isYearFirst: Bool { areYearFirst == true }

  /// Returns the moment in a value.
  ///
  /// - Parameters:
  ///   - text: the value.
  ///   - field: the field of its column, because a day alone may also be written as `240615`.
  /// - Returns: nil if it isn't a moment.
  func moment(_ text: String, in field: TableField = .start) -> TableMoment? {
    let whole = isYearFirst ? TableTimes.withCentury(text) : nil
    return TableMoment(whole ?? text, in: field, order: order ?? .inProcess)
  }

  /// True if durations of two numbers are minutes and seconds, because others have three numbers or
  /// so many hours would be days.
  var lengthsAreMinutes: Bool {
    let unit = lengths.first.flatMap { TableUnits.timeUnit(in: mapping.columns[$0].name) }
    return hasTwoParts && (hasThreeParts || longHours || unit == "minutes" || unit == "seconds")
  }

  /// Returns true if most values of moods or energy fit the archive's scale from 1 to 5.
  func hasLevels(_ field: TableField) -> Bool { levels[field]?.areOthers != true }

  /// Returns true if the amounts of a column have different currencies.
  func hasSeveralCurrencies(_ column: Int) -> Bool { currencies[column, default: []].count > 1 }

  mutating func take(_ row: CSVTable.Row) {
    for column in dates {
      guard let value = row.value(at: column) else { continue }
      takeDate(value, in: column)
    }
    for column in amounts {
      if let value = row.value(at: column) {
        numbers.take(TableUnits.amount(value)?.number ?? value)
      }
    }
    for column in lengths {
      guard let shape = row.value(at: column).flatMap({ TableTimes.shape($0) }) else { continue }
      if shape.count == 3 { hasThreeParts = true }
      if shape.count == 2 {
        hasTwoParts = true
        longHours = longHours || shape.first >= 24
      }
    }
    for column in lists where !strongLists.contains(column) {
      if let value = row.value(at: column), value.contains(where: { ";|".contains($0) }) {
        strongLists.insert(column)
      }
    }
    ids.take(row)
    for field in [TableField.mood, .energy] {
      for column in mapping.indices(field) {
        if let value = row.value(at: column) { levels[field, default: TableLevels()].take(value) }
      }
    }
    for column in measures {
      if let sign = row.value(at: column).flatMap({ TableNumbers.currency(in: $0) }) {
        currencies[column, default: []].insert(sign)
      }
    }
    for column in flags {
      if let value = row.value(at: column), value != "0", value != "1" { flags.remove(column) }
    }
  }

  private mutating func takeDate(_ value: String, in column: Int) {
    let field = mapping.columns[column].field
    if field == .date, TableTimes.shortDay(value) != nil {
      hasCompactDates = true
      return
    }
    if !clocks.contains(field), TableMoment.hasClock(value) { clocks.insert(field) }
    // A date that begins with the year is unambiguous.
    guard !value.utf8.prefix(4).allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    let date = TableMoment.date(of: value)
    switch TableTimes.order(toldBy: date) {
    case .dayFirst: dayFirst += 1
    case .monthFirst: monthFirst += 1
    case nil: isOpen = isOpen || TableTimes.isOpen(date)
    }
    if let days = TableTimes.shortDays(date) {
      shortDates[column, default: ShortDates()].take(days)
    }
  }

  /// Reports anything that the table leaves ambiguous or shows inconsistently.
  func tell(_ file: ImportFile, _ sink: any ImportSink) {
    func note(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: file.name, message: message))
    }
    if isYearFirst {
      note(
        "the years in its dates have two digits and were read as coming first, because that puts the dates "
          + "in order. If that’s wrong, undo this import and write the dates as YYYY-MM-DD"
      )
    }
    if isOpen, order == nil, !isYearFirst {
      let first = DateOrder.inProcess == .dayFirst ? "day" : "month"
      note(
        "the file doesn’t show whether its dates start with the day or the month. They were read "
          + "with the \(first) first. If that’s wrong, undo this import and write the dates as "
          + "YYYY-MM-DD")
    }
    if dayFirst > 0, monthFirst > 0, !isYearFirst {
      let (first, other) = order == .dayFirst ? ("day", monthFirst) : ("month", dayFirst)
      note(
        "some dates start with the day, others with the month. All were read with the \(first) "
          + "first, which doesn’t fit \(other) of them. Write the dates as YYYY-MM-DD")
    }
    if areYearFirst == nil, !shortDates.isEmpty {
      note(
        "the years in its dates have two digits and could be first or last. They were assumed to "
          + "be last. If that’s wrong, undo this import and write the dates as YYYY-MM-DD")
    }
    for field in [TableField.mood, .energy] where !hasLevels(field) {
      let name = mapping.column(field)?.name ?? field.rawValue
      note(
        "\(FieldError.shown(name)) goes beyond 5, so its values stay in the description and "
          + "don’t count for the day")
    }
    if ids.hasRepeated, let name = mapping.column(.id)?.name {
      note(
        "some different rows have the same \(FieldError.shown(name)), so they were also told apart by "
          + "their time")
    }
    if hasCompactDates {
      note("dates such as “240615” were read as year, month and day")
    }
    if numbers.isOpen, numbers.decimal == nil {
      note(
        "the file doesn’t show whether “1,234” is a decimal number or more than a thousand. Such "
          + "numbers were read as the table’s separator suggests")
    }
    if numbers.isOpen, numbers.isMixed {
      note(
        "some numbers have a decimal point, others a decimal comma. Numbers such as “1,234” were "
          + "read as most of the others suggest")
    }
  }
}
