import ArkivedCore
import Foundation
import GRDB

/// The changes that created and last touched each template and the prompts.
///
/// Rows of other entities record this themselves, but all templates are one setting.
struct WritingMarks {
  struct Mark {
    /// The row of the change that created the template.
    var made: Int64?
    /// The row of the change that last touched it.
    var touched: Int64?
    /// A hash of the content after that change.
    var content: UUID
  }

  private(set) var marks: [UUID: Mark] = [:]

  private static let settingName = "writingMarks"

  init(_ db: Database) throws {
    let stored = try StoredSetting.value(Self.settingName, db)
    for (key, value) in stored?.object?.members ?? [] {
      guard let id = UUID(uuidString: key),
        let content = value["content"]?.string.flatMap({ UUID(uuidString: $0) })
      else { continue }
      marks[id] = Mark(
        made: value["made"]?.int.map(Int64.init), touched: value["touched"]?.int.map(Int64.init),
        content: content)
    }
  }

  func write(_ db: Database, at now: Instant) throws {
    var object = JSONObject()
    for (id, mark) in marks.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
      object[id.uuidString] = [
        "made": JSON(mark.made.map { Int($0) }), "touched": JSON(mark.touched.map { Int($0) }),
        "content": .string(mark.content.uuidString),
      ]
    }
    try StoredSetting.set(Self.settingName, to: .object(object), at: now, db)
  }

  /// Records that a change wrote a template or the prompts.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - record: its content.
  ///   - made: the row of the change that created it; nil if that is unknown.
  ///   - touched: the row of the change that wrote it.
  mutating func set(_ id: UUID, _ record: JSON, made: Int64?, touched: Int64) {
    marks[id] = Mark(made: made, touched: touched, content: UUID(hashing: record.text()))
  }

  mutating func remove(_ id: UUID) { marks[id] = nil }

  /// Returns the mark of a version; it says only what is still known about it.
  ///
  /// Another device may have changed the template since, and an old change may have been removed.
  func mark(_ id: UUID, of record: JSON, _ db: Database) throws -> Mark? {
    guard var mark = marks[id] else { return nil }
    if mark.content != UUID(hashing: record.text()) { mark.touched = nil }
    for path in [\Mark.made, \Mark.touched] {
      guard let key = mark[keyPath: path] else { continue }
      let isThere = try Bool.fetchOne(
        db, cached: "SELECT EXISTS (SELECT 1 FROM change_rows WHERE pk = ?)", arguments: [key])
      if isThere != true { mark[keyPath: path] = nil }
    }
    return mark
  }

  /// The SQL condition that a row of `history` belongs to a template that exists, or to the prompts.
  static let isThere = """
    (source_table = '\(EntityType.prompts.rawValue)'
      OR source_table = '\(EntityType.template.rawValue)' AND EXISTS (
        SELECT 1 FROM settings, json_each(settings.value, '$.templates') AS template
        WHERE name = '\(Archive.writingName)' AND json_extract(template.value, '$.id') = source_id))
    """

  /// Returns the existing templates that a change created.
  static func templates(madeBy key: Int64, _ db: Database) throws -> [WritingTemplate] {
    let marks = try WritingMarks(db).marks.filter { $0.value.made == key }
    guard !marks.isEmpty else { return [] }
    return try Archive.writingSettings(db).templates.filter { marks[$0.id] != nil }
  }
}

extension ChangeScope {
  /// Stores templates and prompts; what they replace or remove is added to the history.
  func put(
    _ new: WritingSettings, over old: WritingSettings, reason: HistoryRecord.Reason = .update
  ) throws {
    var marks = try WritingMarks(db)
    func touch(_ type: EntityType, _ id: UUID, _ before: JSON?, _ after: JSON) throws {
      let made: Int64? =
        if before == nil { changeKey } else { marks.marks[id]?.made }
      marks.set(id, after, made: made, touched: changeKey)
    }
    for (position, template) in old.templates.enumerated() {
      let after = new.template(template.id)
      guard after != template else { continue }
      if let after {
        try keep(.template, template.id, template.json, reason: reason)
        try touch(.template, template.id, template.json, after.json)
      } else {
        var record = template.json.object ?? JSONObject()
        record["position"] = JSON(position)
        try keep(.template, template.id, .object(record), reason: .delete)
        marks.remove(template.id)
      }
    }
    for template in new.templates where old.template(template.id) == nil {
      try touch(.template, template.id, nil, template.json)
    }
    if new.promptRecord != old.promptRecord {
      try keep(.prompts, WritingSettings.promptsID, old.promptRecord, reason: reason)
      try touch(.prompts, WritingSettings.promptsID, old.promptRecord, new.promptRecord)
    }
    try StoredSetting.set(Archive.writingName, to: new.json, at: now, db)
    try marks.write(db, at: now)
  }

  /// Removes a template; it is added to the history.
  func deleteTemplate(_ id: UUID) throws {
    let old = try Archive.writingSettings(db)
    var new = old
    new.templates.removeAll { $0.id == id }
    try put(new, over: old)
  }

  /// Makes an old version of a template or the prompts the current one.
  ///
  /// - Throws: `FieldError` if another template has its name.
  func bringBackWriting(_ version: HistoryRecord, _ fields: inout FieldReader) throws {
    let old = try Archive.writingSettings(db)
    var new = old
    if version.sourceTable == .prompts {
      try new.setPrompts(&fields)
    } else {
      let template = try WritingTemplate(&fields, id: version.sourceID)
      try new.keep(template, at: try fields.int("position"))
    }
    try put(new, over: old, reason: .restore)
  }

  /// Returns the changes that created and last touched a template or the prompts; nil if there is
  /// no such template.
  func writingMark(_ type: EntityType, _ id: UUID) throws -> (made: Int64?, touched: Int64?)? {
    guard let record = try Archive.writingSettings(db).record(of: type, id) else { return nil }
    let mark = try WritingMarks(db).mark(id, of: record, db)
    return (mark?.made, mark?.touched)
  }

  /// Assigns a restored template or the prompts to the changes they belonged to before.
  func putBackWritingKeys(_ version: HistoryRecord, made: Int64?, touched: Int64) throws {
    let (type, id) = (version.sourceTable, version.sourceID)
    guard let record = try Archive.writingSettings(db).record(of: type, id) else { return }
    var marks = try WritingMarks(db)
    marks.set(id, record, made: made ?? marks.marks[id]?.made, touched: touched)
    try marks.write(db, at: now)
  }
}
