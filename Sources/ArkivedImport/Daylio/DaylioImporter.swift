import ArkivedCore
import Foundation

/// Imports Daylio's CSV export and its backup.
///
/// Each entry becomes an activity, and each day without a mood gets the mean mood of its entries.
///
/// The columns of the CSV are `full_date, date, weekday, time, mood, activities, note_title, note`;
/// before 2020 there was no title, and the oldest have `year` instead of `full_date` (source: the
/// parsers that read such files). Times have no zone and are read in the home zone. `DaylioBackup`
/// describes the backup.
package struct DaylioImporter: Importer {
  package let format = "daylio"

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    if columns.isSuperset(of: ["date", "time", "mood", "activities"]) {
      return !columns.isDisjoint(with: ["full_date", "year"])
    }
    return DaylioBackup.isBackup(head, named: fileName)
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    guard let entry = DaylioBackup.list(in: zip) else { return false }
    return zip.heads(of: [entry])[entry.index].map { DaylioBackup.isBackup($0, named: entry.name) }
      ?? entry.isEncrypted
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    folders.contains { name.hasPrefix($0 + DaylioMedia.folderName + "/") }
      && DaylioMedia.isName(name.split(separator: "/").last ?? "")
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? {
    guard !file.isZip, let head = try? ZipMembers.head(of: file) else { return [] }
    return DaylioBackup.isBackup(head, named: file.name) ? [DaylioMedia.folderName] : []
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let head = try ZipMembers.head(of: file)
    if ZipFile.isZip(head) || DaylioBackup.isBackup(head, named: file.name) {
      return try DaylioBackup(file: file, context: context, sink: sink).read(head)
    }
    var entries = DaylioEntries(file: file, context: context)
    var table = try CSVTable(file)
    try table.refuseEmpty()
    guard recognises(head: head, fileName: file.name) else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message:
          "this isn’t a Daylio export: it has none of Daylio’s columns and no list of entries")
    }
    table.tellUnread(into: sink) { DaylioRow.columns.contains($0) }
    try table.forEach(into: sink) { row in
      guard let entry = DaylioRow.entry(row, of: file, into: sink) else { return }
      try entries.take(entry, into: sink)
    }
    try entries.finish(into: sink)
  }
}
