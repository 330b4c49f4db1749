import ArkivedCore
import Foundation

/// Imports GPX, versions 1.0 and 1.1 (topografix.com/GPX/1/1), as files, folders or zip archives of
/// them. A track becomes an activity on each day that it has points on, with its distance and a simplified
/// line; its long halts, and waypoints with a time, become stays. What has no times was planned and
/// not done, and does not come in.
package struct GPXImporter: Importer {
  package let format = "gpx"
  package let keepsPlaces = true
  package let keepsZones = true
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
    // An export of Apple Health holds the routes of its workouts, whatever its language.
    guard !members.isEmpty, ZipMembers.holdsOnly(["gpx", "txt", "html"], zip),
      !members.contains(where: { $0.folder.hasSuffix("workout-routes/") })
    else { return false }
    return zip.heads(of: members.prefix(20)).values.contains {
      recognises(head: $0, fileName: "")
    }
  }

  /// None where there are more than are unpacked at once; then the archive is walked through.
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
