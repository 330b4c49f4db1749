import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Synchronization

/// `import`: brings files in, lists what came in, and takes a run back.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring calendars and exports in; the same import twice changes nothing.",
    discussion: """
      arkived import --dry-run downloads/  what would come in, before anything does
      arkived import calendar.ics          an iCalendar file, or a folder of them
      arkived import export.zip            Day One's export, or an archive of mixed files
      arkived import vault/ --pages        Obsidian or Logseq: daily notes, and other pages
      arkived import runs.csv --map "text=Title,start=Date" --profile runs
      arkived import life.jsonl            Arkived JSON Lines
      arkived import journal.txt           jrnl: its text, JSON, or folder of days
      arkived import Timeline.json         places: Google Timeline or Takeout, OwnTracks, GPX
      arkived import activities/           FIT and TCX of watches; maps: KML, KMZ, GeoJSON
      arkived import aw-export.json        ActivityWatch: the use of programs
      arkived import Pictures/             photos and videos, by the time and place they tell
      arkived import takeout.zip           Google Photos, with the files beside each photo
      arkived import export.zip --places keep   with the coordinates of its entries
      arkived import list
      arkived import show ID               what came in, and every remark
      arkived import undo ID
      arkived import duplicates            what two sources tell of; merged by you alone
      arkived import fetch-places          names for places that have none, from a list of towns
      """,
    subcommands: [
      ImportFiles.self, ImportList.self, ImportShow.self, ImportUndo.self, ImportDuplicates.self,
      ImportFetchPlaces.self,
    ],
    defaultSubcommand: ImportFiles.self)
}

struct ImportList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the imports, newest first.")

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
        return "\(short[run.id] ?? "")  \(run.startedAt)  \(run.format)  \(run.source)  "
          + said("\(created) new, \(run.updated) updated")
          + (run.isUndone ? "  " + said("(undone)") : "")
      })
  }
}

struct ImportShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Tell of an import again: what came in, and every remark.")

  @Argument(help: "The run: its identity or the first digits of it.")
  var id: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let run = try archive.importRun(matching: id).run
    let short = try archive.shortIDs([run.id], of: .importRuns)[run.id] ?? ""
    context.output.result(
      ["run": run.json],
      lines: ["\(run.startedAt)" + (run.isUndone ? "  " + said("(undone)") : "")]
        + [RunText.line(of: run, short, context)]
        + ForecastText.lines(of: run.warnings, limit: .max))
  }
}

/// What an import brought, for people.
enum RunText {
  static func line(of run: ImportRun, _ short: String, _ context: Context) -> String {
    let counts = said(
      """
      \(TypeCounts.text(run.created)) new, \(run.updated) updated, \(run.unchanged) known, \
      \(run.skipped) left out
      """)
    return "\(context.output.bold(run.source)) (\(run.format)): \(counts)  "
      + context.output.faint(short)
  }
}

struct ImportUndo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take an import back; entries you changed since then stay.")

  @Argument(help: "The run: its identity or the first digits of it.")
  var id: String

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let (_, changeID) = try archive.importRun(matching: id)
    try Undo.report(try archive.undo(changeID), context)
  }
}

/// `sample`: fills an empty archive with an invented life.
struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Fill an empty archive with ten years of an invented life.")

  @Option(help: "The last day; today when left out.") var through: String?
  @Option(help: "The first day; about ten years before when left out.") var from: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let last = try context.day(through.map { [$0] } ?? [])
    let first = try from.map { try context.day([$0]) }
    let run = try SampleJob(archive: archive).run(from: first, through: last)
    context.output.result(
      ["runs": [run.json]], lines: [said("An invented life: \(TypeCounts.text(run.created)).")])
  }
}
