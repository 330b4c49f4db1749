import ArkivedCore
import ArkivedCrypto
import Foundation
import GRDB

/// The times and stamps, but not the content, that a device remembers when it leaves sync.
///
/// When it joins again, its changes since then are later than what it knew, even if its clock is
/// wrong, and everything else keeps its time.
struct ReplicaMemory: Hashable {
  /// A version of a long text that the other devices may have.
  struct Text: Hashable {
    var stamp: ReplicaStamp
    /// A part of the text's hash, to notice other changes of it.
    var mark: String
  }

  /// The time of the latest change that this device knew, in milliseconds since 1970.
  var latest: Int64
  /// The `updatedAt` of the version in the archive; nil if the archive didn't show the entity.
  var updatedAt: Instant?
  /// True if the entity was deleted.
  var isDead = false
  /// True if the entity was permanently deleted, before this device left or since.
  var isPurged = false
  /// The versions of long texts that have only one.
  var texts: [String: Text] = [:]

  /// Remembers a state.
  ///
  /// - Parameters:
  ///   - stored: the state when this device leaves.
  ///   - updatedAt: the `updatedAt` of the row in the archive, if there is one.
  init(_ stored: ReplicaTables.Stored, updatedAt: Instant?) {
    let state = stored.state
    latest = state.latest?.time ?? 0
    isDead = !state.isAlive
    isPurged = state.isPurged
    self.updatedAt = updatedAt
    guard let updatedAt else { return }
    guard stored.shown == nil else {
      // The archive shows something older.
      latest = min(latest, max(0, updatedAt.milliseconds))
      return
    }
    // A change that wasn't captured is one made since.
    self.updatedAt =
      state.registers["updatedAt"]?.value.string.flatMap { Instant($0) } ?? updatedAt
    for (name, versions) in state.texts {
      let heads = TextVersions(versions).heads
      guard heads.count == 1, let text = versions[heads[0]]?.text else { continue }
      texts[name] = Text(stamp: heads[0], mark: Self.mark(of: text))
    }
  }

  static func mark(of text: String) -> String {
    String(SHA256.hash(data: text.utf8).hexadecimal.prefix(8))
  }

  /// Returns the stamp of a long text that is still as it was; nil for other fields.
  ///
  /// With its stamp, it isn't taken for another version by devices that have changed it since.
  func version(of field: String, _ present: ReplicaFields.Values) -> ReplicaStamp? {
    guard let known = texts[field], let text = present[field]?.string,
      known.mark == Self.mark(of: text)
    else { return nil }
    return known.stamp
  }

  var json: JSON {
    var object: JSONObject = ["latest": .integer(latest)]
    if let updatedAt { object["updatedAt"] = JSON(updatedAt) }
    if isDead { object["dead"] = true }
    if isPurged { object["purged"] = true }
    if !texts.isEmpty {
      var fields = JSONObject()
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
        fields[name] = [text.stamp.json, .string(text.mark)]
      }
      object["texts"] = .object(fields)
    }
    return .object(object)
  }

  init(_ json: JSON) {
    latest = if case .integer(let time) = json["latest"] { time } else { 0 }
    updatedAt = json["updatedAt"]?.string.flatMap { Instant($0) }
    isDead = json["dead"]?.bool ?? false
    isPurged = json["purged"]?.bool ?? false
    for (name, text) in json["texts"]?.object?.members ?? [] {
      guard let stamp = ReplicaStamp(text.array?.first), let mark = text.array?.last?.string
      else { continue }
      texts[name] = Text(stamp: stamp, mark: mark)
    }
  }
}

/// Storing what this device knew when it left.
extension ReplicaTables {
  /// The type of the rows among the states; their IDs are `TYPE/ID`.
  static let memories = "left"

  private static let entity = "substr(id, instr(id, '/') + 1)"

  /// Remembers all states, and forgets what was remembered before.
  ///
  /// - Parameter part: the number of IDs read at once.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func rememberStates(part: Int = 2_000) throws {
    try forgetMemories()
    let insert = try db.makeStatement(
      sql: "INSERT INTO replica_states (type, id, state) VALUES ('\(Self.memories)', ?, ?)")
    for type in ReplicaFields.types.map(\.rawValue) + [ReplicaFields.settingsType] {
      let isSetting = type == ReplicaFields.settingsType
      let (table, column) = isSetting ? ("settings", "name") : (type, "id")
      var last = ""
      while true {
        // Read before anything is added to the same table.
        let ids = try String.fetchAll(
          db,
          cached: "SELECT id FROM replica_states WHERE type = ? AND id > ? ORDER BY id LIMIT ?",
          arguments: [type, last, part])
        guard let end = ids.last else { break }
        last = end
        for id in ids {
          guard let stored = try load(ReplicaKey(type: type, id: id)), stored.state.alias == nil
          else { continue }
          let time = try Int64.fetchOne(
            db, cached: "SELECT updated_at FROM \(table) WHERE \(column) = ?", arguments: [id])
          let memory = ReplicaMemory(stored, updatedAt: time.map(Instant.init(milliseconds:)))
          try insert.execute(arguments: ["\(type)/\(id)", memory.json.text()])
        }
      }
    }
  }

  func memory(of key: ReplicaKey) throws -> ReplicaMemory? {
    try String.fetchOne(
      db, cached: "SELECT state FROM replica_states WHERE type = '\(Self.memories)' AND id = ?",
      arguments: ["\(key.type)/\(key.id)"]
    ).map { ReplicaMemory(try JSON(parsing: $0)) }
  }

  /// Marks everything remembered as changed, so what is missing now is noticed.
  func noteMemories() throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO replica_dirty
        SELECT substr(id, 1, instr(id, '/') - 1), \(Self.entity)
        FROM replica_states WHERE type = '\(Self.memories)'
        """)
  }

  /// Remembers that entities were permanently deleted while this device doesn't sync.
  func rememberPurges(of ids: Set<String>) throws {
    try db.execute(
      sql: """
        UPDATE replica_states SET state = json_set(state, '$.purged', json('true'))
        WHERE type = '\(Self.memories)' AND \(Self.entity) IN (SELECT value FROM json_each(?))
        """, arguments: [JSON(ids.sorted()).text()])
  }

  func forgetMemories() throws {
    try db.execute(sql: "DELETE FROM replica_states WHERE type = '\(Self.memories)'")
  }
}
