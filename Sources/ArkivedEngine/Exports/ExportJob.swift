package import ArkivedCore
package import ArkivedStore
package import Foundation

/// A job that exports everything in the archive to open formats.
package struct ExportJob: Sendable {
  package let archive: Archive
  /// The number of notes or meetings read at a time.
  var partSize = 200

  package init(archive: Archive) { self.archive = archive }

  /// The result of an export.
  package struct Summary: Hashable, Sendable {
    package var entries = 0
    package var files = 0
    /// The attachments whose files are missing from the archive's folder.
    package var missingFiles: [String] = []
    /// The rows that the format's rules don't allow.
    package var leftOut: [String] = []

    package var json: JSON {
      var object: JSONObject = [
        "entries": JSON(entries), "files": JSON(files), "missingFiles": JSON(missingFiles),
      ]
      if !leftOut.isEmpty { object["leftOut"] = JSON(leftOut) }
      return .object(object)
    }
  }

  /// Passes on the archive as JSON Lines: a header line, then people, tags, days, activities,
  /// metrics, attachments and history, each object with its `type` first.
  ///
  /// - Parameters:
  ///   - span: the days to write; everything if both ends are open, otherwise what `SpanLines`
  ///     picks.
  ///   - line: receives one line without its line break.
  /// - Returns: a summary of the export.
  /// - Throws: what `line` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   read.
  package func writeJSONLines(
    of span: DayFilter = DayFilter(), _ line: (String) throws -> Void
  ) throws -> Summary {
    var lines = SpanLines(span)
    return try writeLines(&lines, line)
  }

  private func writeLines(
    _ lines: inout SpanLines, _ line: (String) throws -> Void
  ) throws -> Summary {
    var summary = Summary()
    try line(
      ExportJob.typed(
        "arkived",
        ["version": JSON(ExportJob.version), "exportedAt": JSON(archive.clock.now)]))
    try archive.forEachEntity { type, json in
      guard lines.take(type, json) else { return }
      summary.entries += 1
      try line(ExportJob.typed(type, json))
    }
    return summary
  }

  /// The version of JSON Lines that is written.
  package static let version = 1

  /// Returns a line of a type.
  static func typed(_ type: String, _ json: JSON) -> String {
    var object = JSONObject()
    object["type"] = .string(type)
    for (key, value) in json.object?.members ?? [] { object[key] = value }
    return JSON.object(object).text()
  }

  /// Writes JSON Lines to a file, with the attachments' files in `attachments/` next to it.
  ///
  /// The file gets its name only when it is complete. Files that only a replaced export of everything
  /// used are removed if they are unchanged and no other export is in the folder.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - file: the file.
  ///   - replaces: true if a file that isn't an export may be replaced.
  /// - Returns: a summary of the export.
  /// - Throws: an error if it can't be written.
  package func writeJSONLines(
    of span: DayFilter = DayFilter(), to file: URL, replaces: Bool = true
  ) throws -> Summary {
    try claimFile(file, mark: #"{"type":"arkived""#, replaces: replaces)
    let folder = file.deletingLastPathComponent()
    try DurableFile.makeFolder(folder)
    // One that can't be read is replaced all the same.
    let replaced = span.isOpen ? (try? ReplacedExport(file)) : nil
    let (summary, used) = try DurableFile.write(to: file) { append in
      var buffer = Data()
      var lines = SpanLines(span)
      var summary = try writeLines(&lines) { line in
        buffer.append(contentsOf: line.utf8)
        buffer.append(0x0A)
        guard buffer.count > 1 << 20 else { return }
        try append(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      try append(buffer)
      let files = folder.appendingPathComponent("attachments")
      for path in lines.paths.sorted() {
        let now = archive.clock.now
        try copyFile(
          of: Attachment(
            id: UUID(), type: .file, relativePath: path, createdAt: now, updatedAt: now),
          into: files, &summary)
      }
      return (summary, lines.paths)
    }
    try replaced?.removeFiles(besides: used)
    return summary
  }

  /// The name of a file that marks a folder as an export that may be overwritten.
  static let folderMark = ".arkived-export"

  /// Throws if a folder contains files that are not an export.
  func claim(_ folder: URL) throws {
    // A folder that cannot be listed may contain anything; only a missing one is empty.
    let content =
      FileManager.default.fileExists(atPath: folder.path)
      ? try FileManager.default.contentsOfDirectory(atPath: folder.path) : []
    guard content.isEmpty || content.contains(ExportJob.folderMark) else {
      throw ArchiveError.refused(
        """
        \(folder.path) contains other files, which an export could overwrite. Choose an empty \
        folder.
        """
      )
    }
    try DurableFile.makeFolder(folder)
    if content.isEmpty { try stamp(folder) }
  }

  /// Marks a folder as an export made at this moment.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - pages: the pages that the next export may remove; nil for those of the last one.
  /// - Throws: an error if the mark can't be written.
  func stamp(_ folder: URL, listing pages: VaultPages? = nil) throws {
    let pages = pages ?? VaultPages(listedIn: mark(of: folder))
    try DurableFile.write(
      Data("Written by Arkived. The next export replaces these pages.\n\(pages.text)".utf8),
      to: mark(of: folder))
  }
}
