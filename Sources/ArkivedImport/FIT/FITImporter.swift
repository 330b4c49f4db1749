import ArkivedCore

/// Imports FIT, the binary files of Garmin, Wahoo, Suunto, Coros, Hammerhead and other devices.
///
/// Each session of an activity becomes one entry; anything that isn't an activity (courses, daily
/// watch recordings, settings) is reported and ignored.
///
/// Sources of the format: the FIT protocol and profile published by Garmin
/// (developer.garmin.com/fit/protocol), and other decoders: fitdecode, Garmin::FIT, Gadgetbridge.
package struct FITImporter: Importer {
  package let format = "fit"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "fit"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool { FITHeader(head) != nil }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var reader = FITReader(file, context: context, sink: sink)
    try reader.read()
  }
}
