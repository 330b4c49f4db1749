import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import Foundation

/// The `export` command: writes everything, or some days, in open formats.
struct Export: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, markdown, csv, ics, gpx, book, tenweek

    /// The sample value of `-o` if it was omitted.
    var example: String {
      switch self {
      case .jsonl: "life.jsonl"
      case .markdown, .csv, .book: "DIR"
      case .ics: "life.ics"
      case .gpx: "places.gpx"
      case .tenweek: "goals.db"
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export everything, or some days, in open formats.",
    discussion: """
      arkived export -o life.jsonl                 with attachments in attachments/ next to it
      arkived export --format markdown -o life/    one page per day, a vault for Obsidian
      arkived export --format csv -o tables/       one table per type of data
      arkived export --format ics -o life.ics      everything with a time, for calendars
      arkived export --format gpx -o places.gpx    where it happened, for maps
      arkived export --format book --year 2025 -o book/   a year to read and print
      arkived export --format tenweek -o goals.db  goals and their data, for Ten Week
      arkived export | less                        JSON Lines on standard output

      --from, --to and --year limit the days. Only a full export as JSON Lines contains the whole \
      archive.
      In tables, text that a spreadsheet would read as a formula gets a leading apostrophe.
      --exact leaves it as it is.
      """)

  @Option(help: "jsonl, markdown, csv, ics, gpx, book or tenweek.") var format: Format = .jsonl

  @Option(name: .shortAndLong, help: "The file or folder to write to.") var output: String?

  @Option(help: "The first day.") var from: String?

  @Option(help: "The last day.") var to: String?

  @Option(help: "A year instead of --from and --to.") var year: Int?

  @Flag(help: "csv: don’t change text that a spreadsheet would read as a formula.")
  var exact = false

  @Option(
    help: "tenweek: column names, plain or uuid. Default: those of the imported file.")
  var variant: TenWeekVariant?

  @Flag(help: "Also replace files that Arkived didn’t export, or that have changed since.")
  var force = false

  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard format == .tenweek || variant == nil else {
      throw ValidationError(said("--variant only works with --format tenweek."))
    }
    guard format == .csv || !exact else {
      throw ValidationError(said("--exact only works with --format csv."))
    }
    guard format != .csv && format != .book || !force else {
      throw ValidationError(said("--force doesn’t work with --format \(format.rawValue)."))
    }
    guard year == nil || (from == nil && to == nil) else {
      throw ValidationError(said("--year sets the first and last day. Remove --from and --to."))
    }
    guard format != .tenweek || (year == nil && from == nil && to == nil) else {
      throw ValidationError(
        said("A Ten Week database is always exported in full. Remove the days."))
    }
    guard format != .book || year != nil || from != nil else {
      throw ValidationError(said("Choose the year for the book: --year 2025, or --from and --to."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let span = try self.span(context)
    let job = ExportJob(archive: try context.open())
    let target = try output.flatMap { $0 == "-" ? nil : $0 }.map(PathArgument.url)
    guard let target else {
      guard format == .jsonl else {
        throw CommandFailure(
          .usage, said("Specify the file or folder to write to: -o \(format.example)"))
      }
      return try printLines(job, span, context)
    }
    let summary = try write(job, span, to: target, context)
    context.output.result(
      ["exported": summary.json],
      lines: [told(summary)] + summary.missingFiles.map { said("Missing from the archive: \($0)") }
        + summary.leftOut.map { said("Skipped: \(saidAgain($0))") })
  }

  private func write(
    _ job: ExportJob, _ span: DayFilter, to target: URL, _ context: Context
  ) throws -> ExportJob.Summary {
    switch format {
    case .jsonl: try job.writeJSONLines(of: span, to: target, replaces: force)
    case .markdown: try job.writeMarkdown(of: span, to: target, replaces: force)
    case .csv: try job.writeCSV(of: span, to: target, isExact: exact)
    case .ics: try job.writeCalendar(of: span, to: target, replaces: force)
    case .gpx: try job.writeGPX(of: span, to: target, replaces: force)
    case .book: try job.writeBook(of: span, to: target, today: context.today)
    case .tenweek:
      try job.writeTenWeek(
        to: target, variant: variant, homeZone: context.zone, replaces: force)
    }
  }

  private func printLines(_ job: ExportJob, _ span: DayFilter, _ context: Context) throws {
    guard !context.output.isJSON else {
      throw CommandFailure(.usage, said("With --json, specify the file to write to: -o life.jsonl"))
    }
    let lines = Output(.jsonl)
    var buffer = ""
    let summary = try job.writeJSONLines(of: span) { line in
      buffer += line + "\n"
      if buffer.utf8.count > 1 << 18 {
        lines.part(buffer)
        buffer = ""
      }
    }
    lines.part(buffer)
    context.output.say(
      said(
        summary.entries, one: "\(summary.entries) line.", other: "\(summary.entries) lines.") + " "
        + said("To export attachments too, use -o FILE."))
  }

  /// Returns what was exported; of JSON Lines, which are one file, only the attachments count as
  /// files.
  private func told(_ summary: ExportJob.Summary) -> String {
    let target = output ?? ""
    let entries = ItemCount.text(summary.entries, of: "activity")
    guard format == .jsonl else {
      let files = said(
        summary.files, one: "\(summary.files) file", other: "\(summary.files) files")
      return said("Exported \(entries) in \(files) to \(target).")
    }
    guard summary.files > 0 else { return said("Exported \(entries) to \(target).") }
    let attachments = ItemCount.text(summary.files, of: "attachment")
    let content = said("\(entries) and \(attachments)")
    return said("Exported \(content) to \(target).")
  }

  private func span(_ context: Context) throws -> DayFilter {
    if let year {
      guard let first = DayKey(year: year, month: 1, day: 1),
        let last = DayKey(year: year, month: 12, day: 31)
      else { throw CommandFailure(.usage, said("--year is \(year), but must be 1 to 9999.")) }
      return DayFilter(from: first, to: last)
    }
    let first = try from.map { try context.day([$0]) }
    let last = try to.map { try context.day([$0]) }
    if let first, let last, first > last {
      throw CommandFailure(.usage, said("--from \(first) is after --to \(last)."))
    }
    return DayFilter(from: first, to: last)
  }
}

extension TenWeekVariant: ExpressibleByArgument {}
