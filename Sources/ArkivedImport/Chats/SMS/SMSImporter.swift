import ArkivedCore
import Foundation

/// Imports the text messages that SMS Backup & Restore writes as XML (`sms-20260314.xml`), with the
/// files of multimedia messages.
///
/// All messages exchanged with one person on a day become one entry.
///
/// Source of the format: the fields that SyncTech lists for its backups, and how
/// SMS-backup-and-restore-extractor, Silence and message_md read them.
package struct SMSImporter: Importer {
  package let format = "sms"
  package let keepsZones = true
  static let service = ChatDays.Service(name: "SMS", source: .smsImport, provider: "sms")

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    guard text.drop(while: { $0.isWhitespace }).first == "<" else { return false }
    return text.contains("<smses")
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    try SMSReader(file, context: context, sink: sink).read()
  }
}
