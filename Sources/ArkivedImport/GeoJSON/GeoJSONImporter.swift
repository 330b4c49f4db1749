import ArkivedCore
import Foundation

/// Imports GeoJSON (RFC 7946): places, lines and tracks with times, and position logs, as written
/// by Overland, GPSLogger, Dawarich, togeojson and Google's saved places.
///
/// The file may be a document, a list of features, one feature per line (RFC 8142), or one Overland
/// message per line.
///
/// A place with a time is a stay, a line with a time is a journey, and a line with a time for each
/// of its points is a track. Positions in a log become stays and journeys, grouped by day.
///
/// Sources of the format: RFC 7946 and 8142, the description of Overland's requests
/// (github.com/aaronpk/Overland-iOS), and the output of GPSLogger, Compass and Dawarich.
package struct GeoJSONImporter: Importer {
  package let format = "geojson"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "geojson"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    guard text.contains("\"Feature\"") || text.contains("\"FeatureCollection\"") else {
      return false
    }
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[", "\u{1E}":
      return ["\"geometry\"", "\"properties\"", "\"features\""].contains { text.contains($0) }
    default:
      // Compass writes a time before each feature.
      let line = text.prefix { !$0.isNewline }
      guard let brace = line.firstIndex(of: "{") else { return false }
      return Instant(line[..<brace].trimmingCharacters(in: .whitespaces)) != nil
    }
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    // The first file of a run imports all of them, because a log may go on in the next.
    guard context.notes.isFirst("\(format) logs") else { return }
    let streams = PointStreams(context.files.isEmpty ? [file] : context.files)
    var before: MapFeatures.OpenLog?
    var refusals: [ImportRefusal] = []
    for (index, part) in streams.parts.enumerated() {
      var reader = GeoJSONReader(file: part.file, context: context, sink: sink, before: before)
      do {
        if try Self.isOfLines(part.file) {
          try reader.readLines()
        } else {
          try reader.readDocument()
        }
        try reader.settle()
        let log = reader.openLog
        let goesOn = streams.goesOn(after: index, latest: log?.latest)
        try reader.finish(goesOn: goesOn)
        before = goesOn ? log : nil
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
        guard !streams.goesOn(after: index, latest: before?.latest) else { continue }
        try before?.finish()
        before = nil
      }
    }
    try PointStreams.report(refusals, of: streams.parts.count, into: sink)
  }

  /// Returns true if each line contains a separate value.
  private static func isOfLines(_ file: ImportFile) throws -> Bool {
    let text = HeadText.of(try ZipMembers.head(of: file)).drop { $0.isWhitespace }
    switch text.first {
    case "[": return false
    case "{":
      let line = text.prefix { !$0.isNewline }
      let rest = text[line.endIndex...].first { !$0.isWhitespace }
      return rest == "{" && (try? JSON(parsing: String(line))) != nil
    default: return true
    }
  }
}
