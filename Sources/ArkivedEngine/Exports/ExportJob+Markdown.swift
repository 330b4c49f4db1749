package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

/// Export as a folder of Markdown that Obsidian opens as a vault.
extension ExportJob {
  /// Writes `YEAR/YYYY-MM-DD.md` with front matter, the note, and the day's activities; a page for
  /// each person and each note, to which the days link; and the attachments' files in
  /// `attachments/`.
  ///
  /// A page that was changed in the folder since the last export stays unchanged, and is listed in
  /// `leftOut`. Unchanged pages of the last export are removed if they no longer exist.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - folder: the folder.
  ///   - replaces: true to replace such pages.
  /// - Returns: a summary of the export.
  /// - Throws: an error if it can't be written.
  package func writeMarkdown(
    of span: DayFilter = DayFilter(), to folder: URL, replaces: Bool = false
  ) throws -> Summary {
    try claim(folder)
    let people = try archive.people()
    let before = VaultPages(listedIn: mark(of: folder))
    var writer = VaultWriter(
      folder: folder, stampedAt: replaces ? nil : Self.modified(mark(of: folder)), before: before,
      names: VaultNames(people, links: try VaultLinks(archive)))
    try writer.writeSettings()
    let attachments = folder.appendingPathComponent("attachments")
    var missing = Summary()
    try forEachDay(of: span) { day in
      let page = MarkdownDay(day, vault: writer.names).text
      try writer.write(page, as: "\(day.dayKey.description.prefix(4))/\(day.dayKey).md")
      writer.summary.entries += 1
      writer.named.formUnion(
        ((day.entry?.people ?? []) + day.activities.flatMap(\.people)).compactMap(\.personID))
      for attachment in day.allAttachments {
        try copyFile(of: attachment, into: attachments, &missing)
      }
    }
    try forEachNote(of: span) { note in
      let meeting = try note.meetingID.flatMap { try archive.meeting($0) }
      try writer.write(note, of: meeting)
      for attachment in note.attachments {
        try copyFile(of: attachment, into: attachments, &missing)
      }
    }
    for person in people where span.isOpen || writer.named.contains(person.id) {
      try writer.write(person)
    }
    try writer.pages.replace(before, in: folder, of: span)
    try stamp(folder, listing: writer.pages)
    writer.summary.files += missing.files
    writer.summary.missingFiles = missing.missingFiles
    return writer.summary
  }

  private func mark(of folder: URL) -> URL { folder.appendingPathComponent(ExportJob.folderMark) }

  fileprivate static func modified(_ file: URL) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
  }
}

/// A writer of a vault's pages.
private struct VaultWriter {
  let folder: URL
  /// The time of the last export; nil if every page may be replaced.
  let stampedAt: Date?
  /// The pages of the last export.
  let before: VaultPages
  var names: VaultNames
  /// The pages that have the content of this export.
  var pages = VaultPages()
  var summary = ExportJob.Summary()
  /// The people mentioned on the pages.
  var named: Set<UUID> = []

  /// Writes the settings that tell Obsidian where daily notes are and where to put files that are
  /// dropped into a page.
  ///
  /// Existing settings are kept.
  mutating func writeSettings() throws {
    let settings = folder.appendingPathComponent(".obsidian")
    guard !FileManager.default.fileExists(atPath: settings.path) else { return }
    try DurableFile.makeFolder(settings)
    let daily: JSON = ["folder": "", "format": "YYYY/YYYY-MM-DD"]
    let app: JSON = ["attachmentFolderPath": "attachments"]
    for (name, content) in [("daily-notes.json", daily), ("app.json", app)] {
      try DurableFile.write(
        Data(content.text().utf8), to: settings.appendingPathComponent(name))
    }
  }

  mutating func write(_ page: String, as name: String) throws {
    let file = folder.appendingPathComponent(name)
    let content = Data(page.utf8)
    summary.files += 1
    if let modified = ExportJob.modified(file) {
      if (try? Data(contentsOf: file)) == content {
        pages.add(name, content)
        return
      }
      // Times tell only about the last export, and a copied or synced folder has others.
      let isChanged: Bool? =
        before.isEmpty ? stampedAt.map { modified > $0 } : !before.isUnchanged(name, file)
      if stampedAt != nil, isChanged == true {
        pages.keep(name, from: before)
        summary.files -= 1
        summary.leftOut.append("\(name), which has changed since the last export")
        return
      }
    }
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    try DurableFile.write(content, to: file)
    pages.add(name, content)
  }

  mutating func write(_ note: Note, of meeting: MeetingEntry?) throws {
    let name = names.page(titled: note.headline)
    named.formUnion(note.people.compactMap(\.personID))
    var lines = ["---", "id: \(note.id.uuidString)"]
    if let day = note.dayKey ?? meeting?.activity.dayKey { lines.append("date: \(day)") }
    if let title = note.title { lines.append("title: \(Self.quoted(title))") }
    if let meeting {
      lines.append("meeting: \(Self.quoted(meeting.title))")
      lines.append("day: \(Self.quoted("[[\(meeting.activity.dayKey)]]"))")
    }
    lines += Self.list("tags", note.tags.map(VaultNames.tag))
    lines += Self.list("people", note.people.map(names.link))
    lines += ["---", "", names.linked(note.text), ""]
    if !note.attachments.isEmpty {
      lines += [AttachedFiles.mark] + note.attachments.map(MarkdownDay.link) + [""]
    }
    try write(
      lines.joined(separator: "\n"),
      as: "\(VaultNames.notesFolder)/\(name).md")
  }

  mutating func write(_ person: Person) throws {
    guard let name = names.page(of: person.id) else { return }
    var lines = ["---", "id: \(person.id.uuidString)"]
    lines += Self.list("aliases", person.aliases)
    lines += Self.list(
      "addresses", ([person.email].compactMap { $0 } + person.furtherAddresses))
    lines += ["---", "", "# \(person.displayName)", ""]
    if let summary = person.relationshipSummary, !summary.isEmpty {
      lines += [names.linked(summary), ""]
    }
    try write(lines.joined(separator: "\n"), as: "\(VaultNames.peopleFolder)/\(name).md")
  }

  /// Returns a YAML double-quoted scalar, which has the same form as a JSON string.
  private static func quoted(_ text: String) -> String { JSON.string(text).text() }

  private static func list(_ name: String, _ values: [String]) -> [String] {
    values.isEmpty ? [] : ["\(name): [\(values.map(quoted).joined(separator: ", "))]"]
  }
}
