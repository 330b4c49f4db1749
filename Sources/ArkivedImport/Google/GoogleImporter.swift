import ArkivedCore
import Foundation

/// Imports Google's location history in its four forms, from a file, a folder or a zip archive.
///
/// - `Records.json` of Takeout (`Location History.json` before 2022): points.
/// - `Semantic Location History/YYYY/YYYY_MONTH.json` of Takeout: visits and journeys.
/// - `Timeline Edits.json` of Takeout since 2024: raw signals, of which the positions are read.
/// - `Timeline.json` of Android (`semanticSegments`) and `location-history.json` of iOS (a list):
///   visits and journeys, exported on the phone since 2024.
///
/// Sources of the formats: the files themselves, as described by the project
/// location-history-json-converter and locationhistoryformat.com.
package struct GoogleImporter: Importer {
  package let format = "google"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  static let provider = "google"
  /// The size limit in bytes, more than a lifetime of points.
  private static let sizeLimit: Int64 = 16 << 30
  private static let candidateLimit = 600

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    GoogleHead(head, fileName: fileName).isHistory
  }

  /// Recognises a zip archive only if it contains nothing else of interest, because Takeout may
  /// have put photos into it as well.
  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    ZipMembers.holdsOnly(["json", "html", "txt", "csv"], zip) && !Self.members(of: zip).isEmpty
  }

  /// Returns true if a file is one that Takeout and phones write next to a location history and
  /// that has no places.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    let beside = [
      "Settings.json", "Timeline Edits.json", "Tombstones.csv", "Encrypted Backups.txt",
    ]
    return beside.contains(String(name[start...])) && folders.contains(String(name[..<start]))
  }

  /// Returns the files of an archive that contain a location history.
  ///
  /// An archive with more files than are examined yields none and is searched as an ordinary
  /// archive.
  private static func members(of zip: ZipFile) -> [ZipFile.Entry] {
    let candidates = zip.entries.filter { entry in
      entry.name.lowercased().hasSuffix(".json") && !entry.isHidden
    }
    guard candidates.count <= candidateLimit else { return [] }
    let heads = zip.heads(of: candidates)
    let members = candidates.filter { entry in
      heads[entry.index].map { GoogleHead($0, fileName: entry.fileName).isHistory } ?? false
    }
    // Points and visits next to them contain the signals.
    let others = members.filter { entry in
      !(heads[entry.index].map { GoogleHead.isOfSignals($0) } ?? false)
    }
    return others.isEmpty ? members : others
  }

  // MARK: Reading

  /// The names of Takeout's points.
  private static let pointFiles = ["Records.json", "Location History.json"]

  /// Returns the paths of the monthly visits next to a file of points, and of points.
  package func surroundings(of file: ImportFile) -> [String]? {
    file.isZip ? [] : [GoogleMonths.folder] + Self.pointFiles
  }

  /// Returns true if Takeout's points or visits are next to a file.
  private static func hasHistory(beside file: ImportFile) -> Bool {
    let folder = file.url.deletingLastPathComponent()
    return !GoogleMonths.beside(file).isEmpty
      || pointFiles.contains {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
      }
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let head = try ZipMembers.head(of: file, count: 4_096)
    guard ZipFile.isZip(head) else {
      guard !GoogleHead.isOfSignals(head) || !Self.hasHistory(beside: file) else {
        return sink.diagnose(
          Diagnostic(
            .note, place: file.name,
            message:
              "skipped: the files of points and visits next to it contain the same data"))
      }
      let months = GoogleMonths.beside(file)
      try GoogleHistory(
        file: file, context: context, sink: sink,
        otherDays: GoogleMonths.days(months, besides: [file], context: context)
      ).read()
      return
    }
    let zip: ZipFile
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive can’t be read: \(error)")
    }
    let members = Self.members(of: zip)
    guard !members.isEmpty else {
      throw ImportRefusal(
        place: file.name, message: "the zip archive contains no Google location history")
    }
    let files = try ZipMembers.unpack(
      zip, members, of: file, sizeLimit: Self.sizeLimit, context: context, sink: sink)
    let months = files.filter { GoogleMonths.isMonth($0.name) }
    let days = GoogleMonths.days(months, besides: files, context: context)
    var refusals: [ImportRefusal] = []
    for part in files {
      do {
        try GoogleHistory(file: part, context: context, sink: sink, otherDays: days).read()
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
      // A file that was read no longer needs its disk space.
      try? FileManager.default.removeItem(at: part.url)
    }
    if let first = refusals.first, refusals.count == files.count { throw first }
    for refusal in refusals {
      sink.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
    }
  }
}

