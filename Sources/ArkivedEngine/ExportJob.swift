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

    package var json: JSON {
      [
        "entries": JSON(entries), "files": JSON(files), "missingFiles": JSON(missingFiles),
      ]
    }
  }

  /// Hands on the archive as JSON Lines: a head line, then people, tags, days, activities, metrics,
  /// attachments and history, each object with its `type` first.
  ///
  /// - Parameter line: takes one line without its end.
  package func writeJSONLines(_ line: (String) throws -> Void) throws -> Summary {
    var summary = Summary()
    try line(
      typed(
        "arkived",
        ["version": JSON(ExportJob.version), "exportedAt": JSON(archive.clock.now)]))
    try archive.forEachEntity { type, json in
      summary.entries += 1
      try line(typed(type, json))
    }
    return summary
  }

  /// The version of JSON Lines that is written.
  package static let version = 1

  private func typed(_ type: String, _ json: JSON) -> String {
    var object = JSONObject()
    object["type"] = .string(type)
    for (key, value) in json.object?.members ?? [] { object[key] = value }
    return JSON.object(object).text()
  }

  /// Writes JSON Lines to a file, with the attachments' files in `attachments/` beside it. The file
  /// takes its name only when it is whole.
  package func writeJSONLines(to file: URL) throws -> Summary {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue
    {
      throw ArchiveError.refused("\(file.path) is a folder; name a file in it, such as life.jsonl.")
    }
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let temporary = folder.appendingPathComponent(".\(file.lastPathComponent).incoming")
    guard
      FileManager.default.createFile(
        atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path]) }
    var summary: Summary
    do {
      let handle = try FileHandle(forWritingTo: temporary)
      defer { try? handle.close() }
      var buffer = Data()
      summary = try writeJSONLines { line in
        buffer.append(contentsOf: line.utf8)
        buffer.append(0x0A)
        guard buffer.count > 1 << 20 else { return }
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      try handle.write(contentsOf: buffer)
      try handle.synchronize()
      try copyAttachments(into: folder.appendingPathComponent("attachments"), &summary)
      try DurableFile.replace(file, with: temporary)
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      throw error
    }
    return summary
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
      summary.files += 1
      if FileManager.default.contentsEqual(atPath: source.path, andPath: target.path) { continue }
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      let temporary = target.deletingLastPathComponent()
        .appendingPathComponent(".incoming-\(archive.identities.next().uuidString)")
      try FileManager.default.copyItem(at: source, to: temporary)
      try DurableFile.replace(target, with: temporary)
    }
  }
}
