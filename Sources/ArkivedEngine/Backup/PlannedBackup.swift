import ArkivedBackup
package import ArkivedCore
package import ArkivedStore
package import Foundation

/// A job that makes the backups of the owner's plan and deletes those that newer ones have
/// replaced.
package struct PlannedBackup {
  package let archive: Archive
  package let zone: Zone
  package let watch: ImportWatch

  package init(archive: Archive, zone: Zone, watch: ImportWatch = ImportWatch()) {
    self.archive = archive
    self.zone = zone
    self.watch = watch
  }

  /// Makes a backup.
  ///
  /// - Throws: `ArchiveError.refused` without a plan, and errors from `BackupJob`; the backup list
  ///   then contains the reason.
  package func run() throws -> BackupJob.Account {
    guard let plan = BackupBook(of: archive).plan else {
      throw ArchiveError.refused(
        "No backup folder or key is set. Set them with: arkived backup schedule --folder DIR "
          + "--to KEY")
    }
    let lock = try archive.databaseFile.map {
      try FileLock(
        at: $0.deletingLastPathComponent().appendingPathComponent("backup-run.lock"), waits: 0,
        else: "A backup is already running. No new one was started.")
    }
    defer { lock?.release() }
    do {
      let folder = URL(fileURLWithPath: plan.folder, isDirectory: true)
      try checkIsThere(folder)
      var account = try BackupJob(
        archive: archive, target: .recipients(plan.recipients), watch: watch
      ).write(to: Self.free(Self.name(at: archive.clock.now, "zip.age"), in: folder))
      if let whole = BackupBook(of: archive).lastWhole(now: archive.clock.now) {
        account.losses = try BackupLosses(archive: archive).between(whole, account)
      }
      try BackupBook.change(of: archive) { $0.note(account, isRotated: true) }
      try rotate(plan, keeping: account.file)
      return account
    } catch is BackupCancelled {
      throw BackupCancelled()
    } catch {
      let reason = String(describing: error)
      _ = try? BackupBook.change(of: archive) { $0.problem = String(reason.prefix(300)) }
      throw error
    }
  }

  /// Throws if none of the earlier backups is in the folder, because its disk is then not attached.
  ///
  /// The folder itself may still exist as an empty mount point. Using or creating it would silently
  /// put backups on the archive's own disk.
  ///
  /// - Throws: `ArchiveError.refused` that asks to attach the disk.
  private func checkIsThere(_ folder: URL) throws {
    let own = BackupBook(of: archive).entries.filter { entry in
      entry.isRotated && entry.folder == folder.standardizedFileURL.path
    }
    guard own.isEmpty || own.contains(where: \.exists) else {
      throw ArchiveError.refused(
        "The earlier backups in \(folder.path) are missing. Connect its disk. If they’re gone for "
          + "good, choose the folder again or choose another one.")
    }
  }

  /// Returns a file name such as `arkived-2026-03-14T200000Z.zip.age`.
  package static func name(at now: Instant, _ ending: String) -> String {
    let stamp = now.description.filter { $0 != ":" }
    return "arkived-\(stamp).\(ending)"
  }

  /// Returns a name that is not yet used in a folder.
  package static func free(_ name: String, in folder: URL) -> URL {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    var file = folder.appendingPathComponent(name)
    var number = 1
    while FileManager.default.fileExists(atPath: file.path) {
      number += 1
      file = folder.appendingPathComponent("\(parts[0])-\(number).\(parts.last ?? "")")
    }
    return file
  }

  /// Deletes backups of the plan that newer ones have replaced.
  ///
  /// Deletes only files that are in the backup list and still have their original size, never the
  /// newest or the one that was just made, and never the latest of those with the fewest missing
  /// attached files. Deletes none while the newest lacks something that an earlier one had.
  private func rotate(_ plan: BackupBook.Plan, keeping file: URL) throws {
    try BackupBook.change(of: archive) { book in
      guard book.lossy(now: archive.clock.now) == nil else { return }
      let folder = URL(fileURLWithPath: plan.folder, isDirectory: true).standardizedFileURL.path
      let own = book.entries.filter { entry in
        // A backup with losses may contain something that no other has, so it is kept until the
        // losses are accepted. A damaged one stands for nothing, and replaces no other.
        entry.isRotated && entry.isThere && entry.losses.isEmpty && entry.folder == folder
          && !book.hasFailed(entry)
      }
      var kept = plan.rotation.kept(own.map(\.madeAt), zone: zone)
      // Others may have later dates if the clock was ahead when they were made.
      if let made = own.firstIndex(where: { $0.path == file.standardizedFileURL.path }) {
        kept.insert(made)
      }
      let fewest = own.map(\.missing).min()
      // The list is sorted newest first.
      if let whole = own.firstIndex(where: { $0.missing == fewest }) { kept.insert(whole) }
      for (index, entry) in own.enumerated() where !kept.contains(index) {
        try? FileManager.default.removeItem(atPath: entry.path)
      }
      // A folder without any of its backups may be the mount point of a disk that isn't attached.
      let attached = Set(book.entries.filter(\.exists).map(\.folder))
      book.entries.removeAll { $0.isRotated && $0.isGone && attached.contains($0.folder) }
    }
  }
}
