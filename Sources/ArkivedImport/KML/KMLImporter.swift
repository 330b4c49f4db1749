import ArkivedCore
import Foundation

/// Imports KML, and KMZ, which is KML in a zip archive: places, lines and tracks with times from
/// Google My Maps, Google Earth, the days that Google's Timeline exported, OpenTracks, GPSLogger,
/// GPSBabel and others.
///
/// A place with a time or span is a stay, a line with one is a journey, and a track is an activity
/// on each of its days, as in GPX. Anything without a time can't be assigned to a day and isn't
/// imported.
///
/// Sources of the format: KML 2.2 and 2.3 (OGC 07-147r2, 12-007r2), Google's extensions (`gx:`),
/// and files written by these programs.
package struct KMLImporter: Importer {
  package let format = "kml"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "kml"
  private static let sizeLimit: Int64 = 2 << 30
  private static let memberLimit = 1_000

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    return text.first { !$0.isWhitespace } == "<" && text.contains("<kml")
  }

  /// A zip archive is recognised as KMZ by its name, or by the document that every KMZ begins with.
  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    let members = Self.members(of: zip)
    guard
      fileName.lowercased().hasSuffix(".kmz")
        || members.contains(where: { $0.name.lowercased() == "doc.kml" })
    else { return false }
    return zip.heads(of: members.prefix(20)).values.contains { recognises(head: $0, fileName: "") }
  }

  private static func members(of zip: ZipFile) -> [ZipFile.Entry] {
    let members = zip.entries.filter { $0.name.lowercased().hasSuffix(".kml") && !$0.isHidden }
    return Array(members.prefix(memberLimit))
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard ZipFile.isZip(try ZipMembers.head(of: file, count: 8)) else {
      try KMLReader(file, context: context, sink: sink).read()
      return
    }
    try ZipMembers.readEach(
      of: file, Self.members, sizeLimit: Self.sizeLimit, context: context, sink: sink
    ) { try KMLReader($0, context: context, sink: sink).read() }
  }
}
