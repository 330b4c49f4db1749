import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A merge of a Ten Week row with the entity here.
enum TenWeekMerge {
  private static let writer = TenWeekWriter(homeZone: .utc)

  static func entityType(_ entity: TenWeekEntity) -> EntityType? {
    switch entity {
    case .action: .activity
    case .entity(let entity): type(of: entity).entityType
    case .history: nil
    }
  }

  static func name(_ entity: TenWeekEntity) -> String {
    let title: String =
      switch entity {
      case .action(let action): action.text
      case .entity(let entity): (entity as? any Persistable)?.title ?? type(of: entity).typeName
      case .history: ""
      }
    return String(title.prefix(80))
  }

  /// Returns true if both have the same content, as far as Ten Week can express it.
  static func isSame(_ left: TenWeekEntity, _ right: TenWeekEntity) -> Bool {
    writer.content(left) == writer.content(right)
  }

  /// Returns true if a row has an earlier time than another with the same key.
  static func isOlder(_ row: InterchangeRow, than other: InterchangeRow) -> Bool {
    let reader = TenWeekReader(homeZone: .utc, now: .earliest)
    guard let table = TenWeekTable(rawValue: row.table),
      let left = try? reader.read(table, row), let right = try? reader.read(table, other)
    else { return false }
    return left.version < right.version
  }

  /// Returns the entity here with the row's values; values that Ten Week doesn't have are kept.
  ///
  /// - Parameters:
  ///   - imported: the row as an entity.
  ///   - old: the entity here.
  ///   - row: the row.
  ///   - base: the row at the last sync.
  ///   - homeZone: the zone of the row's times, if known. A time that matches the entity here
  ///     changes nothing, even in the hour that occurs twice in autumn.
  /// - Returns: the merged entity.
  static func merged(
    _ imported: TenWeekEntity, into old: TenWeekEntity, _ row: InterchangeRow,
    _ base: InterchangeRow?, homeZone: Zone? = nil
  ) -> TenWeekEntity {
    switch (imported, old) {
    case (.action(let imported), .action(let old)):
      var new = old
      if has("title", row) { new.text = imported.text }
      if has("description", row) { new.description = imported.description }
      if has("notes", row) { new.notes = imported.notes }
      if has("measurement_units_by_amount", row) { new.measurements = imported.measurements }
      if has("duration_minutes", row), imported.durationMinutes != old.duration {
        new.durationMinutes = imported.durationMinutes
      }
      // A row has no zone, so one with the local time of an action elsewhere in the world is that
      // action.
      let written = writer.fields(.action(old))
      let isTimed = ["log_time", "start_time"].contains { name in
        guard let value = row[name] else { return false }
        return base.map { $0[name] != value } ?? (written[name] != value)
      }
      guard isTimed else { return .action(new) }
      (new.dayKey, new.createdAt) = (imported.dayKey, imported.createdAt)
      let moment = imported.startAt ?? imported.createdAt
      if old.zone.offset(at: moment) != imported.zone.offset(at: moment) {
        new.timeZone = imported.timeZone
      }
      if imported.startAt != old.startAt, has("start_time", row) {
        // If the start is moved, the end moves too.
        new.endAt = imported.startAt.flatMap { start in
          guard let before = old.startAt, let end = old.endAt else { return nil }
          return Instant(
            milliseconds: end.milliseconds + start.milliseconds - before.milliseconds)
        }
        new.startAt = imported.startAt
      }
      return .action(new)
    case (.entity(var imported), .entity(let old)):
      keepUntold(&imported, old, row, homeZone)
      imported.id = old.id
      imported.createdAt = old.createdAt
      return .entity(imported)
    default: return imported
    }
  }

  /// Returns true if a row has a column with a given meaning; older tables lack some.
  private static func has(_ meaning: String, _ row: InterchangeRow) -> Bool {
    let field = TenWeekTable(rawValue: row.table)?.field(meaning)
    return (field?.names ?? [meaning]).contains { row[$0] != nil }
  }

