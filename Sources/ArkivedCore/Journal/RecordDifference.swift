/// The differences between two versions of an entity.
package enum RecordDifference {
  package struct Change: Hashable, Sendable {
    package var field: String
    package var before: JSON
    package var after: JSON

    package var json: JSON { ["field": .string(field), "before": before, "after": after] }
  }

  /// Returns the fields whose values differ, in the order of the second record, ignoring the time
  /// of the change.
  package static func changes(from first: JSON, to second: JSON) -> [Change] {
    var keys = second.object?.keys ?? []
    keys += (first.object?.keys ?? []).filter { !keys.contains($0) }
    return keys.filter { $0 != "updatedAt" }.compactMap { key in
      let (before, after) = (first[key] ?? .null, second[key] ?? .null)
      return before == after ? nil : Change(field: key, before: before, after: after)
    }
  }
}
