import ArkivedCore
package struct ICalendarImporter: Importer {
  package let format = "ics"
  package init() {}
  package func recognises(head: [UInt8], fileName: String) -> Bool { false }
  package func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {}
}
