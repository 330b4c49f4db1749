import ArkivedCore
import Foundation

/// The order in which the files of a run are read if each contains a part of one stream of points,
/// as recorders write a file a day, a month or a request.
struct PointStreams {
  /// A file, with the first time in it.
  struct Part {
    var file: ImportFile
    /// Milliseconds since 1970; nil if the beginning of the file gives none.
    var start: Int64?
  }

  /// The longest pause in milliseconds between two files of a stream; after a longer one, they share
  /// no day.
  private static let longestPause: Int64 = 2 * 86_400_000
  /// The time in milliseconds by which files may overlap, as when a request is sent again.
  private static let longestOverlap: Int64 = 86_400_000

  /// The files by folder and time.
  let parts: [Part]

  init(_ files: [ImportFile]) {
    parts = files.map { Part(file: $0, start: Self.start(of: $0)) }.sorted {
      ($0.file.folder, $0.start ?? .max, $0.file.name)
        < ($1.file.folder, $1.start ?? .max, $1.file.name)
    }
  }

  /// Returns true if the file after the one at a position continues its points.
  ///
  /// - Parameters:
  ///   - index: the position.
  ///   - latest: the latest time so far, in milliseconds since 1970.
  /// - Returns: true if it does; false at the end, and for a file of another folder.
  func goesOn(after index: Int, latest: Int64?) -> Bool {
    guard index + 1 < parts.count, let latest, let start = parts[index + 1].start,
      parts[index + 1].file.folder == parts[index].file.folder
    else { return false }
    return (latest - Self.longestOverlap...latest + Self.longestPause).contains(start)
  }

  /// Reports the files that were refused.
  ///
  /// - Throws: The first refusal if nothing else was read.
  static func report(
    _ refusals: [ImportRefusal], of count: Int, into sink: any ImportSink
  ) throws {
    if refusals.count == count, let first = refusals.first { throw first }
    for refusal in refusals {
      sink.diagnose(
        Diagnostic(.skipped, place: refusal.place, message: refusal.message, mayPass: true))
    }
  }

  /// Returns the first time at the beginning of a file: `tst` in seconds, or ISO 8601.
  private static func start(of file: ImportFile) -> Int64? {
    guard let head = try? ZipMembers.head(of: file) else { return nil }
    let text = HeadText.of(head)
    if let found = text.firstMatch(of: /\x22tst\x22\s*:\s*\x22?([0-9]{9,10})\b/) {
      return Int64(found.1).map { $0 * 1_000 }
    }
    let stamp = text.firstMatch(
      of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9.]+(Z|[+\-][0-9]{2}:?[0-9]{2})/)
    return stamp.flatMap { Instant(String($0.0)) }?.milliseconds
  }
}