  /// Keeps the values here for which the row has no column.
  private static func keepUntold(
    _ imported: inout any RecordedEntity, _ old: any RecordedEntity, _ row: InterchangeRow,
    _ homeZone: Zone?
  ) {
    let isKnown = homeZone.flatMap { zone in
      (old as? any Persistable).map {
        TenWeekReader.shows($0.logTime, row["log_time"], homeZone: zone)
      }
    }
    let isLogged = isKnown != true && row["log_time"].map { !$0.isNull } ?? false
    switch (imported, old) {
    case (var goal as Goal, let old as Goal):
      if !isLogged { goal.logTime = old.logTime }
      if !has("description", row) { goal.description = old.description }
      if !has("notes", row) { goal.notes = old.notes }
      if !has("goal_type", row) { goal.goalType = old.goalType }
      if !has("measurement_target", row) { goal.measurementTarget = old.measurementTarget }
      if !has("measurement_unit", row) { goal.measurementUnit = old.measurementUnit }
      if !has("start_date", row) { goal.startDate = old.startDate }
      if !has("target_date", row) { goal.targetDate = old.targetDate }
      if !has("how_goal_is_relevant", row) { goal.howGoalIsRelevant = old.howGoalIsRelevant }
      if !has("how_goal_is_actionable", row) { goal.howGoalIsActionable = old.howGoalIsActionable }
      if !has("expected_term_length", row) { goal.expectedTermLength = old.expectedTermLength }
      imported = goal
    case (var value as PersonalValue, let old as PersonalValue):
      if !isLogged { value.logTime = old.logTime }
      if !has("description", row) { value.description = old.description }
      if !has("notes", row) { value.notes = old.notes }
      if !has("incentive_type", row) { value.incentiveType = old.incentiveType }
      if !has("priority", row) { value.priority = old.priority }
      if !has("life_domain", row) { value.lifeDomain = old.lifeDomain }
      if !has("alignment_guidance", row) { value.alignmentGuidance = old.alignmentGuidance }
      imported = value
    case (var term as Term, let old as Term):
      term.logTime = old.logTime
      if !has("description", row) { term.description = old.description }
      if !has("notes", row) { term.notes = old.notes }
      if !has("theme", row), !has("title", row) { term.theme = old.theme }
      if !has("reflection", row) { term.reflection = old.reflection }
      imported = term
    default: break
    }
  }

  enum Side { case here, there }

  /// Returns the side on which somebody made a decision, for two links between an action and a
  /// goal; if rules created both, returns the link found here.
  static func decidedSide(there: TenWeekEntity, here: TenWeekEntity) -> Side? {
    guard case .entity(let there as ActionGoalContribution) = there,
      case .entity(let here as ActionGoalContribution) = here
    else { return nil }
    return switch (there.matchMethod.isOwners, here.matchMethod.isOwners) {
    case (true, false): .there
    case (_, false), (false, true): .here
    case (true, true): nil
    }
  }

  static func dated(_ entity: TenWeekEntity, _ instant: Instant) -> TenWeekEntity {
    switch entity {
    case .action(var action):
      action.updatedAt = instant
      return .action(action)
    case .entity(var entity):
      entity.updatedAt = instant
      return .entity(entity)
    case .history: return entity
    }
  }

  static func update(
    _ entity: TenWeekEntity, _ scope: ChangeScope, reason: HistoryRecord.Reason
  ) throws {
    switch entity {
    case .action(let action): try scope.update(action, reason: reason)
    case .entity(let entity): try scope.update(entity, reason: reason)
    case .history: break
    }
  }

  /// Returns a history record for a version that did not win; the same row gives the same record.
  static func historyRecord(
    _ version: TenWeekEntity, _ row: InterchangeRow, _ now: Instant
  ) -> HistoryRecord? {
    let record: JSON
    switch version {
    case .action(let action): record = action.record
    case .entity(let entity): record = entity.json
    case .history: return nil
    }
    guard let type = entityType(version) else { return nil }
    return HistoryRecord(
      id: DerivedIdentity.of("older", row.table, row.key, row.json.text()), sourceTable: type,
      sourceID: version.id, record: record, reason: .import, archivedAt: now,
      archivedBy: .importer)
  }
}
