import ArkivedCore
import Foundation

/// Imports journals of jrnl: its text (of every version, and its printed output), its JSON, and its
/// folder journals (`YYYY/MM/DD.txt`).
///
/// Each entry becomes an activity. jrnl records neither zones nor identifiers: times are read in
/// the home zone, and an entry is recognised by its minute and title in any form. Encrypted
/// journals are recognised and refused.
package struct JrnlImporter: Importer {
  package let format = "jrnl"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    JrnlForm(head: head, fileName: fileName) != nil
  }

  /// Returns true unless it is a zip archive, because the name contains the day of a folder
  /// journal's file.
  package func readsName(of file: ImportFile) -> Bool { !file.isZip }

  /// Returns the paths of files to which entries may point, anywhere in the journal's folder.
  package func surroundings(of file: ImportFile) -> [String]? { file.isZip ? [] : [""] }

  /// If nothing else determines the order of dates, the locale does.
  package var settings: String { "\(DateOrder.inProcess)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let records = JrnlRecords(file: file, context: context, sink: sink)
    let head: [UInt8]
    do {
      let handle = try FileHandle(forReadingFrom: file.url)
      defer { try? handle.close() }
      head = [UInt8](try handle.read(upToCount: 4096) ?? Data())
    } catch {
      throw ImportRefusal(
        place: "\(file.name):1", message: "the file can’t be read: \(error.localizedDescription)")
    }
    switch JrnlForm(head: head, fileName: file.name) ?? JrnlForm(forced: head) {
    case .encrypted(let version):
      throw ImportRefusal(
        place: "\(file.name):1",
        message:
          "jrnl \(version) encrypted this journal, and Arkived doesn’t ask for its password. "
          + "Export it unencrypted with “jrnl --export json > journal.json” and import that")
    case .unreadable:
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "the file name suggests a journal, but the file contains no text. If jrnl 1 "
          + "encrypted it, export it unencrypted with “jrnl --export json > journal.json” and "
          + "import that")
    case .json:
      var reader = JrnlJSONReader(file, records: records)
      try reader.read()
    case .text:
      var reader = try JrnlTextReader(file, records: records)
      try reader.read()
    }
    if records.count == 0, let first = records.firstProblem {
      throw ImportRefusal(
        place: first.place, message: first.message + " (no entry in the file could be read)")
    }
  }
}
