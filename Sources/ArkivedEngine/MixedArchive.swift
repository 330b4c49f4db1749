import ArkivedImport

/// Whether a zip archive that an importer would take as a whole holds files of other formats as well, such
/// as Google's Takeout with photos and places: those would be lost without a word.
struct MixedArchive {
  /// What a file of another format may end with.
  private static let endings: Set<String> = [
    "json", "jsonl", "ndjson", "csv", "tsv", "tab", "txt", "text", "jrnl", "md", "markdown", "ics",
    "xml", "gpx", "rec", "zip", "daylio", "db", "sqlite", "sqlite3",
  ]
  /// Where there are more, all are looked into by walking through the archive.
  private static let limit = 20_000

  private let importers: [any Importer]

  init(_ importers: [any Importer]) { self.importers = importers }

  /// - Parameter importer: recognises the archive as a whole.
  func isMixed(_ zip: ZipFile, for importer: any Importer) -> Bool {
    let isOfPhotos = importer is PhotosImporter
    // The folders in which files of the importer's own format lie.
    var homes: Set<String> = []
    var readable: [ZipFile.Entry] = []
    var media: [ZipFile.Entry] = []
    for entry in zip.entries where !entry.isHidden {
      if PhotosImporter.isMediaName(entry.fileName) {
        if isOfPhotos { homes.insert(entry.folder) } else { media.append(entry) }
      } else if isOfPhotos
        ? !PhotosImporter.isBesideName(entry.fileName)
        : Self.endings.contains(Self.ending(of: entry))
      {
        readable.append(entry)
      }
    }
    guard readable.count <= Self.limit else { return true }
    let heads = zip.heads(of: readable)
    var others: [(entry: ZipFile.Entry, head: [UInt8])] = []
    for entry in readable {
      guard let head = heads[entry.index] else { continue }
      if importer.recognises(head: head, fileName: entry.name) {
        // Of photos in an archive those are known that are called so; walking finds the others.
        guard !isOfPhotos else { return true }
        homes.insert(entry.folder)
      } else {
        others.append((entry, head))
      }
    }
    return media.contains { !importer.accompanies($0.name, filesIn: homes) }
      || others.contains { other in
        !importer.accompanies(other.entry.name, filesIn: homes)
          && isOfAnother(other.entry, other.head, than: importer)
      }
  }

  private static func ending(of entry: ZipFile.Entry) -> String {
    entry.fileName.split(separator: ".").last.map { $0.lowercased() } ?? ""
  }

  /// Whether a file is of another format, or may be: what has to be opened to be told is looked into.
  private func isOfAnother(
    _ entry: ZipFile.Entry, _ head: [UInt8], than importer: any Importer
  ) -> Bool {
    if ["md", "markdown"].contains(Self.ending(of: entry)) { return true }
    if ZipFile.isZip(head) || head.starts(with: "SQLite format 3".utf8) { return true }
    return importers.contains { other in
      other.format != importer.format && other.recognises(head: head, fileName: entry.name)
    }
  }
}
