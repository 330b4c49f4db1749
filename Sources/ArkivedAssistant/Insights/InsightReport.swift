package import ArkivedCore

/// The results of an insight: summary sentences, and sections with a table each, most of them with
/// a chart.
///
/// Pages, CSV, JSON and the command line all use it as their only source.
package struct InsightReport: Sendable {
  package struct Section: Sendable {
    package var key: String
    package var heading: String
    /// A note on what is counted, and from what data.
    package var note: String?
    package var chart: InsightChart?
    package var table: InsightTable
    /// True if the table is the section's main content instead of a duplicate of its chart.
    package var isList = false

    package init(
      _ key: String, _ heading: String, note: String? = nil, chart: InsightChart? = nil,
      table: InsightTable, isList: Bool = false
    ) {
      self.key = key
      self.heading = heading
      self.note = note
      self.chart = chart
      self.table = table
      self.isList = isList
    }
  }

  package var topic: InsightTopic
  package var title: String
  /// The examined days; nil if the archive has none of them.
  package var days: ClosedRange<DayKey>?
  package var statements: [String]
  package var sections: [Section]
  /// The alternative choices, by the argument's name.
  package var choices: [InsightChoice] = []

  package var json: JSON {
    [
      "topic": .string(topic.rawValue), "title": .string(title), "from": JSON(days?.lowerBound),
      "to": JSON(days?.upperBound), "statements": JSON(statements),
      "sections": .array(
        sections.map { section in
          [
            "key": .string(section.key), "heading": .string(section.heading),
            "note": JSON(section.note), "trend": section.chart?.trendJSON ?? .null,
            "columns": .array(section.table.columns.map(\.json)), "rows": section.table.json,
          ]
        }),
    ]
  }
}

/// An argument with its possible values.
package struct InsightChoice: Hashable, Sendable {
  package struct Option: Hashable, Sendable {
    package var value: String
    package var label: String
  }

  package var name: String
  package var label: String
  package var options: [Option]
  package var chosen: String
}

/// Rows of values under named columns.
package struct InsightTable: Sendable {
  package struct Column: Hashable, Sendable {
    package var key: String
    package var label: String
    package var unit: String?
    /// True if its numbers are differences, which are shown with their sign.
    package var isSigned = false
    /// True if a narrow page may omit the column; files still contain it.
    package var isDetail = false
    /// The number of decimal places shown; if nil, as many as are significant.
    package var digits: Int?

    package init(
      _ key: String, _ label: String, unit: String? = nil, isSigned: Bool = false,
      isDetail: Bool = false, digits: Int? = nil
    ) {
      self.key = key
      self.label = label
      self.unit = unit
      self.isSigned = isSigned
      self.isDetail = isDetail
      self.digits = digits
    }

    fileprivate var json: JSON {
      ["key": .string(key), "label": .string(label), "unit": JSON(unit)]
    }
  }

  /// The subject of a row, to which pages link.
  package enum Subject: Hashable, Sendable {
    case day(DayKey), days(ClosedRange<DayKey>)
    case tag(String), person(String), kind(String), place(String)
  }

  package struct Row: Sendable {
    package var values: [InsightValue]
    package var subject: Subject?

    package init(_ values: [InsightValue], subject: Subject? = nil) {
      self.values = values
      self.subject = subject
    }
  }

  package var columns: [Column]
  package var rows: [Row]

  package init(_ columns: [Column], _ rows: [Row]) {
    self.columns = columns
    self.rows = rows
  }

  fileprivate var json: JSON {
    .array(
      rows.map { row in
        var object = JSONObject()
        for (column, value) in zip(columns, row.values) { object[column.key] = value.json }
        return .object(object)
      })
  }

  /// The table as CSV (RFC 4180), with a header line.
  ///
  /// Texts that a spreadsheet would run as a formula are prefixed with an apostrophe, because names
  /// can come from other people, for example through calendars.
  package var csv: String {
    let text = SpreadsheetText()
    let head = columns.map { column in
      SpreadsheetText.Cell.text(column.label + (column.unit.map { " (\($0))" } ?? ""))
    }
    return text.row(head) + rows.map { text.row($0.values.map(\.cell)) }.joined()
  }
}

extension InsightTable.Column {
  /// The label followed by the unit.
  package var heading: String { unit.map { "\(label), \($0)" } ?? label }

  /// Returns a value as this column shows it.
  package func shown(_ value: InsightValue) -> String {
    guard let number = value.number else { return value.shown }
    if isSigned { return InsightText.signed(number) }
    guard let digits else { return value.shown }
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let text = AmountText.shown((abs(number) * scale).rounded() / scale)
    return (number < 0 && text != "0" ? "−" : "") + text
  }
}

/// One cell of a table.
package enum InsightValue: Hashable, Sendable {
  case empty
  case text(String)
  case count(Int)
  case number(Double)
  case day(DayKey)

  package init(_ number: Double?) {
    self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .empty
  }

  package var number: Double? {
    switch self {
    case .count(let count): Double(count)
    case .number(let number): number
    case .empty, .text, .day: nil
    }
  }

  /// The display text: "1,204", "3.5", "16 November 2026"; a dash if there is no value.
  package var shown: String {
    switch self {
    case .empty: "–"
    case .text(let text): text
    case .count(let count): InsightText.count(count)
    case .number(let number): InsightText.number(number)
    case .day(let day): day.shownPlainName
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .empty: .null
    case .text(let text): .string(text)
    case .count(let count): JSON(count)
    case .number(let number): JSON(InsightText.rounded(number))
    case .day(let day): JSON(day)
    }
  }

  fileprivate var cell: SpreadsheetText.Cell {
    switch self {
    case .empty: .plain(nil)
    case .text(let text): .text(text)
    case .count(let count): .count(count)
    case .number(let number): .plain(AmountText.plain(number))
    case .day(let day): .plain(day.description)
    }
  }
}

/// Formatting of numbers and counts in insights.
package enum InsightText {
  package static func number(_ value: Double) -> String {
    value < 0 ? "−" + RecapText.plain(-value) : RecapText.plain(value)
  }

  /// Formats a number with its sign: "+3.5", "−2", "0".
  package static func signed(_ value: Double) -> String {
    let text = RecapText.plain(abs(value))
    return text == "0" ? "0" : (value < 0 ? "−" : "+") + text
  }

  package static func count(_ count: Int) -> String { RecapText.grouped(String(count)) }

  /// Returns the label of an activity's kind: "Work".
  static func kind(_ name: String) -> String { saidWhole(RecapText.capitalised(name)) }

  /// Formats a count with its noun: "1 entry", "1,204 entries".
  package static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    Phrase(counting: count, one: one, many: many ?? one + "s").text()
  }

  /// Rounds to four decimal places, which is more than any figure here needs.
  static func rounded(_ value: Double) -> Double {
    abs(value) < 1e11 ? (value * 10_000).rounded() / 10_000 : value
  }
}
