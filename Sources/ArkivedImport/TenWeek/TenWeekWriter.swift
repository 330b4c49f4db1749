package import ArkivedCore
import Foundation

/// Converts entities to Ten Week's columns, keyed by their meaning.
package struct TenWeekWriter: Sendable {
  package typealias Fields = [String: InterchangeValue]

  let homeZone: Zone

  package init(homeZone: Zone) { self.homeZone = homeZone }

  package func fields(_ entity: TenWeekEntity) -> Fields {
    switch entity {
    case .action(let action): fields(action)
    case .entity(let entity): fields(entity)
    case .history(let version): fields(version, .plain)
    }
  }

  /// Returns the contents of an entity, without its times of writing unless these are part of it.
  package func content(_ entity: TenWeekEntity) -> Fields {
    var fields = fields(entity)
    if case .action(let action) = entity {
      fields["log_time"] = .text(TenWeekTime.exactText(logged(action), action.zone))
      fields["start_time"] =
        action.startAt.map { .text(TenWeekTime.exactText($0, action.zone)) } ?? .null
    }
    if case .entity(let entity) = entity, !(entity is Goal), !(entity is PersonalValue) {
      for name in ["created_at", "updated_at", "key"] { fields[name] = nil }
    }
    return fields
  }

  /// Returns the time that Ten Week regards as the time of writing, whose day determines the day of
  /// the action.
  private func logged(_ action: Activity) -> Instant {
    let zone = action.zone
    return zone.dayKey(at: action.createdAt) == action.dayKey
      ? action.createdAt
      : action.startAt.flatMap { zone.dayKey(at: $0) == action.dayKey ? $0 : nil }
        ?? zone.instant(of: WallTime(day: action.dayKey, secondOfDay: 43_200))
  }

  private func fields(_ action: Activity) -> Fields {
    let zone = action.zone
    var measurements = JSONObject()
    for (unit, amount) in action.measurements.sorted(by: { $0.key < $1.key }) {
      measurements[unit] = .number(amount)
    }
    return [
      "key": .text(action.id.uuidString), "title": .text(action.text),
      "description": text(action.description), "notes": text(action.notes),
      "log_time": .text(TenWeekTime.text(logged(action), zone)),
      "measurement_units_by_amount": measurements.isEmpty
        ? .null : .text(JSON.object(measurements).text()),
      "start_time": action.startAt.map { .text(TenWeekTime.text($0, zone)) } ?? .null,
      "duration_minutes": action.duration.map { .real($0) } ?? .null,
    ]
  }

  private func fields(_ entity: any RecordedEntity) -> Fields {
    switch entity {
    case let goal as Goal:
      [
        "key": .text(goal.id.uuidString), "title": .text(goal.title),
        "description": text(goal.description), "notes": text(goal.notes),
        "log_time": time(goal.logTime), "goal_type": .text(goal.goalType.rawValue),
        "measurement_target": goal.measurementTarget.map { .real($0) } ?? .null,
        "measurement_unit": text(goal.measurementUnit), "start_date": text(goal.startDate),
        "target_date": text(goal.targetDate), "how_goal_is_relevant": text(goal.howGoalIsRelevant),
        "how_goal_is_actionable": text(goal.howGoalIsActionable),
        "expected_term_length": whole(goal.expectedTermLength),
      ]
    case let value as PersonalValue:
      [
        "key": .text(value.id.uuidString), "title": .text(value.title),
        "description": text(value.description), "notes": text(value.notes),
        "log_time": time(value.logTime),
        "incentive_type": .text(value.incentiveType.rawValue), "priority": whole(value.priority),
        "life_domain": .text(value.lifeDomain), "alignment_guidance": text(value.alignmentGuidance),
      ]
    case let term as Term:
      [
        "key": .text(term.id.uuidString), "title": .text(term.title),
        "description": text(term.description), "notes": text(term.notes),
        "term_number": whole(term.termNumber), "start_date": text(term.startDate),
        "target_date": text(term.targetDate), "theme": text(term.theme),
        "reflection": text(term.reflection), "created_at": time(term.createdAt),
        "updated_at": time(term.updatedAt),
      ]
    case let assignment as TermGoalAssignment:
      [
        "term_uuid": .text(assignment.termID.uuidString),
        "goal_uuid": .text(assignment.goalID.uuidString),
        "assignment_order": whole(assignment.order),
        "created_at": time(assignment.createdAt),
      ]
    case let contribution as ActionGoalContribution:
      [
        "key": .text(contribution.id.uuidString),
        "action_id": .text(contribution.actionID.uuidString),
        "goal_id": .text(contribution.goalID.uuidString),
        "contribution": .real(contribution.contribution),
        "match_method": .text(contribution.matchMethod.rawValue),
        "confidence": .real(contribution.confidence),
        "matched_on": .text(JSON(contribution.matchedOn).text()),
        "created_at": time(contribution.createdAt),
      ]
    default: [:]
    }
  }

  /// Returns a row of Ten Week's archive.
  ///
  /// - Parameters:
  ///   - version: the old version.
  ///   - variant: the variant of the column names in the record.
  /// - Returns: the row.
  package func fields(_ version: HistoryRecord, _ variant: TenWeekVariant) -> Fields {
    let table = TenWeekTable(version.sourceTable)
    return [
      "id": .text(version.id.uuidString),
      "source_table": .text(table?.rawValue ?? version.sourceTable.rawValue),
      "source_id": .text(version.sourceID.uuidString),
      "record_data": .text((record(version, table, variant) ?? version.record).text()),
      "reason": .text(version.reason.rawValue),
      "archived_at": time(version.archivedAt),
      "archived_by": .text(version.archivedBy.rawValue), "notes": .null,
    ]
  }

  private func record(
    _ version: HistoryRecord, _ table: TenWeekTable?, _ variant: TenWeekVariant
  ) -> JSON? {
    guard let table, let object = version.record.object else { return nil }
    let defaults = EntryDefaults(
      now: version.archivedAt, homeZone: homeZone, identities: RandomIdentities())
    var reader = FieldReader(object)
    let entity: TenWeekEntity?
    if table == .actions {
      entity = (try? Activity(&reader, defaults: defaults)).map { .action($0) }
    } else {
      let type = GoalSide.types.first { $0.entityType == version.sourceTable }
      entity = (try? type?.init(&reader, defaults: defaults)).map { .entity($0) }
    }
    guard let entity else { return nil }
    return TenWeekWriter.record(table, fields(entity), variant)
  }

  /// Returns a row in the form stored by Ten Week's archive.
  package static func record(
    _ table: TenWeekTable, _ fields: Fields, _ variant: TenWeekVariant
  ) -> JSON {
    var object = JSONObject()
    for field in table.fields {
      guard let value = fields[field.meaning] else { continue }
      object[field.name(variant)] = json(value)
    }
    return .object(object)
  }

  package static func json(_ value: InterchangeValue) -> JSON {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): number.isFinite ? .number(number) : .null
    case .text(let text): .string(text)
    case .brokenText(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .string(Data(bytes).base64EncodedString())
    }
  }

  // MARK: Unchanged fields

  /// Returns the columns of an entity, keeping each stored value that still has the same meaning.
  package func fields(
    _ entity: TenWeekEntity, _ table: TenWeekTable, kept: InterchangeRow?, _ reader: TenWeekReader
  ) -> Fields {
    var fields = fields(entity)
    guard let kept, let before = try? reader.read(table, kept) else { return fields }
    for (meaning, value) in self.fields(before) where fields[meaning] == value {
      guard let raw = TenWeekFields.value(meaning, table, kept) else { continue }
      // IDs are written in upper case, regardless of their original form.
      if let id = UUID(foreign: raw) {
        fields[meaning] = .text(id.uuidString)
      } else if case .integer = raw, meaning == "key" || meaning.hasSuffix("_id") {
        continue
      } else {
        fields[meaning] = raw
      }
    }
    return fields
  }

  package func time(_ instant: Instant) -> InterchangeValue {
    .text(TenWeekTime.text(instant, homeZone))
  }
  private func text(_ text: String?) -> InterchangeValue { text.map { .text($0) } ?? .null }
  private func text(_ day: DayKey?) -> InterchangeValue {
    day.map { .text($0.description) } ?? .null
  }
  private func whole(_ number: Int?) -> InterchangeValue {
    number.map { .integer(Int64($0)) } ?? .null
  }
}
