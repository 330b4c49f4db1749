package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that imports files into the archive: it determines their formats, reads them, and writes
/// new data.
///
/// All files of one format under one path form one run: they appear together, in one change that
/// can be undone, or not at all.
package struct ImportJob {
  package let archive: Archive
  package let homeZone: Zone
  package let importers: [any Importer]
  /// True if the import restores data that the owner deleted and overwrites data that was changed
  /// here.
  package let overridesOwner: Bool
  /// True if the import also reads unchanged files that were imported before.
  package let readsAgain: Bool
  package let watch: ImportWatch
  /// The names for places that have no name in their source.
  package let placeNames: PlaceNames?
  /// The location data to keep; nil if the owner was not asked, in which case each format uses its
  /// default.
  package let places: PlaceChoice?
  /// The size of the database cache while importing, in megabytes.
  var cacheMegabytes = 256
  private let program: String
  let readers: ReaderProgram

  /// The options for importers.
  package struct Wishes: Hashable, Sendable {
    /// True if pages of Markdown folders that don't belong to a day are imported as notes.
    package var takesPages = false
    /// True if lines of day pages that begin with a time become activities.
    package var takesTimedLines = false
    /// True if photos and videos stay in their folder and entries refer to them there.
    package var leavesPhotos = false
    /// The mapping of a table's columns: `text=Title,start=Date`.
    package var map: String?
    /// The name under which a mapping is or was saved.
    package var profile: String?

    package init() {}
  }

  /// Returns the formats with the owner's options applied.
  package static func importers(for wishes: Wishes) -> [any Importer] {
    let table = TableImporter(map: wishes.map, profile: wishes.profile)
    let points = TablePoints(table)
    let own = formats.map { importer -> any Importer in
      switch importer {
      case is MarkdownFolderImporter:
        MarkdownFolderImporter(
          takesPages: wishes.takesPages, takesTimedLines: wishes.takesTimedLines)
      case is TableImporter: table
      case is TablePoints: points
      case is PhotosImporter: PhotosImporter(leavesFiles: wishes.leavesPhotos)
      default: importer
      }
    }
    // A table whose columns are specified can be nothing else.
    return table.isTold
      ? [points as any Importer, table] + own.filter { !($0 is any MappedImporter) } : own
  }

  /// The formats that Arkived reads.
  ///
  /// Tables of any kind come last, because their importer accepts everything that no other format
  /// recognises.
  package static let formats: [any Importer] = [
    GoogleImporter(), OwnTracksImporter(), ActivityWatchImporter(), GPXImporter(), KMLImporter(),
    GeoJSONImporter(), TCXImporter(), FITImporter(), StravaImporter(), GarminExportImporter(),
    FitbitImporter(), GoogleFitImporter(), SamsungHealthImporter(), WithingsImporter(),
    OuraImporter(), PolarstepsImporter(),
    ICalendarImporter(), VCardImporter(), WhatsAppImporter(), TelegramImporter(), SMSImporter(),
    SignalImporter(), DayOneImporter(), KeepImporter(), JourneyImporter(), DiariumImporter(),
    AppleJournalImporter(), StandardNotesImporter(), BearImporter(),
    EvernoteImporter(), NotionImporter(), TwitterImporter(),
    MarkdownFolderImporter(), JrnlImporter(),
    JSONLinesImporter(), TenWeekImporter(source: ForeignTables()), DaylioImporter(),
    TogglImporter(), LoopImporter(source: ForeignTables()),
    HabitBackupImporter(.tickmate, source: ForeignTables()),
    HabitBackupImporter(.rewire, source: ForeignTables()), AppleHealthImporter(),
    PhotosImporter(), MediaListImporter(.goodreads), MediaListImporter(.letterboxd),
    MediaListImporter(.trakt), ListeningImporter(.spotify), ListeningImporter(.lastfm),
    ViewingImporter(.netflix), ViewingImporter(.youtube), OFXImporter(), CAMTImporter(),
    TablePoints(),
    TableImporter(),
  ]

  /// The names of the formats in a sentence.
  package static let formatNames =
    "calendars (.ics) and address books (.vcf); journals from Day One (.zip, .json, .txt, Classic), "
    + "jrnl (text or JSON), Daylio (.csv, .daylio), Journey, Diarium and Apple Journal; notes from "
    + "Google Keep, Evernote (.enex), Standard Notes, Bear, Notion and Markdown folders (Obsidian, Logseq); posts from X (Twitter); chats from "
    + "WhatsApp (.txt, .zip), Telegram (.json), Signal and SMS Backup & Restore (.xml); Google "
    + "location history (.json, Takeout’s .zip), OwnTracks (.rec, .json), Overland and GPSLogger; "
    + "Polarsteps; GPX, KML, KMZ, GeoJSON, TCX and FIT; ActivityWatch (.json), Toggl (.csv), Loop (.zip, "
    + ".db), Tickmate and Rewire (.db); Apple Health (.zip, .xml), Garmin, Strava, Fitbit, Google Fit, Samsung Health, Withings "
    + "and Oura (their exports); photos and videos (also Google Takeout’s zip); Goodreads, "
    + "Letterboxd, Trakt, Netflix, YouTube, Spotify and Last.fm; bank statements (.ofx, .qfx, CAMT); tables (.csv), Ten Week databases (SQLite) and "
    + "Arkived JSON Lines (.jsonl); folders and zip archives of these"

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - homeZone: the home time zone.
  ///   - importers: the importers to choose from.
  ///   - overridesOwner: true if the import restores what the owner deleted and overwrites what was
  ///     changed here.
  ///   - readsAgain: true if the import also reads unchanged files that were imported before.
  ///   - watch: notified of progress, and asked whether to continue.
  ///   - placeNames: the names for places that have no name in their source; nil leaves them
  ///     unnamed.
  ///   - places: the location data to keep; nil if the owner was not asked.
  ///   - program: the program that reads; results of another program are read again. This program
  ///     if nil.
  ///   - readers: the program that reads files in a separate process.
  package init(
    archive: Archive, homeZone: Zone, importers: [any Importer] = ImportJob.formats,
    overridesOwner: Bool = false, readsAgain: Bool = false, watch: ImportWatch = ImportWatch(),
    placeNames: PlaceNames? = nil, places: PlaceChoice? = .keep, program: String? = nil,
    readers: ReaderProgram = .own
  ) {
    self.archive = archive
    self.homeZone = homeZone
    let profiles = ((try? archive.tableProfiles()) ?? []).compactMap { TableProfile($0) }
    self.importers = importers.map { importer -> any Importer in
      switch importer {
      case let table as TableImporter: table.knowing(profiles)
      case let points as TablePoints: TablePoints(points.table.knowing(profiles))
      default: importer
      }
    }
    self.overridesOwner = overridesOwner
    self.readsAgain = readsAgain
    self.watch = watch
    self.placeNames = placeNames
    self.places = places
    self.program = program ?? ImportMemory.program
    self.readers = readers
  }

  /// Imports a file, or every file below a folder or in a zip archive that an importer recognises.
  ///
  /// If a folder contains several formats, each is a separate run. A rejected run does not stop the
  /// others, and is reported among their warnings. Files that were imported before and have not
  /// changed are not read again; their runs report the number of known entries.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - name: the name of the source in the run's account; its path if nil.
  /// - Returns: the runs.
  /// - Throws: `ImportRefusal` if nothing in it can be used, `CocoaError` if it cannot be read,
  ///   `ImportInterruption` if it ended early after something was imported.
  package func run(_ path: URL, named name: String? = nil) throws -> [ImportRun] {
    // On the archive's disk, so storing an unpacked file is only a rename.
    let scratch = ScratchFolder(on: archive.scratchHome)
    defer { scratch.remove() }
    let reader = ReaderProcess(readers, in: scratch)
    defer { reader.end() }
    let source = Source(
      url: try PipedInput.file(path, in: scratch, watch), path: path, name: name,
      scratch: scratch, reader: reader)
    var memory = try ImportMemory(
      archive, of: source.url, settings: settings(for: source.url, importers))
    if !readsAgain, !overridesOwner, let known = try memory.known(watch) {
      return try known.map { try run(knowing: $0, source) }
    }
    let (groups, notes) = try reader.find(source.url, importers, look: watch.look)
    var outcomes: [Outcome] = []
    var refusals: [ImportRefusal] = []
    let attached = ClaimedFiles()
    for (importer, found) in ClaimedFiles.ordered(groups) {
      let files = attached.rest(of: found, for: importer)
      guard !files.isEmpty else { continue }
      do {
        outcomes.append(
          try run(importer, files, source, outcomes.isEmpty ? notes : [], attached))
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      } catch {
        guard !outcomes.isEmpty else { throw error }
        throw ImportInterruption(published: outcomes.map(\.run), cause: error)
      }
    }
    var runs = outcomes.map(\.run)
    guard !runs.isEmpty else {
      throw refusals.first
        ?? ImportRefusal(place: path.path, message: "it contains nothing Arkived can read")
    }
    // If this fails, the input is only read once more; the imported entries are saved.
    if refusals.isEmpty, outcomes.allSatisfy(\.isLasting) { try? memory.keep(runs, of: groups) }
    runs[0].warnings += refusals.map { .init(place: $0.place, message: $0.message) }
    runs[0].skipped += refusals.count
    return runs
  }

  /// Returns everything besides the input that affects the result of reading it.
  private func settings(for path: URL, _ importers: [any Importer]) -> String {
    let asked = importers.map { "\($0.format) \($0.settings)" }
    let place = importers.contains(where: \.namesPaths) ? path.path : ""
    let names = placeNames?.mark ?? ""
    let kept = "places \(places?.rawValue ?? "unasked")"
    return ([program, homeZone.identifier, place, names, kept] + asked).joined(separator: "\n")
  }

  /// Returns the zones that were the home zone when entries were imported from a format without
  /// zones.
  func formerZones(of importer: any Importer) throws -> [HomeZones.Span] {
    guard importer.keepsZones else { return [] }
    let runs = try archive.zoneRuns(of: importer.format).compactMap { run -> HomeZones.Run? in
      // A zone that stands for an offset in the source may not have been home.
      let isTold = importer.recordsOffsets && HomeZones.mayStandForOffset(run.zone)
      guard !isTold, let zone = Zone(run.zone) else { return nil }
      return (zone, run.start, run.end)
    }
    return HomeZones(home: homeZone, runs: runs).spans
  }

  /// Returns true if most data imported from Apple Health so far is in the home zone, which means
  /// that the phone is mostly there.
  ///
  /// A computer far from its owner may have another home zone.
  func cameInAtHome(_ importer: any Importer) throws -> Bool {
    guard importer is AppleHealthImporter else { return false }
    let counts = try archive.zoneCounts(of: "health")
    return counts[homeZone.identifier, default: 0] * 2 > counts.values.reduce(0, +)
  }

  /// Returns the location data to keep for a format.
  func places(of importer: any Importer) -> PlaceChoice {
    places ?? (importer.keepsPlaces ? .keep : .names)
  }

  // MARK: Running

  /// The source of an import, and its name.
  private struct Source {
    var url: URL
    /// The path as the owner typed it.
    var path: URL
    var name: String?
    /// The folder for unpacked files until all are imported.
    var scratch: ScratchFolder
    var reader: ReaderProcess

    var summary: String { "Imported \(path.lastPathComponent)" }
  }

  private struct Outcome {
    var run: ImportRun
    /// True if reading the same input on another day would give the same result.
    var isLasting: Bool
  }

  /// Returns the result that reading a known input again would give.
  private func run(knowing known: ImportMemory.Known, _ source: Source) throws -> ImportRun {
    let run = try StagedImport(
      archive, action: "import", summary: source.summary, overridesOwner: false, watch: watch)
    do {
      run.take(known)
      return try run.publish(
        format: known.run.format, source: source.name ?? source.path.path)
    } catch {
      run.discard()
      throw error
    }
  }

  private func run(
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic],
    _ attached: ClaimedFiles
  ) throws -> Outcome {
    var files = files
    var notes = notes
    var losses = 0
    while true {
      do {
        return try runOnce(importer, files, source, notes, attached)
      } catch let lost as ReaderProcess.Lost {
        // Restarts without the file, because the reader's state of the whole run is lost with its
        // process.
        files = try ReaderProcess.rest(of: files, without: lost, after: losses)
        losses += 1
        notes.append(ReaderProcess.note(on: lost.refusal))
        watch.beginAgain()
      }
    }
  }

  private func runOnce(
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic],
    _ attached: ClaimedFiles
  ) throws -> Outcome {
    let isUsed = files.count > 1 && !readsAgain && !overridesOwner
    if isUsed,
      let outcome = try attempt(importer, files, source, notes, attached, usesKnown: true)
    {
      return outcome
    }
    guard
      let outcome = try attempt(importer, files, source, notes, attached, usesKnown: false)
    else {
      throw ImportRefusal(place: source.path.path, message: "it couldn’t be read completely")
    }
    return outcome
  }

  /// Attempts to read the files.
  ///
  /// - Parameters:
  ///   - importer: the importer.
  ///   - files: the files.
  ///   - source: the source of the run.
  ///   - notes: what to report with the run.
  ///   - attached: receives the files that the run's entries have as attachments.
  ///   - usesKnown: skips files that were imported before and have not changed.
  /// - Returns: nil if the import would change something here that one of the skipped files may
  ///   have described first; in that case all files must be read.
  /// - Throws: an error if the files can't be read or the archive can't be written.
  private func attempt(
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic],
    _ attached: ClaimedFiles, usesKnown: Bool
  ) throws -> Outcome? {
    let scratch = ScratchFolder(in: source.scratch)
    defer { scratch.remove() }
    let confined = source.reader.confined(importer, isOneOfMany: true)
    let context = ImportContext(
      now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
      files: files, placeNames: placeNames, formerZones: try formerZones(of: importer),
      cameInAtHome: try cameInAtHome(importer),
      scratchFolder: { try scratch.make() })
    let run = try StagedImport(
      archive, action: "import", summary: source.summary, overridesOwner: overridesOwner,
      watch: watch, places: places(of: importer), cacheMegabytes: cacheMegabytes)
    do {
      for note in notes { run.diagnose(note) }
      run.takesFiles(of: scratch)
      run.expects(fileCount: files.count)
      if !(importer is PhotosImporter) { run.recordAttachedPaths() }
      watch.begin(files.map(\.byteCount))
      var refusals: [ImportRefusal] = []
      var known = try KnownFiles(
        archive, settings: "\(settings(for: source.url, [importer]))\n\(source.path.path)",
        isUsed: usesKnown)
      for file in files {
        let look = files.count > 1 ? KnownFiles.look(of: file, importer) : nil
        if let look, let count = known.count(look) {
          run.takeKnown(count)
          continue
        }
        let before = run.standing
        do {
          try run.take { [isAlone = files.count == 1] sink in
            try confined.read(file, context: context, isAlone: isAlone, into: sink)
          }
        } catch let refusal as ImportRefusal {
          // One bad file among many is skipped and named; if it is the only one, the import is
          // refused.
          guard files.count > 1 else { throw refusal }
          refusals.append(refusal)
          run.diagnose(
            Diagnostic(.skipped, place: refusal.place, message: refusal.message, mayPass: true))
          continue
        }
        let after = run.standing
        if let look, after.open == before.open, look == KnownFiles.look(of: file, importer) {
          known.note(look, count: after.entries - before.entries)
        }
      }
      if let first = refusals.first, refusals.count == files.count { throw first }
      try run.decideHeld()
      if known.hasMet, run.hasPutOff {
        run.discard()
        return nil
      }
      if places == nil, run.reducedCount > 0 {
        run.diagnose(
          PlaceReduction.note(run.reducedCount, at: source.name ?? source.path.lastPathComponent))
      }
      let account = try run.publish(
        format: importer.format, source: source.name ?? source.path.path)
      if let table = (importer as? any MappedImporter)?.table,
        let profile = try files.first.flatMap({ try table.profileToKeep(of: $0) })
      {
        try archive.keepTableProfile(profile.json)
      }
      attached.add(run.attachedPaths ?? [])
      if files.count > 1 { try? known.keep(for: account) }
      return Outcome(run: account, isLasting: run.isLasting)
    } catch {
      run.discard()
      throw error
    }
  }
}
