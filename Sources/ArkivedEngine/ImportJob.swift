package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// Brings files into the archive: finds out what they are, reads them, and writes what is new.
///
/// All the files of one format under one path are one run: they appear together, in one change
/// that can be undone, or not at all.
package struct ImportJob {
  package let archive: Archive
  package let homeZone: Zone
  package let importers: [any Importer]
  /// Brings back what the owner deleted, and overwrites what was changed here.
  package let overridesOwner: Bool
  /// Reads also what came in before and has not changed since.
  package let readsAgain: Bool
  package let watch: ImportWatch
  /// What places are called that their source does not name.
  package let placeNames: PlaceNames?
  /// What is kept of places; nil where the owner was not asked, and every format has its own answer.
  package let places: PlaceChoice?
  /// How much of the archive is kept at hand while it is written.
  var cacheMegabytes = 256
  private let program: String
  let readers: ReaderProgram

  /// What the owner may ask of the importers.
  package struct Wishes: Hashable, Sendable {
    /// Pages of Markdown folders that are of no day come in as notes.
    package var takesPages = false
    /// Lines of their days' pages that begin with a time become activities.
    package var takesTimedLines = false
    /// Photos and films stay where they are, and entries refer to them.
    package var leavesPhotos = false
    /// What the columns of a table become: `text=Title,start=Date`.
    package var map: String?
    /// The name under which a mapping is kept, or was.
    package var profile: String?

    package init() {}
  }

  /// The formats, as the owner wishes them to be read.
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
    // A table whose columns are told is nothing else.
    return table.isTold
      ? [points as any Importer, table] + own.filter { !($0 is any MappedImporter) } : own
  }

  /// The formats that Arkived reads. A table of any kind comes last: it takes what nobody knows.
  package static let formats: [any Importer] = [
    GoogleImporter(), OwnTracksImporter(), ActivityWatchImporter(), GPXImporter(), KMLImporter(),
    GeoJSONImporter(), TCXImporter(), FITImporter(),
    ICalendarImporter(), VCardImporter(), WhatsAppImporter(), TelegramImporter(), SMSImporter(),
    SignalImporter(), DayOneImporter(), KeepImporter(), JourneyImporter(), DiariumImporter(),
    AppleJournalImporter(), StandardNotesImporter(), BearImporter(), NotionImporter(),
    MarkdownFolderImporter(), JrnlImporter(),
    JSONLinesImporter(), TenWeekImporter(source: ForeignTables()), DaylioImporter(),
    TogglImporter(), LoopImporter(source: ForeignTables()), AppleHealthImporter(),
    PhotosImporter(), MediaListImporter(.goodreads), MediaListImporter(.letterboxd),
    MediaListImporter(.trakt), ListeningImporter(.spotify), ListeningImporter(.lastfm),
    TablePoints(),
    TableImporter(),
  ]

  /// What they are called in a sentence.
  package static let formatNames =
    "calendars (.ics) and address books (.vcf); journals from Day One (.zip, .json, .txt, Classic), "
    + "jrnl (text or JSON), Daylio (.csv, .daylio), Journey, Diarium and Apple Journal; notes from "
    + "Google Keep, Standard Notes, Bear, Notion and Markdown folders (Obsidian, Logseq); chats from "
    + "WhatsApp (.txt, .zip), Telegram (.json), Signal and SMS Backup & Restore (.xml); Google "
    + "location history (.json, Takeout’s .zip), OwnTracks (.rec, .json), Overland and GPSLogger; "
    + "GPX, KML, KMZ, GeoJSON, TCX and FIT; ActivityWatch (.json), Toggl (.csv) and Loop (.zip, "
    + ".db); Apple Health (.zip, .xml); photos and videos (also Google Takeout’s zip); Goodreads, "
    + "Letterboxd, Trakt, Spotify and Last.fm; tables (.csv), Ten Week databases (SQLite) and "
    + "Arkived JSON Lines (.jsonl); folders and zip archives of these"

  /// - Parameters:
  ///   - placeNames: what places are called that their source does not name; nil leaves them without.
  ///   - places: what is kept of places; nil where nobody answered.
  ///   - program: the program that reads; what another one found is read again. This one when nil.
  ///   - readers: by which files are read in a process of their own.
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

  /// Imports a file, or every file below a folder or in a zip archive that some importer recognises.
  ///
  /// Where a folder holds several formats, each is a run of its own; one that is refused does not
  /// keep the others out, and is told among their warnings. What came in before and has not changed
  /// since is not read again; its runs tell how many entries are known.
  /// - Throws: `ImportRefusal` when nothing of it can be used, `CocoaError` when it cannot be read,
  ///   `ImportInterruption` when it ended early and something had come in by then.
  /// - Parameter name: what the run's account calls the source; its path when nil.
  package func run(_ path: URL, named name: String? = nil) throws -> [ImportRun] {
    // On the archive's disk, so that what is unpacked is stored by its name alone.
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
    for (importer, files) in groups {
      do {
        outcomes.append(try run(importer, files, source, outcomes.isEmpty ? notes : []))
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
    // Not to remember costs one more reading; what came in is in.
    if refusals.isEmpty, outcomes.allSatisfy(\.isLasting) { try? memory.keep(runs, of: groups) }
    runs[0].warnings += refusals.map { .init(place: $0.place, message: $0.message) }
    runs[0].skipped += refusals.count
    return runs
  }

  /// Everything besides the input that decides what is read from it.
  private func settings(for path: URL, _ importers: [any Importer]) -> String {
    let asked = importers.map { "\($0.format) \($0.settings)" }
    let place = importers.contains(where: \.namesPaths) ? path.path : ""
    let names = placeNames?.mark ?? ""
    let kept = "places \(places?.rawValue ?? "unasked")"
    return ([program, homeZone.identifier, place, names, kept] + asked).joined(separator: "\n")
  }

  /// The zones that were home when entries of a format came in that tells none.
  func formerZones(of importer: any Importer) throws -> [HomeZones.Span] {
    guard importer.keepsZones else { return [] }
    let runs = try archive.zoneRuns(of: importer.format).compactMap { run -> HomeZones.Run? in
      // Google tells offsets too, so that such a zone need not have been home.
      let isTold = importer is GoogleImporter && HomeZones.mayStandForOffset(run.zone)
      guard !isTold, let zone = Zone(run.zone) else { return nil }
      return (zone, run.start, run.end)
    }
    return HomeZones(home: homeZone, runs: runs).spans
  }

  /// Whether most of what Apple Health brought before has the home zone, so that its phone is mostly
  /// there: a computer far from its owner may call another zone home.
  func cameInAtHome(_ importer: any Importer) throws -> Bool {
    guard importer is AppleHealthImporter else { return false }
    let counts = try archive.zoneCounts(of: "health")
    return counts[homeZone.identifier, default: 0] * 2 > counts.values.reduce(0, +)
  }

  /// What is kept of the places that a format brings.
  func places(of importer: any Importer) -> PlaceChoice {
    places ?? (importer.keepsPlaces ? .keep : .names)
  }

  // MARK: Running

  /// What is imported, and what it is called.
  private struct Source {
    var url: URL
    /// As its owner named it.
    var path: URL
    var name: String?
    /// Holds what is unpacked until all of it is in.
    var scratch: ScratchFolder
    var reader: ReaderProcess

    var summary: String { "Imported \(path.lastPathComponent)" }
  }

  private struct Outcome {
    var run: ImportRun
    /// Whether the same input would be told the same of another day.
    var isLasting: Bool
  }

  /// Says of an input that is known what reading it once more would say.
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
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic]
  ) throws -> Outcome {
    var files = files
    var notes = notes
    var losses = 0
    while true {
      do {
        return try runOnce(importer, files, source, notes)
      } catch let lost as ReaderProcess.Lost {
        // Begun anew without the file: what was known of the run as a whole is gone with the reader.
        files = try ReaderProcess.rest(of: files, without: lost, after: losses)
        losses += 1
        notes.append(ReaderProcess.note(on: lost.refusal))
        watch.beginAgain()
      }
    }
  }

  private func runOnce(
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic]
  ) throws -> Outcome {
    let isUsed = files.count > 1 && !readsAgain && !overridesOwner
    if isUsed, let outcome = try attempt(importer, files, source, notes, usesKnown: true) {
      return outcome
    }
    guard let outcome = try attempt(importer, files, source, notes, usesKnown: false) else {
      throw ImportRefusal(place: source.path.path, message: "it couldn’t be read completely")
    }
    return outcome
  }

  /// - Parameter usesKnown: passes over files that came in before and have not changed since.
  /// - Returns: nil where something that is here would change, and one of the files that were passed
  ///   over may tell of it first: all are to be read.
  private func attempt(
    _ importer: any Importer, _ files: [ImportFile], _ source: Source, _ notes: [Diagnostic],
    usesKnown: Bool
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
          // One bad file among many is left out and named; alone it is the answer.
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
      if files.count > 1 { try? known.keep(for: account) }
      return Outcome(run: account, isLasting: run.isLasting)
    } catch {
      run.discard()
      throw error
    }
  }
}

extension ImportFile {
  var byteCount: Int {
    (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
  }
}
