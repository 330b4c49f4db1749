package import ArkivedCore
import Foundation
import GRDB

/// Checking the archive.
extension Archive {
  /// The result of one check.
  package struct Finding: Hashable, Sendable {
    package enum Verdict: String, Sendable {
      case good, advice, problem
    }

    /// The subject of the check in a few words.
    package var check: String
    package var verdict: Verdict
    package var detail: String
    /// The way to fix it; empty if there is nothing to fix.
    package var remedy: String

    package init(_ check: String, _ verdict: Verdict, _ detail: String, remedy: String = "") {
      self.check = check
      self.verdict = verdict
      self.detail = detail
      self.remedy = remedy
    }

    package var json: JSON {
      [
        "check": .string(check), "verdict": .string(verdict.rawValue), "detail": .string(detail),
        "remedy": .string(remedy),
      ]
    }
  }

  /// Checks the database's structure, its links, the search index, the sums of goals, attachments,
  /// zones, access, disk space and the clock.
  ///
  /// - Parameter readsFiles: also compares every attachment's content with its hash.
  /// - Returns: the findings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func examine(readsFiles: Bool = true) throws -> [Finding] {
    var findings = [try integrity(), try links(), try searchIndex(), try textLinks()]
    findings.append(try zones())
    if let sums = try goalSums() { findings.append(sums) }
    findings += try attachmentFiles(readsFiles: readsFiles) + originals(readsFiles: readsFiles)
    findings += try strayFiles() + unfinishedFindings() + access() + room()
    return findings + [try clockOfLastChange(), library()]
  }

  private func integrity() throws -> Finding {
    let lines = try checkIntegrity(limit: 5)
    guard lines != ["ok"] else { return Finding("integrity", .good, "the database is intact") }
    return Finding(
      "integrity", .problem, lines.joined(separator: "; "),
      remedy:
        "Copy the folder to a safe place. Then restore the newest file in snapshots/ or a backup.")
  }

  private func links() throws -> Finding {
    let broken = try read { db in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count }
    guard broken > 0 else { return Finding("links", .good, "all links are intact") }
    return Finding(
      "links", .problem, "broken links: \(broken)",
      remedy: "Export the archive (arkived export) and import it into a new one.")
  }

  private func searchIndex() throws -> Finding {
    // The row numbers of `SearchDocument`.
    let documents = """
      SELECT pk * 8 AS document FROM activity_rows
      UNION ALL SELECT pk * 8 + 1 FROM day_rows
      UNION ALL SELECT pk * 8 + 2 FROM attachments
        WHERE coalesce(caption, '') <> '' OR coalesce(original_name, '') <> ''
      UNION ALL SELECT pk * 8 + 3 FROM note_rows
      """
    let (indexed, expected, missing) = try read { db in
      (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM search_words") ?? 0,
        try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(documents))") ?? 0,
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM (\(documents))
            WHERE NOT EXISTS (SELECT 1 FROM search_words WHERE rowid = document)
            """) ?? 0
      )
    }
    guard indexed != expected || missing > 0 else {
      return Finding("search index", .good, "all entries are in the search index (\(indexed))")
    }
    return Finding(
      "search index", .problem,
      "the search index has \(indexed) entries instead of \(expected), and \(missing) are missing",
      remedy: "arkived doctor --mend rebuilds the index.")
  }

  private func textLinks() throws -> Finding {
    let wrong = try read { db in try TextLinkRows.differences(db) }
    guard wrong > 0 else {
      return Finding("text links", .good, "the links in texts are up to date")
    }
    return Finding(
      "text links", .problem, "missing or outdated links in texts: \(wrong)",
      remedy: "arkived doctor --mend rebuilds the index.")
  }

  private func zones() throws -> Finding {
    let names = try read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT time_zone FROM activities")
    }
    let unknown = names.filter { Zone($0) == nil }
    guard !unknown.isEmpty else {
      return Finding("time zones", .good, "all time zones in use are known here (\(names.count))")
    }
    return Finding(
      "time zones", .advice,
      "unknown on this computer: \(unknown.prefix(5).joined(separator: ", "))",
      remedy:
        "Install the system’s time zone data (tzdata). Until then, these times are shown in UTC.")
  }

  private func attachmentFiles(readsFiles: Bool) throws -> [Finding] {
    let attachments = try attachments(includingHidden: true).filter { $0.relativePath != nil }
    let earlier = try filesOfEarlierVersions(besides: attachments, readsFiles: readsFiles)
    guard !attachments.isEmpty else { return earlier }
    let (missing, altered) = faulty(attachments, readsFiles: readsFiles)
    if missing.isEmpty, altered.isEmpty {
      return [
        Finding(
          "attachments", .good,
          readsFiles
            ? "all files are present and unaltered (\(attachments.count))"
            : "all files are present (\(attachments.count))")
      ] + earlier
    }
    var findings: [Finding] = []
    if !missing.isEmpty {
      findings.append(
        Finding(
          "attachments", .problem,
          "missing files (\(missing.count)): \(missing.prefix(3).joined(separator: ", "))",
          remedy: "Copy them back into attachments/ from a backup."))
    }
    if !altered.isEmpty {
      findings.append(
        Finding(
          "attachments", .problem,
          "altered files (\(altered.count)): \(altered.prefix(3).joined(separator: ", "))",
          remedy: "Copy the originals back into attachments/ from a backup."))
    }
    return findings + earlier
  }

  /// Checks the files that only earlier versions of entries refer to, which are needed to restore
  /// these.
  private func filesOfEarlierVersions(
    besides attachments: [Attachment], readsFiles: Bool
  ) throws -> [Finding] {
    var known = Set(attachments.compactMap(\.relativePath))
    let earlier = try oldAttachments().filter { attachment in
      attachment.relativePath.map { known.insert($0).inserted } ?? false
    }
    let (missing, altered) = faulty(earlier, readsFiles: readsFiles)
    let lost = missing + altered
    guard !lost.isEmpty else { return [] }
    return [
      Finding(
        "attachments", .advice,
        "files of earlier versions are missing or altered (\(lost.count)): "
          + lost.prefix(3).joined(separator: ", "),
        remedy: "Copy them back into attachments/ from a backup.")
    ]
  }

  /// Returns the paths of those attachments whose files are missing, and those whose files don't
  /// match their hash.
  private func faulty(
    _ attachments: [Attachment], readsFiles: Bool
  ) -> (missing: [String], altered: [String]) {
    var missing: [String] = []
    var altered: [String] = []
    for attachment in attachments {
      let path = attachment.relativePath ?? ""
      guard let file = file(of: attachment), FileManager.default.fileExists(atPath: file.path)
      else {
        missing.append(path)
        continue
      }
      guard readsFiles, let expected = attachment.contentHash else { continue }
      // A file that can't be read any more is as good as altered.
      if (try? AttachmentFileName.hash(ofFileAt: file)) != expected { altered.append(path) }
    }
    return (missing, altered)
  }
}
