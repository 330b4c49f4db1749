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
  /// - Parameter line: takes one line without its end.
  package func writeJSONLines(_ line: (String) throws -> Void) throws -> Summary {
    var summary = Summary()
    try line(
      ExportJob.typed(
        "arkived",
        ["version": JSON(ExportJob.version), "exportedAt": JSON(archive.clock.now)]))
    try archive.forEachEntity { type, json in
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
  package func writeJSONLines(to file: URL) throws -> Summary {
    // Finishing takes the name away from what has it now, which only a file may suffer.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    switch attributes?[.type] as? FileAttributeType {
    case nil, .typeRegular: break
    case .typeDirectory:
      throw ArchiveError.refused("\(file.path) is a folder; name a file in it, such as life.jsonl.")
    default:
      throw ArchiveError.refused(
        "\(file.path) is no ordinary file. Name another, or leave -o out to write to standard output."
      )
    }
    let folder = file.deletingLastPathComponent()
    try DurableFile.makeFolder(folder)
    return try DurableFile.write(to: file) { append in
      var buffer = Data()
      var summary = try writeJSONLines { line in
        buffer.append(contentsOf: line.utf8)
        buffer.append(0x0A)
        guard buffer.count > 1 << 20 else { return }
        try append(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      try append(buffer)
      try copyAttachments(into: folder.appendingPathComponent("attachments"), &summary)
      return summary
    }
  }

  /// Marks a folder as an export, which may be written over.
  static let folderMark = ".arkived-export"

  /// Refuses a folder that holds somebody else's pages.
  private func claim(_ folder: URL) throws {
    let mark = folder.appendingPathComponent(ExportJob.folderMark)
    // A folder that cannot be listed may hold anything; only one that is not there is empty.
    let content =
      FileManager.default.fileExists(atPath: folder.path)
      ? try FileManager.default.contentsOfDirectory(atPath: folder.path) : []
    guard content.isEmpty || content.contains(ExportJob.folderMark) else {
      throw ArchiveError.refused(
        "\(folder.path) holds other files, which an export could overwrite. Name an empty folder.")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("Written by Arkived; a further export replaces these pages.\n".utf8).write(to: mark)
  }

  /// Writes a folder of Markdown: `YEAR/YYYY-MM-DD.md` with front matter, the note, and what was
  /// done, and the attachments' files in `attachments/`.
  package func writeMarkdown(to folder: URL) throws -> Summary {
    var summary = Summary()
    try claim(folder)
    for dayKey in try archive.daysWithEntries() {
      let day = try archive.day(dayKey)
      let year = folder.appendingPathComponent(String(dayKey.description.prefix(4)))
      try FileManager.default.createDirectory(at: year, withIntermediateDirectories: true)
      let page = MarkdownDay(day).text
      try Data(page.utf8).write(
        to: year.appendingPathComponent("\(dayKey).md"), options: .atomic)
      summary.entries += 1
      summary.files += 1
    }
    try copyAttachments(into: folder.appendingPathComponent("attachments"), &summary)
    return summary
  }

  private func copyAttachments(into folder: URL, _ summary: inout Summary) throws {
    for attachment in try archive.attachments() {
      guard let path = attachment.relativePath else { continue }
      guard let source = archive.file(of: attachment),
        FileManager.default.fileExists(atPath: source.path)
      else {
        summary.missingFiles.append(path)
        continue
      }
      let target = folder.appendingPathComponent(path)
      let shelf = target.deletingLastPathComponent()
      summary.files += 1
      try DurableFile.makeFolder(shelf)
      if FileManager.default.contentsEqual(atPath: source.path, andPath: target.path) {
        try DurableFile.synchronise(target)
        try DurableFile.synchronise(shelf)
      } else {
        try DurableFile.write(Data(contentsOf: source, options: .mappedIfSafe), to: target)
      }
    }
  }
}
