package import ArkivedCore
import Foundation
import GRDB

/// An entity that is different on this device, because changes from other devices don't fit
/// together with what is here.
package struct ReplicaRefusal: Sendable {
  package var type: EntityType
  package var sourceID: String
  /// The beginning of its text or title; nil if it isn't here.
  package var title: String?
  /// An English sentence.
  package var reason: String

  package var json: JSON {
    [
      "type": .string(type.rawValue), "sourceId": .string(sourceID), "title": JSON(title),
      "reason": .string(reason),
    ]
  }
}

extension ReplicaTables {
  private static let refusedNote = "refused"

  /// Returns the entities whose state the archive refused, with the reasons.
  func refusals() throws -> [ReplicaKey: String] {
    var found: [ReplicaKey: String] = [:]
    for (name, reason) in try value(Self.refusedNote)?.object?.members ?? [] {
      guard let slash = name.firstIndex(of: "/"), let reason = reason.string else { continue }
      let key = ReplicaKey(
        type: String(name[..<slash]), id: String(name[name.index(after: slash)...]))
      // A later change may have settled it.
      let isRefused = try Bool.fetchOne(
        db,
        cached: """
          SELECT shown IS NOT NULL AND waits = 0 FROM replica_states WHERE type = ? AND id = ?
          """, arguments: [key.type, key.id])
      if isRefused == true { found[key] = reason }
    }
    return found
  }

  /// Stores the entities whose state the archive refused.
  func keepRefusals(_ refusals: [ReplicaKey: String]) throws {
    guard !refusals.isEmpty else { return try remove(Self.refusedNote) }
    var object = JSONObject()
    for (key, reason) in refusals.sorted(by: { $0.key < $1.key }) {
      object.append(uncheckedKey: "\(key.type)/\(key.id)", .string(reason))
    }
    try set(Self.refusedNote, .object(object))
  }
}

extension Archive {
  /// Returns the entities that still differ because changes of other devices couldn't be accepted.
  package func replicaRefusals() throws -> [ReplicaRefusal] {
    try read { db in
      let records = ReplicaRecords(db)
      return try records.tables.refusals().sorted { $0.key < $1.key }.map { key, reason in
        let record = try records.record(key)
        let title = ["text", "title", "name", "note", "metric", "email"].lazy
          .compactMap { record?[$0]?.string }.first { !$0.isEmpty }
        return ReplicaRefusal(
          type: EntityType(rawValue: key.type), sourceID: key.id,
          title: title.map { String($0.prefix(60)).replacingOccurrences(of: "\n", with: " ") },
          reason: reason)
      }
    }
  }
}
