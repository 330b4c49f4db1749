package import ArkivedCore
package import ArkivedImport
import ArkivedStore
package import Foundation

/// Export as a database that Ten Week opens.
extension ExportJob {
  /// The mark of a database as an export (`PRAGMA application_id`): "ARKV".
  private static let applicationID: [UInt8] = [0x41, 0x52, 0x4B, 0x56]

  /// Writes the goals, and the rows and columns that only Ten Week uses as they were imported.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - variant: nil for the imported variant, or uuid if nothing was imported.
  ///   - homeZone: the home time zone.
  ///   - replaces: true if a file that isn't an export, or has been changed since it was exported,
  ///     may be replaced.
  /// - Returns: a summary of the export.
  /// - Throws: an error if it can't be written.
  package func writeTenWeek(
    to file: URL, variant: TenWeekVariant?, homeZone: Zone, replaces: Bool = false
  ) throws -> Summary {
    try claimDatabase(file, replaces: replaces)
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    let index = try InterchangeIndex(in: folder)
    var summary = Summary()
    do {
      try archive.withGoalsSnapshot { snapshot in
        let content = try TenWeekContent(
          snapshot, index: index, variant: variant, homeZone: homeZone, now: archive.clock.now)
        try ForeignWriter.make(at: file, applicationID: ExportJob.applicationID) { writer in
          for (table, clauses, constraints) in content.tables {
            try writer.create(table, clauses: clauses, constraints: constraints)
          }
          try content.forEachRow { table, key, columns in
            if try writer.insert(columns, into: table) != nil {
              if !TenWeekZone.isTable(table) { summary.entries += 1 }
            } else {
              summary.leftOut.append("\(table) \(key)")
            }
          }
        }
      }
    } catch let error as ForeignDatabaseError {
      throw ArchiveError.refused("\(file.path): \(error.description). Nothing was written.")
    }
    summary.files = 1
    return summary
  }

  private static func isOpen(_ file: URL) -> ArchiveError {
    .busy("\(file.path) is open in another program. Close it there, or choose another file.")
  }

  /// Throws if a file is not an export or another program has it open.
  private func claimDatabase(_ file: URL, replaces: Bool) throws {
    guard !archive.isOwn(file) else {
      throw ArchiveError.refused("\(file.path) belongs to the archive itself. Choose another file.")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let type = attributes?[.type] as? FileAttributeType else { return }
    guard type == .typeRegular else {
      throw ArchiveError.refused("\(file.path) isn’t a regular file. Choose another.")
    }
    for suffix in ["-wal", "-journal"] {
      let size =
        (try? FileManager.default.attributesOfItem(atPath: file.path + suffix))?[.size] as? Int
      if let size, size > 0 { throw Self.isOpen(file) }
    }
    guard !ForeignDatabase.isInUse(file) else { throw Self.isOpen(file) }
    guard !replaces, attributes?[.size] as? Int != 0 else { return }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 100) ?? Data())
    // An export is written in one transaction, so later changes add transactions.
    let isUntouched =
      head.count == 100 && Array(head[68..<72]) == ExportJob.applicationID
      && Array(head[24..<28]) == [0, 0, 0, 1]
    guard isUntouched else {
      throw ArchiveError.refused(
        "\(file.path) isn’t an Arkived export, or it has been changed since. Choose another "
          + "file, or add --force to replace it.")
    }
  }
}
