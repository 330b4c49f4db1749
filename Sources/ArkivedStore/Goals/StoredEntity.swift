import ArkivedCore
import Foundation
import GRDB

/// An entity stored as one row, with its mapping to and from columns.
///
/// All have columns for the ID, the change and the times of creation and last change.
protocol StoredEntity: RecordedEntity {
  /// The columns besides `id` whose combination is unique.
  static var uniqueColumns: [String] { get }
  /// Returns SQL for the rows with the IDs of linked entities, from the view or the table `source`.
  static func selection(from source: String) -> String
  static func read(_ row: Row) throws -> Self
  /// Returns the columns.
  ///
  /// - Throws: `FieldError` if a linked entity does not exist.
  func columns(_ scope: ChangeScope) throws -> [Column]
  /// Writes data of the entity that is stored outside its row.
  ///
  /// - Parameters:
  ///   - scope: the change.
  ///   - key: the row.
  ///   - before: the row's previous content; nil if it is new.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func writeParts(_ scope: ChangeScope, key: Int64, before: Self?) throws
}

/// A value under its column's name.
typealias Column = (name: String, value: (any DatabaseValueConvertible)?)

extension StoredEntity {
  static var uniqueColumns: [String] { [] }

  func writeParts(_ scope: ChangeScope, key: Int64, before: Self?) throws {}

  static func selection(from source: String) -> String { "SELECT it.* FROM \(source) AS it" }

  /// Fetches entities.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - source: the SQL after FROM.
  ///   - condition: about the row `it`.
  ///   - arguments: the statement's arguments.
  ///   - order: the SQL after ORDER BY.
  /// - Returns: the entities.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func fetch(
    _ db: Database, from source: String = Self.entityType.rawValue, where condition: String = "1",
    arguments: StatementArguments = [], order: String = "it.pk"
  ) throws -> [Self] {
    try Row.fetchAll(
      db, cached: "\(selection(from: source)) WHERE \(condition) ORDER BY \(order)",
      arguments: arguments
    ).map(read)
  }

  static func fetchOne(_ db: Database, id: UUID) throws -> Self? {
    try fetch(db, where: "it.id = ?", arguments: [id.uuidString]).first
  }

  /// Returns the row number of a visible entity.
  static func key(_ id: UUID, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, cached: "SELECT pk FROM \(entityType.rawValue) WHERE id = ?",
      arguments: [id.uuidString])
  }

  /// Returns the row number of a linked entity.
  static func linkedKey(_ id: UUID, field: String, _ db: Database) throws -> Int64 {
    guard let key = try key(id, db) else {
      throw FieldError(field, "is \(id.uuidString), but no such \(typeName) exists")
    }
    return key
  }
}

/// The types of entities stored as one row, each before those it depends on.
enum StoredEntities {
  static let all: [any StoredEntity.Type] = [
    ConversationMessage.self, ConversationThread.self, Note.self, Meeting.self,
    ActionGoalContribution.self, GoalValueAlignment.self,
    TermGoalAssignment.self, Goal.self,
    PersonalValue.self, Term.self, LifeTime.self,
  ]

  static let relations: [EntityType] = [.contribution, .alignment, .assignment]

  static func type(_ type: EntityType) -> (any StoredEntity.Type)? {
    all.first { $0.entityType == type }
  }
}

extension Goal: StoredEntity {
  static func read(_ row: Row) throws -> Goal {
    Goal(
      id: try row.identity("id"), title: row["title"], description: row["description"],
      notes: row["notes"], logTime: row.instant("log_time"),
      goalType: GoalType(rawValue: row["goal_type"]), measurementUnit: row["measurement_unit"],
      measurementTarget: row["measurement_target"], startDate: try row.day(optional: "start_date"),
      targetDate: try row.day(optional: "target_date"),
      howGoalIsRelevant: row["how_goal_is_relevant"],
      howGoalIsActionable: row["how_goal_is_actionable"],
      expectedTermLength: row["expected_term_length"], createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("title", title), ("description", description), ("notes", notes),
      ("log_time", logTime.milliseconds), ("goal_type", goalType.rawValue),
      ("measurement_unit", measurementUnit), ("measurement_target", measurementTarget),
      ("start_date", startDate?.description), ("target_date", targetDate?.description),
      ("how_goal_is_relevant", howGoalIsRelevant),
      ("how_goal_is_actionable", howGoalIsActionable),
      ("expected_term_length", expectedTermLength),
    ]
  }
}

extension PersonalValue: StoredEntity {
  static func read(_ row: Row) throws -> PersonalValue {
    PersonalValue(
      id: try row.identity("id"), title: row["title"], description: row["description"],
      notes: row["notes"], logTime: row.instant("log_time"),
      incentiveType: IncentiveType(rawValue: row["incentive_type"]), priority: row["priority"],
      lifeDomain: row["life_domain"], alignmentGuidance: row["alignment_guidance"],
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("title", title), ("description", description), ("notes", notes),
      ("log_time", logTime.milliseconds), ("incentive_type", incentiveType.rawValue),
      ("priority", priority), ("life_domain", lifeDomain),
      ("alignment_guidance", alignmentGuidance),
    ]
  }
}

