import ArkivedCore
import Foundation

/// Reads Arkived's own JSON Lines: one object per line in UTF-8, each with its `type`.
package struct JSONLinesImporter: Importer {
  package let format = "jsonl"
  package let keepsPlaces = true

  /// The latest version of the format that this program reads.
  package static let version = 1
  /// The message about a field that a newer version may have written.
  package static let unknownField = "unknown field; skipped"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let name = fileName.lowercased()
    let isNamed = name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
    let content = head.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard content.first == UInt8(ascii: "{") else { return isNamed }
    guard !isNamed else { return true }
    return Self.namesOwnType(String(decoding: content.prefix { $0 != 0x0A }, as: UTF8.self))
  }

  private static let types: Set<String> = [
    "arkived", "activity", "day", "person", "tag", "metric", "history", "tombstone", "attachment",
    "interchange",
  ]

  /// Returns true if a line has one of Arkived's types; other programs' objects also have types,
  /// such as a line in GeoJSON.
  private static func namesOwnType(_ line: String) -> Bool {
    line.ranges(of: "\"type\"").contains { range in
      let rest = line[range.upperBound...].drop { $0.isWhitespace }
      guard rest.first == ":" else { return false }
      let value = rest.dropFirst().drop { $0.isWhitespace }
      guard value.first == "\"" else { return false }
      let type = String(value.dropFirst().prefix { $0 != "\"" })
      return types.contains(type) || GoalSide.type(named: type) != nil
    }
  }

  /// Returns true if a file belongs to the lines, as attachments in the folder next to them do.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    guard let range = name.range(of: "attachments/") else { return false }
    return folders.contains(String(name[..<range.lowerBound]))
  }

  package func surroundings(of file: ImportFile) -> [String]? { ["attachments"] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var lines = try LineReader(try Self.inUTF8(file, context))
    defer { lines.close() }
    var reading = Reading(
      file: file, context: context, sink: sink,
      attachmentsFolder: file.url.deletingLastPathComponent()
        .appendingPathComponent("attachments"))
    while let line = try lines.next() {
      reading.place = "\(file.name):\(lines.number)"
      if lines.number.isMultiple(of: 256) { sink.reach(lines.offset) }
      switch line {
      case .tooLong:
        reading.skip("the line is longer than 64 MiB; skipped")
      case .bytes(let bytes):
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
        try reading.take(bytes)
      }
    }
    guard reading.lineCount > 0 else {
      throw ImportRefusal(place: file.name, message: "the file is empty")
    }
    if reading.goodCount == 0, let first = reading.firstProblem {
      throw ImportRefusal(
        place: first.place,
        message: first.message + " (no line in the file could be read)")
    }
  }

  /// Returns the file, or a UTF-8 copy of one that spreadsheets or PowerShell wrote in UTF-16.
  private static func inUTF8(_ file: ImportFile, _ context: ImportContext) throws -> URL {
    guard UTF16Order(try ZipMembers.head(of: file, count: 4)) != nil else { return file.url }
    let copy = try context.scratchFolder().appendingPathComponent("\(UUID().uuidString).jsonl")
    try Data().write(to: copy)
    let output = try FileHandle(forWritingTo: copy)
    defer { try? output.close() }
    var text = try TextBytes(file.url)
    defer { text.close() }
    while let piece = try text.readChunk() { try output.write(contentsOf: piece) }
    return copy
  }

  /// The state of reading one file.
  private struct Reading {
    let file: ImportFile
    let context: ImportContext
    let sink: any ImportSink
    /// The folder next to the file that is the base of attachment paths.
    let attachmentsFolder: URL
    var place = ""
    var lineCount = 0
    var goodCount = 0
    var firstProblem: Diagnostic?

    private var defaults: EntryDefaults {
      EntryDefaults(
        now: context.now, homeZone: context.homeZone, identities: context.identities)
    }

    mutating func skip(_ message: String, field: String? = nil) {
      lineCount += 1
      let spot = field.map { "\(place) field “\($0)”" } ?? place
      let diagnostic = Diagnostic(.skipped, place: spot, message: message)
      firstProblem = firstProblem ?? diagnostic
      sink.diagnose(diagnostic)
    }

    mutating func take(_ bytes: [UInt8]) throws {
      let object: JSONObject
      do {
        guard let parsed = try JSON(parsing: bytes, depthLimit: JSON.lineDepth).object else {
          return skip("the line isn’t a JSON object; skipped")
        }
        object = parsed
      } catch let error as JSONSyntaxError {
        return skip("the line isn’t valid JSON: \(error); skipped")
      }
      var fields = FieldReader(object)
      do {
        let type = try fields.required("type")
        guard let records = try records(type, &fields) else {
          return skip("lines of the type “\(type.prefix(40))” aren’t supported; skipped")
        }
        lineCount += 1
        goodCount += 1
        for key in fields.unknownKeys {
          sink.diagnose(
            Diagnostic(
              .note, place: "\(place) field “\(key.prefix(60))”",
              message: JSONLinesImporter.unknownField))
        }
        for record in records { try sink.take(record) }
      } catch let error as FieldError {
        skip("skipped: \(error.description)", field: error.field)
      }
    }

    private func records(
      _ type: String, _ fields: inout FieldReader
    ) throws -> [ImportedRecord]? {
      let hasOwnIdentity = fields.has("id")
      let hasOwnVersion = fields.has("updatedAt")
      let isEditedHere = try fields.bool("editedHere") ?? false
      func record(_ value: ImportedRecord.Value, linksPeople: Bool = true) -> [ImportedRecord] {
        var record = ImportedRecord(
          value, hasOwnIdentity: hasOwnIdentity, hasOwnVersion: hasOwnVersion, place: place,
          linksPeople: linksPeople, attachmentsFolder: attachmentsFolder)
        record.isEditedHere = isEditedHere
        return [record]
      }
      switch type {
      case "arkived":
        guard let version = try fields.int("version") else {
          throw FieldError("version", "is missing")
        }
        guard version <= JSONLinesImporter.version else {
          throw ImportRefusal(
            place: place,
            message: "the file has format version \(version), but this version of Arkived only "
              + "reads up to \(JSONLinesImporter.version). Update Arkived to import it")
        }
        _ = (fields.value("exportedAt"), fields.value("generator"))
        return []
      case "activity":
        let linksPeople = !fields.has("mentions")
        let activity = try Activity(&fields, defaults: defaults)
        return record(.activity(activity), linksPeople: linksPeople)
      case "day":
        let linksPeople = !fields.has("mentions")
        return record(.day(try DayEntry(&fields, defaults: defaults)), linksPeople: linksPeople)
      case "person": return record(.person(try Person(&fields, defaults: defaults)))
      case "tag": return record(.tag(try Tag(&fields, defaults: defaults)))
      case "metric": return record(.metric(try DayMetric(&fields, defaults: defaults)))
      case "history": return record(.history(try HistoryRecord(&fields, defaults: defaults)))
      case "tombstone": return record(.tombstone(try Tombstone(&fields, defaults: defaults)))
      case "attachment": return record(try attachment(&fields))
      case "interchange": return record(.interchange(try interchangeRow(&fields)))
      default:
        guard let type = GoalSide.type(named: type) else { return nil }
        return record(.goalSide(try type.init(&fields, defaults: defaults)))
      }
    }

    private func interchangeRow(
      _ fields: inout FieldReader
    ) throws(FieldError) -> InterchangeRow {
      let (table, key) = (try fields.required("sourceTable"), try fields.required("sourceKey"))
      guard let record = try fields.object("record"),
        let row = InterchangeRow(table: table, key: key, json: .object(record))
      else { throw FieldError("record", "must be an object with columns") }
      return row
    }

    private func attachment(
      _ fields: inout FieldReader
    ) throws(FieldError) -> ImportedRecord.Value {
      let activityID = try fields.uuid("activityId")
      let dayKey = try fields.day("dayKey")
      let noteID = try fields.uuid("noteId")
      let attachment = try Attachment(
        &fields, typeKey: "attachmentType", now: context.now, defaults: defaults)
      try attachment.validate()
      let owner: AttachmentOwner
      switch (activityID, dayKey, noteID) {
      case (let id?, nil, nil): owner = .activity(id)
      case (nil, let day?, nil): owner = .day(day)
      case (nil, nil, let id?): owner = .note(id)
      default:
        throw FieldError("activityId", "or dayKey or noteId is required (exactly one)")
      }
      let path = attachment.relativePath
      return .attachment(
        attachment, owner: owner, file: path.map { attachmentsFolder.appendingPathComponent($0) })
    }
  }
}
