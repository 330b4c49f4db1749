import ArkivedEngine
import ArkivedImport
import ArkivedStore
public import Foundation

/// The options of an import.
public struct ImportOptions: Hashable, Sendable {
  /// True if pages in Markdown folders that don't belong to a day are imported as notes.
  public var takesPages = false
  /// True if lines of daily pages that begin with a time become activities.
  public var takesTimedLines = false
  /// True if photos and videos stay in place, and entries refer to them.
  public var leavesPhotos = false
  /// The meanings of a table's columns: `text=Title,start=Date`; guessed if nil.
  public var columnMap: String?
  /// True if entries that the owner deleted are restored, and those that the owner changed are
  /// overwritten.
  public var overridesOwner = false

  /// Creates the default options.
  public init() {}

  fileprivate var importers: [any Importer] {
    var wishes = ImportJob.Wishes()
    wishes.takesPages = takesPages
    wishes.takesTimedLines = takesTimedLines
    wishes.leavesPhotos = leavesPhotos
    wishes.map = columnMap
    return ImportJob.importers(for: wishes)
  }
}

/// A preview of importing some files.
public struct ImportPreview: Hashable, Sendable {
  /// The summary for the files of one format.
  public struct Part: Hashable, Sendable {
    /// The format's name.
    public var format: String
    /// The files.
    public var files: [String]
    /// The number of new entries of each type.
    public var created: [String: Int]
    /// The number of known entries that would change.
    public var updated: Int
    /// The number of known entries that are unchanged.
    public var unchanged: Int
    /// The number of entries that can't be imported.
    public var skipped: Int
    /// The first day of the entries.
    public var firstDay: DayKey?
    /// The last day of the entries.
    public var lastDay: DayKey?
    /// The warnings about the files.
    public var warnings: [ImportRun.Warning]
  }

  /// The parts, one for each format; each is a run of the import.
  public var parts: [Part]
  /// The notes on files that would be skipped.
  public var notes: [ImportRun.Warning]
}

extension Library {
  /// Previews the import of a file, a folder or a zip archive.
  ///
  /// Nothing is stored.
  ///
  /// - Throws: ``LibraryError/Code/unreadableFile`` if it contains nothing that Arkived can read,
  ///   ``LibraryError/Code/cancelled``.
  public func previewImport(
    of source: URL, options: ImportOptions = ImportOptions()
  ) async throws(LibraryError) -> ImportPreview {
    try await cancellable { [self] isCancelled in
      let job = importJob(options, ImportWatch(isCancelled: isCancelled))
      let (forecasts, notes) = try job.forecast(source)
      return ImportPreview(
        parts: forecasts.map { forecast in
          ImportPreview.Part(
            format: forecast.format, files: forecast.files, created: forecast.created,
            updated: forecast.updated, unchanged: forecast.unchanged, skipped: forecast.skipped,
            firstDay: forecast.firstDay, lastDay: forecast.lastDay, warnings: forecast.warnings)
        }, notes: notes)
    }
  }

  /// Imports a file, or every file in a folder or zip archive that Arkived recognises.
  ///
  /// The files of one format appear all at once, in one change, or not at all. Entries imported
  /// earlier aren't duplicated. Files are read in this process, unless ``FileReaderProcess`` was
  /// prepared.
  ///
  /// - Parameters:
  ///   - source: the file, folder or zip archive.
  ///   - options: the options of the import.
  ///   - progress: called several times a second on an arbitrary thread with the share that was
  ///     read, from 0 to 1.
  /// - Returns: the summary of each run; ``undoImport(_:)`` reverts one.
  /// - Throws: ``LibraryError/Code/unreadableFile`` if it contains nothing that Arkived can read,
  ///   ``LibraryError/Code/busy`` while another import is running, ``LibraryError/Code/cancelled``,
  ///   ``LibraryError/Code/storage``. Runs that were complete by then are kept, and the message
  ///   says so.
  public func importFiles(
    at source: URL, options: ImportOptions = ImportOptions(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(LibraryError) -> [ImportRun] {
    try await cancellable { [self] isCancelled in
      let watch = ImportWatch(isCancelled: isCancelled) { progress($0.fraction) }
      return try importJob(options, watch).run(source)
    }
  }

  /// Returns all import runs, newest first.
  public func importRuns() async throws(LibraryError) -> [ImportRun] {
    try await waiting { [self] in try archive.importRuns() }
  }

  /// Reverts an import; entries that have been changed or used since are kept.
  ///
  /// - Throws: ``LibraryError/Code/notFound``.
  @discardableResult
  public func undoImport(_ run: ImportRun) async throws(LibraryError) -> UndoResult {
    let change = try await waiting { [self] in
      try archive.importRun(matching: run.id.uuidString).changeID
    }
    return try await undo(change)
  }

  private func importJob(_ options: ImportOptions, _ watch: ImportWatch) -> ImportJob {
    ImportJob(
      archive: archive, homeZone: zone, importers: options.importers,
      overridesOwner: options.overridesOwner, watch: watch, placeNames: PlaceNames.installed())
  }
}

/// A separate process for reading external files.
///
/// Imported files may be malicious. The program `arkived` reads them in a second process that can
/// neither write files nor reach the network. An app that is allowed to start processes gets the
/// same protection from one line at the very beginning of its `main`:
///
/// ```swift
/// FileReaderProcess.prepare()
/// ```
///
/// Without it, as on iOS, files are read in the app's own process.
public enum FileReaderProcess {
  /// Allows imports to start this program again for reading.
  ///
  /// In such a process, the method does that work and doesn't return.
  public static func prepare() {
    switch Array(CommandLine.arguments.dropFirst()) {
    case [ImageReader.argument]:
      ImageReader.serve()
      exit(0)
    case [ReaderChild.argument]: ReaderService.serve()
    default: ImageReader.register()
    }
  }
}
