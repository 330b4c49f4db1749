import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `on-this-day` command: the same day in past years.
struct OnThisDay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on-this-day",
    abstract: "Show what you did and wrote on this day in past years.",
    discussion: """
      arkived on-this-day
      arkived on-this-day 24 december

      For actions and more filters: arkived search --on-this-day
      """,
    aliases: ["today-in-history"])

  @Argument(help: "The day. Default: today.", completion: .days)
  var date: [String] = []

  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options, format)
    let key = try context.day(date)
    let anniversary = Anniversary(of: key, before: context.today)
    let archive = try context.open()
    let days = try archive.days(of: anniversary)
    try DayPrinter(context, archive).show(
      days,
      document: ["date": .string(anniversary.name), "days": .array(days.map(\.json))],
      title: { day in
        let years = context.today.year - day.dayKey.year
        let isToday = context.today.adding(months: -12 * years) == day.dayKey
        return isToday ? said(years, one: "\(years) year ago", other: "\(years) years ago") : ""
      })
    guard days.isEmpty else { return }
    context.output.say(said("Nothing has been recorded for \(key.shownDayAndMonth) yet."))
  }
}

/// Prints whole days in the requested format.
struct DayPrinter {
  private let context: Context
  private let archive: Archive

  init(_ context: Context, _ archive: Archive) {
    self.context = context
    self.archive = archive
  }

  /// Prints days.
  ///
  /// - Parameters:
  ///   - days: the days.
  ///   - document: the output of `--json`.
  ///   - title: a line above a day in text; empty for none.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func show(
    _ days: [Day], document: @autoclosure () -> JSON, title: (Day) -> String = { _ in "" }
  ) throws {
    let output = context.output
    switch output.format {
    case .json: output.data(document().text(indented: output.isTerminal))
    case .text:
      let text = EntryText(context, archive)
      for (index, day) in days.enumerated() {
        let head = title(day)
        let lines = (index > 0 ? [""] : []) + (head.isEmpty ? [] : [output.faint(head)])
        try output.result(.null, lines: lines + text.lines(day))
      }
    case .markdown: for day in days { output.data(MarkdownDay(day).section) }
    case .short, .jsonl, .csv:
      var printer = EntryPrinter(context, archive)
      try printer.begin("")
      for day in days {
        let entries =
          (day.entry.map { [JournalEntry.day($0)] } ?? []) + day.activities.map { .activity($0) }
        try printer.add(entries.map { EntryPrinter.Item(entry: $0) })
      }
      try printer.end("")
    }
  }
}
