import ArkivedImport

/// A check for files of other formats in a zip archive that an importer would read as a whole, such
/// as Google's Takeout with photos and places.
///
/// Those files would otherwise be lost silently.
struct MixedArchive {
  /// The name endings that files of other formats may have.
  private static let endings: Set<String> = [
    "html", "doentry", "json", "jsonl", "ndjson", "csv", "tsv", "tab", "txt", "text", "jrnl", "md",
    "markdown", "ics", "xml", "vcf", "gpx", "kml", "kmz", "geojson", "geojsonl", "tcx", "fit",
    "rec", "zip", "daylio", "db", "sqlite", "sqlite3",
  ]
  /// The maximum number of files examined here; if there are more, walking through the archive
  /// examines them all.
  private static let limit = 20_000

  private let importers: [any Importer]

  init(_ importers: [any Importer]) { self.importers = importers }

  /// The files in an archive that its importer does not read.
  struct Look {
    /// True if some files are in other formats, so the archive has to be walked through.
    var isMixed = false
    /// The paths of all these files in the archive; they are not read unless the archive is walked
    /// through.
    var unknown: [String] = []
  }

  /// Examines an archive.
  ///
  /// - Parameters:
  ///   - zip: the zip archive.
  ///   - importer: the importer that recognises the archive as a whole.
  /// - Returns: the formats it contains.
  func look(into zip: ZipFile, for importer: any Importer) -> Look {
    guard !importer.owns(zip) else { return Look() }
    let isOfPhotos = importer is PhotosImporter
    // The folders of files in the importer's own format.
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
        // In an archive, photos are recognised only by name; walking through it finds the others.
        look.isMixed = true
        rest.append(entry)
      } else {
        homes.insert(entry.folder)
      }
    }
    // If a file is itself in a known format, its resemblance to a photo's companion is a
    // coincidence.
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

  /// Returns true if a file is of another format or may be, which includes files that would have to
  /// be opened to find out.
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
