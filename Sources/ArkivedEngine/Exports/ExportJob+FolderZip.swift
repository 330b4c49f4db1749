package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

/// Export of folders as one file that a browser can download.
extension ExportJob {
  package enum FolderFormat: String, Sendable {
    case markdown, csv, book, jsonl
  }

  /// Writes a folder's export as one zip archive.
  ///
  /// The folder is created among the system's temporary files and removed afterwards.
  ///
  /// - Throws: `ArchiveError.refused` if it contains more than fits in a zip archive.
  package func writeZip(
    _ format: FolderFormat, of span: DayFilter, to file: URL, today: DayKey
  ) throws -> Summary {
    let scratch = try ScratchFolders.make()
    defer { ScratchFolders.remove(scratch) }
    let folder = scratch.appendingPathComponent("export")
    let summary =
      switch format {
      case .markdown: try writeMarkdown(of: span, to: folder)
      case .csv: try writeCSV(of: span, to: folder)
      case .book: try writeBook(of: span, to: folder, today: today)
      case .jsonl: try writeJSONLines(of: span, to: folder.appendingPathComponent("life.jsonl"))
      }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    try DurableFile.write(to: file) { append in
      try withoutActuallyEscaping(append) { append in
        var zip = StoredZip(append: append)
        // The mark lets an import recognise Arkived's own pages, and their notes by ID.
        for name in names where name != ExportJob.folderMark || format == .markdown {
          let source = folder.appendingPathComponent(name)
          var isFolder: ObjCBool = false
          guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder),
            !isFolder.boolValue
          else { continue }
          try zip.add(name, Data(contentsOf: source, options: .mappedIfSafe), of: today)
        }
        try zip.finish()
      }
    }
    return summary
  }
}
