import ArkivedImport

/// Whether a zip archive that an importer would take as a whole holds files of other formats as well, such
/// as Google's Takeout with photos and places: those would be lost without a word.
struct MixedArchive {
  /// What a file of another format may end with.
  private static let endings: Set<String> = [
    "html", "doentry", "json", "jsonl", "ndjson", "csv", "tsv", "tab", "txt", "text", "jrnl", "md",
    "markdown", "ics", "xml", "vcf", "gpx", "kml", "kmz", "geojson", "geojsonl", "tcx", "fit",
    "rec", "zip", "daylio", "db", "sqlite", "sqlite3",
  ]
  /// Where there are more, all are looked into by walking through the archive.
  private static let limit = 20_000

  private let importers: [any Importer]

  init(_ importers: [any Importer]) { self.importers = importers }

  /// What an archive holds beside what an importer reads of it.
  struct Look {
    /// Whether some of it is of other formats, so that the archive is to be walked through.
    var isMixed = false
    /// All of it, by its paths in the archive; where the archive is not walked through, nobody reads it.
    var unknown: [String] = []
  }

  /// - Parameter importer: recognises the archive as a whole.
  func look(into zip: ZipFile, for importer: any Importer) -> Look {
    guard !importer.owns(zip) else { return Look() }
    let isOfPhotos = importer is PhotosImporter
    // The folders in which files of the importer's own format lie.
    var homes: Set<String> = []
    var readable: [ZipFile.Entry] = []
    var media: [ZipFile.Entry] = []
    var rest: [ZipFile.Entry] = []
    for entry in zip.entries where !entry.isHidden {
      if PhotosImporter.isMediaName(entry.fileName) {
        if isOfPhotos {
          homes.insert(entry.folder)
        } else if importer is KMLImporter {
          // The pictures in a KMZ are those of its map.
          rest.append(entry)
        } else {
          media.append(entry)
        }
      } else if isOfPhotos
        ? !PhotosImporter.isBesideName(entry.fileName)
        : Self.endings.contains(Self.ending(of: entry))
      {
        readable.append(entry)
      } else if !isOfPhotos {
        rest.append(entry)
      }
    }
    guard readable.count <= Self.limit else { return Look(isMixed: true) }
    let heads = zip.heads(of: readable)
    var look = Look()
    var others: [(entry: ZipFile.Entry, head: [UInt8])] = []
    for entry in readable {
      guard let head = heads[entry.index] else { continue }
      if !importer.recognises(head: head, fileName: entry.name) {
        others.append((entry, head))
      } else if isOfPhotos {
        // Of photos in an archive those are known that are called so; walking finds the others.
        look.isMixed = true
        rest.append(entry)
      } else {
        homes.insert(entry.folder)
      }
    }
    // What is of a format itself only happens to be called like something beside a photo.
    others.removeAll { !isOfPhotos && importer.accompanies($0.entry.name, filesIn: homes) }
    if !isOfPhotos {
      media.removeAll { importer.accompanies($0.name, filesIn: homes) }
      rest.removeAll { importer.accompanies($0.name, filesIn: homes) }
    }
    look.isMixed =
      look.isMixed || !media.isEmpty
      || others.contains { isOfAnother($0.entry, $0.head, than: importer) }
    look.unknown = (others.map(\.entry) + media + rest).map(\.name).sorted()
    return look
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
