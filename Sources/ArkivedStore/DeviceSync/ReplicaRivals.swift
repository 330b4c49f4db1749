import ArkivedCore
import Foundation
import GRDB

/// Finds entities of this archive that must be the same as one from another device.
struct ReplicaRivals {
  let db: Database
  let tables: ReplicaTables
  let records: ReplicaRecords
  let now: Instant

  /// Returns another entity that must be the same one, because both have a value that only one
  /// entity can have.
  func rival(
    of values: ReplicaFields.Values, _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    func found(_ sql: String, _ arguments: StatementArguments) throws -> ReplicaKey? {
      try String.fetchOne(db, cached: sql, arguments: arguments + [key.id])
        .map { ReplicaKey(type: key.type, id: $0) }
    }
    func text(_ field: String) -> String { values[field]?.string ?? "" }
    switch EntityType(rawValue: key.type) {
    case .tag:
      return try found(
        "SELECT id FROM tags WHERE folded = ? AND id <> ?", [NameFolding.key(text("name"))])
    case .day:
      return try found("SELECT id FROM days WHERE day_key = ? AND id <> ?", [text("dayKey")])
        ?? referenced(values, "day_pk", "day_rows", key)
    case .metric:
      return try found(
        "SELECT id FROM day_metrics WHERE day_key = ? AND metric = ? AND source = ? AND id <> ?",
        [text("dayKey"), text("metric"), text("source")])
    case .person:
      for field in values.keys.sorted() where field.hasPrefix("addresses/") {
        let address = NameFolding.key(String(field.dropFirst("addresses/".count)))
        let other = try found(
          """
          SELECT persons.id FROM person_names JOIN persons ON persons.pk = person_pk
          WHERE folded = ? AND role IN ('email', 'address') AND persons.id <> ?
          """, [address])
        if let other { return other }
      }
      return try namedAlike(values, state, key)
        ?? referenced(values, "person_pk", "person_rows", key)
    case .activity: return try referenced(values, "activity_pk", "activity_rows", key)
    case .meeting:
      return try found(
        "SELECT id FROM meetings WHERE event_identifier = ? AND id <> ?", [text("eventIdentifier")])
        ?? found(
          """
          SELECT meetings.id FROM meetings JOIN activity_rows AS one ON one.pk = activity_pk
          WHERE one.id = ? AND meetings.id <> ?
          """, [text("activityId")])
    case .term:
      return try found(
        "SELECT id FROM terms WHERE term_number = ? AND id <> ?", [values["termNumber"]?.int ?? -1])
    case .lifeTime: return try found("SELECT id FROM lifetimes WHERE id <> ?", [])
    case .contribution:
      return try found(
        """
        SELECT it.id FROM action_goal_contributions AS it
        JOIN activity_rows AS one ON one.pk = activity_pk JOIN goal_rows AS goal ON goal.pk = goal_pk
        WHERE one.id = ? AND goal.id = ? AND match_method <> 'auto_inferred' AND it.id <> ?
        """, [text("actionId"), text("goalId")])
    case .alignment:
      return try found(
        """
        SELECT it.id FROM goal_value_alignments AS it JOIN goal_rows AS goal ON goal.pk = goal_pk
        JOIN value_rows AS value ON value.pk = value_pk
        WHERE goal.id = ? AND value.id = ? AND it.id <> ?
        """, [text("goalId"), text("valueId")])
    case .assignment:
      return try found(
        """
        SELECT it.id FROM term_goal_assignments AS it JOIN term_rows AS term ON term.pk = term_pk
        JOIN goal_rows AS goal ON goal.pk = goal_pk
        WHERE term.id = ? AND goal.id = ? AND it.id <> ?
        """, [text("termId"), text("goalId")])
    default: return nil
    }
  }

  private func referenced(
    _ values: ReplicaFields.Values, _ column: String, _ table: String, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    for ref in ReplicaFields.externalReferences(in: values.keys, at: now) {
      let id = try String.fetchOne(
        db,
        cached: """
          SELECT id FROM external_refs JOIN \(table) AS one ON one.pk = \(column)
          WHERE provider = ? AND external_id = ? AND id <> ?
            AND one.changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
          """,
        arguments: [ref.provider, ref.externalID, key.id])
      if let id { return ReplicaKey(type: key.type, id: id) }
    }
    return nil
  }

  /// Returns a person with the same name created by another device, if one of the two people is
  /// nothing but a name: on a single device, the second mention would have referred to the first
  /// person.
  private func namedAlike(
    _ values: ReplicaFields.Values, _ state: ReplicaState, _ key: ReplicaKey
  ) throws -> ReplicaKey? {
    guard let name = values["name"]?.string, try !records.isThere(.person, key.id) else {
      return nil
    }
    let others = try String.fetchAll(
      db,
      cached: """
        SELECT DISTINCT persons.id FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE folded = ? AND role = 'name' AND persons.id <> ? LIMIT 2
        """, arguments: [NameFolding.key(name), key.id])
    guard others.count == 1 else { return nil }
    let other = ReplicaKey(type: key.type, id: others[0])
    guard let known = try tables.load(other)?.state,
      known.registers["name"]?.stamp.device != state.registers["name"]?.stamp.device
    else { return nil }
    func isBare(_ state: ReplicaState) -> Bool {
      !state.values.keys.contains { field in
        !["name", "createdAt", "updatedAt", ReplicaFields.mergedInto].contains(field)
      }
    }
    return isBare(known) || isBare(state) ? other : nil
  }
}
