import ArkivedBackup
import ArkivedCore
import ArkivedStore
import Foundation

/// A comparison that finds what a new backup lacks compared with an earlier one.
///
/// An archive that lost its database, went back to an earlier state or lost its attachments still
/// produces a valid backup. Such a backup must not replace a complete one.
struct BackupLosses {
  let archive: Archive

  /// Compares a backup that was just made with an earlier one.
  ///
  /// Fewer entries or files don't count as a loss if the owner permanently deleted something, undid
  /// an import or keeps old versions for a limited time, unless more than half of them are missing.
  /// - Returns: descriptions of everything missing; empty if nothing is.
  func between(_ earlier: BackupBook.Entry, _ new: BackupJob.Account) throws -> [String] {
    var losses: [String] = []
    if let before = earlier.archive, let now = new.archive, before != now {
      losses.append("it’s from another archive")
    } else if let before = earlier.change, let now = new.change, now < before {
      losses.append("the archive has gone back to an earlier state")
    }
    let mayShrink = try archive.mayHoldLess(sinceChange: earlier.change)
    let passing = earlier.passing.map { (now: new.passing, before: $0) } ?? (now: 0, before: 0)
    let (now, before) = (new.manifest.entries - passing.now, earlier.entries - passing.before)
    if isLess(now, than: before, mayShrink) {
      losses.append("\(now) entries instead of \(before)")
    }
    if let files = earlier.files, isLess(new.files, than: files, mayShrink) {
      losses.append("\(new.files) attached files instead of \(files)")
    }
    if new.manifest.missing.count > earlier.missing {
      losses.append("\(new.manifest.missing.count) attached files are missing from the archive")
    }
    return losses
  }

  private func isLess(_ now: Int, than before: Int, _ mayShrink: Bool) -> Bool {
    mayShrink ? now * 2 < before : now < before
  }
}

extension BackupBook.Entry {
  /// Creates an entry for a backup that was just made.
  init(_ account: BackupJob.Account, isRotated: Bool) {
    self.init(
      path: account.file.standardizedFileURL.path, madeAt: account.manifest.madeAt,
      bytes: account.bytes,
      hash: account.hash, entries: account.manifest.entries, isEncrypted: account.isEncrypted,
      isRotated: isRotated, missing: account.manifest.missing.count)
    files = account.files
    passing = account.passing
    archive = account.archive
    change = account.change
    losses = account.losses
  }
}
