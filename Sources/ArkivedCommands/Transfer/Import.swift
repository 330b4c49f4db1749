import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Synchronization

/// The `import` command: imports files, lists imports, and reverts one.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import calendars and exports. Repeating an import changes nothing.",
    discussion: """
      arkived import --dry-run downloads/  shows what would be imported
      arkived import calendar.ics          an iCalendar file, or a folder of them
      arkived import export.zip            a Day One export, or an archive of mixed files
      arkived import vault/ --pages        Obsidian or Logseq: daily notes and other pages
      arkived import runs.csv --map "text=Title,start=Date" --profile runs
      arkived import life.jsonl            Arkived JSON Lines
      arkived import journal.txt           jrnl: text, JSON, or a folder of days
      arkived import Timeline.json         places: Google Timeline or Takeout, OwnTracks, GPX
      arkived import activities/           FIT and TCX from watches; maps: KML, KMZ, GeoJSON
      arkived import export_123.zip        Strava, Garmin, Fitbit, Google Fit, Samsung Health
      arkived import weight.csv            Withings; oura.json: Oura; trip.json: Polarsteps
      arkived import aw-export.json        ActivityWatch: app usage
      arkived import Pictures/             photos and videos, with their time and place
      arkived import takeout.zip           Google Photos, with the files next to each photo
      arkived import export.zip --places keep   including the coordinates of its entries
      arkived import list
      arkived import show ID               what was imported, with all warnings
      arkived import undo ID
      arkived import duplicates            possible duplicates; only you can merge them
      arkived import fetch-places          names for places without one, from a list of towns
      """,
    subcommands: [
      ImportFiles.self, ImportList.self, ImportShow.self, ImportUndo.self, ImportDuplicates.self,
      ImportFetchPlaces.self,
    ],
    defaultSubcommand: ImportFiles.self)
}

struct ImportList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List imports, newest first.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let runs = try archive.importRuns()
    let short = try archive.shortIDs(runs.map(\.id), of: .importRuns)
    context.output.result(
      ["runs": .array(runs.map(\.json))],
      lines: runs.map { run in
        let created = run.created.values.reduce(0, +)
        let when = context.timeText(run.startedAt)
        return "\(short[run.id] ?? "")  \(when)  \(run.format)  \(run.source)  "
          + said("\(created) new, \(run.updated) updated")
          + (run.isUndone ? "  " + said("(undone)") : "")
      })
  }
}

struct ImportShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an import again: what was imported, with all warnings.")

  @Argument(help: "The import: its ID or the first digits of it.")
  var id: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let run = try archive.importRun(matching: id).run
    let short = try archive.shortIDs([run.id], of: .importRuns)[run.id] ?? ""
    context.output.result(
      ["run": run.json],
      lines: [context.timeText(run.startedAt) + (run.isUndone ? "  " + said("(undone)") : "")]
        + [RunText.line(of: run, short, context)]
        + ForecastText.lines(of: run.warnings, limit: .max))
  }
}

/// The result of an import, for people.
enum RunText {
  static func line(of run: ImportRun, _ short: String, _ context: Context) -> String {
    let created = ItemCount.text(run.created)
    let (updated, unchanged, skipped) = (
      AmountText.grouped(run.updated), AmountText.grouped(run.unchanged),
      AmountText.grouped(run.skipped)
    )
    let counts = said(
      "\(created) new, \(updated) updated, \(unchanged) already known, \(skipped) skipped")
    return "\(context.output.bold(run.source)) (\(run.format)): \(counts)  "
      + context.output.faint(short)
  }
}

struct ImportUndo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo an import. Entries you’ve changed since then stay.")

  @Argument(help: "The import: its ID or the first digits of it.")
  var id: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let (_, changeID) = try archive.importRun(matching: id)
    try Undo.report(try archive.undo(changeID), context)
  }
}

/// The `sample` command: fills an empty archive with a fictional life.
struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Fill an empty archive with the sample life, ten invented years.")

  @Option(help: "The last day. Default: today.") var through: String?
  @Option(help: "The first day. Default: about ten years earlier.") var from: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let last = try context.day(through.map { [$0] } ?? [])
    let first = try from.map { try context.day([$0]) }
    let run = try SampleJob(archive: archive).run(from: first, through: last)
    context.output.result(
      ["runs": [run.json]], lines: [said("Added the sample life: \(ItemCount.text(run.created)).")])
  }
}
