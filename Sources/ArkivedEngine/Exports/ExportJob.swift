package import ArkivedCore
package import ArkivedStore
package import Foundation

/// Writes everything the archive holds into open formats.
package struct ExportJob: Sendable {
  package let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// What an export wrote.
  package struct Summary: Hashable, Sendable {
    package var entries = 0
    package var files = 0
    /// Attachments whose file was not in the archive's folder.
    package var missingFiles: [String] = []
    /// Rows that the rules of the written format refuse.
    package var leftOut: [String] = []

    package var json: JSON {
      var object: JSONObject = [
        "entries": JSON(entries), "files": JSON(files), "missingFiles": JSON(missingFiles),
      ]
      if !leftOut.isEmpty { object["leftOut"] = JSON(leftOut) }
      return .object(object)
    }
  }

  /// Hands on the archive as JSON Lines: a head line, then people, tags, days, activities, metrics,
  /// attachments and history, each object with its `type` first.
  ///
  /// - Parameters:
  ///   - span: the days to write; everything where both sides are open, else what `SpanLines` takes.
  ///   - line: takes one line without its end.
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

  /// A line of that type.
  static func typed(_ type: String, _ json: JSON) -> String {
    var object = JSONObject()
    object["type"] = .string(type)
    for (key, value) in json.object?.members ?? [] { object[key] = value }
    return JSON.object(object).text()
  }

  /// Writes JSON Lines to a file, with the attachments' files in `attachments/` beside it. The file
  /// takes its name only when it is whole.
  ///
  /// - Parameter replaces: whether a file may be replaced that is no export.
  package func writeJSONLines(
    of span: DayFilter = DayFilter(), to file: URL, replaces: Bool = true
  ) throws -> Summary {
    try claimFile(file, mark: #"{"type":"arkived""#, replaces: replaces)
    let folder = file.deletingLastPathComponent()
    try DurableFile.makeFolder(folder)
    return try DurableFile.write(to: file) { append in
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
      try copyAttachments(into: folder.appendingPathComponent("attachments"), &summary) {
        span.isOpen || lines.paths.contains($0)
      }
      return summary
    }
  }

  /// Marks a folder as an export, which may be written over.
  static let folderMark = ".arkived-export"

  /// Refuses a folder that holds somebody else's pages.
  func claim(_ folder: URL) throws {
    // A folder that cannot be listed may hold anything; only one that is not there is empty.
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

  /// Marks a folder as an export of this moment.
  func stamp(_ folder: URL) throws {
    try DurableFile.write(
      Data("Written by Arkived; a further export replaces these pages.\n".utf8),
      to: folder.appendingPathComponent(ExportJob.folderMark))
  }

  private func copyAttachments(
    into folder: URL, _ summary: inout Summary, where isWanted: (String) -> Bool
  ) throws {
    for attachment in try archive.attachments() {
      guard let path = attachment.relativePath, isWanted(path) else { continue }
      try copyFile(of: attachment, into: folder, &summary)
    }
  }
}