extension Term: StoredEntity {
  static var uniqueColumns: [String] { ["term_number"] }

  static func read(_ row: Row) throws -> Term {
    Term(
      id: try row.identity("id"), termNumber: row["term_number"],
      startDate: try row.day("start_date"), targetDate: try row.day("target_date"),
      theme: row["theme"], reflection: row["reflection"], description: row["description"],
      notes: row["notes"], logTime: row.instant("log_time"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("term_number", termNumber), ("start_date", startDate.description),
      ("target_date", targetDate.description), ("theme", theme), ("reflection", reflection),
      ("description", description), ("notes", notes), ("log_time", logTime.milliseconds),
    ]
  }
}

extension LifeTime: StoredEntity {
  static var uniqueColumns: [String] { ["sole"] }

  static func read(_ row: Row) throws -> LifeTime {
    LifeTime(
      id: try row.identity("id"), birthDate: try row.day("birth_date"),
      expectedYears: row["expected_years"], description: row["description"], notes: row["notes"],
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("sole", 1), ("birth_date", birthDate.description), ("expected_years", expectedYears),
      ("description", description), ("notes", notes),
    ]
  }
}

extension ActionGoalContribution: StoredEntity {
  static var uniqueColumns: [String] { ["goal_pk", "activity_pk"] }

  static func selection(from source: String) -> String {
    """
    SELECT it.*, action.id AS action_id, goal.id AS goal_id FROM \(source) AS it
    JOIN activity_rows AS action ON action.pk = it.activity_pk
    JOIN goal_rows AS goal ON goal.pk = it.goal_pk
    """
  }

  static func read(_ row: Row) throws -> ActionGoalContribution {
    ActionGoalContribution(
      id: try row.identity("id"), actionID: try row.identity("action_id"),
      goalID: try row.identity("goal_id"), contribution: row["contribution"],
      matchMethod: MatchMethod(rawValue: row["match_method"]), confidence: row["confidence"],
      matchedOn: MatchedOn.read(row["matched_on"]), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    guard
      let action = try Int64.fetchOne(
        scope.db, cached: "SELECT pk FROM activities WHERE id = ?",
        arguments: [actionID.uuidString])
    else {
      throw FieldError("actionId", "is \(actionID.uuidString), but no such action exists")
    }
    return [
      ("activity_pk", action),
      ("goal_pk", try Goal.linkedKey(goalID, field: "goalId", scope.db)),
      ("contribution", contribution), ("match_method", matchMethod.rawValue),
      ("confidence", confidence), ("matched_on", MatchedOn.text(matchedOn)),
    ]
  }
}

/// The column with the reasons for a match.
enum MatchedOn {
  static func text(_ reasons: [String]) -> String { JSON(reasons).text() }

  static func read(_ text: String) -> [String] {
    (try? JSON(parsing: text))?.array?.compactMap(\.string) ?? []
  }

  /// Returns true if the amount was measured by the action.
  static func isMeasured(_ reasons: [String]) -> Bool {
    reasons.contains { $0.hasPrefix("unit:") || $0.hasPrefix("part:") || $0 == "duration" }
  }

  /// Returns true if a match was proposed because of a similar meaning, without a rule.
  static func isProposal(_ text: String) -> Bool { read(text).first == GoalMatch.meaning }
}

extension GoalValueAlignment: StoredEntity {
  static var uniqueColumns: [String] { ["goal_pk", "value_pk"] }

  static func selection(from source: String) -> String {
    """
    SELECT it.*, goal.id AS goal_id, value.id AS value_id FROM \(source) AS it
    JOIN goal_rows AS goal ON goal.pk = it.goal_pk
    JOIN value_rows AS value ON value.pk = it.value_pk
    """
  }

  static func read(_ row: Row) throws -> GoalValueAlignment {
    GoalValueAlignment(
      id: try row.identity("id"), goalID: try row.identity("goal_id"),
      valueID: try row.identity("value_id"), strength: row["strength"], notes: row["notes"],
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("goal_pk", try Goal.linkedKey(goalID, field: "goalId", scope.db)),
      ("value_pk", try PersonalValue.linkedKey(valueID, field: "valueId", scope.db)),
      ("strength", strength), ("notes", notes),
    ]
  }
}

extension TermGoalAssignment: StoredEntity {
  static var uniqueColumns: [String] { ["term_pk", "goal_pk"] }

  static func selection(from source: String) -> String {
    """
    SELECT it.*, term.id AS term_id, goal.id AS goal_id FROM \(source) AS it
    JOIN term_rows AS term ON term.pk = it.term_pk
    JOIN goal_rows AS goal ON goal.pk = it.goal_pk
    """
  }

  static func read(_ row: Row) throws -> TermGoalAssignment {
    TermGoalAssignment(
      id: try row.identity("id"), termID: try row.identity("term_id"),
      goalID: try row.identity("goal_id"), order: row["assignment_order"],
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("term_pk", try Term.linkedKey(termID, field: "termId", scope.db)),
      ("goal_pk", try Goal.linkedKey(goalID, field: "goalId", scope.db)),
      ("assignment_order", order),
    ]
  }
}

extension Row {
  func day(optional column: String) throws -> DayKey? {
    try (self[column] as String?) == nil ? nil : day(column)
  }
}
