import ArkivedCore

/// Imports TCX, the files of Garmin's Training Center, versions 1 and 2, as exported by Garmin
/// Connect, Strava, Polar Flow, Suunto, Wahoo and others.
///
/// Each activity becomes one entry.
///
/// Source of the format: TrainingCenterDatabasev2.xsd and ActivityExtensionv2.xsd
/// (garmin.com/xmlschemas), and files from these services.
package struct TCXImporter: Importer {
  package let format = "tcx"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "tcx"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    return text.first { !$0.isWhitespace } == "<" && text.contains("<TrainingCenterDatabase")
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    try TCXReader(file, context: context, sink: sink).read()
  }
}
