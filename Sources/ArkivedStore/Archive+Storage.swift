package import ArkivedCore
import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The archive's use of the disk, and the number of its entries.
package struct StorageReport: Sendable {
  package struct Snapshot: Hashable, Sendable {
    package var name: String
    package var bytes: Int
    package var madeAt: Instant
  }

  /// The folder; nil for an archive in memory.
  package var folder: String?
  /// The size of the database with its log.
  package var archiveBytes = 0
  package var attachmentCount = 0
  package var attachmentBytes = 0
  package var indexBytes = 0
  /// The size of thumbnails, which are rebuilt if they are missing.
  package var thumbnailBytes = 0
  /// The snapshots, newest first.
  package var snapshots: [Snapshot] = []
  /// The kinds of entries, and the number of visible ones of each.
  package var counts: [(kind: String, count: Int)] = []
  /// The last step of the schema's history.
  package var schema = ""
  /// The free space on the archive's disk; nil if it is unknown.
  package var freeBytes: Int?

  /// The free space below which the disk is nearly full.
  package static let lowBytes = 1_000_000_000
}

/// The stored result of the archive's last check.
package struct KeptCheck: Sendable {
  package var at: Instant
  package var findings: [Archive.Finding]

  package init(at: Instant, findings: [Archive.Finding]) {
    self.at = at
    self.findings = findings
  }

  /// True if nothing needs fixing.
  package var isWell: Bool { !findings.contains { $0.verdict == .problem } }
}

extension Archive {
  package func storageReport() throws -> StorageReport {
    var report = StorageReport()
    try read { db in
      for (kind, view) in Self.countedKinds {
        report.counts.append(
          (kind, try Int.fetchOne(db, sql: "SELECT count(*) FROM \(view)") ?? 0))
      }
      report.attachmentCount =
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(DISTINCT relative_path) FROM attachments WHERE relative_path IS NOT NULL
            """) ?? 0
      report.schema =
        try String.fetchOne(
          db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid DESC LIMIT 1") ?? ""
      if case .memory = location {
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        report.archiveBytes = pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
      }
    }
    guard case .folder(let folder) = location else { return report }
    report.folder = folder.path
    let place = ArchiveFolder(url: folder)
    // The database may be a link, which has a size of its own.
    for file in [place.database.resolvingSymlinksInPath(), place.log, place.sharedMemory] {
      report.archiveBytes += Self.size(of: file)
    }
    report.attachmentBytes = Self.sizeOfAll(in: folder.appendingPathComponent("attachments"))
    report.indexBytes = Self.sizeOfAll(in: folder.appendingPathComponent("index"))
    report.thumbnailBytes = Self.sizeOfAll(in: folder.appendingPathComponent("thumbnails"))
    report.snapshots = Self.snapshots(in: folder.appendingPathComponent("snapshots"))
    let system = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    report.freeBytes = (system?[.systemFreeSize] as? NSNumber)?.intValue
    return report
  }

  private static let countedKinds = [
    ("Entries", "activities"), ("Days with a note", "days"), ("Meetings", "meetings"),
    ("Notes", "notes"), ("People", "persons"), ("Tags", "tags"), ("Goals", "goals"),
    ("Values", "personal_values"), ("Terms", "terms"), ("Metrics", "day_metrics"),
    ("Attachments", "attachments"), ("Imports", "import_runs"), ("Changes", "changes"),
    ("Earlier versions", "history"),
  ]

  private static func size(of file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private static func sizeOfAll(in folder: URL) -> Int {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
      return 0
    }
    // Foundation would also look up the owner of each of a hundred thousand photos.
    return names.reduce(0) { sum, name in
      var about = stat()
      guard lstat("\(folder.path)/\(name)", &about) == 0, about.st_mode & S_IFMT == S_IFREG
      else { return sum }
      return sum + Int(about.st_size)
    }
  }

  private static func snapshots(in folder: URL) -> [StorageReport.Snapshot] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".sqlite") && !$0.hasPrefix(".") }.map { name in
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      let made = attributes?[.modificationDate] as? Date ?? .distantPast
      return StorageReport.Snapshot(
        name: name, bytes: (attributes?[.size] as? NSNumber)?.intValue ?? 0,
        madeAt: Instant(milliseconds: Int64(made.timeIntervalSince1970 * 1_000)))
    }.sorted { ($0.madeAt, $0.name) > ($1.madeAt, $1.name) }
  }
}

/// Storing the last check.
extension Archive {
  var checkFile: URL? {
    databaseFile?.deletingLastPathComponent().appendingPathComponent("checked.json")
  }

  /// Stores the findings of a check next to the archive; does nothing for an archive in memory.
  package func keepCheck(_ findings: [Finding]) throws {
    guard let checkFile else { return }
    let document: JSON = [
      "at": JSON(clock.now), "findings": .array(findings.map(\.json)),
    ]
    try DurableFile.write(Data(document.bytes()), to: checkFile)
  }

  /// Returns the last check; nil if there was none, or its stored result cannot be read.
  package func lastCheck() -> KeptCheck? {
    guard let checkFile, let data = try? Data(contentsOf: checkFile),
      let document = try? JSON(parsing: data),
      let at = document["at"]?.string.flatMap({ Instant($0) })
    else { return nil }
    let findings = (document["findings"]?.array ?? []).compactMap { one -> Finding? in
      guard let check = one["check"]?.string,
        let verdict = one["verdict"]?.string.flatMap(Finding.Verdict.init(rawValue:))
      else { return nil }
      return Finding(
        check, verdict, one["detail"]?.string ?? "", remedy: one["remedy"]?.string ?? "")
    }
    return KeptCheck(at: at, findings: findings)
  }
}
