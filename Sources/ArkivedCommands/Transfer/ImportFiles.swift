import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// The `import files` command: the default of `import`.
struct ImportFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "Import files and folders (default).")

  @Argument(help: "Files, folders or zip archives. Their format is detected from the content.")
  var paths: [String]

  @Flag(help: "Show what would be imported without changing anything.")
  var dryRun = false

  @Flag(help: "Also bring back what you deleted here, and overwrite what you changed here.")
  var override = false

  @Flag(help: "Photos: leave them in place and link to them instead of copying.")
  var reference = false

  @Flag(help: "Also read files that were imported before and haven’t changed since.")
  var again = false

  @Option(
    help: ArgumentHelp(
      "CSV: what each column becomes, such as text=Title,start=Date.",
      discussion:
        "Fields: text, description, notes, date, time, start, end, endTime, duration, "
        + "allDay, tags, people, place, kind, lat, lon, mood, energy, weather, temperature, id, measure, "
        + "detail, ignore. Columns you don’t name stay as guessed. --dry-run shows them.",
      valueName: "field=column,…"))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "CSV: save the mapping under this name, or use a saved one.",
      discussion: "From then on, tables with the same columns use it automatically.",
      valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "What to keep about places: keep, names or none.",
      discussion:
        "keep imports coordinates, tracks and names. names imports only the names. none imports none of "
        + "them. Without this option, a terminal asks you if entries have coordinates. In scripts, the "
        + "coordinates in location histories, calendars and Arkived’s own JSON Lines are kept, and others are "
        + "dropped.",
      valueName: "what"))
  var places: String?

  @Flag(help: "Markdown folders: import pages that don’t belong to a day as notes.")
  var pages = false

  @Flag(help: "Markdown folders: turn lines that start with a time into entries.")
  var timedLines = false

  @Flag(help: "CSV: import without asking whether the columns were guessed right.")
  var yes = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    for path in paths { _ = try PathArgument.checked(path) }
    let archive = try context.open()
    let progress = ProgressLine(isShown: !context.output.isJSON && isatty(2) == 1)
    Interrupt.watch()
    let choice = try places.map { try PlaceChoice.read($0) }
    func job(_ choice: PlaceChoice?) -> ImportJob {
      ImportJob(
        archive: archive, homeZone: context.zone, importers: ImportJob.importers(for: wishes),
        overridesOwner: override, readsAgain: again,
        watch: ImportWatch(
          waitsSeconds: 3600, isCancelled: { Interrupt.hasCome }, progress: progress.show),
        placeNames: PlaceNames.installed(), places: choice)
    }
    if dryRun { return try foretell(job(choice), progress, context) }
    var asked = choice
    if !context.output.isJSON, StandardInput.isInteractive, choice == nil || !yes {
      // The import itself reports a path that can't be read.
      let forecasts = paths.flatMap { path in
        ((try? job(choice).forecastUnanswered(PathArgument.url(path))) ?? []).map { (path, $0) }
      }
      progress.clear()
      try confirmColumns(forecasts, context.output)
      if choice == nil { asked = try askForPlaces(forecasts.map { $0.1 }) }
    }
    try bring(job(asked), archive, progress, context)
  }

  /// Shows what guessed columns would become, and asks whether that is right.
  ///
  /// - Throws: `CommandFailure` (refused) if it isn't.
  private func confirmColumns(
    _ forecasts: [(String, ImportForecast)], _ output: Output
  ) throws {
    let guessed = forecasts.filter { _, forecast in
      forecast.table?.origin == .guessed && (!forecast.created.isEmpty || forecast.updated > 0)
    }
    guard !yes, !guessed.isEmpty else { return }
    for (path, forecast) in guessed {
      for line in ForecastText(forecast, output).lines(of: path, tellsGuess: false) {
        Output.write(Output.visible(line) + "\n", to: STDERR_FILENO)
      }
    }
    try Confirmation.ask(
      said("Import the rows as shown?"), isGiven: false,
      refusal: said(
        "Nothing was imported. To set the columns yourself, add --map \"date=COLUMN,text=COLUMN\".")
    )
  }

  /// Asks which of the places that were found should be kept, unless the formats determine it.
  private func askForPlaces(_ forecasts: [ImportForecast]) throws -> PlaceChoice? {
    let count = forecasts.filter { $0.places != .keep }.map(\.placed).reduce(0, +)
    guard count > 0 else { return nil }
    let question = said(
      count, one: "\(count) entry has coordinates.", other: "\(count) entries have coordinates.")
    let choices = said("Keep them, keep only the place names, or keep neither?")
    Output.write(Output.visible("\(question) \(choices) [keep/NAMES/none] "), to: STDERR_FILENO)
    let answer =
      try StandardInput.answer()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return answer.isEmpty ? .names : try PlaceChoice.read(answer)
  }

  private var wishes: ImportJob.Wishes {
    var wishes = ImportJob.Wishes()
    (wishes.takesPages, wishes.takesTimedLines) = (pages, timedLines)
    (wishes.map, wishes.profile) = (map, profile)
    wishes.leavesPhotos = reference
    return wishes
  }

  private func foretell(_ job: ImportJob, _ progress: ProgressLine, _ context: Context) throws {
    var runs: [JSON] = []
    var notes: [JSON] = []
    var lines: [String] = []
    let earlier = EarlierRuns(isShared: paths.count > 1)
    for path in paths {
      let (forecasts, told) = try job.forecast(PathArgument.url(path), after: earlier)
      progress.clear()
      runs += forecasts.map(\.json)
      notes += told.map(\.json)
      for forecast in forecasts {
        lines += ForecastText(forecast, context.output).lines(of: path)
      }
      lines += ForecastText.lines(of: told)
    }
    context.output.result(
      ["dryRun": true, "runs": .array(runs), "notes": .array(notes)],
      lines: lines + [said("Nothing was changed. To import, run this again without --dry-run.")])
  }

  private func bring(
    _ job: ImportJob, _ archive: Archive, _ progress: ProgressLine, _ context: Context
  ) throws {
    var runs: [ImportRun] = []
    var failure: CommandFailure?
    for path in paths {
      do {
        runs += try job.run(PathArgument.url(path))
      } catch {
        // Entries imported before the interruption are kept and reported.
        let interruption = error as? ImportInterruption
        runs += interruption?.published ?? []
        let error = interruption?.cause ?? error
        let problem =
          error is ImportCancelled && !runs.isEmpty
          ? CommandFailure(
            .failed, said("The import was cancelled. Only what’s listed was imported."))
          : CommandFailure(error)
        failure = failure ?? problem
        guard paths.count > 1, !(error is ImportCancelled) else { break }
        let rest =
          interruption == nil
          ? said("Nothing was imported.") : said("Only part of it was imported.")
        context.output.say("\(path): \(saidAgain(problem.message)) \(rest)")
      }
    }
    progress.clear()
    if failure == nil || !runs.isEmpty {
      let short = try archive.shortIDs(runs.map(\.id), of: .importRuns)
      context.output.result(
        failure.map { ["runs": .array(runs.map(\.json)), "error": $0.json] }
          ?? ["runs": .array(runs.map(\.json))],
        lines: runs.flatMap {
          [RunText.line(of: $0, short[$0.id] ?? "", context)] + ForecastText.lines(of: $0.warnings)
        })
    }
    if let failure {
      throw CommandFailure(failure.status, failure.message, isInDocument: !runs.isEmpty)
    }
  }
}
