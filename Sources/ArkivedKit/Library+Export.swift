import ArkivedBackup
import ArkivedEngine
import ArkivedStore
public import Foundation

/// An open format that the archive is written in.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// One file that has everything, a JSON object a line; it can be imported again without loss.
  case jsonLines
  /// A folder of Markdown pages, one a day.
  case markdown
  /// A folder of tables of comma-separated values.
  case csv
  /// A folder with one page to read and print.
  case book
  /// An iCalendar file of what has a time.
  case calendar
  /// A GPX file of what has a place.
  case gpx
}

/// The account of an export.
public struct ExportSummary: Hashable, Sendable {
  /// How many entries were written.
  public var entries: Int
  /// How many files were written.
  public var files: Int
  /// Attachments whose file wasn't in the archive's folder.
  public var missingFiles: [String]
}

/// The account of a backup.
public struct BackupSummary: Hashable, Sendable {
  /// The backup's file.
  public var file: URL
  /// Its size.
  public var bytes: Int
  /// The SHA-256 of the file, in lower-case hexadecimal.
  public var sha256: String
  /// Whether it opens with a passphrase only.
  public var isEncrypted: Bool
  /// Attachments whose file wasn't in the archive's folder.
  public var missingFiles: [String]
}

extension Library {
  /// Writes the archive, or some days of it, in an open format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - days: the days; all of them where nil.
  ///   - target: the file, or for ``ExportFormat/markdown``, ``ExportFormat/csv`` and
  ///     ``ExportFormat/book`` the folder. An earlier export there is replaced; anything else isn't.
  /// - Throws: ``LibraryError/Code/refused`` if the target holds something else,
  ///   ``LibraryError/Code/storage``.
  @discardableResult
  public func export(
    _ format: ExportFormat, of days: ClosedRange<DayKey>? = nil, to target: URL
  ) async throws(LibraryError) -> ExportSummary {
    try await waiting { [self] in
      let job = ExportJob(archive: archive)
      let span = DayFilter(from: days?.lowerBound, to: days?.upperBound)
      let summary =
        switch format {
        case .jsonLines: try job.writeJSONLines(of: span, to: target, replaces: false)
        case .markdown: try job.writeMarkdown(of: span, to: target)
        case .csv: try job.writeCSV(of: span, to: target)
        case .book: try job.writeBook(of: span, to: target, today: today)
        case .calendar: try job.writeCalendar(of: span, to: target)
        case .gpx: try job.writeGPX(of: span, to: target)
        }
      return ExportSummary(
        entries: summary.entries, files: summary.files, missingFiles: summary.missingFiles)
    }
  }

  /// Writes everything into one file, entries and attachments, and reads it back.
  ///
  /// - Parameters:
  ///   - file: the backup's file. A file of that name is replaced only once the new one is whole.
  ///   - passphrase: encrypts the backup, in the age format; nil writes a plain zip archive.
  /// - Throws: ``LibraryError/Code/cancelled``, ``LibraryError/Code/unusableBackup`` if it doesn't read
  ///   back as it was written, ``LibraryError/Code/storage``.
  @discardableResult
  public func writeBackup(
    to file: URL, passphrase: String? = nil
  ) async throws(LibraryError) -> BackupSummary {
    try await cancellable { [self] isCancelled in
      let account = try BackupJob(
        archive: archive, target: passphrase.map { .passphrase($0) },
        watch: ImportWatch(isCancelled: isCancelled)
      ).write(to: file)
      return BackupSummary(
        file: account.file, bytes: account.bytes, sha256: account.hash,
        isEncrypted: account.isEncrypted, missingFiles: account.manifest.missing)
    }
  }

  /// Makes a backup the archive's content, after checking all of it and putting a copy of the present
  /// content aside.
  ///
  /// - Returns: the copy of the database as it was before; nil where there was nothing.
  /// - Throws: ``LibraryError/Code/unusableBackup``, ``LibraryError/Code/refused`` for an archive in
  ///   memory, ``LibraryError/Code/cancelled``, ``LibraryError/Code/storage``. Nothing was changed then.
  @discardableResult
  public func restoreBackup(
    from file: URL, passphrase: String? = nil
  ) async throws(LibraryError) -> URL? {
    try await cancellable { [self] isCancelled in
      let job = RestoreJob(
        archive: archive, homeZone: zone, watch: ImportWatch(isCancelled: isCancelled))
      let unlocks = passphrase.map { [AgeUnlock.passphrase($0)] } ?? []
      return try job.prepare(file, unlocks: unlocks).apply().safetyCopy
    }
  }
}
