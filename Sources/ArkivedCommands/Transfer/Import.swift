import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Synchronization

/// `import`: brings files in, lists what came in, and takes a run back.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring calendars and exports in; the same import twice changes nothing.",
    discussion: """
      arkived import calendar.ics          an iCalendar file, or a folder of them
      arkived import export.zip            Day One's export, packed or unpacked
      arkived import life.jsonl            Arkived JSON Lines
      arkived import journal.txt           jrnl: its text, JSON, or folder of days
      arkived import Timeline.json         places: Google Timeline or Takeout, OwnTracks, GPX
      arkived import aw-export.json        ActivityWatch: the use of programs
      arkived import Pictures/             photos and videos, by the time and place they tell
      arkived import takeout.zip           Google Photos, with the files beside each photo
      arkived import list
      arkived import undo ID
      """,
    subcommands: [ImportFiles.self, ImportList.self, ImportUndo.self],
    defaultSubcommand: ImportFiles.self)
}

struct ImportFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "Import files and folders (the default).")

  @Argument(help: "Files or folders; what they are is found out from their content.")
  var paths: [String]

  @Flag(help: "Also bring back what you deleted here and overwrite what you changed here.")
  var override = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let progress = ProgressLine(isShown: !context.output.isJSON && isatty(2) == 1)
    Interrupt.watch()
    let job = ImportJob(
      archive: archive, homeZone: context.zone, overridesOwner: override,
      watch: ImportWatch(
        waitsSeconds: 3600, isCancelled: { Interrupt.hasCome }, progress: progress.show))
    var runs: [ImportRun] = []
    var failure: CommandFailure?
    for path in paths {
      let url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
      do {
        runs += try job.run(url)
      } catch {
        // What came in before stays, and is told.
        let interruption = error as? ImportInterruption
        runs += interruption?.published ?? []
        let error = interruption?.cause ?? error
        let problem =
          error is ImportCancelled && !runs.isEmpty
          ? CommandFailure(.failed, "The import was broken off. Only what is listed came in.")
          : CommandFailure(error)
        failure = failure ?? problem
        guard paths.count > 1, !(error is ImportCancelled) else { break }
        let rest = interruption == nil ? "Nothing of it" : "Only a part of it"
        context.output.say("\(path): \(problem.message) \(rest) was imported.")
      }
    }
    progress.clear()
    if failure == nil || !runs.isEmpty {
      let short = try archive.shortIDs(runs.map(\.id), of: .importRuns)
      context.output.result(
        failure.map { ["runs": .array(runs.map(\.json)), "error": $0.json] }
          ?? ["runs": .array(runs.map(\.json))],
        lines: runs.flatMap { lines($0, short[$0.id] ?? "", context) })
    }
    if let failure {
      throw CommandFailure(failure.status, failure.message, isInDocument: !runs.isEmpty)
    }
  }

  private func lines(_ run: ImportRun, _ short: String, _ context: Context) -> [String] {
    var counts = run.created.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    if counts.isEmpty { counts = ["nothing"] }
    var lines = [
      "\(context.output.bold(run.source)) (\(run.format)): \(counts.joined(separator: ", ")) new, "
        + "\(run.updated) updated, \(run.unchanged) known, \(run.skipped) left out  "
        + context.output.faint(short)
    ]
    lines += run.warnings.prefix(20).map { "  \($0.place): \($0.message)" }
    if run.warnings.count > 20 { lines.append("  … and \(run.warnings.count - 20) more (--json)") }
    return lines
  }
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
          + "\(created) new, \(run.updated) updated" + (run.isUndone ? "  (undone)" : "")
      })
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
    let counts = run.created.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    context.output.result(
      ["runs": [run.json]], lines: ["An invented life: \(counts.joined(separator: ", "))."])
  }
}
