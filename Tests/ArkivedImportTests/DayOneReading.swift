import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Day One exports made by code, and what the importer reads from them.
///
/// The shapes are those of exports that were published: Day One for iOS, version 728 (March 2021,
/// `metadata.version` "1.0", weather by HAMweather), Day One for macOS, versions 1552 and 1570
/// (April 2024, with `isAllDay`, `fileSize` and rich text), and the maker's own sample for importers
/// (fictional-sample-1).
enum DayOneReading {
  /// A journal as the file that an export holds.
  static func journal(_ entries: [JSON]) -> Data {
    let document: JSON = ["metadata": ["version": "1.0"], "entries": .array(entries)]
    return Data(document.bytes(indented: true))
  }

  /// The least that an entry of any version has, and more.
  static func entry(_ fields: JSON = [:]) -> JSON {
    var entry: JSONObject = [
      "uuid": "2F8DDCA258634D9994DF3A4FEE328035", "creationDate": "2021-03-03T11:48:50Z",
      "timeZone": "Australia/Sydney", "text": "Words",
    ]
    for (key, value) in fields.object?.members ?? [] {
      entry[key] = value == .null ? nil : value
    }
    return .object(entry)
  }

  static func context(_ scratch: TemporaryFolder? = nil) throws -> ImportContext {
    let folder = try scratch ?? TemporaryFolder()
    return ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")),
      identities: CountedIdentities(), scratchFolder: { folder.url })
  }

  /// Reads a file of this content.
  static func read(_ content: Data, name: String = "Journal.json") throws -> DayOneSink {
    let folder = try TemporaryFolder()
    return try read(try folder.file(name, content), in: folder)
  }

  static func read(_ url: URL, in folder: TemporaryFolder) throws -> DayOneSink {
    let sink = DayOneSink(folder)
    let scratch = try TemporaryFolder()
    sink.scratch = scratch
    try DayOneImporter().read(
      ImportFile(url: url, name: url.lastPathComponent), context: try context(scratch), into: sink)
    return sink
  }

  /// Reads a journal of one entry, which must come in.
  static func one(_ fields: JSON, name: String = "Journal.json") throws -> Activity {
    try #require(try read(journal([entry(fields)]), name: name).activities.first)
  }

  /// Reads a journal of one entry with this text.
  static func text(_ text: String) throws -> Activity { try one(["text": .string(text)]) }

  /// A photo as Day One for macOS 1552 describes it.
  static func photo(
    _ identifier: String, md5: String, order: Int = 0, _ more: JSON = [:]
  ) -> JSON {
    var photo: JSONObject = [
      "fileSize": 1_287_214, "orderInEntry": .integer(Int64(order)),
      "creationDevice": "Book", "duration": 0, "favorite": false, "type": "jpeg",
      "identifier": .string(identifier), "date": "2024-03-24T18:28:37Z", "height": 2064,
      "width": 1179, "md5": .string(md5), "isSketch": false,
    ]
    for (key, value) in more.object?.members ?? [] { photo[key] = value == .null ? nil : value }
    return .object(photo)
  }

  /// The smallest content that is a JPEG by its first bytes; each number makes another.
  static func jpeg(_ number: UInt8) -> Data { Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, number]) }
}

/// Keeps what the importer hands on.
final class DayOneSink: ImportSink {
  private(set) var records: [ImportedRecord] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Both live as long as what was read from them.
  private let folder: TemporaryFolder
  var scratch: TemporaryFolder?

  init(_ folder: TemporaryFolder) { self.folder = folder }

  func take(_ record: ImportedRecord) { records.append(record) }
  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  var activities: [Activity] {
    records.compactMap { record in
      if case .activity(let activity) = record.value { activity } else { nil }
    }
  }

  var skipped: [Diagnostic] { diagnostics.filter { $0.severity == .skipped } }

  /// The content of every attachment of an activity, in its order.
  func contents(of index: Int = 0) throws -> [Data] {
    let folder = try #require(records[index].attachmentsFolder)
    return try activities[index].attachments.map { attachment in
      try Data(contentsOf: folder.appendingPathComponent(try #require(attachment.relativePath)))
    }
  }
}
