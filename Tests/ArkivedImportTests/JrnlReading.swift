import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Reads journals as if at noon of 16 November 2026 in Rome.
enum JrnlReading {
  static func context(home: String = "Europe/Rome") throws -> ImportContext {
    ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")), homeZone: try #require(Zone(home)),
      identities: RandomIdentities())
  }

  static func read(
    _ text: String, name: String = "journal.txt", home: String = "Europe/Rome"
  ) throws -> RecordedImport {
    try read(Data(text.utf8), name: name, home: home)
  }

  static func read(
    _ data: Data, name: String = "journal.txt", home: String = "Europe/Rome"
  ) throws -> RecordedImport {
    let folder = try TemporaryFolder()
    return try read(try folder.file(name, data), name: name, context: try context(home: home))
  }

  static func read(_ url: URL, name: String, context: ImportContext) throws -> RecordedImport {
    let sink = RecordedImport()
    try JrnlImporter().read(ImportFile(url: url, name: name), context: context, into: sink)
    return sink
  }

  static func recognises(_ text: String, _ name: String) -> Bool {
    recognises(Array(text.utf8), name)
  }

  static func recognises(_ bytes: [UInt8], _ name: String) -> Bool {
    JrnlImporter().recognises(head: Array(bytes.prefix(4096)), fileName: name)
  }

  /// What jrnl's JSON says of entries, in the spacing of version 4.6.
  static func json(_ entries: [(date: String, time: String, title: String, body: String)]) -> String
  {
    let list = entries.map { entry in
      let object: JSON = [
        "title": .string(entry.title), "body": .string(entry.body), "date": .string(entry.date),
        "time": .string(entry.time), "tags": [], "starred": false,
      ]
      return "    " + object.text()
    }
    return "{\n  \"tags\": {},\n  \"entries\": [\n\(list.joined(separator: ",\n"))\n  ]\n}"
  }
}

extension RecordedImport {
  var titles: [String] { activities.map(\.text) }
  var bodies: [String] { activities.map { $0.notes ?? "" } }
  var hashes: [String] { activities.flatMap(\.externalRefs).map { $0.contentHash ?? "" } }
  /// Local starts in the entries' zones, `2016-05-07T09:30:00`, or the day alone.
  var walls: [String] {
    activities.map { activity in
      activity.startAt.map { activity.zone.wallTime(at: $0).description }
        ?? activity.dayKey.description
    }
  }
  /// Everything told but the note on the zone.
  var problems: [Diagnostic] { diagnostics.filter { !$0.message.contains("time zone") } }
}