/// The beginning of a file, checked for the form of a location history.
struct GoogleHead {
  let isHistory: Bool

  init(_ head: [UInt8], fileName: String) {
    let text = HeadText.of(head)
    let start = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
    func has(_ key: String) -> Bool { text.contains("\"\(key)\"") }
    switch start {
    case "{":
      let name = fileName.split(separator: "/").last ?? ""
      isHistory =
        has("timelineObjects") || has("semanticSegments") || has("timelineEdits")
        || has("rawSignals") && (has("position") || has("wifiScan") || has("activityRecord"))
        || has("locations")
          && (has("latitudeE7") || has("timestampMs") || has("deviceTag")
            || ["Records.json", "Location History.json"].contains(name))
    case "[":
      // The form of Apple's phones is a list whose elements have both ends and one of four members.
      isHistory =
        has("timelinePath") && has("durationMinutesOffsetFromStartTime")
        || has("startTime") && has("endTime")
          && (has("visit") || has("activity") || has("timelinePath") || has("timelineMemory"))
    default: isHistory = false
    }
  }

  /// Returns true for Takeout's raw signals.
  static func isOfSignals(_ head: [UInt8]) -> Bool {
    HeadText.of(head).contains("\"timelineEdits\"")
  }
}

/// Takeout's files of visits and journeys, one for each month.
enum GoogleMonths {
  private static let names = MonthName.full.map { $0.uppercased() }

  /// Returns true for a path that ends with `2022/2022_JANUARY.json`.
  static func isMonth(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard name.lowercased().hasSuffix(".json") else { return false }
    let parts = name.dropLast(5).split(separator: "_")
    return parts.count == 2 && parts[0].count == 4 && Int(parts[0]) != nil
      && names.contains(parts[1].uppercased())
  }

  /// The name of these files' folder.
  static let folder = "Semantic Location History"

  /// Returns the files in the folder next to a file of points.
  static func beside(_ file: ImportFile) -> [ImportFile] {
    let folder = file.url.deletingLastPathComponent().appendingPathComponent(Self.folder)
    let files = FileManager.default
    let years = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    return years.sorted().flatMap { year -> [ImportFile] in
      let home = folder.appendingPathComponent(year)
      let names = (try? files.contentsOfDirectory(atPath: home.path)) ?? []
      return names.filter(isMonth).sorted().map {
        ImportFile(url: home.appendingPathComponent($0), name: $0)
      }
    }
  }

  /// Returns the local days (since 1970) that monthly files cover.
  ///
  /// - Parameters:
  ///   - months: the files.
  ///   - files: the files that are read; if there are no points among them, no day is needed.
  ///   - context: the information about the run.
  /// - Returns: the days, which are looked up once per run.
  static func days(
    _ months: [ImportFile], besides files: [ImportFile], context: ImportContext
  ) -> Set<Int> {
    guard !months.isEmpty, files.contains(where: { !isMonth($0.name) }) else { return [] }
    return months.reduce(into: []) { days, file in
      days.formUnion(
        GoogleHistory(file: file, context: context, sink: SilentSink(), otherDays: []).coveredDays()
      )
    }
  }
}
