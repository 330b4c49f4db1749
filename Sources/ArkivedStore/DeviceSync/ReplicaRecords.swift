import ArkivedCore
import Foundation
import GRDB

/// Reads entities as fields and writes them from fields.
struct ReplicaRecords {
  let db: Database
  let tables: ReplicaTables

  init(_ db: Database) {
    self.db = db
    tables = ReplicaTables(db: db)
  }

  // MARK: Reading

  /// Returns the fields of an entity or setting as it is in the archive; nil if it is missing, or
  /// if every device computes it itself.
  func present(_ key: ReplicaKey) throws -> ReplicaFields.Values? {
    if key.type == ReplicaFields.settingsType { return try setting(key.id) }
    guard let record = try record(key) else { return nil }
    let type = EntityType(rawValue: key.type)
    if type == .contribution,
      record["matchMethod"]?.string == MatchMethod.autoInferred.rawValue
    {
      return nil
    }
    return try values(of: record, type)
  }

  /// Returns the fields of a record.
  func values(of record: JSONObject, _ type: EntityType) throws -> ReplicaFields.Values {
    try ReplicaFields.values(of: record, type) { name in
      try String.fetchOne(
        db, cached: "SELECT id FROM tags WHERE folded = ?", arguments: [NameFolding.key(name)])
    }
  }

  /// Returns the whole entity in the form used by history and exports.
  func record(_ key: ReplicaKey) throws -> JSONObject? {
    guard let id = UUID(uuidString: key.id) else { return nil }
    let type = EntityType(rawValue: key.type)
    func row<Entity>(_ read: (Row) throws -> Entity) throws -> Entity? {
      try Row.fetchOne(
        db, cached: "SELECT * FROM \(type.rawValue) WHERE id = ?", arguments: [key.id]
      ).map(read)
    }
    switch type {
    case .activity: return try ActivityRecord.fetchOne(db, id: id)?.activity.record.object
    case .day: return try DayRecord.fetchOne(db, id: id)?.entry.json.object
    case .person: return try PersonRecord.fetchOne(db, id: id)?.person.json.object
    case .tag: return try row(TagRecord.read)?.json.object
    case .metric: return try row(MetricRecord.read)?.json.object
    default:
      func stored<Entity: StoredEntity>(_ type: Entity.Type) throws -> JSONObject? {
        try Entity.fetchOne(db, id: id)?.json.object
      }
      guard let entity = StoredEntities.type(type) else { return nil }
      return try stored(entity)
    }
  }

  /// Returns the fields of an old version, with the IDs used now; nil if it isn't in the history.
  func oldVersion(
    of key: ReplicaKey, from updatedAt: Instant?
  ) throws -> ReplicaFields.Values? {
    guard let updatedAt,
      let text = try String.fetchOne(
        db,
        cached: """
          SELECT record FROM history WHERE source_id = ? AND record ->> '$.updatedAt' = ?
          ORDER BY pk DESC LIMIT 1
          """, arguments: [key.id, updatedAt.description]),
      let record = try JSON(parsing: text).object
    else { return nil }
    return try settled(values(of: record, EntityType(rawValue: key.type)), key)
  }

  private func setting(_ name: String) throws -> ReplicaFields.Values? {
    let row = try Row.fetchOne(
      db, cached: "SELECT value, updated_at FROM settings WHERE name = ?", arguments: [name])
    guard let row, let value = try? JSON(parsing: row[0] as String) else { return nil }
    var values: ReplicaFields.Values = [
      "updatedAt": JSON(Instant(milliseconds: row[1]))
    ]
    if let pairs = ReplicaPairs.of(setting: name) {
      values.merge(pairs.fields(of: value)) { $1 }
    } else if let object = value.object {
      values["isObject"] = true
      for (key, value) in object.members where value != .null { values["value/\(key)"] = value }
    } else {
      values["value"] = value
    }
    return values
  }

  // MARK: Wanted state

