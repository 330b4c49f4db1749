import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// Prints entries in the requested format, one page at a time, so even a list of everything needs
/// little memory.
struct EntryPrinter {
  /// An entry or a search result; `needsEntries` determines which is required.
  struct Item {
    var hit: SearchHit?
    var entry: JournalEntry?
  }

  private let output: Output
  private var text: EntryText
  private(set) var count = 0
  /// The day whose entries are being collected, for Markdown.
  private var day: Day?

  init(_ context: Context, _ archive: Archive) {
    output = context.output
    text = EntryText(context, archive)
  }

  /// True if whole entries are printed instead of search results.
  var needsEntries: Bool {
    switch output.format {
    case .text, .short, .json: false
    case .markdown, .jsonl, .csv: true
    }
  }

  /// Prepares for many pages.
  mutating func prepare(for count: Int) throws {
    switch output.format {
    case .text, .short: try text.prepare(for: count)
    case .markdown, .json, .jsonl, .csv: break
    }
  }

  /// Begins the output.
  ///
  /// - Parameter head: the start of the JSON document, up to the bracket that opens its array.
  /// - Throws: an error if the output can't be written.
  mutating func begin(_ head: String) throws {
    switch output.format {
    case .json: output.part(head)
    case .csv: output.data(EntryTable.head)
    case .text, .short, .markdown, .jsonl: break
    }
  }

  mutating func add(_ items: [Item]) throws {
    guard !items.isEmpty else { return }
    switch output.format {
    case .text:
      // Matches of words show the matching part; matches of filters alone are shown whole.
      let entries = items.compactMap(\.entry)
      show(
        try entries.isEmpty
          ? text.hitLines(items.compactMap(\.hit), showsSnippets: true) : text.wholeLines(entries))
    case .short:
      show(
        try text.hitLines(
          items.compactMap { $0.hit ?? $0.entry?.hit(because: .init()) }, showsSnippets: false))
    case .json:
      let objects = items.compactMap { $0.hit?.json.text() }
      let separator = output.isTerminal ? ",\n  " : ","
      let start = count == 0 ? (output.isTerminal ? "\n  " : "") : separator
      output.part(start + objects.joined(separator: separator))
    case .markdown: for item in items { item.entry.map { collect($0) } }
    case .jsonl:
      output.data(items.compactMap { $0.entry.map(EntryTable.line) }.joined(separator: "\n"))
    case .csv:
      output.data(items.compactMap { $0.entry.map(EntryTable.row) }.joined(separator: "\n"))
    }
    count += items.count
  }

  /// Ends the output.
  ///
  /// - Parameter tail: the rest of the JSON document after the array's elements.
  /// - Throws: an error if the output can't be written.
  mutating func end(_ tail: String) throws {
    switch output.format {
    case .json: output.data((output.isTerminal && count > 0 ? "\n" : "") + tail)
    case .markdown: finishDay()
    case .text, .short, .jsonl, .csv: break
    }
  }

  private func show(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    Output.write(lines.map(Output.visible).joined(separator: "\n") + "\n", to: 1)
  }

  private mutating func collect(_ entry: JournalEntry) {
    if day?.dayKey != entry.dayKey { finishDay() }
    var collected = day ?? Day(dayKey: entry.dayKey)
    switch entry {
    case .activity(let activity): collected.activities.append(activity)
    case .day(let own): collected.entry = own
    }
    day = collected
  }

  private mutating func finishDay() {
    if let day { output.data(MarkdownDay(day).section) }
    day = nil
  }

  /// Formats a count for a sentence: “1 entry ”, “3 or more entries ”.
  static func entries(_ count: Int, _ more: String = "") -> String {
    more.isEmpty
      ? said(count, one: "\(count) entry ", other: "\(count) entries ")
      : said("\(count) or more entries ")
  }
}

/// Entries as lines for programs.
enum EntryTable {
  /// Returns one line of `arkived export`.
  static func line(_ entry: JournalEntry) -> String {
    var object = JSONObject()
    object["type"] = .string(entry.type.rawValue)
    for (key, value) in entry.record.object?.members ?? [] { object[key] = value }
    return JSON.object(object).text()
  }

  private static let spreadsheet = SpreadsheetText()

  static let head = spreadsheet.line(
    [
      "id", "type", "dayKey", "start", "end", "timeZone", "kind", "text", "tags", "people",
      "durationMinutes", "measurements", "location", "description", "notes", "mood", "energy",
      "source", "isPinned",
    ].map { .plain($0) })

  /// Returns one row of a table; times are local to the place of the entry.
  static func row(_ entry: JournalEntry) -> String {
    let cells: [SpreadsheetText.Cell] =
      switch entry {
      case .activity(let activity):
        [
          .plain(activity.id.uuidString), .plain("activity"),
          .plain(activity.dayKey.description), .plain(wall(activity.startAt, activity.zone)),
          .plain(wall(activity.endAt, activity.zone)), .text(activity.timeZone),
          .text(activity.kind.rawValue), .text(activity.text),
          .text(activity.tags.joined(separator: ", ")),
          .text(activity.people.map(\.name).joined(separator: ", ")),
          .plain(activity.duration.map(AmountText.plain)),
          .text(MeasureText.write(activity.measurements)), .text(activity.locationLabel),
          .text(activity.description), .text(activity.notes), .plain(nil), .plain(nil),
          .text(activity.source.rawValue), .plain(activity.isPinned ? "true" : "false"),
        ]
      case .day(let day):
        [
          .plain(day.id.uuidString), .plain("day"), .plain(day.dayKey.description), .plain(nil),
          .plain(nil), .plain(nil), .plain(nil), .text(day.title), .plain(nil),
          .text(day.people.map(\.name).joined(separator: ", ")), .plain(nil), .plain(nil),
          .plain(nil), .plain(nil), .text(day.note), .count(day.mood), .count(day.energy),
          .plain(nil), .plain(nil),
        ]
      }
    return spreadsheet.line(cells)
  }

  private static func wall(_ instant: Instant?, _ zone: Zone) -> String? {
    instant.map { zone.wallTime(at: $0).description }
  }
}
