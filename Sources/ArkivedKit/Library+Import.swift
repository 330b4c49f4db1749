import ArkivedEngine
import ArkivedImport
import ArkivedStore
public import Foundation

/// The owner's wishes for an import.
public struct ImportOptions: Hashable, Sendable {
  /// Whether pages of Markdown folders that are of no day come in as notes.
  public var takesPages = false
  /// Whether lines of their days' pages that begin with a time become activities.
  public var takesTimedLines = false
  /// Whether photos and films stay where they are, and entries refer to them.
  public var leavesPhotos = false
  /// What the columns of a table become: `text=Title,start=Date`; guessed where nil.
  public var columnMap: String?
  /// Whether what the owner deleted comes back, and what they changed is overwritten.
  public var overridesOwner = false

  /// Makes the usual options.
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

/// What an import of some files would do.
public struct ImportPreview: Hashable, Sendable {
  /// The account of the files of one format.
  public struct Part: Hashable, Sendable {
    /// The format's name.
    public var format: String
    /// The files.
    public var files: [String]
    /// How many entries of each type would come in new.
    public var created: [String: Int]
    /// How many known entries would change.
    public var updated: Int
    /// How many entries are known and as they are here.
    public var unchanged: Int
    /// How many entries can't come in.
    public var skipped: Int
    /// The first day of the entries.
    public var firstDay: DayKey?
    /// The last day of the entries.
    public var lastDay: DayKey?
    /// What there is to say of the files.
    public var warnings: [ImportRun.Warning]
  }

  /// One part for each format, which is one run of the import.
  public var parts: [Part]
  /// What there is to say of files that would be left alone.
  public var notes: [ImportRun.Warning]
}

extension Library {
  /// Finds out what importing a file, a folder or a zip archive would do. Nothing of it stays.
  ///
  /// - Throws: ``LibraryError/Code/unreadableFile`` if there is nothing in it that Arkived reads,
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
  /// The files of one format appear at once, in one change, or not at all. What came in before isn't
  /// doubled. Files are read in this process, unless ``FileReaderProcess`` was prepared.
  ///
  /// - Parameters:
  ///   - source: the file, folder or zip archive.
  ///   - options: the owner's wishes.
  ///   - progress: told several times a second the share that was read, from 0 to 1, on some thread.
  /// - Returns: the account of each run; ``undoImport(_:)`` takes one back.
  /// - Throws: ``LibraryError/Code/unreadableFile`` if there is nothing in it that Arkived reads,
  ///   ``LibraryError/Code/busy`` while another import runs, ``LibraryError/Code/cancelled``,
  ///   ``LibraryError/Code/storage``.
  public func importFiles(
    at source: URL, options: ImportOptions = ImportOptions(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(LibraryError) -> [ImportRun] {
    try await cancellable { [self] isCancelled in
      let watch = ImportWatch(isCancelled: isCancelled) { progress($0.fraction) }
      return try importJob(options, watch).run(source)
    }
  }

  /// Returns all import runs, the newest first.
  public func importRuns() async throws(LibraryError) -> [ImportRun] {
    try await waiting { [self] in try archive.importRuns() }
  }

  /// Takes an import back; entries that were changed or used since stay.
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

/// A process of its own for reading files that come from outside.
///
/// Imported files may be made to do harm. The program `arkived` reads them in a second process that may
/// neither write nor reach the network. An app that may start processes gets the same by one line at the
/// very beginning of its `main`:
///
/// ```swift
/// FileReaderProcess.prepare()
/// ```
///
/// Without it, as on iOS, files are read in the app's own process.
public enum FileReaderProcess {
  /// Lets imports start this program again for reading. In such a process it does that work, and doesn't
  /// return.
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