  /// Returns a state's fields, with references to the IDs used here; nil if the entity should not
  /// be visible.
  ///
  /// - Returns: the fields, and `waits`, which is true if something that the entity requires is not
  ///   here yet.
  func wanted(
    _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> (values: ReplicaFields.Values, waits: Bool)? {
    guard state.isAlive else { return nil }
    var values = try settled(state.values, key)
    var waits = false
    for (name, reference) in ReplicaFields.references {
      guard let id = values[name]?.string else { continue }
      if try !isThere(reference.type, id) {
        if reference.isRequired { waits = true } else { values[name] = nil }
      }
    }
    return (values, waits)
  }

  /// Returns fields with the IDs used here, and without references to anything that doesn't exist
  /// here.
  func settled(
    _ given: ReplicaFields.Values, _ key: ReplicaKey
  ) throws -> ReplicaFields.Values {
    var values: ReplicaFields.Values = [:]
    for (field, value) in given {
      if field.hasPrefix(ReplicaFields.tags) {
        let given = String(field.dropFirst(ReplicaFields.tags.count))
        guard let id = try standing(.tag, given) else { continue }
        keep(value, ReplicaFields.tags + id, &values)
      } else if field.hasPrefix(ReplicaFields.mentions) {
        let (name, rest) = ReplicaFields.mention(field.dropFirst(ReplicaFields.mentions.count))
        guard name.hasPrefix("#") else {
          keep(["position": value["position"] ?? 0], field, &values)
          continue
        }
        let given = String(name.dropFirst())
        if let id = try standing(.person, given) {
          // A person with a name of their own is mentioned by that name.
          let isNamed = try personName(id) != nil
          let link: JSON =
            isNamed
            ? ["position": value["position"] ?? 0]
            : ["position": value["position"] ?? 0, "name": value["name"] ?? .null]
          keep(link, "\(ReplicaFields.mentions)#\(id)\(rest)", &values)
        } else if let name = try lastName(given) ?? value["name"]?.string {
          keep(["position": value["position"] ?? 0], ReplicaFields.mentions + name + rest, &values)
        }
      } else if let pairs = ReplicaPairs.of(field: field) {
        if let shown = try pairs.canonical(field, tables) { values[shown] = value }
      } else if field == ReplicaFields.mergedInto {
        continue
      } else if field == "attendees" {
        values[field] = .array(try (value.array ?? []).map(attendee))
      } else if let reference = ReplicaFields.references[field], let id = value.string {
        values[field] = .string(try canonical(reference.type, id))
      } else {
        values[field] = value
      }
    }
    return ReplicaFields.numbered(values)
  }

  /// Returns the fields that are shown under another name, by that name: tags and people by the ID
  /// they were merged into, and deleted people by their names.
  func origins(of values: ReplicaFields.Values) throws -> [String: [String]] {
    var origins: [String: [String]] = [:]
    for (field, value) in values {
      var shown = field
      if field.hasPrefix(ReplicaFields.tags) {
        let id = String(field.dropFirst(ReplicaFields.tags.count))
        shown = ReplicaFields.tags + (try standing(.tag, id) ?? canonical(.tag, id))
      } else if field.hasPrefix(ReplicaFields.mentions + "#") {
        let (given, rest) = ReplicaFields.mention(field.dropFirst(ReplicaFields.mentions.count + 1))
        if let id = try standing(.person, given) {
          shown = "\(ReplicaFields.mentions)#\(id)\(rest)"
        } else if let name = try lastName(given) ?? value["name"]?.string {
          shown = ReplicaFields.mentions + name + rest
        }
      }
      if let pairs = ReplicaPairs.of(field: field) {
        shown = try pairs.canonical(field, tables) ?? field
      }
      if shown != field { origins[shown, default: []].append(field) }
    }
    return origins
  }

  /// Returns the most recent name of a person, who may have been deleted.
  func lastName(_ id: String) throws -> String? { try lastName(.person, id) }

  private func lastName(_ type: EntityType, _ id: String) throws -> String? {
    let key = try tables.canonical(ReplicaKey(type: type.rawValue, id: id))
    return try tables.load(key)?.state.registers["name"]?.value.string
  }

  /// Returns the name of the tag or person that a field refers to; nil for other fields.
  func memberName(of field: String) throws -> String? {
    if field.hasPrefix(ReplicaFields.tags) {
      return try lastName(.tag, String(field.dropFirst(ReplicaFields.tags.count)))
    }
    guard field.hasPrefix(ReplicaFields.mentions) else { return nil }
    let (name, _) = ReplicaFields.mention(field.dropFirst(ReplicaFields.mentions.count))
    guard name.hasPrefix("#") else { return name }
    return try lastName(.person, String(name.dropFirst()))
  }

  /// Stores a field; if two fields became one, the earlier of their positions is used.
  private func keep(_ value: JSON, _ field: String, _ values: inout ReplicaFields.Values) {
    if let old = values[field], (old["position"]?.int ?? 0) <= (value["position"]?.int ?? 0) {
      return
    }
    values[field] = value
  }

  /// Returns an attendee; if the person is known, the attendee has that person's name.
  private func attendee(_ value: JSON) throws -> JSON {
    guard var object = value.object, let id = object["personId"]?.string else { return value }
    if let person = try standing(.person, id) {
      object["personId"] = .string(person)
      object["name"] = .string(try personName(person) ?? object["name"]?.string ?? "?")
    } else {
      object["personId"] = .null
    }
    return .object(object)
  }

  private func canonical(_ type: EntityType, _ id: String) throws -> String {
    try tables.canonical(ReplicaKey(type: type.rawValue, id: id)).id
  }

  /// Returns the ID of the tag or person that stands for one here: itself, or what it was merged
  /// into; nil if neither is here.
  private func standing(_ type: EntityType, _ given: String) throws -> String? {
    var id = try canonical(type, given)
    var passed: Set<String> = []
    while try !isThere(type, id) {
      // Two devices may have merged two tags into each other.
      guard passed.insert(id).inserted,
        let state = try tables.load(ReplicaKey(type: type.rawValue, id: id))?.state,
        !state.isAlive, let kept = state.registers[ReplicaFields.mergedInto]?.value.string
      else { return nil }
      id = try canonical(type, kept)
    }
    return id
  }

  /// Returns the ID that a deleted tag or person was merged into; nil if it was only deleted.
  ///
  /// - Parameters:
  ///   - key: the tag or person.
  ///   - version: the row of the history after which the merge is looked for.
  /// - Returns: the ID, or nil.
  /// - Throws: `DatabaseError` if the archive can't be read.
  func mergeTarget(of key: ReplicaKey, since version: Int64) throws -> String? {
    guard [EntityType.tag, .person].contains(EntityType(rawValue: key.type)) else { return nil }
    return try String.fetchOne(
      db,
      cached: """
        SELECT record ->> '$.mergedInto' FROM history WHERE source_id = ? AND pk > ?
        ORDER BY pk DESC LIMIT 1
        """, arguments: [key.id, version])
  }

  /// Returns true if a field shows a tag or person that the one in another field was merged into.
  func isMerged(_ origin: String, as field: String) throws -> Bool {
    for (prefix, type) in [
      (ReplicaFields.tags, EntityType.tag), (ReplicaFields.mentions + "#", EntityType.person),
    ] where origin.hasPrefix(prefix) && field.hasPrefix(prefix) {
      let id = ReplicaFields.mention(origin.dropFirst(prefix.count)).name
      let shown = ReplicaFields.mention(field.dropFirst(prefix.count)).name
      return try canonical(type, id) != shown
    }
    return false
  }

  /// Returns true if one of a meeting's attendees is shown as the person they were merged into.
  func hasMergedPerson(_ attendees: JSON?) throws -> Bool {
    try (attendees?.array ?? []).contains { attendee in
      guard let id = attendee["personId"]?.string, let shown = try standing(.person, id) else {
        return false
      }
      return try canonical(.person, id) != shown
    }
  }

  func isPurged(_ key: ReplicaKey) throws -> Bool {
    try tables.load(tables.canonical(key))?.state.isPurged ?? false
  }

  /// Returns true if a record belongs to something that was permanently deleted, such as a note to
  /// a meeting: it is deleted with it.
  func namesPurged(_ record: JSON) throws -> Bool {
    try ReplicaFields.references.contains { field, reference in
      guard let id = record[field]?.string else { return false }
      return try isPurged(ReplicaKey(type: reference.type.rawValue, id: id))
    }
  }

  func isThere(_ type: EntityType, _ id: String) throws -> Bool {
    try Bool.fetchOne(
      db, cached: "SELECT EXISTS (SELECT 1 FROM \(type.rawValue) WHERE id = ?)", arguments: [id])
      ?? false
  }

  func personName(_ id: String) throws -> String? {
    try String.fetchOne(
      db,
      cached: """
        SELECT value FROM person_names JOIN person_rows ON pk = person_pk
        WHERE id = ? AND role = 'name' AND position = 0
        """, arguments: [id])
  }

  /// Returns an entity's record, assembled from its fields.
  func record(of values: ReplicaFields.Values, _ key: ReplicaKey) throws -> JSONObject {
    try ReplicaFields.record(
      of: values, EntityType(rawValue: key.type), id: key.id,
      tag: { id in
        try String.fetchOne(db, cached: "SELECT name FROM tags WHERE id = ?", arguments: [id])
      }, person: personName)
  }
}
