package import ArkivedCore
package import ArkivedStore
import Foundation

/// Whether the archive is backed up well enough, judged by the list of backups.
extension BackupBook {
  /// The number of days without a backup after which the owner is reminded.
  package static let reminderDays = 14

  /// Returns the finding about backups that `doctor` reports; its days are those of a zone.
  package func finding(now: Instant, zone: Zone) -> Archive.Finding {
    let remedy =
      "To make one: arkived backup FILE. To have serve make them automatically: arkived backup "
      + "schedule."
    if isUnreadable {
      return .init(
        "backup", .problem, "the list of backups and their schedule (backup.json) can’t be read",
        remedy: "Repair backup.json in the archive’s folder, or move it elsewhere and set the "
          + "schedule again.")
    }
    if let problem {
      return .init("backup", .advice, "the last scheduled one failed: \(problem)", remedy: remedy)
    }
    if let lossy = lossy(now: now) {
      return .init(
        "backup", .problem,
        """
        the last backup is missing something the one before it had: \
        \(lossy.losses.joined(separator: "; ")). Until this is resolved, earlier backups won’t be removed
        """,
        remedy: "If something is missing here, restore an earlier backup (arkived backup list). "
          + "If everything is as it should be: arkived backup accept")
    }
    guard let last = last(now: now) else {
      return .init("backup", .advice, "there is none yet", remedy: remedy)
    }
    guard !hasFailed(last) else {
      return .init("backup", .problem, "the last one failed its test: \(last.path)", remedy: remedy)
    }
    guard !last.isAhead(of: now) else {
      return .init(
        "backup", .advice, "the last one is from \(last.madeAt), when the clock was ahead",
        remedy: remedy)
    }
    let days = last.madeAt.seconds(to: now) / 86_400
    let nights = zone.dayKey(at: last.madeAt).distance(to: zone.dayKey(at: now))
    let age = nights < 1 ? "today" : nights == 1 ? "yesterday" : "\(nights) days ago"
    guard days < Self.reminderDays else {
      return .init("backup", .advice, "the last one was created \(age)", remedy: remedy)
    }
    return .init("backup", .good, "the last one was created \(age): \(last.path)")
  }

  /// Returns the time at which the plan's next backup is due; nil without a plan.
  ///
  /// Backups dated in the future by a wrong clock don't delay it, nor do those that failed a test.
  package func nextDue(now: Instant) -> Instant? {
    guard let plan else { return nil }
    let folder = URL(fileURLWithPath: plan.folder, isDirectory: true).standardizedFileURL.path
    let last = entries.first {
      $0.isRotated && $0.isThere && $0.folder == folder && !$0.isAhead(of: now) && !hasFailed($0)
    }
    return last?.madeAt.adding(seconds: plan.days * 86_400) ?? .earliest
  }
}
