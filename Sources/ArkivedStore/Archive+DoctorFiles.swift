import ArkivedCore
import CSQLite
import Foundation
import GRDB

/// Checks of everything besides the database: permissions of the files, files that nothing refers
/// to, disk space, and the clock.
extension Archive {
  /// Checks if other users may read anything in the archive's folder.
  func access() -> [Finding] {
    guard case .folder(let folder) = location else { return [] }
    if let databaseFile, let first = foreignFiles().first {
      return [
        Finding(
          "access", .problem, "\(first) belongs to another user",
          remedy: Self.ownerRemedy(for: folder, like: databaseFile))
      ]
    }
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    // Files that an import unpacks there are in a folder that only its owner can enter.
    let kept = names.filter { !$0.hasPrefix("\(Self.scratchName)/") }
    let open = ([folder.path] + kept.map { folder.appendingPathComponent($0).path }).filter {
      let attributes = try? FileManager.default.attributesOfItem(atPath: $0)
      guard attributes?[.type] as? FileAttributeType != .typeSymbolicLink else { return false }
      return ((attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o077 != 0
    }
    let remedy = "chmod -R go= \(Self.shellQuoted(folder.path))"
    if open.first == folder.path {
      return [
        Finding(
          "access", .advice, "other users of this computer have access to the archive’s folder",
          remedy: remedy)
      ]
    }
    guard let first = open.first else {
      return [Finding("access", .good, "only you can read the archive’s folder and files")]
    }
    let name = URL(fileURLWithPath: first).lastPathComponent
    return [
      Finding(
        "access", .advice,
        open.count == 1
          ? "1 file in the archive’s folder is less private than the folder itself: \(name)"
          : "\(open.count) files in the archive’s folder are less private than the folder itself, "
            + "such as \(name)",
        remedy: remedy)
    ]
  }

  /// Finds attached files that neither an entry nor an old version of one refers to.
  func strayFiles() throws -> [Finding] {
    let strays = try strays()
    guard !strays.isEmpty else { return [] }
    let bytes = strays.reduce(0) { $0 + $1.bytes }
    return [
      Finding(
        Self.strayCheck, .good,
        (strays.count == 1
          ? "1 attached file (\(bytes) bytes) doesn’t belong to any entry. "
          : "\(strays.count) attached files (\(bytes) bytes) don’t belong to any entry. ")
          + "Interrupted operations leave such files behind. They do no harm",
        remedy: "arkived doctor --mend removes those that have been unused for a week.")
    ]
  }

  /// Checks if photos that stayed in their own folders are still there unchanged.
  func originals(readsFiles: Bool) throws -> [Finding] {
    let references = try attachments(includingHidden: true).filter { $0.original != nil }
    guard !references.isEmpty else { return [] }
    let lost = references.filter { reference in
      readsFiles ? (try? content(of: reference)) == nil : !Archive.isThere(reference)
    }
    guard let first = lost.first?.original else {
      return [
        Finding(
          "originals", .good,
          "all photos and videos left in their original folders are present (\(references.count))")
      ]
    }
    return [
      Finding(
        "originals", .advice,
        "photos and videos left in their original folders are missing or were changed "
          + "(\(lost.count) of \(references.count)), such as \(first.path)",
        remedy: "Put them back, or import the folder they are in now with --reference.")
    ]
  }

  /// Checks if the disk has enough space.
  func room() -> [Finding] {
    guard case .folder(let folder) = location,
      let system = try? FileManager.default.attributesOfFileSystem(forPath: folder.path),
      let free = (system[.systemFreeSize] as? NSNumber)?.intValue
    else { return [] }
    let told = Self.roomText(free)
    guard free < StorageReport.lowBytes else { return [Finding("disk space", .good, told)] }
    return [
      Finding(
        "disk space", .advice, told,
        remedy: "Free up space. Whatever doesn’t fit on the disk can’t be saved.")
    ]
  }

  /// Returns how much space is free: "850 MB free …", from ten gigabytes on "23 GB free …".
  package static func roomText(_ bytes: Int) -> String {
    let (amount, unit) =
      bytes < 10_000_000_000 ? (bytes / 1_000_000, "MB") : (bytes / 1_000_000_000, "GB")
    return "\(amount) \(unit) free on the archive’s disk"
  }

  /// Checks if the clock agrees with the time of the last change.
  func clockOfLastChange() throws -> Finding {
    let newest = try read { db in
      try Int64.fetchOne(db, sql: "SELECT max(at) FROM changes")
    }.map { Instant(milliseconds: $0) }
    let now = clock.now
    guard let newest, now.seconds(to: newest) > 86_400 else {
      return Finding("clock", .good, "the last change isn’t dated in the future")
    }
    return Finding(
      "clock", .advice,
      "the computer’s clock is \(now.seconds(to: newest) / 86_400) days behind the last change",
      remedy:
        "Set the clock. Nothing is lost, but what you’ve written since then is filed under "
        + "earlier days.")
  }

  /// Checks the database library.
  func library() -> Finding {
    Finding("library", .good, "SQLite \(String(cString: sqlite3_libversion()))")
  }
}
