import ArkivedBackup
import ArkivedEngine
import ArkivedStore
public import Foundation

/// An open format to which the archive can be exported.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// One file with everything, one JSON object per line; it can be imported again without loss.
  case jsonLines
  /// A folder of Markdown pages, one per day.
  case markdown
  /// A folder of tables as comma-separated values.
  case csv
  /// A folder with a single page to read and print.
  case book
  /// An iCalendar file of everything with a time.
  case calendar
  /// A GPX file of everything with a place.
  case gpx
}

/// The summary of an export.
public struct ExportSummary: Hashable, Sendable {
  /// The number of entries written.
  public var entries: Int
  /// The number of files written.
  public var files: Int
  /// The attachments whose file was missing from the archive's folder.
  public var missingFiles: [String]
  /// Descriptions of everything that wasn't written, such as pages that were changed since an
  /// earlier export wrote them; empty if everything was written.
  public var leftOut: [String]
}

/// The summary of a backup.
public struct BackupSummary: Hashable, Sendable {
  /// The backup's file.
  public var file: URL
  /// The size of the file, in bytes.
  public var bytes: Int
  /// The SHA-256 of the file, in lower-case hexadecimal.
  public var sha256: String
  /// True if it can be opened only with a passphrase.
  public var isEncrypted: Bool
  /// The attachments whose file was missing from the archive's folder.
  public var missingFiles: [String]
  /// Descriptions of everything that an earlier backup has and this one lacks; empty if nothing is
  /// missing.
  public var losses: [String]
}

extension Library {
  /// Writes the archive, or some of its days, in an open format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - days: the days to export; all if nil.
  ///   - target: the file, or for ``ExportFormat/markdown``, ``ExportFormat/csv`` and
  ///     ``ExportFormat/book`` the folder. An earlier export there is replaced; anything else
  ///     isn't.
  /// - Returns: a summary of the export.
  /// - Throws: ``LibraryError/Code/refused`` if the target contains something else,
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
        entries: summary.entries, files: summary.files, missingFiles: summary.missingFiles,
        leftOut: summary.leftOut.map { saidAgain($0) })
    }
  }

  /// Writes everything into one file, entries and attachments, and verifies it by reading it back.
  ///
  /// - Parameters:
  ///   - file: the backup's file. An earlier backup with that name is replaced only once the new one
  ///     is complete, and only if the new one has everything that the earlier one has. Otherwise,
  ///     the new one gets a different name, which is in the summary.
  ///   - passphrase: encrypts the backup, in the age format; nil writes a plain zip archive.
  /// - Returns: a summary of the backup.
  /// - Throws: ``LibraryError/Code/refused`` if the name belongs to a file that isn't a backup,
  ///   ``LibraryError/Code/cancelled``, ``LibraryError/Code/unusableBackup`` if it can't be read
  ///   back as written, ``LibraryError/Code/storage``.
  @discardableResult
  public func writeBackup(
    to file: URL, passphrase: String? = nil
  ) async throws(LibraryError) -> BackupSummary {
    try await cancellable { [self] isCancelled in
      try BackupJob.claim(file, for: archive)
      let account = try BackupJob(
        archive: archive, target: passphrase.map { .passphrase($0) },
        watch: ImportWatch(isCancelled: isCancelled)
      ).replace(file)
      return BackupSummary(
        file: account.file, bytes: account.bytes, sha256: account.hash,
        isEncrypted: account.isEncrypted, missingFiles: account.manifest.missing,
        losses: account.losses)
    }
  }

  /// Replaces the archive's content with a backup, after verifying the whole backup and saving a
  /// copy of the current content.
  ///
  /// - Returns: the copy of the previous database; nil if there was none.
  /// - Throws: ``LibraryError/Code/unusableBackup``, ``LibraryError/Code/refused`` for an archive
  ///   in memory, ``LibraryError/Code/cancelled``, ``LibraryError/Code/storage``. In each case,
  ///   nothing was changed.
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
