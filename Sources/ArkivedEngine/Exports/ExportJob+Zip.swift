package import ArkivedCore
import ArkivedStore
package import Foundation

extension ExportJob {
  /// Writes some days as one zip archive: the pages and the attachments' files of `writeMarkdown`,
  /// in the same folders.
  ///
  /// The file gets its name only when it is complete.
  ///
  /// - Throws: `ArchiveError.refused` if the days contain more than fits in a zip archive.
  package func writeMarkdownZip(of days: ClosedRange<DayKey>, to file: URL) throws -> Summary {
    try DurableFile.write(to: file) { append in
      try withoutActuallyEscaping(append) { append in
        var zip = StoredZip(append: append)
        var summary = Summary()
        var known: Set<String> = []
        for dayKey in try archive.daysWithEntries() where days.contains(dayKey) {
          let day = try archive.day(dayKey)
          let name = "\(dayKey.description.prefix(4))/\(dayKey).md"
          try zip.add(name, Data(MarkdownDay(day).text.utf8), of: dayKey)
          summary.entries += 1
          summary.files += 1
          for attachment in day.allAttachments {
            guard let path = attachment.relativePath, known.insert(path).inserted else { continue }
            guard let content = content(of: attachment) else {
              summary.missingFiles.append(path)
              continue
            }
            try zip.add("attachments/\(path)", content, of: dayKey)
            summary.files += 1
          }
        }
        try zip.finish()
        return summary
      }
    }
  }

  private func content(of attachment: Attachment) -> Data? {
    archive.file(of: attachment).flatMap { try? Data(contentsOf: $0, options: .mappedIfSafe) }
  }
}
