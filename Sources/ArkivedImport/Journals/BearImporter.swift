import ArkivedCore
import Foundation

/// Imports Bear's notes: its backup (`.bear2bk`, `.bearbk`), and exports as TextBundle, TextPack
/// and `.bearnote`, which are folders or zip archives with a text, `info.json` and `assets/` for
/// each note. (Bear's export as Markdown has no dates; it is imported as the pages of a folder.)
///
/// Source of the format: textbundle.org's specification, version 2, and Bear's own member of
/// `info.json`, `net.shinyfrog.bear`, as read by obsidian-importer and others.
package struct BearImporter: Importer {
  package let format = "bear"
  private static let endings = [".textbundle", ".bearnote", ".textpack"]
  private static let texts: Set<Substring> = ["text.md", "text.markdown", "text.txt"]

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool { false }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    let parts = file.name.split(separator: "/")
    guard let last = parts.last, Self.texts.contains(last), !ZipFile.isZip(head) else {
      return false
    }
    let folder = file.url.deletingLastPathComponent()
    return BearInfo(in: folder) != nil
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    func home(_ count: Int) -> String { parts.dropLast(count).map { $0 + "/" }.joined() }
    if parts.last == "info.json" { return folders.contains(home(1)) }
    return parts.count >= 2 && parts[parts.count - 2] == "assets" && folders.contains(home(2))
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [""] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let folder = file.url.deletingLastPathComponent()
    guard let info = BearInfo(in: folder) else {
      throw ImportRefusal(
        place: file.name,
        message:
          "the info.json next to this file has no date for the note. Export the note from Bear again"
      )
    }
    guard !info.isTrashed else {
      guard context.notes.isFirst("bear trash") else { return }
      return sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message:
            "skipped, like the other notes in Bear’s trash. To import them, restore them in Bear"))
    }
    let (text, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text is not UTF-8; it was read as Windows-1252"))
    }
    var entry = JournalEntry(
      provider: "bear", id: info.id, source: .bearImport, start: info.created,
      zone: context.homeZone)
    entry.text = .markdown(text)
    entry.tags = Self.tags(in: text)
    entry.isPinned = info.isPinned
    if info.isArchived { entry.details.append("Archived in Bear") }
    entry.createdAt = info.created
    entry.updatedAt = info.modified.map { max($0, info.created) }
    let files = JournalFiles(folder: folder, file: file.url, context)
    let paths = Self.files(in: text)
    entry.attachments = files.attachments(
      paths, createdAt: info.created, at: file.name, into: sink)
    try entry.take(at: file.name, folder: folder, context, into: sink)
  }

  /// Returns the files that a text shows or links to, including links in Bear's older form:
  /// `[image:assets/a.png]`.
  private static func files(in text: String) -> [String] {
    let links = JrnlLink.all(in: text).map(\.target).filter {
      $0.removingPercentEncoding?.hasPrefix("assets/") ?? false
    }
    let older = text.matches(of: /\[(?:image|file):([^\]\n]{1,400})\]/).map { String($0.1) }
    return links + older.map { $0.hasPrefix("assets/") ? $0 : "assets/\($0)" }
  }

  /// `#travel/italy`, and `#two words#`.
  private static func tags(in text: String) -> [String] {
    let long = text.matches(of: /(?:^|\s)#([^\s#][^#\n]{0,60}[^\s#])#(?=$|\s)/).map { String($0.1) }
    let words = JrnlTags.names(in: text, symbols: ["#"])
    let parts = Set(long.compactMap { $0.split(separator: " ").first.map(String.init) })
    return long + words.filter { !parts.contains($0) }
  }
}

/// The information about a note in `info.json`.
private struct BearInfo {
  let id: String
  let created: Instant
  let modified: Instant?
  let isPinned: Bool
  let isTrashed: Bool
  let isArchived: Bool

  /// - Returns: nil if it isn't from Bear, or doesn't say when the note was written.
  init?(in folder: URL) {
    let url = folder.appendingPathComponent("info.json")
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? NSNumber, size.intValue < 1 << 20,
      let data = try? Data(contentsOf: url), let json = try? JSON(parsing: [UInt8](data))
    else { return nil }
    let own = json["net.shinyfrog.bear"] ?? json
    func instant(_ keys: [String]) -> Instant? {
      keys.lazy.compactMap { own[$0]?.string.flatMap { Instant($0) } }.first
    }
    func flag(_ key: String) -> Bool { own[key]?.bool ?? own[key]?.int.map { $0 != 0 } ?? false }
    guard let created = instant(["creationDate", "created"]) else { return nil }
    self.created = created
    modified = instant(["modificationDate", "modified"])
    id =
      JournalEntry.words(own["uniqueIdentifier"]) ?? JournalEntry.words(own["identifier"])
      ?? "\(created.milliseconds)/\(folder.lastPathComponent)"
    isPinned = flag("pinned")
    isTrashed = flag("trashed")
    isArchived = flag("archived")
  }
}
