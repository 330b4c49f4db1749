import ArkivedCore
import GRDB

/// Finding the entities that refer to others.
extension ReplicaTables {
  /// The types of entities that refer to tags, people and meetings.
  private static let referring: [EntityType] = [.activity, .day, .note, .meeting]
  /// The number of IDs up to which SQLite searches for each of them faster than one pass here
  /// searches for all.
  private static let fewIDs = 4

  /// Returns IDs of one type together with all IDs that were merged into them.
  ///
  /// An ID may have been merged into one that was merged into one of these later.
  func aliases(of ids: Set<String>, type: String) throws -> Set<String> {
    var found = ids
    var last = ids
    while !last.isEmpty {
      // Such a state has no other members; only these few are parsed.
      let merged = try String.fetchAll(
        db,
        cached: """
          SELECT id FROM replica_states WHERE type = ? AND substr(state, 1, 8) = '{"same":'
            AND json_extract(state, '$.same') IN (SELECT value FROM json_each(?))
          """, arguments: [type, JSON(last.sorted()).text()])
      last = Set(merged).subtracting(found)
      found.formUnion(last)
    }
    return found
  }

  /// Returns IDs of one type together with those of everything that was merged into them, which
  /// stand in for it.
  private func merged(into ids: Set<String>, type: String) throws -> Set<String> {
    var found = ids
    var last = ids
    while !last.isEmpty {
      let merged = try String.fetchAll(
        db,
        cached: """
          SELECT id FROM replica_states
          WHERE type = ? AND instr(state, '"\(ReplicaFields.mergedInto)"') > 0 AND
            json_extract(state, '$.fields.\(ReplicaFields.mergedInto)[0]')
              IN (SELECT value FROM json_each(?))
          """, arguments: [type, JSON(last.sorted()).text()])
      last = try aliases(of: Set(merged), type: type).subtracting(found)
      found.formUnion(last)
    }
    return found
  }

  /// Returns the entries, days, notes and meetings that refer to tags, people or meetings under any
  /// ID.
  ///
  /// - Parameters:
  ///   - keys: the tags, people and meetings.
  ///   - turn: the position of a type in the order of showing; waiting entities of later types are
  ///     skipped.
  /// - Returns: the entities, some possibly more than once.
  /// - Throws: `DatabaseError` if the archive can't be read.
  func naming(_ keys: Set<ReplicaKey>, turn: Int = .max) throws -> [ReplicaKey] {
    var ids: Set<String> = []
    for (type, keys) in Dictionary(grouping: keys, by: \.type) {
      ids.formUnion(
        try merged(into: aliases(of: Set(keys.map(\.id)), type: type), type: type))
    }
    // In a state, other characters surround an ID. One that contains them, too, isn't found as a
    // word.
    let words: Set<String> =
      ids.count > Self.fewIDs ? ids.filter { $0.utf8.allSatisfy(Self.isInWord) } : []
    var found: [ReplicaKey] = []
    for type in Self.referring.map(\.rawValue) {
      let isLater = ReplicaFields.order(of: type) > turn
      let scope = "FROM replica_states WHERE type = ?" + (isLater ? " AND waits = 0" : "")
      for id in ids.subtracting(words).sorted() {
        found += try String.fetchAll(
          db, cached: "SELECT id \(scope) AND instr(state, ?) > 0", arguments: [type, id]
        ).map { ReplicaKey(type: type, id: $0) }
      }
      guard let least = words.map(\.utf8.count).min(), let most = words.map(\.utf8.count).max()
      else { continue }
      let rows = try Row.fetchCursor(db, sql: "SELECT id, state \(scope)", arguments: [type])
      while let row = try rows.next() {
        if Self.hasWord(row[1], of: words, least...most) {
          found.append(ReplicaKey(type: type, id: row[0]))
        }
      }
    }
    return found
  }

  /// Returns true if a text contains one of some words with a number of bytes in a range.
  private static func hasWord(
    _ text: String, of words: Set<String>, _ lengths: ClosedRange<Int>
  ) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var start = 0
      for end in 0...bytes.count where end == bytes.count || !isInWord(bytes[end]) {
        if lengths.contains(end - start),
          words.contains(String(decoding: bytes[start..<end], as: UTF8.self))
        {
          return true
        }
        start = end + 1
      }
      return false
    }
  }

  /// Returns true for the characters of an ID: digits, letters and the hyphen.
  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
