import ArgumentParser
import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The `restore` command: replaces the archive with a backup, or restores a part of it.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the archive with a backup, or restore one day or entry from it.",
    discussion: """
      arkived restore life.zip.age                    checks it, shows the difference, and asks
      arkived restore life.zip.age --identity KEYFILE
      arkived restore life.zip.age --check            changes nothing
      arkived restore life.zip.age --day 2026-03-14   restores one day; undo reverts it
      arkived restore life.zip.age --entry 3F2A91B0
      arkived restore life.zip.age --beside FOLDER    makes a new archive; this one stays as it is
      arkived restore ARCHIVE/snapshots/NAME.sqlite   restores a snapshot

      First, the current archive is copied to snapshots/.
      """)

  @Argument(help: "The backup, or a snapshot of the database.") var file: String

  @Option(help: "Restore only this day.") var day: String?
  @Option(
    help: "Restore only this entry. Give its ID, or at least the first eight characters.")
  var entry: String?
  @Option(
    help: ArgumentHelp(
      "Create a new archive in this folder from the backup. The current one stays as it is.",
      valueName: "folder"),
    completion: .directory)
  var beside: String?
  @Flag(help: "Check the backup and show the difference. Change nothing.") var check = false
  @Flag(name: .shortAndLong, help: "Don’t ask.") var yes = false

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard day == nil || entry == nil else {
      throw ValidationError(said("Use either --day or --entry."))
    }
    guard !check || (day == nil && entry == nil) else {
      throw ValidationError(said("--check can’t be combined with --day or --entry."))
    }
    guard beside == nil || (day == nil && entry == nil && !check) else {
      throw ValidationError(said("--beside can’t be combined with --day, --entry or --check."))
    }
  }

  func run() throws {
    let context = try Context(options)
    let url = try PathArgument.url(file)
    let newFolder = try beside.map(PathArgument.folder)?.standardizedFileURL
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(.noInput, said("File \(url.path) not found."))
    }
    let unlocks = try unlock.unlocks(for: url)
    let work = LongWork(context)
    let job = try job(context, work)
    if let part = try part(context) {
      Interrupt.watch()
      let runs = try job.restore(part, of: url, unlocks: unlocks)
      work.clear()
      return report(runs, context)
    }
    Interrupt.watch()
    let prepared = try job.prepare(url, unlocks: unlocks)
    work.clear()
    try show(prepared, context)
    guard !check else {
      let missing = try prepared.missing()
      return context.output.result(
        document(prepared, missing), lines: [said("Nothing was changed.")])
    }
    if let folder = newFolder {
      try prepared.makeArchive(at: folder)
      let word = Archive.shellWord(folder.path)
      return context.output.result(
        ["restored": true, "archive": .string(folder.path)],
        lines: [
          said("\(prepared.name) was restored as a new archive in \(folder.path)."),
          said("To open it: `arkived serve --archive \(word) --port 0`"),
        ])
    }
    if prepared.replacesSomething {
      try Confirmation.ask(
        said("Replace this archive with the backup?"), isGiven: yes,
        refusal: said("Nothing was changed."))
    }
    let missing = try prepared.missing()
    let outcome = try prepared.apply()
    context.output.result(
      document(prepared, missing, outcome),
      lines: [said("Restored from \(prepared.name).")]
        + (outcome.safetyCopy.map { [said("Previous archive: \($0.path)")] } ?? [])
        + (outcome.endedSync
          ? [
            said(
              """
              This archive no longer syncs with your other devices. To sync again, join them with a \
              new code: `arkived sync join FOLDER CODE`
              """)
          ] : []))
  }

  /// Returns the job for a restore; a complete one works even if the archive's database is missing.
  private func job(_ context: Context, _ work: LongWork) throws -> RestoreJob {
    do {
      return RestoreJob(archive: try context.open(), homeZone: context.zone, watch: work.watch)
    } catch let missing as ArchiveError {
      guard case .missing = missing, case .folder(let home) = context.location, day == nil,
        entry == nil
      else { throw missing }
      return try RestoreJob(
        intoLost: home, clock: context.clock, homeZone: context.zone, watch: work.watch)
    }
  }

  private func part(_ context: Context) throws -> RestoreJob.Part? {
    if let day { return .day(try context.day([day])) }
    guard let entry else { return nil }
    guard entry.count >= 8 else {
      throw CommandFailure(.usage, said("--entry needs at least eight characters of the ID."))
    }
    return .entry(entry)
  }

  private func report(_ runs: [ImportRun], _ context: Context) {
    let created = runs.flatMap(\.created.values).reduce(0, +)
    let updated = runs.reduce(0) { $0 + $1.updated }
    let same = runs.reduce(0) { $0 + $1.unchanged }
    context.output.result(
      ["runs": .array(runs.map(\.json))],
      lines: [
        said(
          "\(created) restored, \(updated) reverted, \(same) unchanged."
        ),
        said("To undo this: `arkived import list`, then `arkived import undo ID`"),
      ])
  }

  private func document(
    _ prepared: PreparedRestore, _ missing: [String], _ outcome: PreparedRestore.Outcome? = nil
  ) -> JSON {
    [
      "restored": .bool(outcome != nil), "differences": .array(prepared.differences.map(\.json)),
      "shortfalls": JSON(prepared.shortfalls), "safetyCopy": JSON(outcome?.safetyCopy?.path),
      "missing": JSON(missing),
    ]
  }

  /// Prints the difference as a message, because it is read before the question is answered.
  private func show(_ prepared: PreparedRestore, _ context: Context) throws {
    if let manifest = prepared.manifest {
      let made = context.timeText(manifest.madeAt)
      let entries = BackupText.counts(manifest).entries
      context.output.say(said("\(prepared.name): made on \(made), intact, \(entries)."))
    }
    let rows = prepared.differences.map { difference in
      [
        saidWhole(difference.type), "\(difference.here)", "\(difference.there)",
        "\(difference.onlyHere)",
        "\(difference.onlyThere)", "\(difference.differing)",
      ]
    }
    let table =
      [
        [
          "", said("here"), said("backup"), said("only here"), said("only there"), said("differ"),
        ]
      ] + rows
    let widths = (0..<6).map { column in table.map { $0[column].count }.max() ?? 0 }
    for row in table {
      context.output.say(
        zip(row, widths).enumerated().map { column, cell in
          let space = String(repeating: " ", count: cell.1 - cell.0.count)
          return column == 0 ? cell.0 + space : space + cell.0
        }.joined(separator: "  "))
    }
    for line in prepared.shortfalls { context.output.say(saidAgain(line)) }
    let missing = try prepared.missing().count
    if missing > 0 {
      context.output.say("\(said("Files that were already missing")): \(missing)")
    }
  }
}
