import ArkivedCore
import Foundation

/// Imports GPX, versions 1.0 and 1.1 (topografix.com/GPX/1/1), from files, folders or zip archives.
///
/// A track becomes an activity on each day on which it has points, with its distance and a
/// simplified line. Its long halts, and waypoints with a time, become stays. Anything without times
/// was only planned and isn't imported.
package struct GPXImporter: Importer {
  package let format = "gpx"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "gpx"
  private static let sizeLimit: Int64 = 2 << 30
  private static let candidateLimit = 20_000

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    return text.first { !$0.isWhitespace } == "<" && text.contains("<gpx")
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    let members = Self.members(of: zip)
    // An export of Apple Health contains its workouts' routes, in any language.
    guard !members.isEmpty, ZipMembers.holdsOnly(["gpx", "txt", "html"], zip),
      !members.contains(where: { $0.folder.hasSuffix("workout-routes/") })
    else { return false }
    return zip.heads(of: members.prefix(20)).values.contains {
      recognises(head: $0, fileName: "")
    }
  }

  /// Returns the GPX files of an archive.
  ///
  /// An archive with more files than are unpacked at once yields none and is searched as an
  /// ordinary archive.
  private static func members(of zip: ZipFile) -> [ZipFile.Entry] {
    let members = zip.entries.filter { $0.name.lowercased().hasSuffix(".gpx") && !$0.isHidden }
    return members.count <= candidateLimit ? members : []
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard ZipFile.isZip(try ZipMembers.head(of: file, count: 8)) else {
      try GPXReader(file, context: context, sink: sink).read()
      return
    }
    try ZipMembers.readEach(
      of: file, Self.members, sizeLimit: Self.sizeLimit, context: context, sink: sink
    ) { try GPXReader($0, context: context, sink: sink).read() }
  }
}
